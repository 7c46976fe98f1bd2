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

from kb.asking.words import joined, said, tokens
from kb.queries import catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

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
_MOST, _NEARLY_ALL = 0.5, 0.85
_STRANGE = 0.3
# What a row rests on says nothing of what is asked.
_EVIDENCE = frozenset({"rule", "ruling", "quote", "stated_in", "text"})

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Wording:
    """A way to say something: its words and the pairs of neighbours among them, weighed.

    ``every`` has the words that say nothing too, each alone and with the one behind it; ``mass``
    is what all words and pairs tell together.
    """

    words: Mapping[str, float]
    pairs: Mapping[Pair, float]
    every: frozenset[str | Pair]
    mass: float

    @classmethod
    def of(cls, words: Sequence[str], weight: Callable[[str], float]) -> Wording:
        """Return the wording of words in order, as ``joined`` gives them."""
        nothing = said().nothing
        telling = [word for word in words if word not in nothing]
        weighed = {word: weight(word) for word in telling}
        pairs = {pair: _pair(pair, weighed) for pair in pairwise(("", *telling, ""))}
        every: frozenset[str | Pair] = frozenset((*words, *pairwise(("", *words, ""))))
        return cls(weighed, pairs, every, sum(weighed.values()) + sum(pairs.values()))

    def agreement(self, other: Wording) -> float:
        """Return how far two wordings agree: one if they are the same words in a row."""
        both = sum(weight * alike(word, other.words) for word, weight in self.words.items())
        both += sum(weight for pair, weight in self.pairs.items() if pair in other.pairs)
        to_the_letter = len(self.every & other.every) / max(len(self.every), len(other.every))
        return (1 - _LETTER) * 2 * both / (self.mass + other.mass) + _LETTER * to_the_letter

    def covered(self, words: Collection[str], strange: int = 0) -> float:
        """Return which part of it has its like among the words of a question.

        ``strange`` words were taken for a name that nobody knows: they may be none.
        """
        telling = {word: self.words[word] for word in self.words if word not in _PLACES}
        every = sum(telling.values()) + _STRANGE * strange
        known = sum(weight * alike(word, words) for word, weight in telling.items())
        return known / every if every else 0.0

    def meets(self, core: Mapping[str, float]) -> float:
        """Return which part of a question's core is said."""
        found = sum(weight * alike(word, self.words) for word, weight in core.items())
        return found / sum(core.values()) if core else 1.0


def _pair(pair: Pair, weights: Mapping[str, float]) -> float:
    """Return how much two neighbours tell; beside a place, the order of words tells most."""
    both = _PAIRED * sum(weights.get(word, 0.0) for word in pair) / 2
    return 2 * both if pair[0] in _PLACES or pair[1] in _PLACES else both


@dataclass(frozen=True, slots=True)
class Profile:
    """A question with the ways to say it, and all the words of its header.

    ``core``: the words that most of the ways to say it have, or their like; ``must``: those that
    nearly all have.
    """

    question: Question
    wordings: tuple[Wording, ...]
    words: frozenset[str]
    core: Mapping[str, float]
    must: frozenset[str]


@dataclass(frozen=True, slots=True)
class Profiles:
    """The profiles of all questions, and what a word tells."""

    every: tuple[Profile, ...]
    weights: Mapping[str, float]

    def bare(self, ids: Collection[str]) -> Iterator[Profile]:
        """Yield the profiles of those questions that need no parameter."""
        for one in self.every:
            if one.question.id in ids and all(
                p.type == "Boolean" and p.default is not None for p in one.question.parameters
            ):
                yield one

    def wording(self, words: Sequence[str]) -> Wording:
        """Return the wording of words in order, as ``joined`` gives them."""
        return Wording.of(words, lambda word: _weight(word, self.weights))


def _weight(word: str, weights: Mapping[str, float]) -> float:
    """Return how much a word tells: more than nothing, one at the most."""
    if word in weights:
        return weights[word]
    return max((weights[one] for one in akin(word) if one in weights), default=_UNKNOWN)


@cache
def akin(word: str) -> frozenset[str]:
    """Return the words that may say the same as a word."""
    others = said().akin.get(word, frozenset())
    return others | {_PLACES[word]} if word in _PLACES else others


def alike(word: str, words: Collection[str]) -> float:
    """Return how well a word is met by one of some words."""
    if word in words:
        return 1.0
    return 0.0 if akin(word).isdisjoint(words) else _AKIN


@cache
def profiles() -> Profiles:
    """Return the profiles of the catalogue's questions."""
    every = {asked.id: _words(asked) for asked in catalogue().values()}
    counts = Counter(word for words in every.values() for word in words)
    rare = log(1 + len(every))
    weights = {word: log(1 + len(every) / count) / rare for word, count in counts.items()}
    asked = catalogue().values()
    return Profiles(tuple(_profile(one, every[one.id], weights) for one in asked), weights)


def _phrases(question: Question) -> Iterator[tuple[str, ...]]:
    """Yield each way to say a question, as words; what names but a place says nothing of it."""
    for phrase in (question.summary, question.id.replace("-", " "), *question.also):
        words = joined(tokens(phrase))
        if any(word not in _PLACES and word not in said().nothing for word in words):
            yield words


def _words(question: Question) -> frozenset[str]:
    columns = [name.replace("_", " ") for name, _ in question.columns if name not in _EVIDENCE]
    every = (*_phrases(question), joined(tokens(" ".join(columns))))
    return frozenset(word for words in every for word in words) - said().nothing


def _profile(question: Question, words: frozenset[str], weights: Mapping[str, float]) -> Profile:
    phrases = dict.fromkeys(_phrases(question))
    wordings = tuple(Wording.of(one, lambda word: _weight(word, weights)) for one in phrases)
    own = {word for one in wordings for word in one.words if word not in _PLACES}
    counts = {word: sum(alike(word, one.words) > 0 for one in wordings) for word in own}
    core = {word: weights[word] for word in own if counts[word] >= _MOST * len(wordings)}
    must = frozenset(word for word in own if counts[word] >= _NEARLY_ALL * len(wordings))
    return Profile(question, wordings, words, core, must)
