"""Clients that are slow, send too much, or hide something in what they send."""

from __future__ import annotations

import contextlib
import html
import re
import socket
import time

import httpx
import pytest
from pyoxigraph import Literal, NamedNode, Quad
from served import BOUNDS, LONG, running

from kb.store import building, fill
from kb.vocab import BASE


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
@pytest.mark.usefixtures("narrow")
def test_a_slow_client_is_cut(guarded, pieces):
    began = time.monotonic()
    raw(guarded, *pieces, pause=0.2)
    assert time.monotonic() - began < 4


@pytest.mark.usefixtures("narrow")
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
@pytest.mark.usefixtures("narrow")
def test_a_flood_of_headers_is_refused(guarded, head):
    answer = raw(guarded, b"GET / HTTP/1.1\r\nHost: a\r\n" + head + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 431") or answer == b""


@pytest.mark.usefixtures("narrow")
def test_an_address_that_is_too_long_is_refused(guarded):
    answer = raw(guarded, b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 431") or answer == b""


def test_a_body_that_is_too_long_is_refused(guarded, narrow):
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
        answer = narrow.post("/sparql", content=chunks(), headers=headers)
        assert answer.status_code == 413


def test_a_long_query_below_the_limit_is_answered(narrow):
    query = "ASK {} #" + "a" * 900_000
    assert narrow.post(
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
@pytest.mark.usefixtures("narrow")
def test_no_path_leads_out(guarded, path):
    answer = raw(guarded, f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    status = int(answer.split()[1])
    assert status in (400, 404)
    assert b"root:" not in answer
    assert b"location:" not in answer.lower()


@pytest.mark.parametrize("kind", ["text/html", "application/json"])
def test_a_value_of_a_parameter_is_data_and_no_query(narrow, kind):
    for value in (
        '" } DROP ALL {',
        "' UNION SELECT",
        '704" . ?s ?p ?o . "',
        "</script>",
        "\\u0022",
    ):
        for path in ("/ask/cited-by", "/ask/rules-for-card"):
            name = "rule" if path.endswith("by") else "card"
            answer = narrow.get(path, params={name: value}, headers={"Accept": kind})
            assert answer.status_code in (400, 404)
            assert "<script>" not in answer.text


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}\r\nSet-Cookie: a=b'


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory):
    """A server of a knowledge base with hostile text in every property that the graph has."""
    folder = tmp_path_factory.mktemp("poisoned") / "kb"
    release = NamedNode(f"{BASE}cr/x")
    node = NamedNode(f"{BASE}cr/x/block/1")  # no page for people is at such an address
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
    page = httpx.get(f"{poisoned.url}/cr/x/block/1.html")
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
            assert answer.status_code in (400, 404, 406) or path == "/ask/cited-by"
            assert "set-cookie" not in answer.headers
            if answer.headers["content-type"].startswith("text/html"):
                assert "<script>" not in answer.text
                assert "<img" not in answer.text
            assert answer.headers["x-content-type-options"] == "nosniff"
