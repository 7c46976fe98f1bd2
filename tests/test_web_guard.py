"""Attacks: what a query, a request or a client may not do, and that others notice nothing."""

from __future__ import annotations

import contextlib
import html
import http.server
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from pyoxigraph import Literal, NamedNode, Quad
from served import running, wait_until

from kb.store import building, fill
from kb.vocab import BASE

SECONDS = 1.5
BOUNDS = {
    "seconds": SECONDS,
    "slow_after": 0.1,
    "low_after": 0.5,
    "rows": 50,
    "answer_bytes": 200_000,
    "memory_bytes": 1200 * 2**20,
    "workers": 2,
    "slow": 2,
    "waiting": 8,
    "waiting_seconds": 0.5,
    "head_seconds": 1.0,
    "write_seconds": 1.0,
    "stop_seconds": 5.0,
}
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a (!<x:x>)* ?b . ?b (!<x:y>)* ?c . ?c (!<x:z>)* ?d }"
LONG = (
    f"SELECT (CONCAT({','.join(['STR(?o)'] * 300)}) AS ?x) {{"
    " ?s mtg:text ?o FILTER(STRLEN(?o) > 60) }"
)
PLAIN = {"query": "ASK { ?s ?p ?o }"}


@pytest.fixture(scope="module")
def guarded(served_folder, tmp_path_factory):
    """A server with narrow bounds."""
    log = tmp_path_factory.mktemp("guarded") / "log"
    with running(served_folder, log, **BOUNDS) as server:
        yield server


@pytest.fixture
def client(guarded):
    with httpx.Client(base_url=guarded.url, timeout=30) as client:
        yield client
        # Whatever a test did, the next one finds a server that answers.
        wait_until(lambda: client.get("/sparql", params=PLAIN).status_code == 200, guarded.process)


def sent(client, query):
    return client.post("/sparql", data={"query": query})


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
def test_nothing_outside_is_reached_and_nothing_written(client, outside, query):
    answer = sent(client, query.format(url=outside))
    if answer.status_code == 200:
        assert answer.json()["results"]["bindings"] == []
    else:
        assert answer.status_code in (400, 403)
        assert answer.json()["why"]
    assert Listener.asked == []


@pytest.mark.parametrize("name", ["default-graph-uri", "named-graph-uri"])
def test_a_graph_named_by_the_protocol_is_not_fetched(client, outside, name):
    for iri in (f"{outside}/x", "file:///etc/passwd"):
        query = "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
        answer = client.get("/sparql", params={"query": query, name: iri})
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
def test_a_query_that_takes_too_long_is_stopped(client, query):
    began = time.monotonic()
    answer = sent(client, query)
    assert time.monotonic() - began < SECONDS + 3
    assert answer.status_code in (504, 422)
    if answer.status_code == 504:
        assert answer.headers["mtgkb-limit"] == answer.json()["limit"] == f"seconds={SECONDS}"


def test_the_process_of_a_stopped_query_is_gone(client, guarded):
    sent(client, ENDLESS)

    def whole():
        pools = client.get("/health").json()["pools"]["queries"]
        return pools["workers"] == pools["idle"] == 4

    wait_until(whole, guarded.process)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i",
        "SELECT (GROUP_CONCAT(CONCAT(?c, ?f)) AS ?x) { ?a ?b ?c . ?d ?e ?f }",
    ],
)
def test_a_query_that_takes_too_much_memory_harms_itself_alone(client, query):
    assert sent(client, query).status_code in (422, 504)
    assert sent(client, "ASK {}").json()["boolean"] is True


@pytest.mark.parametrize(
    ("opening", "closing"), [("{", "}"), ("(", ")"), ("FILTER(!(", "))"), ("OPTIONAL {", "}")]
)
def test_deep_nesting_harms_itself_alone(client, opening, closing):
    inner = "1" if "(" in opening else ""
    begin, end = ("ASK { FILTER(", ") }") if opening == "(" else ("ASK { ", " }")
    if opening == "FILTER(!(":
        opening, closing, begin, end = "!(", ")", "ASK { FILTER(", ") }"
    deep = begin + opening * 20_000 + inner + closing * 20_000 + end
    assert sent(client, deep).status_code in (400, 422, 504)
    assert sent(client, "ASK {}").json()["boolean"] is True


@pytest.mark.parametrize(
    "query", ["(" * 200_000, "'''a" * 100_000, "#" * 900_000, "<" * 900_000, '"\\' * 400_000]
)
def test_what_is_hard_to_read_is_refused(client, query):
    assert sent(client, query).status_code in (400, 403, 413, 422, 504)


def test_an_answer_with_too_many_rows_is_cut_and_says_so(client):
    answer = sent(client, "SELECT ?s { ?s ?p ?o }")
    assert answer.headers["mtgkb-truncated"] == answer.json()["truncated"] == "rows=50"
    assert len(answer.json()["results"]["bindings"]) == 50


def test_an_answer_that_is_too_long_is_cut_and_says_so(client):
    answer = sent(client, LONG)
    assert answer.headers["mtgkb-truncated"] == "bytes=200000"
    assert len(answer.content) < 201_000


def test_a_cut_graph_says_so(client):
    query = "CONSTRUCT WHERE { ?s ?p ?o }"
    answer = client.get("/sparql", params={"query": query}, headers={"Accept": "text/turtle"})
    assert answer.headers["mtgkb-truncated"] == "rows=50"
    assert "cut off at the limit" in answer.text


@pytest.mark.usefixtures("client")
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


@pytest.mark.usefixtures("client")
def test_a_query_whose_client_leaves_is_stopped(guarded):
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{guarded.url}/sparql", data={"query": ENDLESS}, timeout=0.5)
    began = time.monotonic()
    wait_until(lambda: any(e.get("status") == 499 for e in guarded.events()), guarded.process)
    assert time.monotonic() - began < SECONDS


# HTTP


def raw(server, *pieces, pause=0.0):
    """Send pieces of bytes, and return all that comes back until the server closes."""
    with server.socket() as connection:
        with contextlib.suppress(OSError):
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(pause)
        connection.settimeout(8)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while chunk := connection.recv(65536):
                answer += chunk
        return answer


@pytest.mark.parametrize(
    "pieces",
    [
        [b""],
        [b"GET / HT"],
        [b"GET / HTTP/1.1\r\nHost: a\r\n", b"X-A: b\r\n", b"X-B: c\r\n"],
        [b"POST /sparql HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nquer"],
    ],
)
@pytest.mark.usefixtures("client")
def test_a_slow_client_is_cut(guarded, pieces):
    began = time.monotonic()
    raw(guarded, *pieces, pause=0.2)
    assert time.monotonic() - began < 4


@pytest.mark.usefixtures("client")
def test_a_client_that_takes_no_answer_is_cut(guarded):
    request = httpx.Request("GET", f"{guarded.url}/sparql", params={"query": LONG})
    line = f"GET {request.url.raw_path.decode()} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
    with guarded.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32768)
        for _ in range(60):
            connection.sendall(line)
        time.sleep(BOUNDS["write_seconds"] + 1.5)
        taken, end = b"", time.monotonic() + 8
        connection.settimeout(8)
        with contextlib.suppress(ConnectionError):
            while chunk := connection.recv(1 << 20):
                taken += chunk
                assert time.monotonic() < end, "it was not cut"
    assert taken.count(b"HTTP/1.1 200") < 60


@pytest.mark.parametrize(
    "head",
    [
        b"".join(b"X-%d: a\r\n" % i for i in range(5000)),
        b"X-Long: " + b"a" * 300_000 + b"\r\n",
        b"X-Long: " + b"a" * 100_000,
    ],
)
@pytest.mark.usefixtures("client")
def test_a_flood_of_headers_is_refused(guarded, head):
    answer = raw(guarded, b"GET / HTTP/1.1\r\nHost: a\r\n" + head + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 431") or answer == b""


@pytest.mark.usefixtures("client")
def test_an_address_that_is_too_long_is_refused(guarded):
    answer = raw(guarded, b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 431") or answer == b""


def test_a_body_that_is_too_long_is_refused(guarded, client):
    headers = {"Content-Type": "application/sparql-query"}
    told = raw(
        guarded,
        b"POST /sparql HTTP/1.1\r\nHost: a\r\nContent-Type: application/sparql-query\r\n"
        b"Content-Length: 99999999\r\n\r\n",
    )
    assert told.startswith(b"HTTP/1.1 413")

    def chunks():
        for _ in range(64):
            yield b"#" * 65536

    with contextlib.suppress(httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
        answer = client.post("/sparql", content=chunks(), headers=headers)
        assert answer.status_code == 413


def test_a_long_query_below_the_limit_is_answered(client):
    query = "ASK {} #" + "a" * 900_000
    assert client.post(
        "/sparql", content=query, headers={"Content-Type": "application/sparql-query"}
    ).json() == {"head": {}, "boolean": True}


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/cr/..%2f..%2fetc%2fpasswd",
        "/cr/2026-06-19-concise/rule/..%2F..%2F..%2Fetc%2Fpasswd",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/cr/%00/rule/%00",
        "/ask/../../x",
        "/ask/..%2Finfer%2Fwithin",
        "/id/card/%7B%7D%3Cx%3E%22",
        "/%ff%fe",
        "//a.example/x",
        "/card/" + "a" * 5000,
        "/cr/" + "/".join("a" * 2000),
    ],
)
@pytest.mark.usefixtures("client")
def test_no_path_leads_out(guarded, path):
    answer = raw(guarded, f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    status = int(answer.split()[1])
    assert status in (400, 404)
    assert b"root:" not in answer
    assert b"location:" not in answer.lower()


@pytest.mark.parametrize("kind", ["text/html", "application/json"])
def test_a_value_of_a_parameter_is_data_and_no_query(client, kind):
    for value in (
        '" } DROP ALL {',
        "' UNION SELECT",
        '704" . ?s ?p ?o . "',
        "</script>",
        "\\u0022",
    ):
        for path in ("/ask/cited-by", "/ask/rules-for-card"):
            name = "rule" if path.endswith("by") else "card"
            answer = client.get(path, params={name: value}, headers={"Accept": kind})
            assert answer.status_code in (400, 404)
            assert "<script>" not in answer.text


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}\r\nSet-Cookie: a=b'


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory):
    """A server of a knowledge base with hostile text in every property that the graph has."""
    folder = tmp_path_factory.mktemp("poisoned") / "kb"
    release = NamedNode(f"{BASE}cr/x")
    node = NamedNode(f"{BASE}cr/x/rule/1")
    names = ("number", "text", "label", "level", "name", "heading", "quote", "value", "kind")
    quads = [Quad(node, NamedNode(f"{BASE}ns#{name}"), Literal(HOSTILE), release) for name in names]
    quads.append(
        Quad(node, NamedNode(f"{BASE}ns#{names[0]}"), NamedNode("javascript:alert(1)"), release)
    )
    with building(folder) as generation:
        summary = {"name": "x", "effective": "2000-01-01", "edition": "x", "title": HOSTILE}
        fill(generation, quads, {"base": BASE, "releases": [summary]})
    with running(folder, folder.parent / "log", "--workers", "1") as server:
        yield server


def test_hostile_text_of_the_graph_is_escaped(poisoned):
    page = httpx.get(f"{poisoned.url}/cr/x/rule/1.html")
    assert page.status_code == 200
    assert page.text.count(html.escape(HOSTILE.partition("\r")[0])) == 9
    tags = set(re.findall(r"<(\w+)", page.text))
    assert tags <= {
        "html",
        "head",
        "meta",
        "title",
        "body",
        "main",
        "h1",
        "p",
        "a",
        "table",
        "tr",
        "th",
        "td",
    }
    assert not re.search(r'href="\s*javascript', page.text)
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "set-cookie" not in page.headers


def test_hostile_text_of_a_request_is_escaped(poisoned):
    params = {"query": f"ASK {HOSTILE}"}
    for path in ("/sparql", "/ask/cited-by", "/cr/%3Cscript%3Ealert(1)%3C/script%3E"):
        for accept in ("text/html", "application/json", "text/plain"):
            answer = httpx.get(poisoned.url + path, params=params, headers={"Accept": accept})
            assert answer.status_code in (400, 404, 406)
            assert "set-cookie" not in answer.headers
            if answer.headers["content-type"].startswith("text/html"):
                assert "<script" not in answer.text
            assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_regular_expression_cannot_run_away(client):
    for pattern in ("(a+)+$", "(.*a){25}", "(a|aa)+$", "(x+x+)+y"):
        query = f'SELECT (REPLACE("{"a" * 5000}!", "{pattern}", "b") AS ?x) {{}}'
        assert sent(client, query).status_code == 200
    assert sent(client, 'ASK { FILTER(REGEX("a", "((a{1000}){1000}){1000}")) }').status_code in (
        200,
        422,
    )
