"""The concise cards and rulings: Scryfall's form, sound facts, and texts of our own."""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from datetime import date

import pytest
from conftest import SHARED, official, shared

from kb import resources
from kb.source import read_source

IN_A_ROW = 8
CARDS = json.loads(resources.text("rules/concise-cards.json"))
RULINGS = json.loads(resources.text("rules/concise-rulings.json"))
NAMES = {card["oracle_id"]: card["name"] for card in CARDS}
KEYS = {"object", "oracle_id", "name", "lang", "layout", "cmc", "type_line"}
KEYS |= {"color_identity", "keywords", "legalities"}
MAY_HAVE = {"mana_cost", "oracle_text", "power", "toughness", "loyalty", "defense", "colors"}
TYPES = {"Artifact", "Battle", "Creature", "Enchantment", "Instant", "Land", "Planeswalker"}
TYPES |= {"Plane", "Sorcery"}
SUPERTYPES = {"Basic", "Legendary", "Snow"}
STATUSES = {"legal", "not_legal", "banned", "restricted"}
_ORACLE_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_COST = re.compile(r"(?:\{(?:\d+|[WUBRGCXS])\})*")
_SIZE = re.compile(r"\d+")
_SYMBOL = re.compile(r"\{[^{}]*\}")
_KNOWN_SYMBOL = re.compile(r"\{(?:\d+|[WUBRGCXTS])\}")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|\{[^}]*\}")
_ON_A_FIELD = {"Creature": "toughness", "Planeswalker": "loyalty", "Battle": "defense"}

every_card = pytest.mark.parametrize("card", CARDS, ids=lambda card: card["name"])


def faces(card):
    return card.get("card_faces", [card])


def texts():
    """Yield each text that is ours, after the name of its card."""
    for card in CARDS:
        for face in faces(card):
            yield card["name"], face["oracle_text"]
    for ruling in RULINGS:
        yield NAMES[ruling["oracle_id"]], ruling["comment"]


def rows(text):
    """Yield every eight words in a row that stand in one paragraph."""
    for paragraph in text.lower().replace("’", "'").replace("‘", "'").split("\n"):
        words = _WORD.findall(paragraph)
        for start in range(len(words) - IN_A_ROW + 1):
            yield tuple(words[start : start + IN_A_ROW])


@pytest.fixture(scope="module")
def own():
    return {row: name for name, text in texts() for row in rows(text)}


def copied(own, text):
    return [f"{own[row]}: {' '.join(row)}" for row in rows(text) if row in own]


def load(name):
    path = shared(f"cards/{name}")
    content = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in content.splitlines()]
    return json.loads(content)


def strings(value, keys):
    """Yield the strings under some keys, at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from strings(item, keys)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in keys and isinstance(item, str):
                yield item
            else:
                yield from strings(item, keys)


@every_card
def test_a_card_has_the_keys_of_a_card(card):
    assert card.keys() >= KEYS
    assert card.keys() - KEYS <= MAY_HAVE | {"card_faces"}
    assert (card["object"], card["lang"]) == ("card", "en")
    assert set(card["legalities"].values()) <= STATUSES
    assert card["legalities"].keys() == CARDS[0]["legalities"].keys()
    assert card["cmc"] >= 0
    assert set(card["color_identity"]) <= set("WUBRG")


@every_card
def test_a_card_has_its_text_once_or_on_two_faces(card):
    assert ("oracle_text" in card) != ("card_faces" in card)
    if "card_faces" in card:
        assert [face["object"] for face in card["card_faces"]] == ["card_face"] * 2
        assert card["name"] == " // ".join(face["name"] for face in card["card_faces"])
        assert card["type_line"] == " // ".join(face["type_line"] for face in card["card_faces"])


@every_card
def test_types_costs_and_sizes_are_well_formed(card):
    for face in faces(card):
        before, _, subtypes = face["type_line"].partition(" — ")
        words = before.split()
        assert set(words) <= TYPES | SUPERTYPES
        assert set(words) & TYPES
        assert subtypes == subtypes.strip()
        assert _COST.fullmatch(face["mana_cost"])
        assert [s for s in _SYMBOL.findall(face["oracle_text"]) if not _KNOWN_SYMBOL.match(s)] == []
        for kind, key in _ON_A_FIELD.items():
            if kind in words:
                assert _SIZE.fullmatch(face[key])
        assert ("power" in face) == ("toughness" in face)


@every_card
def test_a_text_is_paragraphs_without_loose_ends(card):
    for face in faces(card):
        for line in face["oracle_text"].split("\n") if face["oracle_text"] else []:
            assert line == " ".join(line.split()) != ""
            assert line.count("(") == line.count(")")
            assert line.count('"') % 2 == 0
            assert not set(line) & set("’“”\xa0")


def test_oracle_ids_are_well_formed_and_each_card_has_one_of_its_own():
    assert [c["oracle_id"] for c in CARDS if not _ORACLE_ID.fullmatch(c["oracle_id"])] == []
    assert len(NAMES) == len(set(NAMES.values())) == len(CARDS)


def test_the_layouts_that_differ_in_shape_are_there():
    special = {"split", "adventure", "transform", "modal_dfc", "flip"}
    assert {card["layout"] for card in CARDS if "card_faces" in card} == special
    single = {"normal", "saga", "class", "case", "leveler", "mutate", "prototype", "meld"}
    assert {card["layout"] for card in CARDS if "card_faces" not in card} == single | {"planar"}


def test_a_ruling_has_the_keys_of_a_ruling_and_is_on_a_card():
    for ruling in RULINGS:
        assert [*ruling] == ["object", "oracle_id", "source", "published_at", "comment"]
        assert (ruling["object"], ruling["source"]) == ("ruling", "mtgkb")
        assert ruling["oracle_id"] in NAMES
        assert date.fromisoformat(ruling["published_at"])
        assert ruling["comment"] == " ".join(ruling["comment"].split()) != ""
        assert ruling["comment"].endswith((".", ')"', '."'))


def test_no_ruling_stands_twice():
    found = Counter((r["oracle_id"], r["published_at"], r["comment"]) for r in RULINGS)
    assert [key for key, times in found.items() if times > 1] == []


def test_cards_share_rulings_and_one_ruling_has_two_dates():
    assert len({r["comment"] for r in RULINGS}) < len(
        {(r["oracle_id"], r["comment"]) for r in RULINGS}
    )
    dates = Counter((r["oracle_id"], r["comment"]) for r in RULINGS)
    assert max(dates.values()) == 2


@pytest.mark.parametrize("name", ["cards", "rulings"])
def test_the_files_are_written_to_be_read_by_people(name):
    written = resources.text(f"rules/concise-{name}.json")
    assert written == json.dumps(json.loads(written), ensure_ascii=False, indent=1) + "\n"


@pytest.mark.parametrize(
    "name",
    [
        "AtomicCards.json.xz",
        "AtomicCards.sample.json",
        "mtgjson-AtomicCards-2026-03.fixture.json",
        "oracle-cards.scryfall-2019-09.json.xz",
        "rulings.partial-scryfall.json.xz",
        "scryfall-2026-cards.fixture.jsonl",
        "scryfall-2026-rulings.fixture.jsonl",
    ],
)
def test_no_text_is_that_of_an_official_card_or_ruling(own, name):
    read = set(strings(load(name), {"text", "oracle_text", "comment"}))
    assert read
    assert [found for text in sorted(read) for found in copied(own, text)] == []


def test_no_text_is_that_of_the_newest_official_rules(own):
    assert copied(own, read_source(official()).canvas.replace("\n", " ")) == []


@pytest.mark.exhaustive
def test_no_text_is_that_of_any_official_rules(own):
    shared("releases")
    found = []
    for path in sorted((SHARED / "releases").glob("CR-*.txt")):
        found += copied(own, read_source(path).canvas.replace("\n", " "))
    assert found == []


def test_facts_are_those_of_the_official_cards():
    """Costs, sizes and dates, where the file in ../shared has the face."""
    data = load("AtomicCards.json.xz")["data"]
    real = {
        (f.get("identifiers", {}).get("scryfallOracleId"), f.get("faceName", f["name"])): f
        for printed in data.values()
        for f in printed
    }
    checked = 0
    for card in CARDS:
        for face in faces(card):
            fact = real.get((card["oracle_id"], face["name"]))
            checked += fact is not None
            for key, theirs in (("type_line", "type"), ("mana_cost", "manaCost")):
                assert fact is None or face[key] == fact.get(theirs, "")
            for key in ("power", "toughness", "loyalty", "defense"):
                assert fact is None or face.get(key) == fact.get(key)
    assert checked > len(CARDS)
    dated = {(key, r["date"]) for (key, _), f in real.items() for r in f.get("rulings", ())}
    assert [r for r in RULINGS if (r["oracle_id"], r["published_at"]) not in dated] == []


def test_a_copied_text_would_be_found():
    own = {tuple("abcdefgh"): "Card"}
    assert copied(own, "x a b c, d e f\ng h") == []
    assert copied(own, "x A b c, d (e f) g: h") == ["Card: a b c d e f g h"]
