"""A page of a card's rulings as bullets → rulings: what people copied before there were files.

A ruling begins with ``*``, ``•`` or ``-`` at a line's start; what begins with ``--`` belongs
to the ruling above, and so does a line that begins with none of them, unless it stands before
the first. A page knows neither its card nor its date: they are told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb.cards.values import name_key, united_rulings
from kb.errors import SourceError
from kb.records import Ruling
from kb.source import read_source

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from pathlib import Path

    from kb.records import Card

_BULLET = re.compile(r"\s*(?:[*•·]|-(?!-))\s+")
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK")
_JSON = (b"{", b"[")


@dataclass(frozen=True, slots=True)
class RulingPage:
    """A page, the card that its rulings are on, and the day on which they were published."""

    path: Path
    card: str
    published: date


def is_page(path: Path) -> bool:
    """Tell whether a file is text to be read by people: neither JSON nor packed.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise SourceError(
            "the file cannot be read", where=str(path), why=error.strerror or str(error)
        ) from error
    return not head.startswith((*_PACKED, *_JSON))


def read_page(page: RulingPage) -> tuple[Ruling, ...]:
    """Return the rulings of a page, in its order; lines before the first bullet are none.

    Raises:
        SourceError: the file cannot be read, or has no bullet.
    """
    found: list[str] = []
    for line in read_source(page.path).text.splitlines():
        bullet = _BULLET.match(line)
        if bullet:
            found.append(line[bullet.end() :].strip())
        elif found and line.strip():
            found[-1] += "\n" + line.strip()
    if not found:
        raise SourceError(
            "the page has no ruling",
            where=str(page.path),
            why="no line begins with a bullet",
            hint="a ruling begins with * at a line's start",
        )
    return tuple(Ruling(text, (page.published,), page.path.name) for text in found)


def with_pages(cards: list[Card], pages: Iterable[RulingPage]) -> list[Card]:
    """Return the cards with the rulings of pages added; one that a card has stays one.

    Raises:
        SourceError: no card, or more than one, has the name that was told.
    """
    added: dict[int, tuple[Ruling, ...]] = {}
    for page in pages:
        key = name_key(page.card)
        found = [i for i, card in enumerate(cards) if key in _keys(card)]
        if len(found) != 1:
            raise SourceError(
                f"{'no card' if not found else 'more than one card'} is named {page.card!r}",
                where=str(page.path),
                hint="write the card's whole name, and name a card file that has it: --cards FILE",
            )
        added[found[0]] = (*added.get(found[0], ()), *read_page(page))
    return [
        replace(card, rulings=united_rulings((*card.rulings, *added[i]))) if i in added else card
        for i, card in enumerate(cards)
    ]


def _keys(card: Card) -> set[str]:
    return {name_key(name) for name in (card.name, *(face.name for face in card.faces))}
