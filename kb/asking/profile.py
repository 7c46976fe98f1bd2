"""The words of each question of the catalogue, and how much each tells.

They are those of its summary, its ``also:`` lines, its id and its columns; nothing else. A word
tells the more, the fewer questions have it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING

from kb.asking.words import folded, joined, said, tokens
from kb.queries import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kb.queries import Question

# Places in a phrase, and the words that stand in a summary where a phrase has a place.
_PLACES = {
    "{card}": "card",
    "{rule}": "rule",
    "{release}": "releas",
    "{keyword}": "keyword",
    "{term}": "term",
    "{type}": "type",
}
_UNKNOWN = 0.9
_AKIN = 0.85
_PAIRED = 0.5
_LETTER = 0.15
_MOST = 0.5
_STRANGE = 0.3

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Wording:
    """A way to say something: its words, the pairs of neighbours among them, and all its words.

    ``every`` has the words that say nothing too, each alone and with the one behind it.
    """

    words: frozenset[str]
    pairs: frozenset[Pair]
    every: frozenset[str | Pair]

    @classmethod
    def of(cls, words: tuple[str, ...]) -> Wording:
        """Return the wording of words in order, as ``joined`` gives them."""
        nothing = said().nothing
        telling = tuple(word for word in words if word not in nothing)
        return cls(
            frozenset(telling),
            frozenset(pairwise(("", *telling, ""))),
            frozenset((*words, *pairwise(("", *words, "")))),
        )

    @property
    def tells(self) -> bool:
        """Tell whether there is any word in it beside places."""
        return any(word not in _PLACES for word in self.words)


@dataclass(frozen=True, slots=True)
class Profile:
    """A question with the ways to say it, and all the words of its header.

    ``core``: the words that most of the ways to say it have.
    """

    question: Question
    wordings: tuple[Wording, ...]
    words: frozenset[str]
    core: frozenset[str]


@dataclass(frozen=True, slots=True)
class Profiles:
    """The profiles of all questions, and what a word tells."""

    every: tuple[Profile, ...]
    weights: Mapping[str, float]

    def weight(self, word: str) -> float:
        """Return how much a word tells: more than nothing, one at the most."""
        if word in self.weights:
            return self.weights[word]
        near = [self.weights[one] for one in akin(word) if one in self.weights]
        return max(near, default=_UNKNOWN)

    def knows(self, word: str) -> bool:
        """Tell whether any question has a word, or one akin to it."""
        return word in self.weights or any(one in self.weights for one in akin(word))

    def covered(self, said: Wording, words: frozenset[str], strange: int = 0) -> float:
        """Return which part of what was said has its like among the words of a question.

        ``strange`` words were taken for a name that nobody knows: they may be none.
        """
        telling = [word for word in said.words if word not in _PLACES]
        every = sum(self.weight(word) for word in telling) + _STRANGE * strange
        known = sum(self.weight(word) * alike(word, words) for word in telling)
        return known / every if every else 0.0

    def met(self, core: frozenset[str], said: Wording) -> float:
        """Return which part of a question's core was said."""
        every = sum(map(self.weight, core))
        found = sum(self.weight(word) * alike(word, said.words) for word in core)
        return found / every if every else 1.0

    def agreement(self, said: Wording, wording: Wording) -> float:
        """Return how far two wordings agree: one if they are the same words in a row."""
        both = sum(self.weight(word) * alike(word, wording.words) for word in said.words)
        ours = sum(self.weight(word) for word in said.words)
        theirs = sum(self.weight(word) for word in wording.words)
        paired = said.pairs & wording.pairs
        both += _PAIRED * sum(map(self._pair, paired))
        ours += _PAIRED * sum(map(self._pair, said.pairs))
        theirs += _PAIRED * sum(map(self._pair, wording.pairs))
        telling = 2 * both / (ours + theirs)
        to_the_letter = len(said.every & wording.every) / max(len(said.every), len(wording.every))
        return (1 - _LETTER) * telling + _LETTER * to_the_letter

    def _pair(self, pair: Pair) -> float:
        """Return how much two neighbours tell; beside a place, the order of words tells most."""
        both = sum(self.weight(word) for word in pair if word) / 2
        return 2 * both if _PLACES.keys() & set(pair) else both


def akin(word: str) -> frozenset[str]:
    """Return the words that may say the same as a word."""
    others = said().akin.get(word, frozenset())
    return others | {_PLACES[word]} if word in _PLACES else others


def alike(word: str, words: frozenset[str]) -> float:
    """Return how well a word is met by one of some words."""
    if word in words:
        return 1.0
    return _AKIN if akin(word) & words else 0.0


def _profile(question: Question) -> Profile:
    phrases = (question.summary, question.id.replace("-", " "), *question.also)
    wordings = tuple(dict.fromkeys(Wording.of(joined(tokens(one))) for one in phrases))
    wordings = tuple(one for one in wordings if one.tells)
    columns = [name.replace("_", " ") for name, _ in question.columns if name not in _EVIDENCE]
    listed = folded(tokens(" ".join(columns)))
    own = _all(one.words for one in wordings)
    core = (
        word
        for word in own - _PLACES.keys()
        if sum(alike(word, one.words) > 0 for one in wordings) >= _MOST * len(wordings)
    )
    words = own | frozenset(listed)
    return Profile(question, wordings, words, frozenset(core))


_EVIDENCE = frozenset({"rule", "ruling", "quote", "stated_in", "text"})


def _all(several: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset(word for one in several for word in one)


@cache
def profiles() -> Profiles:
    """Return the profiles of the catalogue's questions."""
    every = tuple(map(_profile, catalogue().values()))
    counts = Counter(word for one in every for word in one.words)
    rare = log(1 + len(every))
    weights = {word: log(1 + len(every) / count) / rare for word, count in counts.items()}
    return Profiles(every, weights)
