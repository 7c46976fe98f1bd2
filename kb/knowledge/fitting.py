"""Which rule the words around a citation fit: the one that is cited, or another one."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.cards.wordforms import stem

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORD = re.compile(r"[^\W\d_]{3,}")
_LONGEST_TITLE = 60
_NEAR = 90
_ENOUGH = 0.75
_FEWEST = 3


@dataclass(frozen=True)
class Fitting:
    """The words of each rule with its subrules, and the titles of those that have one.

    A word's weight is its inverse document frequency (Spärck Jones, 1972) over the rules.
    """

    titles: Mapping[str, str]
    words: Mapping[str, frozenset[str]]
    weights: Mapping[str, float]

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Fitting:
        """Return the words and titles of a release, given as number → text."""
        words: dict[str, set[str]] = {}
        for number, text in texts.items():
            words.setdefault(rule_of(number), set()).update(_stems(text))
        counts = Counter(word for found in words.values() for word in found)
        return cls(
            {number: text for number, text in texts.items() if _is_title(text)},
            {number: frozenset(found) for number, found in words.items()},
            {word: math.log(len(words) / n) for word, n in counts.items()},
        )

    def better(self, number: str, before: str, after: str) -> str | None:
        """Return the rule that the words around a citation fit, if they do not fit the one cited.

        Either they name the title of a neighbour of the cited rule and nothing of the rule
        itself, or no word of theirs is the cited rule's and most are another's. ``before`` and
        ``after`` are the words of the same line, without other citations.
        """
        near = _stems(before[-_NEAR:]) + _stems(after[:_NEAR])
        if "." not in number or rule_of(number) not in self.words:
            return None
        return self._titled(number, near) or self._worded(number, near)

    def _titled(self, number: str, near: list[str]) -> str | None:
        section = number.partition(".")[0]
        own = self.titles.get(rule_of(number))
        if own is None or not set(_stems(own)).isdisjoint(near):
            return None
        there = [
            (other, title)
            for other, title in self.titles.items()
            if other.partition(".")[0] == section and _stands(_stems(title), near)
        ]
        mentioned = self.words.get(rule_of(number), frozenset())
        there = [(o, t) for o, t in there if not mentioned.issuperset(_stems(t))]
        return there[0][0] if len(there) == 1 else None

    def _worded(self, number: str, near: list[str]) -> str | None:
        known = {word for word in near if word in self.weights}
        if len(known) < _FEWEST or known & self.words.get(rule_of(number), frozenset()):
            return None
        total = sum(self.weights[word] for word in known)
        best = max(self.words, key=lambda rule: self._weight(known, rule))
        return best if self._weight(known, best) >= _ENOUGH * total else None

    def _weight(self, words: set[str], rule: str) -> float:
        return sum(self.weights[word] for word in words & self.words[rule])


def rule_of(number: str) -> str:
    """Return the number of the rule a subrule belongs to; a rule's own number as it is."""
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")


def _is_title(text: str) -> bool:
    return len(text) <= _LONGEST_TITLE and not text.rstrip().endswith((".", ":", "”", '"'))


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _WORD.findall(text.casefold())]


def _stands(title: list[str], near: list[str]) -> bool:
    """Tell whether a title's words stand one after the other."""
    size = len(title)
    return size > 0 and any(near[at : at + size] == title for at in range(len(near) - size + 1))
