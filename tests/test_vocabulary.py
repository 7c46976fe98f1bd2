"""The vocabulary, its shapes and the code name the same things; the shapes see what is broken."""

from __future__ import annotations

import ast

import pyshacl
import pytest
from conftest import TOP, official
from rdflib import OWL, RDF, RDFS, SH, SKOS, XSD, Literal, URIRef
from rdflib.collection import Collection
from shaped import (
    DCTERMS,
    MTG,
    ONTOLOGY,
    OWN_CLASSES,
    OWN_PROPERTIES,
    SHAPES,
    classes_of,
    faults,
    graph_of,
    graph_with,
    listed,
    misfits,
    read_turtle,
    values_of,
)

from kb import resources
from kb.cards import read_card_files
from kb.cards.oracle import KeywordLexicon, read_abilities
from kb.cards.rulings_text import read_ruling
from kb.cards.values import name_key
from kb.knowledge import read_release
from kb.source import decode, read_source
from kb.statements import Lexicon, read_ruling_statements
from kb.triples import card_quads
from kb.vocab import NAMESPACE, P

CLASSES = {OWL.Class}
PROPERTIES = {OWL.DatatypeProperty, OWL.ObjectProperty, RDF.Property}
LISTS = {
    "edition": (SHAPES.Release, MTG.edition),
    "level": (SHAPES.Rule, MTG.level),
    "citation-form": (SHAPES.Citation, MTG.form),
    "block-kind": (SHAPES.Block, MTG.kind),
    "statement-kind": (SHAPES.AssertedStatement, MTG.kind),
    "inferred-kind": (SHAPES.InferredStatement, MTG.kind),
    "problem-kind": (SHAPES.Problem, MTG.kind),
    "ability-kind": (SHAPES.Ability, MTG.kind),
    "version-method": (SHAPES.Version, MTG.method),
    "term-change": (SHAPES.TermVersion, MTG.change),
}
SLIPS = """\
Rules of a Made-up Game

These rules are effective as of June 19, 2026.

Contents

1. The Game
100. General
Glossary
Credits

1. The Game

100. General

100.1 A game has two players.

100.1a. Each player has a pebble (see rule 100.9).

100.2. A player who loses the pebble loses the game.

100.2. A player may not lend the pebble.
Example: A player hands the pebble over. That is no loan.

100.3. A game lasts an hour.

Glossary

Pebble
1. A small stone.
2. (Obsolete) A marble.

Credits

These rules are effective as of June 20, 2026.
"""


@pytest.fixture(scope="module")
def vocabulary():
    return read_turtle("vocabulary")


@pytest.fixture(scope="module")
def shapes():
    return read_turtle("shapes")


@pytest.fixture(scope="module")
def cards(concise_reading):
    """The graph of the cards that ship with the concise edition."""
    paths = [resources.path(f"rules/concise-{name}.json") for name in ("cards", "rulings")]
    keywords = KeywordLexicon.of(concise_reading.rulebook)
    lexicon = Lexicon.of(concise_reading.rulebook)
    found, _ = read_card_files(paths)
    return graph_with(
        card_quads(
            found,
            lambda face: read_abilities(face.text, face.types, keywords),
            read_ruling,
            name_key,
            keywords.heading,
            statements=lambda text: read_ruling_statements(text, lexicon),
        )
    )


@pytest.fixture
def slips():
    """The graph of a small text with slips in it."""
    return graph_of(read_release(decode(SLIPS.encode(), "slips.txt")))


def test_the_code_and_the_vocabulary_name_the_same_classes(vocabulary):
    named = {s for kind in CLASSES for s in vocabulary.subjects(RDF.type, kind)}
    assert sorted(str(s) for s in named if isinstance(s, URIRef)) == OWN_CLASSES


def test_the_code_and_the_vocabulary_name_the_same_properties(vocabulary):
    named = {str(s) for kind in PROPERTIES for s in vocabulary.subjects(RDF.type, kind)}
    assert sorted(named) == OWN_PROPERTIES


def test_no_own_name_is_used_that_the_code_does_not_have(vocabulary, shapes):
    known = {*OWN_CLASSES, *OWN_PROPERTIES}
    used = {str(term) for graph in (vocabulary, shapes) for triple in graph for term in triple}
    assert {name for name in used if name.startswith(NAMESPACE)} - {NAMESPACE} <= known


@pytest.mark.parametrize("name", [*OWN_CLASSES, *OWN_PROPERTIES])
def test_each_own_name_has_an_english_label_and_comment(vocabulary, name):
    label = vocabulary.value(URIRef(name), RDFS.label, any=False)
    comment = vocabulary.value(URIRef(name), RDFS.comment, any=False)
    assert label.language == comment.language == "en"
    assert comment.endswith(".")
    assert len(comment) > len(label)


@pytest.mark.parametrize("name", OWN_PROPERTIES)
def test_each_property_has_a_domain_and_a_range_that_fits_its_type(vocabulary, name):
    node = URIRef(name)
    domain = classes_of(vocabulary, vocabulary.value(node, RDFS.domain, any=False))
    values = classes_of(vocabulary, vocabulary.value(node, RDFS.range, any=False))
    own = {URIRef(c) for c in OWN_CLASSES}
    assert domain <= own
    expected = {
        OWL.ObjectProperty: values <= own,
        OWL.DatatypeProperty: all(
            str(value).startswith(str(XSD)) or value == RDF.langString for value in values
        ),
        RDF.Property: values == {RDFS.Resource},
    }
    assert expected[vocabulary.value(node, RDF.type, any=False)]


def test_domains_and_ranges_hold_on_the_concise_edition(vocabulary, concise_reading):
    assert list(misfits(vocabulary, graph_of(concise_reading))) == []


def test_domains_and_ranges_hold_on_its_cards(vocabulary, cards):
    assert list(misfits(vocabulary, cards)) == []


def test_the_ontology_has_a_title_and_says_how_each_standard_term_is_used(vocabulary):
    assert vocabulary.value(ONTOLOGY, RDF.type) == OWL.Ontology
    assert vocabulary.value(ONTOLOGY, DCTERMS.title)
    notes = " ".join(map(str, vocabulary.objects(ONTOLOGY, SKOS.scopeNote)))
    standard = {p.value for p in P if not p.value.startswith("mtg:")}
    assert {name for name in standard if name not in notes} == set()


@pytest.mark.parametrize("name", LISTS)
def test_the_shapes_allow_exactly_the_documented_values(vocabulary, shapes, name):
    shape, path = LISTS[name]
    allowed = [
        set(map(str, Collection(shapes, values)))
        for prop in shapes.objects(shape, SH.property)
        if shapes.value(prop, SH.path) == path and (values := shapes.value(prop, SH["in"]))
    ]
    assert allowed == [listed(vocabulary, name)]


@pytest.mark.parametrize("name", LISTS)
def test_each_documented_value_has_a_definition(vocabulary, name):
    for value in values_of(vocabulary, name):
        assert vocabulary.value(value, SKOS.definition).endswith(".")
        assert str(value).rpartition("/")[2] == str(vocabulary.value(value, SKOS.notation))


def words_given_to(*functions):
    """Return the words that the code of releases gives first to functions of these names."""
    files = sorted((TOP / "kb").rglob("*.py"))
    # problems of card files stand in the report of a build, not in a graph
    for file in (file for file in files if file.parent.name != "cards"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(call, ast.Call) and call.args):
                continue
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            word = call.args[0]
            choices = [word.body, word.orelse] if isinstance(word, ast.IfExp) else [word]
            if name in functions:
                yield from (c.value for c in choices if isinstance(c, ast.Constant))


def test_each_kind_of_problem_that_the_code_reports_is_documented_and_no_other(vocabulary):
    reported = set(words_given_to("problem", "_report", "Problem"))
    assert reported == listed(vocabulary, "problem-kind")


@pytest.mark.exhaustive
def test_the_concise_edition_conforms_to_the_shapes(concise_reading, shapes):
    assert not faults(graph_of(concise_reading), shapes)


def test_its_cards_conform_to_the_shapes(cards, shapes):
    assert {kind for kind in OWN_CLASSES if (None, RDF.type, URIRef(kind)) in cards} == {
        str(MTG[name]) for name in ("Card", "Face", "Ability", "Ruling", "Statement")
    }
    assert not faults(cards, shapes)


def test_a_text_with_slips_conforms_to_the_shapes(slips, shapes):
    kinds = {
        str(kind) for p in slips.subjects(RDF.type, MTG.Problem) for kind in slips[p : MTG.kind]
    }
    assert {"missing-dot", "extra-dot", "duplicate", "date"} <= kinds
    assert not faults(slips, shapes)


@pytest.mark.exhaustive
@pytest.mark.parametrize("year", ["19990423", "20030701-a", "20140201", "20260619"])
def test_official_releases_conform_to_the_shapes(year, shapes):
    assert not faults(graph_of(read_release(read_source(official(f"CR-{year}.txt")))), shapes)


RELEASE = "https://mtgkb.example/cr/2026-06-19"
RULE = f"{RELEASE}/rule/100.2"
TERM = f"{RELEASE}/term/pebble"
CITATION = f"{RELEASE}/rule/100.1a/citation/1"
PROBLEM = f"{RELEASE}/problem/1"


@pytest.mark.parametrize(
    ("node", "path"),
    [
        (RELEASE, MTG.effective),
        (RELEASE, MTG.sha256),
        (RELEASE, DCTERMS.title),
        (f"{RELEASE}/section/1", MTG.number),
        (RULE, MTG.number),
        (RULE, MTG.level),
        (RULE, MTG.text),
        (RULE, DCTERMS.isPartOf),
        (f"{RELEASE}/rule/100.2~2/example/1", MTG.spans),
        (TERM, MTG.name),
        (TERM, DCTERMS.isVersionOf),
        (f"{TERM}/sense/1", MTG.obsolete),
        (CITATION, MTG.citedIn),
        (CITATION, MTG.quote),
        (PROBLEM, MTG.line),
        (f"{RELEASE}/block/1", MTG.kind),
    ],
)
def test_the_shapes_see_what_a_node_lacks(slips, shapes, node, path):
    assert slips.value(URIRef(node), path) is not None
    slips.remove((URIRef(node), path, None))
    assert (URIRef(node), path) in faults(slips, shapes)


@pytest.mark.parametrize(
    ("node", "path", "value"),
    [
        (RELEASE, MTG.edition, Literal("pirated")),
        (RELEASE, MTG.effective, Literal("2026-06-19")),
        (RELEASE, MTG.sha256, Literal("none")),
        (f"{RELEASE}/section/1", MTG.number, Literal("10")),
        (RULE, MTG.number, Literal("100.2.")),
        (RULE, MTG.label, Literal("100.3")),
        (RULE, MTG.level, Literal("section")),
        (RULE, MTG.position, Literal("first")),
        (RULE, MTG.spans, Literal("10:20")),
        (RULE, DCTERMS.isPartOf, URIRef(TERM)),
        (f"{TERM}/sense/1", MTG.senseNumber, Literal(0)),
        (CITATION, MTG.form, Literal("footnote")),
        (CITATION, MTG.citedNumber, Literal("rule 100.9")),
        (CITATION, MTG.start, Literal(100_000)),
        (CITATION, MTG.cites, URIRef(RELEASE)),
        (PROBLEM, MTG.kind, Literal("bad")),
        (PROBLEM, MTG.line, Literal(0)),
    ],
)
def test_the_shapes_refuse_a_wrong_value(slips, shapes, node, path, value):
    slips.set((URIRef(node), path, value))
    assert (URIRef(node), path) in faults(slips, shapes)


@pytest.mark.parametrize(
    ("node", "path", "value"),
    [
        (RELEASE, MTG.official, Literal(False)),  # noqa: FBT003 - the value of a literal
        (RULE, MTG.level, Literal("subrule")),
        (CITATION, MTG.form, Literal("self")),
        (CITATION, MTG.form, Literal("section")),
    ],
)
def test_the_shapes_refuse_values_that_contradict_each_other(slips, shapes, node, path, value):
    slips.set((URIRef(node), path, value))
    assert (URIRef(node), None) in faults(slips, shapes)


@pytest.mark.parametrize("kind", ["sentence", "exceptions", ""])
def test_the_shapes_refuse_a_statement_of_an_unknown_kind(concise_reading, shapes, kind):
    whole = graph_of(concise_reading)
    node = next(whole.subjects(RDF.type, MTG.Statement))
    whole.set((node, MTG.kind, Literal(kind)))
    conforms, _, text = pyshacl.validate(whole, shacl_graph=shapes, focus_nodes=[node])
    assert not conforms
    assert "mtg:kind" in text or str(MTG.kind) in text
