"""Asking in free words: the names that a knowledge base knows, and what its words are about."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from pyoxigraph import Literal

from kb import resources
from kb.cards.concept_glossary import alternatives
from kb.cards.values import name_key
from kb.cards.wordforms import stems
from kb.knowledge.concepts import ConceptIndex
from kb.knowledge.graph import GraphReader
from kb.queries import catalogue
from kb.statements import folded
from kb.vocab import C, HistoryMinter, P

if TYPE_CHECKING:
    from kb.knowledge.base import KnowledgeBase
    from kb.queries.run import Row


class KnownNames:
    """The names of a knowledge base: each is looked up in the graph, none are listed but terms."""

    def __init__(self, kb: KnowledgeBase, release: str | None = None) -> None:
        """Take the names of a release, and of all cards."""
        self._kb, self._release = kb, release
        self._cards = kb.cards

    @cached_property
    def releases(self) -> tuple[str, ...]:
        """The releases of the history, oldest first; without one, those that were published."""
        history: list[str] = self._kb.store.manifest.get("history", [])
        return tuple(history) if history else self.published

    @cached_property
    def published(self) -> tuple[str, ...]:
        """The dates of all releases that were ever published, oldest first."""
        lines = resources.text("rules/releases.tsv").splitlines()
        return tuple(dict.fromkeys(line.split("\t")[0] for line in lines if line[0].isdigit()))

    def card(self, written: str) -> str | None:
        """Return the card that has a name, in any language."""
        key = name_key(written)
        named = self._cards.named(key)
        for node in named:
            name = self._cards.text(node, P.NAME) or ""
            for own in (name, *name.split(" // ")):
                if name_key(own) == key:
                    return own
        return written if named else None

    def keyword(self, written: str) -> str | None:
        """Return the keyword that is meant, as faces have it."""
        wanted = " ".join(written.lower().split())
        for form in (wanted, wanted.removesuffix("s"), wanted.removesuffix("'s")):
            if next(self._cards.subjects(P.KEYWORD, Literal(form)), None) is not None:
                return form
        return None

    @cached_property
    def _concepts(self) -> frozenset[tuple[str, ...]]:
        index = ConceptIndex(self._kb.store, self._kb.minter(self._release))
        return frozenset(filter(None, index.names()))

    def term(self, written: str) -> str | None:
        """Return what names a term, keyword or other concept: the words themselves.

        What it means, the question finds out; “regeneration” is “regenerate”.
        """
        words = stems(written)
        verb = (*words[:-1], words[-1].removesuffix("ion")) if words else ()
        return written if words in self._concepts or verb in self._concepts else None

    def entry(self, written: str) -> str | None:
        """Return the glossary entry, of today or of the past, that has a name."""
        key = folded(written)
        if self._history is None:
            return self._entries.get(stems(written))
        for form in (key, key.removesuffix("s")):
            if next(self._history.subjects(P.NAME_KEY, Literal(form)), None) is not None:
                return form
        return None

    @cached_property
    def _history(self) -> GraphReader | None:
        manifest = self._kb.store.manifest
        if not manifest.get("history"):
            return None
        return GraphReader(self._kb.store, HistoryMinter(manifest["base"]).graph)

    @cached_property
    def _entries(self) -> dict[tuple[str, ...], str]:
        """The glossary of the release, where there is no history."""
        reader = GraphReader(self._kb.store, self._kb.minter(self._release).release)
        nodes = reader.subjects(P.TYPE, C.TERM.node)
        names = [reader.text(node, P.NAME) or "" for node in nodes]
        return {stems(one): folded(one) for name in names for one in alternatives(name)}

    @cached_property
    def _types(self) -> dict[tuple[str, ...], str]:
        rows: Any = self._kb.sparql(
            'SELECT DISTINCT ?name { { ?s mtg:kind "subtypes" ; mtg:subject ?name } UNION'
            ' { ?s mtg:kind "member" ; mtg:subject ?list FILTER(STRENDS(?list, " type"))'
            ' BIND(STRBEFORE(?list, " type") AS ?name) } }',
            self._release,
        )
        # What has a question of its own (“card types”) is no type that has subtypes.
        every = (row["name"].value for row in rows)
        names = [name for name in every if f"{name}-types" not in catalogue()]
        return {stems(name): name for name in names}

    @cache  # noqa: B019 - a knowledge base is asked a question at a time, and few of them
    def answer(self, question: str) -> frozenset[str]:
        """Return the folded words that tell the rows of a question without parameters apart."""
        asked = catalogue()[question]
        named = [name for name, kind in asked.columns if name in asked.key and kind == "name"]
        rows: tuple[Row, ...] = ()
        if named and all(one.default is not None for one in asked.parameters):
            rows = self._kb.ask(question, release=self._release).rows
        return frozenset(
            word for row in rows for name in named for word in stems(str(row[name] or ""))
        )

    def type(self, written: str) -> str | None:
        """Return the type, one that has subtypes, that is meant."""
        return self._types.get(stems(written))
