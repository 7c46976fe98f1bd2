"""What words mean, as far as a table of vectors tells: texts near in meaning share no word.

``rules/meanings.bin`` has a vector for each of some thousand pieces of English words
(``benchmarks/make_meanings.py`` makes it). A text's vector is the sum of those of its words, the
rarer a word is in the rules the more; two texts are as near as the angle between their vectors.

Everything is done on whole numbers in Python, with many in one: a vector is one long integer with
a lane for each dimension, and adding such integers adds the vectors. Likewise a column of all texts
is one integer with a lane a text, so that a query is compared with every text by some hundred
multiplications. Lanes must not turn negative or overflow, so each value is kept with 128 added.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from operator import mul, sub
from typing import TYPE_CHECKING

from kb import resources
from kb.search.folding import COMMON

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile("[a-z]+")
_BIAS, _GREATEST = 128, 127
_WITH_BIAS = bytes((value + _BIAS) & 0xFF for value in range(256))
# What rounds down to the nearest whole number, the bias added.
_HALF_MORE = _BIAS + 0.5
_LANE = 4
# What has more letters is no word; to look for its pieces would take long.
_LONGEST = 30
# Stands for the nearness 0 where none must be below zero.
_LOWEST = 1 << 24
# How much the rarest words count beside the commonest that count at all.
_HIGHEST, _STEPS = 6.0, 8


@dataclass(frozen=True, eq=False)
class Meanings:
    """The pieces of words with their vectors, ``dimensions`` bytes each."""

    dimensions: int
    pieces: dict[str, int]
    vectors: bytes

    @classmethod
    @cache
    def shipped(cls) -> Meanings:
        """Return the table that ships with mtgkb.

        Raises:
            ShippedFileError: it is missing.
        """
        held = resources.path("rules/meanings.bin").read_bytes()
        head, words, vectors = held.split(b"\n", 2)
        names = words.decode("ascii").split(" ")
        return cls(
            json.loads(head)["dimensions"], {name: at for at, name in enumerate(names)}, vectors
        )

    def in_pieces(self, text: str) -> list[str]:
        """Return the pieces of a text's words that are not common."""
        return [
            piece
            for word in _WORD.findall(text.lower().replace("’", "'"))
            if word not in COMMON and len(word) <= _LONGEST
            for piece in self._split(word)
        ]

    @cache  # noqa: B019 - there is one table, and a word is met again and again
    def _split(self, word: str) -> tuple[str, ...]:
        """Return the longest pieces that a word consists of, from its beginning."""
        rest, found = f"_{word}", []
        while rest:
            for end in range(len(rest), 0, -1):
                if rest[:end] in self.pieces:
                    found.append(rest[:end])
                    break
            rest = rest[end:]
        return tuple(found)

    @cache  # noqa: B019 - as above
    def packed(self, piece: str) -> int:
        """Return the vector of a piece as one integer, 128 added in each lane."""
        start = self.pieces[piece] * self.dimensions
        lanes = bytearray(_LANE * self.dimensions)
        values = self.vectors[start : start + self.dimensions]
        lanes[::_LANE] = values.translate(_WITH_BIAS)
        return int.from_bytes(lanes, "little")

    def vector(self, weights: dict[str, int]) -> list[float]:
        """Return the sum of the vectors of pieces, each with a whole weight."""
        total = sum(weight * self.packed(piece) for piece, weight in weights.items())
        lanes = memoryview(total.to_bytes(_LANE * self.dimensions, "little")).cast("I")
        bias = _BIAS * sum(weights.values())
        return [lane - bias for lane in lanes]


@dataclass(frozen=True)
class NearTexts:
    """The vectors of texts, by column, and what makes a text's vector: how rare each piece is.

    ``ones`` has a one in each lane; ``unbiased``, added to the sum of columns times a query, takes
    away what is too much because values are kept with 128 added, and adds ``_LOWEST``.
    """

    rarity: dict[str, int]
    middle: tuple[float, ...]
    columns: tuple[int, ...]
    count: int
    ones: int
    unbiased: int

    def near(self, weights: dict[str, float]) -> list[float]:
        """Return how near each text is to words with weights, from -1 to 1."""
        scale = 1 / (_GREATEST * _GREATEST)
        return [(value - _LOWEST) * scale for value in self.values(weights)]

    def values(self, weights: dict[str, float]) -> list[int]:
        """Return the same on a scale without fractions and below zero, which is faster."""
        table = Meanings.shipped()
        counts: dict[str, int] = {}
        for text, weight in weights.items():
            for piece in table.in_pieces(text):
                rare = self.rarity.get(piece, round(_STEPS * _HIGHEST))
                counts[piece] = counts.get(piece, 0) + round(weight * rare)
        if not any(counts.values()):
            return [_LOWEST] * self.count
        query = _rounded(_less(_unit(table.vector(counts)), self.middle))
        total = sum(map(mul, query, self.columns))
        bias = _BIAS * sum(query) - _BIAS * _BIAS * len(query)
        total += self.unbiased - bias * self.ones
        lanes = memoryview(total.to_bytes(_LANE * self.count, "little")).cast("I")
        return lanes.tolist()

    @classmethod
    def from_bytes(cls, held: bytes) -> NearTexts:
        """Return what ``near_texts`` gave.

        Raises:
            ValueError: it is nothing of the kind.
        """
        line, _, rows = held.partition(b"\n")
        head = json.loads(line)
        middle = tuple(head["middle"])
        width = len(middle)
        if not width or len(rows) % width:
            raise ValueError("the vectors are cut short")
        columns = []
        for at in range(width):
            lanes = bytearray(_LANE * (len(rows) // width))
            lanes[::_LANE] = rows[at::width]
            columns.append(int.from_bytes(lanes, "little"))
        count = len(rows) // width
        ones = int.from_bytes(b"\1\0\0\0" * count, "little")
        unbiased = _LOWEST * ones - _BIAS * sum(columns)
        return cls(head["rarity"], middle, tuple(columns), count, ones, unbiased)


def near_texts(texts: list[str]) -> bytes:
    """Return the vectors of texts as they are kept: a line of JSON, then a row of bytes a text."""
    table = Meanings.shipped()
    pieces = [table.in_pieces(text) for text in texts]
    times = Counter(piece for some in pieces for piece in set(some))
    rarity = {
        piece: round(_STEPS * min(math.log(len(texts) / (1 + count)), _HIGHEST))
        for piece, count in times.items()
        if len(texts) > 1 + count
    }
    vectors = [_unit(table.vector(_weights(some, rarity))) for some in pieces]
    middle = [round(sum(column) / len(vectors), 6) for column in zip(*vectors, strict=True)]
    rows = (_rounded(_less(vector, middle)) for vector in vectors)
    head = json.dumps({"rarity": rarity, "middle": middle}, separators=(",", ":"))
    return head.encode() + b"\n" + b"".join(rows)


def _weights(pieces: list[str], rarity: dict[str, int]) -> dict[str, int]:
    return {piece: count * rarity.get(piece, 0) for piece, count in Counter(pieces).items()}


def _unit(vector: list[float]) -> list[float]:
    """Return a vector of length one in the same direction; none has none."""
    length = math.hypot(*vector)
    return [value / length for value in vector] if length else vector


def _less(vector: list[float], middle: Iterable[float]) -> list[float]:
    return list(map(sub, vector, middle))


def _rounded(vector: list[float]) -> bytes:
    """Return the bytes of a vector when its length is made one, 128 added to each."""
    scale = _GREATEST / (math.hypot(*vector) or 1.0)
    return bytes([int(scale * value + _HALF_MORE) for value in vector])
