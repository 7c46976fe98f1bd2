"""What is no keyword and no action in an oracle text, and what is one in an unusual place."""

from __future__ import annotations

import pytest
from tools import rulebook

from kb.cards.oracle import KeywordLexicon, keywords_in, read_abilities
from kb.rulebook import read_rulebook
from kb.source import decode

RULES = """\
100. Card Text
100.1. An ability word stands in italics. The ability words are far song and near song.
101. Keyword Actions
101.1. Some verbs have meanings of their own.
101.2. Juggle
101.2a To juggle a card is to throw it.
101.3. Mark
101.3a To mark a spell is to undo it.
101.4. Wrap
101.4a To wrap a card is to hide it.
102. Keyword Abilities
102.1. Some abilities have a name.
102.2. Glide
102.2a Glide is a static ability.
102.3. Chime
102.3a Chime is a static ability.
102.4. Polish
102.4a “Polish [cost]” means “[Cost]: Make this permanent shine.”
102.5. Wrap Strike
102.5a Wrap strike is a static ability."""
GLOSSARY = """\
Mark Step
A part of the turn in which nothing is marked. See rule 101.3.

Juggled Price (Obsolete)
What a card cost once. See rule 101.2."""


@pytest.fixture(scope="module")
def lexicon():
    text = rulebook(RULES, glossary=GLOSSARY)
    return KeywordLexicon.of(read_rulebook(decode(text.encode(), "own.txt"))[0])


def names(text, lexicon):
    return keywords_in(read_abilities(text, ("Creature",), lexicon))


NOUNS = [
    "Put a +1/+1 mark on target creature.",
    "Put two +1/+1 marks on it.",
    "Put a song mark on it.",
    "Remove three song marks from it: Draw a card.",
    "Draw a card for each song mark removed this way.",
    "Whenever that player gets ten song marks, draw a card.",
    "The number of song marks is 3.",
    "Return a card from the wrap.",
]


@pytest.mark.parametrize("text", NOUNS)
def test_a_noun_that_is_spelt_like_an_action_is_no_action(text, lexicon):
    assert names(text, lexicon) == ()


VERBS = [
    "Mark target spell.",
    "You may mark it.",
    "When this enters, mark up to one target spell.",
    "Target player marks a card.",
    "A creature you control marks each spell.",
    "If a spell would be cast, mark it.",
    "Choose two creatures. Each of those creatures marks a spell.",
    "A player marks.",
    "Each of two creatures you control may mark a spell.",
]


@pytest.mark.parametrize("text", VERBS)
def test_a_verb_is_an_action_wherever_it_stands(text, lexicon):
    assert names(text, lexicon) == ("mark",)


def test_glossary_entries_that_have_a_verb_in_them_are_terms_of_the_lexicon(lexicon):
    assert lexicon.terms == {"mark step", "juggled price"}


@pytest.mark.parametrize(
    "text",
    [
        "Target creature gains wrap strike until end of turn.",
        "Creatures you control with glide have wrap strike.",
        "You gain life equal to its juggled price.",
        "Players skip mark steps.",
    ],
)
def test_a_longer_name_is_not_the_action_in_it(text, lexicon):
    assert names(text, lexicon) == ()


def test_the_words_of_a_mode_s_or_an_ability_s_name_are_no_action(lexicon):
    assert names("• Juggle the Moon — Draw a card.", lexicon) == ()
    assert names("Wrap the Dead — Whenever you sing, mark a spell.", lexicon) == ("mark",)


def test_a_sentence_before_a_dash_is_no_name(lexicon):
    (ability,) = read_abilities("Each opponent juggles two cats — Draw a card.", (), lexicon)
    assert [use.name for use in ability.keywords] == ["juggle"]
    assert ability.word is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Polish—Juggle a cat. (Shine it.)", ("polish", "juggle")),
        ("Polish—{2}, Mark a spell.", ("polish", "mark")),
        ("Polish—Put a song mark on a cat you control.", ("polish",)),
        ("Polish—Glide", ("polish", "glide")),
        ("Polish {2}", ("polish",)),
    ],
)
def test_what_a_keyword_s_cost_names_is_used_too(text, found, lexicon):
    (ability,) = read_abilities(text, ("Creature",), lexicon)
    assert ability.kind == "keywords"
    assert tuple(use.name for use in ability.keywords) == found


def test_a_capital_behind_a_comma_begins_a_name_and_no_keyword(lexicon):
    (ability,) = read_abilities("Polish Anna, Glide of Dawn", ("Creature",), lexicon)
    assert [(use.name, use.parameter) for use in ability.keywords] == [
        ("polish", "Anna, Glide of Dawn")
    ]


def test_a_capital_behind_a_keyword_begins_a_name_and_no_action(lexicon):
    assert names("Glide Juggle sings a song.", lexicon) == ()


def test_what_is_gained_at_a_number_of_counters_is_not_had_but_at_a_level_it_is(lexicon):
    abilities = read_abilities("Glide\n3+ | Draw a card.\n8+ | Chime", ("Artifact",), lexicon)
    assert [use.name for use in abilities[2].keywords] == ["chime"]
    assert keywords_in(abilities) == ("glide",)
    assert names("LEVEL 1-4\n2/2\nGlide\nLEVEL 5+\n4/4\nChime", lexicon) == ("glide", "chime")
    assert names("5+ | Whenever you sing, mark a spell.", lexicon) == ("mark",)
