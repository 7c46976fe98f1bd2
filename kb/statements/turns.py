"""Sentences about when: steps and phases, and who gets priority in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.statements.forms import parse, stated
from kb.syntax import tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.records import Statement
    from kb.statements.masked import Masked


def turn_statements(sentence: Masked, number: str) -> Iterator[Statement]:
    """Yield when what a sentence of the rule ``number`` says happens; the first step counts."""
    if (tree := parse(sentence, "timing")) is not None:
        steps = tokens_of(tree, "STEP_NAME", "ANY_STEP")
        if steps:
            first = steps[0]
            name = "any" if first.type == "ANY_STEP" else sentence.words(first).lower()
            yield stated("at", number, name, first, sentence)
    if (tree := parse(sentence, "priority")) is not None:
        cues = tokens_of(tree, "NO_PRIORITY", "STEP_NAME")
        for place, step in enumerate(cues):
            if step.type == "STEP_NAME":
                cue = next(t for t in reversed(cues[:place]) if t.type == "NO_PRIORITY")
                yield stated("no-priority", number, sentence.words(step).lower(), cue, sentence)
