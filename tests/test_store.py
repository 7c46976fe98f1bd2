"""A build swaps a whole generation in or changes nothing; readers keep what they opened."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from tools import many_rules, rulebook, written

from kb.errors import SourceError, StoreError
from kb.knowledge import KnowledgeBase, build
from kb.store import SCHEMA, building, fill, open_store
from kb.vocab import P

OLD, NEW = 6, 40


@pytest.fixture
def texts(tmp_path):
    """Two texts of one date, told apart by how many rules they have."""
    return {n: written(tmp_path, f"{n}.txt", rulebook(many_rules(n))) for n in (OLD, NEW)}


@pytest.fixture
def folder(tmp_path, texts):
    """A knowledge base of the old text."""
    build([texts[OLD]], tmp_path / "kb")
    return tmp_path / "kb"


def rules_in(kb):
    """Return how many rules a knowledge base has, the graph and the manifest agreeing."""
    numbers = [
        quad.object.value
        for quad in kb.store.graph.quads_for_pattern(None, P.NUMBER.node, None)
        if "." in quad.object.value
    ]
    assert len(numbers) == sum(summary["rules"] for summary in kb.releases)
    return len(numbers)


def count(folder):
    kb = KnowledgeBase.open(folder)
    try:
        return rules_in(kb)
    finally:
        kb.close()


def generations(folder):
    return sorted(path.name for path in folder.glob("kb-*"))


def build_that_raises(folder, error):
    with building(folder) as generation:
        fill(generation, [], {"releases": []})
        raise error


def manifest_of(folder):
    return folder / (folder / "CURRENT").read_text().strip() / "manifest.json"


def test_what_is_built_can_be_read(folder):
    assert count(folder) == OLD
    assert generations(folder) == [(folder / "CURRENT").read_text().strip()]


def test_a_new_build_takes_the_place_of_the_old(folder, texts):
    build([texts[NEW]], folder)
    assert count(folder) == NEW
    assert len(generations(folder)) == 1


def test_a_bad_file_beside_a_good_one_leaves_the_old_knowledge_base(folder, texts, tmp_path):
    before = generations(folder)
    bad = written(tmp_path, "bad.txt", "This is a letter, not a rulebook.\n")
    with pytest.raises(SourceError):
        build([texts[NEW], bad], folder)
    assert (generations(folder), count(folder)) == (before, OLD)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, FileNotFoundError])
def test_an_exception_inside_the_block_leaves_the_old_knowledge_base(folder, error):
    before = generations(folder)
    with pytest.raises(error):
        build_that_raises(folder, error)
    assert (generations(folder), count(folder)) == (before, OLD)


def test_a_full_disk_is_told_as_a_store_error(folder):
    with pytest.raises(StoreError, match=r"cannot be written .*No space left") as caught:
        build_that_raises(folder, OSError(28, "No space left on device"))
    assert caught.value.hint == "choose another folder: --kb DIR, or MTGKB_HOME"
    assert count(folder) == OLD


def test_a_second_builder_is_refused_with_a_message(folder, texts):
    with building(folder) as first:
        fill(first, [], {"releases": []})
        with pytest.raises(StoreError, match="another build is at work here"):
            build([texts[NEW]], folder)
        assert count(folder) == OLD
    build([texts[NEW]], folder)
    assert count(folder) == NEW


def test_a_reader_keeps_an_old_generation_alive(folder, texts):
    reader = KnowledgeBase.open(folder)
    held = generations(folder)[0]
    build([texts[NEW]], folder)
    build([texts[NEW]], folder)
    assert held in generations(folder)
    assert (rules_in(reader), count(folder)) == (OLD, NEW)
    reader.close()
    build([texts[NEW]], folder)
    assert held not in generations(folder)
    assert len(generations(folder)) == 1


def test_two_readers_and_a_builder_at_once(folder, texts):
    stop = Event()

    def read():
        seen = []
        while not stop.is_set():
            seen.append(count(folder))
        return seen

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        try:
            for number in (NEW, OLD) * 4:
                build([texts[number]], folder)
        finally:
            stop.set()
        seen = [reader.result() for reader in readers]
    assert all(len(counts) > 2 for counts in seen)
    assert set(seen[0] + seen[1]) == {OLD, NEW}


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_file_in_the_folders_place_is_reported(tmp_path, texts, below):
    place = written(tmp_path, "taken", "a file") / below
    with pytest.raises(StoreError, match="cannot be written") as caught:
        build([texts[OLD]], place)
    assert str(place) in str(caught.value)
    assert (tmp_path / "taken").read_text() == "a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into any folder")
def test_a_folder_without_write_permission_is_reported(folder, texts):
    folder.chmod(0o555)
    try:
        with pytest.raises(StoreError, match="cannot be written"):
            build([texts[NEW]], folder)
        assert count(folder) == OLD
    finally:
        folder.chmod(0o755)


def test_where_nothing_was_built_the_hint_names_the_command(tmp_path):
    with pytest.raises(StoreError, match="no knowledge base here") as caught:
        open_store(tmp_path / "nothing")
    assert "mtgkb build" in caught.value.hint
    assert not (tmp_path / "nothing").exists()


def test_a_store_of_another_version_is_refused_with_a_hint(folder, texts):
    manifest = manifest_of(folder)
    content = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps({**content, "schema": SCHEMA + 1}), encoding="utf-8")
    with pytest.raises(
        StoreError, match=f"version {SCHEMA + 1}, this mtgkb reads {SCHEMA}"
    ) as told:
        open_store(folder)
    assert "build it again" in told.value.hint
    build([texts[NEW]], folder)
    assert count(folder) == NEW


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b'{"schema": 1'])
def test_a_corrupted_manifest_is_refused_with_a_hint(folder, texts, content):
    manifest_of(folder).write_bytes(content)
    with pytest.raises(StoreError, match="cannot be opened") as caught:
        open_store(folder)
    assert "build it again" in caught.value.hint
    build([texts[NEW]], folder)
    assert (count(folder), len(generations(folder))) == (NEW, 1)


@pytest.mark.parametrize("name", ["", "elsewhere", "../kb", "kb-x/../.."])
def test_a_current_that_names_no_generation_is_no_knowledge_base(folder, name):
    (folder / "CURRENT").write_text(name)
    with pytest.raises(StoreError, match="no knowledge base here"):
        open_store(folder)


def test_a_generation_that_is_gone_is_refused_with_a_hint(folder):
    (folder / "CURRENT").write_text("kb-gone")
    with pytest.raises(StoreError, match="cannot be opened") as caught:
        open_store(folder)
    assert "build it again" in caught.value.hint
