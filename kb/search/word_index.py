"""An index of words over a few thousand texts: which texts hold a word, and how much it says.

The score is BM25F: a text has parts (its own words, its headings, its examples), each with a
weight by which its words count, before the saturation that BM25 has for words that are repeated.
What a word adds to a text is computed as the index is made; looking up only adds whole numbers.
A word that many texts hold is kept as one long integer with a lane for each text: to multiply it by
the word's weight and to add it is one step, however many texts there are.

Robertson, Zaragoza, Taylor: Simple BM25 Extension to Multiple Weighted Fields (CIKM 2004).
"""

from __future__ import annotations

import json
import math
import sys
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Parts = Sequence[tuple[float, Sequence[str]]]

_SATURATION, _LENGTH = 1.2, 0.75
# What a word adds is kept in such parts of one: the most that it can add fits in two bytes.
_FINE = 2048
# The weights of a query add up to this, so that no lane of four bytes overflows.
_ALL_WEIGHTS, _LANE = 0xFFFF, 4
# From so many texts on, lanes are faster than a list.
_MANY = 64


@dataclass(frozen=True)
class WordIndex:
    """The words of texts: each with a range of ``texts`` and of what it ``adds`` to them."""

    words: dict[str, tuple[int, int]]
    texts: list[int]
    adds: list[int]
    rarity: dict[str, float]

    @classmethod
    def of(cls, texts: Iterable[Parts]) -> WordIndex:
        """Index texts, each the folded words of its parts with the parts' weights."""
        counted: list[dict[str, float]] = []
        for parts in texts:
            counts: dict[str, float] = defaultdict(float)
            for weight, words in parts:
                for word, times in Counter(words).items():
                    counts[word] += weight * times
            counted.append(counts)
        lengths = [sum(counts.values()) for counts in counted]
        mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
        found: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, (counts, length) in enumerate(zip(counted, lengths, strict=True)):
            room = _SATURATION * (1 - _LENGTH + _LENGTH * length / mean)
            for word, count in counts.items():
                found[word].append((number, count * (_SATURATION + 1) / (count + room)))
        return cls._packed(found, len(counted))

    @classmethod
    def _packed(cls, found: Mapping[str, list[tuple[int, float]]], count: int) -> WordIndex:
        words: dict[str, tuple[int, int]] = {}
        numbers: list[int] = []
        adds: list[int] = []
        rarity: dict[str, float] = {}
        for word in sorted(found):
            held = found[word]
            words[word] = (len(numbers), len(numbers) + len(held))
            rarity[word] = math.log(1 + (count - len(held) + 0.5) / (len(held) + 0.5))
            numbers.extend(number for number, _ in held)
            adds.extend(round(_FINE * add * rarity[word]) for _, add in held)
        return cls(words, numbers, adds, rarity)

    def scores(self, query: Mapping[str, float]) -> list[int]:
        """Return for each text what the words of a query, each with a weight, add up to.

        The scale is the query's own: scores of two queries cannot be compared.
        """
        known = {word: weight for word, weight in query.items() if word in self.words}
        scale = _ALL_WEIGHTS / (sum(known.values()) or 1.0)
        lanes, few = 0, []
        for word, weight in known.items():
            start, end = self.words[word]
            if end - start < _MANY:
                few.append((start, end, int(scale * weight)))
            else:
                lanes += int(scale * weight) * self._lanes(word)
        total = memoryview(lanes.to_bytes(_LANE * self.count, "little")).cast("I").tolist()
        for start, end, weight in few:
            for text, add in zip(self.texts[start:end], self.adds[start:end], strict=True):
                total[text] += weight * add
        return total

    def _lanes(self, word: str) -> int:
        """Return what a word adds to each text as one integer; made when it is first needed."""
        if word not in self._packed_words:
            here = slice(*self.words[word])
            values = array("I", bytes(_LANE * self.count))
            for text, add in zip(self.texts[here], self.adds[here], strict=True):
                values[text] = add
            self._packed_words[word] = int.from_bytes(_little(values).tobytes(), "little")
        return self._packed_words[word]

    @cached_property
    def _packed_words(self) -> dict[str, int]:
        return {}

    @cached_property
    def count(self) -> int:
        """How many texts there are, up to the last that has a word."""
        return max(self.texts, default=-1) + 1

    def holding(self, word: str) -> frozenset[int]:
        """Return the texts that hold a word."""
        place = self.words.get(word)
        return frozenset(self.texts[slice(*place)]) if place else frozenset()

    def beginning(self, start: str, limit: int) -> list[str]:
        """Return words that begin so, the most frequent first."""
        names = self.sorted_words
        at = bisect_left(names, start)
        found = []
        while at < len(names) and names[at].startswith(start):
            found.append(names[at])
            at += 1
        return sorted(found, key=lambda word: self.rarity[word])[:limit]

    @property
    def sorted_words(self) -> list[str]:
        """All words, sorted."""
        return [*self.words]

    def as_bytes(self) -> bytes:
        """Return the index as it is kept: a line of JSON, then two arrays, little-endian."""
        counts = {word: end - start for word, (start, end) in self.words.items()}
        rarity = {word: round(value, 5) for word, value in self.rarity.items()}
        head = {"words": counts, "rarity": rarity}
        line = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
        texts, adds = array("H", self.texts), array("H", self.adds)
        arrays: bytes = _little(texts).tobytes() + _little(adds).tobytes()
        return line + b"\n" + arrays

    @classmethod
    def from_bytes(cls, held: bytes) -> WordIndex:
        """Return the index that ``as_bytes`` gave.

        Raises:
            ValueError: it is no such index.
        """
        line, _, rest = held.partition(b"\n")
        head = json.loads(line)
        words: dict[str, tuple[int, int]] = {}
        start = 0
        for word, count in head["words"].items():
            words[word] = (start, start + count)
            start += count
        texts, adds = array("H"), array("H")
        texts.frombytes(rest[: start * texts.itemsize])
        adds.frombytes(rest[start * texts.itemsize :])
        if len(adds) != start:
            raise ValueError("the index of words is cut short")
        return cls(words, _little(texts).tolist(), _little(adds).tolist(), head["rarity"])


def _little(values: Any) -> Any:  # noqa: ANN401 - an array of whole numbers, or of others
    """Return an array with its bytes in little-endian order, or back."""
    if sys.byteorder == "big":
        values.byteswap()
    return values
