"""Inference rules: premises and conclusion of each, its header, and how a fixpoint is reached."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import chain

import pytest
from inference_cases import CASES
from pyoxigraph import DefaultGraph, NamedNode, Quad, RdfFormat, Store, parse

from kb.errors import ShippedFileError
from kb.inference import fixpoint, infer, inference_rules, read_inference_rule, strata
from kb.vocab import PREFIXES, C, CardMinter, Minter, P, inferred_graph

RELEASE = Minter("r").release
RULES = {rule.id: rule for rule in inference_rules()}
_HEAD = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
each_rule = pytest.mark.parametrize("identifier", RULES)
each_case = pytest.mark.parametrize(
    "case", CASES, ids=[f"{case.rule}-{number}" for number, case in enumerate(CASES)]
)


def own_names(case=None):
    """Return the namespace of a case's own nodes, so that no two cases speak of the same."""
    return f"{RELEASE.value}/{CASES.index(case) if case else ''}/"


def quads(turtle, graph=RELEASE, case=None):
    """Return the quads of a release of which some Turtle tells."""
    head = f"{_HEAD}@prefix : <{own_names(case)}> . <{RELEASE.value}> a mtg:Release .\n"
    triples = parse(head + turtle, format=RdfFormat.TURTLE)
    return [Quad(t.subject, t.predicate, t.object, graph) for t in triples]


def with_makers(identifier):
    """Return a rule and all those that make what it uses, at any depth."""
    wanted, found = [identifier], {}
    while wanted:
        rule = RULES[wanted.pop()]
        found[rule.id] = rule
        needed = rule.uses | rule.unless
        wanted += [o.id for o in RULES.values() if o.makes & needed and o.id not in found]
    return list(found.values())


def facts_of(identifier, inferred):
    """Return what a rule concluded: its statements, or its triples where it makes no statement."""
    named = {q.subject for q in inferred if q.predicate == P.INFERRED_BY.node}
    if identifier == "within":
        return {(q.subject, q.object) for q in inferred if q.predicate == P.WITHIN.node}
    return {
        q.subject
        for q in inferred
        if q.predicate == P.INFERRED_BY.node and q.object.value == identifier
    } & named


def holds(pattern, *groups):
    """Tell whether there are nodes for the blank ones of some Turtle, so that it all holds."""
    store = Store()
    store.bulk_extend(chain(*groups))
    return bool(
        store.query(
            f"ASK {{ {pattern} }}",
            prefixes={**PREFIXES, "": own_names()},
            use_default_graph_as_union=True,
        )
    )


EDGES = {P.WITHIN.node, P.EXCEPTION_TO.node}
"""What rules make beside statements."""
ALL_PREMISES = [quad for case in CASES for quad in quads(case.given, case=case)]


@pytest.fixture(scope="module")
def concise_facts(concise):
    """The quads of the concise edition, and its release's IRI."""
    release = Minter(concise.release_name()).release
    return list(concise.store.quads(release)), release


# ---------------------------------------------------------------- each rule by itself


@each_case
def test_a_rule_concludes_this_and_no_more(case):
    given = quads(case.given)
    inferred = infer(given, RELEASE, with_makers(case.rule)).quads
    assert len(facts_of(case.rule, inferred)) == case.count
    assert holds(case.gives, given, inferred)
    assert {quad.graph_name for quad in inferred} == {inferred_graph(RELEASE)}


@pytest.mark.parametrize(
    ("case", "old", "new"), [(case, old, new) for case in CASES for old, new in case.spoiled]
)
def test_a_rule_does_not_fire_where_a_premise_is_spoiled(case, old, new):
    assert old in case.given
    given = quads(case.given.replace(old, new) if old else f"{case.given} {new}")
    assert not facts_of(case.rule, infer(given, RELEASE, with_makers(case.rule)).quads)


@each_rule
def test_a_rule_has_a_case_in_which_it_fires_and_one_in_which_it_does_not(identifier):
    own = [case for case in CASES if case.rule == identifier]
    assert own
    assert all(case.spoiled for case in own)


@each_rule
def test_a_rule_says_nothing_of_nothing(identifier):
    assert not infer(quads(""), RELEASE, with_makers(identifier)).quads


def test_what_the_restart_itself_assigns_is_not_started_anew():
    given = """
        :again mtg:level "chapter" ; mtg:number "7" . :start mtg:number "3" .
        :r dcterms:isPartOf :again ; mtg:number "7.1" ; mtg:position 4 .
        :go dcterms:isPartOf :start ; mtg:number "3.4" ; mtg:position 2 .
        :f mtg:kind "follows" ; mtg:subject :r ; mtg:value :start ; mtg:quote "See 3." .
        :e mtg:kind "ends" ; mtg:subject "game" ; prov:wasQuotedFrom :r .
        :s mtg:kind "starts-with" ; mtg:subject "first player" ; mtg:value "drawn by lot" ;
          mtg:quote "It starts so." ; prov:wasQuotedFrom :go .
        :t mtg:kind "assigned" ; mtg:subject "first player" ; mtg:value "Ann" ;
          mtg:quote "It is Ann." ; prov:wasQuotedFrom :r ."""
    inferred = infer(quads(given), RELEASE).quads
    assert holds('[] mtg:kind "restart-assigned" ; mtg:subject "first player"', inferred)
    assert not holds('[] mtg:kind "restart-resets" ; mtg:subject "first player"', inferred)


def test_what_a_ruling_states_is_joined_with_a_release_in_another_graph():
    (case,) = [case for case in CASES if case.rule == "restart-ruled"]
    release, _, ruling = case.given.partition(":card mtg:name")
    given = quads(release) + quads(f":card mtg:name{ruling}", CardMinter().graph)
    inferred = infer(given, RELEASE).quads
    assert len(facts_of(case.rule, inferred)) == 1
    assert {quad.graph_name for quad in inferred} == {inferred_graph(RELEASE)}


# ---------------------------------------------------------------- what every conclusion has


def derivations(inferred):
    """Return the properties of each inferred statement."""
    found = {}
    for quad in inferred:
        if quad.predicate not in EDGES:
            found.setdefault(quad.subject, {}).setdefault(quad.predicate, []).append(quad.object)
    return found


def assert_well_founded(facts, inferred):
    subjects = {quad.subject for quad in facts} | {quad.subject for quad in inferred}
    sentences = {quad.object for quad in facts}
    statements = derivations(inferred)
    assert statements
    for node, said in statements.items():
        for prop in (P.KIND, P.QUOTE, P.QUOTED_FROM, P.INFERRED_BY, P.SUBJECT, P.VALUE):
            assert len(said[prop.node]) == 1, (node, prop, said)
        assert said[P.TYPE.node] == [C.STATEMENT.node]
        premises = said[P.DERIVED_FROM.node]
        assert set(premises) <= subjects - {node}
        assert premises
        assert said[P.QUOTE.node][0] in sentences
        (rule,) = (RULES[name.value] for name in said[P.INFERRED_BY.node])
        (kind,) = said[P.KIND.node]
        assert kind.value in rule.makes
        assert re.match(rf".*/inferred/{kind.value}/[0-9a-f]{{40}}$", node.value)


def test_every_conclusion_names_its_rule_its_premises_and_its_sentence():
    assert_well_founded(ALL_PREMISES, infer(ALL_PREMISES, RELEASE).quads)


def test_every_conclusion_of_the_concise_edition_does_too(concise_facts):
    facts, release = concise_facts
    assert_well_founded(facts, infer(facts, release).quads)


def test_an_edge_that_was_inferred_has_a_statement_behind_it():
    inferred = infer(ALL_PREMISES, RELEASE).quads
    edges = [quad for quad in inferred if quad.predicate == P.EXCEPTION_TO.node]
    stated = [(s[P.SUBJECT.node][0], s[P.VALUE.node][0]) for s in derivations(inferred).values()]
    assert edges
    assert all((edge.subject, edge.object) in stated for edge in edges)


def test_every_rule_concludes_something_of_all_premises_together():
    given = dict(infer(ALL_PREMISES, RELEASE).by_rule)
    assert set(given) == set(RULES)
    assert min(given.values()) > 0


# ---------------------------------------------------------------- the fixpoint


def both(concise_facts):
    return [(ALL_PREMISES, RELEASE), concise_facts]


def test_inferring_again_gives_the_same(concise_facts):
    for facts, release in both(concise_facts):
        assert infer(facts, release).quads == infer(facts, release).quads


def test_inferring_over_what_was_inferred_adds_nothing(concise_facts):
    for facts, release in both(concise_facts):
        once = infer(facts, release).quads
        again = infer([*facts, *once], release)
        assert again.quads == once
        assert not any(count for _, count in again.by_rule)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rules_and_facts_does_not_matter(seed):
    shuffled = random.Random(seed)  # noqa: S311 - no secret
    rules, facts = list(RULES.values()), list(ALL_PREMISES)
    shuffled.shuffle(rules)
    shuffled.shuffle(facts)
    # A stratum runs its rules by name: other names, another order.
    renamed = [replace(rule, id=f"{n:02}-{rule.id}") for n, rule in enumerate(rules)]
    expected = infer(ALL_PREMISES, RELEASE).quads
    assert infer(facts, RELEASE, rules).quads == expected
    assert infer(facts, RELEASE, renamed).quads == expected


def test_a_rule_runs_after_those_that_make_what_it_uses():
    ran = set()
    for stratum in strata(RULES.values()):
        ran |= {rule.id for rule in stratum}
        for rule in stratum:
            needed = rule.uses | rule.unless
            assert {o.id for o in RULES.values() if o.makes & needed} <= ran
    assert ran == set(RULES)


@each_rule
def test_pasted_as_it_is_a_rule_gives_on_any_store_what_was_inferred(identifier):
    inferred = infer(ALL_PREMISES, RELEASE).quads
    store = Store()
    every = chain(ALL_PREMISES, inferred)
    store.bulk_extend(Quad(q.subject, q.predicate, q.object, DefaultGraph()) for q in every)
    triples = set(store.query(RULES[identifier].sparql))
    assert triples
    assert triples <= {quad.triple for quad in inferred}
    assert all(isinstance(triple.subject, NamedNode) for triple in triples)


# ---------------------------------------------------------------- a rule that goes wrong


def own_rule(identifier, makes, text, *, uses="", unless=""):
    header = f"#+ summary: made up\n#+ makes: {makes}\n#+ uses: {uses}\n#+ unless: {unless}\n"
    return read_inference_rule(identifier, header + text)


RUNAWAY = """CONSTRUCT { ?next mtg:kind "step" } WHERE {
  ?old mtg:kind "step" BIND(IRI(CONCAT(STR(?old), "x")) AS ?next) }"""
DOUBLING = """CONSTRUCT { ?one mtg:kind "step" . ?two mtg:kind "step" } WHERE { ?old mtg:kind "step"
  BIND(IRI(CONCAT(STR(?old), "x")) AS ?one) BIND(IRI(CONCAT(STR(?old), "y")) AS ?two) }"""
ECHO = 'CONSTRUCT { :echo mtg:text "here" } WHERE { [] mtg:kind "step" }'.replace(
    ":echo", f"<{RELEASE.value}/echo>"
)
START = ':first mtg:kind "step" .'


def test_a_rule_that_feeds_itself_for_ever_is_caught_and_named():
    rule = own_rule("endless", "step", RUNAWAY, uses="step")
    with pytest.raises(ShippedFileError) as caught:
        infer(quads(START), RELEASE, [rule])
    assert caught.value.where == "queries/infer/endless.rq"
    assert "runs away" in caught.value.what
    assert str(fixpoint.MOST_ROUNDS) in caught.value.why


def test_a_rule_that_gives_too_much_is_caught_and_named_before_memory_is_full(monkeypatch):
    monkeypatch.setattr(fixpoint, "MOST_QUADS", 100)
    rule = own_rule("doubling", "step", DOUBLING, uses="step")
    with pytest.raises(ShippedFileError, match="over 100 triples") as caught:
        infer(quads(START), RELEASE, [rule])
    assert caught.value.where == "queries/infer/doubling.rq"


def test_of_rules_that_feed_each_other_the_one_that_runs_away_is_named():
    endless = own_rule("a-endless", "step", RUNAWAY, uses="step, echo")
    innocent = own_rule("b-echo", "echo", ECHO, uses="step")
    with pytest.raises(ShippedFileError) as caught:
        infer(quads(START), RELEASE, [endless, innocent])
    assert caught.value.where == "queries/infer/a-endless.rq"


def test_rules_that_feed_each_other_and_end_are_no_runaways():
    one = own_rule("one", "b", 'CONSTRUCT { ?x mtg:kind "b" } { ?x mtg:kind "a" }', uses="a")
    two = own_rule("two", "a", 'CONSTRUCT { ?x mtg:kind "a" } { ?x mtg:kind "b" }', uses="b")
    inferred = infer(quads(':x mtg:kind "a" . :y mtg:kind "b" .'), RELEASE, [one, two])
    assert dict(inferred.by_rule) == {"one": 2, "two": 2}
    assert len(inferred.quads) == 4


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        ([("alone", "p", "", "p")], {"alone"}),
        ([("one", "p", "", "q"), ("two", "q", "p", "")], {"one"}),
        ([("one", "p", "", "q"), ("two", "q", "r", ""), ("three", "r", "p", "")], {"one"}),
        ([("one", "p", "", "q"), ("two", "q", "", "p")], {"one", "two"}),
    ],
)
def test_a_circle_through_an_absence_is_caught_and_named(rules, named):
    made = [own_rule(i, makes, "", uses=uses, unless=unless) for i, makes, uses, unless in rules]
    with pytest.raises(ShippedFileError, match="circle through an absence") as caught:
        strata(made)
    assert caught.value.where in {f"queries/infer/{name}.rq" for name in named}


def test_a_circle_without_an_absence_is_one_stratum():
    made = [own_rule("a", "p", "", uses="q"), own_rule("b", "q", "", uses="p")]
    made.append(own_rule("c", "r", "", unless="p"))
    assert [[rule.id for rule in stratum] for stratum in strata(made)] == [["a", "b"], ["c"]]


@pytest.mark.parametrize("header", ["#+ summary: all", "#+ makes: step", "", "#+ makes:\n#+ x: y"])
def test_a_header_without_summary_or_makes_is_refused(header):
    with pytest.raises(ShippedFileError, match="header is wrong") as caught:
        read_inference_rule("odd", f"{header}\n{RUNAWAY}")
    assert caught.value.where == "queries/infer/odd.rq"
