"""Words of a text, folded: a noun in singular and plural, a verb in each of its forms, are one.

The morphology is that of English in general; no word of the game has an entry of its own.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

SELF = "\ue010"
"""The character that stands for the card's own name in a text."""

_IRREGULAR = {
    form: verb
    for verb, forms in {
        "begin": "began begun",
        "become": "became",
        "bring": "brought",
        "choose": "chose chosen",
        "deal": "dealt",
        "die": "died dying",
        "draw": "drew drawn",
        "fight": "fought",
        "find": "found",
        "give": "gave given",
        "hold": "held",
        "keep": "kept",
        "lose": "lost",
        "make": "made",
        "pay": "paid",
        "say": "said",
        "spend": "spent",
        "take": "took taken",
        "use": "used using",
        "win": "won",
        "write": "wrote written",
    }.items()
    for form in forms.split()
}
# Words that say the same, folded.
_SAME = {"additional": "extra"}
_SIBILANT = re.compile(r"(?:[sxz]|[cs]h)es$")
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bdfgmnprt])\1$|(?<=\w{4}l)l$")
_WORD = re.compile(
    r"\{[^{}\s]*\}|[+−–-]?[\dXYN*]+/[+−–-]?[\dXYN*]+(?!\w)|[A-Za-zÀ-ÿ]+(?:['’][A-Za-z]+)*['’]?|\d+|[.;:!?—•\n()]|\ue010+|,"
)
_ENDS = frozenset(".;:!?—•\n()")
_ARTICLES = frozenset({"a", "an", "the"})
_SHORTEST = 3
_FOLDED = str.maketrans("’−–", "'--")


class Words:
    """The words and marks of a text in order; hyphens part words, quotes are left out.

    ``small``: each in small letters; ``stems``: each folded; ``bare``: the places of those that
    are no articles.
    """

    __slots__ = ("_spans", "_written", "bare", "small", "stems", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._written: list[str] = _WORD.findall(text)
        both = [_folded(word) for word in self._written]
        self.small = [small for small, _ in both]
        self.stems = [_SAME.get(root, root) for _, root in both]
        self.bare = [at for at, small in enumerate(self.small) if small not in _ARTICLES]
        self._spans: list[tuple[int, int]] | None = None

    def __len__(self) -> int:
        return len(self.small)

    def span(self, place: int) -> tuple[int, int]:
        """Return where a word begins in the text, and where it ends."""
        if self._spans is None:
            self._spans = [match.span() for match in _WORD.finditer(self.text)]
        return self._spans[place]

    def is_capital(self, place: int) -> bool:
        """Tell whether a word begins with a capital."""
        return self._written[place][0].isupper()

    def ends_clause(self, place: int) -> bool:
        """Tell whether a place holds a mark that no phrase reaches across."""
        return self.small[place] in _ENDS


def placed_stems(text: str) -> list[tuple[str, int, int]]:
    """Return the words and marks of a text, folded, each with where it begins and ends."""
    return [(stem(match[0]), *match.span()) for match in _WORD.finditer(text)]


def all_stems(text: str) -> list[str]:
    """Return the words and marks of a text, folded: as ``Words`` has them, and nothing else."""
    return [*map(stem, _WORD.findall(text))]


def listed(words: str) -> frozenset[str]:
    """Return a set of words that are written with spaces between them."""
    return frozenset(words.split())


@cache
def stem(word: str) -> str:
    """Return a single word, folded."""
    return _SAME.get(_folded(word)[1], _folded(word)[1])


def roots(text: str) -> frozenset[str]:
    """Return the words of a text, folded by their forms alone: what says the same is not one."""
    return frozenset(_folded(word)[1] for word in _WORD.findall(text))


@lru_cache(maxsize=4096)
def stems(text: str) -> tuple[str, ...]:
    """Return the folded words of a phrase, without articles and marks."""
    some = Words(text)
    return tuple(some.stems[at] for at in some.bare if some.stems[at][0].isalnum())


def smalls(text: str) -> tuple[str, ...]:
    """Return the words of a phrase in small letters, without articles and marks."""
    some = Words(text)
    return tuple(some.small[at] for at in some.bare if some.small[at][0].isalnum())


@cache
def _folded(written: str) -> tuple[str, str]:
    small = written.lower().translate(_FOLDED).rstrip("'")
    if small[0] == SELF:
        return SELF, SELF
    return small, _stem(small) if small[0].isalpha() else small


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    word = _IRREGULAR.get(word, word)
    if "'" not in word:
        word = _without_ending(word)
    if len(word) > _SHORTEST and word.endswith("e"):
        word = word[:-1]
    word = _DOUBLED.sub(lambda match: match[1] or "", word)
    return f"{word[:-1]}i" if len(word) > _SHORTEST and word.endswith("y") else word


def _without_ending(word: str) -> str:
    """Return a word without the ending of a plural, a third person, a participle or a gerund."""
    if len(word) > _SHORTEST + 1 and word.endswith(("ies", "ied")):
        return f"{word[:-3]}y"
    if len(word) > _SHORTEST and _SIBILANT.search(word):
        return word[:-2]
    if len(word) > _SHORTEST and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= _SHORTEST and root[-1] != "e" and _VOWEL.search(root):
            return root
    return word
