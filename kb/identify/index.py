"""Known texts, indexed by the rare words that stand together in them.

Each text is a string with one character a word, rarer words having greater characters: so
that texts are compared, searched and cut at the speed of strings. Of any eight words in a
row that a text shares with a paragraph, four at least lead to it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from kb.editions.wording import REFERENCE
from kb.identify.known import RULE
from kb.identify.tokens import keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kb.identify.known import Known

_FIRST = 0xE000  # above the surrogates, which are no characters
_UNKNOWN = "\0"
_TOGETHER = 4  # words of a shingle
_APART = 5  # shingles of which at least one is kept
_LONGEST_NAME = 8
_SENTENCE_ENDS = (".", ":", "!", "?", ")", "”", '"', "’", "'")
_RAREST = 10.6  # what a word weighs that stands once, however many texts there are
_MANY = 4000  # places looked at for one paragraph


@dataclass(frozen=True, slots=True)
class Entry:
    """A wording: its words, what they weigh together, and the texts that have it."""

    words: str
    weight: float
    known: tuple[Known, ...]

    @property
    def is_name(self) -> bool:
        """Whether it is a heading, which a page may bear without quoting it."""
        text = self.known[0].text.rstrip()
        return len(self.words) <= _LONGEST_NAME and not text.endswith(_SENTENCE_ENDS)

    def bears(self, name: str) -> bool:
        """Tell whether it ever stood under a number or name."""
        return any(one.id.casefold() == name.casefold() for one in self.known)


class Index:
    """Many known texts, made to find those that a paragraph shares words with."""

    def __init__(self, entries: Iterable[tuple[tuple[str, ...], list[Known]]]) -> None:
        wordings = list(entries)
        frequency = Counter(word for words, _ in wordings for word in dict.fromkeys(words))
        ordered = sorted(frequency, key=lambda word: (-frequency[word], word))
        self._letters = {word: chr(_FIRST + rank) for rank, word in enumerate(ordered)}
        most = log(2 + len(wordings))
        self._weights = {
            letter: _RAREST * (1 - log(frequency[word]) / most)
            for word, letter in self._letters.items()
        }
        self._weights[_UNKNOWN] = _RAREST
        self.reference = self.encode([REFERENCE])
        self.entries = [self._entry(words, known) for words, known in wordings]
        self._of_words = {entry.words: place for place, entry in enumerate(self.entries)}
        self._of_name: dict[str, list[int]] = defaultdict(list)
        self._of_shingle: dict[str, list[int]] = defaultdict(list)
        self._numbered: dict[str, list[Known]] = defaultdict(list)
        for place, entry in enumerate(self.entries):
            self._add(place, entry)

    @classmethod
    def of(cls, known: Iterable[Known]) -> Index:
        """Return the index of known texts; those without a word are left out."""
        of_text: dict[str, list[Known]] = {}
        for one in known:
            of_text.setdefault(one.text, []).append(one)
        of_words: dict[tuple[str, ...], list[Known]] = {}
        for text, having in of_text.items():
            if words := tuple(keys(text)):
                of_words.setdefault(words, []).extend(having)
        return cls(of_words.items())

    def _entry(self, words: tuple[str, ...], known: list[Known]) -> Entry:
        encoded = self.encode(words)
        return Entry(encoded, self.weight(encoded), tuple(known))

    def _add(self, place: int, entry: Entry) -> None:
        for shingle in _kept(entry.words):
            self._of_shingle[shingle].append(place)
        for name in {one.id.casefold() for one in entry.known}:
            self._of_name[name].append(place)
        for one in entry.known:
            if one.kind == RULE:
                self._numbered[one.id].append(one)

    def encode(self, words: Iterable[str]) -> str:
        """Return words as a string of one character each."""
        return "".join(self._letters.get(word, _UNKNOWN) for word in words)

    def weigh(self, words: str) -> list[float]:
        """Return how much each word tells: the rarer, the more."""
        return [self._weights[letter] for letter in words]

    def weight(self, words: str) -> float:
        """Return how much words tell together."""
        return sum(self._weights[letter] for letter in words)

    def exact(self, words: str) -> Entry | None:
        """Return the wording that has just these words."""
        place = self._of_words.get(words)
        return None if place is None else self.entries[place]

    def named(self, name: str) -> Sequence[Entry]:
        """Return the wordings that stood under a number or name."""
        return [self.entries[place] for place in self._of_name.get(name.casefold(), ())]

    def rules(self, number: str) -> Sequence[Known]:
        """Return the texts of the rules that bore a number."""
        return self._numbered.get(number, ())

    def near(self, words: str, most: int) -> list[Entry]:
        """Return the wordings that share the rarest shingles with some words, best first."""
        having = [
            self._of_shingle[shingle]
            for shingle in {words[i : i + _TOGETHER] for i in range(len(words) - _TOGETHER + 1)}
            if shingle in self._of_shingle
        ]
        having.sort(key=len)
        votes: dict[int, float] = defaultdict(float)
        left = _MANY
        for places in having:
            left -= len(places)
            if left < 0 and votes:
                break
            for place in places:
                votes[place] += 1 / len(places)
        best = sorted(votes, key=lambda place: (-votes[place], place))
        return [self.entries[place] for place in best[:most]]


def _kept(words: str) -> set[str]:
    """Return shingles of a text: of each few in a row, the one of the rarest words."""
    shingles = [words[i : i + _TOGETHER] for i in range(len(words) - _TOGETHER + 1)]
    if len(shingles) <= _APART:
        return set(shingles)
    return {max(shingles[i : i + _APART]) for i in range(len(shingles) - _APART + 1)}
