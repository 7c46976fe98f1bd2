"""Sentences of keyword sections: kinds of abilities, quoted meanings, several instances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.statements.forms import parse, stated
from kb.statements.lexicon import folded
from kb.syntax import branches, leaves, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.records import Statement
    from kb.statements.masked import Masked

_SHAPES = {"QUOTED_TRIGGERED": "triggered", "QUOTED_ACTIVATED": "activated"}


def keyword_statements(sentence: Masked, number: str) -> Iterator[Statement]:
    """Yield what a sentence of the rule ``number`` states of a keyword."""
    if (tree := parse(sentence, "ability_kind")) is not None:
        cues = tokens_of(tree, "KIND_IS", "KIND_TOO")
        if cues and cues[0].type == "KIND_IS":
            for cue in cues:
                kind = str(cue).lower().split()[-2]
                yield stated("ability-kind", number, kind, cue, sentence)
    if (tree := parse(sentence, "meaning")) is not None:
        cue = leaves(tree)[0]
        for token in leaves(tree)[1:]:
            if token.type.startswith("QUOTED"):
                yield stated("meaning", number, _SHAPES.get(token.type, "other"), cue, sentence)
    if (tree := parse(sentence, "instances")) is not None:
        cue = leaves(tree)[1]
        between = branches(tree)[1]
        words = " ".join(sentence.words(token) for token in tokens_of(between))
        yield stated(str(tree.data), number, folded(words.rstrip(",")), cue, sentence)
