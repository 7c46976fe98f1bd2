"""Release files → a knowledge base on disk.

All files are read, and refused if one is no rulebook, before anything is written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from kb.errors import SourceError, StoreError
from kb.knowledge.reading import read_release
from kb.source import read_source
from kb.store import OpenStore, building, fill, open_store
from kb.triples import reading_quads
from kb.vocab import BASE, Minter, inferred_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import date
    from pathlib import Path

    from pyoxigraph import Quad

    from kb.records import Reading


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build wrote: a summary of each release, and which were kept or left out."""

    folder: Path
    releases: tuple[dict[str, Any], ...]
    kept: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the report as ``--format json`` prints it."""
        return {
            "knowledge_base": str(self.folder),
            "releases": list(self.releases),
            "kept": list(self.kept),
            "repeated": list(self.repeated),
        }


def build(  # noqa: PLR0913 - each is a setting of the command
    files: Iterable[Path],
    folder: Path,
    *,
    add: bool = False,
    damaged: bool = False,
    effective: date | None = None,
    base: str = BASE,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> BuildReport:
    """Build a knowledge base from release files.

    Args:
        files: the texts, in any order; a text given twice is read once.
        folder: the knowledge base's folder.
        add: keep the releases that the folder's knowledge base already has.
        damaged: accept a truncated text for what can be read of it.
        effective: the date of a text that states none.
        base: the base of all IRIs, ending with a slash.
        progress: called with what is done, how much, and of how much.

    Raises:
        SourceError: a file is no rulebook. Nothing has been written.
        StoreError: the folder cannot be written, or another build is at work.
    """
    paths = list(files)
    steps = 2 * len(paths) + 1
    readings: dict[str, Reading] = {}
    repeated = []
    for step, path in enumerate(paths):
        progress(f"reading {path.name}", step, steps)
        source = read_source(path)
        if source.sha256 in {reading.rulebook.release.sha256 for reading in readings.values()}:
            repeated.append(path.name)
            continue
        reading = _distinct(read_release(source, effective=effective), readings)
        _refuse(reading, path, damaged=damaged)
        readings[reading.rulebook.release.name] = reading
    with building(folder) as generation:
        old = _old(folder) if add else None
        kept = [r for r in (old.manifest["releases"] if old else []) if r["name"] not in readings]
        summaries = [*kept, *(_summary(reading) for reading in readings.values())]

        def quads() -> Iterator[Quad]:
            for step, reading in enumerate(readings.values()):
                name = reading.rulebook.release.name
                progress(f"writing {name}", len(paths) + step, steps)
                yield from reading_quads(reading, base)

        copied = chain.from_iterable(_copied(old, summary["name"], base) for summary in kept)
        manifest = {"base": base, "releases": sorted(summaries, key=_order)}
        fill(generation, chain(copied, quads()), manifest)
        if old:
            old.close()
    progress("done", steps, steps)
    new = tuple(s for s in manifest["releases"] if s["name"] in readings)
    return BuildReport(folder, new, tuple(s["name"] for s in kept), tuple(repeated))


def _order(summary: dict[str, Any]) -> tuple[bool, str]:
    return summary["edition"] == "official", summary["name"]


def _old(folder: Path) -> OpenStore | None:
    try:
        return open_store(folder)
    except StoreError as error:
        if "no knowledge base" in error.what:
            return None
        raise


def _copied(old: OpenStore | None, name: str, base: str) -> Iterator[Quad]:
    if old is not None:
        release = Minter(name, base).release
        for graph in (release, inferred_graph(release)):
            yield from old.quads(graph)


def _distinct(reading: Reading, readings: dict[str, Reading]) -> Reading:
    """Give a second text of one date a variant of its own, from its digest."""
    release = reading.rulebook.release
    if release.name not in readings:
        return reading
    variant = f"{release.variant}{release.sha256[:8]}"
    return replace(
        reading, rulebook=replace(reading.rulebook, release=replace(release, variant=variant))
    )


def _refuse(reading: Reading, path: Path, *, damaged: bool) -> None:
    fatal = [p for p in reading.problems if p.fatal]
    if damaged:
        fatal = [p for p in fatal if p.kind != "truncated"]
    if fatal:
        worst = next((p for p in fatal if p.kind == "no-rules"), fatal[0])
        hints = {
            "truncated": "get the whole file, or read what there is: --damaged",
            "no-date": "name its date: --effective YYYY-MM-DD",
            "no-rules": "give a text of the Comprehensive Rules",
        }
        raise SourceError(
            worst.message,
            where=str(path),
            line=worst.line,
            column=worst.column,
            hint=hints[worst.kind],
        )


def _summary(reading: Reading) -> dict[str, Any]:
    book, release = reading.rulebook, reading.rulebook.release
    levels = [rule.number.kind for rule in book.rules]
    return {
        "name": release.name,
        "effective": release.effective.isoformat(),
        "edition": release.edition,
        "title": release.title,
        "sha256": release.sha256,
        "encoding": release.encoding,
        "sections": len(book.sections),
        "chapters": levels.count("chapter"),
        "rules": levels.count("rule"),
        "subrules": levels.count("subrule"),
        "examples": sum(len(rule.examples) for rule in book.rules),
        "terms": len(book.terms),
        "citations": sum(len(citation.numbers) for _, citation in reading.citations),
        "statements": len(reading.statements),
        "problems": len(reading.problems),
    }
