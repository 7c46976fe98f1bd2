"""The JSON twin of each page: the views that the command line prints, and lists in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode

from kb.errors import NotFoundError
from kb.queries import catalogue
from kb.vocab import PREFIXES, P
from kb.web.formats import NAMES
from kb.web.historic import History

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyoxigraph import Triple

    from kb.knowledge import KnowledgeBase
    from kb.web.limits import Limits

SUFFIXED = tuple((name, NAMES[name]) for name in ("ttl", "jsonld", "nt", "json"))
MOST_AT_ONCE = 1000
AT_ONCE = 100

_RULES = """SELECT ?number ?level ?title ?text ?iri WHERE {
  ?iri a mtg:Rule ; mtg:number ?number ; mtg:level ?level ; mtg:text ?text ; mtg:position ?place .
  OPTIONAL { ?iri dcterms:title ?title } } ORDER BY ?place"""
_TERMS = """SELECT ?name ?text ?iri WHERE {
  ?iri a mtg:Term ; mtg:name ?name ; mtg:text ?text ; mtg:position ?place } ORDER BY ?place"""
_CARDS = """SELECT ?name ?iri WHERE {
  ?iri a mtg:Card ; mtg:name ?name } ORDER BY ?name ?iri"""


def paged(rows: Sequence[Any], request: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Return a page of rows, and where it stands among all."""
    limit = min(request["limit"], MOST_AT_ONCE, limits.rows)
    offset = request["offset"]
    following = offset + limit if offset + limit < len(rows) else None
    return {
        "total": len(rows),
        "offset": offset,
        "limit": limit,
        "next_offset": following,
        "rows": list(rows[offset : offset + limit]),
    }


def listing(kb: KnowledgeBase, request: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Return a page of the releases, a release's rules or terms, the cards, or the questions."""
    what, release = request["what"], request["release"]
    if what == "releases":
        return {"releases": _releases(kb), **paged(_releases(kb), request, limits)}
    if what == "questions":
        return paged([_question(identifier) for identifier in catalogue()], request, limits)
    query = {"rules": _RULES, "terms": _TERMS, "cards": _CARDS}[what]
    name = kb.release_name(release)
    solutions: Any = kb.sparql(query, name)
    names = [variable.value for variable in solutions.variables]
    rows = [
        {n: solution[n].value if solution[n] is not None else None for n in names}
        for solution in solutions
    ]
    return {"release": name, **paged(rows, request, limits)}


def _releases(kb: KnowledgeBase) -> list[dict[str, Any]]:
    """Return every release, oldest first; those of the history alone have no counts."""
    full = {summary["name"]: summary for summary in kb.releases}
    names = sorted({*full, *History(kb).names})
    return [{"name": n, "in_full": n in full, "iri": f"{kb.base}cr/{n}"} for n in names]


def _question(identifier: str) -> dict[str, Any]:
    question = catalogue()[identifier]
    return {
        "id": identifier,
        "summary": question.summary,
        "parameters": [
            {"name": p.name, "type": p.type, "default": p.default} for p in question.parameters
        ],
        "columns": [{"name": name, "type": kind} for name, kind in question.columns],
    }


def twin(
    kb: KnowledgeBase, path: str, node: NamedNode, triples: Iterable[Triple]
) -> dict[str, Any]:
    """Return the JSON of a page: the view of a rule, section, term or card, or plain properties."""
    parts = path.split("/")
    found: dict[str, Any] | None = None
    if parts[0] == "card":
        found = kb.card(kb.cards.text(node, P.NAME) or "").as_json()
    elif parts[0] == "cr" and len(parts) == 4:  # noqa: PLR2004 - cr, release, kind, key
        found = _of_release(kb, parts[1], parts[2], unquote(parts[3]), node)
    elif parts[0] == "cr" and len(parts) == 2:  # noqa: PLR2004
        found = next((dict(s) for s in kb.releases if s["name"] == parts[1]), None)
    return found or properties(node, triples)


def _of_release(
    kb: KnowledgeBase, release: str, kind: str, key: str, node: NamedNode
) -> dict[str, Any] | None:
    if release not in {summary["name"] for summary in kb.releases}:
        return History(kb).as_json(release, kind, key)
    if kind in ("rule", "section") and "~" not in key:
        return kb.rule(key, release).as_json()
    if kind == "term":
        quads = kb.store.graph.quads_for_pattern(node, P.HEADING.node, None, None)
        heading = next((q.object.value for q in quads if isinstance(q.object, Literal)), "")
        view = kb.term(heading, release)
        return view.as_json() if view.iri == node.value else None
    return None


def properties(node: NamedNode, triples: Iterable[Triple]) -> dict[str, Any]:
    """Return a thing's own properties, by prefixed name, each with the list of its values.

    Raises:
        NotFoundError: it has none.
    """
    found: dict[str, list[str]] = {}
    for triple in triples:
        if triple.subject == node:
            value = triple.object.value if not isinstance(triple.object, type(triple)) else ""
            found.setdefault(prefixed(triple.predicate), []).append(value)
    if not found:
        raise NotFoundError(f"nothing is known of {node.value}")
    return {
        "iri": node.value,
        "properties": {name: sorted(values) for name, values in sorted(found.items())},
    }


def prefixed(node: NamedNode) -> str:
    """Return a name as ``prefix:name``, or the IRI where no prefix fits."""
    for prefix, start in PREFIXES.items():
        if node.value.startswith(start):
            return f"{prefix}:{node.value.removeprefix(start)}"
    return node.value
