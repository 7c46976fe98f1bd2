"""Looking values up in one named graph: what the views of rules, terms and cards share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode

from kb.vocab import P

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.store import OpenStore
    from kb.vocab import C


class GraphReader:
    """Reads one graph of a store, by subject and by value."""

    def __init__(self, store: OpenStore, graph: NamedNode) -> None:
        """Read a graph, named by its IRI."""
        self.store, self.graph = store.graph, graph

    def values(self, subject: NamedNode | None, prop: P) -> list[NamedNode | Literal]:
        """Return the values that a subject, or any if it is None, has of a property."""
        quads = self.store.quads_for_pattern(subject, prop.node, None, self.graph)
        return [quad.object for quad in quads]  # type: ignore[misc]

    def texts(self, subject: NamedNode | None, prop: P) -> tuple[str, ...]:
        """Return a property's values as texts, sorted."""
        return tuple(sorted(value.value for value in self.values(subject, prop)))

    def text(self, subject: NamedNode, prop: P) -> str | None:
        """Return the value of a property that has one at the most."""
        return next((value.value for value in self.values(subject, prop)), None)

    def subjects(self, prop: P, value: NamedNode | Literal) -> Iterator[NamedNode]:
        """Yield the subjects that have a value."""
        for quad in self.store.quads_for_pattern(None, prop.node, value, self.graph):
            if isinstance(quad.subject, NamedNode):
                yield quad.subject

    def position(self, node: NamedNode) -> int:
        """Return the place of a node among those of its class."""
        return int(self.text(node, P.POSITION) or 0)

    def is_a(self, node: NamedNode, kind: C) -> bool:
        """Tell whether a node is of a class."""
        return kind.node in self.values(node, P.TYPE)

    def parts(self, node: NamedNode, kind: C, prop: P = P.PART_OF) -> list[NamedNode]:
        """Return the nodes of one class that lead to a node, in order."""
        found = (part for part in self.subjects(prop, node) if self.is_a(part, kind))
        return sorted(found, key=self.position)
