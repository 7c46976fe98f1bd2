"""Objects of several files → one record a card, the same in whatever order the files came.

Of two records of one card the one from the newer file stands; in files of one date, one that
is not two printed sides of the same card, then the newer printing, then the greater text. A
file's date is the one that it gives to itself, else that of its newest printing. Rulings, and
names in other languages, are united.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kb.cards.mtgjson import mtgjson_cards
from kb.cards.scryfall import is_ruling, released, scryfall_card, scryfall_ruling
from kb.cards.stream import FileDate
from kb.cards.values import as_object, united_rulings
from kb.records import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.cards.stream import CardObject
    from kb.records import Card, Ruling

    Key = tuple[str, str]
    """An oracle id; or, behind an empty one, a name."""
    Rank = tuple[str, bool, str]
    """The file's date, whether it is no reversible card, and the printing's date."""


@dataclass(slots=True)
class CardReport:
    """What was read: counts of objects as the files have them, and problems with their place.

    Each of ``objects`` is a name, a ruling, or a problem of a file; a place where a file is
    cut or broken counts as one.
    """

    names: int = 0
    objects: int = 0
    rulings: int = 0
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class _File:
    """A file being read: its name, its newest dates, and the best record of each card."""

    name: str
    ordinal: int
    date: str | None = None
    newest_printing: str = ""
    newest_ruling: str = ""
    cards: dict[Key, tuple[Rank, Card]] = field(default_factory=dict)


class CardPile:
    """Gathers cards and rulings, and gives the cards out, sorted by name and oracle id.

    ``supertypes`` are the rulebook's: on a type line they stand apart from the types.
    """

    def __init__(self, supertypes: frozenset[str] = frozenset()) -> None:
        self.report = CardReport()
        self._supertypes = supertypes
        self._cards: dict[Key, tuple[Rank, Card]] = {}
        self._rulings: dict[Key, dict[int, list[Ruling]]] = {}
        self._names: dict[Key, set[tuple[str, str]]] = {}
        self._own_names: dict[Key, set[str]] = {}
        self._newest: list[str] = []

    def add(self, objects: Iterable[CardObject | FileDate], source: str) -> None:
        """Add the objects of one file; ``source`` is its name, for its problems."""
        file = _File(source, len(self._newest))
        for one in objects:
            if isinstance(one, FileDate):
                file.date = max(file.date or "", one.iso)
                continue
            self.report.objects += 1
            why = one.fault
            try:
                if why is None:
                    self._read(one, file)
            except KeyError as error:
                why = f"{error.args[0]} is missing"
            except (ValueError, TypeError) as error:
                why = str(error)
            if why is not None:
                self._problem(one, file, why)
        self._newest.append(file.newest_ruling)
        date = file.newest_printing if file.date is None else file.date
        for key, ((_, is_plain, printed), card) in file.cards.items():
            _keep(self._cards, key, (date, is_plain, printed), card)

    def _read(self, one: CardObject, file: _File) -> None:
        """Read an object whole before anything of it is kept.

        Raises:
            ValueError, TypeError, KeyError: it is not of a known shape.
        """
        if one.name is not None:
            cards = list(mtgjson_cards(one.name, one.value))
            found = {(r.text, day) for card in cards for r in card.rulings for day in r.dates}
            self.report.names += 1
            self.report.rulings += len(found)
            for card in cards:
                self._put(card, "", file)
            return
        value = as_object(one.value)
        if is_ruling(value):
            oracle_id, ruling = scryfall_ruling(value)
            self.report.rulings += 1
            self._add_rulings((oracle_id, ""), (ruling,), file)
        else:
            card, printed = scryfall_card(value, self._supertypes), released(value)
            self.report.names += 1
            file.newest_printing = max(file.newest_printing, printed)
            self._put(card, printed, file)

    def _put(self, card: Card, printed: str, file: _File) -> None:
        key = (card.oracle_id, "") if card.oracle_id else ("", card.name)
        self._add_rulings(key, card.rulings, file)
        self._names.setdefault(key, set()).update(card.names)
        self._own_names.setdefault(key, set()).add(card.name)
        # A reversible card is two printed sides of one and the same card.
        _keep(file.cards, key, ("", card.layout != "reversible_card", printed), card)

    def _add_rulings(self, key: Key, rulings: tuple[Ruling, ...], file: _File) -> None:
        if not rulings:
            return
        self._rulings.setdefault(key, {}).setdefault(file.ordinal, []).extend(rulings)
        newest = max(ruling.dates[-1] for ruling in rulings).isoformat()
        file.newest_ruling = max(file.newest_ruling, newest)

    def _problem(self, one: CardObject, file: _File, why: str) -> None:
        # What is no character cannot be printed or written, and stands as an escape.
        message = f"{file.name}, {one.place}: {why}".encode(errors="backslashreplace").decode()
        self.report.problems.append(Problem(one.kind, message, one.line, 1))

    def cards(self) -> Iterator[Card]:
        """Yield every card with its rulings and names; rulings of no card are a problem."""
        for key in sorted(self._cards, key=lambda key: (self._cards[key][1].name, key)):
            rulings = united_rulings(self._in_order(self._rulings.pop(key, {})))
            names, own = self._names[key], self._own_names[key]
            if len(own) > 1:
                # Whichever record stands, the others' names go on leading to the card.
                names.update(("en", name) for name in own)
            yield replace(self._cards[key][1], rulings=rulings, names=tuple(sorted(names)))
        for key in sorted(self._rulings):
            count = sum(map(len, self._rulings[key].values()))
            message = f"{count} rulings of a card that no file has: {key[0]}"
            self.report.problems.append(Problem("ruling", message, 0, 0))

    def _in_order(self, held: dict[int, list[Ruling]]) -> Iterator[Ruling]:
        """Yield a card's rulings; those of one day as the file with the newest rulings has them.

        Of files that are equally new the rulings themselves decide, for a file's name or its
        place among the others may change.
        """
        if len(held) > 1:
            order = sorted(
                held.items(),
                key=lambda entry: (
                    self._newest[entry[0]],
                    [(one.text, one.dates, one.source) for one in entry[1]],
                ),
                reverse=True,
            )
            held = dict(order)
        for rulings in held.values():
            yield from rulings


def _keep(cards: dict[Key, tuple[Rank, Card]], key: Key, rank: Rank, card: Card) -> None:
    """Keep a record if there is none of its card, or one that it goes before."""
    held = cards.get(key)
    if held is None or rank > held[0] or (rank == held[0] and _text(card) > _text(held[1])):
        cards[key] = (rank, card)


def _text(card: Card) -> str:
    """Return what decides between two records: all but what is united anyway."""
    return repr(replace(card, rulings=(), names=()))
