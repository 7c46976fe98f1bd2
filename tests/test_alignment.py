"""Which rule of one release is which rule of another: assignment, alignment, wording, heirs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import TOP
from history_rulebook import LEAVES, SHOWS, STAYS, WAITS
from hypothesis import given
from hypothesis import strategies as st

from kb.editions.align import align, items_of, likeness
from kb.editions.assign import assign
from kb.editions.heirs import heirs_of
from kb.editions.wording import REFERENCE, wording
from kb.records import RuleNumber

# Assignment


def best_by_trying_all(weights, rows):
    """Return the greatest sum of weights that any one-to-one matching has."""
    if not rows:
        return 0
    row, *rest = rows
    without = best_by_trying_all(weights, rest)
    with_row = (
        weight + best_by_trying_all({k: w for k, w in weights.items() if k[1] != column}, rest)
        for (at, column), weight in weights.items()
        if at == row
    )
    return max([without, *with_row])


PLACES = st.tuples(st.integers(0, 4), st.integers(0, 4))


@given(st.dictionaries(PLACES, st.integers(1, 9), max_size=14))
def test_no_matching_has_a_greater_sum_than_the_assignment(weights):
    found = assign(weights)
    assert found.items() <= set(weights)
    assert len(set(found.values())) == len(found)
    best = best_by_trying_all(weights, sorted({row for row, _ in weights}))
    assert sum(weights[pair] for pair in found.items()) == best


@given(st.dictionaries(PLACES, st.floats(0.01, 1), max_size=12))
def test_weights_may_be_any_numbers_above_nought(weights):
    found = assign(weights)
    best = best_by_trying_all(weights, sorted({row for row, _ in weights}))
    assert sum(weights[pair] for pair in found.items()) == pytest.approx(best)


@given(st.permutations(range(6)))
def test_the_one_best_assignment_is_found_whatever_the_order_of_the_pairs(columns):
    right = dict(enumerate(columns))
    weights = {(i, j): 2.0 if right[i] == j else 1.0 for i in columns for j in columns}
    assert assign(weights) == right


def test_a_row_gives_way_where_the_sum_gains_by_it():
    assert assign({(0, 0): 5, (0, 1): 4, (1, 0): 5}) == {0: 1, 1: 0}
    assert assign({(0, 0): 9, (0, 1): 4, (1, 0): 4}) == {0: 0}
    assert assign({}) == {}


# Alignment


def rules(*lines):
    """Return rules as they are aligned, each given as its number and text."""
    written = (line.split(" ", 1) for line in lines)
    return items_of((RuleNumber.parse(number), text) for number, text in written)


def pairs(old, new):
    return {match.old: match.new for match in align(rules(*old), rules(*new))}


def how(old, new):
    return {
        match.old: (match.method, match.confidence) for match in align(rules(*old), rules(*new))
    }


BOARD = "The board has nine fields, and each of them holds one pebble."
FIRST = "The player with the older pebbles begins every game of pebbles."
TURNS = "A gray pebble may be moved once a turn to a field that lies beside it."


def test_a_rule_of_the_same_wording_is_followed_to_its_new_number():
    old = ["100 General", f"100.1 {BOARD}", f"100.2 {FIRST}"]
    new = ["100 General", f"100.1 {TURNS}", f"100.2 {BOARD}", f"100.3 {FIRST}"]
    assert pairs(old, new) == {"100": "100", "100.1": "100.2", "100.2": "100.3"}
    assert set(how(old, new).values()) == {("same", 1.0)}


def test_a_rule_edited_in_place_stays_that_rule():
    old = ["100 General", f"100.1 {BOARD}", f"100.2 {FIRST}", f"100.3 {TURNS}"]
    new = [line.replace("older", "newer").replace("every", "each") for line in old]
    assert pairs(old, new) == {line.split()[0]: line.split()[0] for line in old}
    method, confidence = how(old, new)["100.2"]
    assert method == "alike"
    assert 0.55 <= confidence <= 1


def test_a_rule_both_moved_and_edited_is_followed():
    old = ["100 General", f"100.1 {BOARD}", f"100.2 {FIRST}"]
    new = ["100 General", "100.1 Moves alternate.", f"100.2 {BOARD}", f"100.3 {FIRST} Or not."]
    assert pairs(old, new)["100.2"] == "100.3"


def test_neighbours_that_change_places_are_told_apart():
    old = ["100 General", f"100.1 {BOARD}", f"100.2 {FIRST}", f"100.3 {TURNS}"]
    new = ["100 General", f"100.1 {FIRST}", f"100.2 {BOARD}", f"100.3 {TURNS}"]
    assert pairs(old, new) == {"100": "100", "100.1": "100.2", "100.2": "100.1", "100.3": "100.3"}


def test_edited_neighbours_that_change_places_are_told_apart_by_their_words():
    old = ["100 General", f"100.1 {BOARD}", f"100.2 {FIRST}", f"100.3 {TURNS}"]
    new = ["100 General", f"100.1 {FIRST} Both.", f"100.2 {BOARD} So.", f"100.3 {TURNS}"]
    assert pairs(old, new) == {"100": "100", "100.1": "100.2", "100.2": "100.1", "100.3": "100.3"}


STATIC = "This is a static ability."


def test_rules_of_one_wording_are_told_apart_by_their_parents():
    old = ["100 Soaring", f"100.1 {STATIC}", "101 Diving", f"101.1 {STATIC}"]
    new = ["100 Diving", f"100.1 {STATIC}", "101 Soaring", f"101.1 {STATIC}"]
    assert pairs(old, new) == {"100": "101", "100.1": "101.1", "101": "100", "101.1": "100.1"}
    assert how(old, new)["100.1"] == ("same", 0.9)


def test_subrules_of_one_wording_are_told_apart_by_a_rule_that_moved():
    old = ["100 All", *("100.1 Soaring", f"100.1a {STATIC}", "100.2 Sinking", f"100.2a {STATIC}")]
    new = [
        *("100 All", "100.1 Diving", f"100.1a {STATIC}", "100.2 Sinking", f"100.2a {STATIC}"),
        *("100.3 Soaring", f"100.3a {STATIC}"),
    ]
    found = pairs(old, new)
    assert (found["100.1a"], found["100.2a"]) == ("100.3a", "100.2a")
    assert "100.1a" not in found.values()


def test_a_rule_that_is_gone_is_not_the_new_one_at_its_number():
    old = ["100 General", f"100.1 {BOARD}", f"100.2 {FIRST}", f"100.3 {TURNS}"]
    new = [*old[:2], "100.2 Coins, cards and dice stay in their boxes until tomorrow.", old[3]]
    assert pairs(old, new) == {"100": "100", "100.1": "100.1", "100.3": "100.3"}


def test_a_chapter_is_not_like_a_rule():
    assert pairs([f"100 {BOARD} So."], [f"100.1 {BOARD}"]) == {}
    assert pairs([f"100 {BOARD} So."], [f"101 {BOARD}"]) == {"100": "101"}


def test_an_empty_release_has_no_matches():
    assert pairs([], ["100 General"]) == pairs(["100 General"], []) == {}


WORDS = ["pebble", "board", "field", "player", "color", "game", "turn", "heap"]
TEXTS = [f"Rule of the {one} that no other {other} has." for one in WORDS for other in WORDS]


@st.composite
def releases(draw):
    """Return a release of distinct texts."""
    texts = draw(st.lists(st.sampled_from(TEXTS), unique=True, max_size=12))
    return ["100 General", *(f"100.{n} {text}" for n, text in enumerate(texts, 1))]


def by_text(old, new):
    """Return each number of one release with the number at which its text stands in another."""
    there = {text: number for number, text in (line.split(" ", 1) for line in new)}
    split = (line.split(" ", 1) for line in old)
    return {number: there[text] for number, text in split if text in there}


@given(releases(), releases())
def test_what_keeps_its_text_is_the_same_rule_there_and_back(old, new):
    forth, back = pairs(old, new), pairs(new, old)
    assert forth.items() >= by_text(old, new).items()
    assert back.items() >= by_text(new, old).items()
    assert len({*forth.values()}) == len(forth)


@given(st.lists(st.sampled_from(TEXTS), unique=True, max_size=10).flatmap(st.permutations))
def test_backwards_is_the_inverse_where_the_same_texts_stand_in_another_order(texts):
    old = ["100 General", *(f"100.{n} {text}" for n, text in enumerate(sorted(texts), 1))]
    new = ["100 General", *(f"100.{n} {text}" for n, text in enumerate(texts, 1))]
    assert {b: a for a, b in pairs(old, new).items()} == pairs(new, old) == by_text(new, old)


@given(st.lists(st.sampled_from([*TEXTS[:3], STATIC]), max_size=12))
def test_a_release_is_itself_even_where_its_rules_repeat_each_other(texts):
    book = ["100 General", *(f"100.{n} {text}" for n, text in enumerate(texts, 1))]
    assert pairs(book, book) == {line.split()[0]: line.split()[0] for line in book}


_ALTERNATE = """
from kb.editions.align import align, items_of
from kb.records import RuleNumber
texts = ["A pebble waits here.", "Nobody waits for it."]
def release(first):
    rules = [(RuleNumber(100, n), texts[(first + n) % 2]) for n in (1, 2, 3)]
    return items_of([(RuleNumber(100), "Pebbles"), *rules])
print([(match.old, match.new) for match in align(release(0), release(1))])
"""


def printed_under(seed):
    done = subprocess.run(
        [sys.executable, "-c", _ALTERNATE],
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        cwd=TOP,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def test_an_alignment_is_the_same_in_every_process():
    assert len({printed_under(seed) for seed in range(6)}) == 1


# Likeness


def test_likeness_is_of_words_in_their_order():
    one = BOARD.split()
    assert likeness(one, one) == 1
    assert likeness(one, []) == 0
    assert likeness(one, ["one", *one[1:]]) > likeness(one, sorted(one))


def test_a_text_that_is_only_added_to_is_alike():
    short, long = FIRST.split(), f"{FIRST} {BOARD} {TURNS} {WAITS}".split()
    assert likeness(short, long, 0.12) > 0.7 > likeness(short, long)
    assert likeness(short[:3], long, 0.12) < 0.2


# Wording


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann’s pebble", "ann's  Pebble"),
        ("a “gray” pebble", 'a "gray" pebble'),
        ("two – or three — pebbles", "two - or three-pebbles"),
        ("Pebbles(TM), Boards(R) and _Stones_", "Pebbles, Boards® and Stones"),
        ("Pebbles™ are stones", "Pebbles are stones"),
        ("a pebble\nof\u00a0two colors.", "a pebble of two colors"),
        ("See rule 101.2.", "See rule 999.9z."),
        ("See rules 101.2 and 101.3.", "See rules 202.1 and 203."),
    ],
)
def test_typography_and_the_numbers_of_references_are_no_wording(one, other):
    assert wording(one).text == wording(other).text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("See rule 101.2.", "See rules 101.2 and 101.3."),
        ("See rule 101.2.", "See it."),
        ("Draw 100 cards.", "Draw 101 cards."),
        ("a gray pebble", "a grey pebble"),
        ("two pebbles", "pebbles two"),
    ],
)
def test_other_words_are_another_wording(one, other):
    assert wording(one).text != wording(other).text


def test_the_numbers_of_references_are_kept_beside_the_wording():
    found = wording("As rule 101.2 tells (see rules 102.1–3 and 104). This rule is no other.")
    assert found.references == ("101.2", "102.1", "102.2", "102.3", "104")
    assert found.text.count(REFERENCE) == 5
    assert "this rule is no other" in found.text


# Heirs


def heirs(old, new):
    """Return the heirs of two releases as numbers: old, new, how."""
    olds, news = rules(*old), rules(*new)
    found = heirs_of(olds, news, align(olds, news))
    return [(olds[i].number, news[j].number, name) for i, j, name in found]


def test_a_new_rule_whose_words_stood_in_another_is_split_off_it():
    old = ["100 General", f"100.1 {STAYS} {SHOWS}", f"100.2 {BOARD}"]
    new = ["100 General", f"100.1 {STAYS}", f"100.2 {SHOWS}", f"100.3 {BOARD}"]
    assert len(heirs(old, new)) == 1
    giver, taker, name = heirs(old, new)[0]
    assert (giver, name) == ("100.1", "split")
    assert taker in {"100.1", "100.2"} - {pairs(old, new)["100.1"]}


def test_a_rule_that_went_into_another_is_merged():
    old = ["100 General", f"100.1 {LEAVES}", f"100.2 {WAITS}", f"100.3 {BOARD}"]
    new = ["100 General", f"100.1 {LEAVES} {WAITS}", f"100.2 {BOARD}"]
    assert len(heirs(old, new)) == 1
    giver, taker, name = heirs(old, new)[0]
    assert (taker, name) == ("100.1", "merged")
    assert giver in {"100.1", "100.2"} - {*pairs(old, new)}


def test_what_is_matched_and_what_is_short_has_no_heirs():
    old = ["100 General", f"100.1 {STAYS}", "100.2 It stays."]
    new = ["100 General", f"100.1 {STAYS} It stays."]
    assert heirs(old, new) == []
    assert heirs(old, old) == []
