"""Splits and merges: a rule whose words went on in another rule, or came from one.

A rule that is gone but stands, nearly whole, inside a rule of the next release was merged
into it; so was a heading, if most of what was below it went below another one. A new rule
whose words stood inside a rule of the release before was split off it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from kb.editions.align import are_alike

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kb.editions.align import Item, Match

_LEAST = 88.0  # percent of the shorter text that stands in the longer one
_SHORTEST = 60  # characters; a shorter text stands in many others by chance
_NEAR = 40  # rules around the place where it stood
_WORDS = 0.6  # of a text's words stand in any text that has nearly all of it


def heirs_of(
    old: Sequence[Item], new: Sequence[Item], matches: Sequence[Match]
) -> Iterator[tuple[int, int, str]]:
    """Yield (place of the old rule, place of the new one, ``split`` or ``merged``).

    Words that the one rule keeps are a copy in the other: a rule for one kind of card is often
    written after that for another kind.
    """
    old_place = {item.number: i for i, item in enumerate(old)}
    new_place = {item.number: j for j, item in enumerate(new)}
    forth = {old_place[match.old]: new_place[match.new] for match in matches}
    back = {j: i for i, j in forth.items()}
    onward = dict(forth)
    for i, item in enumerate(old):
        if i not in forth and (taker := _within(item, i, new, old, forth, back)) is not None:
            onward[i] = taker
            yield i, taker, "merged"
    for i, taker in _emptied(old, new, onward):
        yield i, taker, "merged"
    for j, item in enumerate(new):
        if j not in back and (giver := _within(item, j, old, new, back, forth)) is not None:
            yield giver, j, "split"


def _emptied(
    old: Sequence[Item], new: Sequence[Item], onward: dict[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the headings that are gone, with that below which most of their rules now stand."""
    below: dict[int, list[int]] = defaultdict(list)
    every = Counter(item.parent for item in old)
    for i, item in enumerate(old):
        if item.parent is not None and item.parent not in onward and i in onward:
            below[item.parent].append(i)
    for i, children in below.items():
        went = Counter(new[onward[child]].parent for child in children)
        taker, times = went.most_common(1)[0]
        if taker is None or len(old[i].wording.text) >= _SHORTEST or times * 2 <= len(children):
            continue
        if times > 1 or every[i] == 1 or are_alike(old[i], new[taker]):
            yield i, taker


def _within(  # noqa: PLR0913, PLR0917 - both releases, and the pairs both ways
    item: Item,
    place: int,
    others: Sequence[Item],
    beside: Sequence[Item],
    pairs: dict[int, int],
    back: dict[int, int],
) -> int | None:
    """Return the place of the longer rule near by in which alone a rule's text stands."""
    text = item.wording.text
    if len(text) < _SHORTEST:
        return None
    around = next((pairs[place - step] for step in range(1, place + 1) if place - step in pairs), 0)
    words = set(text.split())
    best: tuple[float, int] | None = None
    for j in range(max(0, around - _NEAR), min(len(others), around + _NEAR)):
        score = _stands(text, words, others[j].wording.text)
        if score and (best is None or score > best[0]):
            is_copy = j in back and _stands(text, words, beside[back[j]].wording.text)
            best = best if is_copy else (score, j)
    return best[1] if best else None


def _stands(text: str, words: set[str], other: str) -> float:
    """Return how much of a text stands in a longer one, in percent; 0 where it is too little."""
    if len(other) <= len(text) or len(words.intersection(other.split())) < _WORDS * len(words):
        return 0.0
    return fuzz.partial_ratio(text, other, score_cutoff=_LEAST)
