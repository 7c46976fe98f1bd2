"""A history → the quads of its graph; two histories → what differs.

The graph has each text once for as long as it stood, not each release whole: a version says
from which release to which, by their places in the order of dates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Quad

from kb.triples.writer import GraphWriter
from kb.vocab import BASE, C, HistoryMinter, Minter, P, keys, slug

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kb.editions.history import History, Identity, TermVersion, Version

_XSD = "http://www.w3.org/2001/XMLSchema#"
_DATE, _DECIMAL = NamedNode(_XSD + "date"), NamedNode(_XSD + "decimal")
_HEIRS = {"split": P.SPLIT_INTO, "merged": P.MERGED_INTO}


def history_quads(
    history: History,
    base: str = BASE,
    old: History | None = None,
    full: Collection[str] = (),
) -> Iterator[Quad]:
    """Yield the quads of the graph of history; given an old one, only of what differs from it.

    A rule or a term that is the same in both, or a version of it, is left out. The rules of
    the releases that are there in ``full``, by name, are linked to those of the history.
    """
    w, mint = GraphWriter(HistoryMinter(base).graph), HistoryMinter(base)
    yield from _releases(w, history, base)
    before = {identity.slug: identity for identity in old.rules} if old else {}
    for identity in history.rules:
        if identity != before.get(identity.slug):
            yield from _identity(w, mint, identity, before.get(identity.slug))
    yield from _terms(w, mint, history, old)
    for place, release in enumerate(history.releases):
        if release.name in full:
            yield from _linked(w, mint, history, place, Minter(release.name, base))


def _linked(
    w: GraphWriter, mint: HistoryMinter, history: History, place: int, release: Minter
) -> Iterator[Quad]:
    """Yield which rule over all releases each rule of one release is."""
    for identity in history.rules:
        for version in identity.versions:
            if version.first <= place <= version.last:
                node = release.rule(version.number)
                yield from w.quads(node, (P.VERSION_OF, mint.rule(identity.slug)))


def _releases(w: GraphWriter, history: History, base: str) -> Iterator[Quad]:
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


def _identity(
    w: GraphWriter, mint: HistoryMinter, identity: Identity, old: Identity | None
) -> Iterator[Quad]:
    node = mint.rule(identity.slug)
    yield from w.quads(
        node,
        (P.TYPE, C.IDENTITY),
        (P.FIRST, identity.versions[0].first),
        (P.LAST, identity.versions[-1].last),
    )
    for heir, how, _ in identity.heirs:
        yield from w.quads(node, (_HEIRS[how], mint.rule(heir)))
    # A version's quads speak of the one before it as well.
    same = _same(identity.versions, old.versions if old else ())
    before: tuple[NamedNode, str] | None = None
    for ordinal, version in enumerate(identity.versions, 1):
        own = mint.below(node, "version", ordinal)
        if ordinal <= same:
            before = own, version.wording
            continue
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
            (P.ILLUSTRATION_WORDING, version.shown),
            (P.REFERENCE_KEY, " ".join(version.references)),
            (P.CONFIDENCE, Literal(str(version.confidence), datatype=_DECIMAL)),
            (P.METHOD, version.method or None),
            (P.REVISION_OF, before[0] if before else None),
            (P.EDITED, before[1] != version.wording if before else None),
        )
        before = own, version.wording
        for nth, left in enumerate(version.left, 1):
            yield from w.quads(
                mint.below(own, "stale", nth),
                (P.TYPE, C.STALE),
                (P.PART_OF, own),
                (P.CITED_NUMBER, left.number),
                (P.MEANT, mint.rule(left.meant)),
                (P.RIGHT_UNTIL, left.right),
            )


def _same(versions: tuple[Version, ...], old: tuple[Version, ...]) -> int:
    """Return how many versions from the first on are as they were."""
    count = 0
    for one, other in zip(versions, old, strict=False):
        if one != other:
            break
        count += 1
    return count


def _terms(
    w: GraphWriter, mint: HistoryMinter, history: History, old: History | None
) -> Iterator[Quad]:
    """Yield the versions of terms, each with how it came, and where it went."""
    same = set(_standing(old)) if old else set()
    for key, version, came, removed in _standing(history):
        if (key, version, came, removed) not in same:
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
                (P.CHANGE, came),
                (P.REMOVED_IN, removed),
            )


def _standing(history: History) -> Iterator[tuple[str, TermVersion, str | None, int | None]]:
    """Yield each version of a term with its key, how it came, and in which release it is gone."""
    ends = {(version.key, version.last): version for version in history.terms}
    begins = {(version.key, version.first) for version in history.terms}
    newest = len(history.releases) - 1
    for version, key in zip(history.terms, keys(slug(v.name) for v in history.terms), strict=True):
        is_gone = version.last < newest and (version.key, version.last + 1) not in begins
        came = _came(version, ends.get((version.key, version.first - 1)))
        yield key, version, came, version.last + 1 if is_gone else None


def _came(version: TermVersion, before: TermVersion | None) -> str | None:
    """Return how a version came; what the first release has counts as added by it.

    None stands for one that differs from the last in typography or in a reference's number.
    """
    if before is None:
        return "added"
    if version.obsolete and not before.obsolete:
        return "obsolete"
    same = (version.wording, version.obsolete) == (before.wording, before.obsolete)
    return None if same else "changed"
