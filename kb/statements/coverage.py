"""How many sentences of each section state something that a form of ours knows."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from kb.statements.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.records import Place, Rule, Statement


def coverage(
    rules: Iterable[tuple[str, Rule]], statements: Iterable[tuple[Place, Statement]]
) -> dict[str, tuple[int, int]]:
    """Return, by a section's digit, the sentences with a statement, and all sentences.

    Args:
        rules: the rules of a release by their keys; headings have no sentences.
        statements: what was read off it, with the place of each.
    """
    stated: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for place, statement in statements:
        if place.kind == "rule":
            stated[place.name].add((statement.span.start, statement.span.end))
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for key, rule in rules:
        if rule.title is None:
            section = counts[str(rule.number.section)]
            section[0] += len(stated[key])
            section[1] += len(sentences(rule.text))
    return {name: (some, every) for name, (some, every) in sorted(counts.items())}
