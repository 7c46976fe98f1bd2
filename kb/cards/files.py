"""Card and ruling files, in any order and combination → cards with their rulings."""

from __future__ import annotations

import gc
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kb.cards.merge import CardPile, CardReport
from kb.cards.stream import card_objects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from kb.records import Card


def read_card_files(
    paths: Iterable[Path],
    supertypes: frozenset[str] = frozenset(),
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[list[Card], CardReport]:
    """Read card and ruling files.

    Args:
        paths: the files, whatever they hold.
        supertypes: the rulebook's supertypes, as printed on type lines.
        progress: called with what is being done.

    Returns:
        The cards, sorted by name and oracle id, and what was read and what was wrong.

    Raises:
        SourceError: a file cannot be read, or is no card file.
    """
    pile = CardPile(supertypes)
    files = list(paths)
    names = Counter(path.name for path in files)
    with uncollected():
        for path in files:
            progress(f"reading {path.name}")
            # Two files of one name are told apart by their folders.
            pile.add(card_objects(path), path.name if names[path.name] == 1 else str(path))
        cards = list(pile.cards())
    return cards, pile.report


@contextmanager
def uncollected() -> Iterator[None]:
    """Let Python look for no cycles meanwhile.

    Records have none, and to go through some millions of them again and again takes a fifth
    of the time.
    """
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()
