"""Releases that are in the history alone: what a number or a term was in one of them.

The history keeps a rule that stood untouched once, from its first to its last release; so an
address in an old release is answered from the version that stood in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode, Triple

from kb.vocab import C, HistoryMinter, P, slug

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.knowledge import KnowledgeBase


class History:
    """The history of an open knowledge base, read by release."""

    def __init__(self, kb: KnowledgeBase) -> None:
        """Read the history of a knowledge base, which may have none."""
        self._kb = kb
        self._graph = HistoryMinter(kb.base).graph
        self.names: list[str] = kb.store.manifest.get("history", [])

    def _one(self, subject: NamedNode, prop: P) -> str | None:
        quads = self._kb.store.graph.quads_for_pattern(subject, prop.node, None, self._graph)
        return next((quad.object.value for quad in quads), None)  # type: ignore[union-attr]

    def _subjects(self, prop: P, value: NamedNode | Literal) -> list[NamedNode]:
        quads = self._kb.store.graph.quads_for_pattern(None, prop.node, value, self._graph)
        found = {quad.subject for quad in quads if isinstance(quad.subject, NamedNode)}
        return sorted(found, key=lambda node: node.value)

    def _stood(self, version: NamedNode, place: int) -> bool:
        first, last = self._one(version, P.FIRST), self._one(version, P.LAST)
        return first is not None and last is not None and int(first) <= place <= int(last)

    def version(self, release: str, kind: str, key: str) -> NamedNode | None:
        """Return the version of a rule or glossary entry that stood in a release."""
        if release not in self.names:
            return None
        place = self.names.index(release)
        if kind == "rule":
            found = self._subjects(P.NUMBER, Literal(key))
        else:
            found = self._term_versions(key)
        return next((version for version in found if self._stood(version, place)), None)

    def _term_versions(self, key: str) -> list[NamedNode]:
        """Return the versions of the term whose name reads so in an IRI."""
        store = self._kb.store.graph
        first = HistoryMinter(self._kb.base).term_version(key)
        shared = self._one(first, P.NAME_KEY)
        if shared is not None:
            return self._subjects(P.NAME_KEY, Literal(shared))
        quads = store.quads_for_pattern(None, P.TYPE.node, C.TERM_VERSION.node, self._graph)
        versions = [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]
        return [v for v in versions if slug(self._one(v, P.NAME) or "") == key]

    def described(self, path: str, *, alone: bool) -> tuple[Triple, ...]:
        """Return what the history says of an address in a release; nothing if it does not.

        ``alone`` says that nothing else is known of it, so that its text is needed too.
        """
        parts = path.split("/")
        if parts[0] != "cr" or len(parts) not in (2, 4) or parts[1] not in self.names:
            return ()
        node = NamedNode(self._kb.base + path)
        if len(parts) == 2:  # noqa: PLR2004 - cr, release
            return self._copied(node, node) if alone else ()
        version = self.version(parts[1], parts[2], unquote(parts[3]))
        if version is None:
            return ()
        release = NamedNode(f"{self._kb.base}cr/{parts[1]}")
        kind = C.RULE if parts[2] == "rule" else C.TERM
        named = self._named(node, version, release, kind) if alone else ()
        return (*named, *self._versions(node, version))

    def _copied(self, source: NamedNode, target: NamedNode) -> tuple[Triple, ...]:
        quads = self._kb.store.graph.quads_for_pattern(source, None, None, self._graph)
        return tuple(Triple(target, quad.predicate, quad.object) for quad in quads)

    def _named(
        self, node: NamedNode, version: NamedNode, release: NamedNode, kind: C
    ) -> tuple[Triple, ...]:
        """Return what a rule or term of an old release has in common with its version."""
        found = [
            Triple(node, P.TYPE.node, kind.node),
            Triple(node, P.PART_OF.node, release),
        ]
        for prop in (P.NUMBER, P.NAME, P.TEXT):
            value = self._one(version, prop)
            if value is not None:
                found.append(Triple(node, prop.node, Literal(value)))
        return tuple(found)

    def _versions(self, node: NamedNode, version: NamedNode) -> tuple[Triple, ...]:
        """Return a version's triples, its rule's, and that the node is another name of it."""
        found = [
            Triple(node, P.ALTERNATE_OF.node, version),
            *self._copied(version, version),
        ]
        identity = self._one(version, P.VERSION_OF)
        if identity is not None:
            found.append(Triple(node, P.VERSION_OF.node, NamedNode(identity)))
            found += self._copied(NamedNode(identity), NamedNode(identity))
        return tuple(found)

    def as_json(self, release: str, kind: str, key: str) -> dict[str, object] | None:
        """Return what is known of a number or term of an old release, or None."""
        version = self.version(release, kind, key)
        if version is None:
            return None
        first, last = (int(self._one(version, p) or 0) for p in (P.FIRST, P.LAST))
        quads = self._kb.store.graph.quads_for_pattern(
            version, P.ILLUSTRATION.node, None, self._graph
        )
        identity = self._one(version, P.VERSION_OF)
        return {
            "release": release,
            kind: self._one(version, P.NUMBER if kind == "rule" else P.NAME),
            "text": self._one(version, P.TEXT) or "",
            "examples": sorted(quad.object.value for quad in quads),  # type: ignore[union-attr]
            "since": self.names[first],
            "until": self.names[last],
            "now": self._now(kind, identity, key),
            "identity": identity,
            "version": version.value,
            "iri": f"{self._kb.base}cr/{release}/{kind}/{key}",
        }

    def _now(self, kind: str, identity: str | None, key: str) -> dict[str, str] | None:
        """Return the newest number of a rule, or name of a term, if it still stands."""
        if identity is not None:
            versions = self._subjects(P.VERSION_OF, NamedNode(identity))
        else:
            versions = self._term_versions(key)
        newest = self._last(versions)
        if newest is None or newest[0] != len(self.names) - 1:
            return None
        name = self._one(newest[1], P.NUMBER if kind == "rule" else P.NAME)
        return {"release": self.names[-1], kind: name or ""}

    def _last(self, versions: Iterable[NamedNode]) -> tuple[int, NamedNode] | None:
        places = [
            (int(place), version.value)
            for version in versions
            if (place := self._one(version, P.LAST)) is not None
        ]
        return (max(places)[0], NamedNode(max(places)[1])) if places else None

    def newest_rule(self, versions: Iterable[str]) -> str | None:
        """Return the path of the last number that a rule had."""
        found = self._last(NamedNode(version) for version in versions)
        if found is None:
            return None
        return f"cr/{self.names[found[0]]}/rule/{self._one(found[1], P.NUMBER)}"

    def newest_term(self, path: str) -> str | None:
        """Return the path of a term (``id/term/…``) in the last release that had it."""
        key = unquote(path.rpartition("/")[2])
        found = self._last(self._term_versions(key))
        return f"cr/{self.names[found[0]]}/term/{key}" if found else None
