"""Why an entry is a hit, in words that people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.search.folding import telling
from kb.search.ranking import governing_rules, rules_of_cards

if TYPE_CHECKING:
    from kb.search.asked import Asked
    from kb.search.named import GraphNames
    from kb.search.results import Entry, Weights

_MOST_RULINGS = 3


class Reasons:
    """Tells why entries are hits of one query."""

    def __init__(self, asked: Asked, names: GraphNames, weights: Weights) -> None:
        """Take a query, the names in the graph, and what counted."""
        self._asked, self._weights = asked, weights
        self._names = names
        self._governing = governing_rules(asked, names)
        self._of_cards = rules_of_cards(asked, names)

    def of(self, entry: Entry, written: tuple[str, ...]) -> tuple[str, ...]:
        """Return the reasons for an entry; ``written`` are the words of its text that fit."""
        asked, held = self._asked, {*telling(f"{entry.text} {entry.heading} {entry.id}")}
        why = []
        if entry.id in asked.numbers:
            why.append(f"number: {entry.id}")
        own = [word for word in written if asked.own.intersection(telling(word))]
        if own:
            why.append(f"words: {', '.join(own)}")
        above = asked.own.intersection(telling(entry.heading))
        if above:
            why.append(f"heading: {entry.heading}")
        why += [
            f"“{saying.said}” read as “{saying.written}”"
            for saying in asked.sayings
            if held.intersection(saying.official)
        ]
        why += [f"“{wrong}” read as “{right}”" for wrong, right in asked.corrected]
        if entry.number in self._governing:
            rules_of = self._names.rules_of
            named = {name for key, name in asked.concepts.items() if entry.number in rules_of(key)}
            why.append(f"governs: {', '.join(sorted(named))}")
        if entry.number in self._of_cards:
            why.append(f"governs what is on {', '.join(card.name for card in asked.cards)}")
        through = [one for one in asked.rulings if one.words & held]
        if through and entry.kind == "rule":
            shown = "; ".join(one.name for one in through[:_MOST_RULINGS])
            why.append(f"through rulings: {shown}")
        if entry.cited and self._weights.cited:
            why.append(f"cited: {entry.cited} times")
        return tuple(why) or ("meaning: its words are near those of the query",)
