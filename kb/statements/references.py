"""Sentences about other rules: exceptions, procedures, and rules for one card."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kb.statements.forms import parse, stated
from kb.syntax import branches, end_of, leaves, start_of, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token, Tree

    from kb.records import Statement
    from kb.statements.masked import Masked


def reference_statements(sentence: Masked, number: str) -> Iterator[Statement]:
    """Yield what a sentence of the rule ``number`` states of other rules."""
    if (tree := parse(sentence, "single_card")) is not None:
        cue, name = leaves(tree)
        yield stated("single-card", number, name.strip(" ,()"), cue, sentence)
    if (tree := parse(sentence, "exception")) is not None:
        yield from _exceptions(tree, sentence, number)
    if (tree := parse(sentence, "procedure")) is not None:
        cue = leaves(tree)[0]
        for followed in _named(tree, sentence, "REF"):
            yield stated("follows", number, followed, cue, sentence)


def _named(tree: Tree[Token], sentence: Masked, *types: str) -> list[str]:
    """Return the numbers that a part of a sentence names, each once, in order."""
    tokens = tokens_of(tree, *types)
    return list(dict.fromkeys(n for token in tokens for n in sentence.names[start_of(token)]))


def _exceptions(tree: Tree[Token], sentence: Masked, number: str) -> Iterator[Statement]:
    cue = leaves(tree)[0]
    before, after = branches(tree)
    form = str(tree.data)
    if form == "list_follows":
        yield stated("exception-list", number, number, cue, sentence)
    elif form == "with_exceptions":
        generals = _named(before, sentence, "REF")
        for general in generals:
            yield stated("exception", number, general, cue, sentence)
        for general in generals or [number]:
            yield stated("exception-list", number, general, cue, sentence)
    elif form in ("is_exception", "exempt_from"):
        is_first = form == "is_exception"
        generals = (
            _first_list(after, sentence) if is_first else _named(after, sentence, "REF", "HEADING")
        )
        for general in generals:
            yield stated("exception", number, general, cue, sentence)
    else:
        for exception in _named(after, sentence, "REF"):
            yield stated("exception", exception, number, cue, sentence)


def _first_list(after: Tree[Token], sentence: Masked) -> list[str]:
    """Return the numbers of the first list after a cue: what a later clause cites is left out."""
    numbers: list[str] = []
    last_end = None
    for token in tokens_of(after, "REF"):
        if last_end is not None and re.search(
            r"[a-z]{4}|[.;(]", sentence.titled[last_end : start_of(token)]
        ):
            break
        numbers += sentence.names[start_of(token)]
        last_end = end_of(token)
    return list(dict.fromkeys(numbers))
