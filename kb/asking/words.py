"""A text's words as they are compared: folded, without those that say nothing, some joined.

``rules/said.tsv`` has, for a word, what people say for it. Rows of the word ``-`` are words that
say nothing of what is asked. What is said in several words becomes the word itself; single words
of one row are only akin, for most have more than one meaning.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from kb import resources
from kb.cards.values import name_key
from kb.cards.wordforms import stem
from kb.errors import ShippedFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_COLUMNS = "word\tsaid"
_WORD = re.compile(r"\{[a-z]+\}|[^\W_]+(?:['’][^\W_]+)*")
_NOTHING = "-"
# “…, such as flying and menace”, “(flying, …)”: up to a mark that ends it, or to where the
# question goes on.
_EXAMPLES = re.compile(
    r"(?<=[\s,(])(?:such as|e\.\s?g\.|for example|for instance|like|including|say,)\s"
    r"(?:(?!, (?:which|what|who|how|when|where|are|is)\b)[^:;?!()])*"
    r"|\([^()]*(?:\.\.|…|\betc\b)[^()]*\)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: where it stands, in small letters, and folded."""

    start: int
    end: int
    small: str
    stem: str
    is_capital: bool = False


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What people say for words: said in several words, akin, and said for nothing."""

    joined: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
    akin: Mapping[str, frozenset[str]]
    nothing: frozenset[str]


def tokens(text: str) -> tuple[Token, ...]:
    """Return the words of a text in order; a place such as ``{card}`` is one."""
    found = []
    for match in _WORD.finditer(text):
        small = name_key(match[0]).removesuffix("'s")
        folded = small if small[0] == "{" or not small[0].isalpha() else stem(small)
        found.append(Token(*match.span(), small, folded, match[0][0].isupper()))
    return tuple(found)


def without_examples(text: str) -> str | None:
    """Return a text without what it names as examples; None if it names none."""
    rest = _EXAMPLES.sub(" ", text)
    return rest if rest != text and tokens(rest) else None


def joined(some: Iterable[Token]) -> tuple[str, ...]:
    """Return the words of a text, what is said in several words joined to one.

    A word that says nothing is as it is written, any other is folded.
    """
    words, lexicon = [*some], said()
    result: list[str] = []
    at = 0
    while at < len(words):
        one = words[at]
        phrases = (*lexicon.joined.get(f"={one.small}", ()), *lexicon.joined.get(one.stem, ()))
        for phrase, word in phrases:
            if _is_said(phrase, words[at : at + len(phrase)]):
                result.append(word)
                at += len(phrase)
                break
        else:
            result.append(one.small if one.small in lexicon.nothing else one.stem)
            at += 1
    return tuple(result)


def _is_said(phrase: tuple[str, ...], words: Sequence[Token]) -> bool:
    if len(words) != len(phrase):
        return False
    pairs = zip(phrase, words, strict=True)
    return all(piece in (f"={word.small}", word.stem) for piece, word in pairs)


@cache
def said() -> Lexicon:
    """Return what people say for words.

    Raises:
        ShippedFileError: the file is not as it should be.
    """
    first, *lines = resources.text("rules/said.tsv").splitlines()
    rows = [line.split("\t") for line in lines]
    if first != _COLUMNS or any(len(row) != 2 for row in rows):  # noqa: PLR2004 - two columns
        raise ShippedFileError("a row is not as it should be", where="rules/said.tsv")
    several: defaultdict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
    akin: defaultdict[str, set[str]] = defaultdict(set)
    nothing: set[str] = set()
    for word, listed in rows:
        if word == _NOTHING:
            nothing |= {name_key(one) for one in listed.split()}
            continue
        head = "-".join(token.stem for token in tokens(word))
        group = {head}
        for phrase in (word, *listed.split(";")):
            pieces = _pieces(phrase)
            if len(pieces) == 1 and pieces[0][0] != "=":
                group.add(pieces[0])
            else:
                several[pieces[0]].append((pieces, head))
        for one in group:
            akin[one] |= group - {one}
    return Lexicon(
        {first: tuple(sorted(every, key=_longest)) for first, every in several.items()},
        {word: frozenset(others) for word, others in akin.items()},
        frozenset(nothing),
    )


def _pieces(phrase: str) -> tuple[str, ...]:
    """Return the words of a phrase, folded, or as they are written behind ``=``."""
    exact = phrase.startswith("=")
    return tuple(f"={token.small}" if exact else token.stem for token in tokens(phrase))


def _longest(entry: tuple[tuple[str, ...], str]) -> tuple[int, tuple[str, ...]]:
    return -len(entry[0]), entry[0]
