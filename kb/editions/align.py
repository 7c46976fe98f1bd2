"""Which rule of one release is which rule of another: one to one, over the whole release.

First the same wording, where it stands once in both or in the same places; then likeness of
words with the structure around as context (parent, siblings, number), solved for the best
sum over all pairs at once, so that no early choice spoils a later one. What is matched gives
context to what is not, so the second step is repeated until nothing new is found. A heading
of other words is the same where most of what stands below it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel, LCSseq

from kb.editions.assign import assign
from kb.editions.wording import Wording, wording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kb.records import RuleNumber

LEAST = 0.55
"""Likeness with context below which two rules are taken for different ones."""

LEAST_IN_PLACE = 0.44
"""The same, of a rule that stands between the same neighbours under the same parent."""

_PARENT, _NEIGHBOUR, _NUMBER = 0.12, 0.06, 0.04
_MOST_COMMON = 60  # a word in more rules than this makes no candidates
_CANDIDATES = 8
_LEAST_ALIKE = 0.2
_IN_PLACE = 2 * _NEIGHBOUR + _PARENT
_WHOLE = 0.75  # what it is worth that the shorter of two texts stands in the longer one
_TITLE = 60  # characters; what is longer is no heading
_MOST = 0.5  # of what stands below two headings, if they are one
_FEW, _MANY = 6, 12  # words of a text that may stand in another by chance, or hardly


@dataclass(frozen=True, slots=True)
class Match:
    """A rule of the old release and the new one that it is; ``confidence`` is 0 to 1."""

    old: str
    new: str
    method: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Item:
    """A rule as it is aligned: its number, wording, level, and the place of its parent."""

    number: str
    wording: Wording
    level: str
    parent: int | None


def items_of(
    rules: Iterable[tuple[RuleNumber, str]], worded: Callable[[str], Wording] = wording
) -> list[Item]:
    """Return rules, given by number and text in ascending order, as they are aligned."""
    found: list[Item] = []
    places: dict[RuleNumber, int] = {}
    for number, text in rules:
        above = number.parent
        parent = places.get(above) if above is not None else None
        places[number] = len(found)
        found.append(Item(str(number), worded(text), number.kind, parent))
    return found


def align(old: list[Item], new: list[Item]) -> list[Match]:
    """Return the matches of two releases, in the order of the old one."""
    pairing = _Pairing(old, new)
    pairing.same_wording()
    while pairing.by_likeness() or pairing.by_rules_below():
        pass
    return [
        Match(old[i].number, new[j].number, *pairing.how[i])
        for i, j in sorted(pairing.forth.items())
    ]


class _Pairing:
    """The pairs found so far, both ways, and how each was found."""

    def __init__(self, old: list[Item], new: list[Item]) -> None:
        self.old, self.new = old, new
        self.forth: dict[int, int] = {}
        self.back: dict[int, int] = {}
        self.how: dict[int, tuple[str, float]] = {}
        self._common = Counter(word for item in new for word in set(item.wording.text.split()))
        self._below_old, self._below_new = (Counter(x.parent for x in some) for some in (old, new))
        self._having: dict[str, list[int]] = defaultdict(list)
        for j, item in enumerate(new):
            for word in set(item.wording.text.split()):
                if self._common[word] <= _MOST_COMMON:
                    self._having[word].append(j)

    def pair(self, i: int, j: int, method: str, confidence: float) -> None:
        self.forth[i], self.back[j] = j, i
        self.how[i] = (method, round(confidence, 3))

    def same_wording(self) -> None:
        """Pair what has one wording: first where it stands once, then by what is around."""
        of_old, of_new = _by_wording(self.old), _by_wording(self.new)
        shared = [text for text in of_old if text in of_new]
        for text in shared:
            if len(of_old[text]) == len(of_new[text]) == 1:
                self.pair(of_old[text][0], of_new[text][0], "same", 1.0)
        for _ in range(3):  # chapter, rule, subrule: a parent's pair decides among its children
            for text in shared:
                self._among(
                    [i for i in of_old[text] if i not in self.forth],
                    [j for j in of_new[text] if j not in self.back],
                )

    def _among(self, olds: list[int], news: list[int]) -> None:
        weights = {
            (i, j): weight
            for i in olds
            for j in news
            if (weight := self._context(i, j)) > 0 and self.old[i].level == self.new[j].level
        }
        for i, j in assign(weights).items():
            self.pair(i, j, "same", 0.9)

    def _context(self, i: int, j: int) -> float:
        """Return how well what is around two rules agrees."""
        one, other = self.old[i], self.new[j]
        weight = 0.0
        if one.parent is not None and self.forth.get(one.parent, -1) == other.parent:
            weight += _PARENT
        if i and self.forth.get(i - 1, -2) == j - 1:
            weight += _NEIGHBOUR
        if self.forth.get(i + 1, -2) == j + 1:
            weight += _NEIGHBOUR
        return weight + (_NUMBER if one.number == other.number else 0.0)

    def by_likeness(self) -> int:
        """Pair what is alike, and return how many pairs are new."""
        weights = {}
        for i, item in enumerate(self.old):
            if i in self.forth:
                continue
            for j in self._candidates(i):
                other = self.new[j]
                if j in self.back or (item.level == "chapter") != (other.level == "chapter"):
                    continue
                context = self._context(i, j)
                alike = likeness(item.wording.text.split(), other.wording.text.split(), context)
                least = LEAST_IN_PLACE if context >= _IN_PLACE else LEAST
                weight = 0.8 * alike + context
                if weight >= least and alike > _LEAST_ALIKE:
                    weights[i, j] = weight
        found = assign(weights)
        for i, j in found.items():
            self.pair(i, j, "alike", min(1.0, weights[i, j]))
        return len(found)

    def by_rules_below(self) -> int:
        """Pair headings of other words by what stands below both, and return how many."""
        went: dict[int, Counter[int]] = defaultdict(Counter)
        came: dict[int, Counter[int]] = defaultdict(Counter)
        for i, j in self.forth.items():
            one, other = self.old[i].parent, self.new[j].parent
            if one is not None and other is not None:
                went[one][other] += 1
                came[other][one] += 1
        found = 0
        for one, targets in went.items():
            other, times = targets.most_common(1)[0]
            share = times / max(targets.total(), came[other].total())
            below = max(self._below_old[one], self._below_new[other])
            if (
                share > _MOST
                and (times > 1 or below == 1 or are_alike(self.old[one], self.new[other]))
                and one not in self.forth
                and other not in self.back
                and self.old[one].level == self.new[other].level
                and max(len(self.old[one].wording.text), len(self.new[other].wording.text)) < _TITLE
            ):
                self.pair(one, other, "alike", share)
                found += 1
        return found

    def _candidates(self, i: int) -> Iterator[int]:
        """Yield the rules that a rule may have become: those near it, and those of its words."""
        near = set()
        for step in (-1, 1):
            beside = self.forth.get(i + step)
            if beside is not None:
                near |= {beside - 1, beside + 1, beside - 2, beside + 2}
        parent = self.old[i].parent
        if parent is not None and parent in self.forth:
            target = self.forth[parent]
            near |= {j for j, item in enumerate(self.new) if item.parent == target}
        votes: Counter[int] = Counter()
        for word in dict.fromkeys(self.old[i].wording.text.split()):
            for j in self._having.get(word, ()):
                votes[j] += 1 / self._common[word]  # type: ignore[assignment]
        near |= {j for j, _ in votes.most_common(_CANDIDATES)}
        yield from (j for j in sorted(near) if 0 <= j < len(self.new))


def likeness(one: list[str], other: list[str], context: float = 0.0) -> float:
    """Return how alike two texts are, 0 to 1, by words in order (longest common subsequence).

    A text that the other one only adds to, or leaves out from, is alike as well; a short one
    must stand under the same parent for that.
    """
    alike = Indel.normalized_similarity(one, other)
    shorter = min(len(one), len(other))
    if shorter >= _MANY or (shorter >= _FEW and context >= _PARENT):
        kept = LCSseq.similarity(one, other) / shorter
        alike = max(alike, _WHOLE * kept**2)
    return alike


def are_alike(one: Item, other: Item) -> bool:
    """Tell whether two headings have words in common: then one rule below both is a sign."""
    return likeness(one.wording.text.split(), other.wording.text.split()) > _LEAST_ALIKE


def _by_wording(items: list[Item]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        found[item.wording.text].append(place)
    return found
