"""What is found in a release's texts: problems, citations, statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.records.text import Rulebook, Span


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
    to the letter, and ``span`` where it stands in the text of the place. ``scope`` is the
    variant that it holds in, or what kind of part it counts; nothing where it holds always.
    """

    kind: str
    subject: str
    value: str
    cue: str
    quote: str
    span: Span
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A release read in full: the rulebook, and what was found in its texts."""

    rulebook: Rulebook
    citations: tuple[tuple[Place, Citation], ...] = ()
    statements: tuple[tuple[Place, Statement], ...] = ()
    problems: tuple[Problem, ...] = ()
