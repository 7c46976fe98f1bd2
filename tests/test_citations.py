"""Citations: what is found in a text, what is not, and what is wrong with it in a release."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from conftest import shared
from hypothesis import example, given
from hypothesis import strategies as st

from kb.citations import Fault, find_citations, folded_title, resolve
from kb.knowledge import read_release
from kb.records import LETTERS, Citation, Place, RuleNumber, Span, letters_at
from kb.source import decode

# text, the number lists, forms, titles and written words of the citations in it
FOUND = [
    # a rule, with and without what announces it
    ("rule 704.5g", ["704.5g"], "rule", None, "rule 704.5g"),
    ("It is put there (see rule 201.3).", ["201.3"], "rule", None, "rule 201.3"),
    ("CR 704.5g", ["704.5g"], "rule", None, "CR 704.5g"),
    ("// CR:614.12a applies", ["614.12a"], "rule", None, "CR:614.12a"),
    ('rule("608.2b")', ["608.2b"], "rule", None, 'rule("608.2b'),
    ("as §613 orders", ["613"], "rule", None, "§613"),
    ("MTG Rule 704.5", ["704.5"], "rule", None, "MTG Rule 704.5"),
    ("Comprehensive Rules 704.5.", ["704.5"], "rule", None, "Comprehensive Rules 704.5"),
    ("subrule 704.5g", ["704.5g"], "rule", None, "subrule 704.5g"),
    ("[[CR 613.1]]", ["613.1"], "rule", None, "CR 613.1"),
    ("`CR 613.7a`", ["613.7a"], "rule", None, "CR 613.7a"),
    ("Compare 101.4b with that.", ["101.4b"], "rule", None, "101.4b"),
    ("101.4b. The text of the rule", ["101.4b"], "rule", None, "101.4b"),
    ("rule\u00a0704.5", ["704.5"], "rule", None, "rule\u00a0704.5"),
    ("rule 604.3’s list", ["604.3"], "rule", None, "rule 604.3"),
    ("the letters of 111.10aa", ["111.10aa"], "rule", None, "111.10aa"),
    # a chapter
    ("rule 704", ["704"], "rule", None, "rule 704"),
    ("CR 704", ["704"], "rule", None, "CR 704"),
    ("chapter 704", ["704"], "rule", None, "chapter 704"),
    # a title beside the number
    ("rule 605, “Pebbles.”", ["605"], "rule", "Pebbles", "rule 605, “Pebbles.”"),
    ("See rule 605, “Pebbles,” for it.", ["605"], "rule", "Pebbles", "rule 605, “Pebbles,”"),
    ('rule 701.52, "A Title"', ["701.52"], "rule", "A Title", 'rule 701.52, "A Title"'),
    # a range of subrules, of rules, of chapters
    ("rules 601.2f–h", ["601.2f", "601.2g", "601.2h"], "range", None, "rules 601.2f–h"),
    ("601.2g-h", ["601.2g", "601.2h"], "range", None, "601.2g-h"),
    ("616.1a→c", ["616.1a", "616.1b", "616.1c"], "range", None, "616.1a→c"),
    ("704.5a-704.5c", ["704.5a", "704.5b", "704.5c"], "range", None, "704.5a-704.5c"),
    ("rules 119.7–8", ["119.7", "119.8"], "range", None, "rules 119.7–8"),
    ("903.9–903.11", ["903.9", "903.10", "903.11"], "range", None, "903.9–903.11"),
    ("rules 614-616", ["614", "615", "616"], "range", None, "rules 614-616"),
    # letters skip l and o; after z comes aa
    ("111.10j–n", ["111.10j", "111.10k", "111.10m", "111.10n"], "range", None, "111.10j–n"),
    ("111.10n–q", ["111.10n", "111.10p", "111.10q"], "range", None, "111.10n–q"),
    ("704.5y–ab", ["704.5y", "704.5z", "704.5aa", "704.5ab"], "range", None, "704.5y–ab"),
    # letters that lean on the number before
    ("608.3a and b", ["608.3a", "608.3b"], "range", None, "608.3a and b"),
    ("510.1c/d", ["510.1c", "510.1d"], "range", None, "510.1c/d"),
    ("704.5m/n/p", ["704.5m", "704.5n", "704.5p"], "range", None, "704.5m/n/p"),
    ("704.5m, n, and p", ["704.5m", "704.5n", "704.5p"], "range", None, "704.5m, n, and p"),
    ("1.1 110.1a–b, s–t", ["110.1a", "110.1b", "110.1s", "110.1t"], "range", None, "110.1a–b, s–t"),
    # a section, and the rule itself
    ("section 8", ["8"], "section", None, "section 8"),
    ("section 8, “A Part”", ["8"], "section", "A Part", "section 8, “A Part”"),
    ("section 8, “A Part.”", ["8"], "section", "A Part", "section 8, “A Part.”"),
    ("Ignore this rule for it.", [], "self", None, "this rule"),
    ("See this section.", [], "self", None, "this section"),
    # what does not belong to it
    ("rule 608.3b and a player", ["608.3b"], "rule", None, "rule 608.3b"),
    ("rule 608.3a, a player", ["608.3a"], "rule", None, "rule 608.3a"),
    ("rule 608.3a and be done", ["608.3a"], "rule", None, "rule 608.3a"),
    ("rules 119.8–7", ["119.8"], "rule", None, "rules 119.8"),
    ("section 7 and 12 cards", ["7"], "section", None, "section 7"),
]
LISTS = [
    ("rules 601.2b and 601.2f–h", [("rules 601.2b", 1), ("601.2f–h", 3)]),
    ("rules 104.3a or 104.3b", [("rules 104.3a", 1), ("104.3b", 1)]),
    ("CR 502/503/504", [("CR 502", 1), ("503", 1), ("504", 1)]),
    ("CR 608.2e + CR 702.49", [("CR 608.2e", 1), ("CR 702.49", 1)]),
    ("601.2c → 601.2f", [("601.2c", 1), ("601.2f", 1)]),
    ("rule 205 and 206", [("rule 205", 1), ("206", 1)]),
    ("rules 112–115, 200", [("rules 112–115", 4), ("200", 1)]),
    ("rule 104.3; rule 104.4", [("rule 104.3", 1), ("rule 104.4", 1)]),
    ("704.5a–b and 704.5d–e", [("704.5a–b", 2), ("704.5d–e", 2)]),
    (
        "rules 701.27a–f, 712.9–10, and 712.18",
        [("rules 701.27a–f", 6), ("712.9–10", 2), ("712.18", 1)],
    ),
    ("sections 1, 2, and 3", [("sections 1", 1), ("2", 1), ("3", 1)]),
    ("this rule and rule 100.1", [("this rule", 0), ("rule 100.1", 1)]),
]
TRAPS = [
    "200 damage",
    "It deals 200 damage to 100 players.",
    "1.4.37V4",
    "Client: 1.4.37V4 Server: 1.4.37V4",
    "d='M1.646%204.646a.5.5'",
    "a 100-card deck",
    "the structural rules (100-card",
    "https://example.org/2021/downloads/Rules%20202109224.txt",
    "https://example.org/page#704.5g",
    "version 104.3.2",
    "v104.3.2",
    "100.10.1a",
    "104.3%",
    "It took 104.3 ms.",
    "after 104.3 s",
    "120.5 MB",
    "$100.50",
    "€250.10",
    "1100.5",
    "x=704.5",
    "0x704.5",
    "704.5ghi",
    "704.1000",
    "rule 000.1",
    "rule 1000",
    "rule 70",
    "the rule 704th in a row",
    "section 10",
    "section 7.1",
    "704",
    "a rule of three",
    "",
]


@pytest.mark.parametrize(("text", "numbers", "form", "title", "written"), FOUND)
def test_a_citation_is_found_with_its_numbers_form_title_and_words(
    text, numbers, form, title, written
):
    start = text.index(written)
    span = Span(start, start + len(written))
    assert find_citations(text) == (Citation(written, span, tuple(numbers), form, title),)


@pytest.mark.parametrize(("text", "parts"), LISTS)
def test_a_list_is_a_citation_for_each_number_in_it(text, parts):
    assert [(c.text, len(c.numbers)) for c in find_citations(text)] == parts


def test_each_number_of_a_list_keeps_its_own_title():
    text = "See rules 102.1, “Ann,” 102.2, “Ben,” and 102.3, “Cy.”"
    titles = [(c.numbers, c.title) for c in find_citations(text)]
    assert titles == [(("102.1",), "Ann"), (("102.2",), "Ben"), (("102.3",), "Cy")]


@pytest.mark.parametrize("text", TRAPS)
def test_what_only_looks_like_a_citation_is_none(text):
    assert find_citations(text) == ()


def spans_hold(text):
    citations = find_citations(text)
    assert all(0 <= c.span.start < c.span.end <= len(text) for c in citations)
    assert all(c.span.of(text) == c.text for c in citations)
    assert all(a.span.end <= b.span.start for a, b in pairwise(citations))
    for citation in citations:
        for number in citation.numbers:
            assert number in "123456789" or str(RuleNumber.parse(number)) == number


WORDS = ["rule ", "rules ", "CR ", "section ", "§", "this rule", "704", "704.5", "704.5g", "7"]
TAILS = ["–h", "-h", "→e", "–8", ", ", " and ", " or ", "/", "; ", " through ", "b", "aa", "l"]
MARKS = [", “Title.”", '"Title"', "“", "”", '"', "(", ")", ".", " ", "\n", "%", "İ", "\0"]
PIECES = st.sampled_from([*WORDS, *TAILS, *MARKS])


@given(st.text())
def test_any_text_can_be_searched(text):
    spans_hold(text)


@given(st.lists(PIECES, max_size=25).map("".join))
@example("rules 704.5g–" + "704.5a" * 90)
@example("rule 704" + ", 704" * 200)
def test_any_heap_of_a_citations_pieces_can_be_searched(text):
    spans_hold(text)


@given(
    st.integers(0, 60),
    st.integers(1, 60),
    st.integers(100, 999),
    st.integers(1, 999),
    st.booleans(),
)
def test_a_range_of_letters_names_every_letter_between_but_l_and_o(
    first, count, chapter, rule, lead
):
    letters = [letters_at(i) for i in range(first, first + count + 1)]
    text = f"{'rules ' if lead else ''}{chapter}.{rule}{letters[0]}–{letters[-1]}"
    (citation,) = find_citations(text)
    assert citation.text == text
    assert citation.numbers == tuple(f"{chapter}.{rule}{each}" for each in letters)
    assert not {"l", "o"} & set("".join(letters))
    assert set("".join(letters)) <= set(LETTERS)


@given(st.integers(100, 999), st.integers(1, 999), st.sampled_from(["", *LETTERS, "aa", "ab"]))
def test_every_number_is_found_as_it_is_written(chapter, rule, letters):
    number = f"{chapter}.{rule}{letters}"
    (citation,) = find_citations(f"It is so (see rule {number}). It is no other way.")
    assert citation.numbers == (number,)


TITLES = {"1": "The Game", "100": "General", "101": "Pebbles", "101.1": "Gray Ones", "101.1a": None}


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("rule 101", []),
        ("rule 101.1a", []),
        ("rule 101, “Pebbles.”", []),
        ("rule 101, “pebbles”", []),
        ("section 1, “The Game.”", []),
        ("rule 101.1, “Gray Ones,”", []),
        ("rule 101, “Words That Are No Title.”", []),
        ("this rule", []),
        ("rule 102", [Fault("102", "missing")]),
        ("section 2", [Fault("2", "missing")]),
        ("101.1a–c", [Fault("101.1b", "missing"), Fault("101.1c", "missing")]),
        ("rule 100, “Pebbles.”", [Fault("100", "title", "101")]),
        ("rule 101.1a, “Gray Ones.”", [Fault("101.1a", "title", "101.1")]),
        ("rule 102, “Pebbles.”", [Fault("102", "missing")]),
    ],
)
def test_a_citation_is_resolved_by_its_number_and_checked_by_its_title(text, faults):
    (citation,) = find_citations(text)
    assert list(resolve(citation, TITLES)) == faults


@pytest.mark.parametrize(
    ("title", "folded"),
    [
        ("Mana Abilities.", "mana abilities"),
        ("  Two\u00a0 Words ", "two words"),
        ("Player’s Turn", "players turn"),
        ("Player's Turn", "players turn"),
        ("Power/Toughness", "power toughness"),
        ("", ""),
    ],
)
def test_titles_are_compared_without_case_and_punctuation(title, folded):
    assert folded_title(title) == folded


def titles_of(reading):
    book = reading.rulebook
    sections = {str(section.number): section.title for section in book.sections}
    return sections | {str(rule.number): rule.title for rule in book.rules}


def test_every_citation_of_the_concise_edition_resolves(concise_reading):
    titles = titles_of(concise_reading)
    assert len(concise_reading.citations) > 500
    wrong = [(p, c, f) for p, c in concise_reading.citations if (f := resolve(c, titles))]
    assert wrong == []


def test_a_citation_is_kept_with_the_place_that_it_stands_in():
    text = (
        "Rules of a Game\n\nThese rules are effective as of June 2, 2026.\n\n"
        "1. The Game\n\n100. General\n\n"
        "100.1. See rule 100.2.\nExample: By rule 100.1, it is so.\n\n"
        "100.2. A game ends.\n\nGlossary\n\nPebble\nA stone. See rule 100.\n\nCredits\n\nNone.\n"
    )
    reading = read_release(decode(text.encode(), "small.txt"))
    assert [(place, citation.numbers) for place, citation in reading.citations] == [
        (Place("rule", "100.1"), ("100.2",)),
        (Place("rule", "100.1", 1), ("100.1",)),
        (Place("term", "pebble"), ("100",)),
    ]


def test_citations_in_the_wild_are_found_exactly():
    lines = shared("eval/citations.jsonl").read_text(encoding="utf-8").splitlines()
    right = extra = missed = 0
    for row in map(json.loads, lines):
        found = {n for c in find_citations(row["text"]) if c.form != "section" for n in c.numbers}
        right += len(found & set(row["cited"]))
        extra += len(found - set(row["cited"]))
        missed += len(set(row["cited"]) - found)
    assert right / (right + extra) >= 0.98
    assert right / (right + missed) >= 0.98
