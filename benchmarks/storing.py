"""The quads of one release into the store on disk, against rdflib's store in memory."""

from __future__ import annotations

import gc
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.measure import alternately, clock, folder_size, measured, subject
from benchmarks.tables import Row, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyoxigraph import Quad

TIMES = 5


def quads_of(path: str) -> Iterator[Quad]:
    """Read a release in full and yield its quads."""
    from kb.knowledge import read_release
    from kb.source import read_source
    from kb.triples import reading_quads
    from kb.vocab import BASE

    return reading_quads(read_release(read_source(Path(path))), BASE)


def write_ntriples(path: str, file: str) -> dict[str, Any]:
    from pyoxigraph import RdfFormat, serialize

    triples = (quad.triple for quad in quads_of(path))
    serialize(triples, file, format=RdfFormat.N_TRIPLES)
    return {}


def on_disk(path: str, _: str) -> dict[str, Any]:
    from kb.store import building, fill, open_store

    quads = list(quads_of(path))
    gc.freeze()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "kb"
        with clock() as time, building(folder) as generation:
            fill(generation, quads, {"releases": [{"name": "measured"}]})
        size = folder_size(folder)
        held = len(open_store(folder).graph)
    return {"seconds": time.seconds, "size": size, "quads": held}


def parsed(_: str, file: str) -> dict[str, Any]:
    from rdflib import Graph

    graph = Graph()
    with clock() as time:
        graph.parse(file, format="nt")
    return {"seconds": time.seconds, "size": Path(file).stat().st_size / 1e6, "quads": len(graph)}


def added(_: str, file: str) -> dict[str, Any]:
    from rdflib import Graph

    triples = list(Graph().parse(file, format="nt"))
    graph = Graph()
    gc.freeze()
    with clock() as time:
        graph.addN((*triple, graph) for triple in triples)
    return {"seconds": time.seconds, "quads": len(graph)}


def run() -> Table:
    text = subject()
    with tempfile.TemporaryDirectory() as folder:
        arguments: list[object] = [str(text.path), str(Path(folder) / "release.nt")]
        measured("benchmarks.storing", "write_ntriples", *arguments)
        ours, parse, add = alternately(
            TIMES, "benchmarks.storing", "on_disk", "parsed", "added", arguments=arguments
        )
    return Table(
        "Storing",
        f"The quads of {text.name}, read beforehand, into the store on disk "
        "(`kb.store.building` and `fill`: written, optimised, flushed, swapped in), against "
        "rdflib's memory store, which keeps nothing after the process: once by parsing "
        "N-Triples, once by `addN` of triples that are rdflib's own already. "
        f"Median of {TIMES}, each in a fresh process, what was made before kept from the garbage "
        "collector. Oxigraph keeps quads in several orders, "
        "so that its files are larger than the text.",
        "rdflib in memory",
        (
            Row("time, rdflib parsing N-Triples", ours["seconds"], parse["seconds"], "s"),
            Row("time, rdflib's addN", ours["seconds"], add["seconds"], "s"),
            Row("size on disk, rdflib's as N-Triples", ours["size"], parse["size"], "MB"),
            Row("quads or triples held", int(ours["quads"]), int(parse["quads"])),
        ),
    )


if __name__ == "__main__":
    print(run().markdown())
