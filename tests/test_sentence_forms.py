"""Sentences and the facts that they state."""

from __future__ import annotations

import pytest

from kb.records import Paragraph, Rule, RuleNumber, Sense, Span, Term
from kb.statements import Lexicon, read_rule_statements, read_term_statements, sentences

LEXICON = Lexicon(
    {"exile": "Exile", "mana cost": "Mana Cost", "aura": "Aura", "instant": "Instant"}
    | {"commander": "Commander", "typecycling": "Typecycling", "umbra armor": "Umbra Armor"},
    {"limited range of influence option": "801"},
)


def paragraph(text):
    """Return a paragraph that stands at a text's start."""
    return Paragraph(text, Span(0, len(text)))


def rule(text, number="100.1"):
    """Return a rule of one paragraph."""
    return Rule(RuleNumber.parse(number), (paragraph(text),))


def term(text, name="Bury", *, obsolete=True):
    """Return a glossary entry of one sense."""
    return Term(paragraph(name), name, (Sense(None, (paragraph(text),), obsolete),), (), obsolete)


EXCEPTIONS = [
    ("This is an exception to rule 400.7.", [("exception", "100.1", "400.7")]),
    ("This is an exception to 608.2h.", [("exception", "100.1", "608.2h")]),
    (
        "This is an exception to rules 611.3a–b.",
        [("exception", "100.1", "611.3a"), ("exception", "100.1", "611.3b")],
    ),
    (
        "Stickers stay; this is an exception to rule 400.7 that is told by rule 123.",
        [("exception", "100.1", "400.7")],
    ),
    ("This rule has the following exceptions.", [("exception-list", "100.1", "100.1")]),
    ("There are six exceptions to this rule:", [("exception-list", "100.1", "100.1")]),
    ("The list of exceptions is as follows:", [("exception-list", "100.1", "100.1")]),
    (
        "Follow the usual way (see rule 602.2), with the following exceptions:",
        [("exception", "100.1", "602.2"), ("exception-list", "100.1", "602.2")],
    ),
    (
        "Nothing moves, except as specified in rules 729.2a–b.",
        [("exception", "729.2a", "100.1"), ("exception", "729.2b", "100.1")],
    ),
    (
        "The only exception is that a player may stop (see rule 104.3a).",
        [("exception", "104.3a", "100.1")],
    ),
    ("Ignore this rule for some (see rule 702.10).", [("exception", "702.10", "100.1")]),
    (
        "It may be exempt from this rule; see rules 903.9b–c.",
        [("exception", "903.9b", "100.1"), ("exception", "903.9c", "100.1")],
    ),
    (
        "Planes are exempt from the limited range of influence option.",
        [("exception", "100.1", "801")],
    ),
    ("The exceptions are the untap step and the cleanup step.", []),
    ("An exceptional rule cites rule 100.2.", []),
]


@pytest.mark.parametrize(("text", "expected"), EXCEPTIONS)
def test_exceptions_are_read_by_their_form(text, expected):
    found = read_rule_statements(rule(text), LEXICON)
    of_references = [s for s in found if s.kind.startswith("exception")]
    assert [(s.kind, s.subject, s.value) for s in of_references] == expected


CARDS = [
    ("One card (Ruined Tower) does so.", "Ruined Tower"),
    ("One card, Ruined Tower, does so.", "Ruined Tower"),
    ("One Aura (Silver Net) does so.", "Silver Net"),
    ("Elsewhere, only one card (Ruined Tower) refers to it.", "Ruined Tower"),
    ("One card may be drawn.", None),
    ("Two cards (This and That) do so.", None),
    ("The one card (in hand) is revealed.", None),
]


@pytest.mark.parametrize(("text", "card"), CARDS)
def test_a_rule_for_one_card_names_it(text, card):
    found = [s.value for s in read_rule_statements(rule(text), LEXICON) if s.kind == "single-card"]
    assert found == ([card] if card else [])


REPLACEMENTS = [
    ("Set [it] aside is an old phrase. See Exile.", "Exile"),
    ("Such cards have errata to say “controller.”", "controller"),
    ("Such cards have errata to use the term “put” instead.", "put"),
    ("It has errata to read, “Exile [it]. It stays,” or “Go.”", "Exile"),
    ("An obsolete term for mana cost.", "mana cost"),
    ("An obsolete term for an Aura.", "Aura"),
    ("An obsolete term for a non-Aura enchantment.", None),
    ("An older name for the Commander casual variant.", "Commander"),
    ("All cards printed with this card type are now instants.", "Instant"),
    ("It has been renamed. See rule 702.89, “Umbra Armor.”", "Umbra Armor"),
    ("A term that meant “can’t be blocked.”", "can’t be blocked"),
    ("It meant “This creature can’t attack” and more.", None),
    ("That rule no longer exists.", None),
]


@pytest.mark.parametrize(("text", "replacement"), REPLACEMENTS)
def test_an_obsolete_term_is_replaced_by_what_its_entry_says(text, replacement):
    found = read_term_statements(term(text), LEXICON)
    assert [s.value for s in found] == ([replacement] if replacement else [])


def test_an_entry_that_only_points_elsewhere_is_an_alias():
    (found,) = read_term_statements(term("See Typecycling.", obsolete=False), LEXICON)
    assert (found.kind, found.subject, found.value) == ("alias", "Bury", "Typecycling")


def test_an_entry_that_says_more_is_no_alias():
    text = "A thing of its own. See Typecycling."
    assert read_term_statements(term(text, obsolete=False), LEXICON) == ()


def test_an_entry_says_what_kind_of_thing_its_term_is():
    text = "A supertype that few cards have. See rule 205."
    (found,) = read_term_statements(term(text, obsolete=False), LEXICON)
    assert (found.kind, found.value) == ("kind", "supertype")


SENTENCES = [
    ("One. Two.", ["One.", "Two."]),
    ("It reads “Go. Stay,” and ends. Next.", ["It reads “Go. Stay,” and ends.", "Next."]),
    ("He says “Go.” Then he goes.", ["He says “Go.”", "Then he goes."]),
    ("So it is. (See rule 100.) And so on.", ["So it is.", "(See rule 100.)", "And so on."]),
    ("Coins, dice, etc. Nothing else.", ["Coins, dice, etc. Nothing else."]),
    ("A line\nand another", ["A line", "and another"]),
    ("{T}: Tap. {Q}: Untap.", ["{T}: Tap.", "{Q}: Untap."]),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_a_text_is_cut_at_its_sentences(text, expected):
    assert [span.of(text) for span in sentences(text)] == expected


def test_every_statement_of_the_concise_edition_quotes_its_sentence(concise_reading):
    book = concise_reading.rulebook
    texts = {str(r.number): r.text for r in book.rules}
    texts |= {t.name: t.text for t in book.terms}
    own = [s for place, s in concise_reading.statements if place.kind == "rule"]
    assert len(own) >= 40
    for place, statement in concise_reading.statements:
        text = texts.get(place.name) or texts[statement.subject]
        assert statement.span.of(text) == statement.quote


def test_the_lexicon_is_the_release_s_own(concise_reading):
    lexicon = Lexicon.of(concise_reading.rulebook)
    assert lexicon.term("Auras") == "Aura"
    assert lexicon.leading_term("the battlefield zone") == ("battlefield", "Battlefield")
    assert lexicon.term("no such term") is None
