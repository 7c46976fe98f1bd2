"""What a release's rules are about: the forms of sentences, and the concepts of a small text."""

from __future__ import annotations

import pytest
from tools import rulebook

from kb.cards.card_names import names_in
from kb.cards.concept_forms import about, adds_mana
from kb.cards.concepts import concepts_of
from kb.knowledge import read_release
from kb.source import decode

FORMS = [
    ("Some drums have the subtype “Pebble.” They are small.", "subtypes", ("pebble",)),
    ('Some drums have the subtype "Pebble."', "subtypes", ("pebble",)),
    ("All currently existing drums have the subtype Pebble. They", "subtypes", ("pebble",)),
    ("A drum that loses the subtype “Pebble” is none.", "subtypes", ()),
    ("Some drums have the subtype Pebble and a level.", "subtypes", ()),
    ("Any drum with the supertype “old” is old.", "supertypes", (("old", "drum"),)),
    (
        "A drum is an old drum if it has the supertype “old.”",
        "supertypes",
        (("old", "drum"),),
    ),
    ("The text box of a Pebble card contains two marks.", "card_kinds", ("pebble",)),
    (
        "Each activated ability of a pebble has a drum symbol in its cost.",
        "card_kinds",
        ("pebble",),
    ),
    ("The drum symbol is {K}. The drum symbol in a cost", "symbols", ("{K}",)),
    ("A split symbol such as {K/L} is both; so is {M}.", "symbols", ("{K/L}",)),
    ("The drum symbols are {K}, {L}, and {M}.", "symbols", ("{K}", "{L}", "{M}")),
    ("The drum {K} is no symbol.", "symbols", ()),
    ("One or more moss counters on a drum make it green.", "counters", ("moss",)),
    ("A +X/+Y counter adds; so it is. Similarly, -X/-Y counters", "counters", ("+x/+y", "-x/-y")),
    ("If a player has ten or more moss counters, they lose.", "counters", ("moss",)),
    ("They have moss counters.", "counters", ()),
]


@pytest.mark.parametrize(("text", "part", "found"), FORMS)
def test_a_sentence_says_what_its_rule_is_about(text, part, found):
    assert getattr(about(text), part) == found


WORDINGS = [
    ("If an effect says that a player can’t lift drums, they don’t.", "can't _ lift _ drum"),
    ("If a rule or effect states that a drum sings, it sings.", "drum _ sing"),
    ("Some cards (two of them) allow a player to lift a drum. They", "lift _ drum"),
    ("If a cost or effect allows a player to lift an amount of drum, they may.", "lift _ drum"),
    ("Some effects can give a player new drums. They do so now.", "new ~ drum"),
    ("A player can normally lift one drum; however, effects may", "lift _ drum"),
    ("A player may lift drums only if they are strong.", "lift _ drum"),
    ("If multiple new drums are created after that, all are.", "new ~ drum"),
    ("If the effect is broken into drums, so be it.", "broken _ into _ drum"),
    ("Drums “lifted with [this object]” are heavy.", "lift with @"),
    ("An ability that reads “Whenever [a drum] sings, . . .” triggers.", "whenever * sing"),
]


@pytest.mark.parametrize(("text", "wording"), WORDINGS)
def test_a_rule_tells_how_cards_are_worded(text, wording):
    assert wording in [" ".join(one.parts) for one in about(text).wordings]


def test_one_of_two_verbs_is_a_wording_each():
    clause = "If the spell requires the player to lift or carry a thing (as drums) among two hands,"
    found = [" ".join(one.parts) for one in about(clause).wordings]
    assert found == ["lift _ among _ hand", "carri _ among _ hand"]


def test_a_clause_that_a_quotation_goes_on_with_is_no_wording():
    text = "If an effect allows a player to lift drums “as though they were feathers,” they may."
    assert [one.is_quoted for one in about(text).wordings] == [True]


@pytest.mark.parametrize("text", ["They lift drums.", "If a player lifts drums, they sing.", ""])
def test_other_sentences_tell_no_wording(text):
    assert about(text).wordings == ()


def test_what_a_wording_makes_of_an_effect_is_its_class():
    (one, *_) = about("Effects that use the word “rather” are changing effects.").wordings
    assert (one.parts, one.class_name) == (("rather",), "changing effects")


@pytest.mark.parametrize(
    ("effect", "adds"),
    [
        ("Add {G}.", True),
        ("Add one mana of any color.", True),
        ("You gain 1 life. Add {C}.", True),
        ("Add a lore counter to it.", False),
        ("Draw a card.", False),
        ("", False),
    ],
)
def test_an_effect_adds_mana(effect, adds):
    assert adds_mana(effect) == adds


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("One card (Gray Pebble) sings.", {"gray pebble"}),
        ("Only here Pebble sings.", {"pebble"}),
        ("Pebble sings.", set()),
        ("The Gray Pebble’s voice", {"gray pebble", "the gray pebble"}),
        ("It copies Song of the Drums and Pebble.", {"song of the drums", "pebble"}),
        ("It copies Gray // Pebble twice.", {"gray", "pebble", "gray // pebble"}),
        ("See rule 100.1, “Gray Pebbles.”", set()),
        ("They sing.", set()),
    ],
)
def test_names_of_cards_in_a_text(text, names):
    assert names_in(text) >= names
    assert {name for name in names_in(text) if " and " not in name} <= names


RULES = """\
100. General
100.1. A game has drums.
101. Drums
101.1. A drum is heavy. If an effect says that a player can’t lift drums, nothing is lifted.
102. Numbers and Symbols
102.1. The drum symbol is {K}.
103. Singing Loudly
103.1. Some pebbles sing.
103.2. Some pebbles sing twice.
104. Keyword Abilities
104.1. Hum
104.1a Hum is loud.
105. Humming Together
105.1. Pebbles that hum do so together. See rule 104.1, “Hum.”"""
GLOSSARY = """\
Hum
A keyword ability that is loud. See rule 104.1, “Hum.”

Lift the Bell
To ring it. See rule 103.2.

Loud Song
A song that all hear. See rule 101, “Drums,” and rule 103, “Singing Loudly.”

Old Song
See Loud Song.

Pebble
A drum subtype. See rule 101, “Drums.”"""


@pytest.fixture(scope="module")
def book():
    text = rulebook(RULES, glossary=GLOSSARY)
    return concepts_of(read_release(decode(text.encode(), "small.txt")).rulebook)


@pytest.fixture(scope="module")
def rules(book):
    return {concept.key: concept.rules for concept in book.concepts}


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        ("keyword:hum", ("104.1", "105")),  # its heading, and the chapter that points to it
        ("symbol:{K}", ("102.1",)),
        ("type:drums", ("101",)),
        ("type:pebble", ("101",)),
        ("term:loud song", ("103",)),  # the chapter whose title is akin, not the first
        ("term:lift the bell", ("103.2",)),
        ("wording:can't _ lift _ drum", ("101",)),  # the first rule tells what a chapter is about
    ],
)
def test_a_concept_is_governed_by_the_rule_that_the_text_names(rules, key, numbers):
    assert rules[key] == numbers


def test_a_name_in_another_form_is_the_same_concept(book):
    assert book.key("type", "Drum") == "type:drums"
    assert book.key("term", "loud songs") == "term:loud song"
    assert book.key("term", "quiet song") is None


def test_a_verb_and_its_object_are_an_act(book):
    act = book.acts["term:lift the bell"]
    assert (act.verb, act.thing, act.is_only) == ("lift", ("bell",), False)


def test_every_rule_of_a_concept_is_one_of_the_release(concise_reading):
    there = {str(rule.number) for rule in concise_reading.rulebook.rules}
    found = concepts_of(concise_reading.rulebook)
    assert {number for concept in found.concepts for number in concept.rules} <= there
    assert len({concept.key for concept in found.concepts}) == len(found.concepts)
