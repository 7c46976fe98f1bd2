"""Releases as people write them: a date in many forms, a month, a year, “the last release”."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_NAMED = "|".join(f"{month}|{month[:4]}|{month[:3]}" for month in _MONTHS)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ABOUT = r"(?:\s+(?:rules?|releases?|versions?|editions?|texts?|cr|comprehensive rules))?"
_THE = (
    r"(?:\b(?:the\s+)?(?:releases?|versions?|editions?|rules)\s+(?:of|from|dated|as\s+of)\s+"
    r"(?:the\s+)?|\bthe\s+)?"
)
_FORMS = tuple(
    re.compile(_THE + form + r"\b" + _ABOUT + r"\b", re.IGNORECASE)
    for form in (
        rf"\b{_YEAR}[-/.](?P<month>\d\d?)[-/.](?P<day>\d\d?)(?:-(?P<letter>[a-z]))?",
        r"\b(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)",
        rf"\b(?P<day>\d\d?)\.\s?(?P<month>\d\d?)\.\s?{_YEAR}",
        rf"\b(?P<month>\d\d?)/(?P<day>\d\d?)/{_YEAR}",
        rf"\b(?P<name>{_NAMED})\.?\s+(?P<day>\d\d?)(?:st|nd|rd|th)?,?\s+{_YEAR}",
        rf"\b(?P<day>\d\d?)(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?P<name>{_NAMED})\.?,?\s+{_YEAR}",
        rf"\b(?P<name>{_NAMED})\.?,?\s+(?:of\s+)?{_YEAR}",
        rf"\b{_YEAR}[-/](?P<month>\d\d)",
        rf"(?<![\d.-])\b{_YEAR}(?![\d.-]\d)",
    )
)
_ORDERED = re.compile(
    r"\bthe\s+(?:very\s+)?(?P<which>first|earliest|oldest|previous|prior|preceding|penultimate|last"
    r"|latest|newest|most\s+recent|current)\s+(?:rules\s+|published\s+)?"
    r"(?:release|version|edition|update)\b|\b(?P<now>the\s+current\s+rules|the\s+newest\s+rules"
    r"|the\s+latest\s+rules|today's\s+rules)\b",
    re.IGNORECASE,
)
_LAST_TWO = re.compile(
    r"\bthe\s+(?:last|latest|newest|most\s+recent)?\s*two\s+(?:most\s+recent\s+|last\s+|latest\s+)?"
    r"(releases|versions|editions|updates)\b",
    re.IGNORECASE,
)
_FIRST = frozenset({"first", "earliest", "oldest"})
_BEFORE = frozenset({"previous", "prior", "preceding", "penultimate"})
_DECEMBER, _LAST_DAY = 12, 31


@dataclass(frozen=True, slots=True)
class Dated:
    """Where in a text a release stands, and its name."""

    start: int
    end: int
    release: str


def releases_in(
    text: str, names: Sequence[str], published: Sequence[str] = ()
) -> tuple[Dated, ...]:
    """Return the releases that a text names, in order.

    A day, month or year on which none was published means the one that was in force at its end.

    Args:
        text: free words.
        names: the releases there are, oldest first: dates, some with a letter behind.
        published: the dates of all releases: one of them is that release, there or not.
    """
    found: list[Dated] = []
    for start, end, name in [*_dated(text, names, published), *_ordered(text, names)]:
        if all(end <= other.start or other.end <= start for other in found):
            found.append(Dated(start, end, name))
    return tuple(sorted(found, key=lambda one: one.start))


def _dated(
    text: str, names: Sequence[str], published: Sequence[str]
) -> Iterator[tuple[int, int, str]]:
    for form in _FORMS:
        for match in form.finditer(text):
            parts = match.groupdict()
            month = parts.get("month") or _month(parts.get("name")) or _DECEMBER
            day = parts.get("day") or _LAST_DAY
            if not 1 <= int(month) <= _DECEMBER or not 1 <= int(day) <= _LAST_DAY:
                continue
            date = f"{parts['year']}-{int(month):02}-{int(day):02}"
            letter = f"-{parts['letter']}" if parts.get("letter") else "-~"
            known = [name for name in names if name <= date + letter]
            is_known = bool(known) and known[-1].startswith(date)
            is_meant = is_known or (date not in published and known)
            yield match.start(), match.end(), known[-1] if is_meant else date


def _month(name: str | None) -> int | None:
    if name is None:
        return None
    return next(at for at, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()))


def _ordered(text: str, names: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    for match in _LAST_TWO.finditer(text) if len(names) > 1 else ():
        yield match.start(), match.start(1), names[-2]
        yield match.start(1), match.end(), names[-1]
    for match in _ORDERED.finditer(text):
        if names:
            which = (match["which"] or "latest").lower()
            at = 0 if which in _FIRST else -2 if which in _BEFORE and len(names) > 1 else -1
            yield match.start(), match.end(), names[at]
