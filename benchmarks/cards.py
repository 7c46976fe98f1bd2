"""All cards and rulings: building them, building them again, looking one up."""

from __future__ import annotations

import json
import lzma
import random
import tempfile
from pathlib import Path
from statistics import quantiles

from benchmarks.building import _term
from benchmarks.measure import TOP, clock, folder_size, measured, program, subject
from benchmarks.starting import MAIN
from benchmarks.tables import Row, Table

CARDS = TOP.parent / "shared" / "cards" / "AtomicCards.json.xz"
OWN = tuple(TOP / "rules" / f"concise-{name}.json" for name in ("cards", "rulings"))
LOOKED_UP = 500


def load_json(*files: str) -> dict[str, float]:
    """Load the files whole, as a script would."""
    with clock() as took:
        for file in files:
            with lzma.open(file) if file.endswith(".xz") else Path(file).open("rb") as stream:
                json.load(stream)
    return {"seconds": took.seconds}


def load_rdflib(folder: str) -> dict[str, float]:
    """Put the triples of a knowledge base into rdflib's memory store."""
    from rdflib import Graph

    from kb.knowledge import KnowledgeBase

    kb = KnowledgeBase.open(Path(folder))
    quads = [quad for name in kb.graph_names() for quad in kb.store.quads(name)]
    graph = Graph()
    with clock() as took:
        for quad in quads:
            graph.add((_term(quad.subject), _term(quad.predicate), _term(quad.object)))
    kb.close()
    return {"seconds": took.seconds, "triples": len(graph)}


def look_up(folder: str) -> dict[str, float]:
    """Look cards up by name, in a warm process."""
    from kb.errors import UsageError
    from kb.knowledge import KnowledgeBase

    kb = KnowledgeBase.open(Path(folder))
    rows = kb.sparql("SELECT ?name { ?card a mtg:Card ; mtg:name ?name } ORDER BY ?name")
    names = [row["name"].value for row in rows]
    chosen = random.Random(1).sample(names, min(LOOKED_UP, len(names)))  # noqa: S311 - a sample
    times = []
    for name in chosen:
        with clock() as took:
            try:
                kb.card(name)
            except UsageError:
                continue  # several cards share this name
        times.append(took.seconds)
    cuts = quantiles(times, n=100)
    kb.close()
    return {"p50": cuts[49], "p99": cuts[98]}


def run() -> Table:
    text, files = subject(), (CARDS,) if CARDS.exists() else OWN
    name = "AtomicCards" if CARDS.exists() else "the concise edition's cards"
    options = [word for file in files for word in ("--cards", str(file))]
    with tempfile.TemporaryDirectory() as folder:
        build = (MAIN, "build", "--kb", folder, str(text.path), *options)
        built, again = program(*build), program(*build)
        plain = measured("benchmarks.cards", "load_json", *map(str, files))
        rdflib = measured("benchmarks.cards", "load_rdflib", folder)
        found = measured("benchmarks.cards", "look_up", folder)
        size = folder_size(Path(folder))
    return Table(
        "Cards",
        f"`mtgkb build` of {text.name} with {name}, once, from the start of the process to its "
        "end, against `json.load` of the same files (which keeps no graph), and against putting "
        "the finished triples into rdflib's memory store (which reads no file and types no "
        f"text). {rdflib['triples']:,.0f} triples, {size:,.0f} MB on disk. A card is looked up by "
        f"its name in a warm process, {LOOKED_UP} names drawn at random: "
        f"{found['p50'] * 1e3:.2f} ms in the middle, {found['p99'] * 1e3:.2f} ms at the 99th "
        f"percentile. A build of what is there already: {again['seconds']:.2f} s.",
        "alternative",
        (
            Row("build, time, against json.load", built["seconds"], plain["seconds"], "s"),
            Row("build, peak memory, against json.load", built["peak"], plain["peak"], "MB"),
            Row("build, time, against rdflib", built["seconds"], rdflib["seconds"], "s"),
            Row("build, peak memory, against rdflib", built["peak"], rdflib["peak"], "MB"),
            Row(
                "built again unchanged, time, against rdflib",
                again["seconds"],
                rdflib["seconds"],
                "s",
            ),
        ),
    )


if __name__ == "__main__":
    print(run().markdown())
