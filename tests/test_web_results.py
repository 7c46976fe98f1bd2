"""Rows and graphs as SPARQL's formats have them, the engine's own writers as the oracle."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryResultsFormat,
    RdfFormat,
    Store,
    Triple,
    parse,
    parse_query_results,
)

from kb.web.formats import GRAPHS
from kb.web.limits import Limits
from kb.web.results import write_boolean, write_graph, write_rows

_P = NamedNode("http://a.example/p")
_INTEGER = NamedNode("http://www.w3.org/2001/XMLSchema#integer")
_TERMS = [
    Literal('a "quoted", text\r\nwith\ttabs <&> \\ and é'),
    Literal("en", language="en"),
    Literal(7),
    Literal("007", datatype=_INTEGER),
    Literal("1.50", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#decimal")),
    Literal(""),
    NamedNode("http://a.example/x?y=1&z='2'"),
    BlankNode("b1"),
]
_ALL = "SELECT ?s ?o ?none { ?s ?p ?o } ORDER BY STR(?o)"


def store_of(terms):
    store = Store()
    store.extend(Quad(NamedNode(f"http://a.example/{i}"), _P, term) for i, term in enumerate(terms))
    return store


def rows(results):
    return [[repr(solution[i]) for i in range(3)] for solution in results]


_FORMATS = {
    "json": QueryResultsFormat.JSON,
    "xml": QueryResultsFormat.XML,
    "tsv": QueryResultsFormat.TSV,
}


@pytest.mark.parametrize("form", _FORMATS)
def test_rows_read_back_as_they_were(form):
    store = store_of(_TERMS)
    written = write_rows(store.query(_ALL), form, Limits())
    assert written.cut is None
    again = parse_query_results(written.body, format=_FORMATS[form])
    assert rows(again) == rows(store.query(_ALL))


def test_csv_has_the_rows_of_the_engine():
    store = store_of(_TERMS)
    own = write_rows(store.query(_ALL), "csv", Limits()).body.decode()
    engine = store.query(_ALL).serialize(format=QueryResultsFormat.CSV).decode()
    read = [list(csv.reader(io.StringIO(text, newline=""))) for text in (own, engine)]
    assert read[0] == read[1]
    assert own.endswith("\r\n")


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_any_text_can_be_said_in_every_form(text):
    store = store_of([Literal(text)])
    for form in ("json", "tsv"):
        written = write_rows(store.query(_ALL), form, Limits()).body
        again = parse_query_results(written, format=_FORMATS[form])
        assert next(iter(again))["o"] == Literal(text)
    ET.fromstring(write_rows(store.query(_ALL), "xml", Limits()).body)  # noqa: S314 - our own
    read = csv.reader(
        io.StringIO(write_rows(store.query(_ALL), "csv", Limits()).body.decode(), newline="")
    )
    assert len(list(read)) == 2


@pytest.mark.parametrize(
    ("limits", "cut"), [({"rows": 3}, "rows=3"), ({"answer_bytes": 250}, "bytes=250")]
)
def test_a_cut_answer_is_whole_and_says_so(limits, cut):
    store, bounds = store_of(_TERMS), replace(Limits(), **limits)
    written = write_rows(store.query(_ALL), "json", bounds)
    assert written.cut == cut
    content = json.loads(written.body)
    assert content["truncated"] == cut
    assert 0 < len(content["results"]["bindings"]) < len(_TERMS)
    xml = write_rows(store.query(_ALL), "xml", bounds)
    assert cut in xml.body.decode()
    assert rows(parse_query_results(xml.body, format=QueryResultsFormat.XML))


def test_as_many_rows_as_are_allowed_are_not_cut():
    bounds = replace(Limits(), rows=len(_TERMS))
    assert write_rows(store_of(_TERMS).query(_ALL), "json", bounds).cut is None


@pytest.mark.parametrize("form", ["json", "xml", "csv", "tsv"])
@pytest.mark.parametrize("value", [True, False])
def test_an_ask_in_every_form(form, value):
    body = write_boolean(value=value, form=form).body
    if form in _FORMATS and form != "tsv":
        assert bool(parse_query_results(body, format=_FORMATS[form])) is value
    else:
        assert body.decode().strip() == str(value).lower()


@pytest.mark.parametrize("media", GRAPHS)
def test_graphs_read_back_as_they_were(media):
    store = store_of(_TERMS[:-1])
    written = write_graph(store.query("CONSTRUCT WHERE { ?s ?p ?o }"), GRAPHS[media], Limits())
    again = {
        str(Triple(q.subject, q.predicate, q.object)) for q in parse(written.body, GRAPHS[media])
    }
    assert again == {str(Triple(q.subject, q.predicate, q.object)) for q in store}


@pytest.mark.parametrize("media", GRAPHS)
def test_a_cut_graph_can_be_read(media):
    bounds = replace(Limits(), rows=3)
    query = "CONSTRUCT WHERE { ?s ?p ?o }"
    written = write_graph(store_of(_TERMS).query(query), GRAPHS[media], bounds)
    assert written.cut == "rows=3"
    assert len(list(parse(written.body, GRAPHS[media]))) == 3
    if GRAPHS[media] in (RdfFormat.TURTLE, RdfFormat.N_TRIPLES):
        assert b"# cut off at the limit: rows=3" in written.body
