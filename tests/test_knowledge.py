"""What can be asked of an open knowledge base, and what it says where it has no answer."""

from __future__ import annotations

import pytest
from pyoxigraph import QueryBoolean, QueryTriples
from rdflib import Literal, URIRef
from tools import RULES, rulebook, written

from kb.errors import NotFoundError, QueryError, UsageError
from kb.knowledge import KnowledgeBase, build

RELEASE = "2026-06-19-concise"


def opened(tmp_path, text, name="kb"):
    build([written(tmp_path, f"{name}.txt", text)], tmp_path / name)
    return KnowledgeBase.open(tmp_path / name)


def test_a_subrule_is_shown_with_its_place(concise):
    view = concise.rule("704.5g")
    assert (view.release, view.rule, view.level, view.title) == (RELEASE, "704.5g", "subrule", None)
    assert view.text.endswith(".")
    assert view.parent.rule == "704.5"
    assert view.children == ()
    assert view.iri.endswith(f"/cr/{RELEASE}/rule/704.5g")


def test_a_rule_is_shown_with_what_is_below_it(concise):
    view = concise.rule("704.5")
    assert (view.level, view.parent.rule, view.parent.text) == (
        "rule",
        "704",
        "State-Based Actions",
    )
    below = [child.rule for child in view.children]
    assert below[:2] == ["704.5a", "704.5b"]
    assert all(number.startswith("704.5") for number in below)


def test_a_chapter_is_shown_with_all_that_is_in_it(concise):
    view = concise.rule("704")
    assert (view.level, view.title, view.text) == ("chapter", *["State-Based Actions"] * 2)
    assert view.parent.rule == "7"
    rule = next(child for child in view.children if child.rule == "704.5")
    assert "704.5a" in [below.rule for below in rule.children]


def test_a_section_lists_its_chapters(concise):
    view = concise.rule("7")
    assert (view.level, view.parent) == ("section", None)
    assert [child.rule for child in view.children][:2] == ["700", "701"]
    assert all(child.children == () for child in view.children)


def test_a_rule_has_its_examples_and_the_references_both_ways(tmp_path):
    rules = RULES.replace("time. See", "time.\nExample: A clock strikes.\n101.2a See")
    kb = opened(tmp_path, rulebook(rules))
    view = kb.rule("101.2")
    assert view.examples == ("A clock strikes.",)
    assert view.cited_by == ("100.1a", "101.1")
    assert kb.rule("100.1a").cites == ("101.2",)
    assert kb.rule("100.1a").cited_by == ("glossary:Draw",)


@pytest.mark.parametrize(
    "written",
    ["704.5g", "704.5g.", "CR 704.5g", "rule 704.5G", "CR:704.5g", " 704.5g ", "cr704.5g"],
)
def test_a_number_is_understood_as_people_write_it(concise, written):
    assert concise.rule(written).rule == "704.5g"


@pytest.mark.parametrize(
    ("written", "number"),
    [("704.", "704"), ("chapter 704", "704"), ("7.", "7"), ("704.5.", "704.5")],
)
def test_a_heading_is_understood_with_its_dot(concise, written, number):
    assert concise.rule(written).rule == number


@pytest.mark.parametrize("written", ["", "seven", "0", "70", "1704", "704.5ghi", "704,5"])
def test_what_is_no_number_is_a_usage_error(concise, written):
    with pytest.raises(UsageError, match="is no rule number") as caught:
        concise.rule(written)
    assert "704.5g" in caught.value.hint


@pytest.mark.parametrize(
    ("written", "near"),
    [("704.99", "704.6"), ("999", "905"), ("100.1c", "100.1b")],
)
def test_a_rule_that_is_not_there_is_answered_with_the_nearest(concise, written, near):
    with pytest.raises(NotFoundError, match=f"{RELEASE} has no rule {written}") as caught:
        concise.rule(written)
    assert near in caught.value.hint.removeprefix("near it: ").split(", ")


def test_a_section_that_is_not_there_is_reported(tmp_path):
    with pytest.raises(NotFoundError, match="has no section 2"):
        opened(tmp_path, rulebook()).rule("2")


@pytest.mark.parametrize("name", ["World Rule", "world rule", "WORLD RULE"])
def test_a_term_is_found_whatever_its_case(concise, name):
    view = concise.term(name)
    assert (view.term, view.heading, view.obsolete) == ("World Rule", "World Rule", False)
    assert view.cites == ("704.5k",)
    assert view.senses[0].startswith("The state-based action")


def test_a_heading_with_two_terms_is_found_by_each(concise):
    assert concise.term("your").heading == concise.term("You").heading == "You, Your"


def test_an_entry_that_only_points_names_its_goal(concise):
    assert concise.term("Y").alias_of == "X"


def test_a_term_with_senses_an_example_and_a_mark(tmp_path):
    glossary = (
        "Bury (Obsolete)\nAn old word. See Draw.\n\n"
        "Draw\n1. To take a card. See rule 100.1a.\n2. The end of a game that nobody wins."
    )
    kb = opened(tmp_path, rulebook(glossary=glossary))
    assert [sense[:2] for sense in kb.term("draw").senses] == ["1.", "2."]
    assert kb.term("draw").cites == ("100.1a",)
    bury = kb.term("bury")
    assert (bury.term, bury.heading, bury.obsolete) == ("Bury", "Bury (Obsolete)", True)


def test_a_term_that_is_not_there_is_answered_with_the_nearest(concise):
    with pytest.raises(NotFoundError, match="has no term 'Worldrule'") as caught:
        concise.term("Worldrule")
    assert "world rule" in caught.value.hint


def test_a_term_like_no_other_gets_no_hint(concise):
    with pytest.raises(NotFoundError) as caught:
        concise.term("0123456789")
    assert caught.value.hint is None


def test_an_answer_has_its_release_and_columns(concise):
    answer = concise.ask("keyword-actions")
    assert (answer.question, answer.release) == ("keyword-actions", RELEASE)
    assert answer.columns == ("keyword", "rule", "quote")
    assert answer.rows[0] == {"keyword": "activate", "rule": "701.2", "quote": "Activate"}
    assert list(answer.as_json()) == ["question", "release", "columns", "rows"]


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        (("cite", {}, None), NotFoundError, "no question 'cite'"),
        (("cites", {}, None), UsageError, "cites needs --rule"),
        (("cites", {"rule": "100.1", "deep": "1"}, None), UsageError, "no parameter --deep"),
        (("cites", {"rule": "a rule"}, None), UsageError, "is no rule number"),
        (("cites", {"rule": "704.99"}, None), NotFoundError, "has no rule 704.99"),
        (("keyword-actions", {}, "1999-01-01"), NotFoundError, "no release 1999-01-01"),
    ],
)
def test_wrong_asking_is_told_from_an_empty_answer(concise, asked, error, message):
    with pytest.raises(error, match=message):
        concise.ask(*asked)


def test_a_parameter_is_understood_as_people_write_it(concise):
    plain = concise.ask("cited-by", {"rule": "704"}).rows
    assert plain
    assert concise.ask("cited-by", {"rule": "CR 704."}).rows == plain


def test_a_rule_that_nothing_cites_has_no_rows(tmp_path):
    assert opened(tmp_path, rulebook()).ask("cited-by", {"rule": "101.3"}).rows == ()


def test_sparql_needs_no_prefixes_and_sees_one_release(concise):
    (row,) = concise.sparql("SELECT (COUNT(*) AS ?n) { ?r a mtg:Rule ; mtg:level 'chapter' }")
    assert int(row["n"].value) == concise.releases[0]["chapters"]
    assert isinstance(concise.sparql("ASK { ?r mtg:number '704' }"), QueryBoolean)
    assert isinstance(concise.sparql("CONSTRUCT WHERE { ?r mtg:number '704' }"), QueryTriples)


@pytest.mark.parametrize("text", ["", "SELECT * {", "SELECT * { ?s none:x ?o }", "what is a rule?"])
def test_a_malformed_query_is_a_query_error(concise, text):
    with pytest.raises(QueryError, match="malformed") as caught:
        concise.sparql(text)
    assert caught.value.why


def test_an_update_is_refused_and_changes_nothing(concise):
    before = len(concise.store.graph)
    with pytest.raises(QueryError, match="DELETE is refused"):
        concise.sparql("DELETE WHERE { ?s ?p ?o }")
    assert len(concise.store.graph) == before


def test_rdflib_sees_the_same_triples_as_the_store(concise):
    graph = concise.graph()
    release = next(iter(concise.graph_names()))
    held = {
        (quad.subject.value, quad.predicate.value, quad.object.value)
        for quad in concise.store.quads(release)
    }
    seen = {tuple(map(str, triple)) for triple in graph}
    assert seen == held
    assert len(graph) == sum(1 for _ in concise.store.quads(release))


def test_rdflib_finds_a_rule_by_its_number(concise):
    number = URIRef("https://mtgkb.example/ns#number")
    (rule,) = concise.graph().subjects(number, Literal("704.5g"))
    assert str(rule) == concise.rule("704.5g").iri


def test_problems_are_told_in_the_order_of_the_text(tmp_path, concise):
    assert concise.problems() == ()
    kb = opened(
        tmp_path, rulebook(RULES.replace("100.1a ", "100.1a. ").replace("101.3. ", "101.3 "))
    )
    first, second = kb.problems()
    assert (first.kind, second.kind) == ("extra-dot", "missing-dot")
    assert first.line < second.line
    assert first.excerpt.startswith("100.1a. A player draws")
    assert kb.releases[0]["problems"] == 2
