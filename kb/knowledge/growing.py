"""A knowledge base that grows: what is new in it, and what is no longer so.

A release that is added touches its own graph and, of the history, what changed; the cards and
the other releases are not read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.knowledge.inferring import inferred_quads
from kb.knowledge.work import Work, order
from kb.triples import reading_quads
from kb.triples.history import history_quads
from kb.vocab import Minter, inferred_graph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyoxigraph import NamedNode, Quad, Store

    from kb.records import Reading


class Growth(Work):
    """Reads the files of a recipe, and says what they change in a knowledge base."""

    _readings: tuple[Reading, ...] = ()
    _removed: frozenset[Quad] = frozenset()
    _added: frozenset[Quad] = frozenset()

    def read(self) -> None:
        """Read the files; afterwards the manifest is complete, but for what is inferred."""
        assert self.old is not None, "only what is there can grow"
        files = self.recipe.files
        readings = []
        for step, path in enumerate(files):
            self.progress(f"reading {path.name}", step, len(files))
            readings.append(self._read(path))
        self._readings = tuple(reading for reading in readings if reading)
        kept = [s for s in self.old.manifest["releases"] if s["name"] not in self.written]
        self.kept = [summary["name"] for summary in kept]
        for name in self.kept:
            self.indexes.keep_release(name, Minter(name, self.recipe.base).release)
        self.indexes.keep_cards()
        self.manifest["releases"] = sorted([*kept, *self.written.values()], key=order)
        self.manifest["cards"] = self.old.manifest.get("cards")
        known, history = self._history()
        base = self.recipe.base
        there = {summary["name"] for summary in self.old.manifest["releases"]}
        now = {summary["name"] for summary in self.manifest["releases"]}
        before = frozenset(history_quads(known, base, history, there))
        after = frozenset(history_quads(history, base, known, now))
        self._removed, self._added = before - after, after - before

    def gone(self) -> Iterator[NamedNode]:
        """Yield the graphs of releases that were read again."""
        for name in self.written:
            release = Minter(name, self.recipe.base).release
            yield from (release, inferred_graph(release))

    def removed(self) -> Iterator[Quad]:
        """Yield what the history no longer says."""
        yield from self._removed

    def quads(self) -> Iterator[Quad]:
        """Yield what is new."""
        for reading in self._readings:
            yield from reading_quads(reading, self.recipe.base)
        yield from self._added

    def inferred(self, store: Store) -> Iterator[Quad]:
        """Yield what follows from the releases that are new."""
        self.progress("inferring", 0, 1)
        yield from inferred_quads(store, list(self.written.values()), self.recipe.base)
