"""The graph of history → the history that it was made of."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING

from kb.editions.history import History, Identity, Left, TermVersion, Version
from kb.records import Release, RuleNumber
from kb.vocab import C, P

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyoxigraph import Quad

Node = dict[str, list[str]]
"""A node's property IRIs → its values."""


KINDS = (C.RELEASE, C.IDENTITY, C.VERSION, C.STALE, C.TERM_VERSION)
"""The classes of the graph."""


def read_history(quads: Iterable[Quad]) -> History:
    """Return the history that quads in any order were made of."""
    nodes: dict[str, Node] = defaultdict(lambda: defaultdict(list))
    for quad in quads:
        nodes[quad.subject.value][quad.predicate.value].append(quad.object.value)  # type: ignore[union-attr]
    kinds: dict[C, dict[str, Node]] = {kind: {} for kind in KINDS}
    classes = {kind.node.value: kind for kind in KINDS}
    for name, node in nodes.items():
        if (kind := classes.get(_of(node, P.TYPE))) is not None:
            kinds[kind][name] = node
    return history_from(kinds)


def history_from(nodes: Mapping[C, Mapping[str, Node]]) -> History:
    """Return the history that the nodes of its graph, by IRI, were made of, for each of KINDS."""
    releases = sorted(nodes[C.RELEASE].values(), key=lambda n: int(_of(n, P.POSITION)))
    terms = [_term_version(node) for node in nodes[C.TERM_VERSION].values()]
    return History(
        tuple(_release(node) for node in releases),
        _rules(nodes[C.IDENTITY], nodes[C.VERSION], nodes[C.STALE]),
        tuple(sorted(terms, key=lambda term: (term.first, term.key))),
    )


def _rules(
    identities: Mapping[str, Node], nodes: Mapping[str, Node], stale: Mapping[str, Node]
) -> tuple[Identity, ...]:
    """Return the rules in the order in which they came, of one release by their numbers."""
    left: dict[str, list[Left]] = defaultdict(list)
    for name in sorted(stale, key=lambda name: int(_slug(name))):
        left[_of(stale[name], P.PART_OF)].append(_left(stale[name]))
    versions: dict[str, list[Version]] = defaultdict(list)
    for name, node in nodes.items():
        versions[_of(node, P.VERSION_OF)].append(_version(node, tuple(left[name])))
    for every in versions.values():
        every.sort(key=lambda version: version.first)
    came = {
        name: (every[0].first, RuleNumber.parse(every[0].number))
        for name, every in versions.items()
    }
    found = []
    for name in sorted(identities, key=came.__getitem__):
        split = [(heir, "split", came[heir][0]) for heir in _all(identities[name], P.SPLIT_INTO)]
        gone = versions[name][-1].last + 1
        merged = [(heir, "merged", gone) for heir in _all(identities[name], P.MERGED_INTO)]
        heirs = sorted(split + merged, key=lambda heir: (heir[2], heir[1], came[heir[0]]))
        slugs = tuple((_slug(heir), how, place) for heir, how, place in heirs)
        found.append(Identity(_slug(name), tuple(versions[name]), slugs))
    return tuple(found)


def _slug(name: str) -> str:
    return name.rpartition("/")[2]


def _left(node: Node) -> Left:
    right = int(_of(node, P.RIGHT_UNTIL))
    return Left(_of(node, P.CITED_NUMBER), _slug(_of(node, P.MEANT)), right)


def _version(node: Node, left: tuple[Left, ...]) -> Version:
    return Version(
        int(_of(node, P.FIRST)),
        int(_of(node, P.LAST)),
        _of(node, P.NUMBER),
        _of(node, P.TEXT),
        _of(node, P.WORDING),
        tuple(_of(node, P.REFERENCE_KEY).split()),
        _of(node, P.ILLUSTRATION),
        _of(node, P.ILLUSTRATION_WORDING),
        float(_of(node, P.CONFIDENCE)),
        _of(node, P.METHOD),
        left,
    )


def _term_version(node: Node) -> TermVersion:
    return TermVersion(
        _of(node, P.NAME_KEY),
        _of(node, P.NAME),
        int(_of(node, P.FIRST)),
        int(_of(node, P.LAST)),
        _of(node, P.TEXT),
        _of(node, P.WORDING),
        _of(node, P.OBSOLETE) == "true",
    )


def _all(node: Node, prop: P) -> list[str]:
    return node.get(prop.node.value, [])


def _of(node: Node, prop: P) -> str:
    """Return the one value of a property, or nothing."""
    return next(iter(_all(node, prop)), "")


def _release(node: Node) -> Release:
    return Release(
        date.fromisoformat(_of(node, P.EFFECTIVE)),
        _of(node, P.SHA256),
        _of(node, P.ENCODING),
        _of(node, P.EDITION),
        _of(node, P.VARIANT),
        _of(node, P.TITLE),
    )
