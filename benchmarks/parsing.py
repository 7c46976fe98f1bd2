"""One release, bytes → records, against a splitter of thirty lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.measure import alternately, clock, subject
from benchmarks.tables import Row, Table

TIMES = 7


def splitter(path: str) -> dict[str, Any]:
    from benchmarks.splitter import split

    content = Path(path).read_bytes()
    with clock() as time:
        rules, examples, terms = split(content)
    return {
        "seconds": time.seconds,
        "rules": len(rules),
        "examples": len(examples),
        "terms": len(terms),
    }


def records(path: str) -> dict[str, Any]:
    from kb.rulebook import read_rulebook
    from kb.source import decode

    content = Path(path).read_bytes()
    with clock() as time:
        book, _ = read_rulebook(decode(content, "release"))
    return {
        "seconds": time.seconds,
        "rules": len(book.rules),
        "examples": sum(len(rule.examples) for rule in book.rules),
        "terms": len(book.terms),
    }


def in_full(path: str) -> dict[str, Any]:
    from kb.knowledge import read_release
    from kb.source import decode

    content = Path(path).read_bytes()
    with clock() as time:
        reading = read_release(decode(content, "release"))
    return {
        "seconds": time.seconds,
        "citations": len(reading.citations),
        "statements": len(reading.statements),
    }


def run() -> Table:
    text = subject()
    plain, ours, full = alternately(
        TIMES, "benchmarks.parsing", "splitter", "records", "in_full", arguments=[str(text.path)]
    )
    found = f"{full['citations']:,.0f} citations, {full['statements']:,.0f} statements"
    return Table(
        "Parsing",
        f"Bytes to records, on {text.name} ({text.megabytes:.2f} MB). Each run is the first call "
        f"in a fresh process, grammars loaded in it, imports not timed; median of {TIMES}. The "
        "splitter (`benchmarks/splitter.py`) keeps numbers and texts; mtgkb keeps the span of "
        "every paragraph, tells slips apart from rules and reports them, and “in full” finds "
        "citations and statements as well, which the splitter does not.",
        "regular-expression splitter",
        (
            Row("records, time", ours["seconds"] * 1e3, plain["seconds"] * 1e3, "ms"),
            Row("in full, time", full["seconds"] * 1e3, plain["seconds"] * 1e3, "ms", remark=found),
            Row("records, peak memory of the process", ours["peak"], plain["peak"], "MB"),
            Row("in full, peak memory of the process", full["peak"], plain["peak"], "MB"),
            *(
                Row(f"{kind} found", int(ours[kind]), int(plain[kind]))
                for kind in ("rules", "examples", "terms")
            ),
        ),
    )


if __name__ == "__main__":
    print(run().markdown())
