"""What follows from the releases of a store: each by itself, with what rulings state."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from kb.inference import infer
from kb.vocab import C, CardMinter, Minter, P

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pyoxigraph import BlankNode, Quad, Store, Triple

    Subject = NamedNode | BlankNode | Triple


def inferred_quads(store: Store, releases: list[dict[str, Any]], base: str) -> Iterator[Quad]:
    """Yield what is inferred of each release, and note how much in its summary."""
    stated = list(_rulings(store, CardMinter(base).graph))
    for summary in releases:
        release = Minter(summary["name"], base).release
        asserted = store.quads_for_pattern(None, None, None, release)
        inferred = infer(chain(asserted, stated), release)
        summary["inferred"] = len(inferred.quads)
        yield from inferred.quads


def _rulings(store: Store, cards: NamedNode) -> Iterator[Quad]:
    """Yield what rulings state, with the ruling's dates and place, and its card's name."""
    of_statements = store.quads_for_pattern(None, P.TYPE.node, C.STATEMENT.node, cards)
    rulings: dict[NamedNode, None] = {}
    for quad in list(of_statements):
        yield from store.quads_for_pattern(quad.subject, None, None, cards)
        rulings |= dict.fromkeys(_objects(store, quad.subject, P.QUOTED_FROM, cards))
    named: dict[NamedNode, None] = {}
    for ruling in rulings:
        for prop in (P.DATE, P.POSITION, P.RULING_ON):
            yield from store.quads_for_pattern(ruling, prop.node, None, cards)
        named |= dict.fromkeys(_objects(store, ruling, P.RULING_ON, cards))
    for card in named:
        yield from store.quads_for_pattern(card, P.NAME.node, None, cards)


def _objects(store: Store, subject: Subject, prop: P, graph: NamedNode) -> list[NamedNode]:
    found = store.quads_for_pattern(subject, prop.node, None, graph)
    return [quad.object for quad in found if isinstance(quad.object, NamedNode)]
