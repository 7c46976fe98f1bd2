"""The graph of history: its vocabulary and shapes hold on it, and the shapes see what is broken."""

from __future__ import annotations

import pytest
from rdflib import RDF, SH, XSD, Literal, URIRef
from shaped import DCTERMS, MTG, PROV, SHAPES, faults, graph_with, misfits, read_turtle
from tools import rulebook

from kb.editions.edition import edition_of
from kb.editions.follow import history_of
from kb.knowledge import read_release
from kb.source import decode
from kb.triples.history import history_quads

SHOWS = "Each player shows a pebble before the game, and whoever shows none has lost it at once"
STAYS = "No player may lend a pebble to another, hide it, paint it, or take it off the table"
LEAVES = "A player who leaves the table for longer than an hour gives all pebbles to the others"
WAITS = "The others wait until they are back, and meanwhile nobody touches anything on the board"
BEFORE = f"""\
100. General
100.1. A game has two players. See rule 100.2.
100.2. A player who loses the pebble loses the game.
Example: Ann drops the pebble. She has lost.
100.3. {STAYS}, whatever the reason and however short the time. {SHOWS}.
100.4. {LEAVES}.
100.5. {WAITS}, be it a pebble, a card, a coin, or anything else that lies there."""
AFTER = f"""\
100. General
100.1. A game has two players. See rule 100.2.
100.2. {STAYS}, whatever the reason and however short the time.
100.3. {SHOWS}.
100.4. A player who loses the last pebble loses the game.
Example: Ann gives the pebble away. She has lost.
100.5. {WAITS}, be it a pebble, a card, a coin, or anything else that lies there. {LEAVES}."""
TEXTS = [
    rulebook(
        BEFORE,
        date="May 1, 2031",
        glossary="Draw\nTo take a card.\n\nPebble\nA small stone.\n\nTable\nA place.",
    ),
    rulebook(
        AFTER,
        date="May 1, 2032",
        glossary="Draw\nTo take two cards.\n\nPebble (Obsolete)\nA small stone.\n\nWin\nNo loss.",
    ),
]
RULE = "https://mtgkb.example/id/rule/a-player-who-loses-the-pebble-loses-the"
LOSES = f"{RULE}/version/2"
DRAW = "https://mtgkb.example/id/term-version/draw"
TABLE = "https://mtgkb.example/id/term-version/table"
RELEASE = "https://mtgkb.example/cr/2031-05-01"


@pytest.fixture(scope="module")
def shapes():
    return read_turtle("shapes")


@pytest.fixture
def history():
    """The graph of the history of two small texts with every sort of change between them."""
    books = [read_release(decode(text.encode(), "text.txt")).rulebook for text in TEXTS]
    return graph_with(history_quads(history_of(map(edition_of, books))))


def test_the_small_history_has_all_that_the_shapes_speak_of(history, shapes):
    classes = ["RuleIdentity", "Version", "StaleReference", "TermVersion", "Release"]
    paths = {
        path
        for name in classes
        for path in shapes.objects(SHAPES[name], SH.property / SH.path)
        if isinstance(path, URIRef)
    }
    assert paths - {*history.predicates()} == {MTG.official}
    assert {str(change) for change in history.objects(None, MTG.change)} == {
        *("added", "changed", "obsolete")
    }
    assert {str(how) for how in history.objects(None, MTG.method)} == {"same", "alike"}
    assert {MTG[name] for name in classes} == {*history.objects(None, RDF.type)}


def test_domains_and_ranges_hold_on_a_history(history):
    assert list(misfits(read_turtle("vocabulary"), history)) == []


def test_a_history_conforms_to_the_shapes(history, shapes):
    assert not faults(history, shapes)


@pytest.mark.parametrize(
    ("node", "path", "fault"),
    [
        (LOSES, MTG.number, MTG.number),
        (LOSES, MTG.wording, MTG.wording),
        (LOSES, DCTERMS.isVersionOf, DCTERMS.isVersionOf),
        (LOSES, MTG.edited, None),
        (LOSES, PROV.wasRevisionOf, None),
        (DRAW, MTG.nameKey, MTG.nameKey),
        (RELEASE, MTG.position, None),
    ],
)
def test_the_shapes_see_what_a_node_of_a_history_lacks(history, shapes, node, path, fault):
    assert history.value(URIRef(node), path) is not None
    history.remove((URIRef(node), path, None))
    assert (URIRef(node), fault) in faults(history, shapes)


@pytest.mark.parametrize(
    ("node", "path", "value"),
    [
        (LOSES, MTG.number, Literal("100.4.")),
        (LOSES, MTG.first, Literal(7)),
        (LOSES, MTG.method, Literal("guessed")),
        (LOSES, MTG.confidence, Literal("1.5", datatype=XSD.decimal)),
        (LOSES, PROV.wasRevisionOf, URIRef(DRAW)),
        (RULE, MTG.splitInto, URIRef(LOSES)),
        (DRAW, MTG.change, Literal("moved")),
    ],
)
def test_the_shapes_refuse_a_wrong_value_in_a_history(history, shapes, node, path, value):
    history.set((URIRef(node), path, value))
    assert (URIRef(node), path) in faults(history, shapes)


def test_the_shapes_refuse_a_term_that_is_gone_while_it_lasts(history, shapes):
    history.set((URIRef(TABLE), MTG.removedIn, Literal(0)))
    assert {(URIRef(TABLE), MTG.last), (URIRef(TABLE), MTG.removedIn)} <= faults(history, shapes)
