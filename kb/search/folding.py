"""A text → the folded words that are looked up, each with its place in the text."""

from __future__ import annotations

from functools import cache, lru_cache

from kb.cards.wordforms import all_stems, listed, placed_stems

COMMON = listed(
    "a an the of to and or in is it that this be as for by on if with from at its it's are was"
    " has have had not which any each their they them he she his her hers him you your i my me we"
    " our us do doe did doesn't don't didn't isn't what how when why who where can could will would"
    " may might should been being am there then than so but also just into onto upon about such"
)
"""Words that stand in any sentence, folded or not: they tell no rule from another."""


@lru_cache(maxsize=4096)
def folded(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, in order, common ones too; marks are left out."""
    return tuple(filter(_is_word, all_stems(text)))


def telling(text: str) -> tuple[str, ...]:
    """Return the folded words of a text that are not common."""
    return tuple(word for word in folded(text) if word not in COMMON)


@lru_cache(maxsize=1024)
def placed(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return the folded words of a text, each with where it begins and where it ends."""
    return tuple(one for one in placed_stems(text) if _is_word(one[0]))


def as_written(word: str, text: str) -> str:
    """Return the shortest word of a text, in small letters, that is such a folded one."""
    there = [text[start:end].lower() for one, start, end in placed(text) if one == word]
    return min(there, key=len, default=word)


@cache
def _is_word(stem: str) -> bool:
    return stem[0].isalnum() or stem[0] in "{+-"
