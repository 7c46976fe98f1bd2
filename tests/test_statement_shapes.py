"""Statements, read and inferred: their kinds are documented, their shapes see what is broken."""

from __future__ import annotations

import ast
import re
from datetime import date
from itertools import chain

import pytest
from conftest import TOP
from rdflib import RDF, Literal, URIRef
from shaped import (
    DCTERMS,
    MTG,
    PROV,
    faults,
    for_what_is_inferred,
    graph_with,
    listed,
    misfits,
    read_turtle,
)
from tools import rulebook

from kb import resources
from kb.cards import read_card_files
from kb.cards.rulings_text import read_ruling
from kb.cards.values import name_key
from kb.inference import infer, inference_rules
from kb.knowledge import read_release
from kb.records import Card, Face, Ruling
from kb.source import decode
from kb.statements import Lexicon, read_ruling_statements
from kb.triples import card_quads, reading_quads
from kb.vocab import Minter

GAME = """\
100. Starting the Game
100.1. Each player begins the game with a starting life total of 5.
100.1a In a Tall game, each player begins the game with a starting life total of 9.
100.2. Each player draws a hand of three cards.
101. Turns
101.1. A turn consists of two phases, in this order: dawn and dusk.
101.2. The dawn phase consists of two steps: rest and draw.
101.3. The turn-based actions are as follows:
101.3a Immediately after the draw step begins, a player draws a card.
102. Restarting the Game
102.1. One card (Dawn Again) restarts the game. A game that is restarted immediately ends. \
Its players then start a new game following the procedures set forth in rule 100, \
with the following exception:
102.1a The starting player in the new game is the player who restarted it.
102.2. Ownership of cards doesn’t change.
102.3. Effects may exempt certain cards from the procedure that restarts the game.
103. Keyword Abilities
103.1. Glow
103.1a Glow is a static ability.
"""
RULING = Ruling("Each player’s score is reset to zero.", (date(2031, 4, 1),))
CARD = Card("Dawn Again", None, "normal", (Face("Dawn Again"),), rulings=(RULING,))
# What the inference rules make that is no statement but an edge.
EDGES = {"within"}


@pytest.fixture(scope="module")
def vocabulary():
    return read_turtle("vocabulary")


@pytest.fixture(scope="module")
def shapes():
    return read_turtle("shapes")


def quads_of(reading, cards):
    """Return the quads of a release, of cards and their rulings, and of what is inferred."""
    lexicon = Lexicon.of(reading.rulebook)
    facts = [
        *reading_quads(reading),
        *card_quads(
            cards,
            lambda _: (),
            read_ruling,
            name_key,
            lambda _: None,
            statements=lambda text: read_ruling_statements(text, lexicon),
        ),
    ]
    release = Minter(reading.rulebook.release.name).release
    return facts, infer(facts, release).quads


@pytest.fixture(scope="module")
def whole_game():
    """A made-up game whose text and card give each kind of inferred statement."""
    reading = read_release(decode(rulebook(GAME).encode(), "game.txt"))
    return graph_with(chain(*quads_of(reading, [CARD])))


@pytest.fixture
def game(whole_game):
    """A copy of the made-up game, to be broken."""
    return whole_game + type(whole_game)()


def asserted(graph, kind):
    """Return a statement of a kind that a sentence of a rule says."""
    found = [n for n in graph.subjects(MTG.kind, Literal(kind)) if "/ruling/" not in n]
    return min(n for n in found if (n, MTG.cue, None) in graph)


def ruled(graph):
    """Return the statement that the ruling of the made-up game says."""
    return graph.value(predicate=MTG.cue, object=Literal("is reset to"))


def inferred(graph, kind):
    """Return an inferred statement of a kind."""
    found = graph.subjects(MTG.kind, Literal(kind))
    return min(n for n in found if (n, MTG.inferredBy, None) in graph)


def from_ruling(graph):
    """Return the inferred statement that rests on the ruling."""
    return graph.value(predicate=MTG.ruledOn, object=Literal(CARD.name))


def test_the_made_up_game_has_every_kind_of_inferred_statement(whole_game, vocabulary):
    nodes = set(whole_game.subjects(MTG.inferredBy))
    assert {str(whole_game.value(n, MTG.kind)) for n in nodes} == listed(
        vocabulary, "inferred-kind"
    )


def test_the_made_up_game_conforms_to_the_shapes(whole_game, shapes):
    assert ruled(whole_game)
    assert from_ruling(whole_game)
    assert not faults(whole_game, shapes)


def test_domains_and_ranges_hold_on_the_made_up_game(vocabulary, whole_game):
    assert (None, MTG.within, None) in whole_game
    assert list(misfits(vocabulary, whole_game)) == []


@pytest.fixture(scope="module")
def concise_inferred(concise_reading):
    """The concise edition with its cards, and the nodes of what is inferred of it."""
    paths = [resources.path(f"rules/concise-{name}.json") for name in ("cards", "rulings")]
    facts, quads = quads_of(concise_reading, read_card_files(paths)[0])
    return graph_with(chain(facts, quads)), {URIRef(quad.subject.value) for quad in quads}


def test_what_is_inferred_of_the_concise_edition_conforms(concise_inferred, shapes):
    graph, nodes = concise_inferred
    statements = {node for node in nodes if (node, RDF.type, MTG.Statement) in graph}
    assert statements
    assert {str(n) for n in graph.subjects(MTG.inferredBy)} == {str(n) for n in statements}
    assert not faults(graph, for_what_is_inferred(shapes))


def test_domains_and_ranges_hold_on_what_is_inferred_of_it(concise_inferred, vocabulary):
    assert list(misfits(vocabulary, concise_inferred[0])) == []


def test_a_statement_says_which_shipped_rule_inferred_it(concise_inferred):
    graph, _ = concise_inferred
    used = {str(name) for name in graph.objects(None, MTG.inferredBy)}
    assert used <= {rule.id for rule in inference_rules()}


def test_each_kind_that_is_inferred_is_documented_and_no_other(vocabulary):
    made = {kind for rule in inference_rules() for kind in rule.makes}
    assert made - EDGES == listed(vocabulary, "inferred-kind")


def test_each_kind_of_statement_that_the_code_reads_is_documented_and_no_other(vocabulary):
    assert set(kinds_in_the_code()) == listed(vocabulary, "statement-kind")


def kinds_in_the_code():
    """Yield the kinds that the code gives to statements, written out in it or in the grammar."""
    for file in sorted((TOP / "kb" / "statements").glob("*.py")):
        module = ast.parse(file.read_text(encoding="utf-8"))
        named = {
            target.id: node.value
            for node in ast.walk(module)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(module):
            if is_call(node, "stated"):
                yield from words(node.args[0], named)
            elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
                yield from words(node.value.elts[0], named)
            elif isinstance(node, ast.If):
                yield from forms(node)


def is_call(node, name):
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == name


def is_parsed(node):
    """Tell whether a part of the code parses by a family that is written out there."""
    return is_call(node, "parse") and isinstance(node.args[1], ast.Constant)


def words(node, named):
    """Yield the words that an expression of the code may be."""
    if isinstance(node, ast.Constant):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from chain(words(node.body, named), words(node.orelse, named))
    elif isinstance(node, ast.Name) and node.id in named:
        yield from words(named[node.id], named)
    elif isinstance(node, ast.Subscript):
        table = named.get(getattr(node.value, "id", ""))
        # A name that goes through the tables of a module is any of them.
        tables = [table] if table else [t for t in named.values() if isinstance(t, ast.Dict)]
        for each in tables:
            yield from (value.value for value in each.values if isinstance(value, ast.Constant))


def forms(branch):
    """Yield a family's forms in the grammar, where a statement's kind is the form's name."""
    parsed = [node.args[1].value for node in ast.walk(branch.test) if is_parsed(node)]
    kinds = [node.args[0] for node in ast.walk(branch) if is_call(node, "stated")]
    if parsed and any(is_call(kind, "str") for kind in kinds):
        grammar = resources.text("grammar/statement.lark")
        family = re.search(rf"^{parsed[0]}:.*?\n\n", grammar, re.MULTILINE | re.DOTALL)
        yield from re.findall(r"-> (\w+)", family.group())


ASSERTED = ("cue", "start", "end", "quote", "kind", "subject", "value", "position")
INFERRED = ("quote", "kind", "subject", "value")


@pytest.mark.parametrize(
    ("find", "path"),
    [
        *((lambda g: asserted(g, "starts-with"), MTG[name]) for name in ASSERTED if name != "cue"),
        *((ruled, MTG[name]) for name in ASSERTED if name != "cue"),
        *((lambda g: inferred(g, "item"), MTG[name]) for name in INFERRED),
        (lambda g: asserted(g, "starts-with"), PROV.wasQuotedFrom),
        (lambda g: inferred(g, "item"), PROV.wasQuotedFrom),
        (lambda g: inferred(g, "item"), PROV.wasDerivedFrom),
    ],
)
def test_the_shapes_see_what_a_statement_lacks(game, shapes, find, path):
    node = find(game)
    assert game.value(node, path) is not None
    game.remove((node, path, None))
    assert (node, path) in faults(game, shapes)


@pytest.mark.parametrize(
    ("find", "path"),
    [
        (lambda g: asserted(g, "starts-with"), MTG.cue),
        (lambda g: inferred(g, "item"), MTG.inferredBy),
        (from_ruling, MTG.ruledOn),
        (from_ruling, DCTERMS.date),
    ],
)
def test_a_statement_is_of_one_sort_and_has_all_of_it(game, shapes, find, path):
    node = find(game)
    assert game.value(node, path) is not None
    game.remove((node, path, None))
    assert (node, None) in faults(game, shapes)


@pytest.mark.parametrize(
    ("find", "path", "value"),
    [
        (lambda g: asserted(g, "ends"), MTG.kind, Literal("item")),
        (lambda g: inferred(g, "item"), MTG.kind, Literal("member")),
        (lambda g: asserted(g, "ends"), MTG.subject, Literal("")),
        (lambda g: asserted(g, "ends"), MTG.cue, Literal("")),
        (lambda g: asserted(g, "ends"), MTG.scope, Literal("")),
        (lambda g: asserted(g, "ends"), MTG.about, Literal("game")),
        (lambda g: asserted(g, "ends"), MTG.start, Literal(100_000)),
        (lambda g: asserted(g, "ends"), MTG.inferredBy, Literal("list-items")),
        (lambda g: inferred(g, "item"), MTG.cue, Literal("are as follows")),
        (lambda g: inferred(g, "item"), MTG.start, Literal(0)),
        (lambda g: inferred(g, "item"), MTG.inferredBy, Literal("List items")),
        (lambda g: inferred(g, "item"), PROV.wasDerivedFrom, Literal("list")),
        (lambda g: inferred(g, "item"), PROV.wasQuotedFrom, Literal("list")),
    ],
)
def test_the_shapes_refuse_a_wrong_value_of_a_statement(game, shapes, find, path, value):
    node = find(game)
    game.set((node, path, value))
    assert (node, path) in faults(game, shapes)


@pytest.mark.parametrize(
    ("find", "path"),
    [
        (lambda g: asserted(g, "ends"), PROV.wasDerivedFrom),
        (ruled, PROV.wasDerivedFrom),
    ],
)
def test_what_a_sentence_says_has_no_premises(game, shapes, find, path):
    node = find(game)
    game.add((node, path, asserted(game, "starts-with")))
    assert (node, path) in faults(game, shapes)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (MTG.kind, Literal("member")),
        (MTG.subject, MTG.Rule),
        (MTG.about, MTG.Term),
    ],
)
def test_a_ruling_states_of_states_in_words_and_of_no_term(game, shapes, path, value):
    node = ruled(game)
    if path != MTG.kind:
        value = next(game.subjects(RDF.type, value))
    game.set((node, path, value))
    assert (node, None) in faults(game, shapes)


@pytest.mark.parametrize(
    ("kind", "conforms"),
    [
        ("becomes", True),
        ("lasts-game", True),
        ("persists", True),
        ("starts-without", True),
        ("ends", False),
        ("starts-with", False),
        ("member", False),
    ],
)
def test_only_some_kinds_say_all_without_a_value(game, shapes, kind, conforms):
    node = asserted(game, "ends")
    game.set((node, MTG.kind, Literal(kind)))
    game.set((node, MTG.value, Literal("")))
    assert (not faults(game, shapes)) == conforms


@pytest.mark.parametrize(("kind", "conforms"), [("turn-part", True), ("item", False)])
def test_of_what_is_inferred_only_a_phase_without_steps_has_no_value(game, shapes, kind, conforms):
    node = inferred(game, kind)
    game.set((node, MTG.value, Literal("")))
    assert (not faults(game, shapes)) == conforms
