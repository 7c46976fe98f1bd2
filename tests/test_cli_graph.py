"""The commands that give the graph out: sparql and export, in every form."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest
from pyoxigraph import RdfFormat, parse
from rdflib import Dataset, Graph
from tools import good, mtgkb, rulebook, written

from kb.errors import ExitCode
from kb.knowledge import KnowledgeBase, build

SELECT = "SELECT ?n { ?r mtg:level 'chapter' ; mtg:number ?n } ORDER BY ?n"
CONSTRUCT = "CONSTRUCT { ?r mtg:number ?n } WHERE { ?r mtg:level 'chapter' ; mtg:number ?n }"
W3C = "{http://www.w3.org/2005/sparql-results#}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a knowledge base of two small releases."""
    top = tmp_path_factory.mktemp("graph")
    may = written(top, "may.txt", rulebook())
    june = written(top, "june.txt", rulebook(date="June 1, 2031"))
    build([may, june], top / "kb")
    return top / "kb"


@pytest.fixture(scope="module")
def held(folder):
    """The quads of each release, as lines."""
    kb = KnowledgeBase.open(folder)
    return {
        summary["name"]: {
            str(quad) for graph in kb.graph_names(summary["name"]) for quad in kb.store.quads(graph)
        }
        for summary in kb.releases
    }


def ask(folder, form, query=SELECT, **options):
    return good("sparql", query, "--kb", folder, "--format", form, **options)


def test_a_query_comes_as_text_as_a_file_or_by_standard_input(folder, tmp_path):
    query = written(tmp_path, "chapters.rq", SELECT)
    by_text = ask(folder, "csv")
    assert by_text.split() == ["n", "100", "101"]
    assert ask(folder, "csv", query) == by_text
    assert ask(folder, "csv", "-", given=SELECT) == by_text


def test_solutions_are_a_table(folder):
    printed = good("sparql", SELECT, "--kb", folder)
    assert printed.split() == ["n", "───", "100", "101", "2", "rows"]


def test_solutions_in_json(folder):
    told = json.loads(ask(folder, "json"))
    assert told["head"]["vars"] == ["n"]
    assert [b["n"]["value"] for b in told["results"]["bindings"]] == ["100", "101"]


def test_solutions_in_csv_and_tsv(folder):
    rows = list(csv.reader(io.StringIO(ask(folder, "csv"))))
    assert rows == [["n"], ["100"], ["101"]]
    assert ask(folder, "tsv").split("\n")[:3] == ["?n", '"100"', '"101"']


def test_solutions_in_xml(folder):
    root = ET.fromstring(ask(folder, "xml"))  # noqa: S314 - our own output
    assert [e.text for e in root.iter(f"{W3C}literal")] == ["100", "101"]


def test_an_answer_of_yes_or_no(folder):
    assert good("sparql", "ASK { ?r mtg:number '101' }", "--kb", folder) == "yes\n"
    assert good("sparql", "ASK { ?r mtg:number '999' }", "--kb", folder) == "no\n"
    assert json.loads(ask(folder, "json", "ASK { ?r mtg:number '101' }"))["boolean"] is True


@pytest.mark.parametrize(("query", "form"), [(SELECT, "ttl"), (CONSTRUCT, "csv")])
def test_a_form_that_the_kind_of_query_lacks_is_a_usage_error(folder, query, form):
    done = mtgkb("sparql", query, "--kb", folder, "--format", form)
    assert done.returncode == ExitCode.USAGE
    assert f"no format '{form}'" in done.stderr


def test_a_query_is_asked_of_the_release_named(folder):
    query = "SELECT ?n { ?r a mtg:Release ; mtg:name ?n }"
    assert ask(folder, "csv", query).split() == ["n", "2031-06-01"]
    for release in ("2031-05-01", "2031-06-01"):
        printed = good("sparql", query, "--kb", folder, "--format", "csv", "--release", release)
        assert printed.split() == ["n", release]


@pytest.mark.parametrize(
    "query",
    [
        "INSERT DATA { <a:a> <a:b> 1 }",
        "SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p",
    ],
)
def test_a_refused_query_names_line_and_column_as_data(folder, query):
    done = mtgkb("sparql", "-", "--kb", folder, "--format", "json", given=f"# mine\n{query}")
    assert (done.returncode, done.stdout) == (ExitCode.QUERY, "")
    told = json.loads(done.stderr)
    assert (told["error"], told["where"]) == ("QueryError", "query")
    assert told["why"]
    if "refused" in told["what"]:
        assert told["line"] == 2


def test_export_of_all_is_sorted_quads(folder, held):
    lines = good("export", "--kb", folder).splitlines()
    assert lines == sorted(lines)
    quads = {str(quad) for quad in parse("\n".join(lines), format=RdfFormat.N_QUADS)}
    assert quads == held["2031-05-01"] | held["2031-06-01"]


@pytest.mark.parametrize("form", ["nq", "nquads", "jsonld", "json-ld", "json"])
def test_export_of_one_release_is_read_back(folder, held, form):
    text = good("export", "--kb", folder, "--release", "2031-05-01", "--format", form)
    kind = RdfFormat.N_QUADS if form.startswith("nq") else RdfFormat.JSON_LD
    assert {str(quad) for quad in parse(text, format=kind)} == held["2031-05-01"]


@pytest.mark.parametrize("form", ["ttl", "turtle"])
def test_export_in_turtle_is_of_one_release(folder, held, form):
    text = good("export", "--kb", folder, "--format", form)
    triples = {str(quad.triple) for quad in parse(text, format=RdfFormat.TURTLE)}
    assert len(triples) == len(held["2031-06-01"])
    assert 'mtg:name "2031-06-01"' in text
    assert len(Graph().parse(data=text, format="turtle")) == len(triples)


# rdflib's own reader of N-Quads uses a name that rdflib has deprecated.
@pytest.mark.filterwarnings("ignore:Dataset.default_context is deprecated:DeprecationWarning")
def test_rdflib_reads_an_export_of_quads(folder, held):
    dataset = Dataset()
    dataset.parse(data=good("export", "--kb", folder), format="nquads")
    assert sum(1 for _ in dataset.quads()) == sum(map(len, held.values()))


def test_export_writes_a_file(folder, tmp_path):
    path = tmp_path / "graph.nq"
    assert good("export", "--kb", folder, "--output", path) == ""
    assert path.read_text(encoding="utf-8") == good("export", "--kb", folder)


def test_export_into_no_folder_is_reported(folder, tmp_path):
    done = mtgkb("export", "--kb", folder, "-o", tmp_path / "none" / "graph.nq")
    assert done.returncode == ExitCode.STORE
    assert "graph.nq" in done.stderr


def test_exported_twice_it_is_the_same(folder):
    for form in ("nq", "ttl", "jsonld"):
        arguments = ("export", "--kb", folder, "--release", "2031-06-01", "--format", form)
        assert good(*arguments) == good(*arguments), form
