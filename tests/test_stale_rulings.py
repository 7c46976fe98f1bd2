"""Rulings older than an edit of a rule that they rest on: releases and cards of our own."""

from __future__ import annotations

import json

import pytest
from card_objects import card, file, ruled
from tools import mtgkb, rulebook, written

from kb.errors import ExitCode, NotFoundError
from kb.knowledge import KnowledgeBase, build

QUIET = "A great noise wakes all players."
LOUD = "A great noise wakes all players and both judges."
DAWN = "It is long dawn or dusk, and never both at once."
RULES = f"""\
100. General
100.1. {QUIET}
101. Dawn and Dusk
101.1. {DAWN}
102. Resting
102.1. To rest is not to beat a drum."""
GLOSSARY = "Long Dawn\nA time. See rule 101.1.\n\nGreat Noise\nWhat all drums make. See rule 100.1."
FIRST, SECOND, THIRD = "2029-05-01", "2030-05-01", "2031-05-01"
MOVED = RULES.replace(f"100.1. {QUIET}", f"100.1. No drum is alone.\n100.2. {QUIET}")
TEXTS = {
    FIRST: (RULES, GLOSSARY),
    SECOND: (MOVED.replace(QUIET, LOUD), GLOSSARY.replace("100.1", "100.2")),
    THIRD: (
        MOVED.replace(QUIET, LOUD).replace("both at once", "both"),
        GLOSSARY.replace("100.1", "100.2"),
    ),
}
NOISE, TIME = "A great noise wakes the drum, too.", "At a long dawn the drum sleeps."


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The three releases, and two cards with their rulings."""
    top = tmp_path_factory.mktemp("stale")
    texts = {
        day: written(
            top, f"{day}.txt", rulebook(rules, date=f"May 1, {day[:4]}", glossary=glossary)
        )
        for day, (rules, glossary) in TEXTS.items()
    }
    cards = [
        card("Loud Drum", "d1", object="card", type_line="Drum", oracle_text=""),
        card("Soft Drum", "d2", object="card", type_line="Drum", oracle_text=""),
        card("Still Drum", "d3", object="card", type_line="Drum", oracle_text=""),
    ]
    rulings = [
        ruled(NOISE, "2030-04-30", "d1", object="ruling", source="wotc"),
        ruled(TIME, SECOND, "d1", object="ruling", source="wotc"),
        ruled(NOISE, SECOND, "d2", object="ruling", source="wotc"),
        ruled(TIME, THIRD, "d2", object="ruling", source="wotc"),
        ruled("It has sticks.", "2020-01-01", "d3", object="ruling", source="wotc"),
    ]
    return texts, [file(top, cards, "cards.json"), file(top, rulings, "rulings.json")]


@pytest.fixture(scope="module")
def folder(files, tmp_path_factory):
    """The folder of a knowledge base of the first and the last in full, all in the history."""
    texts, cards = files
    folder = tmp_path_factory.mktemp("drums") / "kb"
    build([texts[FIRST], texts[THIRD]], folder, cards=cards, history=[texts[SECOND]])
    return folder


@pytest.fixture(scope="module")
def drums(folder):
    kb = KnowledgeBase.open(folder)
    yield kb
    kb.close()


def told(kb, release=None, **given):
    rows = kb.ask("stale-rulings", given, release).rows
    return [(row["card"], row["date"], row["rule"], row["release"]) for row in rows]


BEFORE_NOISE = ("Loud Drum", "2030-04-30", "100.2", SECOND)
BEFORE_DAWN = ("Loud Drum", SECOND, "101.1", THIRD)


def test_a_ruling_is_stale_if_its_rule_was_edited_after_its_day(drums):
    assert told(drums) == [BEFORE_NOISE, BEFORE_DAWN]


def test_a_ruling_of_the_very_day_of_the_release_is_not_stale(drums):
    assert {date for card, date, *_ in told(drums) if card == "Soft Drum"} == set()


def test_each_row_has_the_ruling_and_the_new_wording_and_rests_on_both(drums):
    answer = drums.ask("stale-rulings")
    assert [(row["text"], row["quote"]) for row in answer.rows] == [
        (NOISE, LOUD),
        (TIME, DAWN.replace(" at once", "")),
    ]
    for version, ruling in answer.because:
        assert "/version/" in version
        assert "/ruling/" in ruling


def test_one_card_alone_can_be_asked(drums):
    assert told(drums, card="Loud Drum") == [BEFORE_NOISE, BEFORE_DAWN]
    assert told(drums, card="Soft Drum") == told(drums, card="Still Drum") == []
    with pytest.raises(NotFoundError):
        told(drums, card="No Such Drum")


def test_an_older_release_knows_no_later_edit(drums):
    assert told(drums, release=FIRST) == []


def test_a_moved_rule_and_one_with_another_example_are_not_edited(tmp_path, files):
    _, cards = files
    texts = [RULES, MOVED.replace(DAWN, f"{DAWN}\nExample: Ann wakes at dawn.")]
    built = [
        written(tmp_path, f"{n}.txt", rulebook(text, date=f"May 1, {2029 + n}", glossary=GLOSSARY))
        for n, text in enumerate(texts)
    ]
    build(built[1:], tmp_path / "kb", history=built[:1], cards=cards)
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert told(kb) == []
    kb.close()


@pytest.mark.parametrize("given", [(), ("--card", "Loud Drum")])
def test_without_a_history_it_is_unknown(tmp_path, files, given):
    texts, cards = files
    build([texts[THIRD]], tmp_path / "kb", cards=cards)
    done = mtgkb("ask", "stale-rulings", *given, "--format", "json", "--kb", tmp_path / "kb")
    assert done.returncode == ExitCode.NOT_FOUND == 4
    assert "a history needs two releases" in json.loads(done.stderr)["hint"]
