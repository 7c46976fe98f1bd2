"""The rules of a release, ranked for a query: each source of evidence adds its share."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from typing import TYPE_CHECKING

from kb.search.folding import folded, telling
from kb.search.named import shares

if TYPE_CHECKING:
    from kb.search.asked import Asked
    from kb.search.named import GraphNames
    from kb.search.release_index import ReleaseIndex
    from kb.search.results import Entry, Weights

# So many rules that share no word with a query, but are near it in meaning, are looked at.
_NEAREST = 100
# A rule below a keyword's heading is about that keyword: its words count less for other queries.
_OTHER_KEYWORD = 0.8
# Nothing else outweighs a number that is asked for; a phrase that is quoted counts as much as a
# quarter of all words.
_SURE, _PHRASE = 100.0, 1.0


def ranked_rules(
    asked: Asked, index: ReleaseIndex, names: GraphNames, weights: Weights
) -> list[tuple[int, float]]:
    """Return the places of rules among the entries with their scores, best first."""
    entries = index.entries["rule"]
    by_words = {
        at: score * _of_its_heading(entries[at], asked)
        for at, score in index.words["rule"].scores(asked.words).items()
    }
    best = max(by_words.values(), default=0.0)
    scores = {at: weights.words * score / best for at, score in by_words.items()} if best else {}
    if weights.meaning:
        _add_meaning(scores, _standing(index.meanings.near(_for_meaning(asked))), weights.meaning)
    named, exact = governing_rules(asked, names), _is_exact(asked)
    for at, entry in enumerate(entries):
        if entry.number in named:
            more = weights.words if exact else weights.concepts
            scores[at] = scores.get(at, 0.0) + more * named[entry.number]
        if entry.number in asked.numbers:
            scores[at] = scores.get(at, 0.0) + _SURE
    for at in scores:
        scores[at] += weights.cited * math.log1p(entries[at].cited)
        if asked.phrases:
            scores[at] += _PHRASE * sum(_holds(entries[at], phrase) for phrase in asked.phrases)
    ranked = sorted(scores.items(), key=lambda one: (-one[1], one[0]))
    if asked.is_phrase:
        return [one for one in ranked if _holds_all(entries[one[0]], asked.phrases)]
    return ranked


def _of_its_heading(entry: Entry, asked: Asked) -> float:
    """Return the share of its words that counts: less below a keyword that is not asked for."""
    _, below, keyword = entry.heading.rpartition(" › ")
    if below and not asked.words.keys() & set(telling(keyword)):
        return _OTHER_KEYWORD
    return 1.0


def _add_meaning(scores: dict[int, float], near: list[float], weight: float) -> None:
    """Add how near texts are to the scores, and the nearest where they have none."""
    if near:
        for at in heapq.nlargest(_NEAREST, range(len(near)), key=near.__getitem__):
            scores.setdefault(at, 0.0)
        for at in scores:
            scores[at] += weight * near[at]


def _is_exact(asked: Asked) -> bool:
    """Tell whether the query is the name of a concept, and nothing else that tells."""
    return any(set(telling(name)) == asked.own for name in asked.concepts.values())


def _holds(entry: Entry, phrase: tuple[str, ...]) -> bool:
    words = folded(entry.text)
    return any(words[at : at + len(phrase)] == phrase for at in range(len(words)))


def _holds_all(entry: Entry, phrases: tuple[tuple[str, ...], ...]) -> bool:
    return all(_holds(entry, phrase) for phrase in phrases)


def governing_rules(asked: Asked, names: GraphNames) -> dict[str, float]:
    """Return the rules that govern what a query names, with their shares."""
    found: dict[str, float] = defaultdict(float)
    for key in asked.concepts:
        rules = names.rules_of(key)
        for number in rules:
            found[number] += 1 / len(rules)
    return shares(found)


def _for_meaning(asked: Asked) -> dict[str, float]:
    """Return the texts whose meaning is looked for, with their weights."""
    texts = {asked.bare: 1.0}
    for saying in asked.sayings:
        texts.setdefault(saying.written, 0.5)
    return texts


def _standing(values: list[float]) -> list[float]:
    """Return values by how many standard deviations each stands out."""
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return [(value - mean) / spread for value in values] if spread else []
