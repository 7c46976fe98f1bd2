"""Three small releases of our own, with every kind of change between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools import rulebook, written

from kb.editions.edition import edition_of
from kb.editions.follow import history_of
from kb.knowledge import KnowledgeBase, build
from kb.rulebook import read_rulebook
from kb.source import decode

if TYPE_CHECKING:
    from pathlib import Path

    from kb.editions.history import Edition, History, Identity
    from kb.queries.run import Cell

SHOWS = "Each player shows a pebble before the game, and whoever shows none has lost it at once."
STAYS = "No player may lend a pebble to another, hide it, paint it, or take it off the table."
LEAVES = "A player who leaves the table for longer than an hour gives all pebbles to the others."
WAITS = "The others wait until they are back, and meanwhile nobody touches anything on the board."

BOOK = f"""\
100. General
100.1. A player who touches a pebble must move it, as rule 100.2 tells.
100.2. {STAYS}
Example: Ann hides it.
100.3. {SHOWS}
101. Moving
101.1. A pebble that was moved is turned over at once."""
"""The rules of a release with a reference and an example, to be changed."""

OLD, MIDDLE, NEW = "2029-05-01", "2030-05-01", "2031-05-01"
RULES = {
    OLD: f"""\
100. General
100.1. A game has two players and one board of nine fields.
100.2. Each player begins the game with seven pebbles of one color.
100.3. A player who touches a pebble must move it, as rule 101.2 tells.
100.4. A pebble may lie on its back or on its side, just as it fell.
Example: Ann lets a pebble fall. It lies on its back.
101. Moving
101.1. A gray pebble may be moved to any field that lies beside it.
101.2. A white pebble may be moved over another pebble to the field behind.
101.3. {STAYS} {SHOWS}
102. Leaving
102.1. {LEAVES}
102.2. {WAITS}
102.3. Coins & dice <of any kind> have no use here and stay in the box.
102.4. The youngest of all players clears up when everybody has gone home.""",
    MIDDLE: f"""\
100. General
100.1. A game has two players and one board of nine fields.
100.2. Each player begins the game with eight pebbles of one color.
100.3. A player who touches a pebble must move it, as rule 101.3 tells.
100.4. A pebble may lie on its back or on its side, just as it fell.
Example: Ann lets a pebble fall. It lies on its back.
101. Moving
101.1. Moves alternate: whoever moved last waits for an answer.
101.2. A gray pebble may be moved to any field that lies beside it.
101.3. A white pebble may be moved over another pebble to the field behind.
101.4. {STAYS} {SHOWS}
102. Leaving
102.1. {LEAVES}
102.2. {WAITS}
102.3. The youngest of all players clears up when everybody has gone home.""",
    NEW: f"""\
100. General
100.1. A game has two players and one board of nine fields.
100.2. Each player begins the game with eight pebbles of one color.
100.3. A player who touches a pebble must move it, as rule 101.2 tells.
100.4. A pebble may lie on its back or on its side, just as it fell.
Example: Ben throws a pebble. It stands on its side.
101. Moving
101.1. Moves alternate: whoever moved last waits for an answer.
101.2. A gray pebble may be moved to any field that lies beside it.
101.3. A white pebble may be moved over a gray pebble to the empty field behind.
101.4. {STAYS}
101.5. {SHOWS}
102. Leaving
102.1. {WAITS} {LEAVES}
102.2. The youngest of all players clears up when everybody has gone home.""",
}
GLOSSARY = {
    OLD: "Board\nNine fields.\n\nHeap\nPebbles that lie together.\n\n"
    "Jump\nA move over a pebble. See rule 101.2.\n\nStone\nAnother word for a pebble.",
    MIDDLE: "Board\nNine fields, three by three.\n\nHeap (Obsolete)\nPebbles that lie together.\n\n"
    "Jump\nA move over a pebble. See rule 101.3.\n\nStone\nAnother word for a pebble.",
    NEW: "Board\nNine fields, three by three.\n\nHeap (Obsolete)\nPebbles that lie together.\n\n"
    "Jump\nA move over a pebble. See rule 101.3.\n\nToss\nTo let a pebble fall.",
}
_DATES = {OLD: "May 1, 2029", MIDDLE: "May 1, 2030", NEW: "May 1, 2031"}


def release_text(name: str) -> str:
    """Return the text of one of the three releases."""
    return rulebook(RULES[name], date=_DATES[name], glossary=GLOSSARY[name])


def release_file(folder: Path, name: str) -> Path:
    """Write one of the three releases into a folder and return its path."""
    return written(folder, f"{name}.txt", release_text(name))


def edition_from(text: str) -> Edition:
    """Return what history keeps of a text."""
    return edition_of(read_rulebook(decode(text.encode(), "text.txt"))[0])


def editions(*names: str) -> list[Edition]:
    """Return some of the three releases, or all, as history sees them."""
    return [edition_from(release_text(name)) for name in names or RULES]


def followed(*texts: str) -> History:
    """Return the history of rules of our own, a year a release, from 2029 on."""
    return history_of(
        edition_from(rulebook(rules, date=f"May 1, {year}"))
        for year, rules in enumerate(texts, 2029)
    )


def rule_in(history: History, number: str, place: int) -> Identity:
    """Return the rule that bears a number in the release at a place."""
    return next(
        rule
        for rule in history.rules
        if any(v.number == number and v.first <= place <= v.last for v in rule.versions)
    )


def built(folder: Path, *texts: str) -> KnowledgeBase:
    """Build the last of some texts in full, with the others as its history, and open it."""
    files = [written(folder, f"{n}.txt", text) for n, text in enumerate(texts)]
    build(files[-1:], folder / "kb", history=files[:-1])
    return KnowledgeBase.open(folder / "kb")


def asked(kb: KnowledgeBase, question: str, *columns: str, **given: str) -> list[tuple[Cell, ...]]:
    """Return the columns of an answer's rows; the releases are given as ``start`` and ``end``."""
    names = {"start": "from", "end": "to", "as_of": "as-of"}
    parameters = {names.get(name, name): value for name, value in given.items()}
    return [tuple(row[column] for column in columns) for row in kb.ask(question, parameters).rows]
