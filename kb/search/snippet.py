"""The part of a text that fits a query best, with the words that fit marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MARK = "**"
"""Stands before and behind each word of a snippet that fits."""

_ROOM = 240
_CUT = "…"
# Sums of fractions that differ by less are equal.
_TINY = 1e-9


def snippet(
    text: str, weights: Mapping[str, float], held: Iterable[tuple[str, int, int]]
) -> tuple[str, tuple[str, ...]]:
    """Return the part of a text whose words weigh most, marked, and the words as written.

    ``held`` are the folded words of the text with their places, as ``placed`` gives them.
    """
    words = [(start, end, weights[word]) for word, start, end in held if word in weights]
    if not words:
        return _shortened(text, 0), ()
    first = 0 if len(text) <= _ROOM else _sentence(text, _densest(words))
    last = min(len(text), first + _ROOM)
    last = len(text) if last == len(text) else max(text.rfind(" ", first, last), first + 1)
    parts, at = [], first
    for start, end, _ in words:
        if first <= start and end <= last:
            parts += [text[at:start], MARK, text[start:end], MARK]
            at = end
    parts.append(text[at:last])
    marked = "".join(parts)
    head, tail = _CUT if first else "", _CUT if last < len(text) else ""
    written = dict.fromkeys(text[start:end].lower() for start, end, _ in words)
    return f"{head}{marked}{tail}", tuple(written)


def _densest(words: list[tuple[int, int, float]]) -> int:
    """Return where the words begin that weigh most and have room together; the first if equal."""
    best, begin, weight, last = 0.0, 0, 0.0, 0
    for first, (start, _, own) in enumerate(words):
        while last < len(words) and words[last][1] <= start + _ROOM:
            weight += words[last][2]
            last += 1
        if weight > best + _TINY:
            best, begin = weight, words[first][0]
        weight -= own
    return begin


def _sentence(text: str, begin: int) -> int:
    """Return where the sentence begins, if it is not far back; else the word itself."""
    start = text.rfind(". ", max(0, begin - _ROOM // 3), begin)
    if start >= 0:
        return start + 2
    return 0 if begin < _ROOM // 3 else begin


def _shortened(text: str, start: int) -> str:
    if len(text) - start <= _ROOM:
        return text[start:]
    return text[start : max(text.rfind(" ", start, start + _ROOM), start + 1)] + _CUT
