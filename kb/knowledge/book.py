"""A release as one reads it: every rule and glossary entry, in order, in memory.

Pages show a rule among its neighbours, and look many numbers up for each. One pass over a
release's graph, or over the versions that stood in it by the history, makes that a matter of
dictionaries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kb.errors import NotFoundError
from kb.records import RuleNumber
from kb.vocab import PREFIXES, HistoryMinter, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyoxigraph import NamedNode

    from kb.knowledge.base import KnowledgeBase

SECTION, CHAPTER = "section", "chapter"

_RULES = """
SELECT ?node ?number ?level ?title ?text ?place ?above
WHERE { ?node mtg:number ?number ; mtg:position ?place
  OPTIONAL { ?node mtg:level ?level } OPTIONAL { ?node dcterms:title ?title }
  OPTIONAL { ?node mtg:text ?text } OPTIONAL { ?node dcterms:isPartOf ?above } }"""
_EXAMPLES = """
SELECT ?rule ?text ?place
WHERE { ?example a mtg:Example ; dcterms:isPartOf ?rule ; mtg:text ?text ; mtg:position ?place }"""
_TERMS = """
SELECT ?node ?name ?heading ?obsolete ?place
WHERE { ?node a mtg:Term ; mtg:name ?name ; mtg:position ?place
  OPTIONAL { ?node mtg:heading ?heading } OPTIONAL { ?node mtg:obsolete ?obsolete } }"""
_SENSES = """
SELECT ?term ?text ?number ?place
WHERE { ?sense a mtg:Sense ; dcterms:isPartOf ?term ; mtg:text ?text ; mtg:position ?place
  OPTIONAL { ?sense mtg:senseNumber ?number } }"""
_VERSIONS = """
SELECT ?number ?text ?shown
WHERE { ?v a mtg:Version ; mtg:number ?number ; mtg:text ?text ; mtg:first ?first ; mtg:last ?last
  OPTIONAL { ?v mtg:illustration ?shown } FILTER(?first <= PLACE && PLACE <= ?last) }"""
_TERM_VERSIONS = """
SELECT ?name ?text ?obsolete
WHERE { ?v a mtg:TermVersion ; mtg:name ?name ; mtg:text ?text ; mtg:first ?first ; mtg:last ?last
  OPTIONAL { ?v mtg:obsolete ?obsolete } FILTER(?first <= PLACE && PLACE <= ?last) }"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A section, chapter, rule or subrule; ``key`` is what its IRI ends with."""

    key: str
    number: str
    level: str
    title: str | None
    text: str
    examples: tuple[str, ...] = ()
    above: str | None = None


@dataclass(frozen=True, slots=True)
class TermEntry:
    """A glossary entry: its senses with their numbers, its examples."""

    key: str
    name: str
    heading: str
    obsolete: bool
    senses: tuple[str, ...]
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Book:
    """A release: its rules by key, in order, and its glossary; ``full`` if it has a graph."""

    release: str
    full: bool
    entries: Mapping[str, Entry]
    terms: Mapping[str, TermEntry]
    below: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)

    @cached_property
    def sections(self) -> tuple[Entry, ...]:
        """The sections; of a release that is known by its history alone, there are none."""
        return tuple(entry for entry in self.entries.values() if entry.level == SECTION)

    @cached_property
    def chapters(self) -> tuple[Entry, ...]:
        """The chapters, in order."""
        return tuple(entry for entry in self.entries.values() if entry.level == CHAPTER)

    @cached_property
    def _order(self) -> tuple[tuple[str, ...], Mapping[str, int]]:
        keys = tuple(key for key, entry in self.entries.items() if entry.level != SECTION)
        return keys, {key: place for place, key in enumerate(keys)}

    def get(self, number: str) -> Entry | None:
        """Return a rule by its key or number, or None if the release has none."""
        return self.entries.get(number)

    def entry(self, key: str) -> Entry:
        """Return a rule by its key.

        Raises:
            NotFoundError: the release has no such rule.
        """
        found = self.entries.get(key)
        if found is None:
            raise NotFoundError(f"release {self.release} has no rule {key}")
        return found

    def chapter_of(self, entry: Entry) -> Entry | None:
        """Return the chapter that a rule stands in; None for a section."""
        return self.entries.get(entry.number.partition(".")[0])

    def section_of(self, entry: Entry) -> Entry | None:
        """Return the section that a rule stands in."""
        return self.entries.get(entry.number[0])

    def beside(self, entry: Entry) -> tuple[Entry | None, Entry | None]:
        """Return what stands before and after: of a chapter, chapters; of a rule, any rule."""
        if entry.level in (SECTION, CHAPTER):
            row = self.sections if entry.level == SECTION else self.chapters
            place = row.index(entry)
            before, after = row[place - 1] if place else None, row[place + 1 : place + 2]
            return before, after[0] if after else None
        keys, places = self._order
        place = places[entry.key]
        after_key = keys[place + 1] if place + 1 < len(keys) else None
        return (
            self.entries[keys[place - 1]] if place else None,
            self.entries[after_key] if after_key else None,
        )


def full_book(kb: KnowledgeBase, release: str) -> Book:
    """Read a release that is there in full.

    Raises:
        NotFoundError: there is no such release.
    """
    minter = kb.minter(release)
    examples = _in_order(_rows(kb, _EXAMPLES, minter.release), "rule")
    entries = {}
    rules = _rows(kb, _RULES, minter.release)
    for row in sorted(rules, key=lambda row: (row["level"] is not None, int(row["place"]))):
        key = row["node"].rpartition("/")[2]
        above = (row["above"] or "").rpartition("/")[2]
        entries[key] = Entry(
            key,
            row["number"],
            row["level"] or SECTION,
            row["title"],
            row["text"] or row["title"] or "",
            examples.get(row["node"], ()),
            above if above != minter.release_name else None,
        )
    senses = _in_order(_rows(kb, _SENSES, minter.release), "term")
    terms = {}
    for row in sorted(_rows(kb, _TERMS, minter.release), key=lambda row: int(row["place"])):
        key = row["node"].rpartition("/")[2]
        terms[key] = TermEntry(
            key,
            row["name"],
            row["heading"] or row["name"],
            row["obsolete"] == "true",
            senses.get(row["node"], ()),
            examples.get(row["node"], ()),
        )
    return Book(minter.release_name, True, entries, terms, _below(entries.values()))  # noqa: FBT003


def past_book(kb: KnowledgeBase, release: str) -> Book:
    """Read a release off the history, which has its rules and terms but no section titles.

    Raises:
        NotFoundError: the history has no such release.
    """
    name = kb.in_history(release)
    place = str(kb.store.manifest["history"].index(name))
    graph = HistoryMinter(kb.store.manifest["base"]).graph
    stood = _rows(kb, _VERSIONS.replace("PLACE", place), graph)
    entries = {}
    for row in sorted(stood, key=lambda row: RuleNumber.parse(row["number"])):
        number = RuleNumber.parse(row["number"])
        level = CHAPTER if number.rule is None else "subrule" if number.letters else "rule"
        title = row["text"] if level == CHAPTER else None
        shown = tuple(filter(None, (row["shown"] or "").split("\n")))
        above = str(number.parent) if number.parent else row["number"][0]
        entries[row["number"]] = Entry(
            row["number"], row["number"], level, title, row["text"], shown, above
        )
    words = _rows(kb, _TERM_VERSIONS.replace("PLACE", place), graph)
    terms = {
        slug(row["name"]): TermEntry(
            slug(row["name"]), row["name"], row["name"], row["obsolete"] == "true", (row["text"],)
        )
        for row in sorted(words, key=lambda row: row["name"].lower())
    }
    return Book(name, False, entries, terms, _below(entries.values()))  # noqa: FBT003


def _rows(kb: KnowledgeBase, query: str, graph: NamedNode) -> list[dict[str, Any]]:
    solutions: Any = kb.store.query(query, default=[graph], prefixes=PREFIXES)
    names = [variable.value for variable in solutions.variables]
    return [
        {name: None if row[name] is None else row[name].value for name in names}
        for row in solutions
    ]


def _in_order(rows: list[dict[str, Any]], of: str) -> dict[str, tuple[str, ...]]:
    """Return the texts of each, in order, with the number that a sense has."""
    found: dict[str, list[str]] = {}
    for row in sorted(rows, key=lambda row: int(row["place"])):
        number = f"{row['number']}. " if row.get("number") else ""
        found.setdefault(row[of], []).append(number + row["text"])
    return {key: tuple(texts) for key, texts in found.items()}


def _below(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.above:
            found.setdefault(entry.above, []).append(entry)
    return {key: tuple(parts) for key, parts in found.items()}
