"""Quads of one release → what follows from them, to a fixpoint.

Each rule is a SPARQL 1.1 CONSTRUCT over the release's graph, what was inferred so far, and
what rulings state. A derived statement's IRI is made from what it says, so that the same
fact is one node whatever order it is found in, and running again adds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode, Quad, QueryTriples, Store

from kb.errors import ShippedFileError
from kb.inference.rules import inference_rules, strata
from kb.vocab import PREFIXES, inferred_graph

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.inference.rules import InferenceRule

MOST_ROUNDS = 40
"""A stratum that is not done after so many rounds feeds itself for ever."""

MOST_QUADS = 1_000_000
"""More than any release can give: 69 of them give under 40,000 each."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """What was inferred: the quads, and how many each rule was the first to give."""

    quads: frozenset[Quad]
    by_rule: tuple[tuple[str, int], ...]


def infer(
    facts: Iterable[Quad],
    release: NamedNode,
    rules: Iterable[InferenceRule] | None = None,
) -> Inferred:
    """Return what follows from a release's quads.

    Args:
        facts: the quads of the release's graph, and of other graphs that rules may read.
        release: the release's IRI, which is its graph's name.
        rules: the rules; those that ship with mtgkb if left out.

    Raises:
        ShippedFileError: a rule runs away: it gives something new in every round, or too much.
    """
    store = Store()
    store.bulk_extend(facts)
    graphs = [graph for graph in store.named_graphs() if isinstance(graph, NamedNode)]
    target = inferred_graph(release)
    given: dict[str, int] = {}
    for stratum in strata(inference_rules() if rules is None else rules):
        _run(store, stratum, graphs, target, given)
    found = frozenset(store.quads_for_pattern(None, None, None, target))
    return Inferred(found, tuple(sorted(given.items())))


def _run(
    store: Store,
    stratum: tuple[InferenceRule, ...],
    graphs: list[NamedNode],
    target: NamedNode,
    given: dict[str, int],
) -> None:
    """Run the rules of a stratum until none gives anything new."""
    feeds_itself = any(one.makes & other.uses for one in stratum for other in stratum)
    fresh: dict[str, int] = {}
    for _ in range(MOST_ROUNDS):
        fresh = {rule.id: _apply(store, rule, graphs, target) for rule in stratum}
        for name, count in fresh.items():
            given[name] = given.get(name, 0) + count
            if given[name] > MOST_QUADS:
                raise _runaway(name, f"it gave over {MOST_QUADS:,} triples")
        if not any(fresh.values()) or not feeds_itself:
            return
    most = max(fresh, key=lambda name: fresh[name])
    raise _runaway(most, f"it still gives something new after {MOST_ROUNDS} rounds")


def _apply(store: Store, rule: InferenceRule, graphs: list[NamedNode], target: NamedNode) -> int:
    """Add what a rule gives to the target graph, and return how much of it is new."""
    quads = _constructed(store, rule, [*graphs, target], target)
    fresh = [quad for quad in quads if quad not in store]
    store.extend(fresh)
    return len(fresh)


def _constructed(
    store: Store, rule: InferenceRule, graphs: list[NamedNode], target: NamedNode
) -> set[Quad]:
    """Return what a rule gives of the graphs, each triple as a quad of the target."""
    triples = store.query(rule.sparql, prefixes=PREFIXES, default_graph=[*graphs])
    if not isinstance(triples, QueryTriples):
        raise ShippedFileError(
            "an inference rule is no CONSTRUCT", where=f"queries/infer/{rule.id}.rq"
        )
    return {Quad(t.subject, t.predicate, t.object, target) for t in triples}


def _runaway(name: str, why: str) -> ShippedFileError:
    return ShippedFileError(
        "an inference rule runs away", where=f"queries/infer/{name}.rq", why=why
    )
