"""The history of a build's releases: of those read now, and of those that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.editions.history import edition_of, history_of
from kb.rulebook import read_rulebook
from kb.triples.history import history_quads, read_editions
from kb.triples.read import read_quads
from kb.vocab import HistoryMinter, Minter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyoxigraph import Quad

    from kb.editions.history import Edition
    from kb.records import Problem
    from kb.source import Source
    from kb.store import OpenStore


def edition_in(source: Source) -> tuple[Edition, tuple[Problem, ...]]:
    """Return a release as history sees it, its sentences not read, and what was wrong in it."""
    rulebook, problems = read_rulebook(source)
    return edition_of(rulebook), problems


def kept_editions(old: OpenStore, base: str, without: Iterable[str]) -> Iterator[Edition]:
    """Yield the editions of a knowledge base, but for those that are read anew."""
    left_out = set(without)
    for edition in read_editions(old.quads(HistoryMinter(base).graph)):
        if edition.release.name not in left_out:
            left_out.add(edition.release.name)
            yield edition
    for summary in old.manifest["releases"]:
        if summary["name"] not in left_out:
            quads = old.quads(Minter(summary["name"], base).release)
            yield edition_of(read_quads(quads).rulebook)


def historical_quads(editions: Iterable[Edition], base: str) -> tuple[list[str], Iterator[Quad]]:
    """Return the names of the releases in a history, oldest first, and its quads.

    One release alone has no history.
    """
    every = list(editions)
    if len(every) <= 1:
        return [], iter(())
    history = history_of(every)
    return [release.name for release in history.releases], history_quads(history, base)
