"""Sentences of permission, prohibition, requirement and definition, and some of one form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.statements.forms import cues_of, parse, stated
from kb.syntax import branches, leaves, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.records import Statement
    from kb.statements.masked import Masked

_MODAL = {"CANNOT": "prohibition", "MUST": "requirement", "MAY": "permission"}
_DEFINITION = {"IS_CALLED": "called", "REFERS_TO": "means"}


def plain_statements(sentence: Masked, number: str) -> Iterator[Statement]:
    """Yield what a sentence of the rule ``number`` permits, forbids, requires or defines."""
    for family, kinds in (("modal", _MODAL), ("definition", _DEFINITION)):
        if (tree := parse(sentence, family)) is not None:
            for cue in cues_of(tree, family, sentence):
                if cue.before and cue.after:
                    yield stated(kinds[cue.type], cue.before, cue.after, cue.token, sentence)
    if (tree := parse(sentence, "stack")) is not None:
        quantity = "some" if sentence.text.startswith(("Some ", "The following ")) else "all"
        yield stated("no-stack", number, quantity, leaves(tree)[0], sentence)
    if (tree := parse(sentence, "look_back")) is not None:
        yield stated("looks-back", number, "past", leaves(tree)[0], sentence)
    if (tree := parse(sentence, "only")) is not None:
        after = tokens_of(branches(tree)[1])
        value = " ".join(sentence.words(token) for token in after).rstrip(". ")
        yield stated("only", number, value, leaves(tree)[0], sentence)
