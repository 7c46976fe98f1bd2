"""Cards, their faces, their abilities, and rulings on them.

Identity is the oracle id, which all printings of a card share; a name is no key (several
cards share one, a reversible card has two).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from kb.records.text import Span


@dataclass(frozen=True, slots=True)
class KeywordUse:
    """A keyword on a card: its name in small letters, and what follows it as printed.

    ``Equip {2}`` is ``equip`` with ``{2}``; ``Protection from red and from blue`` is
    ``protection`` with ``from red`` and again with ``from blue``; ``Flying`` has None.
    """

    name: str
    parameter: str | None = None


@dataclass(frozen=True, slots=True)
class Ability:
    """A paragraph of oracle text, typed.

    ``kind`` is one of ``keywords``, ``activated``, ``triggered``, ``static``, ``spell``,
    ``loyalty``, ``chapter``, ``mode``, ``level``, ``reminder``, and ``plain`` where the
    grammar does not know the form. ``text`` is the paragraph to the letter and ``span``
    where it stands in the face's text. ``word`` is an ability word or flavor word before a
    dash; ``cost`` what stands before a colon (a loyalty symbol, chapter numbers, a level);
    ``effect`` the rest; ``reminder`` each text in brackets that reminds.
    """

    kind: str
    text: str
    span: Span
    keywords: tuple[KeywordUse, ...] = ()
    word: str | None = None
    cost: str | None = None
    effect: str | None = None
    reminder: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Face:
    """One face (or half) of a card, each value as printed; what a face lacks is None or empty.

    ``type_line`` is split at the dash: ``supertypes``, ``types``, ``subtypes``.
    """

    name: str
    type_line: str = ""
    supertypes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    mana_cost: str | None = None
    text: str = ""
    colors: tuple[str, ...] = ()
    color_indicator: tuple[str, ...] = ()
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None
    hand: str | None = None
    life: str | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling: its text to the letter, every date it bears (ascending), and who published it."""

    text: str
    dates: tuple[date, ...]
    source: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A card with its faces and rulings.

    ``mana_value`` is a number as text (``0.5`` exists). ``names`` are (language tag of
    BCP 47, name). ``keywords`` are those that the file itself lists.
    """

    name: str
    oracle_id: str | None
    layout: str
    faces: tuple[Face, ...]
    mana_value: str = "0"
    color_identity: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    legalities: tuple[tuple[str, str], ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    rulings: tuple[Ruling, ...] = ()
