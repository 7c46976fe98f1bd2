"""The reader survives damaged texts: no crash, no hang, no lost line."""

from __future__ import annotations

import random
import time

import pytest
from conftest import SHARED
from hypothesis import given, settings
from hypothesis import strategies as st
from test_lossless import assert_nothing_lost

from kb import resources
from kb.errors import SourceError
from kb.knowledge import read_release
from kb.source import decode

LINES = (
    "1. Basics",
    "100. General",
    "100.1. A rule. See rule 100.2.",
    "100.1a A subrule, “with” quotes",
    "100.1b. A dot too many",
    "100.2 No dot",
    "100.3.Glued",
    "100. 4b A space",
    "     A continuation.",
    "Example: A player does so.",
    "EXAMPLE: They did.",
    "f",
    "",
    "\u00a0",
    "-----------",
    "Contents",
    "Glossary",
    "Credits",
    "Term (Obsolete)",
    "1. A sense. See Term.",
    "(Obsolete) No more. See rule 999.",
    "These rules are effective as of May 1, 2031.",
    "Ability1. Two in one",
    "A line\u2028of two",
)


def sources():
    """Return the bytes to damage: the concise edition and, if they are there, official texts."""
    paths = [resources.path("rules/concise-edition.txt")]
    paths += sorted((SHARED / "releases").glob("CR-*.txt"))[::12]
    return [path.read_bytes() for path in paths]


def some_lines(content, chance):
    """Return a stretch of a text: whole texts would take too long by the thousand."""
    lines = content.splitlines(keepends=True)
    start = chance.randrange(len(lines))
    return lines[start : start + chance.randrange(1, 120)]


def damaged(content, chance):
    """Return a text with one to four kinds of damage done to it."""
    lines = some_lines(content, chance) + some_lines(content, chance)
    for _ in range(chance.randrange(1, 5)):
        kind = chance.randrange(7)
        if kind == 0:
            chance.shuffle(lines)
        elif kind == 1:
            lines += chance.choices(lines, k=5)
        elif kind == 2:
            del lines[chance.randrange(len(lines)) :: chance.randrange(2, 9)]
        elif kind == 3:
            lines = [line[: chance.randrange(1, 200)] for line in lines]
        elif kind == 4:
            lines = [
                line.rstrip(b"\r\n") + chance.choice((b"\r", b"\n", b"\r\r\n")) for line in lines
            ]
        else:
            raw = bytearray(b"".join(lines))
            for _ in range(chance.randrange(1, 30)):
                raw[chance.randrange(len(raw))] = chance.randrange(256 if kind == 5 else 33)
            lines = bytes(raw).splitlines(keepends=True)
        if not lines:
            lines = [b"x"]
    return b"".join(lines)


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.exhaustive)])
def test_a_damaged_text_is_read_without_a_crash_or_a_lost_line(count):
    chance = random.Random(count)  # noqa: S311 - damage, not secrets
    originals = sources()
    read = 0
    for number in range(count):
        content = damaged(chance.choice(originals), chance)
        began = time.monotonic()
        try:
            source = decode(content, f"damaged {number}")
        except SourceError:
            continue
        assert_nothing_lost(source)
        assert time.monotonic() - began < 20, f"damaged text {number} takes too long"
        read += 1
    assert read > count / 2


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=30)), max_size=25))
def test_any_lines_are_read_in_full(lines):
    text = "\n".join(lines)
    try:
        source = decode(text.encode("utf-8", "replace"), "lines")
    except SourceError:
        return
    assert_nothing_lost(source)
    read_release(source)
