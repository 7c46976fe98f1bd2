"""`mtgkb serve` under load, and with a hostile query beside, against rdflib behind starlette."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import httpx

from benchmarks.measure import subject
from benchmarks.tables import Row, Table
from kb.knowledge import KnowledgeBase, build

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENTS = (1, 16, 128)
SECONDS = 4
MAIN = "from kb.cli import main; main()"
HOSTILE = "SELECT (COUNT(*) AS ?n) { ?a (!<x:x>)* ?b . ?b (!<x:y>)* ?c . ?c (!<x:z>)* ?d }"


@contextmanager
def serving(*arguments: str) -> Iterator[int]:
    """Run a server that prints its address, and give its port."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    assert process.stdout is not None
    try:
        found = re.search(r"at http://[^/]+:(\d+)/", process.stdout.readline())
        assert found, "the server did not start"
        port = int(found[1])
        for _ in range(200):
            try:
                httpx.get(f"http://127.0.0.1:{port}/sparql?query=ASK%7B%7D", timeout=60)
            except httpx.ConnectError:
                continue
            break
        yield port
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def loaded(port: int, requests: list[tuple[str, str]], clients: int) -> dict[str, float]:
    """Load a server from another process."""
    command = [sys.executable, "-m", "benchmarks.load"]
    given = json.dumps([port, clients, SECONDS, requests])
    done = subprocess.run([*command, given], check=True, capture_output=True, timeout=600)
    found: dict[str, float] = json.loads(done.stdout)
    return found


@contextmanager
def hostile(port: int) -> Iterator[None]:
    """Send a query that never ends, again and again."""
    stop = threading.Event()

    def send() -> None:
        while not stop.is_set():
            try:
                httpx.get(f"http://127.0.0.1:{port}/sparql", params={"query": HOSTILE}, timeout=15)
            except httpx.HTTPError:
                continue

    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()


def workloads(kb: KnowledgeBase) -> dict[str, list[tuple[str, str]]]:
    """Return what is asked: many rules, so that no single answer is at hand."""
    found = kb.sparql("SELECT ?n ?r { ?r a mtg:Rule ; mtg:number ?n } ORDER BY ?n LIMIT 500")
    rules = [(row["n"].value, row["r"].value) for row in found]  # type: ignore[index, union-attr]
    point = "SELECT ?text { ?r mtg:number '%s' ; mtg:text ?text }"
    return {
        "point query": [
            (f"/sparql?query={quote(point % number)}", "application/sparql-results+json")
            for number, _ in rules
        ],
        "rule, JSON": [("/" + iri.removeprefix(kb.base), "application/json") for _, iri in rules],
        "rule, Turtle": [("/" + iri.removeprefix(kb.base), "text/turtle") for _, iri in rules],
    }


def run() -> Table:
    text = subject()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as top:
        folder, dump = Path(top) / "kb", Path(top) / "release.nt"
        build([text.path], folder)
        kb = KnowledgeBase.open(folder)
        dump.write_bytes(kb.graph().serialize(format="nt", encoding="utf-8"))
        asked = workloads(kb)
        ours = ("-c", MAIN, "serve", "--kb", str(folder), "--port", "0")
        theirs = ("-m", "benchmarks.rdflib_server", str(dump))
        for what, requests in asked.items():
            for clients in CLIENTS:
                rows += compared(f"{what}, {clients} clients", requests, clients, ours, theirs)
        rows += beside(asked["point query"], ours, theirs)
    return Table(
        "Serving",
        f"Requests over HTTP on {text.name}, for {SECONDS} s from clients that share the machine "
        "with the server, each asking again as soon as it is answered, over 500 rules. *Time a "
        "request* is the time divided by the requests answered: 1 ms is 1,000 requests a second. "
        "The alternative is `benchmarks/rdflib_server.py`, a graph of the release's text in "
        "memory without inferences, limits or processes; its answers of rules are not kept, while "
        "those of mtgkb are after the first time, which one process reads: that first time is the "
        "p99 of rules at 128 clients. *Beside a hostile query*: one "
        "client sends a query that never ends, again and again; rdflib cannot be stopped.",
        "rdflib behind starlette",
        tuple(rows),
    )


def compared(
    what: str,
    requests: list[tuple[str, str]],
    clients: int,
    ours: tuple[str, ...],
    theirs: tuple[str, ...],
) -> list[Row]:
    """Measure both sides with so many clients."""
    found = []
    for arguments in (ours, theirs):
        with serving(*arguments) as port:
            found.append(loaded(port, requests, clients))
    mine, other = found
    failed = f"failures: {mine['failures']:.0f} and {other['failures']:.0f}"
    return [
        Row(f"{what}, time a request", 1e3 / mine["rate"], 1e3 / other["rate"], "ms"),
        Row(f"{what}, p99", mine["p99"], other["p99"], "ms", remark=failed),
    ]


def beside(
    requests: list[tuple[str, str]], ours: tuple[str, ...], theirs: tuple[str, ...]
) -> list[Row]:
    """Measure point queries of 16 clients, alone and with a hostile query beside."""
    with serving(*ours) as port:
        alone = loaded(port, requests, 16)
        with hostile(port):
            mine = loaded(port, requests, 16)
    with serving(*theirs) as port:
        other_alone = loaded(port, requests, 16)
        with hostile(port):
            other = loaded(port, requests, 16)
    told = f"alone {alone['p99']:.3g} ms and {other_alone['p99']:.3g} ms"
    failed = f"failures: {mine['failures']:.0f} and {other['failures']:.0f}"
    return [
        Row(
            "point query, 16 clients, p99 beside a hostile query",
            mine["p99"],
            other["p99"],
            "ms",
            remark=told,
        ),
        Row(
            "the same, time a request",
            1e3 / mine["rate"],
            1e3 / max(other["rate"], 1e-3),
            "ms",
            remark=failed,
        ),
    ]


if __name__ == "__main__":
    print(run().markdown())
