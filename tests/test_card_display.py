"""Cards as they are found, shown and asked for: what was once wrong with it."""

from __future__ import annotations

import json
import uuid

import pytest
from tools import mtgkb, rulebook, written

from kb.errors import NotFoundError
from kb.knowledge import KnowledgeBase, build

RULES = """\
100. Card Text
100.1. An ability word stands in italics. The ability words are far song and near song.
101. Keyword Actions
101.1. Some verbs have meanings of their own.
101.2. Juggle
101.2a To juggle a card is to throw it.
101.3. Wrap
101.3a To wrap a card is to hide it.
102. Keyword Abilities
102.1. Some abilities have a name.
102.2. Glide
102.2a Glide is a static ability.
102.3. Glideback
102.3a “Glideback [cost]” means “You may pay [cost].”
102.4. Chime
102.4a Chime is a static ability.
102.5. Landleap
102.5a Landleap is written in rules text as “[type]leap,” where [type] is a land type.
102.6. Fellowship
102.6a “Fellowship” means “You may have a friend.”
102.6b “Old friends” is a variant of the fellowship ability. “Old friends” means “You have one.”"""

TEXTS = {
    "Glider": "Glideback {2}\nGlide, chime\nJuggle a card.",
    "Backglider": "Glideback {2}\n{T}: Juggle a card. Then wrap it.",
    "Singer": "Chime\nFar song — Whenever you sing, draw a card.",
    "Swampleapper": "Chime\nSwampleap",
    "Friend": "Glide\nOld friends",
    "Station": "Chime\n3+ | {T}: Wrap a card.\n8+ | Glide",
    "Pupil": "LEVEL 1-4\n2/2\nGlide",
}
RULINGS = {
    "Glider": ["", "Shared.", " \u00a0"],
    "Singer": ["", " ", "Shared.\n"],
    "Friend": ["", "Alone."],
    "Station": ["\nBegins with an empty line."],
}


def identity(name):
    """Return the oracle id of a card."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, name))


def card(name, text=""):
    return {
        "name": name,
        "oracle_id": identity(name),
        "layout": "normal",
        "cmc": 1,
        "type_line": "Creature",
        "oracle_text": text,
    }


def built(folder, cards, rulings=(), foreign=None):
    """Build a knowledge base of cards and rulings and return its folder."""
    text = rulebook(RULES, glossary="Glide\nTo move without a step. See rule 102.2.")
    rules = written(folder, "rules.txt", text)
    files = [written(folder, "cards.jsonl", "\n".join(json.dumps(one) for one in cards))]
    if rulings:
        files.append(written(folder, "rulings.json", json.dumps(rulings)))
    if foreign:
        files.append(written(folder, "foreign.json", json.dumps(foreign)))
    build([rules], folder / "kb", cards=files)
    return folder / "kb"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    rulings = [
        {"oracle_id": identity(name), "comment": text, "published_at": f"202{n}-01-01"}
        for name, texts in RULINGS.items()
        for n, text in enumerate(texts)
    ]
    cards = [card(name, text) for name, text in TEXTS.items()]
    return built(tmp_path_factory.mktemp("display"), cards, rulings)


@pytest.fixture(scope="module")
def small(folder):
    kb = KnowledgeBase.open(folder)
    yield kb
    kb.close()


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """A knowledge base without one name in ASCII."""
    cards = [card("灰色の小石"), card("Серый камень"), card("Серая река")]
    kb = KnowledgeBase.open(built(tmp_path_factory.mktemp("foreign"), cards))
    yield kb
    kb.close()


@pytest.mark.parametrize(
    ("name", "near"),
    [("灰色の大石", ["灰色の小石"]), ("серый камин", ["Серый камень"]), ("qqqqqqqq", [])],
)
def test_where_no_name_is_ascii_a_misspelt_one_gets_the_nearest(foreign, name, near):
    with pytest.raises(NotFoundError, match="no card '") as caught:
        foreign.card(name)
    assert caught.value.hint == (f"did you mean {', '.join(near)}?" if near else None)


def test_the_names_of_one_card_do_not_hide_the_other_near_cards(tmp_path):
    cards = [card("Gray Pebble"), card("Gray Pellet"), card("Gray Pepper")]
    names = [{"language": "French", "name": f"Gray Pebbl{letter}"} for letter in "abcdfgh"]
    face = {"name": "Gray Pebble", "layout": "normal", "foreignData": names}
    face["identifiers"] = {"scryfallOracleId": identity("Gray Pebble")}
    printed = {"meta": {"date": "2019-01-01"}, "data": {"Gray Pebble": [face]}}
    kb = KnowledgeBase.open(built(tmp_path, cards, foreign=printed))
    with pytest.raises(NotFoundError) as caught:
        kb.card("gray pebbl?")
    kb.close()
    assert caught.value.hint == "did you mean Gray Pebble, Gray Pellet, Gray Pepper?"


class Counted:
    """A graph that counts the quads it gives."""

    def __init__(self, graph):
        self.graph, self.given = graph, 0

    def quads_for_pattern(self, *pattern):
        for quad in self.graph.quads_for_pattern(*pattern):
            self.given += 1
            yield quad


def test_a_misspelt_name_does_not_read_a_quad_for_each_name(tmp_path):
    cards = [card(f"Pebble of {place}") for place in range(200)]
    kb = KnowledgeBase.open(built(tmp_path, cards))
    index = kb.cards
    index.store = Counted(index.store)
    with pytest.raises(NotFoundError, match="did you mean Pebble of"):
        index.find("pebbel of 7")
    kb.close()
    assert index.store.given < len(cards)


def test_a_ruling_without_text_keeps_its_date_on_the_command_line(folder):
    shown = mtgkb("card", "glider", "--kb", folder).stdout.split("rulings\n")[1]
    assert shown.splitlines() == ["2022-01-01", "2021-01-01  Shared.", "2020-01-01"]


def test_a_ruling_that_begins_with_an_empty_line_keeps_its_date(folder):
    shown = mtgkb("card", "station", "--kb", folder).stdout
    assert "2020-01-01  Begins with an empty line." in shown


def test_rulings_without_a_word_are_not_shared(small):
    rows = small.ask("shared-rulings", {"card": "glider"}).rows
    assert [(row["card"], row["text"]) for row in rows] == [("Singer", "Shared.\n")]
    assert small.ask("shared-rulings", {"card": "friend"}).rows == ()


ROWS = [
    ("glide", {"Glider": "Glide, chime", "Friend": "Glide", "Pupil": "Glide"}),
    ("glideback", {"Glider": "Glideback {2}", "Backglider": "Glideback {2}"}),
    (
        "juggle",
        {"Glider": "Juggle a card.", "Backglider": "{T}: Juggle a card. Then wrap it."},
    ),
    (
        "wrap",
        {"Backglider": "{T}: Juggle a card. Then wrap it.", "Station": "3+ | {T}: Wrap a card."},
    ),
    ("far song", {"Singer": "Far song — Whenever you sing, draw a card."}),
    ("swampleap", {"Swampleapper": "Swampleap"}),
    ("landleap", {"Swampleapper": "Swampleap"}),
    ("old friends", {"Friend": "Old friends"}),
]


@pytest.mark.parametrize(("keyword", "texts"), ROWS)
def test_each_row_quotes_the_paragraph_that_shows_the_keyword(small, keyword, texts):
    rows = small.ask("cards-with-keyword", {"keyword": keyword}).rows
    assert {row["card"]: row["text"] for row in rows} == texts


def test_a_variant_of_quite_another_name_is_among_the_paragraphs_quoted(small):
    (row,) = small.ask("cards-with-keyword", {"keyword": "fellowship"}).rows
    assert sorted(row["text"].split("\n")) == ["Glide", "Old friends"]


def test_a_keyword_gained_at_a_number_of_counters_is_not_printed_but_one_at_a_level_is(small):
    rows = small.ask("cards-with-keyword", {"keyword": "glide"}).rows
    assert {"Station", "Pupil"} & {row["card"] for row in rows} == {"Pupil"}
