"""Searching a release, against SQLite's full-text index (FTS5) over the same rules."""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from benchmarks.measure import TOP, clock, measured, subject
from benchmarks.tables import Row, Table

if TYPE_CHECKING:
    from collections.abc import Callable

CLIENTS = 8
CARDS = TOP.parent / "shared" / "cards" / "AtomicCards.json.xz"
QUESTIONS = TOP.parent / "shared" / "eval" / "search.jsonl"
_WORD = re.compile(r"\w+")


def prepare(path: str, folder: str) -> dict[str, Any]:
    """Build a knowledge base; return how long its indexes took, and their size."""
    from kb.knowledge import build
    from kb.knowledge.indexing import FOLDER, Indexes

    spent = {"write_release": 0.0, "write_cards": 0.0}

    def timed(name: str, function: Callable[..., None]) -> Callable[..., None]:
        def run(*arguments: object) -> None:
            with clock() as time:
                function(*arguments)
            spent[name] += time.seconds

        return run

    for name in spent:
        setattr(Indexes, name, timed(name, getattr(Indexes, name)))
    build([Path(path)], Path(folder), cards=[CARDS] if CARDS.exists() else [])
    sizes = {
        part.name: sum(file.stat().st_size for file in part.iterdir()) / 1e6
        for part in Path(folder).glob(f"kb-*/{FOLDER}/*")
    }
    return {**spent, "cards": sizes.pop("cards", 0.0), "release": sum(sizes.values())}


def questions(folder: str) -> list[str]:
    """Return the questions of ../shared, or else the beginnings of the release's examples."""
    if QUESTIONS.exists():
        lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
        return [json.loads(line)["question"] for line in lines]
    from kb.knowledge import KnowledgeBase

    index = KnowledgeBase.open(Path(folder)).searcher().index
    return [entry.text.split(". ")[0] for entry in index.entries["example"]][:200]


def searched(folder: str) -> dict[str, Any]:
    """Search for every question; return times at one and at eight clients."""
    from kb.knowledge import KnowledgeBase

    some = questions(folder)
    with clock() as first:
        base = KnowledgeBase.open(Path(folder))
        base.search(some[0])
    return {"first": first.seconds, **_times(base.search, some)}


def searched_by_sqlite(folder: str) -> dict[str, Any]:
    """Do the same with an FTS5 table of the rules' texts, stemmed, its words joined by OR."""
    from kb.knowledge import KnowledgeBase

    entries = KnowledgeBase.open(Path(folder)).searcher().index.entries["rule"]
    some = questions(folder)
    file = f"{folder}/fts5.sqlite"
    with clock() as filling:
        writer = sqlite3.connect(file)
        writer.execute("CREATE VIRTUAL TABLE t USING fts5(id, text, tokenize='porter')")
        writer.executemany("INSERT INTO t VALUES (?, ?)", [(e.id, e.text) for e in entries])
        writer.commit()
    find = "SELECT id FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 10"

    def search(question: str) -> list[Any]:
        words = " OR ".join(f'"{word}"' for word in _WORD.findall(question))
        return sqlite3.connect(file).execute(find, [words]).fetchall()

    size = Path(file).stat().st_size / 1e6
    return {"filling": filling.seconds, "size": size, **_times(search, some)}


def _times(search: Callable[[str], Any], some: list[str]) -> dict[str, float]:
    def once(question: str) -> float:
        with clock() as time:
            search(question)
        return time.seconds * 1e3

    for question in some:
        search(question)
    alone = [once(question) for question in some]
    with ThreadPoolExecutor(CLIENTS) as pool:
        together = list(pool.map(once, some * 2))
    return {
        "p50": median(alone),
        "p99": quantiles(alone, n=100)[98],
        "p50 of eight": median(together),
        "p99 of eight": quantiles(together, n=100)[98],
    }


def run() -> Table:
    text, module = subject(), "benchmarks.searching"
    with tempfile.TemporaryDirectory() as folder:
        built = measured(module, "prepare", str(text.path), folder)
        ours = measured(module, "searched", folder)
        theirs = measured(module, "searched_by_sqlite", folder)
    names = {
        "p50": "a question, median",
        "p99": "a question, 99th percentile",
        "p50 of eight": "the median, eight clients at once",
        "p99 of eight": "the 99th percentile, eight clients at once",
    }
    rows = [
        Row(
            "indexing the release",
            built["write_release"] * 1e3,
            theirs["filling"] * 1e3,
            "ms",
            remark=f"and {built['write_cards']:.1f} s for cards and rulings",
        ),
        Row(
            "size on disk",
            built["release"],
            theirs["size"],
            "MB",
            remark=f"and {built['cards']:.1f} MB for cards and rulings",
        ),
        *(Row(what, ours[name], theirs[name], "ms") for name, what in names.items()),
        Row(
            "memory of the process",
            ours["peak"],
            theirs["peak"],
            "MB",
            remark=f"opening and the first question take {ours['first'] * 1e3:.0f} ms",
        ),
    ]
    return Table(
        "Searching",
        f"`KnowledgeBase.search` on {text.name} with all cards that are there, against an FTS5 "
        "table of the rules' texts in SQLite (stemmed, words joined by OR, best ten by bm25), "
        "with the same questions. FTS5 finds fewer of the rules that people cite: docs/search.md "
        "has the measures. Eight clients are eight threads of one process.",
        "FTS5",
        tuple(rows),
    )
