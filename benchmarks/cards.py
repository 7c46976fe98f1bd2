"""All cards and rulings: building them, building them again, looking them up by name."""

from __future__ import annotations

import json
import lzma
import os
import random
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Any

from benchmarks.measure import TOP, clock, folder_size, measured, medians, subject
from benchmarks.tables import Row, Table

if TYPE_CHECKING:
    from kb.knowledge import KnowledgeBase

ALL = TOP.parent / "shared" / "cards" / "AtomicCards.json.xz"
OWN = tuple(TOP / "rules" / f"concise-{name}.json" for name in ("cards", "rulings"))
TIMES = 5
LIMIT = 400
"""Seconds after which rdflib is stopped."""
SEED = 1
LOOKED_UP = 500
MISSPELT = 10
"""Fewer, for each is compared with every name."""
_WAYS = {
    "own": "by the card's name",
    "foreign": "by a name in another language",
    "misspelt": "misspelt (two letters change places; the answer is the nearest names)",
}


def built(release: str, folder: str, *cards: str) -> dict[str, Any]:
    """Build a knowledge base; the imports are timed as well."""
    with clock() as time:
        from kb.knowledge import build

        report = build([Path(release)], Path(folder), cards=[Path(file) for file in cards])
    counts = report.cards or {}
    return {
        "seconds": time.seconds,
        "unchanged": report.unchanged,
        **{name: counts[name] for name in ("cards", "faces", "rulings")},
    }


def loaded(*files: str) -> dict[str, Any]:
    """Load unpacked JSON whole, as a script would."""
    kept = []
    with clock() as time:
        for file in files:
            with Path(file).open("rb") as stream:
                kept.append(json.load(stream))
    return {"seconds": time.seconds}


def write_ntriples(folder: str, file: str) -> dict[str, Any]:
    """Write all quads as N-Triples, which leaves their graphs' names out."""
    from pyoxigraph import RdfFormat, serialize

    from kb.knowledge import KnowledgeBase

    graph = KnowledgeBase.open(Path(folder)).store.graph
    serialize((quad.triple for quad in graph), file, format=RdfFormat.N_TRIPLES)
    return {"quads": len(graph)}


def parsed(file: str) -> dict[str, Any]:
    """Parse N-Triples into rdflib's memory store; the process ends at once at the limit."""
    from rdflib import Graph

    signal.signal(signal.SIGALRM, _give_up)
    graph = Graph()
    signal.alarm(LIMIT)
    with clock() as time:
        graph.parse(file, format="nt")
    signal.alarm(0)
    return {"seconds": time.seconds, "triples": len(graph), "over": False}


def _give_up(*_: object) -> None:
    # No exception, which the parser might take for one of its own. The process that
    # `measured` starts has the function that tells its peak.
    peak = sys.modules["__main__"].peak()
    print(json.dumps({"seconds": LIMIT, "over": True, "peak": peak}), flush=True)
    os._exit(0)


def looked_up(folder: str, way: str) -> dict[str, Any]:
    """Look cards up by names drawn at random, each once, after one that warms the process."""
    from kb.knowledge import KnowledgeBase

    kb = KnowledgeBase.open(Path(folder))
    count = MISSPELT if way == "misspelt" else LOOKED_UP
    names = _names(kb, foreign=way == "foreign")
    if not names:
        return {"count": 0}
    drawn = random.Random(SEED)  # noqa: S311 - a sample, no secret
    chosen = drawn.sample(names, min(count + 1, len(names)))
    if way == "misspelt":
        chosen = [(_misspelt(name, drawn), name) for name, _ in chosen]
    _look_up(kb, *chosen[0])
    results = [_look_up(kb, *pair) for pair in chosen[1:]]
    times = [seconds * 1e3 for seconds, _ in results]
    cuts = quantiles(times, n=100, method="inclusive")
    kb.close()
    right = sum(found for _, found in results)
    return {"p50": cuts[49], "p99": cuts[98], "count": len(times), "right": right}


def _names(kb: KnowledgeBase, *, foreign: bool) -> list[tuple[str, str]]:
    """Return every name, or every one in another language, with that of its card, sorted."""
    from pyoxigraph import QuerySolutions

    which = 'mtg:printedName ?as FILTER(LANG(?as) != "en")' if foreign else "mtg:name ?as"
    rows = kb.sparql(f"SELECT ?as ?name {{ ?card a mtg:Card ; mtg:name ?name ; {which} }}")
    assert isinstance(rows, QuerySolutions)
    return sorted({(row["as"].value, row["name"].value) for row in rows})


def _misspelt(name: str, drawn: random.Random) -> str:
    """Return a name with two neighbouring letters, drawn at random, changing places."""
    lower = name.lower()
    places = [
        place
        for place in range(len(name) - 1)
        if lower[place : place + 2].isalpha() and lower[place] != lower[place + 1]
    ]
    if not places:
        return f"{name}x"
    at = drawn.choice(places)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def _look_up(kb: KnowledgeBase, written: str, meant: str) -> tuple[float, bool]:
    """Return the seconds, and whether the answer is the card or names it among others."""
    from kb.errors import MtgkbError

    shown, hint = "", ""
    with clock() as time:
        try:
            shown = kb.card(written).card
        except MtgkbError as error:
            hint = error.hint or ""
    return time.seconds, shown == meant or meant in hint


def _unpacked(file: Path, folder: str) -> str:
    if file.suffix != ".xz":
        return str(file)
    plain = Path(folder) / file.stem
    with lzma.open(file) as packed, plain.open("wb") as stream:
        shutil.copyfileobj(packed, stream)
    return str(plain)


def _found(way: str, found: dict[str, Any]) -> str:
    if not found["count"]:
        return f"{way}: there is none here"
    return (
        f"{way}, {found['count']} names: p50 {found['p50']:,.2f} ms, p99 {found['p99']:,.2f} ms, "
        f"{found['right']} answered with the card meant"
    )


def run() -> Table:
    text = subject()
    files = (ALL,) if ALL.exists() else OWN
    name = (
        "AtomicCards"
        if ALL.exists()
        else "the concise edition's own cards and rulings (there is no AtomicCards beside the "
        "project)"
    )
    module = "benchmarks.cards"
    with tempfile.TemporaryDirectory() as temporary:
        folder, triples = f"{temporary}/kb", f"{temporary}/all.nt"
        recipe = (str(text.path), folder, *map(str, files))
        ours = measured(module, "built", *recipe)
        size = folder_size(Path(folder))
        again = medians([measured(module, "built", *recipe) for _ in range(TIMES)])
        assert again["unchanged"], "a build of what is there already does nothing"
        plain = [_unpacked(file, temporary) for file in files]
        json_ = medians([measured(module, "loaded", *plain) for _ in range(TIMES)])
        quads = measured(module, "write_ntriples", folder, triples)["quads"]
        theirs = measured(module, "parsed", triples)
        text_size = Path(triples).stat().st_size / 1e6
        ways = {way: measured(module, "looked_up", folder, way) for way in _WAYS}
    found = "; ".join(_found(_WAYS[way], result) for way, result in ways.items())
    over = theirs["over"]
    rows = [
        Row("build, time, against json.load", ours["seconds"], json_["seconds"], "s"),
        Row("build, peak memory, against json.load", ours["peak"], json_["peak"], "MB"),
        Row("build, time, against rdflib", ours["seconds"], theirs["seconds"], "s", above=over),
        Row("build, peak memory, against rdflib", ours["peak"], theirs["peak"], "MB", above=over),
        Row("size on disk, against N-Triples", size, text_size, "MB"),
        Row("built again, time, against json.load", again["seconds"], json_["seconds"], "s"),
    ]
    if not over:
        rows.append(Row("quads held, against rdflib's triples", quads, theirs["triples"]))
    return Table(
        "Cards",
        f"`kb.knowledge.build` of {text.name} with {name}: {ours['cards']:,} cards, "
        f"{ours['faces']:,} faces, {ours['rulings']:,} rulings, {quads:,} quads. Built once, in a "
        "fresh process, imports and unpacking timed; against `json.load` of the unpacked files, "
        "which keeps no graph, and against rdflib parsing the same quads as N-Triples into its "
        f"memory store, which reads no card and types no text (once, stopped after {LIMIT} s). "
        f"`json.load` and the build of what is there already are medians of {TIMES}.\n\n"
        "`KnowledgeBase.card` in a warm process, names drawn at random with a fixed seed, each "
        f"looked up once: {found}.",
        "alternative",
        tuple(rows),
    )


if __name__ == "__main__":
    print(run().markdown())
