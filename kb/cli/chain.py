"""How a chain of reasons is printed: each premise below what it supports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.cli.output import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.inference import Premise


def chain(fact: Premise, indent: str = "  ") -> Iterator[str]:
    """Yield the lines of a fact and, deeper by a step, of what it was inferred from."""
    said = " → ".join(part for part in (fact.subject, fact.value) if part)
    head = f"{fact.kind}: {said}" if said else fact.kind
    yield wrapped(head, indent + "  ", f"{indent}• ")
    if fact.inferred_by:
        how = f"inferred by {fact.inferred_by}: {fact.because}"
        yield wrapped(how, indent + "    ", indent + "  ")
    elif fact.quote:
        where = f"{fact.source}: " if fact.source else ""
        yield wrapped(f"{where}{fact.quote}", indent + "    ", indent + "  ")
    if fact.because and not fact.inferred_by:
        yield wrapped(fact.because, indent + "    ", indent + "  ")
    for premise in fact.premises:
        yield from chain(premise, indent + "    ")
