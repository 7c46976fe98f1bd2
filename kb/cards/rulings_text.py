"""A ruling's text → its sentences and what stands in them, by ``grammar/ruling.lark``.

What holds afterwards: the spans count in the text as given, none overlaps another of its
kind, and what lies between two sentences is spaces and the marks of a list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from kb import syntax
from kb.cards.values import cleaned
from kb.citations import find_citations
from kb.records import Span
from kb.syntax import end_of, start_of, tokens_of

if TYPE_CHECKING:
    from lark import Token, Tree

    from kb.records import Citation

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")


@dataclass(frozen=True, slots=True)
class RulingText:
    """A ruling, read.

    ``cleaned`` is the form in which two rulings are compared: spaces, quotes and dashes
    folded. ``sentences``, ``quotes`` (without their marks) are spans in ``text``;
    ``symbols`` are in the order of the text (``{E}``), ``dates`` as written.
    """

    text: str
    cleaned: str
    sentences: tuple[Span, ...]
    quotes: tuple[Span, ...] = ()
    symbols: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()


def read_ruling(text: str) -> RulingText:
    """Read a ruling; an empty one has no sentence."""
    tree, problems = _grammar().parse(text, "ruling")
    if tree is None:
        raise AssertionError(f"ruling.lark refused a text: {problems[0]}")
    return RulingText(
        text,
        cleaned(text),
        tuple(_span(sentence) for sentence in _sentences(tree)),
        tuple(Span(m.start() + 1, m.end() - 1) for m in _QUOTED.finditer(text)),
        tuple(str(token) for token in tokens_of(tree, "SYMBOL")),
        tuple(str(token) for token in tokens_of(tree, "DATE")),
        find_citations(text),
    )


@cache
def _grammar() -> syntax.Grammar:
    return syntax.load("ruling", "ruling")


def _sentences(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return the sentences in the order of the text."""
    found = tree.find_pred(lambda part: part.data in ("finished", "open"))
    return sorted(found, key=lambda sentence: start_of(tokens_of(sentence)[0]))


def _span(sentence: Tree[Token]) -> Span:
    tokens = tokens_of(sentence)
    return Span(start_of(tokens[0]), end_of(tokens[-1]))
