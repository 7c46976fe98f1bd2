"""What rests on a rule or term: statements read off it, references, rulings, cards."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode

from kb.knowledge.graph import GraphReader
from kb.vocab import CardMinter, P, inferred_graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.knowledge.base import KnowledgeBase

_LOOKED_AT = 20_000  # nodes that speak of a concept; some are on nearly every card


@dataclass(frozen=True, slots=True)
class StatementView:
    """A statement read off a rule's sentence, or inferred; a place in a text as its label."""

    node: str
    kind: str
    subject: str
    value: str
    quote: str
    scope: str | None
    inferred_by: str | None


@dataclass(frozen=True, slots=True)
class RulingFound:
    """A ruling that speaks of what a rule governs."""

    card: str
    card_iri: str
    date: str
    text: str
    key: str


@dataclass(frozen=True, slots=True)
class Resting:
    """The rulings (newest first) and cards that speak of a rule's concepts, as many as asked.

    ``rulings_more`` and ``cards_more`` tell how many there are beside these; ``counted`` is
    false where there are so many that not all were looked at.
    """

    concepts: tuple[str, ...]
    rulings: tuple[RulingFound, ...]
    rulings_more: int
    cards: tuple[tuple[str, str], ...]
    cards_more: int
    counted: bool


class RestingReader:
    """Looks up what rests on the rules and terms of one release."""

    def __init__(self, kb: KnowledgeBase, release: str) -> None:
        """Read a release's graph, what is inferred of it, and the graph of cards."""
        minter = kb.minter(release)
        self.text = GraphReader(kb.store, minter.release)
        self.inferred = GraphReader(kb.store, inferred_graph(minter.release))
        self.cards = GraphReader(kb.store, CardMinter(minter.base).graph)
        self._minter = minter

    def rule(self, key: str) -> NamedNode:
        """Return the IRI of a rule, chapter or (one digit) section."""
        if len(key) == 1:
            return self._minter.within(f"section/{key}")
        return self._minter.rule(key)

    def term(self, key: str) -> NamedNode:
        """Return the IRI of a glossary entry."""
        return self._minter.term(key)

    def label(self, value: NamedNode | Literal) -> str:
        """Return a rule's number, ``glossary:Term``, or words as they are."""
        if isinstance(value, Literal):
            return value.value
        return self.text.text(value, P.LABEL) or value.value

    def references(self, node: NamedNode) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the labels of what a rule or term cites, and of what cites it, in order."""
        out = (v for v in self.text.values(node, P.REFERENCES) if isinstance(v, NamedNode))
        return self._sorted(out), self._sorted(self.text.subjects(P.REFERENCES, node))

    def _sorted(self, nodes: Iterable[NamedNode]) -> tuple[str, ...]:
        found = {}
        for node in nodes:
            label = self.label(node)
            found[label] = (label.startswith("glossary:"), self.text.position(node))
        return tuple(sorted(found, key=lambda label: found[label]))

    def statements(self, node: NamedNode) -> tuple[StatementView, ...]:
        """Return what sentences of a rule or term state, then what is inferred from them."""
        return tuple(self._statements(self.text, node)) + tuple(
            self._statements(self.inferred, node)
        )

    def _statements(self, reader: GraphReader, node: NamedNode) -> Iterator[StatementView]:
        nodes = list(reader.subjects(P.QUOTED_FROM, node))
        nodes.sort(key=lambda one: (reader.position(one), one.value))
        for one in nodes:
            yield StatementView(
                one.value,
                reader.text(one, P.KIND) or "",
                next((self.label(v) for v in reader.values(one, P.SUBJECT)), ""),
                ", ".join(self.label(v) for v in reader.values(one, P.VALUE)),
                reader.text(one, P.QUOTE) or "",
                reader.text(one, P.SCOPE),
                reader.text(one, P.INFERRED_BY),
            )

    def concepts(self, node: NamedNode) -> tuple[str, ...]:
        """Return the keys of what a rule governs."""
        return self.text.texts(node, P.GOVERNS)

    def governing(self, key: str) -> tuple[str, ...]:
        """Return the numbers of the rules that govern a concept."""
        return self._sorted(self.text.subjects(P.GOVERNS, Literal(key)))

    def resting(self, keys: tuple[str, ...], most: int) -> Resting:
        """Return the rulings and cards that speak of concepts, so many of each at the most."""
        rulings: dict[str, tuple[str, str]] = {}
        cards: dict[str, None] = {}
        left = _LOOKED_AT
        for key in keys:
            for node in islice(self.cards.subjects(P.SPEAKS_OF, Literal(key)), left):
                left -= 1
                card, mark, _ = node.value.rpartition("/ruling/")
                if mark:
                    rulings.setdefault(node.value, (card, key))
                else:
                    cards.setdefault(node.value.partition("/face/")[0])
        return Resting(
            keys,
            self._newest(rulings, most),
            max(0, len(rulings) - most),
            tuple(self._named(iri) for iri in islice(cards, most)),
            max(0, len(cards) - most),
            left > 0,
        )

    def _newest(self, rulings: dict[str, tuple[str, str]], most: int) -> tuple[RulingFound, ...]:
        # Dates are looked up for some hundreds only: of a concept that thousands of rulings
        # speak of, the newest of those.
        dated = []
        for iri in islice(rulings, max(300, most)):
            dates = self.cards.texts(NamedNode(iri), P.DATE)
            dated.append((dates[-1] if dates else "", iri))
        dated.sort(reverse=True)
        found: dict[str, RulingFound] = {}
        for date, iri in dated:
            if len(found) >= most:
                break
            text = self.cards.text(NamedNode(iri), P.TEXT) or ""
            card, key = rulings[iri]
            name, path = self._named(card)
            found.setdefault(text, RulingFound(name, path, date, text, key))
        return tuple(found.values())

    def _named(self, iri: str) -> tuple[str, str]:
        return self.cards.text(NamedNode(iri), P.NAME) or "", iri
