"""A text → its words, folded as wordings are, with the place of each.

What holds afterwards: words stand in the order of the text, none overlaps another; a
reference is one REFERENCE for each number that it names, whatever the number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from kb.citations import find_citations
from kb.editions.wording import REFERENCE, wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.records import Citation

_CHUNK = re.compile(r"\S+")
# A dash parts words, and so does a hyphen, which stands for a dash in old texts; a sign doesn't.
_PART = re.compile(r"(?:(?!--|—|(?<=\w)[-–−‑](?=\w)).)+")
_MARK = re.compile(r"[^\w\s—{}/+-]")
_MAYBE_CITED = re.compile(r"\d{3}|section", re.IGNORECASE)  # what every reference has
_CLAUSE_END = re.compile(
    r"[.!?:;…][)\]”\"’'*_]*\s*$|[”\"][)\]*_,]*\s*$|—\s*$|\s(?:--?|–)\s+$|\n\s*\n\s*$"
)
_QUOTE_START = re.compile(r"[(\[]*[“\"]")
_BRACKETS = "()[]<>!?…*•|`"


@dataclass(slots=True)
class Tokens:
    """Words with their places.

    ``references`` are the place of a word → the number that is named, and the title beside it.
    """

    keys: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    references: dict[int, tuple[str, str | None]] = field(default_factory=dict)


def tokens(text: str) -> Tokens:
    """Return the words of a text with their places."""
    found = Tokens()
    for start, end, citation in _parts(text):
        for number in citation.numbers if citation else ():
            found.references[len(found.keys)] = (number, citation.title if citation else None)
            _put(found, REFERENCE, *_with_marks(text, start, end, found))
        for chunk in () if citation else _CHUNK.finditer(text, start, end):
            for word, first, last in _words(chunk.group()):
                _put(found, word, chunk.start() + first, chunk.start() + last)
    return found


def keys(text: str) -> list[str]:
    """Return the words alone."""
    found = []
    for start, end, citation in _parts(text):
        if citation:
            found += [REFERENCE] * len(citation.numbers)
        else:
            found += [word for chunk in text[start:end].split() for word, _, _ in _words(chunk)]
    return found


def clauses(text: str, words: Tokens) -> list[tuple[int, int]]:
    """Return where sentences, clauses and quoted words begin and end, counted in words."""
    cuts, last = [0], len(words.keys)
    for place in range(1, last):
        before = text[words.starts[place - 1] : words.starts[place]]
        if words.starts[place] == words.starts[place - 1]:
            continue  # numbers of one reference
        if _CLAUSE_END.search(before) or _QUOTE_START.match(text, words.starts[place]):
            cuts.append(place)
    return list(zip(cuts, [*cuts[1:], last], strict=True)) if last else []


def _parts(text: str) -> Iterator[tuple[int, int, Citation | None]]:
    """Yield the references, and what stands between them with None."""
    position = 0
    for citation in find_citations(text) if _MAYBE_CITED.search(text) else ():
        if citation.form != "self":
            yield position, citation.span.start, None
            yield citation.span.start, citation.span.end, citation
            position = citation.span.end
    yield position, len(text), None


def _with_marks(text: str, start: int, end: int, found: Tokens) -> tuple[int, int]:
    """Return where a reference stands with its brackets and stops, as other words have theirs."""
    if found.ends and found.ends[-1] >= end:
        return found.starts[-1], found.ends[-1]  # a further number of one reference
    least = found.ends[-1] if found.ends else 0
    while start > least and _MARK.match(text, start - 1):
        start -= 1
    while _MARK.match(text, end):
        end += 1
    return start, end


def _put(found: Tokens, key: str, start: int, end: int) -> None:
    found.keys.append(key)
    found.starts.append(start)
    found.ends.append(end)


@lru_cache(maxsize=200_000)
def _words(chunk: str) -> tuple[tuple[str, int, int], ...]:
    """Return the words of what stands between two spaces as they are compared, and where."""
    return tuple(
        (word, part.start(), part.end())
        for part in _PART.finditer(chunk)
        if (word := _folded(part.group()))
    )


def _folded(word: str) -> str:
    """Return a word without what is no part of it; nothing for a mark that is no word."""
    folded = wording(word).text.strip(_BRACKETS).rstrip("-").strip()
    return folded if any(c.isalnum() or c == REFERENCE for c in folded) else ""
