"""Words that no text holds: what they may have been meant to be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kb.search.meanings import Meanings
from kb.search.said import is_said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.search.word_index import WordIndex

_SHORTEST = 4
_LIKENESS = 80
_SUGGESTED = 3
_LONGEST = 200
_WORD = re.compile("[A-Za-z][A-Za-z'’-]+")


def is_unknown(word: str, index: WordIndex) -> bool:
    """Tell whether a folded word is none of the rules', of players, or of English."""
    return (
        len(word) >= _SHORTEST
        and word.isalpha()
        and word not in index.words
        and not is_said(word)
        and f"_{word}" not in Meanings.shipped().pieces
    )


def nearest_word(word: str, index: WordIndex) -> str | None:
    """Return the word of an index that is most like a misspelt one, if one is near."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only a misspelt word needs it

    found = process.extractOne(word, index.sorted_words, scorer=fuzz.ratio, score_cutoff=_LIKENESS)
    return found[0] if found else None


def suggestions(query: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return words of texts, as written, that are like those words of a query that no text has."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - as above

    known = {word.lower() for text in texts for word in _WORD.findall(text)}
    found: dict[str, float] = {}
    for word in dict.fromkeys(_WORD.findall(query.lower()[:_LONGEST])):
        if word in known:
            continue
        near = process.extract(
            word, sorted(known), scorer=fuzz.ratio, score_cutoff=_LIKENESS - 20, limit=_SUGGESTED
        )
        found |= {other: score for other, score, _ in near}
    return tuple(sorted(found, key=lambda other: (-found[other], other))[:_SUGGESTED])
