"""A spell-checker for rule numbers: what the citations in a text mean, and where that is now."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.citations import NotKeptError, find_citations, folded_title, renumbered
from kb.knowledge.fitting import NEAR, Fitting, rule_of
from kb.knowledge.renumbering import Renumbering

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kb.knowledge.base import KnowledgeBase
    from kb.knowledge.fitting import Surroundings
    from kb.records import Citation

FINE, MISSING, MOVED, EDITED, GONE, SUSPECT = (
    "fine",
    "missing",
    "moved",
    "edited",
    "gone",
    "suspect",
)
_DECIMAL = re.compile(r"\d+\.\d+")
_CONTEXT = 400  # as far as the longest list of citations is read
_CLOSING = re.compile(r"[)\]]")
_JOINER = re.compile(r"[^\w.\r\n]{0,6}(?:(?:and|or|to|see|also|vs) +){0,3}", re.IGNORECASE)
_IGNORE = "mtgkb: ignore"


@dataclass(frozen=True, slots=True)
class Checked:
    """A citation found in a text: where it stands, what it names, and how that is.

    ``line`` and ``column`` count from 1, ``start`` and ``end`` are offsets in the text.
    ``now`` has the numbers of today, None for one that is gone or missing. ``suggestion`` is
    the citation with the new numbers where they are certain, or, if it is suspect, what it
    fits better; ``reason`` says why a moved one has none.
    """

    line: int
    column: int
    start: int
    end: int
    string: str
    rules: tuple[str, ...]
    status: str
    now: tuple[str | None, ...] = ()
    suggestion: str | None = None
    reason: str | None = None

    @property
    def certain(self) -> bool:
        """Whether the suggestion may be written in its place."""
        return self.status == MOVED and self.suggestion is not None


@dataclass(frozen=True)
class Speller:
    """The numbers of a release, where each rule is in another one, and what they are about."""

    numbers: Renumbering
    titles: Mapping[str, str]
    fitting: Fitting

    @classmethod
    def of(cls, kb: KnowledgeBase, old: str = "latest", new: str = "latest") -> Speller:
        """Return the speller from one release to another; the newest if left out.

        Raises:
            NotFoundError: there is no such release, or the history has it not.
        """
        numbers = Renumbering.of(kb, old, new)
        fitting = Fitting.of(numbers.texts)
        titles = {folded_title(title): number for number, title in fitting.titles.items()}
        return cls(numbers, titles, fitting)

    def check(self, text: str) -> Iterator[Checked]:
        """Yield each citation in a text with how it is.

        Sections are left out, and what stands on a line with ``mtgkb: ignore``; so is a bare
        decimal number that could be no rule's.
        """
        lines = _Lines(text)
        done = 0
        lists = list(_lists(text, find_citations(text, sections=False)))
        nexts = [*(listed[0].span.start for listed in lists[1:]), len(text)]
        for listed, following in zip(lists, nexts, strict=False):
            start, end = listed[0].span.start, listed[-1].span.end
            begins = start - lines.place(start)[1] + 1
            last = min(lines.end(end), following)
            words = _Words(text, max(begins, done), start, end, last)
            done = end
            named = not all(_DECIMAL.fullmatch(one.text) for one in listed)
            if not named and not self._may_be_rule(listed[0]):
                continue
            if lines.ignoring and _IGNORE in text[begins : lines.end(end)]:
                continue
            numbers = [number for one in listed for number in one.numbers]
            around = self.fitting.around(numbers, words.before, words.after)
            for one in listed:
                better = self._better(one, around)
                yield self._checked(one, lines.place(one.span.start), better, text, named=named)

    def _may_be_rule(self, citation: Citation) -> bool:
        """Tell whether a decimal number could be a rule's: of a chapter, and counted from 1."""
        chapter, _, rule = citation.numbers[0].partition(".")
        return chapter in self.numbers.texts and not rule.startswith("0")

    def _checked(
        self,
        citation: Citation,
        place: tuple[int, int],
        better: str | None,
        text: str,
        *,
        named: bool,
    ) -> Checked:
        now = tuple(self.numbers.now(number) for number in citation.numbers)
        status = self._status(citation, now, better)
        suggestion, reason = None, None
        if status == MOVED:
            suggestion, reason = self._moved(citation, now, text, named=named)
        elif status == SUSPECT and better is not None:
            suggestion = self._suspected(citation, better)
        return Checked(
            *place,
            citation.span.start,
            citation.span.end,
            citation.text,
            citation.numbers,
            status,
            now,
            suggestion,
            reason,
        )

    def _status(self, citation: Citation, now: tuple[str | None, ...], better: str | None) -> str:
        if any(number not in self.numbers.texts for number in citation.numbers):
            return MISSING
        if better is not None:
            return SUSPECT
        if None in now:
            return GONE
        if now != citation.numbers:
            return MOVED
        return EDITED if not self.numbers.edited.isdisjoint(citation.numbers) else FINE

    def _better(self, citation: Citation, around: Surroundings) -> str | None:
        """Return the rule that the quoted title or the words around its list fit better."""
        if citation.title is not None:
            return self._titled(citation)
        if len(citation.numbers) != 1:
            return None
        return self.fitting.better(citation.numbers[0], around)

    def _titled(self, citation: Citation) -> str | None:
        """Return the rule that a quoted title belongs to, if none of the cited has it."""
        title = folded_title(citation.title or "")
        owner = self.titles.get(title)
        cited = {whole for number in citation.numbers for whole in (number, rule_of(number))}
        cited |= {number.partition(".")[0] for number in cited}
        own = {folded_title(self.fitting.titles.get(number, "")) for number in cited}
        return None if owner in cited or title in own else owner

    def _moved(
        self, citation: Citation, now: tuple[str | None, ...], text: str, *, named: bool
    ) -> tuple[str | None, str | None]:
        """Return the citation with its new numbers, or None and why they are not certain."""
        new = {old: number for old, number in zip(citation.numbers, now, strict=True) if number}
        unsure = [f"{n} (now {new[n]}?)" for n in citation.numbers if n in self.numbers.unsure]
        if unsure:
            return None, f"reworded so much that it may be another rule: {', '.join(unsure)}"
        if not named:
            return None, f"may be no rule's number, but a decimal; the rule is {now[0]} now"
        try:
            written = renumbered(citation.text, new)
        except NotKeptError as error:
            return None, str(error)
        if not _reads(text, citation, written, list(new.values())):
            return None, f"{written} would be read as something else there"
        return written, None

    def _suspected(self, citation: Citation, better: str) -> str | None:
        """Return a citation of one number with the rule that fits it better."""
        right = self.numbers.now(better)
        if right is None or len(citation.numbers) != 1:
            return None
        return renumbered(citation.text, {citation.numbers[0]: right})


class _Lines:
    """Lines and columns of places in a text, asked for in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._newline = "\n" if "\n" in text else "\r"
        self._line, self._begins, self._done = 1, 0, 0
        self.ignoring = _IGNORE in text

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, both from 1, of an offset that is not before the last one."""
        if passed := self._text.count(self._newline, self._done, offset):
            self._line += passed
            self._begins = self._text.rfind(self._newline, self._done, offset) + 1
        self._done = offset
        return self._line, offset - self._begins + 1

    def end(self, offset: int) -> int:
        """Return where the line of an offset ends, or as much of it as is of interest."""
        end = self._text.find(self._newline, offset, offset + _CONTEXT)
        return min(offset + _CONTEXT, len(self._text)) if end < 0 else end


@dataclass(frozen=True, slots=True)
class _Words:
    """What stands around a list of citations, from ``first`` on and before ``last``."""

    text: str
    first: int
    start: int
    end: int
    last: int

    @property
    def before(self) -> str:
        return self.text[max(self.first, self.start - NEAR - 1) : self.start]

    @property
    def after(self) -> str:
        """The words behind it; in brackets, up to the closing one."""
        words = self.text[self.end : min(self.last, self.end + NEAR + 1)]
        first = max(self.first, self.start - _CONTEXT)
        opened, closed = (
            max(self.text.rfind(mark, first, self.start) for mark in marks)
            for marks in ("([", ")]")
        )
        return _CLOSING.split(words, maxsplit=1)[0] if opened > closed else words


def _lists(text: str, citations: Sequence[Citation]) -> Iterator[list[Citation]]:
    """Yield citations that only commas, slashes, "and" and the like part, together."""
    listed: list[Citation] = []
    for citation in citations:
        start = citation.span.start
        if listed and not _JOINER.fullmatch(text, listed[-1].span.end, start):
            yield listed
            listed = []
        listed.append(citation)
    if listed:
        yield listed


def _reads(text: str, citation: Citation, written: str, numbers: list[str]) -> bool:
    """Tell whether a rewritten citation is read as what it is meant to be, where it stands."""
    start, end = citation.span.start, citation.span.end
    first = max(0, start - _CONTEXT) if citation.text.isdecimal() else start  # a chapter in a list
    window = text[first:start] + written + text[end : end + NEAR]
    return any(
        found.span.start == start - first
        and found.text == written
        and found.numbers == tuple(numbers)
        for found in find_citations(window, sections=False)
    )
