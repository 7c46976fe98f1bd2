"""Several releases in one knowledge base, and what a question finds far away."""

from __future__ import annotations

import pytest
from conftest import official, shared
from tools import RULES, rulebook, written

from kb import resources
from kb.errors import NotFoundError, SourceError
from kb.knowledge import KnowledgeBase, build

CIRCLE = """\
100. General
100.1. First. See rule 100.2.
100.2. Second. See rules 100.3 and 100.4.
100.3. Third. See rule 100.1.
100.4. Fourth. See rule 100.5.
100.5. Fifth. See rules 100.5 and 100.4.
100.6. Sixth. See rule 100.7.
100.7. Seventh. Nothing is cited."""
MAY, JUNE = "2031-05-01", "2031-06-01"


@pytest.fixture
def texts(tmp_path):
    """Texts of our own: two dates, another text of the first date, a concise one."""
    turned = RULES.replace("has steps", "has phases")
    return {
        "may": written(tmp_path, "may.txt", rulebook()),
        "other may": written(tmp_path, "other.txt", rulebook(turned)),
        "june": written(tmp_path, "june.txt", rulebook(turned, date="June 1, 2031")),
        "concise": written(
            tmp_path, "concise.txt", rulebook(date="July 1, 2031", title="Rules, Concise Edition")
        ),
    }


def names(kb):
    return [summary["name"] for summary in kb.releases]


def lines(kb):
    """Return a knowledge base as sorted N-Quads."""
    return sorted(str(quad) for graph in kb.graph_names() for quad in kb.store.quads(graph))


def far(kb, question, rule):
    rows = kb.ask(question, {"rule": rule, "transitive": "true"}).rows
    return [(row["rule"], row["distance"]) for row in rows]


def test_two_releases_keep_their_own_texts(texts, tmp_path):
    build([texts["june"], texts["may"]], tmp_path / "kb")
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert names(kb) == [MAY, JUNE]
    assert kb.release_name() == kb.release_name("latest") == JUNE
    assert kb.rule("101.1").text.startswith("A turn has phases.")
    assert kb.rule("101.1", MAY).text.startswith("A turn has steps.")
    assert kb.ask("cited-by", {"rule": "101.1"}, MAY).release == MAY
    (found,) = kb.sparql("SELECT ?n { ?r a mtg:Release ; mtg:name ?n }", MAY)
    assert found["n"].value == MAY


def test_a_query_may_name_its_graphs(texts, tmp_path):
    build([texts["may"], texts["june"]], tmp_path / "kb")
    kb = KnowledgeBase.open(tmp_path / "kb")
    graph = kb.graph_names(MAY)[0]
    select = "SELECT ?n {} {{ ?r a mtg:Release ; mtg:name ?n }}"
    (found,) = kb.sparql(select.format(f"FROM {graph}"))
    assert found["n"].value == MAY
    (row,) = kb.sparql("SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ?s a mtg:Release } }")
    assert row["n"].value == "3"  # two releases, and the history of both


def test_a_release_that_is_not_there_is_answered_with_those_that_are(texts, tmp_path):
    build([texts["may"], texts["june"]], tmp_path / "kb")
    with pytest.raises(NotFoundError, match="no release 1999-01-01 here") as caught:
        KnowledgeBase.open(tmp_path / "kb").release_name("1999-01-01")
    assert MAY in caught.value.hint
    assert JUNE in caught.value.hint


def test_a_release_can_be_added(texts, tmp_path):
    build([texts["may"]], tmp_path / "kb")
    report = build([texts["june"]], tmp_path / "kb", add=True)
    assert ([r["name"] for r in report.releases], list(report.kept)) == ([JUNE], [MAY])
    kb = KnowledgeBase.open(tmp_path / "kb")
    build([texts["may"], texts["june"]], tmp_path / "both")
    assert lines(kb) == lines(KnowledgeBase.open(tmp_path / "both"))
    assert names(kb) == [MAY, JUNE]


def test_without_add_the_old_releases_go(texts, tmp_path):
    build([texts["may"]], tmp_path / "kb")
    report = build([texts["june"]], tmp_path / "kb")
    assert report.kept == ()
    assert names(KnowledgeBase.open(tmp_path / "kb")) == [JUNE]


def test_adding_to_nothing_is_building(texts, tmp_path):
    assert build([texts["may"]], tmp_path / "kb", add=True).kept == ()
    assert names(KnowledgeBase.open(tmp_path / "kb")) == [MAY]


def test_adding_a_release_again_keeps_one(texts, tmp_path):
    build([texts["may"]], tmp_path / "kb")
    before = lines(KnowledgeBase.open(tmp_path / "kb"))
    build([texts["may"]], tmp_path / "kb", add=True)
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert (names(kb), lines(kb)) == ([MAY], before)


def test_a_text_given_twice_is_read_once(texts, tmp_path):
    again = written(tmp_path, "again.txt", texts["may"].read_text(encoding="utf-8"))
    report = build([texts["may"], again], tmp_path / "kb")
    assert report.repeated == ("again.txt",)
    assert names(KnowledgeBase.open(tmp_path / "kb")) == [MAY]


def test_two_texts_of_one_date_get_two_names(texts, tmp_path):
    report = build([texts["may"], texts["other may"]], tmp_path / "kb")
    kb = KnowledgeBase.open(tmp_path / "kb")
    first, second = names(kb)
    assert first == MAY
    assert second.startswith(f"{MAY}-")
    assert {kb.rule("101.1", name).text[:13] for name in names(kb)} == {
        "A turn has st",
        "A turn has ph",
    }
    assert len(report.releases) == 2


def test_an_official_text_is_asked_before_a_concise_one(texts, tmp_path):
    build([texts["concise"], texts["may"]], tmp_path / "kb")
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert names(kb) == ["2031-07-01-concise", MAY]
    assert kb.release_name() == MAY
    assert kb.release_name("concise") == kb.release_name("2031-07-01") == "2031-07-01-concise"


def test_a_date_that_two_editions_share_means_the_official_one(texts, tmp_path):
    concise = rulebook(title="Rules, Concise Edition")
    build([texts["may"], written(tmp_path, "c.txt", concise)], tmp_path / "kb")
    assert KnowledgeBase.open(tmp_path / "kb").release_name(MAY) == MAY


@pytest.mark.parametrize(
    ("content", "message", "hint"),
    [
        ("", "empty", "download"),
        ("Dear reader,\n\nthis is a letter.\n", "no rulebook", "Comprehensive Rules"),
        (rulebook(date="some day"), "no effective date", "--effective"),
        (rulebook().partition("\nGlossary\n\nDraw")[0], "ends before its glossary", "--damaged"),
    ],
    ids=["empty", "letter", "no date", "cut"],
)
def test_a_file_that_is_no_rulebook_is_refused(tmp_path, content, message, hint):
    path = written(tmp_path, "bad.txt", content)
    with pytest.raises(SourceError, match=message) as caught:
        build([path], tmp_path / "kb")
    assert caught.value.where == str(path)
    assert hint in caught.value.hint
    assert not (tmp_path / "kb" / "CURRENT").exists()


def test_a_cut_text_is_read_where_that_is_asked_for(tmp_path):
    path = written(tmp_path, "cut.txt", rulebook().partition("\nGlossary\n\nDraw")[0])
    build([path], tmp_path / "kb", damaged=True)
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert kb.rule("101.3").text == "Nothing else happens."
    assert "truncated" in {problem.kind for problem in kb.problems()}


def test_built_twice_it_is_the_same(texts, tmp_path, concise):
    order = [texts["may"], texts["june"]]
    build(order, tmp_path / "one")
    build(order[::-1], tmp_path / "two")
    one, two = (KnowledgeBase.open(tmp_path / name) for name in ("one", "two"))
    assert lines(one) == lines(two)
    assert one.store.manifest == two.store.manifest
    build([resources.path("rules/concise-edition.txt")], tmp_path / "again")
    assert lines(KnowledgeBase.open(tmp_path / "again")) == lines(concise)


def test_another_base_changes_the_iris_and_nothing_else(texts, tmp_path):
    build([texts["may"]], tmp_path / "one")
    build([texts["may"]], tmp_path / "two", base="https://rules.example/x/")
    one, two = (KnowledgeBase.open(tmp_path / name) for name in ("one", "two"))
    assert two.rule("100.1").iri == f"https://rules.example/x/cr/{MAY}/rule/100.1"
    moved = [
        line.replace("https://mtgkb.example/", "https://rules.example/x/").replace(
            "https://rules.example/x/ns#", "https://mtgkb.example/ns#"
        )
        for line in lines(one)
    ]
    assert sorted(moved) == lines(two)


def test_progress_is_told_to_its_end(texts, tmp_path):
    told = []
    build([texts["may"]], tmp_path / "kb", progress=lambda *step: told.append(step))
    assert told[0][0] == "reading may.txt"
    assert told[-1][1] == told[-1][2]
    assert all(done <= total for _, done, total in told)


@pytest.mark.parametrize(
    ("question", "rule", "found"),
    [
        ("cites", "100.1", [("100.2", 1), ("100.3", 2), ("100.4", 2), ("100.5", 3)]),
        ("cites", "100.4", [("100.5", 1)]),
        ("cites", "100.6", [("100.7", 1)]),
        ("cites", "100.7", []),
        ("cited-by", "100.1", [("100.3", 1), ("100.2", 2)]),
        ("cited-by", "100.7", [("100.6", 1)]),
    ],
)
def test_what_is_cited_far_away_has_its_distance(tmp_path, question, rule, found):
    build(
        [written(tmp_path, "a.txt", rulebook(CIRCLE, glossary="Sixth\nA rule."))], tmp_path / "kb"
    )
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert far(kb, question, rule) == found


def test_a_glossary_entry_cites_as_a_rule_does(tmp_path):
    build([written(tmp_path, "a.txt", rulebook())], tmp_path / "kb")
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert far(kb, "cites", "glossary:Draw")[0] == ("100.1a", 1)
    assert ("glossary:Draw", 2) in far(kb, "cited-by", "101.2")


@pytest.mark.exhaustive
def test_an_official_release_built_twice_is_the_same(tmp_path, newest):
    cards = shared("cards/AtomicCards.sample.json")
    build([official()], tmp_path / "again", cards=[cards])
    assert lines(KnowledgeBase.open(tmp_path / "again")) == lines(newest)
