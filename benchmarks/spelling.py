"""Checking the rule numbers of source text, against grep-like search for the bare numbers."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import TOP, alternately, clock, measured, subject
from benchmarks.tables import Row, Table

TIMES = 3
SIZE = 8_000_000
_BARE = re.compile(r"\b[1-9]\d\d\.\d{1,3}[a-z]?\b")


def prepare(path: str, folder: str) -> dict[str, Any]:
    """Write a knowledge base of one release and its history, and source text that cites it."""
    from kb.knowledge import build
    from kb.source import read_source

    release = Path(path)
    older = Path(folder) / "older.txt"
    text = read_source(release).canvas
    older.write_text(re.sub(r"(effective as of \w+ \d+, )\d+", r"\g<1>1993", text, count=1))
    build([release], Path(folder) / "kb", history=[older])
    ours = "\n".join(file.read_text(encoding="utf-8") for file in sorted(TOP.rglob("kb/**/*.py")))
    cites = "\n".join(f"# see CR {number}" for number in _BARE.findall(text)[:200])
    piece = f"{ours}\n{cites}\n"
    (Path(folder) / "source.txt").write_text(piece * (SIZE // len(piece) + 1), encoding="utf-8")
    return {}


def spell(folder: str) -> dict[str, Any]:
    """Check every citation in the source text; the release is opened before, untimed."""
    from kb.knowledge import KnowledgeBase
    from kb.knowledge.spelling import Speller

    with clock() as opening:
        speller = Speller.of(KnowledgeBase.open(Path(folder) / "kb"), "latest")
    text = (Path(folder) / "source.txt").read_text(encoding="utf-8")
    with clock() as time:
        found = sum(1 for _ in speller.check(text))
    return {
        "seconds": time.seconds,
        "opening": opening.seconds,
        "citations": found,
        "size": len(text),
    }


def search(folder: str) -> dict[str, Any]:
    """Find what looks like a rule's number, and nothing else."""
    text = (Path(folder) / "source.txt").read_text(encoding="utf-8")
    with clock() as time:
        found = sum(1 for _ in _BARE.finditer(text))
    return {"seconds": time.seconds, "citations": found}


def run() -> Table:
    with tempfile.TemporaryDirectory() as folder:
        module = "benchmarks.spelling"
        measured(module, "prepare", str(subject().path), folder)
        ours, bare = alternately(TIMES, module, "spell", "search", arguments=[folder])
    size = ours["size"] / 1e6
    return Table(
        "Citations",
        f"Checking {int(ours['citations']):,} citations in {size:.0f} MB of source text, "
        f"{size / ours['seconds']:.0f} MB/s, {ours['opening']:.1f} s to load the numbers first; "
        "the alternative is one regular expression for bare numbers, which looks nothing up and "
        f"finds {int(bare['citations']):,}.",
        "alternative",
        (
            Row("time: re", ours["seconds"] * 1e3, bare["seconds"] * 1e3, "ms"),
            Row("peak memory: re", ours["peak"], bare["peak"], "MB"),
        ),
    )


if __name__ == "__main__":
    print(run().markdown())
