"""A wrong sentence changes the answer: nothing is known but what the texts say."""

from __future__ import annotations

import json
import re

import pytest
from restart_rulebook import CARD, RULES, RULINGS, changed, restart_files
from tools import written

from kb import resources
from kb.knowledge import KnowledgeBase, build

LATER = {"later-rulings": "true"}


def opened(folder, text, cards):
    """Build a knowledge base of a text and card files, and open it."""
    build([text], folder / "kb", cards=cards)
    return KnowledgeBase.open(folder / "kb")


def states(kb, **parameters):
    """Return what a restart does: state and outcome, with the value."""
    rows = kb.ask("restart-state", parameters).rows
    return {(row["state"], row["outcome"]): row["value"] for row in rows}


def rows_of(kb, state):
    return [row for row in kb.ask("restart-state").rows if row["state"] == state]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The answer of the small rulebook as it is."""
    folder = tmp_path_factory.mktemp("small")
    text, *cards = restart_files(folder)
    return states(opened(folder, text, cards))


# ---------------------------------------------------------------- a small rulebook


def test_the_small_rulebook_says_what_a_restart_does(small):
    assert small == {
        ("life total", "reset"): "20",
        ("hand", "reset"): "a hand of seven cards",
        ("clock wound count", "reset"): "zero",
        ("token", "ends"): "not a card",
        ("king", "ends"): "none until something sets it",
        ("game", "ends"): "immediately ends",
        ("counter", "ends"): "any counters that players had",
        ("odd counter", "ends"): "any counters that players had",
        ("player", "persists"): "immediately start a new game",
        ("card", "persists"): "is involved in the new game",
        ("ownership", "persists"): "doesn’t change",
        ("exempted card", "exempt"): "exempt some cards from the restart",
        ("first player", "assigned"): "whoever held the clock",
    }


NO_COUNTERS = {("counter", "ends"), ("odd counter", "ends")}
EDITS = {
    "another number": ("20 life", "30 life", set(), {("life total", "reset"): "30"}),
    "another hand": (
        "seven cards",
        "three cards",
        set(),
        {("hand", "reset"): "a hand of three cards"},
    ),
    "what stays is lost": (
        "Ownership doesn’t change.",
        "Ownership doesn’t carry over.",
        {("ownership", "persists")},
        {("ownership", "ends"): "doesn’t carry over"},
    ),
    "what is none becomes one": (
        "A token isn’t a card.",
        "A token is a card.",
        {("token", "ends")},
        {},
    ),
    "what was not there is there": (
        "There is no king in a game until an effect crowns one.",
        "There is a king in each game.",
        {("king", "ends")},
        {},
    ),
    "cards are left out": (
        "Each card is involved in the new game.",
        "Each card is left out.",
        {("card", "persists"), ("token", "ends")},
        {},
    ),
    "nothing is exempted": ("may exempt", "may move", {("exempted card", "exempt")}, {}),
    "another first player": (
        "whoever held the clock",
        "drawn by lot",
        set(),
        {("first player", "assigned"): "drawn by lot"},
    ),
    "no counter of players": (
        "If a player has odd counters",
        "If a board has odd counters",
        {("odd counter", "ends")},
        {},
    ),
    "another card restarts": (
        "One card (Clock of Ann) restarts",
        "One card (Clock of Ben) restarts",
        {*NO_COUNTERS, ("clock wound count", "reset")},
        {},
    ),
    "no rulings of one card": (
        "One card (Clock of Ann) restarts",
        "Some cards restart",
        {*NO_COUNTERS, ("clock wound count", "reset")},
        {},
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_one_sentence_of_the_rules_changes_what_it_says_and_nothing_else(edit, small, tmp_path):
    old, new, gone, come = EDITS[edit]
    text, *cards = restart_files(tmp_path, changed(RULES, old, new))
    expected = {pair: value for pair, value in small.items() if pair not in gone} | come
    assert states(opened(tmp_path, text, cards)) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("That game immediately ends.", "That game goes on."),
        ("following the procedure set forth in rule 103", "in their own way"),
        ("following the procedure set forth in rule 103", "as in rule 103"),
    ],
)
def test_what_neither_ends_the_game_nor_starts_one_anew_is_no_restart(old, new, tmp_path):
    text, *cards = restart_files(tmp_path, changed(RULES, old, new))
    assert states(opened(tmp_path, text, cards)) == {}


def test_without_the_restarting_chapter_there_is_no_answer(tmp_path):
    rules = re.sub(r"^127.*\n", "", RULES, flags=re.MULTILINE)
    assert "restart" not in rules.lower()
    text, *cards = restart_files(tmp_path, rules)
    kb = opened(tmp_path, text, cards)
    assert states(kb) == states(kb, **LATER) == {}
    assert kb.ask("starting-life").rows


RESETS = RULINGS[0][1]


@pytest.mark.parametrize(
    ("old", "new", "come"),
    [
        ("resets to zero", "doesn't change", {("clock wound count", "persists"): "doesn't change"}),
        ("resets to zero", "resets to 5", {("clock wound count", "reset"): "5"}),
        ("resets to zero", "is told to nobody", {}),
    ],
)
def test_one_sentence_of_a_ruling_changes_what_it_says_and_nothing_else(
    old, new, come, small, tmp_path
):
    first = (RULINGS[0][0], changed(RESETS, old, new))
    text, *cards = restart_files(tmp_path, rulings=(first, *RULINGS[1:]))
    expected = {p: v for p, v in small.items() if p != ("clock wound count", "reset")} | come
    assert states(opened(tmp_path, text, cards)) == expected


def test_a_ruling_that_is_younger_than_the_release_is_used_when_asked_for(small, tmp_path):
    text, *cards = restart_files(tmp_path)
    kb = opened(tmp_path, text, cards)
    assert states(kb) == small
    later = states(kb, **LATER)
    assert later == {**small, ("odd debt", "ends"): "doesn't carry over"}
    rows = [row for row in kb.ask("restart-state", LATER).rows if row["state"] == "odd debt"]
    assert [(row["ruling"], row["rule"]) for row in rows] == [(f"{CARD}, 2032-01-01", None)]


def test_a_ruling_of_the_release_s_own_day_is_used_and_one_of_the_next_is_not(small, tmp_path):
    for day, is_used in (("2031-05-01", True), ("2031-05-02", False)):
        folder = tmp_path / day
        folder.mkdir()
        text, *cards = restart_files(folder, rulings=((day, RESETS), *RULINGS[1:]))
        assert (("clock wound count", "reset") in states(opened(folder, text, cards))) == is_used
        assert ("clock wound count", "reset") in small


def test_each_release_answers_with_its_own_sentences_and_numbers(small, tmp_path):
    newer = tmp_path / "newer"
    newer.mkdir()
    moved = changed(RULES, "20 life", "30 life").replace("\n127", "\n126")
    text, *cards = restart_files(tmp_path)
    other, *_ = restart_files(newer, moved, date="June 1, 2033")
    build([text, other], tmp_path / "kb", cards=cards)
    kb = KnowledgeBase.open(tmp_path / "kb")
    old, new = (kb.ask("restart-state", {}, release).rows for release in ("2031-05-01", None))
    assert {(row["state"], row["outcome"]): row["value"] for row in old} == small
    assert {row["rule"] for row in old if row["state"] in ("life total", "game")} == {
        "103.1",
        "127.1",
    }
    assert {row["rule"] for row in new if row["state"] in ("life total", "game")} == {
        "103.1",
        "126.1",
    }
    assert [row["value"] for row in new if row["state"] == "life total"] == ["30"]
    assert "odd debt" in {row["state"] for row in new}  # its ruling is older than this release


def test_without_rulings_the_rules_alone_answer(small, tmp_path):
    text, card, _ = restart_files(tmp_path)
    expected = {
        p: v for p, v in small.items() if p not in {*NO_COUNTERS, ("clock wound count", "reset")}
    }
    assert states(opened(tmp_path, text, [card])) == expected


# ---------------------------------------------------------------- the concise edition

EDITION = resources.text("rules/concise-edition.txt")
CARDS = resources.path("rules/concise-cards.json")
OWN_RULINGS = json.loads(resources.text("rules/concise-rulings.json"))


def own_rulings(folder, old, new):
    """Write the concise rulings with one sentence changed, of the one ruling that has it."""
    text = json.dumps(OWN_RULINGS, ensure_ascii=False)
    return written(folder, "rulings.json", changed(text, old, new))


def sentence_of(number):
    """Return the line of a rule of the concise edition."""
    (line,) = re.findall(rf"^{re.escape(number)}\.? .*$", EDITION, re.MULTILINE)
    return line


def test_the_edition_s_starting_life_is_what_its_sentence_says(tmp_path):
    line = sentence_of("103.4")
    text = written(tmp_path, "edition.txt", changed(EDITION, line, changed(line, "20", "30")))
    kb = opened(tmp_path, text, [])
    (row,) = rows_of(kb, "life total")
    assert (row["value"], row["rule"], row["outcome"]) == ("30", "103.4", "reset")
    assert row["quote"] in changed(line, "20", "30")
    found = {(r["variant"], r["total"]): r["rule"] for r in kb.ask("starting-life").rows}
    assert found["default", "30"] == "103.4"
    assert found["default", "20"] == "119.1"  # the other sentence still says so
    assert found["commander", "40"] == "103.4c"


def test_the_edition_s_rulings_say_what_resets(tmp_path):
    text = written(tmp_path, "edition.txt", EDITION)
    old, new = "by each commander resets to 0", "by each commander doesn't change"
    kb = opened(tmp_path, text, [CARDS, own_rulings(tmp_path, old, new)])
    (row,) = rows_of(kb, "commander combat damage")
    assert (row["outcome"], row["value"], row["rule"]) == ("persists", "doesn't change", None)
    assert row["ruling"].startswith("Karn Liberated, ")
    (row,) = rows_of(kb, "commander cast count")
    assert (row["outcome"], row["value"]) == ("reset", "0")


def test_the_edition_without_its_chapter_on_restarting_has_no_answer(tmp_path):
    body = EDITION.rindex("\n727. ")
    end = EDITION.index("\n728. ", body)
    rest = EDITION[:body] + EDITION[end:]
    text = written(tmp_path, "edition.txt", rest)
    kb = opened(tmp_path, text, [CARDS, resources.path("rules/concise-rulings.json")])
    assert states(kb) == states(kb, **LATER) == {}
    assert kb.ask("turn-structure").rows


def test_the_edition_s_rulings_of_a_later_day_are_used_when_asked_for(tmp_path):
    text = written(tmp_path, "edition.txt", EDITION)
    later = [{**ruling, "published_at": "2027-01-01"} for ruling in OWN_RULINGS]
    rulings = written(tmp_path, "rulings.json", json.dumps(later))
    kb = opened(tmp_path, text, [CARDS, rulings])
    by_default, asked = kb.ask("restart-state").rows, kb.ask("restart-state", LATER).rows
    assert all(row["ruling"] is None for row in by_default)
    assert {row["ruling"] for row in asked} == {None, "Karn Liberated, 2027-01-01"}
    assert {(row["state"], row["outcome"]) for row in by_default} < {
        (row["state"], row["outcome"]) for row in asked
    }
