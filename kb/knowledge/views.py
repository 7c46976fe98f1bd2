"""What a person sees of one rule or one term, read off the graph."""

from __future__ import annotations

import difflib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from kb.cards.values import name_key
from kb.errors import NotFoundError
from kb.knowledge.graph import GraphReader
from kb.records import RuleNumber
from kb.vocab import C, Minter, P

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.store import OpenStore

_NEAREST = 5


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A rule beside the one shown: its number, text, examples, and what is below it."""

    rule: str
    text: str
    examples: tuple[str, ...] = ()
    children: tuple[Neighbour, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule with its examples, its place, and the references from and to it."""

    release: str
    rule: str
    level: str
    title: str | None
    text: str
    examples: tuple[str, ...]
    parent: Neighbour | None
    children: tuple[Neighbour, ...]
    cites: tuple[str, ...]
    cited_by: tuple[str, ...]
    iri: str

    def as_json(self) -> dict[str, object]:
        """Return the view as ``--format json`` prints it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class TermView:
    """A glossary entry with what it cites and where it leads."""

    release: str
    term: str
    heading: str
    obsolete: bool
    senses: tuple[str, ...]
    examples: tuple[str, ...]
    alias_of: str | None
    replaced_by: str | None
    cites: tuple[str, ...]
    iri: str

    def as_json(self) -> dict[str, object]:
        """Return the view as ``--format json`` prints it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ProblemView:
    """A problem found as a release was read: what and where."""

    kind: str
    message: str
    line: int
    column: int
    excerpt: str

    def as_json(self) -> dict[str, object]:
        """Return the view as ``--format json`` prints it."""
        return asdict(self)


class _Reader(GraphReader):
    """Looks up rules and terms in one release's graph."""

    def __init__(self, store: OpenStore, minter: Minter) -> None:
        super().__init__(store, minter.release)

    def label(self, node: NamedNode) -> str:
        return self.text(node, P.LABEL) or node.value

    def labels(self, nodes: Iterator[NamedNode]) -> tuple[str, ...]:
        """Return labels in the order of the text, glossary entries last."""
        found = {
            self.label(node): (not self.text(node, P.NUMBER), self.position(node)) for node in nodes
        }
        return tuple(sorted(found, key=lambda label: found[label]))

    def part_texts(self, node: NamedNode, kind: C) -> tuple[str, ...]:
        """Return the texts of a node's parts of one class."""
        return tuple(self.text(part, P.TEXT) or "" for part in self.parts(node, kind))

    def neighbour(self, node: NamedNode, depth: int = 0) -> Neighbour:
        """Return a rule as seen from beside, with so many levels below it."""
        below = self.parts(node, C.RULE) if depth else []
        return Neighbour(
            self.label(node),
            self.text(node, P.TITLE) or self.text(node, P.TEXT) or "",
            self.part_texts(node, C.EXAMPLE) if depth else (),
            tuple(self.neighbour(part, depth - 1) for part in below),
        )


def _node(minter: Minter, number: str) -> NamedNode:
    return minter.within(f"section/{number}") if len(number) == 1 else minter.rule(number)


def exists(store: OpenStore, minter: Minter, number: str) -> bool:
    """Tell whether a release has a rule."""
    return _Reader(store, minter).text(_node(minter, number), P.NUMBER) is not None


def nearest(store: OpenStore, minter: Minter, number: RuleNumber) -> tuple[str, ...]:
    """Return the numbers of a release that are nearest to one that it has not."""
    written = _Reader(store, minter).texts(None, P.NUMBER)
    numbers = [RuleNumber.parse(number) for number in written if len(number) > 1]
    family = [n for n in numbers if number.parent and number.parent in (n, n.parent)]
    family = family or [n for n in numbers if n.rule is None or n.chapter == number.chapter]
    family.sort(key=lambda n: abs(_place(n) - _place(number)))
    close = sorted(family[:_NEAREST])
    alike = difflib.get_close_matches(str(number), map(str, numbers), n=1, cutoff=0.9)
    return tuple(dict.fromkeys([*map(str, close), *alike]))


def _place(number: RuleNumber) -> int:
    """Return a place on one line of all numbers, l and o among the letters included."""
    letters = sum(ord(c) - ord("a") + 1 for c in number.letters)
    return (number.chapter * 1000 + (number.rule or 0)) * 100 + letters


def rule_view(store: OpenStore, minter: Minter, number: str) -> RuleView:
    """Return what there is to see of a rule or section.

    Raises:
        NotFoundError: the release has no such section.
    """
    reader, node = _Reader(store, minter), _node(minter, number)
    if reader.text(node, P.NUMBER) is None:
        raise NotFoundError(f"release {minter.release_name} has no section {number}")
    above = next((v for v in reader.values(node, P.PART_OF) if isinstance(v, NamedNode)), None)
    title = reader.text(node, P.TITLE)
    depth = 0 if len(number) == 1 else 2  # a section lists its chapters, a chapter shows all
    return RuleView(
        minter.release_name,
        number,
        reader.text(node, P.LEVEL) or "section",
        title,
        reader.text(node, P.TEXT) or title or "",
        reader.part_texts(node, C.EXAMPLE),
        reader.neighbour(above) if above and reader.text(above, P.NUMBER) else None,
        tuple(reader.neighbour(part, depth) for part in reader.parts(node, C.RULE)),
        reader.labels(v for v in reader.values(node, P.REFERENCES) if isinstance(v, NamedNode)),
        reader.labels(reader.subjects(P.REFERENCES, node)),
        node.value,
    )


def term_view(store: OpenStore, minter: Minter, name: str) -> TermView:
    """Return what there is to see of a glossary entry.

    Raises:
        NotFoundError: the glossary has no such term.
    """
    reader = _Reader(store, minter)
    entries = {}
    for node in reader.subjects(P.TYPE, C.TERM.node):
        for written in (reader.text(node, P.HEADING), reader.text(node, P.NAME)):
            entries[name_key(written or "")] = node
        for part in (reader.text(node, P.NAME) or "").split(", "):
            entries.setdefault(name_key(part), node)
    wanted = name_key(name)
    found = entries.get(wanted)
    if found is None:
        near = difflib.get_close_matches(wanted, entries, n=3, cutoff=0.6)
        raise NotFoundError(
            f"the glossary of release {minter.release_name} has no term {name!r}",
            hint=f"did you mean {', '.join(near)}?" if near else None,
        )
    return _term_view(reader, minter, found)


def _term_view(reader: _Reader, minter: Minter, node: NamedNode) -> TermView:
    leads = {}
    for statement in reader.subjects(P.SUBJECT, node):
        value = reader.values(statement, P.VALUE)[0]
        named = reader.text(value, P.NAME) if isinstance(value, NamedNode) else value.value
        leads[reader.text(statement, P.KIND)] = named
    return TermView(
        minter.release_name,
        reader.text(node, P.NAME) or "",
        reader.text(node, P.HEADING) or "",
        reader.text(node, P.OBSOLETE) == "true",
        tuple(_sense(reader, part) for part in reader.parts(node, C.SENSE)),
        reader.part_texts(node, C.EXAMPLE),
        leads.get("alias"),
        leads.get("replaced-by"),
        reader.labels(v for v in reader.values(node, P.REFERENCES) if isinstance(v, NamedNode)),
        node.value,
    )


def _sense(reader: _Reader, node: NamedNode) -> str:
    number = reader.text(node, P.SENSE_NUMBER)
    return (f"{number}. " if number else "") + (reader.text(node, P.TEXT) or "")


def problem_views(store: OpenStore, minter: Minter) -> tuple[ProblemView, ...]:
    """Return the problems of a release, in the order of its text."""
    reader = _Reader(store, minter)
    nodes = sorted(reader.subjects(P.TYPE, C.PROBLEM.node), key=reader.position)
    return tuple(
        ProblemView(
            reader.text(node, P.KIND) or "",
            reader.text(node, P.MESSAGE) or "",
            int(reader.text(node, P.LINE) or 0),
            int(reader.text(node, P.COLUMN) or 0),
            reader.text(node, P.EXCERPT) or "",
        )
        for node in nodes
    )
