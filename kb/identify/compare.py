"""Words against words: how much of a paragraph a known text accounts for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

if TYPE_CHECKING:
    from kb.identify.index import Entry, Index

_TOGETHER = 2  # words; one alone agrees by chance
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph's words as the index encodes them.

    ``clauses`` are where each begins and ends, counted in words; ``sums`` what the first so
    many words weigh.
    """

    letters: str
    clauses: tuple[tuple[int, int], ...]
    sums: tuple[float, ...]

    @classmethod
    def of(cls, letters: str, clauses: tuple[tuple[int, int], ...], index: Index) -> Words:
        """Return the words with what they weigh in an index."""
        return cls(letters, clauses, (0.0, *accumulate(index.weigh(letters))))

    def part(self, start: int, end: int, index: Index) -> Words:
        """Return some of the words; they begin and end where a clause does."""
        cut = tuple((a - start, b - start) for a, b in self.clauses if start <= a and b <= end)
        return Words.of(self.letters[start:end], cut, index)

    def weight(self, start: int, end: int) -> float:
        """Return the weight of the words from one place to another."""
        return self.sums[end] - self.sums[start]

    def __len__(self) -> int:
        return len(self.letters)


@dataclass(frozen=True, slots=True)
class Likeness:
    """Words ``start`` to ``end`` of a paragraph agree with ``first`` to ``last`` of a wording.

    ``agreed`` is how many do, ``weight`` what these weigh. ``here`` says how alike the two
    parts are, ``whole`` how alike the paragraph's part and the whole wording are, ``gain``
    the whole paragraph and the wording's part; each 0 to 1, by number and weight alike.
    """

    entry: Entry
    start: int
    end: int
    first: int
    last: int
    agreed: int
    weight: float
    here: float
    whole: float
    gain: float

    @classmethod
    def of_same(cls, words: Words, entry: Entry, first: int = 0) -> Likeness:
        """Return how all of a paragraph agrees with the same words of a wording."""
        size, weight = len(words), words.sums[-1]
        whole = _alike((size, weight), (size, weight), (len(entry.words), entry.weight))
        last = first + size
        return cls(entry, 0, size, first, last, size, weight, here=1.0, whole=whole, gain=1.0)

    @property
    def is_verbatim(self) -> bool:
        """Whether the two parts are the same words."""
        return self.agreed == self.end - self.start == self.last - self.first

    @property
    def has_all(self) -> bool:
        """Whether the wording's part is all of it."""
        return self.first == 0 and self.last == len(self.entry.words)


def compare(words: Words, entry: Entry, index: Index) -> Likeness | None:
    """Return where and how well a wording agrees with a paragraph; None if it doesn't."""
    blocks = _blocks(words.letters, entry.words)
    run = _best_clauses(words, blocks)
    if run is None:
        return None
    start, end = run
    blocks = _within(blocks, start, end)
    first, last = blocks[0][1], blocks[-1][1] + blocks[-1][2]
    agreed = sum(length for _, _, length in blocks)
    weight = sum(words.weight(a, a + length) for a, _, length in blocks)
    part = (end - start, words.weight(start, end))
    there = (last - first, index.weight(entry.words[first:last]))
    same = (agreed, weight)
    return Likeness(
        entry,
        start,
        end,
        first,
        last,
        agreed,
        weight,
        here=_alike(same, part, there),
        whole=_alike(same, part, (len(entry.words), entry.weight)),
        gain=_alike(same, (len(words), words.sums[-1]), there),
    )


def _alike(same: tuple[int, float], one: tuple[int, float], other: tuple[int, float]) -> float:
    """Return how alike two texts are, each given by number and weight of its words."""
    return same[0] / (one[0] + other[0]) + same[1] / (one[1] + other[1])


def _blocks(words: str, others: str) -> list[tuple[int, int, int]]:
    """Return the runs of words that agree: where in the one, where in the other, how many."""
    at = others.find(words)
    if at >= 0:
        return [(0, at, len(words))]
    at = words.find(others)
    if at >= 0:
        return [(at, 0, len(others))]
    matching = Indel.opcodes(words, others).as_matching_blocks()
    return [(block.a, block.b, block.size) for block in matching if block.size >= _TOGETHER]


def _best_clauses(words: Words, blocks: list[tuple[int, int, int]]) -> tuple[int, int] | None:
    """Return the run of clauses in which the agreeing words outweigh the others the most."""
    best, span, total, begin = 0.0, None, 0.0, 0
    for start, end in words.clauses:
        agreed = sum(words.weight(a, a + length) for a, _, length in _within(blocks, start, end))
        if total <= 0:
            total, begin = 0.0, start
        total += agreed - _HALF * words.weight(start, end)
        if total > best:
            best, span = total, (begin, end)
    return span


def _within(blocks: list[tuple[int, int, int]], start: int, end: int) -> list[tuple[int, int, int]]:
    """Return runs cut to some words of the paragraph."""
    return [
        (max(a, start), b + max(0, start - a), min(a + length, end) - max(a, start))
        for a, b, length in blocks
        if a < end and a + length > start
    ]
