"""The indexes of a build: written from the records as they are read, or taken from what is kept."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from kb.search import write_card_index, write_release_index
from kb.triples import read_quads

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pyoxigraph import NamedNode

    from kb.records import Card, Reading
    from kb.store import OpenStore

FOLDER, CARDS = "search", "cards"
"""The folder of the indexes in a generation, and that of the cards in it."""


class Indexes:
    """Writes the indexes of a new generation; ``old`` is the knowledge base to keep some of."""

    def __init__(self, folder: Path, old: OpenStore | None) -> None:
        self._folder, self._old = folder, old

    def write_release(self, reading: Reading) -> None:
        """Index a release that was read."""
        write_release_index(self._folder / reading.rulebook.release.name, reading)

    def write_cards(self, cards: Iterable[Card]) -> None:
        """Index the cards that were read, with their rulings."""
        write_card_index(self._folder / CARDS, cards)

    def keep_release(self, name: str, release: NamedNode) -> None:
        """Take over the index of a kept release, or make it, if it was built without."""
        if not self._kept(name):
            assert self._old is not None, "only an old knowledge base has releases to keep"
            self.write_release(read_quads(self._old.quads(release)))

    def keep_cards(self) -> None:
        """Take over the index of the kept cards, if there are any."""
        self._kept(CARDS)

    def _kept(self, name: str) -> bool:
        """Copy an index of the old knowledge base; tell whether it has it."""
        if self._old is None or not (self._old.beside(FOLDER) / name).is_dir():
            return False
        shutil.copytree(self._old.beside(FOLDER) / name, self._folder / name)
        return True
