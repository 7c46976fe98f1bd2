"""Where the parts of a rulebook lie, and which of its lines belong together.

A release has front matter, a body, a glossary and back matter; each heading, "Glossary" and
"Credits" occurs twice, in the contents and in the body. Until 2004 some releases are wrapped
at about 90 columns, where a wrapped line can begin with a rule number or with "Example".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.records import Span

_RULE = re.compile(r"[^\S\n]*[1-9]\d\d\.[^\S\n]?\d{1,3}(?![\d–-])")
_HEADING = re.compile(r"[^\S\n]*(?:([1-9])|[1-9]\d\d)\.[^\S\n]*[^\d\s]")
_RULER = re.compile(r"[^\S\n]*[-=_*]{5,}[^\S\n]*$")
_GLOSSARY = re.compile(r"\s*glossary\s*", re.IGNORECASE)
_BACK = re.compile(r"\s*(?:credits|index|copyrights?)\s*", re.IGNORECASE)
_EXAMPLE = re.compile(r"\s*(?:Examples?|EXAMPLES?):")
_SENSE = re.compile(r"\s*\d{1,2}\.\s+\S")
_SENTENCE_END = re.compile(r"[.!?:;][)\]\"”’']*\s*$")
_WIDEST_WRAPPED = 200
_FEWEST_WRAPPED = 30
_WRAPPED_WIDTH = 60


@dataclass(frozen=True, slots=True)
class Parts:
    """The spans of the four parts; a missing part is empty."""

    front: Span
    body: Span
    glossary: Span
    back: Span


def divide(canvas: str) -> Parts:
    r"""Find the parts of a text whose line ends are ``\\n``.

    The body begins at the headings above the first rule; the glossary at the last line
    "Glossary" after that; the back matter at the first "Credits", "Index" or "Copyrights"
    after the glossary (without one, after the last rule).
    """
    lines = _lines(canvas)
    rules = [i for i, line in enumerate(lines) if _RULE.match(line.of(canvas))]
    end = len(canvas)
    if not rules:
        return Parts(Span(0, end), Span(end, end), Span(end, end), Span(end, end))
    first = _above(canvas, lines, rules[0])
    glossaries = [
        i for i in range(rules[0], len(lines)) if _GLOSSARY.fullmatch(lines[i].of(canvas))
    ]
    after = glossaries[-1] if glossaries else rules[-1]
    backs = (i for i in range(after, len(lines)) if _BACK.fullmatch(lines[i].of(canvas)))
    back = next((lines[i].start for i in backs), end)
    glossary = lines[glossaries[-1]].start if glossaries else back
    body = lines[first].start
    return Parts(Span(0, body), Span(body, glossary), Span(glossary, back), Span(back, end))


def _above(canvas: str, lines: list[Span], rule: int) -> int:
    """Return the first line of the headings directly above a rule."""
    first, seen = rule, set()
    for i in range(rule - 1, -1, -1):
        line = lines[i].of(canvas)
        if not line.strip() or _RULER.match(line):
            continue
        heading = _HEADING.match(line)
        level = heading and bool(heading[1])
        if heading is None or level in seen or True in seen:
            break
        seen.add(level)
        first = i
    return first


def _lines(canvas: str) -> list[Span]:
    spans, start = [], 0
    for line in canvas.split("\n"):
        spans.append(Span(start, start + len(line)))
        start += len(line) + 1
    return spans


def unwrap(canvas: str, parts: Parts) -> str:
    """Join lines of one paragraph by writing a blank for each line end inside it.

    The text keeps its length, so that offsets stay true. A line separator (U+2028) inside a
    paragraph becomes a blank too, or a line end where an example, sense or rule follows it.
    """
    canvas = re.sub(
        r"[\u2028\u2029](?=([^\n]*))",
        lambda mark: "\n" if _begins(mark[1]) else " ",
        canvas,
    )
    lines = _lines(canvas)
    if not _is_wrapped(canvas, lines):
        return canvas
    joined = list(canvas)
    for i in range(1, len(lines)):
        before = lines[i - 2].of(canvas) if i > 1 else ""
        if not _starts(canvas, lines, i, before, parts):
            joined[lines[i].start - 1] = " "
    return "".join(joined)


def _begins(line: str) -> bool:
    return bool(_EXAMPLE.match(line) or _SENSE.match(line) or _RULE.match(line))


def _is_wrapped(canvas: str, lines: list[Span]) -> bool:
    widths = [line.end - line.start for line in lines if line.of(canvas).strip()]
    return (
        max(widths, default=0) < _WIDEST_WRAPPED
        and sum(width > _WRAPPED_WIDTH for width in widths) >= _FEWEST_WRAPPED
    )


def _starts(canvas: str, lines: list[Span], i: int, before: str, parts: Parts) -> bool:
    """Tell whether line i begins a paragraph of its own."""
    line, previous = lines[i].of(canvas), lines[i - 1].of(canvas)
    in_glossary = parts.glossary.start <= lines[i].start < parts.glossary.end
    is_after_heading = bool(_HEADING.match(previous)) and len(previous) < _WRAPPED_WIDTH
    is_after_term = in_glossary and not before.strip() and previous[:1].strip() != ""
    if (
        not (line.strip() and previous.strip())
        or _RULER.match(line)
        or _RULER.match(previous)
        or lines[i].start in (parts.body.start, parts.glossary.start, parts.back.start)
        or (lines[i].start < parts.body.start and _HEADING.match(line))
        or is_after_term
        or (is_after_heading and not in_glossary)
    ):
        return True
    if _EXAMPLE.match(line) or _RULE.match(line) or (in_glossary and _SENSE.match(line)):
        return bool(_SENTENCE_END.search(previous))
    return _indent(line) > _indent(previous) + 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
