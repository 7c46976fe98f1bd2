"""The rules of a release, ranked for a query: each source of evidence adds its share."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.search.folding import COMMON, folded, telling
from kb.search.named import shares
from kb.search.results import PARTS_OF_HEADING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kb.search.asked import Asked
    from kb.search.named import GraphNames
    from kb.search.release_index import ReleaseIndex
    from kb.search.results import Entry, Weights
    from kb.search.word_index import WordIndex

# So many rules that share no word with a query, but are near it in meaning, are looked at.
_NEAREST = 100
# So many rules that share words with a query are looked at, the best of them.
_BEST = 200
# A rule below a keyword's heading is about that keyword: its words count less for other queries.
_OTHER_KEYWORD = 0.8
# Nothing outweighs a number that is asked for; a quoted phrase counts as a quarter of all words.
_SURE, _PHRASE = 100.0, 1.0
# Letters by themselves mean nothing.
_SINGLE = re.compile(r"(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z])")
# What is said of these on a card leads to a rule that tells more than the card's type does.
_TELLING_KINDS = frozenset({"keyword", "wording", "term", "counter"})


@dataclass(frozen=True)
class Rules:
    """The rules of a release as ranking needs them, each known by its place.

    ``places`` by number; ``keywords`` the words of the keyword's heading that a rule stands below,
    or None; ``parents`` the place of the rule of a subrule, or None; ``cited`` the logarithm of how
    many places cite a rule.
    """

    entries: tuple[Entry, ...]
    places: dict[str, int]
    keywords: tuple[frozenset[str] | None, ...]
    parents: tuple[int | None, ...]
    cited: tuple[float, ...]

    @classmethod
    def of(cls, entries: tuple[Entry, ...]) -> Rules:
        """Take the entries of rules."""
        places: dict[str, int] = {}
        for at, entry in enumerate(entries):
            places.setdefault(entry.number, at)
        keywords = []
        for entry in entries:
            _, below, keyword = entry.heading.rpartition(PARTS_OF_HEADING)
            keywords.append(frozenset(telling(keyword)) if below else None)
        parents = [
            None if entry.family == entry.number else places.get(entry.family) for entry in entries
        ]
        cited = tuple(math.log1p(entry.cited) for entry in entries)
        return cls(entries, places, tuple(keywords), tuple(parents), cited)

    def defining(self, number: str) -> tuple[str, ...]:
        """Return where a rule or chapter that governs something begins to say what it is."""
        return (f"{number}a",) if "." in number else (f"{number}.1", f"{number}.1a")


def ranked_rules(
    asked: Asked, index: ReleaseIndex, rules: Rules, names: GraphNames, weights: Weights
) -> list[tuple[int, float]]:
    """Return the places of rules with their scores, best first."""
    scores = _by_words(asked, index, rules, weights)
    if weights.meaning:
        _add_nearness(scores, index.meanings.values(_for_meaning(asked)), weights.meaning)
    governing = governing_rules(asked, names)
    _add(scores, rules, governing, weights.words if is_exact(asked) else weights.concepts)
    _add(scores, rules, _definitions(governing, rules), weights.defining)
    of_cards = rules_of_cards(asked, names) if weights.of_cards else {}
    _add(scores, rules, of_cards, weights.of_cards)
    _add(scores, rules, _definitions(of_cards, rules), weights.of_cards)
    _add(scores, rules, dict.fromkeys(rules_asked_for(asked, rules), 1.0), _SURE)
    for at in scores:
        scores[at] += weights.cited * rules.cited[at]
    for phrase in asked.phrases:
        for at in holding(phrase, index.words["rule"], rules.entries):
            scores[at] = scores.get(at, 0.0) + _PHRASE
    ranked = sorted(scores.items(), key=lambda one: (-one[1], one[0]))
    if asked.is_phrase:
        held = (holding(phrase, index.words["rule"], rules.entries) for phrase in asked.phrases)
        whole = frozenset.intersection(*held)
        return [one for one in ranked if one[0] in whole]
    return ranked


def _by_words(
    asked: Asked, index: ReleaseIndex, rules: Rules, weights: Weights
) -> dict[int, float]:
    """Return what the words of a query add up to, as shares of the best; a parent's count too."""
    words = asked.words.keys()
    found = index.words["rule"].scores(asked.words)
    total = {}
    for at in best_places(found, _BEST):
        score = found[at]
        parent, keyword = rules.parents[at], rules.keywords[at]
        share = 1.0
        if keyword is not None and keyword.isdisjoint(words):
            share = _OTHER_KEYWORD
        more = found[parent] if parent is not None else 0
        total[at] = share * (score + weights.parents * more)
    if weights.children:
        _add_children(total, rules, weights.children)
    best = max(total.values(), default=0.0)
    return {at: weights.words * score / best for at, score in total.items()} if best else {}


def rules_asked_for(asked: Asked, rules: Rules) -> dict[str, str]:
    """Return the rules whose numbers are asked for, each with that number.

    Of a number that the release does not have it is the rule or the chapter that it would be in.
    """
    found: dict[str, str] = {}
    for number in asked.numbers:
        family = number.rstrip("abcdefghijklmnopqrstuvwxyz")
        known = [one for one in (number, family, number[:3]) if one in rules.places]
        if known:
            found[known[0]] = number
    return found


def _add_children(total: dict[int, float], rules: Rules, weight: float) -> None:
    """Add to the score of a rule a share of that of its best subrule."""
    best: dict[int, float] = {}
    for at, score in total.items():
        parent = rules.parents[at]
        if parent is not None:
            best[parent] = max(best.get(parent, 0.0), score)
    for parent, score in best.items():
        total[parent] = total.get(parent, 0.0) + weight * score


def best_places(values: Sequence[float], count: int) -> list[int]:
    """Return the places of the greatest values that are more than 0, best first."""
    least = sorted(values)[-count] if count < len(values) else 0
    places = [at for at, value in enumerate(values) if value >= least and value > 0]
    return sorted(places, key=lambda at: -values[at])[:count]


def _add_nearness(scores: dict[int, float], near: list[int], weight: float) -> None:
    """Add by how many standard deviations each text is nearer than most; the nearest join."""
    mean = sum(near) / (len(near) or 1)
    spread = math.dist(near, [mean] * len(near)) / math.sqrt(len(near) or 1)
    if spread:
        for at in best_places(near, _NEAREST):
            scores.setdefault(at, 0.0)
        for at in scores:
            scores[at] += weight * (near[at] - mean) / spread


def _add(scores: dict[int, float], rules: Rules, found: Mapping[str, float], weight: float) -> None:
    for number, share in found.items():
        at = rules.places.get(number)
        if at is not None:
            scores[at] = scores.get(at, 0.0) + weight * share


def is_exact(asked: Asked) -> bool:
    """Tell whether the query is the name of a concept, and nothing else that tells."""
    return any(set(telling(name)) == asked.own for name in asked.concepts.values())


def governing_rules(asked: Asked, names: GraphNames) -> dict[str, float]:
    """Return the rules that govern what a query names, with their shares."""
    return shares(_governing(asked.concepts, names))


def rules_of_cards(asked: Asked, names: GraphNames) -> dict[str, float]:
    """Return the rules that govern what named cards are worded with, each from 0 to 1."""
    keys = [key for card in asked.cards for key in names.spoken_by(card.node)]
    telling_keys = [key for key in keys if key.partition(":")[0] in _TELLING_KINDS]
    return {n: min(share, 1.0) for n, share in _governing(telling_keys, names).items()}


def _governing(keys: Iterable[str], names: GraphNames) -> dict[str, float]:
    """Return the rules that govern concepts; of a concept that has several, each gets its part."""
    found: dict[str, float] = defaultdict(float)
    for key in keys:
        numbers = names.rules_of(key)
        for number in numbers:
            found[number] += 1 / len(numbers)
    return found


def _definitions(governing: Mapping[str, float], rules: Rules) -> dict[str, float]:
    """Return the rules in which those that govern something begin, with the same shares."""
    found: dict[str, float] = defaultdict(float)
    for number, share in governing.items():
        for first in rules.defining(number):
            if first in rules.places:
                found[first] += share
    return shares(found)


def holding(
    phrase: tuple[str, ...], index: WordIndex, entries: tuple[Entry, ...]
) -> frozenset[int]:
    """Return the texts that have folded words, one behind the other; some of them must tell."""
    some = [index.holding(word) for word in phrase if word not in COMMON]
    places = frozenset.intersection(*some) if some else frozenset()
    return frozenset(at for at in places if _holds(entries[at], phrase))


def _holds(entry: Entry, phrase: tuple[str, ...]) -> bool:
    words = folded(entry.text)
    return any(words[at : at + len(phrase)] == phrase for at in range(len(words)))


def _for_meaning(asked: Asked) -> dict[str, float]:
    """Return the texts whose meaning is looked for, with their weights."""
    texts = {_SINGLE.sub(" ", asked.bare): 1.0}
    for saying in asked.sayings:
        texts.setdefault(saying.written, 0.5)
    return texts
