"""Builds with a history: of all releases at once, one after another, of texts for it alone."""

from __future__ import annotations

import pytest
from history_rulebook import BOOK, MIDDLE, NEW, OLD, RULES, release_file, release_text
from tools import rulebook, written

from kb.errors import SourceError
from kb.knowledge import KnowledgeBase, build
from kb.vocab import HistoryMinter


def history_in(folder):
    """Return the quads of a knowledge base's history, as text, without its releases in full."""
    kb = KnowledgeBase.open(folder)
    quads = {str(quad) for quad in kb.store.quads(HistoryMinter().graph)}
    kb.close()
    return {quad for quad in quads if not quad.startswith("<https://mtgkb.example/cr/20")} | {
        quad for quad in quads if "/ns#" in quad
    }


def links_in(folder):
    """Return which rules of releases in full are linked to which over all releases."""
    kb = KnowledgeBase.open(folder)
    rows = kb.sparql(
        "SELECT ?rule ?identity { GRAPH ?h { ?rule dcterms:isVersionOf ?identity "
        "FILTER NOT EXISTS { ?rule a ?class } } }"
    )
    links = {tuple(term.value.rpartition("/id/")[2] for term in row) for row in rows}
    kb.close()
    return {(rule.partition("/cr/")[2], identity) for rule, identity in links}


def manifest_in(folder):
    kb = KnowledgeBase.open(folder)
    kb.close()
    return kb.store.manifest


@pytest.fixture
def files(tmp_path):
    """The files of the three small releases."""
    return {name: release_file(tmp_path, name) for name in RULES}


def test_releases_in_full_and_for_history_alone_have_the_same_history(tmp_path, files):
    build(files.values(), tmp_path / "full")
    build([files[NEW]], tmp_path / "newest", history=[files[MIDDLE], files[OLD]])
    assert history_in(tmp_path / "full") == history_in(tmp_path / "newest") != set()
    for folder, full in (("full", [OLD, MIDDLE, NEW]), ("newest", [NEW])):
        manifest = manifest_in(tmp_path / folder)
        assert manifest["history"] == [OLD, MIDDLE, NEW]
        assert [summary["name"] for summary in manifest["releases"]] == full


def test_the_rules_of_releases_in_full_are_linked_to_their_identities(tmp_path, files):
    build([files[NEW]], tmp_path / "kb", history=[files[MIDDLE]])
    links = links_in(tmp_path / "kb")
    assert {rule.partition("/")[0] for rule, _ in links} == {NEW}
    gray = ("rule/101.2", "rule/a-gray-pebble-may-be-moved-to-any")
    assert (f"{NEW}/{gray[0]}", gray[1]) in links
    build([files[OLD]], tmp_path / "kb", add=True)
    assert {rule for rule, _ in links} < {rule for rule, _ in links_in(tmp_path / "kb")}
    assert (f"{OLD}/rule/101.1", gray[1]) in links_in(tmp_path / "kb")


def test_what_is_added_later_gives_the_history_of_all_at_once(tmp_path, files):
    first, second, third = files.values()
    build(files.values(), tmp_path / "all")
    build([first], tmp_path / "kb")
    assert history_in(tmp_path / "kb") == set()
    build([second], tmp_path / "kb", add=True)
    build([third], tmp_path / "kb", add=True)
    assert history_in(tmp_path / "kb") == history_in(tmp_path / "all")


def test_what_is_added_to_texts_for_history_gives_the_history_of_all_at_once(tmp_path, files):
    first, second, third = files.values()
    build(files.values(), tmp_path / "all")
    build([second], tmp_path / "kb", history=[first])
    build([third], tmp_path / "kb", add=True)
    assert history_in(tmp_path / "kb") == history_in(tmp_path / "all")


def test_a_text_for_history_can_be_added_to_what_is_there(tmp_path, files):
    first, second, third = files.values()
    build(files.values(), tmp_path / "all")
    build([third], tmp_path / "kb", history=[second])
    build([], tmp_path / "kb", add=True, history=[first])
    assert history_in(tmp_path / "kb") == history_in(tmp_path / "all")


def test_an_earlier_release_added_last_gives_the_history_of_all_at_once(tmp_path, files):
    build(files.values(), tmp_path / "all")
    build([files[NEW], files[MIDDLE]], tmp_path / "kb")
    build([files[OLD]], tmp_path / "kb", add=True)
    assert history_in(tmp_path / "kb") == history_in(tmp_path / "all")


def test_what_is_added_later_finds_renumbered_references_as_they_are(tmp_path, files):
    build(files.values(), tmp_path / "all")
    build([files[OLD], files[MIDDLE]], tmp_path / "kb")
    build([files[NEW]], tmp_path / "kb", add=True)
    assert history_in(tmp_path / "kb") == history_in(tmp_path / "all")


def test_the_concise_edition_is_in_no_history(tmp_path, files):
    title = "Rules, Concise Edition"
    concise = written(tmp_path, "concise.txt", rulebook(BOOK, date="May 2, 2031", title=title))
    build([concise, files[OLD]], tmp_path / "kb", history=[files[NEW]])
    assert manifest_in(tmp_path / "kb")["history"] == [OLD, NEW]


def test_a_text_given_in_full_and_for_history_counts_once(tmp_path, files):
    build([files[OLD], files[NEW]], tmp_path / "kb", history=[files[OLD], files[NEW]])
    build([files[OLD], files[NEW]], tmp_path / "once")
    assert history_in(tmp_path / "kb") == history_in(tmp_path / "once")


def test_a_text_that_was_for_history_alone_can_be_built_in_full(tmp_path, files):
    build([files[OLD]], tmp_path / "kb", history=[files[NEW]])
    build([files[OLD], files[NEW]], tmp_path / "kb")
    assert [summary["name"] for summary in manifest_in(tmp_path / "kb")["releases"]] == [OLD, NEW]


def test_two_texts_of_one_date_give_one_history_in_either_order(tmp_path, files):
    text = release_text(OLD).replace("seven pebbles", "nine pebbles")
    pair = [files[OLD], written(tmp_path, "other.txt", text)]
    build([files[NEW]], tmp_path / "one", history=pair)
    build([files[NEW]], tmp_path / "other", history=pair[::-1])
    assert history_in(tmp_path / "one") == history_in(tmp_path / "other")


CUT = release_text(MIDDLE).partition("102.1. ")[0]
BAD = {
    "empty": "",
    "no rulebook": "Ann and Ben play with pebbles.\n",
    "without a date": rulebook(RULES[MIDDLE], date="some day"),
    "cut off": CUT,
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_a_broken_text_is_refused_for_history_as_well(tmp_path, files, text):
    bad = written(tmp_path, "bad.txt", text)
    with pytest.raises(SourceError) as in_full:
        build([bad], tmp_path / "kb")
    with pytest.raises(SourceError) as for_history:
        build([files[NEW]], tmp_path / "kb", history=[bad])
    assert str(for_history.value) == str(in_full.value)
    assert not (tmp_path / "kb" / "CURRENT").exists()


def test_a_damaged_text_is_taken_for_history_where_it_is_asked_for(tmp_path, files):
    cut = written(tmp_path, "cut.txt", CUT)
    build([files[NEW]], tmp_path / "kb", history=[cut], damaged=True)
    assert manifest_in(tmp_path / "kb")["history"] == [MIDDLE, NEW]


def test_a_text_for_history_that_is_not_there_is_told(tmp_path, files):
    with pytest.raises(SourceError, match="cannot be read"):
        build([files[NEW]], tmp_path / "kb", history=[tmp_path / "none.txt"])
