"""Objects of several files → one record a card, the same in whatever order the files came.

Of two records of one card, the one from the newer file stands (its date, then more faces,
then the text decides); rulings and names in other languages are united.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kb.cards.mtgjson import mtgjson_cards
from kb.cards.scryfall import is_ruling, scryfall_card, scryfall_ruling
from kb.cards.values import united_rulings
from kb.records import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.cards.stream import CardObject
    from kb.records import Card, Ruling


@dataclass(slots=True)
class CardReport:
    """What was read: counts of objects as the files have them, and problems with their place."""

    names: int = 0
    objects: int = 0
    rulings: int = 0
    problems: list[Problem] = field(default_factory=list)


class CardPile:
    """Gathers cards and rulings, and gives the cards out, sorted by name and oracle id.

    ``supertypes`` are the rulebook's: on a type line they stand apart from the types.
    """

    def __init__(self, supertypes: frozenset[str] = frozenset()) -> None:
        self.report = CardReport()
        self._supertypes = supertypes
        self._cards: dict[str, tuple[tuple[str, int, str], Card]] = {}
        self._rulings: dict[str, dict[str, list[Ruling]]] = {}
        self._names: dict[str, dict[tuple[str, str], None]] = {}
        self._newest: dict[str, str] = {}

    def add(self, objects: Iterable[CardObject], source: str) -> None:
        """Add the objects of one file; ``source`` is its name."""
        for one in objects:
            self.report.objects += 1
            if one.fault:
                self._problem(source, one.place, one.fault)
                continue
            try:
                self._read(one, source)
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                why = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
                self._problem(source, one.place, why)

    def _read(self, one: CardObject, source: str) -> None:
        value: Any = one.value
        if one.name is not None:
            cards = list(mtgjson_cards(one.name, value))
            found = {(r.text, day) for card in cards for r in card.rulings for day in r.dates}
            self.report.names += 1
            self.report.rulings += len(found)
            for card in cards:
                self._put(card, one.date, source)
        elif is_ruling(value):
            oracle_id, ruling = scryfall_ruling(value)
            self.report.rulings += 1
            self._add_rulings(oracle_id, [ruling], source)
        else:
            card = scryfall_card(value, self._supertypes)
            self.report.names += 1
            self._put(card, str(value.get("released_at", "")), source)

    def _put(self, card: Card, date: str, source: str) -> None:
        key = card.oracle_id or f"name:{card.name}"
        self._add_rulings(key, card.rulings, source)
        names = self._names.setdefault(key, {})
        names.update(dict.fromkeys(card.names))
        bare = replace(card, rulings=(), names=())
        is_doubled = card.layout == "reversible_card"  # two printed sides of one and the same card
        rank = (date, 0 if is_doubled else 1, repr(bare))
        held = self._cards.get(key)
        if held is None or rank > held[0]:
            self._cards[key] = (rank, bare)
        # Whichever record stands, the other's name goes on leading to the card.
        if held is not None and held[1].name != card.name:
            names.update({("en", card.name): None, ("en", held[1].name): None})

    def _add_rulings(self, key: str, rulings: Iterable[Ruling], source: str) -> None:
        for ruling in rulings:
            self._rulings.setdefault(key, {}).setdefault(source, []).append(ruling)
            newest = max(self._newest.get(source, ""), ruling.dates[-1].isoformat())
            self._newest[source] = newest

    def _problem(self, source: str, place: str, why: str) -> None:
        line = int(place.removeprefix("line ")) if place.startswith("line ") else 0
        self.report.problems.append(Problem("card", f"{source}, {place}: {why}", line, 1))

    def cards(self) -> Iterator[Card]:
        """Yield every card with its rulings and names; rulings of no card are a problem.

        Rulings of one day keep the order of the file with the newest rulings.
        """
        sources = sorted(self._newest, key=lambda name: (self._newest[name], name), reverse=True)
        for key in sorted(self._cards, key=lambda key: (self._cards[key][1].name, key)):
            held = self._rulings.pop(key, {})
            rulings = united_rulings(r for name in sources for r in held.get(name, ()))
            names = tuple(sorted(self._names[key]))
            yield replace(self._cards[key][1], rulings=rulings, names=names)
        for key in sorted(self._rulings):
            count = sum(map(len, self._rulings[key].values()))
            message = f"{count} rulings of a card that no file has: {key}"
            self.report.problems.append(Problem("ruling", message, 0, 0))
