"""SERVICE cannot be hidden from the guard: what the engine would call is refused before."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pyoxigraph
import pytest

from kb.errors import QueryError
from kb.queries import has_dataset_clause, refuse_unsafe

HIDDEN = {
    "a dot before it": "SELECT*{?s ?p ?o.SERVICE<URL>{?a ?b ?c}}",
    "a number before it": "SELECT*{?s ?p 1SERVICE<URL>{?a ?b ?c}}",
    "a truth before it": "SELECT*{?s ?p trueSERVICE<URL>{?a ?b ?c}}",
    "a number with its dot": "SELECT*{?s ?p 1.SERVICE<URL>{?a ?b ?c}}",
    "a language tag": 'SELECT*{?s ?p "a"@en.SERVICE<URL>{?a ?b ?c}}',
    "SILENT glued to it": "SELECT*{SERVICESILENT<URL>{?a ?b ?c}}",
    "a prefixed name glued to it": "PREFIX :<URL> SELECT*{SERVICE:x{?a ?b ?c}}",
    "a comment that a carriage return ends": "SELECT*{#\rSERVICE<URL>{?a ?b ?c}\n}",
    "a variable for the address": "SELECT*{SERVICE ?x {?a ?b ?c}}",
}


class Door(BaseHTTPRequestHandler):
    """Counts who comes."""

    def do_GET(self):
        self.server.calls += 1
        self.send_response(500)
        self.end_headers()

    do_POST = do_GET  # noqa: N815 - http.server calls it so

    def log_message(self, *words):
        """Say nothing."""


@pytest.fixture
def door():
    server = HTTPServer(("127.0.0.1", 0), Door)
    server.calls = 0
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("how", HIDDEN)
def test_a_hidden_service_is_refused(how):
    with pytest.raises(QueryError, match="SERVICE is refused"):
        refuse_unsafe(HIDDEN[how].replace("URL", "http://127.0.0.1:9/"))


def test_the_engine_itself_would_call(door):
    """The guard is needed: without it, the engine opens the address."""
    query = HIDDEN["a dot before it"].replace("URL", f"http://127.0.0.1:{door.server_port}/")
    node = pyoxigraph.NamedNode("http://a.example/")
    store = pyoxigraph.Store()
    store.add(pyoxigraph.Quad(node, node, node))
    with pytest.raises(OSError, match=r"HTTP|refused|500|error"):
        list(store.query(query))
    assert door.calls > 0


CLAUSES = [
    ("SELECT * FROM <http://a.example/> { ?s ?p ?o }", True),
    ("SELECT * FROM NAMED <http://a.example/> { ?s ?p ?o }", True),
    ('SELECT * { BIND("""a\n FROM b""" AS ?x) }', False),
    ("SELECT ?from { ?from ?p ?o }", False),
    ("SELECT * { ?s <http://a.example/FROM> ?o } # FROM", False),
]


@pytest.mark.parametrize(("query", "has"), CLAUSES)
def test_a_dataset_clause_is_told_from_its_word(query, has):
    assert has_dataset_clause(query) is has
