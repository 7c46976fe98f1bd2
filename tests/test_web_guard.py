"""Attacks: what a query, a request or a narrow may not do, and that others notice nothing."""

from __future__ import annotations

import http.server
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from served import LONG, PLAIN, SECONDS, wait_until

ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a (!<x:x>)* ?b . ?b (!<x:y>)* ?c . ?c (!<x:z>)* ?d }"


def sent(narrow, query):
    return narrow.post("/sparql", data={"query": query})


class Listener(http.server.BaseHTTPRequestHandler):
    """Answers anything, and notes that it was asked."""

    asked: list[str] = []  # noqa: RUF012 - a test's own

    def do_GET(self):
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def outside():
    """A server outside that no query may reach."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * {{ SERVICE <{url}/a> {{ ?s ?p ?o }} }}",
        "SELECT * {{ SERVICE SILENT <{url}/b> {{ ?s ?p ?o }} }}",
        "SELECT * {{ BIND(IRI('{url}/c') AS ?u) SERVICE ?u {{ ?s ?p ?o }} }}",
        "SELECT * {{ seRvIcE<{url}/d>{{?s ?p ?o}} }}",
        "LOAD <{url}/e>",
        "ASK {{}} ; LOAD <{url}/f>",
        "SELECT * FROM <{url}/g> {{ ?s ?p ?o }}",
        "SELECT * FROM NAMED <{url}/h> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
        "SELECT * FROM <file:///etc/hostname> {{ ?s ?p ?o }}",
        "PREFIX s: <{url}/i> SELECT * {{ SERVICE s: {{ ?s ?p ?o }} }}",
        "INSERT DATA {{ <a:a> <a:b> <a:c> }}",
        "DROP ALL",
    ],
)
def test_nothing_outside_is_reached_and_nothing_written(narrow, outside, query):
    answer = sent(narrow, query.format(url=outside))
    if answer.status_code == 200:
        assert answer.json()["results"]["bindings"] == []
    else:
        assert answer.status_code in (400, 403)
        assert answer.json()["why"]
    assert Listener.asked == []


@pytest.mark.parametrize("name", ["default-graph-uri", "named-graph-uri"])
def test_a_graph_named_by_the_protocol_is_not_fetched(narrow, outside, name):
    for iri in (f"{outside}/x", "file:///etc/passwd"):
        query = "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
        answer = narrow.get("/sparql", params={"query": query, name: iri})
        assert answer.json()["results"]["bindings"] == []
    assert Listener.asked == []


@pytest.mark.parametrize(
    "query",
    [
        ENDLESS,
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
        "SELECT (SHA512(GROUP_CONCAT(?c)) AS ?x) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    ],
)
def test_a_query_that_takes_too_long_is_stopped(narrow, query):
    began = time.monotonic()
    answer = sent(narrow, query)
    assert time.monotonic() - began < SECONDS + 3
    assert answer.status_code in (504, 422)
    if answer.status_code == 504:
        assert answer.headers["mtgkb-limit"] == answer.json()["limit"] == f"seconds={SECONDS}"


def test_the_process_of_a_stopped_query_is_gone(narrow, guarded):
    sent(narrow, ENDLESS)

    def whole():
        pools = narrow.get("/health").json()["pools"]["queries"]
        return pools["workers"] == pools["idle"] == 4

    wait_until(whole, guarded.process)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i",
        "SELECT (GROUP_CONCAT(CONCAT(?c, ?f)) AS ?x) { ?a ?b ?c . ?d ?e ?f }",
    ],
)
def test_a_query_that_takes_too_much_memory_harms_itself_alone(narrow, query):
    assert sent(narrow, query).status_code in (422, 504)
    assert sent(narrow, "ASK {}").json()["boolean"] is True


@pytest.mark.parametrize(
    ("opening", "closing"), [("{", "}"), ("(", ")"), ("FILTER(!(", "))"), ("OPTIONAL {", "}")]
)
def test_deep_nesting_harms_itself_alone(narrow, opening, closing):
    inner = "1" if "(" in opening else ""
    begin, end = ("ASK { FILTER(", ") }") if opening == "(" else ("ASK { ", " }")
    if opening == "FILTER(!(":
        opening, closing, begin, end = "!(", ")", "ASK { FILTER(", ") }"
    deep = begin + opening * 20_000 + inner + closing * 20_000 + end
    assert sent(narrow, deep).status_code in (400, 422, 504)
    assert sent(narrow, "ASK {}").json()["boolean"] is True


@pytest.mark.parametrize(
    "query", ["(" * 200_000, "'''a" * 100_000, "#" * 900_000, "<" * 900_000, '"\\' * 400_000]
)
def test_what_is_hard_to_read_is_refused(narrow, query):
    assert sent(narrow, query).status_code in (400, 403, 413, 422, 504)


def test_an_answer_with_too_many_rows_is_cut_and_says_so(narrow):
    answer = sent(narrow, "SELECT ?s { ?s ?p ?o }")
    assert answer.headers["mtgkb-truncated"] == answer.json()["truncated"] == "rows=50"
    assert len(answer.json()["results"]["bindings"]) == 50


def test_an_answer_that_is_too_long_is_cut_and_says_so(narrow):
    answer = sent(narrow, LONG)
    assert answer.headers["mtgkb-truncated"] == "bytes=200000"
    assert len(answer.content) < 201_000


def test_a_cut_graph_says_so(narrow):
    query = "CONSTRUCT WHERE { ?s ?p ?o }"
    answer = narrow.get("/sparql", params={"query": query}, headers={"Accept": "text/turtle"})
    assert answer.headers["mtgkb-truncated"] == "rows=50"
    assert "cut off at the limit" in answer.text


@pytest.mark.usefixtures("narrow")
def test_slow_queries_leave_room_for_others_and_too_many_are_told_to_come_back(guarded):
    with ThreadPoolExecutor(12) as threads:
        hostile = [
            threads.submit(httpx.post, f"{guarded.url}/sparql", data={"query": ENDLESS}, timeout=30)
            for _ in range(12)
        ]
        time.sleep(0.4)
        # Another client: on a machine of one, another of its loopback addresses.
        other = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=guarded.url, transport=other, timeout=30) as neighbour:
            for _ in range(5):
                began = time.monotonic()
                assert neighbour.get("/sparql", params=PLAIN).status_code == 200
                assert neighbour.get("/cr/latest", follow_redirects=True).status_code == 200
                assert time.monotonic() - began < 1.5
        answers = [one.result() for one in hostile]
    codes = {answer.status_code for answer in answers}
    assert codes == {503, 504}
    for answer in answers:
        if answer.status_code == 503:
            assert answer.headers["retry-after"]
            assert answer.json()["what"] == "all workers are busy"


@pytest.mark.usefixtures("narrow")
def test_a_query_whose_client_leaves_is_stopped(guarded):
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{guarded.url}/sparql", data={"query": ENDLESS}, timeout=0.5)
    began = time.monotonic()
    wait_until(lambda: any(e.get("status") == 499 for e in guarded.events()), guarded.process)
    assert time.monotonic() - began < SECONDS


def test_a_regular_expression_cannot_run_away(narrow):
    for pattern in ("(a+)+$", "(.*a){25}", "(a|aa)+$", "(x+x+)+y"):
        query = f'SELECT (REPLACE("{"a" * 5000}!", "{pattern}", "b") AS ?x) {{}}'
        assert sent(narrow, query).status_code == 200
    assert sent(narrow, 'ASK { FILTER(REGEX("a", "((a{1000}){1000}){1000}")) }').status_code in (
        200,
        422,
    )
