"""Every `.rq` file: what its header says holds, it runs anywhere, and it has an answer."""

from __future__ import annotations

import re

import pyoxigraph
import pytest
from conftest import TOP
from pyoxigraph import DefaultGraph, Quad, QuerySolutions
from rdflib.plugins.sparql import prepareQuery
from tools import RULES, rulebook, written

from kb.knowledge import KnowledgeBase, build
from kb.queries import catalogue, refuse_unsafe
from kb.vocab import PREFIXES

QUESTIONS = catalogue()
_CARDS = {"Card", "Keyword", "Concept"}
ON_CARDS = {q.id for q in QUESTIONS.values() if _CARDS & {p.type for p in q.parameters}}
# Of history, which one release does not have: tests/test_history.py asks these.
_OF_RELEASES = {"Number", "Release", "Words"}
ON_HISTORY = {q.id for q in QUESTIONS.values() if _OF_RELEASES & {p.type for p in q.parameters}}
OF_THE_TEXT = [name for name in QUESTIONS if name not in ON_CARDS | ON_HISTORY]
EVIDENCE = ("rule", "from", "ruling")
# Columns in which nothing is an answer: a phase that has no steps, a step without exceptions.
MAY_LACK = {"step", "exception", "suggestion"}
_OPAQUE = re.compile(r'"(?:[^"\\\n]|\\.)*"|<[^<>\s]*>|#[^\n]*')
# The queries of the documents, as `mtgkb sparql` is given them there.
SHOWN = [
    query
    for page in sorted((TOP / "docs").glob("*.md"))
    for query in re.findall(r"mtgkb sparql '([^']+)'", page.read_text(encoding="utf-8"))
]
each = pytest.mark.parametrize("identifier", QUESTIONS)
each_of_the_text = pytest.mark.parametrize("identifier", OF_THE_TEXT)


def body(identifier):
    """Return a query without its strings, IRIs and comments."""
    return _OPAQUE.sub(" ", QUESTIONS[identifier].sparql)


@pytest.fixture(scope="module")
def bare(concise):
    """A store that holds the concise edition's graph as its default graph, nothing else."""
    store = pyoxigraph.Store()
    for graph in concise.graph_names():
        store.extend(
            Quad(quad.subject, quad.predicate, quad.object, DefaultGraph())
            for quad in concise.store.quads(graph)
        )
    return store


@pytest.fixture(scope="module")
def samples(concise_reading):
    """A value for each type of parameter, with which every question has an answer."""
    place, citation = next(
        (place, citation)
        for place, citation in concise_reading.citations
        if place.kind == "rule" and not place.example and citation.form == "rule"
    )
    example = next(
        example.text
        for rule in concise_reading.rulebook.rules
        for example in rule.examples
        if re.match(r"[A-Z]\w+ [A-Z]\w+ ", example.text)
    )
    return {
        "cites": {"rule": place.name},
        "cited-by": {"rule": citation.numbers[0]},
        "examples-with-card": {"card": " ".join(example.split()[:2])},
        "subtypes": {"type": "land"},
    }


@each
def test_a_header_is_whole(identifier):
    asked = QUESTIONS[identifier]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", identifier)
    assert asked.summary[0].islower() or asked.summary[0].isdigit()
    assert asked.key
    assert set(asked.key) <= {name for name, _ in asked.columns}
    columns = set(dict(asked.columns))
    assert {"quote", "text", "new"} & columns, "a row without the sentence it rests on"
    assert {*EVIDENCE, "card", "number", "release"} & columns, "a row without what says so"
    assert re.fullmatch(r"\w+", asked.because)
    assert asked.because not in columns, "what a row rests on is told by --explain"


def test_every_line_of_a_header_is_one_that_is_read():
    known = {"summary", "params", "columns", "key", "also", "follow", "because"}
    for asked in QUESTIONS.values():
        names = re.findall(r"^#\+ *(\w+)", asked.sparql, re.MULTILINE)
        assert set(names) <= known, asked.id
        once = [name for name in names if name != "also"]
        assert len(once) == len(set(once)), asked.id


def variable(parameter):
    """Return a parameter's name as a query's variable has it."""
    return parameter.name.replace("-", "_")


@each
def test_it_parses_with_two_engines_and_only_reads(identifier):
    asked = QUESTIONS[identifier]
    refuse_unsafe(asked.sparql)
    assert isinstance(pyoxigraph.Store().query(asked.sparql), QuerySolutions)
    assert prepareQuery(asked.sparql).algebra.name == "SelectQuery"


@each
def test_it_selects_the_columns_that_it_declares_and_what_a_row_rests_on(identifier):
    asked = QUESTIONS[identifier]
    selected = [v.value for v in pyoxigraph.Store().query(asked.sparql).variables]
    assert selected == [*(name for name, _ in asked.columns), asked.because]


@each
def test_it_is_ordered(identifier):
    assert re.search(r"\}\s*(GROUP BY [^{}]*)?ORDER BY [^{}]+$", body(identifier))


@each
def test_its_prefixes_are_written_out(identifier):
    declared = dict(
        re.findall(r"^PREFIX (\w+): <([^>]+)>$", QUESTIONS[identifier].sparql, re.MULTILINE)
    )
    rest = re.sub(r"PREFIX \w+:", " ", body(identifier))
    assert set(re.findall(r"(?<![\w?])(\w+):\w", rest)) <= set(declared)
    assert declared.items() <= PREFIXES.items()


@each
def test_each_parameter_has_one_place_and_each_place_a_parameter(identifier):
    asked = QUESTIONS[identifier]
    flags = [p for p in asked.parameters if p.type == "Boolean"]
    texts = [variable(p) for p in asked.parameters if p.type != "Boolean"]
    # The flag of a question that is asked again and again is read outside the query.
    read = [] if asked.follow else [variable(p) for p in flags]
    places = re.findall(r"VALUES \?param_(\w+) \{ UNDEF \}", asked.sparql)
    # What is read of two releases stands in a query for each.
    assert sorted(set(places) if identifier in ON_HISTORY else places) == sorted(texts)
    assert sorted(re.findall(r"VALUES \?param_(\w+) \{ false \}", asked.sparql)) == sorted(read)
    assert set(re.findall(r"\?param_(\w+)", body(identifier))) == {*texts, *read}
    assert {p.default for p in flags} <= {"false"}, "what a flag adds is added when asked for"
    if asked.follow:
        assert asked.follow[0] in texts
        assert asked.follow[1] in dict(asked.columns)


@each
def test_no_two_questions_answer_to_one_phrase(identifier):
    phrases = {p for other in QUESTIONS.values() if other.id != identifier for p in other.also}
    assert not phrases & set(QUESTIONS[identifier].also)


@each
def test_pasted_as_it_is_it_runs_on_any_store(identifier, bare, concise):
    asked = QUESTIONS[identifier]
    solutions = list(bare.query(asked.sparql))
    needs_more = "GRAPH ?history" in asked.sparql
    if not needs_more and all(p.default is not None for p in asked.parameters):
        assert len(solutions) == len(concise.ask(identifier).rows)


@each_of_the_text
def test_it_has_an_answer_in_the_concise_edition(identifier, concise, samples):
    rows = concise.ask(identifier, samples.get(identifier, {})).rows
    if identifier == "broken-references":
        assert rows == ()
    else:
        assert rows


@each_of_the_text
def test_every_row_quotes_the_text_to_the_letter(identifier, concise, concise_reading, samples):
    book = concise_reading.rulebook
    texts = {str(rule.number): [rule.text, *(e.text for e in rule.examples)] for rule in book.rules}
    texts |= {f"glossary:{t.heading.text}": [t.text] for t in book.terms}
    every = "\n".join(line for lines in texts.values() for line in lines)
    kinds = dict(QUESTIONS[identifier].columns)
    for row in concise.ask(identifier, samples.get(identifier, {})).rows:
        assert row["quote"] in every, row
        numbers = {n: row[n] for n, kind in kinds.items() if kind == "number"}
        assert {n for n, number in numbers.items() if number not in texts} <= MAY_LACK, row
        assert any(row.get(name) in texts for name in EVIDENCE), row
        lacking = {n for n in QUESTIONS[identifier].key if row[n] is None}
        assert lacking <= MAY_LACK, row


@each_of_the_text
def test_every_row_rests_on_what_the_graph_can_explain(identifier, concise, samples):
    answer = concise.ask(identifier, samples.get(identifier, {}))
    assert len(answer.because) == len(answer.rows)
    for row, nodes in zip(answer.rows, answer.because, strict=True):
        assert nodes, row
        for node in nodes:
            assert all(fact.quote for fact in ends(concise.explain(node))), row


def ends(fact):
    """Yield the facts that a chain of reasons ends in: what nothing else is a premise of."""
    if not fact.premises:
        assert fact.inferred_by is None, fact
        yield fact
    for premise in fact.premises:
        yield from ends(premise)


def test_rows_are_told_apart_by_their_keys(concise, samples):
    for identifier in OF_THE_TEXT:
        rows = concise.ask(identifier, samples.get(identifier, {})).rows
        keys = {tuple(row[name] for name in QUESTIONS[identifier].key) for row in rows}
        assert len(keys) == len(rows), identifier


@pytest.mark.parametrize("query", SHOWN)
def test_each_query_that_the_documents_show_has_an_answer(query, concise):
    assert list(concise.sparql(query))


def test_broken_references_are_found_in_a_text_that_has_some(tmp_path):
    rules = (
        RULES
        + "\n101.4. Something else. See rule 101.9. See rule 100, “Turning.”"
        + "\n101.5. All is well. See rule 101, “Turning.”"
    )
    build([written(tmp_path, "a.txt", rulebook(rules))], tmp_path / "kb")
    rows = KnowledgeBase.open(tmp_path / "kb").ask("broken-references").rows
    found = [(row["from"], row["cited"], row["fault"], row["suggestion"]) for row in rows]
    assert found == [
        ("101.4", "101.9", "missing", None),
        ("101.4", "100", "title", "101"),
    ]
