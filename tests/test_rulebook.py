"""Each form of a rulebook, read off a small one of our own, becomes the record that it should."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_rulebook import SMALL, changed, losses, read, source_of

from kb.records import RuleNumber
from kb.rulebook import read_rulebook
from kb.rulebook.release import effective_date
from kb.syntax import load


def rule(text, number):
    """Return the rule of a number, which must be there once."""
    (found,) = [r for r in read(text)[0].rules if r.number == RuleNumber.parse(number)]
    return found


def term(text, name):
    """Return the term of a name, which must be there once."""
    (found,) = [t for t in read(text)[0].terms if t.name == name]
    return found


def test_a_rulebook_without_slips_has_no_problems_and_loses_nothing():
    rulebook, problems = read(SMALL)
    assert problems == ()
    assert losses(rulebook, source_of(SMALL)) == []


def test_the_parts_are_told_apart_though_their_headings_occur_twice():
    rulebook, _ = read(SMALL)
    kinds = [block.kind for block in rulebook.blocks]
    assert kinds == [
        *("line", "effective", "line", "line", "contents", *["contents_entry"] * 5),
        *("line", "line", "head", "line", "line", "effective"),
    ]


def test_sections_have_number_and_title():
    sections = [(section.number, section.title) for section in read(SMALL)[0].sections]
    assert sections == [(1, "The Game"), (2, "The Board")]


def test_rules_stand_in_the_order_of_the_text():
    numbers = " ".join(str(r.number) for r in read(SMALL)[0].rules)
    assert numbers == "100 100.1 100.1a 100.1b 100.2 101 101.1 101.1a 101.1b 101.2 200 200.1"


@pytest.mark.parametrize(
    ("number", "kind", "text"),
    [
        ("100", "chapter", "General"),
        ("100.1", "rule", "A pebble game has two players."),
        ("100.1a", "subrule", "Each player sits at one side of the board."),
        ("200.1", "rule", "The board has nine fields. (See rule 101, “Pebbles.”)"),
    ],
)
def test_a_numbered_paragraph_is_a_rule_of_its_kind(number, kind, text):
    found = rule(SMALL, number)
    assert (found.number.kind, found.text) == (kind, text)


def test_a_span_covers_number_and_text_as_printed():
    (paragraph,) = rule(SMALL, "100.1a").paragraphs
    assert paragraph.span.of(SMALL) == "100.1a Each player sits at one side of the board."


@pytest.mark.parametrize(
    ("number", "title"),
    [("101", "Pebbles"), ("101.1", "Colors"), ("100.1", None), ("101.1a", None), ("100.2", None)],
)
def test_a_title_is_what_heads_a_chapter_or_its_subrules(number, title):
    assert rule(SMALL, number).title == title


def test_subrules_after_z_have_two_letters():
    text = changed("100.2. A", "100.1z A pebble.\n\n100.1aa Another pebble.\n\n100.2. A")
    assert rule(text, "100.1aa").text == "Another pebble."


def test_examples_belong_to_the_rule_above_them():
    assert [example.text for example in rule(SMALL, "100.1b").examples] == [
        "Ann’s pebbles are older than Ben’s. Ann begins.",
        "Both players have new pebbles. They toss one of them.",
    ]


@pytest.mark.parametrize("word", ["Example:", "EXAMPLE:", "Examples:", "\nExample:", "  Example:"])
def test_an_example_may_be_announced_in_several_ways(word):
    text = changed("Example: Both", f"{word} Both")
    assert len(rule(text, "100.1b").examples) == 2
    assert rule(text, "100.1b").examples[1].text.startswith("Both players")
    assert read(text)[1] == ()


@pytest.mark.parametrize("indent", ["     ", " " * 10, "\u00a0", "\u00a0" * 5, "\t"])
def test_an_indented_paragraph_goes_on_with_its_rule(indent):
    text = SMALL.replace("     It", f"{indent}It")
    assert [p.text for p in rule(text, "101.2").paragraphs[1:]] == [
        "It is turned over.",
        "It is put beside the board.",
    ]
    assert read(text)[1] == ()


def test_an_indented_paragraph_below_an_example_goes_on_with_the_example():
    found = rule(changed("Ann begins.\n", "Ann begins.\n     She moves.\n"), "100.1b")
    assert found.examples[0].text == "Ann’s pebbles are older than Ben’s. Ann begins.\nShe moves."
    assert len(found.paragraphs) == 1


@pytest.mark.parametrize(
    ("name", "senses"),
    [
        ("Board", [(None, "What the pebbles lie on. See rule 200.", False)]),
        ("Heap", [(None, "A word that once stood for all pebbles of a player.", False)]),
        (
            "Move",
            [
                (1, "To put a pebble on another field.", False),
                (2, "To take a pebble off the board.\nSee rule 101.", True),
            ],
        ),
        ("Pebble, White Pebble", [(None, "See Move.", False)]),
    ],
)
def test_a_glossary_entry_is_a_term_with_its_senses(name, senses):
    found = term(SMALL, name)
    assert [(sense.number, sense.text, sense.obsolete) for sense in found.senses] == senses


def test_a_mark_in_the_heading_makes_the_term_obsolete_and_is_no_part_of_its_name():
    heap = term(SMALL, "Heap")
    assert heap.obsolete
    assert heap.heading.text == "Heap (Obsolete)"


def test_a_mark_in_one_of_several_senses_leaves_the_term_in_use():
    assert not term(SMALL, "Move").obsolete


@pytest.mark.parametrize("mark", ["(Obsolete) ", "(obsolete) ", "  (Obsolete) "])
def test_a_mark_in_every_sense_makes_the_term_obsolete(mark):
    found = term(changed("1. To put", f"1. {mark}To put"), "Move")
    assert found.obsolete
    assert found.senses[0].text == "To put a pebble on another field."


@pytest.mark.parametrize(
    "name", ["Pebble’s Field", "“Go” Word", "Field [Noun]", "Go, Pebble!", "1-Pebble Move", "Go-to"]
)
def test_a_term_may_have_any_signs(name):
    assert term(changed("Board\nWhat", f"{name}\nWhat"), name).text.startswith("What")


def test_a_glossary_entry_may_have_an_example():
    found = term(changed("See Move.\n", "See Move.\nExample: A stone.\n"), "Pebble, White Pebble")
    assert [example.text for example in found.examples] == ["A stone."]


def test_the_last_term_may_touch_the_credits():
    rulebook, problems = read(changed("See Move.\n\n", "See Move.\n"))
    assert rulebook.terms[-1].text == "See Move."
    assert problems == ()


def test_the_contents_may_lack_their_heading():
    text = changed("Contents\n\n", "")
    assert read(text)[1] == ()
    assert [r.number for r in read(text)[0].rules] == [r.number for r in read(SMALL)[0].rules]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("These rules are effective as of June 19, 2026.", date(2026, 6, 19)),
        ("These rules are effective as of June18, 2021.", date(2021, 6, 18)),
        ("These rules are current as of July 23, 2001.", date(2001, 7, 23)),
        ("All rules, effective as of SEPTEMBER  9,2022", date(2022, 9, 9)),
        ("COMPREHENSIVE RULES          04/23/99", date(1999, 4, 23)),
        ("Effective as of June 31, 2026.", None),
        ("Comprehensive Rules 23/04/99", None),
        ("Effective as of today.", None),
    ],
)
def test_a_line_states_a_date(line, expected):
    assert effective_date(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("These rules are effective as of June18, 2021.", date(2021, 6, 18)),
        ("Comprehensive Rules 04/23/99", date(1999, 4, 23)),
        ("They are current as of July 23, 2001.", date(2001, 7, 23)),
    ],
)
def test_a_release_is_dated_by_its_own_words(line, expected):
    rulebook, problems = read(SMALL.replace("These rules are effective as of June 19, 2026.", line))
    assert rulebook.release.effective == expected
    assert problems == ()


def test_a_date_that_is_given_goes_before_none_and_is_no_problem():
    text = SMALL.replace("are effective as of June 19, 2026", "hold")
    rulebook, problems = read_rulebook(source_of(text), effective=date(2030, 1, 2))
    assert rulebook.release.name == "2030-01-02"
    assert problems == ()


@pytest.mark.parametrize(
    ("title", "edition", "name"),
    [
        ("Rules of the Pebble Game", "official", "2026-06-19"),
        ("Rules of the Pebble Game, Concise Edition", "concise", "2026-06-19-concise"),
    ],
)
def test_the_edition_is_told_from_the_title(title, edition, name):
    release = read(SMALL.replace("Rules of the Pebble Game", title))[0].release
    assert (release.title, release.edition, release.name) == (title, edition, name)


FORMS = [
    ("body", "1. Game Concepts", "section"),
    ("body", "105. Colors", "chapter"),
    ("body", "105.1. There are five colors.", "rule"),
    ("body", "105.1 There are five colors.", "rule"),
    ("body", "105.1.There are five colors.", "rule"),
    ("body", "105. 1. There are five colors.", "rule"),
    ("body", "105.2a A monocolored object", "subrule"),
    ("body", "105.2a. A monocolored object", "subrule"),
    ("body", "105.2ab A monocolored object", "subrule"),
    ("body", "Example: A card reads", "example"),
    ("body", "EXAMPLE: A card reads", "example"),
    ("body", "Of that list, one is left.", "continuation"),
    ("body", "-------------------", "ruler"),
    ("body", "105.1–3 are rules.", "continuation"),
    ("glossary", "\nAbility", "term"),
    ("glossary", "\nAbility1. Text on an object", "term"),
    ("glossary", "1. To counter a spell", "sense"),
    ("glossary", "1. (Obsolete) To counter a spell", "sense"),
    ("front", "105. Colors", "contents_entry"),
]


@pytest.mark.parametrize(("part", "line", "form"), FORMS)
def test_the_grammar_tells_each_form(part, line, form):
    grammar = load("rulebook", "front", "body", "glossary", "back")
    tree, problems = grammar.parse(line + "\n", part)
    assert problems == ()
    assert form in {found.data for found in tree.iter_subtrees()} - {part}


@given(st.integers(300, 999), st.integers(1, 999), st.sampled_from(["", "a", "z", "aa", "bz"]))
def test_any_number_of_the_form_is_read(chapter, number, letters):
    written = f"{chapter}.{number}{letters}"
    line = f"{written}{'' if letters else '.'} A rule of its own."
    found = rule(changed("200.1. The board has nine fields.", line), written)
    assert found.text.startswith("A rule of its own.")
