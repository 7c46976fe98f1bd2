"""Which rulings explain or apply a concept: sentences of our own, the concise edition's rulings."""

from __future__ import annotations

import json

import pytest
from tools import rulebook, written

from kb import resources
from kb.cards.rulings_text import Act, acts, is_told, tells
from kb.cards.spoken_words import spoken_words
from kb.cards.wordforms import Words, stems
from kb.errors import NotFoundError
from kb.knowledge import KnowledgeBase, build

TOLD = [
    ("Songs don't stop players from leaving.", True),
    ("It doesn't give the land a song.", True),
    ("No player gets a song.", True),
    ("The game starts with no song.", True),
    ("Add costs, such as a fee or the song, at once.", True),
    ("You lose for other reasons, including hearing ten or more songs or going away.", True),
    ("If it becomes song, they dance, and night falls.", True),
    ("This isn't a song.", False),
    ("This can't be a song.", False),
    ("This isn't a loud song. It is long.", False),
    ("A cry is not considered a song, so it's free.", False),
    ("Dancing is not the same as song.", False),
    ("No other cards, tokens, songs, or anything else are kept.", False),
    ("It has no name, song, or color.", False),
    ("Plays, dances, and songs are art.", True),  # what is said of all is said of each
    ("It has flutes, drums, or songs.", False),
    ("It isn't a cry; the song goes on.", True),
]


@pytest.mark.parametrize(("text", "told"), TOLD)
def test_what_is_denied_or_only_listed_is_not_told_of(text, told):
    some = Words(text)
    at = some.stems.index("song")
    assert is_told(some, at, at) == told


RING = Act("ring", ("bell",))
ONLY_RING = Act("ring", ("bell",), is_only=True)
DONE = [
    ("To ring the bell, pull the rope.", True, True),
    ("The player who rings a bell wins.", True, True),
    ("If the bell is ringed by hand, it stops.", True, True),
    ("A bell that was ringed sounds.", True, True),
    ("A player who leaves the bell before it was ringed is out.", True, True),
    ("The ringed bell is loud.", True, True),
    ("Ring the alarm, then go to the bell.", False, False),
    ("While ringing the alarm, nobody moves.", False, False),
    ("The bell is loud.", False, False),
    ("This isn't a bell ring.", False, False),
    ("Ringing ends the lesson.", False, True),
]


@pytest.mark.parametrize(("text", "done", "done_if_only"), DONE)
def test_a_verb_is_done_to_its_thing(text, done, done_if_only):
    assert acts(Words(text), RING) == done
    assert acts(Words(text), ONLY_RING) == done_if_only


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("Commander damage is counted.", "commander damages", True),
        ("Damage by a commander is counted.", "commander damage", False),
        ("It isn't a commander damage.", "commander damage", False),
        ("Nothing.", "", True),
    ],
)
def test_words_one_behind_the_other(text, words, said):
    assert tells(text, stems(words)) == said


def test_what_is_said_for_a_term_is_other_words():
    assert spoken_words()
    assert all(stems(term) != stems(said) for term, said in spoken_words())
    assert len(set(spoken_words())) == len(spoken_words())


@pytest.fixture(scope="module")
def concise_cards(tmp_path_factory):
    """A knowledge base of the concise edition with its cards."""
    folder = tmp_path_factory.mktemp("concise-rulings") / "kb"
    files = [resources.path(f"rules/concise-{what}.json") for what in ("cards", "rulings")]
    build([resources.path("rules/concise-edition.txt")], folder, cards=files)
    kb = KnowledgeBase.open(folder)
    yield kb
    kb.close()


def cards(kb, term):
    return {row["card"] for row in kb.ask("rulings-on", {"term": term}).rows}


@pytest.mark.parametrize(
    ("term", "on", "not_on"),
    [
        ("restart", {"Karn Liberated", "Serra Avenger"}, {"Shahrazad"}),
        ("Restarting the game", {"Karn Liberated", "Serra Avenger"}, {"Shahrazad"}),
        ("subgame", {"Shahrazad"}, {"Karn Liberated"}),
        ("legend rule", {"Mirror Gallery"}, {"Karn Liberated"}),
        ("mana abilities", {"Drain Power", "Reflecting Pool"}, {"Wastes"}),
        ("converted mana cost", {"Fire // Ice"}, {"Karn Liberated"}),
        ("Phasing", {"Teferi's Protection"}, {"Karn Liberated"}),
        ("commander", {"Karn Liberated", "Tymna the Weaver"}, {"Shahrazad"}),
        ("opposing graveyards", set(), {"Karn Liberated"}),
    ],
)
def test_cards_whose_rulings_speak_of_a_term(concise_cards, term, on, not_on):
    try:
        found = cards(concise_cards, term)
    except NotFoundError:
        found = set()
    assert on <= found
    assert not not_on & found


def test_each_row_has_the_ruling_that_says_so(concise_cards):
    for row in concise_cards.ask("rulings-on", {"term": "restart"}).rows:
        assert "restart" in row["text"].lower()
        ruled = concise_cards.ask("rulings", {"card": row["card"]}).rows
        assert (row["date"], row["text"]) in {(each["date"], each["text"]) for each in ruled}


RULES = """\
100. General
100.1. A game has drums, and players beat them.
101. Dawn and Dusk
101.1. It is dawn or dusk.
102. Keyword Abilities
102.1. Hum
102.1a Hum is loud.
103. Beating
103.1. To beat is to hit.
104. Resting
104.1. To rest is not to beat."""
GLOSSARY = """\
Dawn
A time of a game. See rule 101, “Dawn and Dusk.”

Dusk
Another time. See rule 101, “Dawn and Dusk.”

Great Noise
What all drums make. See rule 100.1.

Great Noise Rule
A rule on noise. See rule 100.1.

Old Noise
See Great Noise.

Racket (Obsolete)
An obsolete term for great noise."""
CARDS = {
    "Loud Drum": ["A great noise wakes all.", "At dawn it sleeps."],
    "Dawn of Days": ["Dawn of Days is slow. At dusk it rests.", "It can't be a great noise."],
    "Soft Drum": ["The great noise rule holds.", "If it's dawn, it becomes dusk."],
    "Still Drum": ["This isn't a great noise.", "Sticky moss grows on it."],
    "Humming Drum": ["A drum with hum hums. Hums are many."],
}


def card(name):
    return {
        "object": "card",
        "oracle_id": f"id-{name.lower().replace(' ', '-')}",
        "name": name,
        "layout": "normal",
        "type_line": "Drum",
        "oracle_text": "",
        "cmc": 1,
    }


def ruling(name, text):
    return {
        "object": "ruling",
        "oracle_id": card(name)["oracle_id"],
        "source": "wotc",
        "published_at": "2030-01-01",
        "comment": text,
    }


@pytest.fixture(scope="module")
def drums(tmp_path_factory):
    top = tmp_path_factory.mktemp("drums")
    rules = written(top, "rules.txt", rulebook(RULES, glossary=GLOSSARY))
    printed = written(top, "cards.json", json.dumps([card(name) for name in CARDS]))
    ruled = [ruling(name, text) for name, texts in CARDS.items() for text in texts]
    rulings = written(top, "rulings.json", json.dumps(ruled))
    build([rules], top / "kb", cards=[printed, rulings])
    kb = KnowledgeBase.open(top / "kb")
    yield kb
    kb.close()


@pytest.mark.parametrize(
    ("term", "on"),
    [
        ("great noise", {"Loud Drum", "Soft Drum"}),
        ("GREAT NOISES", {"Loud Drum", "Soft Drum"}),
        ("great", {"Loud Drum", "Soft Drum"}),  # the first word of a name
        ("great noise rule", {"Soft Drum"}),
        ("old noise", {"Loud Drum"}),  # an alias
        ("racket", {"Loud Drum"}),  # an older word
        ("dawn", {"Loud Drum", "Soft Drum"}),  # no words of a card's name
        ("dawn/dusk", {"Soft Drum"}),
        ("dusk and dawn", {"Soft Drum"}),
        ("hum", {"Humming Drum"}),
        ("sticky moss", {"Still Drum"}),  # no concept, but words that a ruling has
    ],
)
def test_a_term_means_a_concept_or_words(drums, term, on):
    assert cards(drums, term) == on


@pytest.mark.parametrize("term", ["moss sticky", "/", "a", "no such thing"])
def test_of_what_no_ruling_speaks_there_is_no_answer(drums, term):
    with pytest.raises(NotFoundError, match="no ruling here speaks of"):
        drums.ask("rulings-on", {"term": term})
