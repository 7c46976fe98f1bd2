"""A rule's text → its wording: what two releases are compared by.

Typography is no wording, nor is the number in a reference: a reference that was only
renumbered names the same rule as before.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from kb.citations import find_citations

REFERENCE = "§"
_FOLDED = str.maketrans(
    {**dict.fromkeys("’‘`´", "'"), **dict.fromkeys("“”„", '"'), **dict.fromkeys("–—−‑", "-")}
)
_MARKS = re.compile(r"\((?:R|TM)\)|[®™]|_(?=\w)|(?<=\w)_", re.IGNORECASE)
_DASHES = re.compile(r"\s*-+\s*")
_EDGES = re.compile(r"[\s.,;:\"']+")


@dataclass(frozen=True, slots=True)
class Wording:
    """``text`` is folded, with REFERENCE for each number that ``references`` has, in order."""

    text: str
    references: tuple[str, ...] = ()


def wording(text: str) -> Wording:
    """Return the wording of a rule's text; examples are no part of it."""
    pieces: list[str] = []
    references: list[str] = []
    end = 0
    for citation in find_citations(text):
        if citation.form != "self":
            start = citation.span.start
            pieces += [text[end:start], REFERENCE * len(citation.numbers)]
            references += citation.numbers
            end = citation.span.end
    pieces.append(text[end:])
    return Wording(_fold("".join(pieces)), tuple(references))


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKC", _MARKS.sub("", text)).translate(_FOLDED)
    plain = _DASHES.sub("-", plain).casefold()
    return _EDGES.sub(" ", plain).strip()
