"""Statements: the facts that sentence forms carry, and the sentences that they are read off."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.citations import find_citations
from kb.records import Paragraph, Rule, RuleNumber, Sense, Span, Term
from kb.statements import Lexicon, folded, read_rule_statements, read_term_statements, sentences

TERMS = ["Basket", "Owner", "Put", "Pebble", "Heap Value", "Shelf", "Ability", "Grand Game"]
LEXICON = Lexicon(
    {folded(name): name for name in TERMS}, {"pebble rule": "704", "players’ shelves": "705"}
)


def rule(text, number="400.7"):
    return Rule(RuleNumber.parse(number), (Paragraph(text, Span(0, len(text))),))


def term(text, *, obsolete=False):
    paragraphs = tuple(Paragraph(line, Span(0, len(line))) for line in text.split("\n"))
    sense = Sense(None, paragraphs, obsolete)
    return Term(Paragraph("Heap", Span(0, 4)), "Heap", (sense,), (), obsolete)


# The families that these tables are about; a sentence may state other things as well.
OF_REFERENCES = {"exception", "exception-list", "single-card"}
OF_TERMS = {"replaced-by", "alias", "kind"}


def facts(statements):
    kinds = OF_REFERENCES | OF_TERMS
    return [(s.kind, s.subject, s.value) for s in statements if s.kind in kinds]


EXCEPTIONS = [
    # this rule is an exception to what is named
    ("This is an exception to rule 101.1.", [("400.7", "101.1")]),
    (
        "This is an exception to rules 101.1 and 101.2a–b.",
        [("400.7", "101.1"), ("400.7", "101.2a"), ("400.7", "101.2b")],
    ),
    (
        "This is an exception to rule 103.1 that no one may use (see rule 104).",
        [("400.7", "103.1")],
    ),
    ("White pebbles are exempt from that rule (see rule 704.6e).", [("400.7", "704.6e")]),
    ("White pebbles are exempt from the pebble rule.", [("400.7", "704")]),
    # what is named is an exception to this rule
    (
        "It stays, except as specified in rules 729.2a–c.",
        [("729.2a", "400.7"), ("729.2b", "400.7"), ("729.2c", "400.7")],
    ),
    ("It stays, except as described in rule 101.2.", [("101.2", "400.7")]),
    ("It stays, except for the cases listed in rule 101.2.", [("101.2", "400.7")]),
    ("The only exception is that a player may leave (see rule 104.3a).", [("104.3a", "400.7")]),
    ("It stays, with the exception that one may leave (see rule 104.3).", [("104.3", "400.7")]),
    ("Ignore this rule for a pebble in a basket (see rule 702.10).", [("702.10", "400.7")]),
    (
        "A heap may be exempt from this rule; see rules 903.9b–c.",
        [("903.9b", "400.7"), ("903.9c", "400.7")],
    ),
]
LISTS = [
    "This rule has the following exceptions.",
    "This rule is subject to the following exception:",
    "The list of exceptions is as follows.",
    "The exceptions are as follows:",
    "There are several exceptions to this rule.",
    "There are three exceptions to this rule:",
    "A pebble is moved once, with two exceptions:",
    "A pebble is moved once, with the following exceptions:",
]
ONE_CARD = [
    ("One card (Old Pebble) allows a second game.", "Old Pebble"),
    ("Outside of this chapter, only one card (Old Pebble) refers to it.", "Old Pebble"),
    ("Beside it, only one artifact (The Basket of Ann) does this.", "The Basket of Ann"),
]
REPLACEMENTS = [
    ("See Basket.", "Basket"),
    ("An old word for all pebbles. See Basket.", "Basket"),
    ("Cards with this word have errata to say “owner.”", "Owner"),
    ("Cards with it have received errata to use the term “put” instead.", "Put"),
    ("Cards were changed to refer to a “pebble.”", "Pebble"),
    ("Cards with this word have errata to say “turn around.”", "turn around"),
    ("An obsolete term for heap value.", "heap value"),
    ("An older name for the Grand Game variant.", "Grand Game"),
    ("A former word for pebbles. It is gone.", "pebbles"),
    ("All cards printed with this type are now pebbles.", "Pebble"),
    ("A thing that has been renamed. See rule 702.89, “Shelf.”", "Shelf"),
    ("A thing that has been renamed. See rule 702.89, “Odd Words.”", "Odd Words"),
    ("A term that meant “can’t be moved.”", "can’t be moved"),
]
KINDS = [
    ("A zone where pebbles lie.", "zone"),
    ("A card type. Pebbles stay on the board.", "card type"),
    ("A supertype that is of note at the end.", "supertype"),
    ("A keyword ability that lets a pebble jump.", "keyword ability"),
    ("A keyword action, by which a pebble is turned.", "keyword action"),
]
STATES_NO_REFERENCE = [
    "A pebble is not an exception.",
    "There are exceptions.",
    "Players are exempt from nothing.",
    "The board says “This is an exception to rule 100.1.” to all.",
    "One card is enough.",
    "See rule 101.1.",
    "",
]


@pytest.mark.parametrize(("text", "pairs"), EXCEPTIONS)
def test_an_exception_is_read_with_what_it_is_an_exception_to(text, pairs):
    expected = [("exception", special, general) for special, general in pairs]
    assert facts(read_rule_statements(rule(text), LEXICON)) == expected


@pytest.mark.parametrize("text", LISTS)
def test_a_rule_that_announces_exceptions_heads_a_list_of_them(text):
    expected = [("exception-list", "400.7", "400.7")]
    assert facts(read_rule_statements(rule(text), LEXICON)) == expected


def test_a_list_of_exceptions_to_another_rule_is_also_an_exception_itself():
    text = "It is moved once (see rule 602.2), with the following exceptions:"
    assert facts(read_rule_statements(rule(text), LEXICON)) == [
        ("exception", "400.7", "602.2"),
        ("exception-list", "400.7", "602.2"),
    ]


@pytest.mark.parametrize(("text", "card"), ONE_CARD)
def test_a_rule_about_one_card_names_it(text, card):
    statements = read_rule_statements(rule(text), LEXICON)
    assert facts(statements) == [("single-card", "400.7", card)]


@pytest.mark.parametrize("text", STATES_NO_REFERENCE)
def test_a_sentence_without_a_form_states_no_reference(text):
    assert facts(read_rule_statements(rule(text), LEXICON)) == []


@pytest.mark.parametrize(("text", "value"), REPLACEMENTS)
def test_an_obsolete_term_is_replaced_by_what_its_entry_puts_in_its_place(text, value):
    statements = read_term_statements(term(text, obsolete=True), LEXICON)
    assert facts(statements) == [("replaced-by", "Heap", value)]


@pytest.mark.parametrize("text", ["A thing of old.", "A term that meant “Turn it.”", "See rule 1."])
def test_an_obsolete_term_whose_entry_names_no_other_has_no_replacement(text):
    assert read_term_statements(term(text, obsolete=True), LEXICON) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [("See Basket.", "Basket"), ("See Pebbles.", "Pebble"), ("See Odd Thing.", "Odd Thing")],
)
def test_an_entry_that_only_points_makes_its_term_an_alias(text, value):
    assert facts(read_term_statements(term(text), LEXICON)) == [("alias", "Heap", value)]


@pytest.mark.parametrize("text", ["A thing. See Basket.", "See rule 101.1.", "Pebbles in a heap."])
def test_an_entry_that_says_more_or_points_to_a_rule_makes_no_alias(text):
    assert read_term_statements(term(text), LEXICON) == ()


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_an_entry_that_begins_with_a_kind_says_what_its_term_is(text, kind):
    assert facts(read_term_statements(term(text), LEXICON)) == [("kind", "Heap", kind)]


@pytest.mark.parametrize("text", ["It is a zone.", "Pebbles lie there. A zone.", "A zonal thing."])
def test_a_kind_is_only_read_at_the_beginning_of_an_entry(text):
    assert read_term_statements(term(text), LEXICON) == ()


def test_a_statement_quotes_its_own_sentence_and_no_other():
    text = "It goes on.\nThis is an exception to rule 101.1 by design (see rule 102). So it ends."
    (statement,) = read_rule_statements(rule(text), LEXICON)
    assert statement.quote == "This is an exception to rule 101.1 by design (see rule 102)."
    assert statement.span.of(text) == statement.quote
    assert statement.cue == "is an exception to"


SENTENCES = [
    ("One. Two.", ["One.", "Two."]),
    ("One! Two? Three.", ["One!", "Two?", "Three."]),
    (" padded.  ", ["padded."]),
    ("", []),
    (" \n ", []),
    ("one\ntwo. Three", ["one", "two.", "Three"]),
    ("It is so: this way.", ["It is so: this way."]),
    ("Give rule 1. a name.", ["Give rule 1. a name."]),
    ("It costs 3. Pay it.", ["It costs 3.", "Pay it."]),
    ("{T}: Add {G}. {T}: Add {R}.", ["{T}: Add {G}.", "{T}: Add {R}."]),
    # a quotation is one with the sentence that it stands in
    ("It says “One. Two.” and goes. Three.", ["It says “One. Two.” and goes.", "Three."]),
    ("It says “One.” Then more.", ["It says “One.”", "Then more."]),
    ('A "one. Two" ends. Next.', ['A "one. Two" ends.', "Next."]),
    ("‘One.’ ‘Two.’", ["‘One.’", "‘Two.’"]),
    ("An open “one. Never closed. End.", ["An open “one. Never closed. End."]),
    # brackets
    ("It ends (see rule 1.) Then more.", ["It ends (see rule 1.)", "Then more."]),
    ("It ends. (See rule 1.) Then more.", ["It ends.", "(See rule 1.)", "Then more."]),
    ("It ends. [It does.] Then more.", ["It ends.", "[It does.]", "Then more."]),
    # abbreviations
    ("Things, e.g. Stones, count. More.", ["Things, e.g. Stones, count.", "More."]),
    ("Things, i.e. Stones, count.", ["Things, i.e. Stones, count."]),
    ("Ask Mr. Smith. He knows.", ["Ask Mr. Smith.", "He knows."]),
    ("It is Ann vs. Ben. Next.", ["It is Ann vs. Ben.", "Next."]),
    ("J. Smith wins. Two.", ["J. Smith wins.", "Two."]),
]


@pytest.mark.parametrize(("text", "parts"), SENTENCES)
def test_a_text_is_cut_into_its_sentences(text, parts):
    assert [span.of(text) for span in sentences(text)] == parts


PIECES = st.sampled_from(["One", "two", ". ", "! ", "\n", "“", "”", '"', "(", ") ", "e.g. ", " "])


@given(st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join)))
def test_sentences_leave_out_nothing_but_the_spaces_between_them(text):
    spans = sentences(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(span.of(text) == span.of(text).strip() != "" for span in spans)
    left_out = list(text)
    for span in spans:
        left_out[span.start : span.end] = " " * (span.end - span.start)
    assert not "".join(left_out).strip()


@given(st.text())
def test_a_lexicon_can_be_asked_for_any_phrase(phrase):
    leading = LEXICON.leading_term(phrase)
    assert LEXICON.term(phrase) in {None, *TERMS}
    assert leading is None or (leading[0] in " ".join(phrase.split()) and leading[1] in TERMS)
    assert all(0 <= start < end <= len(phrase) for start, end, _ in LEXICON.heading_spans(phrase))


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("basket", "Basket"),
        ("Baskets", "Basket"),
        ("ABILITIES", "Ability"),
        ("heap  value", "Heap Value"),
        ("shelf", "Shelf"),
        ("the basket", None),
        ("heap", None),
        ("", None),
    ],
)
def test_a_term_is_known_in_any_case_and_in_the_plural(phrase, name):
    assert LEXICON.term(phrase) == name


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("the heap value of it", ("heap value", "Heap Value")),
        ("a pebble", ("pebble", "Pebble")),
        ("“put” instead", ("put", "Put")),
        ("owners, and more", ("owners", "Owner")),
        ("of a pebble", None),
        ("", None),
    ],
)
def test_the_longest_term_that_begins_a_phrase_is_found(phrase, expected):
    assert LEXICON.leading_term(phrase) == expected


def test_the_lexicon_of_a_release_holds_its_terms_and_the_titles_of_its_chapters(concise_reading):
    book = concise_reading.rulebook
    lexicon = Lexicon.of(book)
    assert all(lexicon.term(term.name) for term in book.terms)
    assert {number for number in lexicon.titles.values() if len(number) == 3} <= {
        str(rule.number) for rule in book.rules if rule.number.kind == "chapter"
    }
    # one word is too common to be taken for a title
    assert all(" " in title for title in lexicon.titles)


def test_a_chapters_title_is_found_as_whole_words_only():
    text = "The Pebble Rule, and pebble rules."
    assert list(LEXICON.heading_spans(text)) == [(4, 15, "704")]
    assert list(Lexicon().heading_spans(text)) == []


def test_every_statement_of_the_concise_edition_quotes_the_text_to_the_letter(concise_reading):
    rules = {str(rule.number): rule.text for rule in concise_reading.rulebook.rules}
    entries = {term.text for term in concise_reading.rulebook.terms}
    assert len(concise_reading.statements) > 50
    for place, statement in concise_reading.statements:
        texts = [rules[place.name]] if place.kind == "rule" else entries
        assert any(statement.span.of(text) == statement.quote for text in texts)


def test_every_statement_of_the_concise_edition_stands_in_what_it_is_about(concise_reading):
    for place, statement in concise_reading.statements:
        cited = {n for c in find_citations(statement.quote) for n in c.numbers}
        if place.kind == "rule" and statement.kind == "exception":
            assert place.name in (statement.subject, statement.value)
            assert {statement.subject, statement.value} - {place.name} <= cited
        elif statement.kind == "single-card":
            assert statement.subject == place.name
            assert statement.value in statement.quote


@pytest.mark.parametrize(
    "kind", ["exception", "exception-list", "single-card", "alias", "replaced-by", "kind"]
)
def test_the_concise_edition_has_statements_of_each_kind(concise_reading, kind):
    assert any(statement.kind == kind for _, statement in concise_reading.statements)
