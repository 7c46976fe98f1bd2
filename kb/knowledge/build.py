"""Release files → a knowledge base on disk.

Files are read one at a time into a new generation; if one is no rulebook, the generation is
thrown away and the old knowledge base stays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kb.errors import SourceError, StoreError
from kb.knowledge.reading import read_release
from kb.source import read_source
from kb.store import OpenStore, building, fill, open_store
from kb.triples import reading_quads
from kb.vocab import BASE, Minter, inferred_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator
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
        SourceError: a file is no rulebook. The old knowledge base is as it was.
        StoreError: the folder cannot be written, or another build is at work.
    """
    paths = list(files)
    with building(folder) as generation:
        old = _old(folder) if add else None
        work = _Work(old, paths, base, damaged=damaged, effective=effective, progress=progress)
        fill(generation, work.quads(), work.manifest)
        if old:
            old.close()
    new = [summary for summary in work.manifest["releases"] if summary["name"] in work.written]
    progress("done", 1, 1)
    return BuildReport(folder, tuple(new), tuple(work.kept), tuple(work.repeated))


class _Work:
    """Reads one file at a time and hands its quads on, so that none is held longer."""

    def __init__(  # noqa: PLR0913 - the settings of a build
        self,
        old: OpenStore | None,
        paths: list[Path],
        base: str,
        *,
        damaged: bool,
        effective: date | None,
        progress: Callable[[str, int, int], None],
    ) -> None:
        self.old, self.paths, self.base = old, paths, base
        self.damaged, self.effective, self.progress = damaged, effective, progress
        self.written: dict[str, dict[str, Any]] = {}
        self.kept: list[str] = []
        self.repeated: list[str] = []
        self.manifest: dict[str, Any] = {"base": base, "releases": []}

    def quads(self) -> Iterator[Quad]:
        """Yield the quads of all releases; afterwards the manifest is complete."""
        for step, path in enumerate(self.paths):
            self.progress(f"reading {path.name}", step, len(self.paths))
            yield from self._release(path)
        for summary in self.old.manifest["releases"] if self.old else ():
            if summary["name"] not in self.written:
                self.kept.append(summary["name"])
                self.manifest["releases"].append(summary)
                yield from _copied(self.old, summary["name"], self.base)
        self.manifest["releases"] += self.written.values()
        self.manifest["releases"].sort(key=_order)

    def _release(self, path: Path) -> Iterator[Quad]:
        source = read_source(path)
        if source.sha256 in {summary["sha256"] for summary in self.written.values()}:
            self.repeated.append(path.name)
            return
        reading = _distinct(read_release(source, effective=self.effective), self.written)
        _refuse(reading, path, damaged=self.damaged)
        self.written[reading.rulebook.release.name] = _summary(reading)
        yield from reading_quads(reading, self.base)


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


def _distinct(reading: Reading, names: Container[str]) -> Reading:
    """Give a second text of one date a variant of its own, from its digest."""
    release = reading.rulebook.release
    if release.name not in names:
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
