"""What a release consists of: sections, rules, examples, terms, and the lines that are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from kb.records.numbers import RuleNumber


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of character offsets, from 0."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the characters that the span covers."""
        return text[self.start : self.end]


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
        edition = "" if self.edition == "official" else self.edition
        return "-".join(filter(None, (self.effective.isoformat(), edition, self.variant)))


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A release, read: every non-blank line of the source is in exactly one part of it."""

    release: Release
    sections: tuple[Section, ...]
    rules: tuple[Rule, ...]
    terms: tuple[Term, ...]
    blocks: tuple[Block, ...]
