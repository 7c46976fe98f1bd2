"""Why an entry is a hit, in words that people read: only what gave a part of its score."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kb.search.folding import as_written, telling
from kb.search.ranking import governing_rules, rules_asked_for, rules_of_cards

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.search.asked import Asked
    from kb.search.named import GraphNames
    from kb.search.ranking import Rules
    from kb.search.results import Entry, Weights
    from kb.search.word_index import WordIndex

_MOST_RULINGS = 2
# What gave less than this part of a score is no reason.
_MATERIAL = 0.05


class Reasons:
    """Tells why entries are hits of one query."""

    def __init__(
        self, asked: Asked, names: GraphNames, weights: Weights, rules: Rules, index: WordIndex
    ) -> None:
        """Take a query, the names in the graph, what counted, the rules and their words."""
        self._asked, self._weights = asked, weights
        self._names, self._rarity = names, index.rarity
        self._numbers = rules_asked_for(asked, rules)
        self._governing = governing_rules(asked, names)
        self._of_cards = rules_of_cards(asked, names)

    def of(
        self, entry: Entry, score: float, words: Iterable[str], written: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Return the reasons for an entry.

        Args:
            entry: what was found.
            score: its score.
            words: the folded words of its text.
            written: the words of its text that fit the query, as they are written.
        """
        asked, above = self._asked, frozenset(telling(f"{entry.heading} {entry.id}"))
        why = []
        if number := self._numbers.get(entry.id):
            none = "" if number == entry.id else f" ({number} is not in this release)"
            why.append(f"number: {entry.id}{none}")
        own = [word for word in written if asked.own.intersection(telling(word))]
        if own:
            why.append(f"words: {', '.join(own)}")
        if asked.own.intersection(telling(entry.heading)):
            why.append(f"heading: {entry.heading}")
        why += self._through_words(entry, above.union(words))
        why += self._through_graph(entry, score)
        return tuple(why) or ("meaning: its words are near those of the query",)

    def _through_words(self, entry: Entry, held: frozenset[str]) -> Iterator[str]:
        """Yield what added words to the query that the entry holds, as far as they count."""
        asked = self._asked
        enough = _MATERIAL * self._worth(held.intersection(asked.words), asked.words)
        for saying in asked.sayings:
            fits = held.intersection(saying.official)
            if fits and self._weights.said * self._worth(fits) >= enough:
                yield f"“{saying.said}” read as “{saying.written}”"
        for wrong, right in asked.corrected:
            if right in held:
                there = as_written(right, f"{entry.text} {entry.heading} {entry.id}")
                yield f"“{as_written(wrong, asked.text)}” read as “{there}”"
        if entry.kind == "rule":
            gave: dict[str, float] = {}
            for one in asked.rulings:
                worth = one.weight * self._worth(held.intersection(one.words))
                if worth and worth >= enough:
                    gave[one.name] = max(gave.get(one.name, 0.0), worth)
            if most := sorted(gave, key=lambda name: -gave[name])[:_MOST_RULINGS]:
                yield f"through rulings: {'; '.join(most)}"

    def _through_graph(self, entry: Entry, score: float) -> Iterator[str]:
        """Yield what the graph knows of an entry."""
        if entry.number in self._governing:
            rules_of, concepts = self._names.rules_of, self._asked.concepts
            named = {name for key, name in concepts.items() if entry.number in rules_of(key)}
            yield f"governs: {', '.join(sorted(named))}"
        if entry.number in self._of_cards:
            yield f"governs what is on {', '.join(card.name for card in self._asked.cards)}"
        counted = self._weights.cited * math.log1p(entry.cited)
        if counted and counted >= _MATERIAL * score:
            yield "cited once" if entry.cited == 1 else f"cited in {entry.cited} places"

    def _worth(self, words: Iterable[str], weights: dict[str, float] | None = None) -> float:
        """Return what words say, each as much as it is rare, with their weights if there are."""
        return sum(
            self._rarity.get(word, 0.0) * (weights[word] if weights else 1.0) for word in words
        )
