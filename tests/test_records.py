"""Rule numbers are read, ordered and counted as the rulebook does it; spans cut texts."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.records import (
    FATAL,
    LETTERS,
    Example,
    Paragraph,
    Problem,
    Release,
    Rule,
    RuleNumber,
    Sense,
    Span,
    Term,
    letters_at,
    letters_index,
)

NOWHERE = Span(0, 0)
ALL_LETTERS = [letters_at(i) for i in range(len(LETTERS) * 3)]

numbers = st.builds(
    lambda chapter, rule, letters: RuleNumber(chapter, rule, letters if rule is not None else ""),
    st.integers(100, 999),
    st.none() | st.integers(1, 999),
    st.just("") | st.sampled_from(ALL_LETTERS),
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("704", RuleNumber(704)),
        ("704.5", RuleNumber(704, 5)),
        ("704.5g", RuleNumber(704, 5, "g")),
        ("702.119", RuleNumber(702, 119)),
        ("111.10aa", RuleNumber(111, 10, "aa")),
        ("903.1l", RuleNumber(903, 1, "l")),
    ],
)
def test_an_exact_number_is_parsed(written, expected):
    assert RuleNumber.parse(written) == expected
    assert str(expected) == written


@pytest.mark.parametrize(
    "written",
    [
        *("", "7", "70", "7045", "004.5", "704.", "704.5.", "704.5G", "704.5abc", "704.1234"),
        *(" 704.5", "704.5 ", "704.g", "704,5", "rule 704.5", "704.5é", "-704", "704.5\n"),
    ],
)
def test_what_is_no_exact_number_is_refused(written):
    with pytest.raises(ValueError, match="not a rule number"):
        RuleNumber.parse(written)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("704.5g", "704.5g"),
        ("704.5g.", "704.5g"),
        ("704.5G", "704.5g"),
        ("704.", "704"),
        ("  704.5 ", "704.5"),
        ("CR 704.5g", "704.5g"),
        ("cr704.5g", "704.5g"),
        ("CR: 704.5g", "704.5g"),
        ("rule 704.5", "704.5"),
        ("Rules 704.5", "704.5"),
        ("subrule 704.5g", "704.5g"),
        ("chapter 704", "704"),
        ("Comprehensive Rules 111.10aa", "111.10aa"),
    ],
)
def test_a_number_as_people_write_it_is_understood(written, expected):
    assert str(RuleNumber.understand(written)) == expected


@pytest.mark.parametrize("written", ["", "rule", "rule g", "74.5", "704.5g and 704.5h", "MTG", "."])
def test_what_no_one_would_call_a_number_is_not_understood(written):
    with pytest.raises(ValueError, match="not a rule number"):
        RuleNumber.understand(written)


@given(numbers)
def test_a_number_survives_being_written_and_read(number):
    assert RuleNumber.parse(str(number)) == number
    assert RuleNumber.understand(f"CR {number}.".upper()) == number


def test_the_letters_skip_l_and_o():
    assert [letters_at(i) for i in range(10, 14)] == ["k", "m", "n", "p"]
    assert len(LETTERS) == 24
    assert not {"l", "o"} & set("".join(ALL_LETTERS))


def test_aa_follows_z_and_ba_follows_az():
    assert [letters_at(i) for i in (23, 24, 25, 47, 48)] == ["z", "aa", "ab", "az", "ba"]


@given(st.integers(0, len(LETTERS) * (len(LETTERS) + 1) - 1))
def test_each_position_has_letters_of_its_own(index):
    assert letters_index(letters_at(index)) == index


@pytest.mark.parametrize("letters", ["l", "o", "al", "ob", "é"])
def test_a_skipped_letter_has_no_position(letters):
    with pytest.raises(ValueError, match="not found"):
        letters_index(letters)
    assert RuleNumber(100, 1, letters).position == 0


def test_numbers_stand_in_the_order_of_the_rulebook():
    written = "100 100.1 100.1a 100.1k 100.1m 100.1z 100.1aa 100.1ab 100.2 100.10 100.10a 101 900"
    expected = [RuleNumber.parse(number) for number in written.split()]
    assert all(one < other for one, other in pairwise(expected))
    assert expected[0] < expected[1] <= expected[2]
    assert expected[6] > expected[5]


@given(numbers, numbers)
def test_any_two_numbers_have_one_order(one, other):
    assert (one < other) + (other < one) + (one == other) == 1


@given(numbers)
def test_a_parent_stands_directly_above_and_before(number):
    parent = number.parent
    above = {"subrule": "rule", "rule": "chapter"}
    if number.kind == "chapter":
        assert parent is None
    else:
        assert parent.kind == above[number.kind]
        assert parent < number
        assert str(number).startswith(str(parent))
        assert parent.section == number.section == number.chapter // 100


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("601.2f", "601.2h", "601.2f 601.2g 601.2h"),
        ("100.1k", "100.1n", "100.1k 100.1m 100.1n"),
        ("100.1z", "100.1ab", "100.1z 100.1aa 100.1ab"),
        ("119.7", "119.8", "119.7 119.8"),
        ("614", "616", "614 615 616"),
        ("100.1", "100.1", "100.1"),
    ],
)
def test_a_range_names_all_numbers_in_it(first, last, expected):
    through = RuleNumber.parse(first).through(RuleNumber.parse(last))
    assert " ".join(map(str, through)) == expected


@pytest.mark.parametrize(
    ("first", "last"),
    [("100.2", "100.1"), ("100.1", "100.2a"), ("100.1a", "100.2b"), ("100.1", "101.2")],
)
def test_no_range_goes_down_or_leaves_its_rule(first, last):
    with pytest.raises(ValueError, match=f"no range: {first} to {last}"):
        list(RuleNumber.parse(first).through(RuleNumber.parse(last)))


@given(st.sampled_from(ALL_LETTERS), st.sampled_from(ALL_LETTERS))
def test_a_range_is_in_order_and_holds_both_ends(one, other):
    first, last = sorted(RuleNumber(100, 1, letters) for letters in (one, other))
    through = list(first.through(last))
    assert through[0] == first
    assert through[-1] == last
    assert through == sorted(set(through))
    assert len(through) == last.position - first.position + 1


@given(st.text(), st.data())
def test_a_span_cuts_what_lies_between_its_ends(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    before, inside, behind = Span(0, start), Span(start, end), Span(end, len(text))
    assert before.of(text) + inside.of(text) + behind.of(text) == text
    assert len(inside.of(text)) == end - start
    assert before <= inside <= behind


def test_a_record_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        RuleNumber(100).chapter = 101
    with pytest.raises(FrozenInstanceError):
        Span(0, 1).end = 2


def test_a_text_of_several_paragraphs_has_a_line_for_each():
    two = (Paragraph("First.", NOWHERE), Paragraph("Second.", NOWHERE))
    assert Rule(RuleNumber(100, 1), two).text == "First.\nSecond."
    assert Example(two).text == "First.\nSecond."
    term = Term(two[0], "First", (Sense(1, two), Sense(2, two[1:]), Sense(None, two[:1])))
    assert term.text == "1. First.\nSecond.\n2. Second.\nFirst."


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({}, "2026-06-19"),
        ({"variant": "a"}, "2026-06-19-a"),
        ({"edition": "concise"}, "2026-06-19-concise"),
    ],
)
def test_a_release_is_named_by_its_date(fields, name):
    assert Release(date(2026, 6, 19), "0", "utf-8", **fields).name == name


def test_a_problem_says_where_and_what_and_whether_a_build_stops():
    problem = Problem("missing-dot", "no dot after the number 100.2", 33, 1, "100.2 A game")
    assert str(problem) == "33:1: no dot after the number 100.2 [missing-dot]"
    assert not problem.fatal
    assert all(Problem(kind, "", 1, 1).fatal for kind in FATAL)
    assert {"truncated", "no-rules", "no-date"} == FATAL
