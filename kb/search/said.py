"""What players say → what the rulebook says for it: ``rules/slang.tsv`` and ``rules/words.tsv``."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

from kb import resources
from kb.cards.spoken_words import spoken_words
from kb.errors import ShippedFileError
from kb.search.folding import COMMON, folded, telling

_AND = " + "
_COLUMNS = "said\tofficial"


@dataclass(frozen=True, slots=True)
class Saying:
    """Words as players say them, folded, and what the rulebook says, folded and as written.

    ``others`` are further words that must be in the same query, wherever they stand.
    """

    words: tuple[str, ...]
    others: tuple[tuple[str, ...], ...]
    official: tuple[str, ...]
    said: str
    written: str


@cache
def _sayings() -> dict[str, tuple[Saying, ...]]:
    """Return the sayings by their first word, longest first.

    Raises:
        ShippedFileError: the file is not as it should be.
    """
    first, *lines = resources.text("rules/slang.tsv").splitlines()
    rows = [tuple(line.split("\t")) for line in lines]
    if first != _COLUMNS or any(len(row) != 2 for row in rows):  # noqa: PLR2004 - two columns
        raise ShippedFileError("a row is not as it should be", where="rules/slang.tsv")
    rows += [(said, term) for term, said in spoken_words()]
    found: dict[str, list[Saying]] = defaultdict(list)
    for said, official in rows:
        words, *others = map(folded, said.split(_AND))
        found[words[0]].append(Saying(words, tuple(others), telling(official), said, official))
    return {
        word: tuple(sorted(some, key=lambda saying: (bool(saying.others), -len(saying.words))))
        for word, some in found.items()
    }


def sayings_in(words: tuple[str, ...]) -> list[Saying]:
    """Return what players' words there are in a query.

    Of those that stand in one place the longest is taken, and all that need other words as well.
    """
    known = _sayings()
    found: dict[Saying, None] = {}
    for at, word in enumerate(words):
        here = [one for one in known.get(word, ()) if _stands(one.words, words, at)]
        found |= dict.fromkeys([one for one in here if not one.others][:1])
        found |= dict.fromkeys(
            one
            for one in here
            if one.others
            and all(any(_stands(o, words, i) for i in range(len(words))) for o in one.others)
        )
    return [*found]


def _stands(some: tuple[str, ...], words: tuple[str, ...], at: int) -> bool:
    return words[at : at + len(some)] == some


def is_said(word: str) -> bool:
    """Tell whether a folded word begins something that players say, or is common."""
    return word in COMMON or word in _sayings()
