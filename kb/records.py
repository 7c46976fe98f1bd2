"""Frozen values that pass between the rooms: what a release, read, consists of.

Numbers follow the rulebook's own form: chapter ``704``, rule ``704.5``, subrule ``704.5g``.
Subrule letters skip l and o, and z is followed by aa (the introduction of each release says
the first; chapters with long lists show the second).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

LETTERS = "abcdefghijkmnpqrstuvwxyz"
_NUMBER = re.compile(r"([1-9]\d\d)(?:\.(\d{1,3})([a-z]{0,2}))?")
_WRITTEN = re.compile(
    r"\s*(?:(?:cr|rules?|subrules?|chapter|comprehensive rules?)\s*:?\s*)?"
    r"([1-9]\d\d(?:\.\d{1,3}[a-z]{0,2})?)\.?\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of character offsets, from 0."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the characters that the span covers."""
        return text[self.start : self.end]


def letters_at(index: int) -> str:
    """Return the subrule letters at a position: 0 is a, 23 is z, 24 is aa."""
    if index < len(LETTERS):
        return LETTERS[index]
    first, second = divmod(index - len(LETTERS), len(LETTERS))
    return LETTERS[first] + LETTERS[second]


def letters_index(letters: str) -> int:
    """Return the position of subrule letters.

    Raises:
        ValueError: a letter is l or o, or no letter.
    """
    if len(letters) == 1:
        return LETTERS.index(letters)
    first, second = letters
    return len(LETTERS) * (1 + LETTERS.index(first)) + LETTERS.index(second)


@total_ordering
@dataclass(frozen=True, slots=True)
class RuleNumber:
    """The number of a chapter, rule or subrule, ordered as the rulebook orders them."""

    chapter: int
    rule: int | None = None
    letters: str = ""

    @classmethod
    def parse(cls, written: str) -> RuleNumber:
        """Read a number in its exact form.

        Raises:
            ValueError: it is no number of the rulebook's form.
        """
        match = _NUMBER.fullmatch(written)
        if match is None:
            raise ValueError(f"not a rule number: {written!r}")
        chapter, rule, letters = match.groups()
        return cls(int(chapter), int(rule) if rule else None, letters or "")

    @classmethod
    def understand(cls, written: str) -> RuleNumber:
        """Read a number as people write it: ``704.5g.``, ``CR 704.5g``, ``rule 704.5G``.

        Raises:
            ValueError: it is no rule number.
        """
        match = _WRITTEN.fullmatch(written)
        if match is None:
            raise ValueError(f"not a rule number: {written!r}")
        return cls.parse(match[1].lower())

    @property
    def kind(self) -> str:
        """``chapter``, ``rule`` or ``subrule``."""
        if self.rule is None:
            return "chapter"
        return "subrule" if self.letters else "rule"

    @property
    def section(self) -> int:
        """The section that the number lies in: 7 for 704.5g."""
        return self.chapter // 100

    @property
    def parent(self) -> RuleNumber | None:
        """The rule of a subrule, the chapter of a rule, None for a chapter."""
        if self.letters:
            return RuleNumber(self.chapter, self.rule)
        return None if self.rule is None else RuleNumber(self.chapter)

    @property
    def position(self) -> int:
        """The place among its siblings, counted from 1; 0 where the letters are l or o."""
        if self.letters:
            try:
                return letters_index(self.letters) + 1
            except ValueError:
                return 0
        return self.chapter if self.rule is None else self.rule

    def through(self, last: RuleNumber) -> Iterator[RuleNumber]:
        """Yield the numbers from this one to ``last``, siblings of one kind.

        Raises:
            ValueError: they are no siblings in ascending order.
        """
        if (self.kind, self.parent) != (last.kind, last.parent) or self.position > last.position:
            raise ValueError(f"no range: {self} to {last}")
        for position in range(self.position, last.position + 1):
            if self.letters:
                yield RuleNumber(self.chapter, self.rule, letters_at(position - 1))
            elif self.rule is not None:
                yield RuleNumber(self.chapter, position)
            else:
                yield RuleNumber(position)

    def __str__(self) -> str:
        return f"{self.chapter}" + ("" if self.rule is None else f".{self.rule}{self.letters}")

    def _key(self) -> tuple[int, int, int, str]:
        return (
            self.chapter,
            -1 if self.rule is None else self.rule,
            len(self.letters),
            self.letters,
        )

    def __lt__(self, other: RuleNumber) -> bool:
        return self._key() < other._key()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a source that is not as it should be, and where.

    ``line`` and ``column`` count from 1; ``excerpt`` is that line's text.
    """

    kind: str
    message: str
    line: int
    column: int
    excerpt: str = ""

    @property
    def fatal(self) -> bool:
        """Whether a build refuses the release for it."""
        return self.kind in FATAL

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.message} [{self.kind}]"


FATAL = frozenset({"truncated", "no-rules", "no-date"})


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: its text with spaces folded, and its span in the source."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Example:
    """An example under a rule: the paragraphs after the word that announces it."""

    paragraphs: tuple[Paragraph, ...]

    @property
    def text(self) -> str:
        """The example's text, a line a paragraph."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


@dataclass(frozen=True, slots=True)
class Section:
    """One of the rulebook's numbered parts: ``7. Additional Rules``."""

    number: int
    title: str
    paragraph: Paragraph


@dataclass(frozen=True, slots=True)
class Rule:
    """Anything numbered: a chapter, rule or subrule.

    ``title`` is the heading of a chapter, or of a rule that is only a heading; else None.
    """

    number: RuleNumber
    paragraphs: tuple[Paragraph, ...]
    examples: tuple[Example, ...] = ()
    title: str | None = None

    @property
    def text(self) -> str:
        """The rule's text, a line a paragraph; a heading's text is its title."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a term: its number (None where the term has one), text, spans."""

    number: int | None
    paragraphs: tuple[Paragraph, ...]
    obsolete: bool = False

    @property
    def text(self) -> str:
        """The sense's text, a line a paragraph."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


@dataclass(frozen=True, slots=True)
class Term:
    """A glossary entry: the heading as printed, the name without its mark, the senses."""

    heading: Paragraph
    name: str
    senses: tuple[Sense, ...]
    examples: tuple[Example, ...] = ()
    obsolete: bool = False

    @property
    def text(self) -> str:
        """All senses, a line a paragraph, numbers as printed."""
        return "\n".join(
            (f"{sense.number}. " if sense.number is not None else "") + sense.text
            for sense in self.senses
        )


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that are no record: front matter, contents, rulers, credits."""

    kind: str
    paragraph: Paragraph


@dataclass(frozen=True, slots=True)
class Release:
    """One published text: effective date, variant, digest, how it was encoded.

    ``edition`` is ``official``, or ``concise`` for the one that ships with mtgkb.
    """

    effective: date
    sha256: str
    encoding: str
    edition: str = "official"
    variant: str = ""
    title: str = ""

    @property
    def name(self) -> str:
        """The release's name: ``2026-06-19``, with a variant or edition behind it."""
        tail = self.variant if self.edition == "official" else self.edition
        return self.effective.isoformat() + (f"-{tail}" if tail else "")


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A release, read: every non-blank line of the source is in exactly one part of it."""

    release: Release
    sections: tuple[Section, ...]
    rules: tuple[Rule, ...]
    terms: tuple[Term, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence or citation stands: a rule or term, or its nth example (from 1).

    ``name`` is a rule number, or a term's slug.
    """

    kind: str
    name: str
    example: int = 0


@dataclass(frozen=True, slots=True)
class Citation:
    """A spot in a text that names rules or a section.

    ``span`` counts in the text of the place. ``numbers`` are the rules named, ranges
    expanded; a section is its digit. ``form`` is one of ``rule``, ``range``, ``section``,
    ``self``. ``title`` is the title quoted beside the number, as printed.
    """

    text: str
    span: Span
    numbers: tuple[str, ...]
    form: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A typed fact read off a sentence.

    ``kind`` and ``cue`` name the sentence form; ``subject`` and ``value`` are rule numbers,
    names or plain words, as the kind says (rules/vocabulary.ttl). ``quote`` is the sentence
    to the letter, and ``span`` where it stands in the text of the place.
    """

    kind: str
    subject: str
    value: str
    cue: str
    quote: str
    span: Span


@dataclass(frozen=True, slots=True)
class Reading:
    """A release read in full: the rulebook, and what was found in its texts."""

    rulebook: Rulebook
    citations: tuple[tuple[Place, Citation], ...] = ()
    statements: tuple[tuple[Place, Statement], ...] = ()
    problems: tuple[Problem, ...] = ()
