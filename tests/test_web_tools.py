"""Other people's tools ask the running server: SPARQLWrapper, rdflib, curl, pandas, Comunica."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

QUERY = "SELECT ?n ?t { ?r a mtg:Rule ; mtg:number ?n ; mtg:text ?t } ORDER BY ?n LIMIT 5"
FULL = "PREFIX mtg: <https://mtgkb.example/ns#>\n" + QUERY


@pytest.fixture(scope="module")
def expected(served):
    return [(row["n"].value, row["t"].value) for row in served.sparql(QUERY)]


@pytest.mark.parametrize("method", ["GET", "POST", "POSTDIRECTLY"])
@pytest.mark.parametrize("form", ["json", "xml", "csv", "tsv"])
def test_sparqlwrapper_reads_rows(server, expected, method, form):
    wrapper = pytest.importorskip("SPARQLWrapper", reason="pip install sparqlwrapper")
    asking = wrapper.SPARQLWrapper(f"{server.url}/sparql")
    asking.setQuery(FULL)
    asking.setReturnFormat(form)
    if method == "POSTDIRECTLY":
        asking.setMethod("POST")
        asking.setRequestMethod("postdirectly")
    else:
        asking.setMethod(method)
    found = asking.query()
    if form == "json":
        rows = found.convert()["results"]["bindings"]
        assert [(row["n"]["value"], row["t"]["value"]) for row in rows] == expected
    elif form == "xml":
        numbers = found.convert().getElementsByTagName("literal")
        assert [n.firstChild.data for n in numbers][::2] == [number for number, _ in expected]
    else:
        assert len(found.convert().decode().strip().splitlines()) == 6


# rdflib warns of its own class, which it and SPARQLWrapper use for reading.
OWN = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")


@OWN
def test_sparqlwrapper_reads_an_ask_a_graph_and_an_error(server):
    wrapper = pytest.importorskip("SPARQLWrapper", reason="pip install sparqlwrapper")
    asking = wrapper.SPARQLWrapper(f"{server.url}/sparql")
    asking.setQuery("ASK { ?s ?p ?o }")
    asking.setReturnFormat("json")
    assert asking.queryAndConvert()["boolean"] is True
    asking.setQuery("CONSTRUCT { ?r ?p ?o } WHERE { ?r ?p ?o } LIMIT 7")
    asking.setReturnFormat("rdf+xml")
    assert len(asking.queryAndConvert()) == 7
    asking.setReturnFormat("json")
    asking.setQuery("SELECT {")
    with pytest.raises(wrapper.SPARQLExceptions.QueryBadFormed, match="malformed"):
        asking.query()


def test_rdflib_asks_through_its_store(server, expected):
    from rdflib import Graph, URIRef
    from rdflib.plugins.stores.sparqlstore import SPARQLStore

    graph = Graph(SPARQLStore(f"{server.url}/sparql", method="POST"))
    assert [(str(n), str(t)) for n, t in graph.query(FULL)] == expected
    number = URIRef("https://mtgkb.example/ns#number")
    rule = next(iter(graph.subjects(number, None)))
    assert graph.value(rule, number)


@OWN
def test_rdflib_reads_linked_data(server, served):
    from rdflib import Graph, URIRef

    for form in ("ttl", "nt", "jsonld", "rdf"):
        names = {"ttl": "turtle", "nt": "nt", "jsonld": "json-ld", "rdf": "xml"}
        graph = Graph().parse(f"{server.url}/cr/2026-06-19-concise/rule/704.5g.{form}", names[form])
        rule = URIRef(served.rule("704.5g").iri)
        text = graph.value(rule, URIRef("https://mtgkb.example/ns#text"))
        assert str(text) == served.rule("704.5g").text


def curl(*arguments):
    program = shutil.which("curl")
    if program is None:
        pytest.skip("needs curl, which is not here")
    return subprocess.run([program, "-sS", *arguments], capture_output=True, check=True).stdout


def test_curl_asks_in_three_ways(server, expected):
    url = f"{server.url}/sparql"
    accept = ["-H", "Accept: application/sparql-results+json"]
    for how in (
        ["-G", url, "--data-urlencode", f"query={QUERY}"],
        [url, "--data-urlencode", f"query={QUERY}"],
        [url, "-H", "Content-Type: application/sparql-query", "--data-binary", QUERY],
        ["--compressed", url, "--data-urlencode", f"query={QUERY}"],
    ):
        rows = json.loads(curl(*accept, *how))["results"]["bindings"]
        assert [(row["n"]["value"], row["t"]["value"]) for row in rows] == expected


def test_curl_follows_an_identity_to_turtle(server):
    body = curl("-L", "-H", "Accept: text/turtle", f"{server.url}/id/term/flying")
    assert b"mtg:heading" in body


def test_pandas_reads_csv(server, expected):
    pandas = pytest.importorskip(
        "pandas", reason="too heavy for the tests alone: pip install pandas"
    )
    body = curl(
        "-G", f"{server.url}/sparql", "-H", "Accept: text/csv", "--data-urlencode", f"query={QUERY}"
    )
    frame = pandas.read_csv(io.BytesIO(body), dtype=str)
    assert [tuple(row) for row in frame.itertuples(index=False)] == expected


def test_comunica_asks_the_endpoint(server, expected):
    folder = os.environ.get("MTGKB_COMUNICA")
    program = Path(folder) / "node_modules/.bin/comunica-sparql-file" if folder else None
    if program is None or not program.exists() or shutil.which("node") is None:
        pytest.skip(
            "needs node and MTGKB_COMUNICA, a folder where npm has installed "
            "@comunica/query-sparql-file@4"
        )
    command = [
        program,
        f"sparql@{server.url}/sparql",
        FULL,
        "-t",
        "application/sparql-results+json",
    ]
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    rows = json.loads(done.stdout)["results"]["bindings"]
    assert [(row["n"]["value"], row["t"]["value"]) for row in rows] == expected
