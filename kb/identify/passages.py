"""A text → its paragraphs: where each stands, and the rule number or label printed before it.

Bullets, comment marks and labels are no part of what a paragraph says. A number on a line of
its own belongs to the next line. Lines are joined where the text is hard-wrapped: where the
next line's first word would not have fitted.

What holds afterwards: paragraphs stand in the order of the text, none overlaps another, and
each non-blank line that is more than marks lies in one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from kb.identify.plain import Plain
from kb.records import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_NARROWEST, _WIDEST = 28, 130
"""A text with no line so long, or with a longer one, is not hard-wrapped."""

_WIDE, _MOSTLY, _NEARLY_ALL = 0.75, 0.6, 0.985
_SLACK = 4

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|$)")
_MARKS = re.compile(
    r"[^\S\r\n]*(?:(?://+[/!]?|#+|\|+|%+|(?P<comment>/\*+!?)|=+)(?:[^\S\r\n]+|$)|>+[^\S\r\n]*"
    r"|(?P<bullet>(?:[-–—+*]{1,3}|\d{1,2}[.)]|\((?:\d{1,2}|[a-z]|[ivx]{1,4})\)|[a-z]\))"
    r"(?:[^\S\r\n]+|$)|[:*#;]*[:;][:*#;]*[^\S\r\n]*|\*\*+(?=[A-Z])|[•·‣◦▪●○■□][^\S\r\n]*))*"
)
_NUMBER = re.compile(
    r"[*_`\[({“\"'§#]{0,4}[ ]?(?:(?:comprehensive |mtg )?(?:cr|rules?)[ :§#.-]{0,2})?"
    r"(?P<number>[1-9]\d\d(?:\.[ ]?\d{1,3}[a-zA-Z]{0,2})?)(?P<mark>[.:,;)\]}*_`”\"']{0,4})"
    r"(?=\s|$|(?<=[.:,;)\]])[A-Z“\"])",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\s*[*_]{0,2}examples?[*_]{0,2}\s*:[*_]{0,2}\s*", re.IGNORECASE)
_DASH = re.compile(r"\s*(?:[-–—:|]+\s+)?")
_SENTENCE_END = re.compile(r"[.!?:][)\]”\"’'*_]*$")
_SENTENCE_START = re.compile(r"[\"“(\[*_{]*[A-Z0-9{]")


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph.

    ``line`` is its first line (from 1), ``text`` it is to the letter, ``printed`` the number
    before it. ``said`` is the text without number, label, marks, markup and line ends;
    ``lines`` are where each line of it begins in ``said`` and in what the page shows.
    """

    line: int
    text: str
    printed: str | None
    said: str
    lines: tuple[tuple[int, int], ...]
    start: int
    plain: Plain

    @classmethod
    def of(cls, plain: Plain, group: list[_Line]) -> Passage:
        """Return the paragraph of some lines of a page."""
        first = group[0]
        said, lines = "", []
        for line in group:
            begin = line.body if line is first or first.is_bare else line.start
            if begin < line.end:
                said += " " if said else ""
                lines.append((len(said), begin))
                said += plain.text[begin : line.end]
        start = plain.start(first.start)
        whole = plain.page[start : plain.end(group[-1].end)]
        return cls(first.number, whole, first.printed, said, tuple(lines), start, plain)

    def span(self, start: int, end: int) -> Span:
        """Return where in the text a part of what is said stands."""
        first = self.plain.start(self._place(start)) - self.start
        return Span(first, self.plain.end(self._place(end - 1) + 1) - self.start)

    def _place(self, offset: int) -> int:
        line = bisect_right(self.lines, offset, key=lambda line: line[0]) - 1
        said, there = self.lines[line]
        return offset - said + there


@dataclass(slots=True)
class _Line:
    """A line that is not blank, marks aside: offsets in the input, and what it begins with."""

    number: int
    start: int
    end: int
    width: int
    follows_blank: bool
    bullet: bool
    printed: str | None
    body: int
    labelled: bool

    @property
    def is_bare(self) -> bool:
        """Whether it is a rule number and nothing else."""
        return self.printed is not None and self.body >= self.end


def passages(text: str) -> tuple[Passage, ...]:
    """Return the paragraphs of a text."""
    plain = Plain.of(text)
    return tuple(Passage.of(plain, group) for group in _groups(plain.text, list(_lines(plain))))


def _lines(plain: Plain) -> Iterator[_Line]:
    text = plain.text
    follows_blank, in_comment = True, False
    for match in _LINE.finditer(text):
        marks = _MARKS.match(text, match.start(1), match.end(1))
        start = marks.end() if marks else match.start(1)
        is_bullet = bool(marks and marks["bullet"])
        if in_comment and is_bullet:  # a star that every line of a comment begins with
            is_bullet = marks is not None and (marks["bullet"] or "").strip() != "*"
        in_comment = (in_comment or bool(marks and marks["comment"])) and "*/" not in match[1]
        line = text[start : match.end(1)].rstrip()
        if not line:
            follows_blank = True
            continue
        end = start + len(line)
        printed, body = _printed(text, start, end)
        label = _LABEL.match(text, body, end)
        yield _Line(
            plain.line(start),
            start,
            end,
            end - match.start(1),
            follows_blank,
            is_bullet,
            printed,
            label.end() if label else body,
            label is not None,
        )
        follows_blank = False


def _printed(text: str, start: int, end: int) -> tuple[str | None, int]:
    """Return the rule number that a line begins with, and where the words begin."""
    match = _NUMBER.match(text, start, end)
    if match is None:
        return None, start
    number = match["number"].replace(" ", "")
    if "." not in number and match.end() < end and "." not in match["mark"]:
        return None, start  # three digits that count something
    dash = _DASH.match(text, match.end(), end)
    return number, dash.end() if dash else match.end()


def _groups(text: str, lines: list[_Line]) -> Iterator[list[_Line]]:
    """Put together the lines of each paragraph."""
    whole = _Wrapping.of(lines)
    group: list[_Line] = []
    for block in _blocks(lines):
        wrapping = whole if whole.is_even else _Wrapping.of(block)
        for line in block:
            if group and _continues(text, group[-1], line, wrapping):
                group.append(line)
                continue
            if group:
                yield group
            group = [line]
    if group:
        yield group


def _blocks(lines: list[_Line]) -> Iterator[list[_Line]]:
    """Yield the lines between blank lines."""
    block: list[_Line] = []
    for line in lines:
        if line.follows_blank and block:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


@dataclass(frozen=True, slots=True)
class _Wrapping:
    """How wide lines are at most, and whether most that others follow are nearly that wide."""

    widest: int
    is_even: bool

    @classmethod
    def of(cls, lines: list[_Line]) -> _Wrapping:
        widths = sorted(line.width for line in lines)
        widest = widths[ceil(_NEARLY_ALL * (len(widths) - 1))] if widths else 0
        before = [above for above, line in pairwise(lines) if not line.follows_blank]
        wide = sum(line.width >= _WIDE * widest for line in before)
        is_wrapped = _NARROWEST <= widest <= _WIDEST
        return cls(widest, is_wrapped and wide > max(1, _MOSTLY * len(before)))

    def would_fit(self, above: _Line, word: str) -> bool:
        """Tell whether a word would have fitted behind the line above."""
        return above.width + 1 + len(word) + _SLACK <= self.widest


def _continues(text: str, above: _Line, line: _Line, wrapping: _Wrapping) -> bool:
    """Tell whether a line belongs to the paragraph of the line above."""
    if above.is_bare:
        return line.printed is None and line.number - above.number <= 2  # noqa: PLR2004 - one blank line
    if line.follows_blank or not _NARROWEST <= wrapping.widest <= _WIDEST:
        return False
    word = text[line.start : line.end].split(maxsplit=1)[0]
    is_open = not _SENTENCE_END.search(text[above.start : above.end])
    starts_small = not _SENTENCE_START.match(text, line.body, line.end)
    if line.printed is not None or line.labelled or line.bullet:
        is_mark = line.bullet and not above.bullet
        return is_open and starts_small and not is_mark and not wrapping.would_fit(above, word)
    if is_open:
        return starts_small or above.width >= _WIDE * wrapping.widest
    return wrapping.is_even and not wrapping.would_fit(above, word)
