"""What a worker does: a request record and an open knowledge base → a reply.

Nothing here knows HTTP but for statuses and header names; errors become a reply's ``problem``.
"""

from __future__ import annotations

import json
import traceback
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from pyoxigraph import NamedNode, QueryBoolean, QueryTriples

from kb.errors import (
    MtgkbError,
    NotFoundError,
    QueryError,
    ShippedFileError,
    StoreError,
    UsageError,
)
from kb.queries import refuse_unsafe
from kb.web import described, resources, twins
from kb.web.formats import GRAPHS, JSON, MORE_GRAPHS, NAMES, ROWS, with_charset
from kb.web.frames import Reply
from kb.web.negotiate import preferred
from kb.web.results import write_boolean, write_graph, write_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb.knowledge import KnowledgeBase
    from kb.web.limits import Limits

STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (NotFoundError, 404),
    (UsageError, 400),
    (QueryError, 400),
    (StoreError, 503),
)
"""What an error of ours is in HTTP."""


def perform(kb: KnowledgeBase, request: dict[str, Any], limits: Limits) -> Reply:
    """Answer a request; whatever goes wrong is in the reply."""
    try:
        return _OPERATIONS[request["op"]](kb, request, limits)
    except ShippedFileError as error:
        return _fault(error)
    except MtgkbError as error:
        status = next((code for kind, code in STATUSES if isinstance(error, kind)), 500)
        return Reply(status, problem=error.as_json())
    except MemoryError:
        return Reply(422, problem=memory_problem())
    except Exception as error:  # noqa: BLE001 - the last line: a fault of ours, logged as one
        return _fault(error)


def _fault(error: Exception) -> Reply:
    told = "".join(traceback.format_exception(error))[-4000:]
    return Reply(500, problem={"error": "InternalError", "what": "a fault of mtgkb", "log": told})


def memory_problem() -> dict[str, Any]:
    """Return the error of a query that brought its worker down."""
    return QueryError(
        "the query needs more memory or depth than it may have",
        where="query",
        hint="ask for less at a time: add a LIMIT, or drop ORDER BY, GROUP BY and DISTINCT",
    ).as_json()


def sparql(kb: KnowledgeBase, request: dict[str, Any], limits: Limits) -> Reply:
    """Run a query and write its answer in the form that the client likes best."""
    asked = request["sparql"]
    try:
        refuse_unsafe(asked["query"])
    except QueryError as error:
        return Reply(403, problem=error.as_json())
    results = kb.sparql(asked["query"], asked["release"], _dataset(kb, asked))
    graph = isinstance(results, QueryTriples)
    offers: dict[str, Any] = {**GRAPHS, **MORE_GRAPHS} if graph else ROWS
    media = _chosen(asked["form"], request["accept"], offers)
    if media is None:
        return _not_acceptable(offers)
    try:
        if isinstance(results, QueryTriples):
            written = write_graph(results, offers[media], limits)
        elif isinstance(results, QueryBoolean):
            written = write_boolean(value=bool(results), form=offers[media])
        else:
            written = write_rows(results, offers[media], limits)
    except OSError as error:  # the engine's errors of evaluation
        raise QueryError("the query failed", where="query", why=str(error)) from error
    except ValueError as error:  # a triple of RDF 1.2 in a form of RDF 1.1
        raise QueryError(
            f"{media} cannot say this answer", why=str(error), hint="ask for text/turtle"
        ) from error
    headers = {"Mtgkb-Truncated": written.cut} if written.cut else {}
    return Reply(200, with_charset(media), written.body, headers)


def _dataset(
    kb: KnowledgeBase, asked: dict[str, Any]
) -> tuple[list[NamedNode], list[NamedNode]] | None:
    """Return the graphs that the protocol names, which go before those that the query names."""
    default, named = asked["default_graphs"], asked["named_graphs"]
    if not default and not named:
        return None
    try:
        return (
            [NamedNode(urljoin(kb.base, iri)) for iri in default],
            [NamedNode(urljoin(kb.base, iri)) for iri in named],
        )
    except ValueError as error:
        raise UsageError("a graph's name is no IRI", why=str(error)) from None


def _chosen(form: str | None, accept: str | None, offers: dict[str, Any]) -> str | None:
    """Return the media type that ``format=`` names, if it is one of these, or else Accept."""
    named = NAMES.get(form or "", form or "")
    return named if named in offers else preferred(accept, tuple(offers))


def _not_acceptable(offers: dict[str, Any] | tuple[str, ...]) -> Reply:
    problem = UsageError("none of the forms asked for is there", hint=", ".join(offers)).as_json()
    return Reply(406, problem=problem)


def page(kb: KnowledgeBase, request: dict[str, Any], _: Limits) -> Reply:
    """Answer the address of a thing of the graph."""
    return resources.page(kb, request)


def ask(kb: KnowledgeBase, request: dict[str, Any], limits: Limits) -> Reply:
    """Answer a question of the catalogue, a page of rows."""
    answer = kb.ask(request["question"], request["parameters"], request["release"])
    content = answer.as_json()
    rows = twins.paged(answer.rows, request, limits)
    return _json({**content, **rows})


def listing(kb: KnowledgeBase, request: dict[str, Any], limits: Limits) -> Reply:
    """List releases, rules, terms, cards or questions, a page of them."""
    return _json(twins.listing(kb, request, limits))


def void(kb: KnowledgeBase, request: dict[str, Any], _: Limits) -> Reply:
    """Describe the knowledge base or the service, as RDF."""
    media = _chosen(request["form"], request["accept"], GRAPHS)
    if media is None:
        return _not_acceptable(GRAPHS)
    make = {"void": described.void, "service": described.service}[request["what"]]
    body = described.written(make(kb, request["server"]), GRAPHS[media])
    return Reply(200, with_charset(media), body)


def _json(content: object) -> Reply:
    return Reply(200, JSON, json.dumps(content, ensure_ascii=False).encode())


_OPERATIONS: dict[str, Callable[[KnowledgeBase, dict[str, Any], Limits], Reply]] = {
    "sparql": sparql,
    "page": page,
    "ask": ask,
    "list": listing,
    "void": void,
}
