"""The table of addresses, from which both the routes and the OpenAPI description are made.

https://spec.openapis.org/oas/v3.1.0
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from kb.web.formats import CSV, GRAPHS, HTML, JSON, SPARQL_JSON, SPARQL_XML, TSV

if TYPE_CHECKING:
    from kb.web.limits import Limits

_PAGE_FORMS = (*GRAPHS, JSON, HTML)
_ROW_FORMS = (SPARQL_JSON, SPARQL_XML, CSV, TSV)
_TEXT = "string"
_WHOLE = "integer"

Parameter = tuple[str, str, str, str]
_LIMIT: Parameter = ("limit", "query", _WHOLE, "how many rows to give, 1,000 at the most")
_OFFSET: Parameter = ("offset", "query", _WHOLE, "how many rows to leave out first")
_RELEASE: Parameter = ("release", "query", _TEXT, "a release's name or date; default: the newest")
_IN: Parameter = ("release", "path", _TEXT, "a release's name or date, or latest")
_FORMAT: Parameter = ("format", "query", _TEXT, "ttl, jsonld, nt, rdf or json, before Accept")
_LEADING: Parameter = ("offset", "query", _WHOLE, "how many triples that lead here to leave out")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address: its name, path, handler, what it takes and what it gives."""

    name: str
    path: str
    handler: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    forms: tuple[str, ...] = (JSON,)
    schema: str = "Anything"
    posts: bool = False


def _page(name: str, path: str, summary: str, schema: str, *more: Parameter) -> Endpoint:
    return Endpoint(
        name, path, "page", summary, (*more, _FORMAT, _LEADING), _PAGE_FORMS, schema=schema
    )


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("home", "/", "home", "what is here", schema="Home"),
    Endpoint(
        "sparql",
        "/sparql",
        "sparql",
        "SPARQL 1.1 Protocol; without a query, the service description",
        (
            ("query", "query", _TEXT, "a SELECT, ASK, CONSTRUCT or DESCRIBE"),
            ("default-graph-uri", "query", "array", "the graphs of the default graph"),
            ("named-graph-uri", "query", "array", "the graphs that GRAPH sees"),
            _RELEASE,
            ("format", "query", _TEXT, "json, xml, csv, tsv, ttl, jsonld, nt or rdf"),
        ),
        (*_ROW_FORMS, *GRAPHS),
        posts=True,
    ),
    Endpoint("void", "/.well-known/void", "void", "the data, as VoID", (_FORMAT,), (*GRAPHS,)),
    Endpoint("openapi", "/openapi.json", "openapi", "this description"),
    Endpoint("health", "/health", "health", "whether questions can be answered", schema="Health"),
    Endpoint("metrics", "/metrics", "show_metrics", "counts for Prometheus", forms=("text/plain",)),
    Endpoint(
        "questions",
        "/ask",
        "listing",
        "the questions of the catalogue",
        (_LIMIT, _OFFSET),
        schema="Rows",
    ),
    Endpoint(
        "answer",
        "/ask/{question}",
        "ask",
        "the answer to a question; its own parameters go into the address",
        (
            ("question", "path", _TEXT, "the question's id"),
            ("rule", "query", _TEXT, "and whatever else the question takes: see /ask"),
            *(_RELEASE, _LIMIT, _OFFSET),
        ),
        schema="Answer",
    ),
    Endpoint(
        "releases",
        "/cr",
        "listing",
        "every release, oldest first",
        (_LIMIT, _OFFSET),
        schema="Rows",
    ),
    Endpoint(
        "rules",
        "/cr/{release}/rule",
        "listing",
        "the rules of a release, in order",
        (_IN, _LIMIT, _OFFSET),
        schema="Rows",
    ),
    Endpoint(
        "terms",
        "/cr/{release}/term",
        "listing",
        "the glossary of a release",
        (_IN, _LIMIT, _OFFSET),
        schema="Rows",
    ),
    Endpoint("cards", "/card", "listing", "the cards, by name", (_LIMIT, _OFFSET), schema="Rows"),
    _page("release", "/cr/{release}", "a release", "Release", _IN),
    _page(
        "rule",
        "/cr/{release}/rule/{number}",
        "a rule in a release, also of one that is in the history alone",
        "Rule",
        _IN,
        ("number", "path", _TEXT, "the rule's number"),
    ),
    _page(
        "section",
        "/cr/{release}/section/{number}",
        "a section and its chapters",
        "Rule",
        _IN,
        ("number", "path", _TEXT, "the section's digit"),
    ),
    _page(
        "term",
        "/cr/{release}/term/{name}",
        "a glossary entry in a release",
        "Term",
        _IN,
        ("name", "path", _TEXT, "the term's name as it stands in its IRI"),
    ),
    _page(
        "card",
        "/card/{card}",
        "a card and its rulings",
        "Card",
        ("card", "path", _TEXT, "an oracle id, or a name, which leads there"),
    ),
    _page(
        "identity",
        "/id/{kind}/{name}",
        "a rule, term or card over all releases: leads to its newest version",
        "Anything",
        ("kind", "path", _TEXT, "rule, term or card"),
        ("name", "path", _TEXT, "its name as it stands in its IRI"),
    ),
    _page(
        "thing",
        "/{path}",
        "anything else that the graph has, by the path of its IRI",
        "Thing",
        ("path", "path", _TEXT, "the part of the IRI below the base"),
    ),
)


def _array(kind: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": kind}}


def _object(required: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON Schema
    """Return the schema of an object: these fields are always there, and of these types."""
    known: dict[str, Any] = {name: {"type": "string"} for name in required.split()}
    return {"type": "object", "required": [*known, *more], "properties": {**known, **more}}


_NULLABLE = {"type": ["string", "null"]}
_OBJECTS = _array("object")
_NUMBER = {"type": "integer"}
_ROWS = {
    "total": _NUMBER,
    "offset": _NUMBER,
    "limit": _NUMBER,
    "next_offset": {"type": ["integer", "null"]},
    "rows": _OBJECTS,
}

SCHEMAS: dict[str, Any] = {
    "Anything": {},
    "Home": _object("name base newest_release", addresses={"type": "object"}, questions=_NUMBER),
    "Health": _object("status generation newest_release", pools={"type": "object"}),
    "Rows": _object("", **_ROWS),
    "Answer": _object("question release", columns=_array("string"), **_ROWS),
    # What every release has: of one in the history alone, no view but what is known.
    "Rule": _object("release rule text iri", examples=_array("string")),
    "Term": _object("release term iri"),
    "Release": {"type": "object"},
    "Card": _object("card layout iri", oracle_id=_NULLABLE, faces=_OBJECTS, rulings=_OBJECTS),
    "Thing": _object("iri", properties={"type": "object"}),
    "Problem": _object(
        "error what", status=_NUMBER, where=_NULLABLE, why=_NULLABLE, hint=_NULLABLE
    ),
}
_PROBLEMS = {
    400: "the request is malformed, with line and column where it is a query",
    404: "there is no such thing",
    406: "none of the forms asked for is there",
    503: "all workers are busy; Retry-After says when to come again",
}
_SPARQL_PROBLEMS = {
    403: "an update, or a call of another server",
    413: "the body is too long",
    415: "the body is neither a form nor a query",
    422: "the query needs more memory or depth than it may have",
    504: "the query ran longer than it may",
}


def document(url: str, limits: Limits) -> dict[str, Any]:
    """Return the OpenAPI description of a server."""
    try:
        number = version("mtgkb")
    except PackageNotFoundError:  # run from a checkout that is not installed
        number = "0"
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mtgkb",
            "version": number,
            "summary": "A rules knowledge base for Magic: The Gathering",
            "description": "Every address of a thing answers in the form that Accept asks for; "
            f"a suffix (.ttl, .jsonld, .nt, .rdf, .json) goes before it. A query may run "
            f"{limits.seconds:g} seconds and give {limits.rows} rows; an answer cut there has the "
            "header Mtgkb-Truncated.",
        },
        "servers": [{"url": url}],
        "paths": {endpoint.path: _operations(endpoint) for endpoint in ENDPOINTS},
        "components": {"schemas": SCHEMAS},
    }


def _operations(endpoint: Endpoint) -> dict[str, Any]:
    operation = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "parameters": [_parameter(*parameter) for parameter in endpoint.parameters],
        "responses": _responses(endpoint),
    }
    if not endpoint.posts:
        return {"get": operation}
    form = {"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}}}
    body = {
        "required": True,
        "content": {
            "application/x-www-form-urlencoded": {"schema": form},
            "application/sparql-query": {"schema": {"type": "string"}},
        },
    }
    post = {**operation, "operationId": f"{endpoint.name}_post", "requestBody": body}
    return {"get": operation, "post": post}


def _parameter(name: str, place: str, kind: str, told: str) -> dict[str, Any]:
    schema = _array("string") if kind == "array" else {"type": kind}
    found = {"name": name, "in": place, "description": told, "schema": schema}
    return {**found, "required": True} if place == "path" else found


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{endpoint.schema}"}
    content = {form: {"schema": schema} if form == JSON else {} for form in endpoint.forms}
    problem = {JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    told = {**_PROBLEMS, **(_SPARQL_PROBLEMS if endpoint.posts else {})}
    return {
        str(int(HTTPStatus.OK)): {"description": endpoint.summary, "content": content},
        **{str(code): {"description": what, "content": problem} for code, what in told.items()},
    }
