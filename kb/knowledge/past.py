"""What a rule or term was over the releases of the history, looked up by number and release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode

from kb.knowledge.graph import GraphReader
from kb.statements import folded
from kb.vocab import HistoryMinter, P

if TYPE_CHECKING:
    from kb.knowledge.base import KnowledgeBase

_HEIRS = ((P.SPLIT_INTO, "split into"), (P.MERGED_INTO, "merged into"))


@dataclass(frozen=True, slots=True)
class Stretch:
    """A number and text that stood from one release to another; ``until`` is the last of them."""

    number: str
    text: str
    since: str
    until: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Past:
    """A rule over the releases: where it stood, oldest first, and what became of parts of it.

    ``heirs`` are pairs of how (``split into``) and the heir's number in the newest release in
    which it stands.
    """

    iri: str
    stretches: tuple[Stretch, ...]
    heirs: tuple[tuple[str, str, str], ...] = ()

    def number_in(self, place: int) -> str | None:
        """Return the number that it bears in a release, by its place in the history."""
        return next((s.number for s in self.stretches if s.first <= place <= s.last), None)


class PastReader(GraphReader):
    """Looks rules and terms up in the graph of history."""

    def __init__(self, kb: KnowledgeBase) -> None:
        """Read the history of a knowledge base, which may be empty."""
        manifest = kb.store.manifest
        super().__init__(kb.store, HistoryMinter(manifest["base"]).graph)
        self.releases: tuple[str, ...] = tuple(manifest.get("history", ()))

    def of_rule(self, number: str, release: str) -> Past | None:
        """Return the rule that bears a number in a release; None if the history has none."""
        if release not in self.releases:
            return None
        place = self.releases.index(release)
        for version in self.subjects(P.NUMBER, Literal(number)):
            if self._place(version, P.FIRST) <= place <= self._place(version, P.LAST):
                return self.of_identity(self.values(version, P.VERSION_OF)[0].value)
        return None

    def of_identity(self, iri: str) -> Past | None:
        """Return a rule by its IRI over all releases; None if there is none."""
        node = NamedNode(iri)
        stretches = self._stretches([*self.subjects(P.VERSION_OF, node)], P.NUMBER)
        if not stretches:
            return None
        heirs = []
        for prop, how in _HEIRS:
            for heir in self.values(node, prop):
                versions = self._stretches([*self.subjects(P.VERSION_OF, heir)], P.NUMBER)
                heirs += [(how, versions[-1].number, versions[-1].until)] if versions else []
        return Past(iri, stretches, tuple(heirs))

    def of_term(self, name: str) -> tuple[Stretch, ...]:
        """Return the texts that a glossary entry had, oldest first."""
        versions = [*self.subjects(P.NAME_KEY, Literal(folded(name)))]
        return self._stretches(versions, P.NAME)

    def _stretches(self, versions: list[NamedNode], name: P) -> tuple[Stretch, ...]:
        found = []
        for node in versions:
            first, last = self._place(node, P.FIRST), self._place(node, P.LAST)
            number, text = self.text(node, name) or "", self.text(node, P.TEXT) or ""
            since, until = self.releases[first], self.releases[last]
            found.append(Stretch(number, text, since, until, first, last))
        return tuple(sorted(found, key=lambda one: one.first))

    def _place(self, node: NamedNode, prop: P) -> int:
        return int(self.text(node, prop) or 0)
