"""Linked data: the address of a thing → its description, or where to look instead.

An address is the graph's IRI below the base, whatever the host. A thing is described by its own
triples, those of its parts (whose IRIs are below its own), and what leads to it. What stands for
a thing over all releases (``id/rule/…``, ``id/term/…``, ``id/card/…``) leads to its newest version.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from pyoxigraph import NamedNode, Quad, RdfFormat, Triple, parse, serialize

from kb import resources as shipped
from kb.errors import NotFoundError, UsageError
from kb.records import RuleNumber
from kb.vocab import PREFIXES, C, CardMinter, HistoryMinter, P
from kb.web import plain, twins
from kb.web.formats import GRAPHS, HTML, JSON, PAGES, with_charset
from kb.web.frames import Reply
from kb.web.historic import History
from kb.web.negotiate import preferred

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.knowledge import KnowledgeBase

LINKS = 500
"""How many triples of others that lead to a thing are on one page of it."""


@dataclass(frozen=True, slots=True)
class Description:
    """The triples that describe a thing, and how many more lead to it than are shown."""

    triples: tuple[Triple, ...]
    leading: int


def page(kb: KnowledgeBase, request: dict[str, Any]) -> Reply:
    """Answer an address with a description in the form that the client likes best.

    Raises:
        NotFoundError: there is no such thing.
    """
    path = below_base(kb, request["path"])
    media = request["media"] or preferred(request["accept"], PAGES)
    if media is None:
        problem = UsageError("none of the forms asked for is there", hint=", ".join(PAGES))
        return Reply(406, problem=problem.as_json())
    elsewhere = _elsewhere(kb, path)
    if elsewhere:
        status, target = elsewhere
        return Reply(status, headers={"Location": _located(kb, target, request)})
    node, description = _described(kb, path, request["offset"])
    headers = {"Link": _links(request, description)}
    return Reply(200, with_charset(media), _body(kb, path, node, description, media), headers)


def below_base(kb: KnowledgeBase, path: str) -> str:
    """Return the part of an address that follows the base's own path."""
    own = urlsplit(kb.base).path
    return path[len(own) :] if path.startswith(own) else path.lstrip("/")


def _located(kb: KnowledgeBase, target: str, request: dict[str, Any]) -> str:
    """Return where a thing is on this server, with the suffix that was asked for."""
    own: str = urlsplit(kb.base).path
    prefix = own if request["path"].startswith(own) else "/"
    return f"{prefix}{target}{request['suffix']}"


def spellings(path: str) -> tuple[str, ...]:
    """Return a path as it is and with the characters escaped that an IRI of ours escapes."""
    parts = [unquote(part) for part in path.split("/")]
    with_colon = "/".join(quote(part, safe=":") for part in parts)
    return tuple(dict.fromkeys((path, with_colon, "/".join(quote(p, safe="") for p in parts))))


def _node(kb: KnowledgeBase, path: str) -> NamedNode | None:
    """Return the node of the graph that a path names."""
    for spelling in spellings(path):
        try:
            node = NamedNode(kb.base + spelling)
        except ValueError:
            continue
        if next(iter(kb.store.graph.quads_for_pattern(node, None, None, None)), None):
            return node
    return None


def _elsewhere(kb: KnowledgeBase, path: str) -> tuple[int, str] | None:
    """Return the status and path of a redirect, if the address is another thing's name."""
    parts = path.split("/")
    if parts[0] == "cr" and len(parts) > 1:
        return _release_elsewhere(kb, parts)
    if parts[0] == "id" and len(parts) == 3:  # noqa: PLR2004 - id, kind, name
        if parts[1] == "card" and (node := _node(kb, path)):
            return 303, f"card/{node.value.rpartition('/')[2]}"
        if parts[1] in ("rule", "term"):
            found = _newest(kb, parts[1], path)
            return (303, found) if found else None
    if parts[0] == "card" and len(parts) == 2 and not _node(kb, f"id/{path}"):  # noqa: PLR2004
        card = kb.cards.find(unquote(parts[1])).value
        return 302, f"card/{card.rpartition('/')[2]}"
    return None


def _release_elsewhere(kb: KnowledgeBase, parts: list[str]) -> tuple[int, str] | None:
    name, rest = parts[1], parts[2:]
    if name == "latest":
        return 302, "/".join(["cr", kb.release_name(), *rest])
    if rest[:1] == ["rule"] and len(rest) == 2 and not _node(kb, "/".join(parts)):  # noqa: PLR2004
        try:
            number = str(RuleNumber.understand(unquote(rest[1])))
        except ValueError:
            return None
        if number != rest[1]:
            return 302, f"cr/{name}/rule/{number}"
    return None


def _newest(kb: KnowledgeBase, kind: str, path: str) -> str | None:
    """Return the path of the newest version of a rule or term."""
    node = _node(kb, path)
    versions = kb.store.graph.quads_for_pattern(None, P.VERSION_OF.node, node, None) if node else ()
    iris = {quad.subject.value for quad in versions if isinstance(quad.subject, NamedNode)}
    for summary in reversed(kb.releases):
        start = f"{kb.base}cr/{summary['name']}/"
        for iri in sorted(iris):
            if iri.startswith(start):
                return iri.removeprefix(kb.base)
    history = History(kb)
    return history.newest_rule(iris) if kind == "rule" else history.newest_term(path)


def _described(kb: KnowledgeBase, path: str, offset: int) -> tuple[NamedNode, Description]:
    """Describe the thing at a path: of the graph, of a release of the history, or our vocabulary.

    Raises:
        NotFoundError: there is none.
    """
    if path == "ns":
        triples = parse(shipped.text("rules/vocabulary.ttl").encode(), RdfFormat.TURTLE)
        found = tuple(Triple(q.subject, q.predicate, q.object) for q in triples)
        return NamedNode(PREFIXES["mtg"].rstrip("#")), Description(found, 0)
    node = _node(kb, f"id/{path}" if path.startswith("card/") else path)
    history = History(kb).described(path, alone=node is None)
    if node is None and not history:
        raise NotFoundError(f"there is no {unquote(path)[:200]!r} here", hint=_hint(kb, path))
    if node is None:
        return NamedNode(kb.base + path), Description(history, 0)
    description = describe(kb, node, offset)
    return node, Description((*description.triples, *history), description.leading)


def _hint(kb: KnowledgeBase, path: str) -> str | None:
    """Return what is near: the error of a person's question for the same thing has it."""
    parts = path.split("/")
    full = {summary["name"] for summary in kb.releases}
    if parts[0] == "cr" and len(parts) > 1 and parts[1] not in {*History(kb).names, *full}:
        return "the releases are listed at /cr"
    if parts[1:2] and parts[1] not in full:
        return None
    if len(parts) == 4 and parts[0] == "cr" and parts[2] == "rule":  # noqa: PLR2004
        try:
            kb.rule(unquote(parts[3]), parts[1])
        except (NotFoundError, UsageError) as error:
            return error.hint
    return None


def describe(kb: KnowledgeBase, node: NamedNode, offset: int = 0) -> Description:
    """Return a thing's triples, those of its parts, and what leads to it, a page of it."""
    store = kb.store.graph
    found: dict[Triple, None] = {}

    def own(subject: NamedNode) -> None:
        for quad in store.quads_for_pattern(subject, None, None, None):
            found[_triple(quad)] = None

    own(node)
    leading = sorted(
        {_triple(quad) for quad in store.quads_for_pattern(None, None, node, None)}, key=str
    )
    for triple in leading[offset : offset + LINKS]:
        found[triple] = None
        if isinstance(triple.subject, NamedNode) and _is_part(triple.subject, node):
            own(triple.subject)
    return Description(tuple(found), max(0, len(leading) - offset - LINKS))


def _is_part(part: NamedNode, whole: NamedNode) -> bool:
    """Tell whether a node is one that only its whole has: its citation, statement, face, ruling."""
    rest = part.value.removeprefix(whole.value + "/")
    return rest != part.value and not rest.startswith(("rule/", "term/", "section/", "inferred/"))


def _triple(quad: Quad) -> Triple:
    return Triple(quad.subject, quad.predicate, quad.object)


def _links(request: dict[str, Any], description: Description) -> str:
    path = quote(request["path"], safe="/:%~")
    links = [f'<{path}.{name}>; rel="alternate"; type="{m}"' for name, m in twins.SUFFIXED]
    if description.leading:
        following = request["offset"] + LINKS
        links.append(f'<{path}{request["suffix"]}?offset={following}>; rel="next"')
    return ", ".join(links)


def _body(
    kb: KnowledgeBase, path: str, node: NamedNode, description: Description, media: str
) -> bytes:
    if media in GRAPHS:
        return serialize(description.triples, format=GRAPHS[media], prefixes=PREFIXES) or b""
    if media == JSON:
        content = twins.twin(kb, path, node, description.triples)
        return json.dumps(content, ensure_ascii=False).encode()
    assert media == HTML
    return plain.page(kb.base, node, description.triples).encode()


def things(kb: KnowledgeBase) -> Iterator[NamedNode]:
    """Yield one thing of each kind that the graph has: examples for a description."""
    for kind in (C.RELEASE, C.RULE, C.TERM, C.CARD, C.VERSION):
        quads = kb.store.graph.quads_for_pattern(None, P.TYPE.node, kind.node, None)
        quad = next(iter(quads), None)
        if quad is not None and isinstance(quad.subject, NamedNode):
            yield quad.subject


def graphs(kb: KnowledgeBase) -> tuple[NamedNode, ...]:
    """Return the names of all graphs that hold anything."""
    every = (*kb.graph_names(), HistoryMinter(kb.base).graph, CardMinter(kb.base).graph)
    return tuple(g for g in dict.fromkeys(every) if next(iter(kb.store.quads(g)), None))
