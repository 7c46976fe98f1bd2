"""What goes in and what comes out: texts that are known, and the matches of a paragraph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.records import Span

RULE, TERM, EXAMPLE, RULING = "rule", "term", "example", "ruling"
EXACT, EDITED, CUT, PART = "exact", "edited", "cut", "part"


@dataclass(frozen=True, slots=True)
class Known:
    """A text that a paragraph may quote, as it stood under one name.

    ``kind`` is ``rule``, ``term``, ``example`` or ``ruling``; ``id`` a rule number, a term's
    name, ``704.5 example 1``, or a card and a date. A wording that stood under several numbers
    is one Known a number. ``release`` is the newest release (or date) in which the text stood
    under that name, ``since`` the first, ``until`` the last or None while it still stands.
    ``now`` is where that rule is in the newest release (id, release, text), None if it is gone.
    ``identity`` names the rule itself through all releases; where it is empty, two texts are
    taken for one rule's if they are the same rule now, or stood one after the other.
    """

    kind: str
    id: str
    release: str
    since: str | None
    until: str | None
    text: str
    now: tuple[str, str, str] | None = None
    identity: str = ""


def family(known: Known) -> str:
    """Return what a page quotes several texts of: a ruling's card, a rule's chapter."""
    if known.kind == RULING:
        return known.id.rpartition(", ")[0]
    return (known.now[0] if known.now else known.id).partition(".")[0]


@dataclass(frozen=True, slots=True)
class Match:
    """A rule, term, example or ruling that a paragraph quotes.

    ``match`` is ``exact``; ``edited``; ``cut`` (its beginning); or ``part`` (a part of it, or
    beside other text). ``score`` says how well the words agree that are quoted, 1 if to the
    letter. ``id`` and ``release`` name it where the wording stood last; under the printed
    number, if it ever had that one. ``since`` and ``until`` are the wording's first and last
    release, whatever its number. ``difference`` is empty if exact, else pairs of ``=``, ``-``
    (only in the known text) or ``+`` (only in the paragraph) and words. ``span`` is the part
    of the paragraph's text that quotes. ``printed`` is the number or term that the paragraph
    bears, ``printed_fits`` whether the wording ever stood under it, None if none is printed.
    ``astray`` are references that don't lead to what the rule refers to: the number as
    printed, and the number in the newest release of what is meant.
    """

    kind: str
    id: str
    release: str
    match: str
    score: float
    since: str | None
    until: str | None
    now: tuple[str, str, str] | None
    difference: tuple[tuple[str, str], ...]
    span: Span
    printed: str | None = None
    printed_fits: bool | None = None
    astray: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ParagraphMatches:
    """A paragraph of the input, to the letter, and what it quotes, best first.

    ``line`` is its first line in the input, from 1; ``printed`` the rule number before it;
    ``more`` how many matches there are beside these, as good as the last of them.
    """

    line: int
    text: str
    matches: tuple[Match, ...] = ()
    printed: str | None = None
    more: int = 0
