"""The names in a rule's text that may be those of cards.

No list of cards is needed: a name is words with capitals, and small words that link them. A
single word counts only inside a sentence, for at its beginning any word has a capital.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from kb.cards.values import name_key
from kb.citations import find_citations

if TYPE_CHECKING:
    from collections.abc import Iterator

_CAPITAL = r"[A-ZÀ-Þ\d][\w’'!-]*"
_LINK = r"(?:of|the|to|and|in|for|from|with|at|on|by|an?|de|la|le)"
_RUN = re.compile(rf"(?<![\w’'-]){_CAPITAL}(?:(?:,? | // )(?:{_LINK} ){{0,2}}{_CAPITAL})*")
# Where a list of names may be parted, beside its ends.
_PART = re.compile(r", (?:and )?| and | // ")
_GENITIVE = re.compile(r"[’']s?$")
_QUOTES = "“\"‘'"
_SENTENCE_ENDS = ".:;!?—\n"
_MOST_PARTS = 3


@lru_cache(maxsize=16384)  # most rules stand alike in many releases
def names_in(text: str) -> frozenset[str]:
    """Return the keys of all rows of words in a text that may be the name of a card."""
    pieces = list(text)
    for citation in find_citations(text):
        start, end = citation.span.start, citation.span.end
        pieces[start:end] = "." * (end - start)
    return frozenset(filter(None, map(name_key, _names("".join(pieces)))))


def _names(text: str) -> Iterator[str]:
    for run in _RUN.finditer(text):
        before = text[: run.start()].rstrip(" ")[-1:]
        is_first = not before or before in _SENTENCE_ENDS or before in _QUOTES
        cuts = [(0, 0), *(part.span() for part in _PART.finditer(run[0])), (len(run[0]),) * 2]
        for first in range(len(cuts) - 1):
            for last in range(first + 1, min(len(cuts), first + 1 + _MOST_PARTS)):
                name = _GENITIVE.sub("", run[0][cuts[first][1] : cuts[last][0]])
                at_start = is_first and first == 0
                if " " in name or not at_start:
                    yield name
                if at_start and " " in name:
                    yield name.partition(" ")[2]
