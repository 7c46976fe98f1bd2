"""An open knowledge base and what can be asked of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from pyoxigraph import Literal, NamedNode

from kb import inference, queries, vocab
from kb.errors import NotFoundError, QueryError, UsageError
from kb.knowledge import views
from kb.knowledge import written as written_as
from kb.knowledge.cards import CardIndex
from kb.knowledge.concepts import ConceptIndex
from kb.knowledge.once import Once
from kb.queries.run import ANY, check_parameters
from kb.statements import folded
from kb.store import open_store
from kb.vocab import BASE, CardMinter, HistoryMinter, Minter, inferred_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    import rdflib
    from pyoxigraph import QueryBoolean, QuerySolutions, QueryTriples

    from kb.asking import Choice
    from kb.identify import Index, ParagraphMatches
    from kb.knowledge.cards import CardView
    from kb.queries import Answer, Parameter
    from kb.search import Found, Searcher
    from kb.store import OpenStore

_PLACE = re.compile(r"error at (\d+):(\d+): ")


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """A knowledge base open for reading; safe to share between threads."""

    store: OpenStore
    _index: Once[Index] = field(default_factory=Once, init=False, repr=False, compare=False)
    _searchers: dict[str, Searcher] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def open(cls, folder: Path, generation: str | None = None) -> KnowledgeBase:
        """Open the knowledge base in a folder; its newest generation, or one that is held.

        Raises:
            StoreError: there is none, or it cannot be opened.
        """
        return cls(open_store(folder, generation))

    def close(self) -> None:
        """Give the store's files up."""
        if index := self._index.made:
            index.close()
        self.store.close()

    @property
    def releases(self) -> tuple[dict[str, Any], ...]:
        """The summaries of the releases, newest last, official ones after the concise one."""
        return tuple(self.store.manifest["releases"])

    def release_name(self, asked: str | None = None) -> str:
        """Return the name of a release: the newest, or the one that a date or name means.

        Raises:
            NotFoundError: there is no such release; the hint lists those there are.
        """
        names: list[str] = [summary["name"] for summary in self.releases]
        if asked in (None, "latest"):
            return names[-1]
        matches = [name for name in names if name == asked] or [
            summary["name"]
            for summary in self.releases
            if asked in (summary["effective"], summary["edition"])
        ]
        if not matches:
            raise NotFoundError(
                f"no release {asked} here",
                where=str(self.store.folder),
                hint=f"it has {written_as.listed(names)}; add one: mtgkb build --add FILE",
            )
        return matches[-1]

    def minter(self, release: str | None) -> Minter:
        """Return what mints the IRIs of a release, by its name or date; the newest if None."""
        return Minter(self.release_name(release), self._base)

    @property
    def _base(self) -> str:
        base: str = self.store.manifest.get("base", BASE)
        return base

    @property
    def base(self) -> str:
        """The base of all its IRIs."""
        return self._base

    def _default_graphs(self, release: NamedNode) -> tuple[NamedNode, ...]:
        return (release, inferred_graph(release), CardMinter(self._base).graph)

    @property
    def cards(self) -> CardIndex:
        """The cards of the knowledge base."""
        return CardIndex(self.store, self._base)

    def card(self, written: str) -> CardView:
        """Return a card by a name in any language, the start of one, or its oracle id.

        Raises:
            NotFoundError: there is none; the hint names the nearest.
            UsageError: several cards are meant.
        """
        return self.cards.view(written)

    def rule(self, written: str, release: str | None = None) -> views.RuleView:
        """Return a chapter, rule, subrule or section with what is around it.

        Args:
            written: a number as people write it (``CR 704.5g.``); a section is its digit.
            release: a release's name or date; the newest if left out.

        Raises:
            UsageError: it is no rule number.
            NotFoundError: the release has no such rule; the hint names the nearest.
        """
        minter = self.minter(release)
        return views.rule_view(self.store, minter, written_as.number(self.store, minter, written))

    def term(self, name: str, release: str | None = None) -> views.TermView:
        """Return a glossary entry, whatever the case of its name.

        Raises:
            NotFoundError: the glossary has no such term; the hint names the nearest.
        """
        return views.term_view(self.store, self.minter(release), name)

    def ask(
        self,
        question: str,
        parameters: Mapping[str, str] | None = None,
        release: str | None = None,
    ) -> Answer:
        """Answer a question of the catalogue.

        Raises:
            NotFoundError: there is no such question, release or rule.
            UsageError: a parameter is unknown, missing or no value of its type.
        """
        asked = queries.question(question)
        minter = self.minter(release)
        values = check_parameters(asked, parameters or {})
        if "GRAPH ?history" in asked.sparql:
            self.in_history("latest")  # without a history its answer would be empty, not unknown
        for parameter in asked.parameters:
            values[parameter.name] = self._meant(parameter, values[parameter.name], minter)
        return queries.run(asked, values, minter.release_name, self._select(minter))

    def understand(self, text: str, release: str | None = None) -> Choice:
        """Return which question of the catalogue free words mean, with its parameters."""
        from kb.asking import choose  # noqa: PLC0415 - only free words need it
        from kb.knowledge.asking import KnownNames  # noqa: PLC0415

        return choose(text, KnownNames(self, release))

    def _select(self, minter: Minter) -> Callable[[str], QuerySolutions]:
        return self._selecting(self._default_graphs(minter.release))

    def _selecting(self, graphs: tuple[NamedNode, ...]) -> Callable[[str], QuerySolutions]:
        def select(sparql: str) -> QuerySolutions:
            return self.store.query(sparql, default=graphs)  # type: ignore[return-value]

        return select

    def _select_past(self) -> Callable[[str], QuerySolutions]:
        return self._selecting((HistoryMinter(self._base).graph,))

    def explain(self, node: str, release: str | None = None) -> inference.Premise | None:
        """Return why a statement, citation or rule is in the graph, down to the sentences.

        Of a version of a rule, it is the releases that it stood in, and how it was linked.

        Args:
            node: its IRI, as an answer's ``because`` has it.
            release: a release's name or date; the newest if left out.
        """
        found = inference.explain(self._select(self.minter(release)), node)
        return found or inference.explain_past(self._select_past(), node)

    def why(
        self, subject: str, predicate: str, value: str, release: str | None = None
    ) -> tuple[inference.Reason, ...]:
        """Return why a triple is in the graph.

        Args:
            subject: a rule's number, a prefixed name or an IRI.
            predicate: a prefixed name (``mtg:exceptionTo``) or an IRI.
            value: as ``subject``, or any other words, which are a literal.
            release: a release's name or date; the newest if left out.

        Raises:
            NotFoundError: the release, or the triple, is not there.
            UsageError: the predicate is no name of the vocabulary and no IRI.
        """
        minter = self.minter(release)
        meant = partial(written_as.node, self.store, minter)
        nodes = (meant(subject), meant(predicate))
        if not all(isinstance(node, NamedNode) for node in nodes):
            raise UsageError(
                f"{subject!r} or {predicate!r} is no rule, no prefixed name and no IRI",
                hint="mtgkb why RULE dcterms:references RULE",
            )
        select = self._select(minter)
        found: list[inference.Reason] = []
        for node in dict.fromkeys((meant(value), Literal(value))):
            found = found or inference.reasons(select, *nodes, str(node))  # type: ignore[arg-type]
        if not found:
            raise NotFoundError(
                "there is no such triple",
                where=minter.release_name,
                hint=f"what there is of it: mtgkb sparql 'SELECT * {{ {nodes[0]} ?p ?o }}'",
            )
        return tuple(found)

    def _meant(self, parameter: Parameter, value: str, minter: Minter) -> str:
        """Return the rule, card, concept or release that a parameter's value means."""
        read: dict[str, Callable[[], str]] = {
            "RuleNumber": lambda: written_as.rule_or_entry(self.store, minter, value),
            "Card": lambda: self.cards.find(value).value,
            "Keyword": lambda: self.cards.keyword(value),
            "Concept": lambda: "\n".join(ConceptIndex(self.store, minter).meant(value)),
            "Words": lambda: folded(value),
            "Name": lambda: folded(value).replace("-", " "),
            "Number": lambda: written_as.written_number(value),
            "Release": lambda: self.in_history(value),
        }
        if parameter.type not in read or value == parameter.default == ANY:
            return value
        return read[parameter.type]()

    def in_history(self, value: str) -> str:
        """Return the name of a release of the history, by its name or date.

        Raises:
            NotFoundError: the history has no such release.
        """
        return written_as.in_history(self.store, value)

    def search(  # noqa: PLR0913 - each is a setting of the command
        self,
        query: str,
        *,
        kinds: Collection[str] = ("rule",),
        section: str | None = None,
        card: str | None = None,
        limit: int = 10,
        release: str | None = None,
    ) -> Found:
        """Search by concept: the hits of a query, best first, each with why it is one.

        Args:
            query: words, a question, a rule's number, a phrase in quotes, ``begin*``.
            kinds: what to look for: ``rule``, ``example``, ``term``, ``ruling``, ``card``.
            section: a section's digit or a chapter: only rules and examples in it.
            card: a card's name: only rules that govern it, its rulings, itself.
            limit: how many hits there are at the most.
            release: a release's name or date; the newest if left out.

        Raises:
            NotFoundError: there is no such release.
            StoreError: the knowledge base was built without an index.
            UsageError: a kind, the section, the card or the limit is none.
        """
        return self.searcher(release).search(query, kinds, section, card, limit)

    def searcher(self, release: str | None = None) -> Searcher:
        """Return what searches a release, opened once.

        Raises:
            NotFoundError: there is no such release.
            StoreError: the knowledge base was built without an index.
        """
        from kb.search import Searcher  # noqa: PLC0415 - only a search needs it

        name = self.release_name(release)
        if name not in self._searchers:
            self._searchers[name] = Searcher(self.store, name, self._base)
        return self._searchers[name]

    def identify(
        self, text: str, progress: Callable[[str, int, int], None] = lambda *_: None
    ) -> tuple[tuple[ParagraphMatches, ...], str | None]:
        """Return what each paragraph of a text quotes, and the release that it all is from.

        The texts of every release of the history, and all rulings, are looked through. Their
        index is made at the first use of a knowledge base, kept in its folder where that can
        be written, and held by this object.

        Args:
            text: any.
            progress: called with what is done, how much, and of how much.

        Raises:
            StoreError: the index was damaged while it was read.
        """
        from kb.identify import identify, page_release  # noqa: PLC0415 - slow to import
        from kb.knowledge.kept import open_index  # noqa: PLC0415

        index = self._index.get(lambda: open_index(self.store, self._base, progress))
        found = identify(text, index)
        names = self.store.manifest.get("history") or [r["name"] for r in self.releases]
        return found, page_release(found, names)

    def sparql(
        self,
        text: str,
        release: str | None = None,
        dataset: tuple[Sequence[NamedNode], Sequence[NamedNode]] | None = None,
    ) -> QuerySolutions | QueryTriples | QueryBoolean:
        """Run a SPARQL query; its default graph is one release with its inferences.

        Prefixes of the vocabulary need not be declared. A query that names graphs by FROM
        chooses its own default graph; a dataset, the graphs of the default graph and those that
        GRAPH sees, goes before both.

        Raises:
            QueryError: it is malformed, writes, or calls another service.
        """
        queries.refuse_unsafe(text)
        minter = self.minter(release)
        own = None if queries.has_dataset_clause(text) else self._default_graphs(minter.release)
        default, named = dataset or (own, None)
        try:
            return self.store.query(
                text,
                default=default,
                named=named,
                base=minter.base,
                prefixes=vocab.PREFIXES,
            )
        except SyntaxError as error:
            place = _PLACE.match(str(error.msg))  # the engine has it in its words alone
            raise QueryError(
                "the query is malformed",
                where="query",
                why=str(error.msg),
                line=int(place[1]) if place else error.lineno,
                column=int(place[2]) if place else error.offset,
            ) from error

    def graph(self, release: str | None = None) -> rdflib.Graph:
        """Return a release's graph as an rdflib Graph over the store, read-only."""
        from oxrdflib import OxigraphStore  # noqa: PLC0415 - rdflib takes long to import
        from rdflib import Graph, URIRef  # noqa: PLC0415

        name = URIRef(self.minter(release).release.value)
        return Graph(store=OxigraphStore(store=self.store.graph), identifier=name)

    def problems(self, release: str | None = None) -> tuple[views.ProblemView, ...]:
        """Return the problems that were found as the release was read."""
        return views.problem_views(self.store, self.minter(release))

    def graph_names(self, release: str | None = None) -> tuple[NamedNode, ...]:
        """Return the graphs of a release that hold anything, or of all if none is named."""
        names = [release] if release else [summary["name"] for summary in self.releases]
        every = (self._default_graphs(self.minter(name).release) for name in names)
        graphs = dict.fromkeys(graph for some in every for graph in some)
        return tuple(g for g in graphs if next(iter(self.store.quads(g)), None) is not None)
