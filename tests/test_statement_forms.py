"""Every form of the grammar of sentences: what states a fact, what nearly does, and the quotes."""

from __future__ import annotations

import re
from functools import cache

import pytest
from form_cases import FORMS, TERMS, TITLES
from form_near_misses import NEAR, TERM_FORMS
from hypothesis import given
from hypothesis import strategies as st

from kb import resources
from kb.records import Paragraph, Rule, RuleNumber, Sense, Span, Term
from kb.statements import (
    Lexicon,
    folded,
    read_rule_statements,
    read_ruling_statements,
    read_term_statements,
    sentences,
)
from kb.statements.forms import FAMILIES
from kb.statements.phrases import names_in

LEXICON = Lexicon({folded(name): name for name in TERMS}, TITLES)
KINDS = {
    "exception": "exception exception-list",
    "single_card": "single-card",
    "enumeration": "member part may-be",
    "subtyping": "subtypes",
    "classification": "is-a is-not classifies",
    "announcement": "announces",
    "layer": "layer",
    "ability_kind": "ability-kind",
    "meaning": "meaning",
    "instances": "redundant separate",
    "timing": "at",
    "priority": "no-priority",
    "outcome": "outcome",
    "counter": "counter-kind",
    "change": "ends resets persists includes starts-with starts-without lasts-game becomes formed "
    "draws puts exempt assigned",
    "modal": "permission prohibition requirement",
    "definition": "called means",
    "stack": "no-stack",
    "look_back": "looks-back",
    "only": "only",
    "procedure": "follows",
    "variant": "variant",
    "replacement": "replaced-by",
    "kind": "kind",
    "alias": "alias",
}
"""The kinds of statements that each family of forms makes."""


def family(form):
    return form.partition(".")[0]


def paragraph(text):
    return Paragraph(text, Span(0, len(text)))


def rule(text):
    return Rule(RuleNumber.parse("100.1"), (paragraph(text),))


def term(text, *, obsolete):
    return Term(paragraph("Old"), "Old", (Sense(None, (paragraph(text),), obsolete),), (), obsolete)


def facts(text, form):
    """Return what a rule states of the kinds that a form's family makes."""
    kinds = KINDS[family(form)].split()
    found = read_rule_statements(rule(text), LEXICON)
    return [(s.kind, s.subject, s.value, s.scope) for s in found if s.kind in kinds]


def term_facts(text, form):
    found = read_term_statements(term(text, obsolete=family(form) == "replacement"), LEXICON)
    return [(s.kind, s.subject, s.value) for s in found if s.kind in KINDS[family(form)].split()]


def header_forms():
    """Return the forms that the grammar's header lists, by family and name."""
    found, within = [], ""
    for line in resources.text("grammar/statement.lark").splitlines():
        if match := re.match(r"//   (\w+)(?:\s|$)", line):
            within = match[1]
            found.append(within)
        elif match := re.match(r"//     ([\w-]+(?:, [\w-]+)?)(?:\s|$)", line):
            found = [form for form in found if form != within]
            found.append(f"{within}.{match[1]}")
    return found


def pairs(table):
    return [(form, text, expected) for form, rows in table.items() for text, expected in rows]


# ---------------------------------------------------------------- each form


@pytest.mark.parametrize(("form", "text", "expected"), pairs(FORMS))
def test_a_sentence_states_this_and_no_more(form, text, expected):
    assert facts(text, form) == expected


@pytest.mark.parametrize(("form", "text", "value"), pairs(TERM_FORMS))
def test_a_glossary_entry_states_this_and_no_more(form, text, value):
    assert term_facts(text, form) == [(KINDS[family(form)], "Old", value)]


@pytest.mark.parametrize("form", FORMS)
def test_a_sentence_that_nearly_has_the_form_states_nothing(form):
    assert facts(NEAR[form], form) == []


@pytest.mark.parametrize("form", TERM_FORMS)
def test_an_entry_that_nearly_has_the_form_states_nothing(form):
    assert term_facts(NEAR[form], form) == []


def test_every_form_of_the_header_has_two_sentences_and_a_near_miss():
    listed = [form for form in header_forms() if form != "noun_phrase"]
    assert listed == sorted(set(listed), key=listed.index)
    assert set(listed) == {*FORMS, *TERM_FORMS} == set(NEAR)
    assert all(len(rows) >= 2 for rows in (*FORMS.values(), *TERM_FORMS.values()))


def test_every_family_is_one_of_the_header():
    assert set(FAMILIES) == {family(form) for form in header_forms()}
    assert set(KINDS) == set(FAMILIES) - {"noun_phrase"}


def test_every_outcome_has_a_sentence():
    from kb.statements.states import _OUTCOMES

    seen = {value for _, rows in FORMS["outcome"] for _, _, value, _ in rows}
    assert seen == set(_OUTCOMES.values())


MORE_NEAR = [
    ("enumeration.list_of", "The moods are what a player of the game felt, and more."),
    ("classification.is_a", "A board is where baskets lie."),
    ("classification.is_a", "No token is a card."),
    ("classification.is_a", "Not every token is a card."),
    ("classification.is_a", "It goes there, provided that this is a hidden zone."),
    ("classification.is_a", "A token that is a card is moved."),
    ("announcement.there_are", "There are no odd moves."),
    ("timing", "It has no step."),
    ("counter", "It loses those counters, each counter and other counters."),
    ("change.ends", "The effect ends."),
    ("change.persists", "No counters carry over."),
    ("change.persists", "Nothing else remains."),
    ("change.starts-with", "No stone starts out white."),
    ("change.starts-without", "There is no king or queen."),
    ("change.becomes", "It becomes white."),
    ("change.becomes", "No player’s life total becomes 20."),
    ("outcome", "A player may win."),
]


@pytest.mark.parametrize(("form", "text"), MORE_NEAR)
def test_more_sentences_that_nearly_have_a_form_state_nothing(form, text):
    assert facts(text, form) == []


NO_COUNTERS = [
    "Those counters are gone.",
    "No counters are put there.",
    "If counters are gone, it stays.",
    "Nothing counters it.",
    "To counter it is odd.",
]


@pytest.mark.parametrize("text", NO_COUNTERS)
def test_not_every_word_before_a_counter_names_its_kind(text):
    assert facts(text, "counter") == []


PHRASES = [
    ("Each player’s life total", ("life total",)),
    ("any coins or rings they had", ("coin", "ring")),
    ("baskets and the owner", ("basket", "owner")),
    ("the number of times a player has moved their crown", ("crown moved count",)),
    ("the number of times that each crown was moved from here", ("crown moved count",)),
    ("the amount of heat dealt to each player by each stone", ("stone heat",)),
    # near-misses
    ("of the board", ()),
    ("who is there", ()),
    ("", ()),
]


@pytest.mark.parametrize(("phrase", "names"), PHRASES)
def test_a_noun_phrase_names_its_heads_in_the_singular(phrase, names):
    assert names_in(phrase, LEXICON) == names


def test_a_ruling_states_changes_only():
    text = "The coin count resets to 0. A player may look. Soaring is an evasion ability."
    found = read_ruling_statements(text, LEXICON)
    assert [(s.kind, s.subject, s.value) for s in found] == [("resets", "coin count", "0")]


def test_what_all_are_involved_in_includes_what_the_sentence_names_besides():
    text = "All stones, including borrowed stones, are involved in the new game."
    found = {(kind, subject) for kind, subject, _, _ in facts(text, "change")}
    assert found == {("persists", "stone"), ("includes", "borrowed stone")}


# ---------------------------------------------------------------- any sentence


@cache
def cue_words():
    """Return the words of all sentences of the tables: they are full of cues."""
    every = [text for rows in (*FORMS.values(), *TERM_FORMS.values()) for text, _ in rows]
    return sorted({word for text in every for word in text.split()})


WORDS = st.lists(
    st.one_of(st.sampled_from(cue_words()), st.text(min_size=1, max_size=6)), max_size=25
).map(" ".join)


@given(st.one_of(WORDS, st.text()))
def test_no_words_crash_and_every_statement_quotes_its_sentence(text):
    spans = {(span.start, span.end) for span in sentences(text)}
    for found in (read_rule_statements(rule(text), LEXICON), read_ruling_statements(text, LEXICON)):
        for statement in found:
            assert statement.span.of(text) == statement.quote
            assert (statement.span.start, statement.span.end) in spans
            assert statement.kind in " ".join(KINDS.values()).split()
            assert statement.subject


@given(WORDS, st.booleans())
def test_no_words_of_a_glossary_entry_crash(text, obsolete):
    entry = term(text, obsolete=obsolete)
    for statement in read_term_statements(entry, LEXICON):
        assert statement.span.of(entry.text) == statement.quote
        assert statement.value


@given(WORDS)
def test_words_behind_a_sentence_do_not_change_what_it_states(text):
    first = read_rule_statements(rule("Ownership doesn’t change."), LEXICON)
    both = read_rule_statements(rule(f"Ownership doesn’t change. Then {text}"), LEXICON)
    assert both[: len(first)] == first


# ---------------------------------------------------------------- the concise edition


def test_every_quote_of_the_concise_edition_is_the_sentence_at_its_span(concise_reading):
    book = concise_reading.rulebook
    rules = {str(r.number): r.text for r in book.rules}
    entries = {t.text for t in book.terms}
    cut = {
        text: {(s.start, s.end) for s in sentences(text)} for text in {*rules.values(), *entries}
    }
    for place, statement in concise_reading.statements:
        texts = {rules[place.name]} if place.kind == "rule" else entries
        span = (statement.span.start, statement.span.end)
        own = [t for t in texts if statement.span.of(t) == statement.quote and span in cut[t]]
        assert own, statement


def test_every_subject_of_the_concise_edition_is_its_rule_or_stands_in_the_sentence(
    concise_reading,
):
    about_itself = {"at", "outcome", "counter-kind", "no-priority", "announces", "layer", "meaning"}
    about_itself |= {"ability-kind", "redundant", "separate", "no-stack", "looks-back", "variant"}
    for place, statement in concise_reading.statements:
        if statement.kind in about_itself | {"only", "follows", "single-card", "classifies"}:
            assert statement.subject == place.name
        if statement.kind in ("permission", "prohibition", "requirement", "called", "means"):
            assert statement.subject in statement.quote
            assert statement.value.rstrip(".") in statement.quote
