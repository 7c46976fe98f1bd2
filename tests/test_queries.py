"""A question's header, its parameters, and what a query of the user's own may not do."""

from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import NotFoundError, QueryError, ShippedFileError, UsageError
from kb.queries import fill_in, question, refuse_unsafe, run
from kb.queries.catalogue import Parameter, read_question
from kb.queries.run import check_parameters

HEADER = """\
#+ summary: which rules are like a rule?
#+ params: {rule: RuleNumber, card: CardName, transitive: Boolean = false}
#+ columns: {rule: number, distance: integer, quote: text}
#+ key: {rule, distance}
#+ because: citation
#+ also: similar rules; rules of one kind
#+ follow: {rule: rule}
SELECT ?rule { VALUES ?param_rule { UNDEF } VALUES ?param_card { UNDEF } } ORDER BY ?rule
"""
ECHO = "SELECT ?param_x WHERE { VALUES ?param_x { UNDEF } } ORDER BY ?param_x"


@pytest.fixture(scope="module")
def asked():
    return read_question("made-up", HEADER)


def test_a_header_is_read(asked):
    assert asked.id == "made-up"
    assert asked.summary == "which rules are like a rule?"
    assert asked.parameters == (
        Parameter("rule", "RuleNumber"),
        Parameter("card", "CardName"),
        Parameter("transitive", "Boolean", "false"),
    )
    assert asked.columns == (("rule", "number"), ("distance", "integer"), ("quote", "text"))
    assert asked.key == ("rule", "distance")
    assert asked.also == ("similar rules", "rules of one kind")
    assert asked.follow == ("rule", "rule")
    assert asked.sparql == HEADER


def test_a_header_may_lack_what_is_optional():
    header = "#+ summary: s\n#+ columns: {a: name}\n#+ key: {a}\n#+ because: b\n"
    bare = read_question("bare", header + "SELECT ?a ?b {}")
    assert (bare.parameters, bare.also, bare.follow) == ((), (), None)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("#+ summary", "# summary", "summary"),
        ("#+ columns", "# columns", "columns"),
        ("#+ key", "#+ keys", "key"),
        ("#+ because", "# because", "because"),
        ("RuleNumber", "Rulenumber", "Rulenumber"),
        ("distance: integer", "distance: float", "float"),
    ],
)
def test_a_wrong_header_names_file_and_fault(old, new, fault):
    with pytest.raises(ShippedFileError, match=fault) as caught:
        read_question("made-up", HEADER.replace(old, new, 1))
    assert caught.value.where == "queries/ask/made-up.rq"


def test_parameters_get_their_defaults(asked):
    values = check_parameters(asked, {"rule": "100.1", "card": "A"})
    assert values == {"rule": "100.1", "card": "A", "transitive": "false"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "made-up needs --rule"),
        ({"rule": "100.1"}, "made-up needs --card"),
        ({"rule": "100.1", "card": "A", "cards": "B"}, "no parameter --cards"),
        ({"rule": "100.1", "card": "A", "transitive": "perhaps"}, "true or false, not 'perhaps'"),
    ],
)
def test_wrong_parameters_are_refused(asked, given, message):
    with pytest.raises(UsageError, match=message):
        check_parameters(asked, given)


@pytest.mark.parametrize("written", ["true", "TRUE", "yes", "1", "false", "No", "0", ""])
def test_a_truth_value_is_taken_in_many_forms(asked, written):
    given = {"rule": "100.1", "card": "A", "transitive": written}
    assert check_parameters(asked, given)["transitive"] == written


def test_an_unknown_parameter_is_answered_with_those_there_are(asked):
    with pytest.raises(UsageError) as caught:
        check_parameters(asked, {"number": "1"})
    assert caught.value.hint == "it takes --rule, --card, --transitive"


def test_an_unknown_question_is_answered_with_the_nearest():
    with pytest.raises(NotFoundError) as caught:
        question("keyword-action")
    assert "keyword-actions" in caught.value.hint


def test_a_question_like_no_other_is_answered_with_where_the_list_is():
    with pytest.raises(NotFoundError) as caught:
        question("0123456789")
    assert caught.value.hint == "mtgkb ask lists the questions"


@given(st.text())
def test_any_string_comes_back_from_a_query_it_was_filled_into(text):
    (solution,) = pyoxigraph.Store().query(fill_in(ECHO, {"x": [text]}))
    assert solution["param_x"] == pyoxigraph.Literal(text)


@pytest.mark.parametrize(
    "text",
    ['"', "\\", "\n", '\\"', '"} } # ', "'''", r"\u0022 } INSERT", r"\1\g<1>", "’“”", "\r\t\0"],
)
def test_quotes_backslashes_and_newlines_are_escaped(text):
    (solution,) = pyoxigraph.Store().query(fill_in(ECHO, {"x": [text]}))
    assert solution["param_x"].value == text


def test_several_values_are_filled_in():
    found = pyoxigraph.Store().query(fill_in(ECHO, {"x": ["b", "a"]}))
    assert [solution["param_x"].value for solution in found] == ["a", "b"]


def test_a_parameter_without_a_place_is_a_fault_of_ours():
    with pytest.raises(ShippedFileError, match="no place for its parameter y"):
        fill_in(ECHO, {"y": ["a"]})


def test_cells_have_the_type_of_their_column():
    columns = "#+ columns: {a: integer, b: name, c: text}\n"
    header = f"#+ summary: s\n{columns}#+ key: {{a}}\n#+ because: b\n"
    asked = read_question("bare", header + 'SELECT ?a ?b ?c { BIND(7 AS ?a) BIND("x" AS ?b) }')
    answer = run(asked, {}, "2031-05-01", pyoxigraph.Store().query)
    assert answer.rows == ({"a": 7, "b": "x", "c": None},)
    assert answer.as_json()["columns"] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { service silent ?x { ?s ?p ?o } }", "SERVICE"),
        ("SELECT*{SERVICE<http://a.example/>{}}", "SERVICE"),
        ("SELECT * { ?s ?p 'a' SERVICE <http://a.example/> {} }", "SERVICE"),
        ("SELECT * { ?s ?p ?o FILTER(?o<5)\n#>\nSERVICE <http://a.example/> {} }", "SERVICE"),
        ("LOAD <http://a.example/>", "LOAD"),
        ("INSERT DATA { <a:a> <a:b> 1 }", "INSERT"),
        ("insert { ?s ?p 1 } where { ?s ?p 2 }", "INSERT"),
        ("DELETE WHERE { ?s ?p ?o }", "DELETE"),
        ("CLEAR ALL", "CLEAR"),
        ("DROP DEFAULT", "DROP"),
        ("CREATE GRAPH <a:a>", "CREATE"),
        ("COPY DEFAULT TO <a:a>", "COPY"),
        ("MOVE DEFAULT TO <a:a>", "MOVE"),
        ("ADD DEFAULT TO <a:a>", "ADD"),
        ("# a remark\nPREFIX a: <a:a#>\nLOAD a:b", "LOAD"),
    ],
)
def test_what_writes_or_reaches_outside_is_refused(query, word):
    with pytest.raises(QueryError, match=f"{word} is refused") as caught:
        refuse_unsafe(query)
    at = query.split("\n")[caught.value.line - 1][caught.value.column - 1 :]
    assert at.upper().startswith(word)


@pytest.mark.parametrize(
    "query",
    [
        'SELECT * { ?s ?p "INSERT a coin, SERVICE included" }',
        "SELECT * { ?s ?p 'DELETE' }",
        'SELECT * { ?s ?p """a "LOAD" of\nDROP """ }',
        "SELECT * { ?s ?p '''it's a\nMOVE''' }",
        'SELECT * { ?s ?p "a \\" CLEAR" }',
        "SELECT * { ?s ?p ?o } # LOAD <http://a.example/>",
        "SELECT * { <http://a.example/SERVICE> ?p <http://a.example/#DROP> }",
        "PREFIX a: <http://a.example/ADD#> SELECT * { ?s a:INSERT ?o }",
        "PREFIX ADD: <http://a.example/> SELECT * { ?s ADD:x ?o }",
        "SELECT ?service $LOAD { ?service ?CREATE $LOAD }",
        'SELECT * { ?s ?p "a"@ADD-US }',
        "PREFIX a: <http://a.example/> SELECT * { ?s a:b-DROP a:b.COPY }",
    ],
)
def test_the_same_words_are_harmless_elsewhere(query):
    refuse_unsafe(query)
    pyoxigraph.Store().query(query)  # each of them is a query
