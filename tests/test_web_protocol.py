"""W3C's tests of the SPARQL 1.1 Protocol and of service descriptions, each a test of ours."""

from __future__ import annotations

import httpx
import pytest
from conftest import SHARED, shared
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, parse
from served import running

from kb.store import building, fill
from kb.vocab import BASE

_MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
_DATA = "http://kasei.us/2009/09/sparql/data/"
_PREFIXES = {
    "mf": _MF,
    "ht": "http://www.w3.org/2011/http#",
    "cnt": "http://www.w3.org/2011/content#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "hts": "http://www.w3.org/2011/http-statusCodes#",
}
_REQUESTS = """SELECT ?test ?request ?path ?method ?chars ?encoding
  (GROUP_CONCAT(DISTINCT ?field; separator="\\n") AS ?fields)
  (GROUP_CONCAT(DISTINCT ?code; separator=" ") AS ?codes) ?boolean ?format ?place
WHERE {
  ?test a mf:ProtocolTest ; mf:action/ht:requests ?list .
  ?list rdf:rest*/rdf:first ?request .
  { SELECT ?list ?request (COUNT(?before) AS ?place) {
      ?list rdf:rest* ?before . ?before rdf:rest*/rdf:first ?request
      FILTER EXISTS { [] ht:requests ?list } } GROUP BY ?list ?request }
  ?request ht:absolutePath ?path ; ht:methodName ?method ; ht:resp ?response .
  ?response mf:expectedStatus ?status . BIND(STRAFTER(STR(?status), "StatusCode") AS ?code)
  OPTIONAL { ?request ht:body ?body . ?body cnt:chars ?chars ; cnt:characterEncoding ?encoding }
  OPTIONAL { ?request ht:headers/rdf:rest*/rdf:first ?header . ?header ht:fieldName ?n ;
    ht:fieldValue ?v BIND(CONCAT(?n, ": ", ?v) AS ?field) }
  OPTIONAL { ?response mf:expectedBoolean ?boolean }
  OPTIONAL { ?response mf:expectedFormat ?format }
} GROUP BY ?test ?request ?path ?method ?chars ?encoding ?boolean ?format ?place
ORDER BY ?test ?place"""


def manifest():
    path = SHARED / "w3c" / "protocol" / "manifest.ttl"
    if not path.exists():
        return {}
    store = Store()
    store.extend(
        Quad(*list(quad)[:3]) for quad in parse(path.read_bytes(), RdfFormat.TURTLE, base_iri=_DATA)
    )
    tests = {}
    for row in store.query(_REQUESTS, prefixes=_PREFIXES):
        name = row["test"].value.rpartition("#")[2]
        request = {v: row[v].value if row[v] is not None else None for v in _FIELDS}
        tests.setdefault(name, []).append(request)
    return tests


_FIELDS = ("path", "method", "chars", "encoding", "fields", "codes", "boolean", "format")
TESTS = manifest()
NONE = [pytest.param("", marks=pytest.mark.skip("needs ../shared/w3c, which is not here"))]
QUERIES = {name: r for name, r in TESTS.items() if "update" not in name}
UPDATES = {name: r for name, r in TESTS.items() if "update" in name}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """W3C's data as the named graphs of a knowledge base, served."""
    folder = tmp_path_factory.mktemp("w3c") / "kb"
    quads = [
        Quad(*list(quad)[:3], NamedNode(f"{_DATA}data{number}.rdf"))
        for number in (1, 2, 3)
        for quad in parse(shared(f"w3c/protocol/data{number}.nt").read_bytes(), RdfFormat.N_TRIPLES)
    ]
    release = NamedNode(f"{BASE}cr/w3c")
    quads.append(Quad(release, NamedNode(f"{BASE}ns#name"), Literal("w3c"), release))
    with building(folder) as generation:
        summary = {"name": "w3c", "effective": "2013-03-21", "edition": "w3c"}
        fill(generation, quads, {"base": BASE, "releases": [summary]})
    with (
        running(folder, folder.parent / "log", "--workers", "1") as server,
        httpx.Client(base_url=server.url) as client,
    ):
        yield client


def sent(client, request):
    """Send a request of the manifest as it says."""
    fields = dict(line.split(": ", 1) for line in (request["fields"] or "").splitlines())
    path = request["path"].replace("/sparql/", "/sparql", 1)
    body = request["chars"].encode(request["encoding"]) if request["chars"] else None
    return client.request(request["method"], path, headers=fields, content=body)


def test_every_test_of_the_manifest_is_read():
    shared("w3c/protocol/manifest.ttl")
    assert len(TESTS) == 34
    assert all(request["codes"] for requests in TESTS.values() for request in requests)


_FORMS = {
    "boolean": {"application/sparql-results+json", "application/sparql-results+xml"},
    "tabular": {"application/sparql-results+json", "application/sparql-results+xml", "text/csv"},
    "RDF": {"text/turtle", "application/n-triples", "application/rdf+xml"},
}


@pytest.mark.parametrize("name", QUERIES or NONE)
def test_w3c_query(client, name):
    for request in QUERIES[name]:
        response = sent(client, request)
        assert f"{response.status_code // 100}xx" in request["codes"].split(), response.text
        if request["boolean"]:
            assert response.json()["boolean"] is (request["boolean"] == "true")
        if request["format"]:
            media = response.headers["content-type"].partition(";")[0]
            assert media in _FORMS[request["format"]]
        if "4xx" in request["codes"] and request["method"] != "HEAD":
            assert response.json()["what"]


@pytest.mark.parametrize("name", UPDATES or NONE)
def test_w3c_update_is_refused_with_a_reason_and_changes_nothing(client, name):
    update = sent(client, UPDATES[name][0])
    assert 400 <= update.status_code < 500
    assert update.json()["what"]
    if update.status_code == 403:
        assert "read-only" in update.json()["why"]
    count = client.get(
        "/sparql", params={"query": "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"}
    )
    assert count.json()["results"]["bindings"][0]["n"]["value"] == "4"


def description(client):
    response = client.get("/sparql", headers={"Accept": "application/n-triples"})
    return response, list(parse(response.content, RdfFormat.N_TRIPLES))


_SD = "http://www.w3.org/ns/sparql-service-description#"


def test_w3c_returns_rdf(client):
    response, triples = description(client)
    assert response.status_code == 200
    assert triples


def test_w3c_has_endpoint_triple(client):
    _, triples = description(client)
    found = {t.object.value for t in triples if t.predicate.value == f"{_SD}endpoint"}
    assert found == {f"{str(client.base_url).rstrip('/')}/sparql"}


# Domains and ranges of the service description vocabulary, section 3 of its specification.
_SCHEMA = {
    "endpoint": ("Service", None),
    "supportedLanguage": ("Service", None),
    "resultFormat": ("Service", None),
    "defaultDataset": ("Service", "Dataset"),
    "defaultGraph": ("Dataset", "Graph"),
    "namedGraph": ("Dataset", "NamedGraph"),
    "name": ("NamedGraph", None),
    "graph": ("NamedGraph", "Graph"),
}


def test_w3c_conforms_to_schema(client):
    _, triples = description(client)
    kinds = {
        (t.subject, t.object.value.removeprefix(_SD))
        for t in triples
        if "type" in t.predicate.value
    }
    used = [t for t in triples if t.predicate.value.startswith(_SD)]
    assert len(used) > 10
    for triple in used:
        domain, kind = _SCHEMA[triple.predicate.value.removeprefix(_SD)]
        assert (triple.subject, domain) in kinds
        assert kind is None or (triple.object, kind) in kinds


def test_the_endpoint_answers_with_and_without_a_slash(client):
    for path in ("/sparql", "/sparql/"):
        answer = client.get(path, params={"query": "ASK {}"})
        assert answer.json() == {"head": {}, "boolean": True}
