"""Rulings of our own: sentences, quotes, symbols, dates, citations, and the cleaned form."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.cards.rulings_text import read_ruling


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        ("  ", []),
        ("You sing.", ["You sing."]),
        ("You sing. Does it die? Yes!", ["You sing.", "Does it die?", "Yes!"]),
        ("See below", ["See below"]),
        ("It sings, e.g. low. Then it dies.", ["It sings, e.g. low.", "Then it dies."]),
        ("It has “Sing.” Then it dies.", ["It has “Sing.”", "Then it dies."]),
        ('It has "Sing. Dance." and dies.', ['It has "Sing. Dance." and dies.']),
        ("It sings (it must.) Then it dies.", ["It sings (it must.)", "Then it dies."]),
        ("* It sings.\n* It dies. Late.", ["It sings.", "It dies.", "Late."]),
        ("Two cases:\n• It sings\n• It dies", ["Two cases:", "It sings", "It dies"]),
        ("Its power is * now.", ["Its power is * now."]),
        ("It costs {2}. {E} is no mana.", ["It costs {2}.", "{E} is no mana."]),
        ("An “open quote ends. Here.", ["An “open quote ends.", "Here."]),
    ],
)
def test_a_ruling_is_cut_into_sentences(text, sentences):
    assert [span.of(text) for span in read_ruling(text).sentences] == sentences


def test_two_typings_of_one_ruling_are_cleaned_alike():
    typed = read_ruling(" It’s “slow”\u00a0— very  slow. ").cleaned
    assert typed == read_ruling('It\'s "slow" - very slow.').cleaned


def test_what_is_quoted_is_a_span_without_its_marks():
    text = 'It has “Sing.” and "dance" too.'
    assert [span.of(text) for span in read_ruling(text).quotes] == ["Sing.", "dance"]


def test_symbols_are_kept_in_order():
    assert read_ruling("You get {E}{E} and pay {2/W}.").symbols == ("{E}", "{E}", "{2/W}")


@pytest.mark.parametrize("day", ["10/1/2009", "2009-10-01", "October 1, 2009"])
def test_a_date_is_found(day):
    assert read_ruling(f"As of {day}, it sings.").dates == (day,)


def test_a_power_is_no_date():
    assert read_ruling("It is 1/1 or 10/10.").dates == ()


def test_a_citation_is_found():
    (citation,) = read_ruling("It stays (see rule 100.2a).").citations
    assert citation.numbers == ("100.2a",)


@given(text=st.text(alphabet=" \nAb.?!“”\"'’()[]{}*•-—19/\u00a0", max_size=60))
def test_sentences_cover_any_text_in_order(text):
    spans = read_ruling(text).sentences
    assert all(one.end <= two.start for one, two in pairwise(spans))
    covered = "".join(span.of(text) for span in spans)
    left = "".join(covered.split())
    assert set("".join(text.split())) - set(left) <= set("*•-–—")
