"""Card and ruling files, in any order and combination → cards with their rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.cards.merge import CardPile, CardReport
from kb.cards.stream import card_objects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
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
    for path in paths:
        progress(f"reading {path.name}")
        pile.add(card_objects(path), path.name)
    cards = list(pile.cards())
    return cards, pile.report
