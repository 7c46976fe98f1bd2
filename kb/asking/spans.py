"""What in a text may fill a parameter: rule numbers, releases, names of cards, keywords, terms.

A number or a date is what it is, whatever is asked; a word may be a card's name, a keyword and
a term, or just a word. So names are *candidates*: `choose` tries what each question makes of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kb.asking.dates import releases_in
from kb.asking.words import said
from kb.citations import find_citations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kb.asking.words import Token

RULE, RELEASE, CARD, KEYWORD = "rule", "release", "card", "keyword"
TERM, ENTRY, TYPE = "term", "entry", "type"
PLACES = {
    RULE: "{rule}",
    RELEASE: "{release}",
    CARD: "{card}",
    KEYWORD: "{keyword}",
    TERM: "{term}",
    ENTRY: "{term}",
    TYPE: "{type}",
}
"""What stands in a phrase where a value of each kind may stand."""
KIND_OF = {
    "RuleNumber": RULE,
    "Number": RULE,
    "Release": RELEASE,
    "Card": CARD,
    "CardName": CARD,
    "Keyword": KEYWORD,
    "Concept": TERM,
    "Words": ENTRY,
    "Term": ENTRY,
    "Name": TYPE,
}
"""What a parameter of each type takes."""

_NUMBER = re.compile(r"(?<![\w.$€£/%-])([1-9]\d\d(?:\.\d{1,3}[a-z]{0,2})?)(?![\w%/]|[.-]\d)")
_SECTION = re.compile(r"\bsection\s+([1-9])\b(?!\.\d)", re.IGNORECASE)
_ENTRY = re.compile(r"\bglossary:([A-Za-z][\w ’',/-]*)")
_QUOTED = re.compile(r"[“\"„«]([^“”\"„«»]+)[”\"“»]|(?<!\w)[‘']([^‘’']+)[’'](?!\w)")
_LONGEST_NAME = 12
# In a name of so many words at most, a comma or an apostrophe that is left out is tried.
_MOST_RESTORED = 7


class Names(Protocol):
    """The names that a knowledge base knows."""

    @property
    def releases(self) -> Sequence[str]:
        """The releases of the history, oldest first."""

    @property
    def published(self) -> Sequence[str]:
        """The dates of all releases that were ever published."""

    def card(self, written: str) -> str | None:
        """Return the card that has a name, whole."""

    def keyword(self, written: str) -> str | None:
        """Return the keyword that is meant."""

    def term(self, written: str) -> str | None:
        """Return the term, or other concept, that is meant."""

    def entry(self, written: str) -> str | None:
        """Return the glossary entry, of today or of the past, that has a name."""

    def type(self, written: str) -> str | None:
        """Return the type, one that has subtypes, that is meant."""

    def answer(self, question: str) -> frozenset[str]:
        """Return the folded words that tell the rows of a question's answer apart."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Words of a text that may be the value of a parameter; ``first`` to ``last`` are tokens.

    ``is_sure``: it is one whatever is asked (a number, a date, words in quotes).
    ``is_strange``: no name that is known, only words that a question does not account for.
    """

    kind: str
    first: int
    last: int
    value: str
    is_sure: bool = False
    is_strange: bool = False


def candidates(text: str, words: Sequence[Token], names: Names) -> tuple[Candidate, ...]:
    """Return everything in a text that may fill a parameter."""
    sure = [*_sure(text, words, names)]
    taken = {at for one in sure for at in range(one.first, one.last)}
    maybe = [*_named(text, words, names, taken)]
    return (*sure, *_quoted(text, words, maybe), *maybe)


def _sure(text: str, words: Sequence[Token], names: Names) -> Iterator[Candidate]:
    done: list[tuple[int, int]] = []
    for dated in releases_in(text, names.releases, names.published):
        done.append((dated.start, dated.end))
        yield from _spanning(RELEASE, dated.start, dated.end, dated.release, words)
    for start, end, number in _numbers(text, names):
        if all(end <= s or e <= start for s, e in done):
            done.append((start, end))
            yield from _spanning(RULE, start, end, number, words)


def _numbers(text: str, names: Names) -> Iterator[tuple[int, int, str]]:
    for match in _ENTRY.finditer(text):
        name, end = match[1], match.end()
        while names.entry(name) is None and " " in name:
            name, end = name.rpartition(" ")[0], match.start(1) + name.rindex(" ")
        yield match.start(), end, f"glossary:{name}"
    for citation in find_citations(text):
        if len(citation.numbers) == 1:
            yield citation.span.start, citation.span.end, citation.numbers[0]
    for form in (_NUMBER, _SECTION):
        for match in form.finditer(text):
            yield match.start(), match.end(), match[1]


def _spanning(
    kind: str, start: int, end: int, value: str, words: Sequence[Token]
) -> Iterator[Candidate]:
    """Yield a candidate for a part of a text, in tokens."""
    within = [at for at, word in enumerate(words) if word.start < end and start < word.end]
    if within:
        yield Candidate(kind, within[0], within[-1] + 1, value, is_sure=True)


def _named(text: str, words: Sequence[Token], names: Names, taken: set[int]) -> Iterator[Candidate]:
    """Yield what the knowledge base has a name for, the longest names alone."""
    lookups = (
        (CARD, names.card),
        (KEYWORD, names.keyword),
        (TERM, names.term),
        (ENTRY, names.entry),
        (TYPE, names.type),
    )
    nothing = said().nothing
    for kind, lookup in lookups:
        found: list[tuple[int, int]] = []
        for length in range(min(_LONGEST_NAME, len(words)), 0, -1):
            for first in range(len(words) - length + 1):
                last = first + length
                if taken & {*range(first, last)} or any(s <= first and last <= e for s, e in found):
                    continue
                if all(one.small in nothing for one in words[first:last]):
                    continue
                forms = _forms(text, words[first:last], is_card=kind == CARD)
                value = next(filter(None, map(lookup, forms)), None)
                if value is not None:
                    found.append((first, last))
                    yield Candidate(kind, first, last, value)


def _forms(text: str, words: Sequence[Token], *, is_card: bool) -> Iterator[str]:
    """Yield the forms of a name that words may be: as written, or without its small marks."""
    first, last = words[0], words[-1]
    written = text[first.start : last.end]
    yield written
    if not is_card:
        return
    if text[last.end : last.end + 1] in ("!", "?"):
        yield written + text[last.end]
    parts = written.split(" ")
    if len(parts) != len(words) or not 1 < len(parts) <= _MOST_RESTORED:
        return
    for at, part in enumerate(parts):
        if part.endswith("s") and "'" not in part:
            yield " ".join((*parts[:at], f"{part[:-1]}'s", *parts[at + 1 :]))
        if at:
            yield f"{' '.join(parts[:at])}, {' '.join(parts[at:])}"


def _quoted(text: str, words: Sequence[Token], maybe: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield what stands in quotes: a name of any kind, surely meant as such."""
    for match in _QUOTED.finditer(text):
        for one in _spanning(TERM, *match.span(), match[1] or match[2], words):
            known = {m.kind: m.value for m in maybe if (m.first, m.last) == (one.first, one.last)}
            for kind in (CARD, KEYWORD, TERM, ENTRY):
                value, is_sure = known.get(kind, one.value), kind in known or kind == TERM
                yield Candidate(kind, one.first, one.last, value, is_sure, not is_sure)
