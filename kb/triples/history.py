"""A history → the quads of its graph, and back to the editions that it was made of.

The graph has each wording once for as long as it stood, not each release whole: a version
says from which release to which, by their places in the order of dates.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Quad

from kb.editions.history import edition
from kb.records import Release, RuleNumber
from kb.triples.writer import GraphWriter
from kb.vocab import BASE, C, HistoryMinter, Minter, P, keys, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.editions.history import Edition, History, Identity, TermVersion

_XSD = "http://www.w3.org/2001/XMLSchema#"
_DATE, _DECIMAL = NamedNode(_XSD + "date"), NamedNode(_XSD + "decimal")
_HEIRS = {"split": P.SPLIT_INTO, "merged": P.MERGED_INTO}


def history_quads(history: History, base: str = BASE) -> Iterator[Quad]:
    """Yield the quads of the graph of history."""
    w = GraphWriter(HistoryMinter(base).graph)
    for place, release in enumerate(history.releases):
        yield from w.quads(
            Minter(release.name, base).release,
            (P.TYPE, C.RELEASE),
            (P.NAME, release.name),
            (P.EFFECTIVE, Literal(release.effective.isoformat(), datatype=_DATE)),
            (P.SHA256, release.sha256),
            (P.ENCODING, release.encoding),
            (P.EDITION, release.edition),
            (P.VARIANT, release.variant),
            (P.TITLE, release.title),
            (P.POSITION, place),
        )
    for identity in history.rules:
        yield from _identity(w, HistoryMinter(base), identity)
    yield from _terms(w, HistoryMinter(base), history)


def _identity(w: GraphWriter, mint: HistoryMinter, identity: Identity) -> Iterator[Quad]:
    node = mint.rule(identity.slug)
    yield from w.quads(node, (P.TYPE, C.IDENTITY))
    for heir, how, _ in identity.heirs:
        yield from w.quads(node, (_HEIRS[how], mint.rule(heir)))
    before: tuple[NamedNode, str] | None = None
    for ordinal, version in enumerate(identity.versions, 1):
        own = mint.below(node, "version", ordinal)
        yield from w.quads(
            own,
            (P.TYPE, C.VERSION),
            (P.VERSION_OF, node),
            (P.NUMBER, version.number),
            (P.TEXT, version.text),
            (P.WORDING, version.wording),
            (P.ILLUSTRATION, version.illustration or None),
            (P.FIRST, version.first),
            (P.LAST, version.last),
            (P.REFERENCE_CHANGES, version.references),
            (P.EXAMPLE_CHANGES, version.examples),
            (P.CONFIDENCE, Literal(str(version.confidence), datatype=_DECIMAL)),
            (P.METHOD, version.method or None),
            (P.REVISION_OF, before[0] if before else None),
            (P.EDITED, before[1] != version.wording if before else None),
        )
        before = own, version.wording


def _terms(w: GraphWriter, mint: HistoryMinter, history: History) -> Iterator[Quad]:
    """Yield the versions of terms, each with how it came, and where it went."""
    ends = {(version.key, version.last): version for version in history.terms}
    begins = {(version.key, version.first) for version in history.terms}
    newest = len(history.releases) - 1
    for version, key in zip(history.terms, keys(slug(v.name) for v in history.terms), strict=True):
        is_gone = version.last < newest and (version.key, version.last + 1) not in begins
        yield from w.quads(
            mint.term_version(key),
            (P.TYPE, C.TERM_VERSION),
            (P.NAME, version.name),
            (P.NAME_KEY, version.key),
            (P.TEXT, version.text),
            (P.WORDING, version.wording),
            (P.OBSOLETE, version.obsolete),
            (P.FIRST, version.first),
            (P.LAST, version.last),
            (P.CHANGE, _came(version, ends.get((version.key, version.first - 1)))),
            (P.REMOVED_IN, version.last + 1 if is_gone else None),
        )


def _came(version: TermVersion, before: TermVersion | None) -> str:
    """Return how a version came; what the first release has counts as added by it."""
    if before is None:
        return "added"
    return "obsolete" if version.obsolete and not before.obsolete else "changed"


def read_editions(quads: Iterable[Quad]) -> list[Edition]:
    """Return the editions that a graph of history was made of."""
    nodes: dict[str, dict[str, str]] = {}
    for quad in quads:
        named = nodes.setdefault(quad.subject.value, {})  # type: ignore[union-attr]
        named[quad.predicate.value] = quad.object.value  # type: ignore[union-attr]
    kinds: dict[str, list[dict[str, str]]] = {}
    for node in nodes.values():
        kinds.setdefault(node.get(P.TYPE.node.value, ""), []).append(node)
    releases = sorted(kinds.get(C.RELEASE.node.value, ()), key=lambda n: int(_of(n, P.POSITION)))
    return [
        edition(
            _release(node),
            (
                (RuleNumber.parse(_of(v, P.NUMBER)), _of(v, P.TEXT), _of(v, P.ILLUSTRATION))
                for v in kinds.get(C.VERSION.node.value, ())
                if _covers(v, place)
            ),
            (
                (_of(v, P.NAME), _of(v, P.TEXT), _of(v, P.OBSOLETE) == "true")
                for v in kinds.get(C.TERM_VERSION.node.value, ())
                if _covers(v, place)
            ),
        )
        for place, node in enumerate(releases)
    ]


def _of(node: dict[str, str], prop: P) -> str:
    return node.get(prop.node.value, "")


def _covers(node: dict[str, str], place: int) -> bool:
    return int(_of(node, P.FIRST)) <= place <= int(_of(node, P.LAST))


def _release(node: dict[str, str]) -> Release:
    return Release(
        date.fromisoformat(_of(node, P.EFFECTIVE)),
        _of(node, P.SHA256),
        _of(node, P.ENCODING),
        _of(node, P.EDITION),
        _of(node, P.VARIANT),
        _of(node, P.TITLE),
    )
