"""The whole of `mtgkb build`, against the same triples put into rdflib and saved."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

from benchmarks.measure import medians, official_releases, program, subject
from benchmarks.starting import MAIN
from benchmarks.storing import quads_of
from benchmarks.tables import Row, Table

if TYPE_CHECKING:
    from pathlib import Path

    from pyoxigraph import Literal, NamedNode
    from rdflib.term import Identifier

TIMES = 5
_SCRIPT = "import sys; from benchmarks.building import with_rdflib; with_rdflib(*sys.argv[1:])"


def with_rdflib(path: str, file: str) -> None:
    """Read a release in full, put it into an rdflib graph, and save that as N-Triples."""
    from rdflib import Graph

    graph = Graph()
    for quad in quads_of(path):
        graph.add((_term(quad.subject), _term(quad.predicate), _term(quad.object)))
    graph.serialize(file, format="nt", encoding="utf-8")


def _term(term: NamedNode | Literal) -> Identifier:
    import pyoxigraph
    import rdflib

    if isinstance(term, pyoxigraph.NamedNode):
        return rdflib.URIRef(term.value)
    kind = term.datatype.value
    plain = kind == str(rdflib.XSD.string)
    return rdflib.Literal(term.value, datatype=None if plain else rdflib.URIRef(kind))


def _built(files: list[Path]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        return program(MAIN, "build", "--kb", folder, *map(str, files))


def _scripted(file: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        return program(_SCRIPT, str(file), f"{folder}/release.nt")


def _all_rows(files: list[Path]) -> tuple[Row, ...]:
    # The newest alone is built before and after, for the long build spans changes of load.
    before = [_built(files[-1:]) for _ in range(TIMES)]
    whole = _built(files)
    alone = medians([*before, *(_built(files[-1:]) for _ in range(TIMES))])
    size = files[-1].stat().st_size / 1e6
    text = sum(file.stat().st_size for file in files) / 1e6
    name = f"all {len(files)} releases in one build"
    ours, theirs = whole["seconds"], alone["seconds"]
    return (
        Row(f"{name}: a release, against the newest alone", ours / len(files), theirs, "s"),
        Row(f"{name}: a MB of text, against the newest alone", ours / text, theirs / size, "s"),
        Row(f"{name}: peak memory, against the newest alone", whole["peak"], alone["peak"], "MB"),
    )


def run() -> Table:
    text = subject()
    ours, theirs = [], []
    for _ in range(TIMES):
        ours.append(_built([text.path]))
        theirs.append(_scripted(text.path))
    built, scripted = medians(ours), medians(theirs)
    files = official_releases()
    rows = _all_rows(files) if files else ()
    some = (
        f"All {len(files)} releases together are built once, the newest alone {TIMES} times before "
        "and after: load that changes in between is noise in that ratio. "
        if files
        else ""
    )
    return Table(
        "Building",
        f"`mtgkb build` of {text.name}, from the start of the process to its end, against a "
        "script that reads the release in the same way, puts the same triples into an rdflib "
        "graph in memory, and saves it as N-Triples (loading it again is not counted). "
        f"Median of {TIMES}, taken in turn. {some}"
        "Reading is in both figures; what differs is the store.",
        "alternative",
        (
            Row("one release, time, against rdflib", built["seconds"], scripted["seconds"], "s"),
            Row("one release, peak memory, against rdflib", built["peak"], scripted["peak"], "MB"),
            *rows,
        ),
    )


if __name__ == "__main__":
    print(run().markdown())
