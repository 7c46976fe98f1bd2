"""Headings of other words, paired by what stands below; splits and merges, copies apart."""

from __future__ import annotations

import pytest
from history_rulebook import LEAVES, SHOWS, STAYS, WAITS, asked, built
from test_alignment import BOARD, FIRST, TURNS, heirs, how, pairs
from tools import rulebook

REST = "Coins, cards and dice stay in their boxes until the next morning comes."


def chapter(number, title, *texts):
    """Return a chapter's lines, its rules numbered from 1 on."""
    return [f"{number} {title}", *(f"{number}.{n} {text}" for n, text in enumerate(texts, 1))]


# Headings


def test_a_heading_of_other_words_is_the_one_below_which_its_rules_are():
    old, new = (chapter(100, title, STAYS, SHOWS, WAITS) for title in ("Hiding", "Pebbles kept"))
    assert how(old, new)["100"] == ("alike", 1.0)


def test_a_heading_that_moved_is_followed_by_its_rules():
    old = [*chapter(100, "Hiding", STAYS, SHOWS), *chapter(101, "Waiting", WAITS, LEAVES)]
    new = [*chapter(100, "Patience", WAITS, LEAVES), *chapter(101, "Secrets", STAYS, SHOWS)]
    assert {n: pairs(old, new)[n] for n in ("100", "101")} == {"100": "101", "101": "100"}


def test_a_heading_is_as_sure_as_the_share_of_its_rules():
    old = chapter(100, "Hiding", STAYS, SHOWS, WAITS)
    new = [*chapter(100, "Secrets", STAYS, SHOWS), *chapter(101, "Waiting", WAITS)]
    assert how(old, new)["100"] == ("alike", 0.667)
    assert "101" not in pairs(old, new).values()


def test_half_of_the_rules_below_do_not_make_a_heading_the_same():
    old = chapter(100, "Hiding", STAYS, SHOWS)
    new = [*chapter(100, "Secrets", STAYS), *chapter(101, "Waiting", SHOWS)]
    assert "100" not in pairs(old, new)


@pytest.mark.parametrize(
    ("old", "new", "same"), [("Hiding", "Secrets", False), ("Face down", "Lying face down", True)]
)
def test_one_rule_of_several_makes_a_heading_the_same_only_if_words_do_too(old, new, same):
    found = pairs(chapter(100, old, STAYS, FIRST, TURNS), chapter(100, new, STAYS, WAITS, LEAVES))
    assert found.get("100.1") == "100.1"
    assert ("100" in found) == same


def test_a_text_is_no_heading_even_if_most_below_it_is_the_same():
    old, new = (
        ["100 General", f"100.1 {text}", f"100.1a {STAYS}", f"100.1b {SHOWS}"]
        for text in (BOARD, REST)
    )
    assert "100.1" not in pairs(old, new)


# Heirs


def test_a_heading_is_merged_where_most_of_its_rules_went():
    old = [*chapter(100, "Hiding", STAYS, SHOWS), *chapter(101, "Waiting", WAITS, LEAVES, BOARD)]
    new = chapter(100, "Waiting", WAITS, LEAVES, BOARD, STAYS, SHOWS)
    assert heirs(old, new) == [("100", "100", "merged")]


def test_a_heading_is_not_merged_where_one_of_its_rules_went():
    old = [*chapter(100, "Hiding", STAYS, FIRST, TURNS), *chapter(101, "Waiting", WAITS, LEAVES)]
    new = chapter(100, "Waiting", WAITS, LEAVES, STAYS)
    assert pairs(old, new)["100.1"] == "100.3"
    assert heirs(old, new) == []


def test_a_heading_whose_rules_went_apart_is_not_merged():
    old = [
        *chapter(100, "Hiding", STAYS, SHOWS),
        *chapter(101, "Waiting", WAITS, BOARD),
        *chapter(102, "Leaving", LEAVES, TURNS),
    ]
    new = [
        *chapter(100, "Waiting", WAITS, BOARD, STAYS),
        *chapter(101, "Leaving", LEAVES, TURNS, SHOWS),
    ]
    assert heirs(old, new) == []


def test_words_that_the_other_rule_keeps_are_a_copy_and_no_split():
    old = ["100 General", f"100.1 {STAYS} {SHOWS}", f"100.2 {BOARD}"]
    assert heirs(old, ["100 General", f"100.1 {STAYS} {SHOWS}", f"100.2 {BOARD}"]) == []
    copied = [*old[:2], f"100.2 {STAYS}", f"100.3 {BOARD}"]
    assert heirs(old, copied) == []


def test_words_that_the_other_rule_had_before_are_a_copy_and_no_merger():
    old = ["100 General", f"100.1 {STAYS} {SHOWS}", f"100.2 {STAYS}", f"100.3 {BOARD}"]
    assert heirs(old, [old[0], old[1], f"100.2 {BOARD}"]) == []


# What is asked


def both_ways(kb, question, *columns):
    days = ("2029-05-01", "2030-05-01")
    return [
        asked(kb, question, *columns, start=start, end=end) for start, end in (days, days[::-1])
    ]


def test_splits_and_mergers_are_told_both_ways(tmp_path):
    before = f"""\
100. Hiding
100.1. {STAYS} {SHOWS}
100.2. {BOARD}
101. Waiting
101.1. {WAITS}
101.2. {LEAVES}
102. Turns
102.1. {TURNS}
102.2. {FIRST}"""
    after = f"""\
100. Hiding
100.1. {STAYS}
100.2. {SHOWS}
100.3. {BOARD}
101. Turns
101.1. {TURNS}
101.2. {FIRST}
101.3. {WAITS} {LEAVES}"""
    texts = [rulebook(text, date=f"May 1, {2029 + n}") for n, text in enumerate((before, after))]
    kb = built(tmp_path, *texts)
    forth, back = both_ways(kb, "what-changed", "change", "from", "to", "old", "new")
    kb.close()
    for rows, turned in ((forth, back), (back, forth)):
        parted = {row for row in rows if row[0] in {"split", "merged"}}
        assert len({row[0] for row in parted}) == 2
        assert {(change, to, start, new, old) for change, start, to, old, new in parted} == {
            row for row in turned if row[0] in {"split", "merged"}
        }
        went = {row[1] for row in parted}
        assert not [row for row in rows if row[0] == "removed" and row[1] in went]


def test_the_least_sure_link_between_two_releases_is_the_confidence(tmp_path):
    less = STAYS.replace("hide it, paint it, or take it off the table", "or to leave the room")
    texts = [STAYS, less, less.replace("leave the room", "sing")]
    rest = "\n".join(f"100.{n}. {x}" for n, x in enumerate((BOARD, TURNS, LEAVES, WAITS), 2))
    books = [
        rulebook(f"100. General\n100.1. {text}\n{rest}", date=f"May 1, {2029 + n}")
        for n, text in enumerate(texts)
    ]
    kb = built(tmp_path, *books)

    def sure(start, end):
        start, end = (f"{year}-05-01" for year in (start, end))
        ((confidence,),) = asked(kb, "what-changed", "confidence", start=start, end=end)
        return float(confidence)

    links = sure(2029, 2030), sure(2030, 2031)
    assert len({*links}) == 2
    assert sure(2029, 2031) == sure(2031, 2029) == min(links)
    kb.close()
