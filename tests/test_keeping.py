"""What a knowledge base keeps when something is added, and when its files are odd."""

from __future__ import annotations

import json

import pytest
from tools import RULES, mtgkb, rulebook, written

from kb.errors import NotFoundError, StoreError, UsageError
from kb.knowledge import KnowledgeBase, build
from kb.store import SCHEMA, open_store


@pytest.fixture
def text(tmp_path):
    return written(tmp_path, "a.txt", rulebook())


@pytest.fixture
def other(tmp_path):
    return written(tmp_path, "b.txt", rulebook(RULES.replace("steps", "parts")))


def names(folder):
    """Return the names of a knowledge base's releases."""
    kb = KnowledgeBase.open(folder)
    found = [summary["name"] for summary in kb.releases]
    kb.close()
    return found


def test_what_is_added_gets_the_base_of_what_is_there(tmp_path, text):
    later = written(tmp_path, "later.txt", rulebook(date="June 1, 2031"))
    build([text], tmp_path / "kb", base="https://x.example/")
    build([later], tmp_path / "kb", add=True)
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert kb.rule("100.1", "2031-05-01").iri.startswith("https://x.example/")
    assert kb.rule("100.1", "2031-06-01").iri.startswith("https://x.example/")
    kb.close()


def test_another_base_is_refused_where_releases_are_kept(tmp_path, text, other):
    build([text], tmp_path / "kb", base="https://x.example/")
    with pytest.raises(UsageError, match="has the base"):
        build([other], tmp_path / "kb", add=True, base="https://y.example/")


def test_another_text_of_one_date_does_not_take_its_place(tmp_path, text, other):
    build([text], tmp_path / "kb")
    build([other], tmp_path / "kb", add=True)
    assert len(set(names(tmp_path / "kb"))) == 2


def test_two_concise_texts_of_one_date_have_two_names(tmp_path):
    title = "Rules, Concise Edition"
    first = written(tmp_path, "a.txt", rulebook(title=title))
    second = written(tmp_path, "b.txt", rulebook(RULES.replace("steps", "parts"), title=title))
    build([first, second], tmp_path / "kb")
    assert len(set(names(tmp_path / "kb"))) == 2


def test_a_build_of_what_is_there_does_nothing_unless_forced(tmp_path, text):
    build([text], tmp_path / "kb")
    before = (tmp_path / "kb" / "CURRENT").read_text()
    assert build([text], tmp_path / "kb").unchanged
    assert (tmp_path / "kb" / "CURRENT").read_text() == before
    assert not build([text], tmp_path / "kb", force=True).unchanged
    assert (tmp_path / "kb" / "CURRENT").read_text() != before


def test_a_build_of_nothing_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no release"):
        build([], tmp_path / "kb")


@pytest.mark.parametrize(
    "content",
    ["[]", "null", f'{{"schema": {SCHEMA}}}', f'{{"schema": {SCHEMA}, "releases": []}}', "{"],
)
def test_a_manifest_of_another_shape_is_told(tmp_path, text, content):
    build([text], tmp_path / "kb")
    next((tmp_path / "kb").glob("kb-*/manifest.json")).write_text(content)
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path / "kb")


def test_a_pointer_that_is_no_text_is_told_and_built_over(tmp_path, text):
    build([text], tmp_path / "kb")
    (tmp_path / "kb" / "CURRENT").write_bytes(b"\xff\xfe")
    with pytest.raises(StoreError, match="no knowledge base"):
        open_store(tmp_path / "kb")
    build([text], tmp_path / "kb")
    assert names(tmp_path / "kb") == ["2031-05-01"]


def test_a_refused_version_is_not_held(tmp_path, text):
    build([text], tmp_path / "kb")
    manifest = next((tmp_path / "kb").glob("kb-*/manifest.json"))
    manifest.write_text(json.dumps({"schema": 99}))
    with pytest.raises(StoreError, match="version 99"):
        open_store(tmp_path / "kb")
    build([text], tmp_path / "kb")
    assert len(list((tmp_path / "kb").glob("kb-*"))) == 1


def test_a_glossary_entry_is_asked_in_any_case_and_an_unknown_one_is_told(tmp_path, text):
    build([text], tmp_path / "kb")
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert kb.ask("cites", {"rule": "glossary:draw"}).rows[0]["rule"] == "100.1a"
    with pytest.raises(NotFoundError, match="no term"):
        kb.ask("cites", {"rule": "glossary:Nope"})
    with pytest.raises(UsageError, match="is empty"):
        kb.ask("examples-with-card", {"card": " "})
    kb.close()


def test_the_letters_beside_a_skipped_one_are_offered(concise):
    with pytest.raises(NotFoundError) as caught:
        concise.rule("704.5l")
    assert "704.5k" in caught.value.hint


def test_a_graph_is_printed_as_turtle(tmp_path, text):
    build([text], tmp_path / "kb")
    query = 'CONSTRUCT { ?r mtg:number "100" } WHERE { ?r mtg:number "100" }'
    done = mtgkb("sparql", query, "--kb", tmp_path / "kb")
    assert done.returncode == 0
    assert 'mtg:number "100"' in done.stdout
