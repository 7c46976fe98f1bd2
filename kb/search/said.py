"""What players say → what the rulebook says for it: ``rules/slang.tsv`` and ``rules/words.tsv``."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

from kb import resources
from kb.cards.spoken_words import spoken_words
from kb.errors import ShippedFileError
from kb.search.folding import COMMON, folded, telling

_COLUMNS = "said\tofficial"


@dataclass(frozen=True, slots=True)
class Saying:
    """Words as players say them, folded, and what the rulebook says, folded and as written."""

    words: tuple[str, ...]
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
        words = folded(said)
        found[words[0]].append(Saying(words, telling(official), said, official))
    return {
        word: tuple(sorted(some, key=lambda saying: -len(saying.words)))
        for word, some in found.items()
    }


def sayings_in(words: tuple[str, ...]) -> list[Saying]:
    """Return what players' words there are in a query, at each place the longest."""
    known, found = _sayings(), []
    for at, word in enumerate(words):
        for saying in known.get(word, ()):
            if words[at : at + len(saying.words)] == saying.words:
                found.append(saying)
                break
    return found


def is_said(word: str) -> bool:
    """Tell whether a folded word begins something that players say, or is common."""
    return word in COMMON or word in _sayings()
