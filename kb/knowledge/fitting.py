"""Which rule the words around a citation fit: the one that is cited, or another one."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING

from kb.cards.wordforms import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_WORD = re.compile(r"[^\W\d_]{3,}")
_LONGEST_TITLE = 60
NEAR = 90  # characters before and behind a citation
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

    def better(self, number: str, listed: Iterable[str], before: str, after: str) -> str | None:
        """Return the rule that the words around a citation fit, if they do not fit the one cited.

        Either they name the title of a neighbour of the cited rule and nothing of the rule
        itself, or no word of theirs is the cited rule's and most are another's.

        Args:
            number: the number that is cited.
            listed: all numbers of the list that it stands in: the words are about any of them.
            before: the words of the line before the list; the nearest count.
            after: those behind it.
        """
        near = _stems(_ending(before)) + _stems(_beginning(after))
        if "." not in number or rule_of(number) not in self.words:
            return None
        rules = {rule_of(other) for other in listed}
        return self._titled(number, rules, near) or self._worded(rules, near)

    def _titled(self, number: str, rules: set[str], near: list[str]) -> str | None:
        section = number.partition(".")[0]
        own = [self.titles[rule] for rule in rules if rule in self.titles]
        if rule_of(number) not in self.titles or any(
            not set(_stems(title)).isdisjoint(near) for title in own
        ):
            return None
        there = [
            (other, title)
            for other, title in self.titles.items()
            if other.startswith(f"{section}.") and _stands(_stems(title), near)
        ]
        mentioned = self._mentioned(rules)
        there = [(o, t) for o, t in there if not mentioned.issuperset(_stems(t))]
        return there[0][0] if len(there) == 1 else None

    def _worded(self, rules: set[str], near: list[str]) -> str | None:
        known = {word for word in near if word in self.weights}
        if len(known) < _FEWEST or known & self._mentioned(rules):
            return None
        total = sum(self.weights[word] for word in known)
        best = max(self.words, key=lambda rule: self._weight(known, rule))
        return best if self._weight(known, best) >= _ENOUGH * total else None

    def _mentioned(self, rules: set[str]) -> frozenset[str]:
        """Return the words of rules; of a chapter, those of its title."""
        return frozenset().union(*(self.words.get(rule, frozenset()) for rule in rules))

    def _weight(self, words: set[str], rule: str) -> float:
        return sum(self.weights[word] for word in words & self.words[rule])


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


def _stands(title: list[str], near: list[str]) -> bool:
    """Tell whether a title's words stand one after the other."""
    size = len(title)
    return size > 0 and any(near[at : at + size] == title for at in range(len(near) - size + 1))
