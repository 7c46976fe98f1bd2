"""The quads of a release's graph → the Reading that they were written from."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from kb.records import (
    Block,
    Citation,
    Example,
    Paragraph,
    Place,
    Problem,
    Reading,
    Release,
    Rule,
    Rulebook,
    RuleNumber,
    Section,
    Sense,
    Span,
    Statement,
    Term,
)
from kb.vocab import C, P

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyoxigraph import Quad


class _Node:
    """A subject with its values by property."""

    def __init__(self, iri: str) -> None:
        self.iri = iri
        self.values: dict[str, list[object]] = defaultdict(list)

    def all(self, prop: P) -> list[str]:
        return [value.value for value in self.values.get(prop.node.value, [])]  # type: ignore[attr-defined]

    def text(self, prop: P) -> str:
        return self.all(prop)[0]

    def maybe(self, prop: P) -> str | None:
        return next(iter(self.all(prop)), None)

    def number(self, prop: P) -> int:
        return int(self.text(prop))

    def flag(self, prop: P) -> bool:
        return self.text(prop) == "true"

    def paragraphs(self, *, text: str | None = None) -> tuple[Paragraph, ...]:
        lines = (self.text(P.TEXT) if text is None else text).split("\n")
        spans = (Span(*map(int, pair.split("-"))) for pair in self.text(P.SPANS).split())
        return tuple(Paragraph(line, span) for line, span in zip(lines, spans, strict=True))


class _Graph:
    """The nodes of a graph by class, each in the order of the text."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self.nodes: dict[str, _Node] = {}
        for quad in quads:
            iri = str(getattr(quad.subject, "value", quad.subject))
            node = self.nodes.setdefault(iri, _Node(iri))
            node.values[quad.predicate.value].append(quad.object)
        self.classes: dict[str, list[_Node]] = defaultdict(list)
        self.parts: dict[tuple[str, str], list[_Node]] = defaultdict(list)
        for node in self.nodes.values():
            for kind in node.all(P.TYPE):
                self.classes[kind].append(node)
        for kind, nodes in self.classes.items():
            if all(P.POSITION.node.value in node.values for node in nodes):
                nodes.sort(key=lambda node: node.number(P.POSITION))
            for node in nodes:
                for whole in node.all(P.PART_OF):
                    self.parts[whole, kind].append(node)

    def of(self, kind: C) -> list[_Node]:
        return self.classes.get(kind.node.value, [])

    def below(self, node: _Node, kind: C) -> list[_Node]:
        return self.parts.get((node.iri, kind.node.value), [])


def read_quads(quads: Iterable[Quad]) -> Reading:
    """Read a release's graph back.

    Raises:
        ValueError: the quads are not those of one release.
    """
    graph = _Graph(quads)
    if len(graph.of(C.RELEASE)) != 1:
        raise ValueError("not the graph of one release")
    rulebook = Rulebook(
        _release(graph.of(C.RELEASE)[0]),
        tuple(
            Section(node.number(P.NUMBER), node.text(P.TITLE), _heading(node, P.TITLE))
            for node in graph.of(C.SECTION)
        ),
        tuple(_rule(graph, node) for node in graph.of(C.RULE)),
        tuple(_term(graph, node) for node in graph.of(C.TERM)),
        tuple(Block(node.text(P.KIND), node.paragraphs()[0]) for node in graph.of(C.BLOCK)),
    )
    return Reading(
        rulebook, tuple(_citations(graph)), tuple(_statements(graph)), tuple(_problems(graph))
    )


def _heading(node: _Node, prop: P) -> Paragraph:
    return node.paragraphs(text=node.text(prop))[0]


def _release(node: _Node) -> Release:
    return Release(
        date.fromisoformat(node.text(P.EFFECTIVE)),
        node.text(P.SHA256),
        node.text(P.ENCODING),
        node.text(P.EDITION),
        node.text(P.VARIANT),
        node.text(P.TITLE),
    )


def _examples(graph: _Graph, node: _Node) -> tuple[Example, ...]:
    return tuple(Example(below.paragraphs()) for below in graph.below(node, C.EXAMPLE))


def _rule(graph: _Graph, node: _Node) -> Rule:
    return Rule(
        RuleNumber.parse(node.text(P.NUMBER)),
        node.paragraphs(),
        _examples(graph, node),
        node.maybe(P.TITLE),
    )


def _term(graph: _Graph, node: _Node) -> Term:
    senses = tuple(
        Sense(
            int(number) if (number := below.maybe(P.SENSE_NUMBER)) else None,
            below.paragraphs(),
            below.flag(P.OBSOLETE),
        )
        for below in graph.below(node, C.SENSE)
    )
    return Term(
        _heading(node, P.HEADING),
        node.text(P.NAME),
        senses,
        _examples(graph, node),
        node.flag(P.OBSOLETE),
    )


def _place(iri: str, example: str | None = None) -> Place:
    *_, kind, name = iri.split("/")
    return Place(kind, name, int(example.rpartition("/")[2]) if example else 0)


def _citations(graph: _Graph) -> Iterator[tuple[Place, Citation]]:
    for node in graph.of(C.CITATION):
        yield (
            _place(node.text(P.CITED_IN), node.maybe(P.IN_EXAMPLE)),
            Citation(
                node.text(P.TEXT),
                Span(node.number(P.START), node.number(P.END)),
                tuple(sorted(node.all(P.CITED_NUMBER), key=_number_order)),
                node.text(P.FORM),
                node.maybe(P.QUOTED_TITLE),
            ),
        )


def _number_order(number: str) -> RuleNumber:
    return RuleNumber(int(number)) if len(number) == 1 else RuleNumber.parse(number)


def _statements(graph: _Graph) -> Iterator[tuple[Place, Statement]]:
    def name(node: _Node, prop: P) -> str:
        value = node.values[prop.node.value][0]
        if not isinstance(value, NamedNode):
            return value.value  # type: ignore[attr-defined, no-any-return]
        entity = graph.nodes[value.value]
        return entity.maybe(P.NUMBER) or entity.text(P.NAME)

    for node in graph.of(C.STATEMENT):
        yield (
            _place(node.text(P.QUOTED_FROM)),
            Statement(
                node.text(P.KIND),
                name(node, P.SUBJECT),
                name(node, P.VALUE),
                node.text(P.CUE),
                node.text(P.QUOTE),
                Span(node.number(P.START), node.number(P.END)),
                node.maybe(P.SCOPE) or "",
            ),
        )


def _problems(graph: _Graph) -> Iterator[Problem]:
    for node in graph.of(C.PROBLEM):
        yield Problem(
            node.text(P.KIND),
            node.text(P.MESSAGE),
            node.number(P.LINE),
            node.number(P.COLUMN),
            node.text(P.EXCERPT),
        )
