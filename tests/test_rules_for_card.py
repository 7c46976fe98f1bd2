"""Which rules govern a card, and why: on the concise edition's cards, and on some made up."""

from __future__ import annotations

import json

import pytest
from tools import rulebook, written

from kb.knowledge import KnowledgeBase, build
from kb.vocab import C, CardMinter, P

RANKS = ("keyword", "type", "symbol", "counter", "named", "keyword-action", "term", "zone")


@pytest.fixture(scope="module")
def concise_cards(served):
    """A knowledge base of the concise edition with its cards."""
    return served


def rows(kb, card, release=None):
    return kb.ask("rules-for-card", {"card": card}, release).rows


def reasons(kb, card, release=None):
    return {row["rule"]: set(row["reasons"]) for row in rows(kb, card, release)}


GOVERNED = [
    ("Karn Liberated", "306", "type"),
    ("Karn Liberated", "606", "term"),
    ("Karn Liberated", "701.13", "keyword-action"),
    ("Karn Liberated", "727", "term"),
    ("Karn Liberated", "727.1", "named"),
    ("Karn Liberated", "104.6", "named"),
    ("Shahrazad", "729", "term"),
    ("Shahrazad", "729.1", "named"),
    ("Shahrazad", "401", "zone"),
    ("Fire // Ice", "304", "type"),
    ("Fire // Ice", "709", "type"),
    ("Fire // Ice", "709.4b", "named"),
    ("Gemrazer", "702.140", "keyword"),
    ("Gemrazer", "730", "keyword"),
    ("Breezekeeper", "702.26", "keyword"),
    ("Wastes", "205.4c", "type"),
    ("Wastes", "107.5", "symbol"),
    ("Wastes", "605", "term"),
    ("Dryad Arbor", "305.6", "type"),
    ("Umezawa's Jitte", "702.6", "keyword"),
    ("Umezawa's Jitte", "122", "counter"),
    ("Tymna the Weaver", "702.124", "keyword"),
    ("Tymna the Weaver", "119.4", "term"),
    ("Delver of Secrets // Insectile Aberration", "712", "type"),
    ("Delver of Secrets // Insectile Aberration", "702.9", "keyword"),
    ("Crystalline Giant", "702.2", "keyword"),
]


@pytest.mark.parametrize(("card", "rule", "reason"), GOVERNED)
def test_a_rule_governs_a_card_for_a_reason(concise_cards, card, rule, reason):
    assert reason in reasons(concise_cards, card)[rule]


@pytest.mark.parametrize(
    ("card", "rule"),
    [
        ("Karn Liberated", "729"),  # a subgame is no restart
        ("Shahrazad", "727"),
        ("Dryad Arbor", "107.5"),  # the symbol stands in reminder text
        ("Breezekeeper", "110.5"),
        ("Umezawa's Jitte", "701.6"),  # a counter on it is no countering
        ("Gemrazer", "709"),
        ("Wastes", "305.6"),
    ],
)
def test_another_rule_does_not(concise_cards, card, rule):
    assert rule not in reasons(concise_cards, card)


def test_every_rule_has_one_row_its_reasons_and_words_that_stand_there(concise_cards):
    view = concise_cards.card("Karn Liberated")
    printed = {view.faces[0].type_line, *view.faces[0].text.split("\n")}
    found = rows(concise_cards, "Karn Liberated")
    assert len({row["rule"] for row in found}) == len(found)
    for row in found:
        assert row["reasons"] == tuple(sorted(set(row["reasons"])))
        if "named" in row["reasons"]:
            assert "Karn Liberated" in row["quote"]
        else:
            assert row["quote"] in printed


def test_the_keyword_and_the_type_stand_first_and_zones_last(concise_cards):
    for card in ("Tymna the Weaver", "Shahrazad", "Umezawa's Jitte", "Gemrazer"):
        found = [row["reasons"] for row in rows(concise_cards, card)]
        best = [min(RANKS.index(r) for r in each if r in RANKS) for each in found]
        places = [rank - (rank == RANKS.index("named")) for rank in best]
        assert places == sorted(places)


def test_a_ruling_is_never_the_only_reason(concise_cards):
    every = concise_cards.store.quads(CardMinter().graph)
    cards = {q.subject.value for q in every if q.object == C.CARD.node}
    assert len(cards) > 50
    both = 0
    for card in sorted(cards)[:20]:
        oracle_id = card.rpartition("/")[2]
        for row in rows(concise_cards, oracle_id):
            assert set(row["reasons"]) - {"ruling"}
            both += "ruling" in row["reasons"]
    assert both


def test_only_faces_abilities_and_rulings_speak_of_what_a_rule_governs(concise_cards):
    cards = list(concise_cards.store.quads(CardMinter().graph))
    kinds = {q.subject: q.object for q in cards if q.predicate == P.TYPE.node}
    speaking = {kinds[q.subject] for q in cards if q.predicate == P.SPEAKS_OF.node}
    assert speaking == {C.FACE.node, C.ABILITY.node, C.RULING.node}


RULES = """\
100. General
100.1. A drum is made to last. Example cards are named here: Loud Drum is one.
101. Drums
101.1. A drum is a permanent.
101.2. Some drums have the subtype “Kettle.” A Kettle is big.
101.3. Any drum with the supertype “old” is precious.
101.4. If an effect says that a player can’t beat drums, no drum sounds.
101.5. Cards “drummed up with [this object]” are linked to it.
102. Numbers and Symbols
102.1. The beat symbol is {K}.
102.2. Two-beat symbols such as {K/L} are beaten once.
103. Counters
103.1. A counter is a mark on a drum.
103.2. A dent counter on a drum spoils it.
104. Keyword Abilities
104.1. Hum
104.1a Hum is an ability that hums.
105. Keyword Actions
105.1. Tune
105.1a To tune a drum is to draw its skin tight.
Example: Someone tunes Old Faithful."""
GLOSSARY = """\
Great Noise
What all drums make together. See rule 101.4.

Kettle
A drum subtype. See rule 101, “Drums.”"""


def card(name, type_line, text, **more):
    return {
        "object": "card",
        "oracle_id": f"id-{name.lower().replace(' ', '-')}",
        "name": name,
        "lang": "en",
        "layout": "normal",
        "type_line": type_line,
        "oracle_text": text,
        "cmc": 1,
        "color_identity": [],
        "legalities": {},
        "mana_cost": "",
        **more,
    }


CARDS = [
    card("Loud Drum", "Drum — Kettle", "Hum (It hums. {K}: Tune it.)", mana_cost="{K/L}"),
    card("Old Faithful", "Drum", "{K}, Tune a drum: Put a dent counter on it."),
    card("Silence", "Drum", "Opponents can't beat any of your drums. A great noise is made."),
    card("Keeper, of Drums", "Drum", "Return a card drummed up with Keeper. You humble it."),
    card("Tuned Up", "Drum", "Any untuned or tuned drum with a spot counter on it gains hum."),
]


@pytest.fixture(scope="module")
def drums(tmp_path_factory):
    top = tmp_path_factory.mktemp("drums")
    rules = written(top, "rules.txt", rulebook(RULES, glossary=GLOSSARY))
    cards = written(top, "cards.json", json.dumps(CARDS))
    build([rules], top / "kb", cards=[cards])
    kb = KnowledgeBase.open(top / "kb")
    yield kb
    kb.close()


ON_DRUMS = {
    "Loud Drum": {
        "104.1": {"keyword"},
        "101": {"type"},
        "101.2": {"type"},
        "102.2": {"symbol"},
        "100.1": {"named"},
    },
    "Old Faithful": {
        "101": {"type"},
        "102.1": {"symbol"},
        "103.2": {"counter"},
        "105.1": {"keyword-action"},
        "105.1a": {"named"},
    },
    "Silence": {"101": {"type"}, "101.4": {"term"}},
    "Keeper, of Drums": {"101": {"type"}, "101.5": {"term"}},
    "Tuned Up": {"104.1": {"keyword"}, "101": {"type"}, "103": {"counter"}},
}


@pytest.mark.parametrize("name", ON_DRUMS)
def test_all_that_governs_a_card_is_read_off_the_rules_at_hand(drums, name):
    assert reasons(drums, name) == ON_DRUMS[name]
