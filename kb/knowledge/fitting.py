"""Which rule the words around a citation fit: the one that is cited, or another one."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING

from kb.cards.wordforms import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_WORD = re.compile(r"[^\W\d_]{3,}")
_LONGEST_TITLE = 60
NEAR = 90  # characters before and behind a citation
_ENOUGH = 0.75
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The words near a list of citations, and what they say of it as a whole.

    ``mentioned`` are all words of the rules cited; ``titled`` tells whether a title of theirs is
    named; ``worded`` is the one other rule that the words fit, if they fit none of those cited.
    """

    near: tuple[str, ...]
    mentioned: frozenset[str]
    titled: bool
    worded: str | None


@dataclass(frozen=True)
class Fitting:
    """The words of each rule with its subrules, and the titles of those that have one.

    ``holders`` has the rules of each word.
    A word's weight is its inverse document frequency (Spärck Jones, 1972) over the rules.
    """

    titles: Mapping[str, str]
    words: Mapping[str, frozenset[str]]
    weights: Mapping[str, float]
    holders: Mapping[str, list[str]]

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Fitting:
        """Return the words and titles of a release, given as number → text."""
        words: dict[str, set[str]] = {}
        for number, text in texts.items():
            words.setdefault(rule_of(number), set()).update(_stems(text))
        holders: dict[str, list[str]] = {}
        for number, found in words.items():
            for word in found:
                holders.setdefault(word, []).append(number)
        return cls(
            {number: text for number, text in texts.items() if _is_title(text)},
            {number: frozenset(found) for number, found in words.items()},
            {word: math.log(len(words) / len(rules)) for word, rules in holders.items()},
            holders,
        )

    def around(self, listed: Iterable[str], before: str, after: str) -> Surroundings:
        """Return what the words around a list of citations say; they are about any of them.

        Args:
            listed: all numbers that the list names.
            before: the words of the line before the list; the nearest count.
            after: those behind it.
        """
        near = tuple(_stems(_ending(before)) + _stems(_beginning(after)))
        rules = {rule_of(number) for number in listed}
        mentioned: frozenset[str] = frozenset().union(
            *(self.words.get(rule, frozenset()) for rule in rules)
        )
        titles = (self.titles[rule] for rule in rules if rule in self.titles)
        titled = any(not set(_stems(title)).isdisjoint(near) for title in titles)
        return Surroundings(near, mentioned, titled, self._worded(near, mentioned))

    def better(self, number: str, around: Surroundings) -> str | None:
        """Return the rule that the words around a citation fit, if they do not fit the one cited.

        Either they name the title of a neighbour of the cited rule and nothing of the rule
        itself, or no word of theirs is the cited rule's and most are another's.
        """
        if "." not in number or rule_of(number) not in self.words:
            return None
        return self._titled(number, around) or around.worded

    def _titled(self, number: str, around: Surroundings) -> str | None:
        section = number.partition(".")[0]
        if around.titled or rule_of(number) not in self.titles:
            return None
        there = [
            other
            for other, title in self.titles.items()
            if other.startswith(f"{section}.")
            and _stands(tuple(_stems(title)), around.near)
            and not around.mentioned.issuperset(_stems(title))
        ]
        return there[0] if len(there) == 1 else None

    def _worded(self, near: Sequence[str], mentioned: frozenset[str]) -> str | None:
        known = {word for word in near if word in self.weights}
        if len(known) < _FEWEST or known & mentioned:
            return None
        scores: dict[str, float] = {}
        for word in sorted(known):
            for rule in self.holders[word]:
                scores[rule] = scores.get(rule, 0.0) + self.weights[word]
        best = min(scores, key=lambda rule: (-scores[rule], rule))
        total = sum(self.weights[word] for word in sorted(known))
        return best if scores[best] >= _ENOUGH * total else None


def _ending(text: str) -> str:
    """Return the whole words at the end of a text."""
    return text if len(text) <= NEAR else text[-NEAR:].partition(" ")[2]


def _beginning(text: str) -> str:
    """Return the whole words at the beginning of a text."""
    return text if len(text) <= NEAR else text[:NEAR].rpartition(" ")[0]


def rule_of(number: str) -> str:
    """Return the number of the rule a subrule belongs to; a rule's own number as it is."""
    return number.rstrip(ascii_lowercase)


def _is_title(text: str) -> bool:
    return len(text) <= _LONGEST_TITLE and not text.rstrip().endswith((".", ":", "”", '"'))


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _WORD.findall(text.casefold())]


def _stands(title: tuple[str, ...], near: tuple[str, ...]) -> bool:
    """Tell whether a title's words stand one after the other."""
    size = len(title)
    return size > 0 and any(near[at : at + size] == title for at in range(len(near) - size + 1))
