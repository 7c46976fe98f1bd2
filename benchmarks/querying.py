"""Ten questions of the catalogue, against rdflib's SPARQL engine on the same graph and text."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.measure import clock, measured, subject
from benchmarks.tables import Row, Table

if TYPE_CHECKING:
    from collections.abc import Callable

QUESTIONS: tuple[tuple[str, dict[str, str]], ...] = (
    ("cites", {"rule": "601.2"}),
    ("cited-by", {"rule": "601.2f"}),
    ("broken-references", {}),
    ("exceptions", {}),
    ("single-card-rules", {}),
    ("examples-with-card", {"card": "Clone"}),
    ("obsolete-terms", {}),
    ("term-aliases", {}),
    ("keyword-abilities", {}),
    ("keyword-actions", {}),
)
TIMES = 9
LIMIT = 120
_ENOUGH = 20.0
"""Seconds after which a slow query is not run again."""


def prepare(path: str, folder: str, file: str) -> dict[str, Any]:
    """Build a knowledge base, and write its newest release as N-Triples."""
    from pyoxigraph import RdfFormat, serialize

    from kb.knowledge import KnowledgeBase, build

    build([Path(path)], Path(folder))
    knowledge = KnowledgeBase.open(Path(folder))
    graphs = knowledge.graph_names()
    triples = (quad.triple for graph in graphs for quad in knowledge.store.quads(graph))
    serialize(triples, file, format=RdfFormat.N_TRIPLES)
    return {}


def asked(folder: str, question: str, parameters: dict[str, str]) -> dict[str, Any]:
    """Ask mtgkb one question; return seconds and rows."""
    from kb.knowledge import KnowledgeBase

    knowledge = KnowledgeBase.open(Path(folder))
    seconds, answer = _timed(lambda: knowledge.ask(question, parameters))
    rows = [[_text(row[column]) for column in answer.columns] for row in answer.rows]
    return {"seconds": seconds, "rows": sorted(map(json.dumps, rows))}


def asked_of_rdflib(file: str, question: str, parameters: dict[str, str]) -> dict[str, Any]:
    """Ask rdflib one question; the process ends at once when a run is over the limit."""
    from rdflib import Graph

    from kb.queries import fill_in
    from kb.queries import question as catalogued

    asking = catalogued(question)
    sparql = fill_in(asking.sparql, {name: [value] for name, value in parameters.items()})
    graph = Graph().parse(file, format="nt")
    seconds, result = _timed(lambda: list(graph.query(sparql)), limit=LIMIT)
    columns = [name for name, _ in asking.columns]
    rows = [[_text(row.asdict().get(column)) for column in columns] for row in result]
    return {"seconds": seconds, "rows": sorted(map(json.dumps, rows))}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _timed(ask: Callable[[], Any], limit: int = 0) -> tuple[float, Any]:
    """Return the median of several warm runs and the answer.

    A run that took long is not repeated, and then the first run counts.
    """
    if limit:
        signal.signal(signal.SIGALRM, _give_up)
    times: list[float] = []
    answer = None
    while len(times) <= TIMES and sum(times) < _ENOUGH:
        signal.alarm(limit)
        with clock() as time:
            answer = ask()
        times.append(time.seconds)
    signal.alarm(0)
    return median(times[1:] or times), answer


def _give_up(*_: object) -> None:
    # No exception, which the engine might take for one of its own.
    print(json.dumps({"over": True}), flush=True)
    os._exit(0)


def _row(name: str, ours: dict[str, Any], theirs: dict[str, Any]) -> Row:
    over = "over" in theirs
    count = len(ours["rows"])
    remark = f"{count:,} rows"
    if not over:
        same = theirs["rows"] == ours["rows"]
        remark += ", the same" if same else f"; rdflib's differ ({len(theirs['rows']):,})"
    seconds = LIMIT if over else theirs["seconds"]
    return Row(name, ours["seconds"] * 1e3, seconds * 1e3, "ms", above=over, remark=remark)


def run() -> Table:
    text = subject()
    module = "benchmarks.querying"
    with tempfile.TemporaryDirectory() as temporary:
        folder, file = f"{temporary}/kb", f"{temporary}/release.nt"
        measured(module, "prepare", str(text.path), folder, file)
        rows = []
        for question, parameters in QUESTIONS:
            ours = measured(module, "asked", folder, question, parameters)
            try:
                # Beside the limit of a run: loading, and the runs before.
                whole = 2 * LIMIT + 180
                theirs = measured(
                    module, "asked_of_rdflib", file, question, parameters, limit=whole
                )
            except subprocess.TimeoutExpired:
                theirs = {"over": True}
            options = "".join(f" --{name} {value}" for name, value in parameters.items())
            rows.append(_row(f"`{question}{options}`", ours, theirs))
    return Table(
        "Querying",
        f"Ten questions of the catalogue on {text.name}: `KnowledgeBase.ask`, on disk, against "
        "`rdflib.Graph.query` with the text of the same `.rq` file, parameters filled in, on the "
        "same triples in memory. Parsing the query and reading every row are timed, opening and "
        f"loading are not. Median of {TIMES} warm runs, fewer where they take more than "
        f"{_ENOUGH:.0f} s together, in a process for each question and engine; rdflib is stopped "
        f"after {LIMIT} s.",
        "rdflib in memory",
        tuple(rows),
    )


if __name__ == "__main__":
    print(run().markdown())
