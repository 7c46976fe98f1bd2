"""The history of a build's releases: of those read now, and of those that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb.editions.edition import edition_of
from kb.editions.history import History
from kb.rulebook import read_rulebook
from kb.triples.history_read import KINDS, history_from
from kb.triples.read import read_quads
from kb.vocab import PREFIXES, HistoryMinter, Minter, P

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from kb.editions.edition import Edition
    from kb.editions.wording import Wording
    from kb.records import Problem
    from kb.source import Source
    from kb.store import OpenStore
    from kb.triples.history_read import Node
    from kb.vocab import C

_NODES = "SELECT ?node ?property ?value WHERE { ?node a $class ; ?property ?value }"


def edition_in(
    source: Source, worded: Callable[[str], Wording]
) -> tuple[Edition, tuple[Problem, ...]]:
    """Return a release as history sees it, its sentences not read, and what was wrong in it."""
    rulebook, problems = read_rulebook(source)
    return edition_of(rulebook, worded), problems


def kept_history(old: OpenStore, base: str) -> History:
    """Return the history that a knowledge base has; without one, an empty one."""
    if not old.manifest.get("history"):
        return History()
    return history_from({kind: _nodes(old, kind, base) for kind in KINDS})


def _nodes(old: OpenStore, kind: C, base: str) -> dict[str, Node]:
    """Return the nodes of a class in the graph of history."""
    found: dict[str, Node] = {}
    names: dict[Any, str] = {prop.node: prop.node.value for prop in P}
    query = _NODES.replace("$class", str(kind.node))
    rows: Any = old.query(query, default=[HistoryMinter(base).graph], prefixes=PREFIXES)
    for node, prop, value in rows:
        found.setdefault(node.value, {}).setdefault(names[prop], []).append(value.value)
    return found


def kept_editions(old: OpenStore, base: str, without: Container[str]) -> Iterator[Edition]:
    """Yield the releases that a knowledge base has in full, but for those named."""
    for summary in old.manifest["releases"]:
        if summary["edition"] == "official" and summary["name"] not in without:
            quads = old.quads(Minter(summary["name"], base).release)
            yield edition_of(read_quads(quads).rulebook)
