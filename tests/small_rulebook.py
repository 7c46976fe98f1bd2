"""A small rulebook in our own words, and how tests read it, change it and take it apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.rulebook import read_rulebook
from kb.source import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.records import Paragraph, Problem, Rulebook, Span
    from kb.source import Source

SMALL = """\
Rules of the Pebble Game

These rules are effective as of June 19, 2026.

Introduction

This text was made up to test a reader of rulebooks.

Contents

1. The Game
100. General
101. Pebbles
2. The Board
200. General

Glossary

Credits

1. The Game

100. General

100.1. A pebble game has two players.

100.1a Each player sits at one side of the board.

100.1b The player with the older pebbles begins.
Example: Ann’s pebbles are older than Ben’s. Ann begins.
Example: Both players have new pebbles. They toss one of them.

100.2. A game ends when no pebble is left on the board.

101. Pebbles

101.1. Colors

101.1a A gray pebble may be moved once a turn.

101.1b A white pebble may be moved twice a turn.

101.2. A pebble that was moved stays on the board. It goes back as follows:
     It is turned over.
     It is put beside the board.

2. The Board

200. General

200.1. The board has nine fields. (See rule 101, “Pebbles.”)

Glossary

Board
What the pebbles lie on. See rule 200.

Heap (Obsolete)
A word that once stood for all pebbles of a player.

Move
1. To put a pebble on another field.
2. (Obsolete) To take a pebble off the board.
See rule 101.

Pebble, White Pebble
See Move.

Credits

The Pebble Game was made up for this test.

These rules are effective as of June 19, 2026.
"""


def source_of(text: str) -> Source:
    """Return a text as the file that holds it would be decoded."""
    return decode(text.encode(), "small.txt")


def read(text: str) -> tuple[Rulebook, tuple[Problem, ...]]:
    """Read a text as a release."""
    return read_rulebook(source_of(text))


def changed(old: str, new: str) -> str:
    """Return the small rulebook with the last place that says ``old`` saying ``new``."""
    head, found, tail = SMALL.rpartition(old)
    assert found, f"the small rulebook does not say {old!r}"
    return head + new + tail


def marked(text: str, mark: str = "¦") -> tuple[str, int, int]:
    """Return a text without its mark, and the line and column (from 1) of the mark."""
    before, found, after = text.partition(mark)
    assert found, "the text holds no mark"
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")


def found_in(problems: tuple[Problem, ...]) -> list[tuple[str, int, int]]:
    """Return kind, line and column of each problem."""
    return [(problem.kind, problem.line, problem.column) for problem in problems]


def paragraphs_of(rulebook: Rulebook) -> Iterator[Paragraph]:
    """Yield each paragraph of each record and block."""
    for section in rulebook.sections:
        yield section.paragraph
    for rule in rulebook.rules:
        yield from rule.paragraphs
        for example in rule.examples:
            yield from example.paragraphs
    for term in rulebook.terms:
        yield term.heading
        for part in (*term.senses, *term.examples):
            yield from part.paragraphs
    for block in rulebook.blocks:
        yield block.paragraph


def losses(rulebook: Rulebook, source: Source) -> list[str]:
    """Return what stands in no record or in two: an empty list for a reader that loses nothing."""
    lost, end = [], 0
    for span in (*sorted(p.span for p in paragraphs_of(rulebook)), _behind(source)):
        if span.start < end:
            lost.append(f"in two places: {source.text[span.start : end]!r}")
        elif source.text[end : span.start].strip():
            lost.append(f"in none: {source.text[end : span.start]!r}")
        end = max(end, span.end)
    return lost


def _behind(source: Source) -> Span:
    from kb.records import Span

    return Span(len(source.text), len(source.text))
