"""Which rules, terms, examples and rulings a text quotes: altered texts, and texts of our own."""

from __future__ import annotations

import textwrap
from itertools import pairwise

import pytest
from known_texts import OTHER, RELEASED, STONE, known_of, stood
from small_rulebook import SMALL, read

from kb import resources
from kb.identify import Index, Known, identify, page_release
from kb.rulebook import read_rulebook
from kb.source import read_source


@pytest.fixture(scope="module")
def book():
    return read_rulebook(read_source(resources.path("rules/concise-edition.txt")))[0]


@pytest.fixture(scope="module")
def concise(book):
    return Index.of(known_of([book]))


# The concise edition, altered. Each text below is made of its rules' own words.


def some_rules(book):
    """Return rules of one paragraph with two sentences or more, from all over the book."""
    long = [
        rule
        for rule in book.rules
        if len(rule.paragraphs) == 1 and rule.text.count(". ") > 1 and len(rule.text) > 150
    ]
    return long[::20]


def first(text, index):
    """Return the best match of a text that is one paragraph, or None."""
    (result,) = identify(text, index)
    return result.matches[0] if result.matches else None


ALTERED = {
    "as it is": (lambda text: text, "exact"),
    "other typography": (
        lambda text: text.replace("’", "'").replace("“", '"').replace("”", '"').upper(),
        "exact",
    ),
    "a bullet": (lambda text: "* " + text, "exact"),
    "comment marks and line ends": (
        lambda text: "\n".join("// " + line for line in textwrap.wrap(text, 76)),
        "exact",
    ),
    "quoted mail": (
        lambda text: "\r\n".join("> " + line for line in textwrap.wrap(text, 70)),
        "exact",
    ),
    "a word put in": (
        lambda text: text.replace(" ", " quagmire ", 3).replace(" quagmire", "", 2),
        "edited",
    ),
    "the last sentence left out": (lambda text: text[: text.rindex(". ") + 1], "cut"),
    "cut in the midst": (lambda text: " ".join(text.split()[:-4]) + " …", "cut"),
    "the first sentence left out": (lambda text: text[text.index(". ") + 2 :], "part"),
    "prose before": (
        lambda text: "I looked it up yesterday evening, and found this: " + text,
        "part",
    ),
}


@pytest.mark.parametrize("how", ALTERED)
def test_an_altered_rule_is_identified(book, concise, how):
    alter, match = ALTERED[how]
    rules = [rule for rule in some_rules(book) if len(alter(rule.text).split()) > 12]
    found = [(rule, first(alter(rule.text), concise)) for rule in rules]
    assert len(rules) > 12
    assert [str(rule.number) for rule, best in found if best is None] == []
    assert [str(rule.number) for rule, best in found if best.id != str(rule.number)] == []
    others = [(str(rule.number), best.match) for rule, best in found if best.match != match]
    assert len(others) <= 0.15 * len(rules), others  # a reference cut in two is an edit


def test_two_rules_in_one_paragraph_are_both_found(book, concise):
    for one, other in pairwise(some_rules(book)):
        (result,) = identify(f"{one.text} {other.text}", concise)
        found = sorted(result.matches, key=lambda match: match.span)
        assert [match.id for match in found] == [str(one.number), str(other.number)]
        assert {match.match for match in found} == {"part"}
        assert found[0].span.of(result.text) == one.text


def test_a_rule_with_its_example_in_one_paragraph(book, concise):
    rule = next(r for r in book.rules if r.examples and len(r.text) > 100)
    (result,) = identify(f"{rule.text} Example: {rule.examples[0].text}", concise)
    assert {match.id for match in result.matches} == {
        str(rule.number),
        f"{rule.number} example 1",
    }


def test_the_lines_of_a_rule_of_several_paragraphs_belong_to_it():
    small, _ = read(SMALL)
    rule = next(r for r in small.rules if len(r.paragraphs) > 1)
    results = identify(f"{rule.number}. {rule.text}", known_of([small]))
    assert len(results) == len(rule.paragraphs)
    assert {result.matches[0].id for result in results} == {str(rule.number)}
    assert [result.matches[0].match for result in results] == ["cut", "part", "part"]


SPELLED = [
    "{}. {}",
    "{} {}",
    "{}: {}",
    "CR {} {}",
    "[{}] {}",
    "**{}** {}",
    "{}\n{}",
    "{}\n\n{}",
    "rule {} — {}",
    "- {}. {}",
    "// CR:{}\n// {}",
]


@pytest.mark.parametrize("spelled", SPELLED)
def test_a_printed_number_is_no_part_of_the_words(book, concise, spelled):
    for rule in some_rules(book):
        match = first(spelled.format(rule.number, rule.text), concise)
        assert (match.match, match.id) == ("exact", str(rule.number))
        assert (match.printed, match.printed_fits) == (str(rule.number), True)


def test_a_number_that_is_not_the_rules_is_told(book, concise):
    rule = some_rules(book)[3]
    match = first(f"999.9z {rule.text}", concise)
    assert (match.id, match.printed, match.printed_fits) == (str(rule.number), "999.9z", False)


def test_without_a_number_printed_nothing_is_checked(book, concise):
    match = first(some_rules(book)[3].text, concise)
    assert (match.printed, match.printed_fits) == (None, None)


@pytest.mark.parametrize(
    "text",
    [
        "State-Based Actions",
        "Search",
        "Flying",
        "See rule 704.",
        "704",
        "704.5",
        "704.5g says what you are looking for.",
        "When a creature dies, rule 704.5g made it so, and a player who looks at it may wonder.",
        "The state-based actions are checked before anybody gets priority, I think.",
        "300 players came.",
        "",
        " \n\t\n",
        "— … •",
    ],
)
def test_what_only_speaks_of_rules_quotes_none(concise, text):
    assert [result for result in identify(text, concise) if result.matches] == []


def test_a_heading_is_told_by_its_number(concise):
    match = first("704. State-Based Actions", concise)
    assert (match.kind, match.id, match.match, match.printed_fits) == ("rule", "704", "exact", True)


def test_a_glossary_entry_is_its_name_and_its_text(book, concise):
    terms = [term for term in book.terms if len(term.senses) == 1 and len(term.text) > 60][::20]
    for term in terms:
        name, entry = identify(f"{term.heading.text}\n{term.text}", concise)
        assert (name.matches[0].id, entry.matches[0].id) == (term.name, term.name)
        assert (entry.matches[0].match, entry.matches[0].printed_fits) == ("exact", True)
        assert first(f"{term.name}: {term.text}", concise).match == "exact"


MOVED = [
    stood("300.1", STONE, 2001, 2005, "9.9"),
    stood("301.1", STONE, 2006, 2010, "9.9"),
    stood("9.9", STONE, 2011, 2026, "9.9"),
]


def test_a_wording_under_several_numbers_is_one_match():
    (result,) = identify(STONE, MOVED)
    (match,) = result.matches
    assert (match.id, match.release) == ("9.9", "2026-01-01")
    assert (match.since, match.until, match.now[0]) == ("2001-01-01", None, "9.9")


def test_the_printed_number_chooses_the_name():
    match = first(f"301.1. {STONE}", MOVED)
    assert (match.id, match.release, match.printed_fits) == ("301.1", "2010-01-01", True)
    assert (match.since, match.until, match.now[0]) == ("2001-01-01", None, "9.9")


def test_two_rules_of_the_same_words_are_two_matches():
    both = [stood("300.1", STONE, 2001, 2026, "300.1"), stood("400.2", STONE, 2002, 2026, "400.2")]
    (result,) = identify(STONE, both)
    assert {match.id for match in result.matches} == {"300.1", "400.2"}
    (result,) = identify(f"400.2. {STONE}", both)
    assert [match.id for match in result.matches] == ["400.2"], "the number decides"


def test_what_is_gone_is_one_rule_if_it_stood_one_number_after_another():
    gone = [
        stood("300.1", STONE, 2001, 2005),
        stood("301.1", STONE, 2006, 2010),
        stood("400.7", STONE, 2003, 2007),
    ]
    (result,) = identify(STONE, gone)
    assert [(m.id, m.since, m.until, m.now) for m in result.matches] == [
        ("301.1", "2001-01-01", "2010-01-01", None),
        ("400.7", "2003-01-01", "2007-01-01", None),
    ]


def test_an_identity_tells_rules_apart_where_it_is_known():
    gone = [
        stood("300.1", STONE, 2001, 2005, identity="a"),
        stood("301.1", STONE, 2006, 2010, identity="b"),
    ]
    assert len(identify(STONE, gone)[0].matches) == 2


def test_a_ruling_of_many_cards_goes_first_to_the_card_that_the_page_is_on():
    cards = ["Ash Crag", "Birch Crag", "Cedar Crag"]
    known = [
        Known("ruling", f"{card}, 2020-01-01", "2020-01-01", "2020-01-01", None, text)
        for card in cards
        for text in (STONE, *([OTHER] if card == "Birch Crag" else []))
    ]
    shown = [result.matches[0].id for result in identify(f"{STONE}\n\n{OTHER}", known)]
    assert shown == ["Birch Crag, 2020-01-01"] * 2


@pytest.mark.parametrize(
    ("page", "release"),
    [
        (STONE, "2026-01-01"),
        (f"{STONE}\n\n{OTHER}", "2012-01-01"),
        (f"300.1. {STONE}\n\n{OTHER}", "2010-01-01"),
        (f"Rules as of May 1, 2005\n\n{STONE}\n\n{OTHER}", "2005-05-01"),
        (f"The rules of 2004-01-01:\n\n{STONE}\n\n{OTHER}", "2004-01-01"),
        (f"The rules of 1999-01-01:\n\n{STONE}\n\n{OTHER}", "2012-01-01"),
        (f"Posted on May 1, 2005\n\n{STONE}\n\n{OTHER}", "2012-01-01"),
        ("Nothing is quoted here.", None),
        ("", None),
    ],
)
def test_the_release_that_a_page_quotes(page, release):
    assert page_release(identify(page, RELEASED)) == release


def test_a_date_that_is_no_releases_counts_for_nothing():
    results = identify(f"Rules as of May 1, 2005\n\n{STONE}\n\n{OTHER}", RELEASED)
    assert page_release(results, ["2005-02-01", "2012-01-01"]) == "2012-01-01"
    assert page_release(results, ["2005-05-01-b"]) == "2005-05-01-b"
