"""What the quads of one release are written with: its IRIs, its graph, its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Quad

from kb.statements import folded
from kb.vocab import C, Minter, P, keys, slug

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.records import Place, Reading, Rulebook

Value = NamedNode | Literal | str | int | bool | None


class GraphWriter:
    """Turns (subject, property, value) into quads of one graph."""

    def __init__(self, graph: NamedNode) -> None:
        self.graph = graph

    def quads(self, subject: NamedNode, *pairs: tuple[P, Value | C]) -> Iterator[Quad]:
        """Yield a quad for each property that has a value."""
        for prop, value in pairs:
            if value is not None:
                yield Quad(subject, prop.node, object_of(value), self.graph)


class ReleaseWriter(GraphWriter):
    """Writes into a release's graph, with the IRIs of its rules and terms."""

    def __init__(self, reading: Reading, base: str) -> None:
        super().__init__(Minter(reading.rulebook.release.name, base).release)
        self.reading = reading
        self.book: Rulebook = reading.rulebook
        self.mint = Minter(self.book.release.name, base)
        self.rule_keys = list(keys(str(rule.number) for rule in self.book.rules))
        self.term_keys = list(keys(slug(term.name) for term in self.book.terms))
        self.targets = {
            **{str(section.number): self.section(section.number) for section in self.book.sections},
            **{key: self.mint.rule(key) for key in self.rule_keys},
        }
        self.terms = {
            term.name: self.mint.term(key)
            for term, key in zip(self.book.terms, self.term_keys, strict=True)
        }
        self.texts: dict[Place, str] = {}
        self._folded = {folded(name): node for name, node in self.terms.items()}

    def term_of(self, name: str) -> NamedNode | None:
        """Return the IRI of the term of a name, whatever its case, or None."""
        return self._folded.get(folded(name))

    def section(self, number: int) -> NamedNode:
        """Return the IRI of a section."""
        return self.mint.within(f"section/{number}")


def object_of(value: Value | C) -> NamedNode | Literal:
    """Return a value as a term: text, number and truth become literals."""
    if isinstance(value, C):
        return value.node
    if isinstance(value, NamedNode | Literal):
        return value
    return Literal(value)  # type: ignore[arg-type]
