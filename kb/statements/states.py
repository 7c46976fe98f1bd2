"""Sentences about outcomes, counters and variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.statements.forms import parse, stated
from kb.statements.lexicon import folded
from kb.syntax import leaves, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.records import Statement
    from kb.statements.masked import Masked

_OUTCOMES = {
    "LOSES_GAME": "lose-game",
    "TO_GRAVEYARD": "graveyard",
    "DESTROYED": "destroy",
    "CEASES": "cease-to-exist",
    "UNATTACHED": "unattach",
    "COUNTERS_REMOVED": "remove-counters",
    "SACRIFICES": "sacrifice",
    "FROM_GAME": "remove-from-game",
    "DESIGNATED": "gain-designation",
    "CHOOSES": "choose",
    "SPEED_SET": "set-speed",
    "TO_COMMAND_ZONE": "command-zone",
    "FACE_DOWN": "turn-face-down",
}


def outcome_statements(sentence: Masked, number: str) -> Iterator[Statement]:
    """Yield the outcomes that a sentence of the rule ``number`` states, each once."""
    tree = parse(sentence, "outcome")
    found = set()
    for cue in tokens_of(tree, *_OUTCOMES) if tree is not None else ():
        outcomes = [_OUTCOMES[cue.type]]
        if cue.type == "DESIGNATED" and cue.lower().startswith("choose"):
            outcomes.append("choose")
        for outcome in outcomes:
            if outcome not in found:
                found.add(outcome)
                yield stated("outcome", number, outcome, cue, sentence)


def counter_statements(sentence: Masked, number: str) -> Iterator[Statement]:
    """Yield the kinds of counters that a sentence of the rule ``number`` speaks of."""
    tree = parse(sentence, "counter")
    kinds = tokens_of(tree, "COUNTER_KIND") if tree is not None else []
    on_player = tree is not None and bool(tokens_of(tree, "OF_A_PLAYER"))
    names = {sentence.words(token).lower().removesuffix("s"): token for token in kinds}
    for name, token in names.items():
        kind = name.replace("−", "-").replace("–", "-")
        scope = "player" if on_player else ""
        yield stated("counter-kind", number, kind, token, sentence, scope=scope)


def variant_of(sentence: Masked) -> str:
    """Return the variant that a sentence is about, in small letters, or nothing."""
    return next((s.value for s in variant_statements(sentence, "")), "")


def variant_statements(sentence: Masked, number: str) -> Iterator[Statement]:
    """Yield the variant that a sentence of the rule ``number`` speaks of."""
    tree = parse(sentence, "variant")
    if tree is not None:
        cue, name = leaves(tree)
        yield stated("variant", number, folded(sentence.words(name)), cue, sentence)
