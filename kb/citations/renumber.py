"""A citation with other numbers, in the form in which it was written.

A range stays a range, with its dash and its abbreviations, where the new numbers follow each
other as the old ones did and none of another rule stands among them; letters that lean on a
number (``a and b``) stay where they still are of one rule and in order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kb.citations.find import pieces_of
from kb.records import RuleNumber

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LETTERS = re.compile(r"(.*?)([a-z]{1,2})(?:([–—-])([a-z]{1,2}))?")
_END = re.compile(r"(?:[1-9][\d.]*[a-z]{0,2}|[a-z]{1,2})$")
_RANGES = ("LETTER_RANGE", "NUMBER_RANGE", "SHORT_RANGE")


class NotKeptError(ValueError):
    """The new numbers cannot be written in the old form; the message says why."""


def renumbered(written: str, now: Mapping[str, str]) -> str:
    """Return a citation's text with new numbers.

    Args:
        written: the text of a citation as ``find_citations`` gives it.
        now: the new number of each number that it names.

    Raises:
        NotKeptError: its form cannot hold them.
    """
    pieces = pieces_of(written)
    if not pieces:
        raise NotKeptError(f"no citation of rules: {written!r}")
    parts: list[str] = []
    old: list[RuleNumber] = []
    for kind, text, added in pieces:
        new = [RuleNumber.parse(now[str(number)]) for number in (*old[-1:], *added)]
        if not added:
            parts.append(text)
        elif kind in _RANGES:
            _follow((*old[-1:], *added), new)
            parts.append(_ended(kind, text, new[-1]))
        elif kind == "LETTERS":
            _lean(added, new)
            parts.append(_lettered(text, new[1:]))
        else:
            parts.append(str(new[-1]))
        old += added
    return "".join(parts)


def _follow(old: Sequence[RuleNumber], new: Sequence[RuleNumber]) -> None:
    """Check that numbers follow each other, before and now."""
    for numbers in (old, new):
        try:
            through = list(numbers[0].through(numbers[-1]))
        except ValueError:
            through = []
        if through != list(numbers):
            raise NotKeptError(f"no range: it is {', '.join(map(str, new))} now")


def _lean(added: Sequence[RuleNumber], new: Sequence[RuleNumber]) -> None:
    """Check that letters are of the rule that they lean on, and in order; a range without gaps."""
    places = [number.position for number in new]
    one = len({number.parent for number in new}) == 1 and all(number.letters for number in new)
    if not one or places != sorted(set(places)):
        raise NotKeptError(f"no letters of one rule: it is {', '.join(map(str, new))} now")
    if len(added) > 1:
        _follow(added, new[1:])


def _ended(kind: str, text: str, last: RuleNumber) -> str:
    """Return a range's dash and end with another end."""
    short = {"LETTER_RANGE": last.letters, "SHORT_RANGE": str(last.rule)}
    return _END.sub(short.get(kind, str(last)), text)


def _lettered(text: str, new: Sequence[RuleNumber]) -> str:
    """Return letters of a list, or a range of them, with others in their place."""
    match = _LETTERS.fullmatch(text)
    if match is None:
        raise NotKeptError(f"no letters: {text}")
    before, _, dash, last = match.groups()
    return before + new[0].letters + (dash + new[-1].letters if last else "")
