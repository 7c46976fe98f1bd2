"""The index of known texts: made once, kept beside the graph, and only if it fits."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import TOP
from small_rulebook import SMALL

from kb.errors import StoreError
from kb.identify import Index, identify
from kb.knowledge import KnowledgeBase, build, kept
from kb.knowledge.once import Once

TEXT = "A pebble that was moved stays on the board. It goes back as follows:"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of a knowledge base of a small rulebook."""
    folder = tmp_path_factory.mktemp("kept")
    text = folder / "small.txt"
    text.write_text(SMALL, encoding="utf-8")
    build([text], folder / "kb")
    return folder / "kb"


@pytest.fixture
def folder(built, tmp_path):
    """That knowledge base as it is after its build."""
    return shutil.copytree(built, tmp_path / "kb")


def told(folder, progress=lambda *_: None):
    """Return what a knowledge base tells of a text when it is opened for that alone."""
    kb = KnowledgeBase.open(folder)
    found = kb.identify(TEXT, progress)
    kb.close()
    return found


def kept_file(folder):
    (file,) = folder.rglob("known.sqlite*")
    return file


def test_the_first_use_keeps_the_index_and_the_next_reads_it(folder):
    steps = []
    first = told(folder, lambda *step: steps.append(step))
    assert first[0][0].matches[0].match == "cut"
    assert [done for _, done, _ in steps] == [0, 1, 2]
    before = kept_file(folder).stat()
    assert told(folder, lambda *_: pytest.fail("made again")) == first
    assert kept_file(folder).stat() == before


def test_made_twice_it_has_the_same_bytes(folder):
    told(folder)
    first = kept_file(folder).read_bytes()
    kept_file(folder).unlink()
    told(folder)
    assert kept_file(folder).read_bytes() == first


def test_one_that_another_mtgkb_made_is_made_again(folder, monkeypatch):
    first = told(folder)
    monkeypatch.setattr(kept, "_stamp", lambda: "another")
    steps = []
    assert told(folder, lambda *step: steps.append(step)) == first
    assert steps
    assert told(folder, lambda *_: pytest.fail("made again")) == first


@pytest.mark.parametrize("content", [b"", b"no database", None])
def test_a_file_that_is_no_index_or_cut_short_is_made_again(folder, content):
    first = told(folder)
    file = kept_file(folder)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if content is None else content)
    assert told(folder) == first
    assert file.read_bytes() == whole


def test_where_it_cannot_be_kept_it_is_made_in_memory(folder, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(kept.tempfile, "mkstemp", refuse)
    assert told(folder)[0][0].matches
    assert not [*folder.rglob("known.sqlite*")]


def test_what_is_damaged_inside_is_told(folder):
    told(folder)
    file = kept_file(folder)
    connection = sqlite3.connect(file)
    connection.execute("DROP TABLE shingle")
    connection.close()
    with pytest.raises(StoreError, match="damaged"):
        identify(f"It is so: {TEXT}", Index.read(file))


def test_a_knowledge_base_opens_it_once_for_all_threads(folder, monkeypatch):
    opened = []
    read = kept.open_index
    monkeypatch.setattr(kept, "open_index", lambda *given: opened.append(given) or read(*given))
    kb = KnowledgeBase.open(folder)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(kb.identify, [TEXT, TEXT[:40], f"{TEXT} {TEXT}"] * 8))
    kb.close()
    assert len(opened) == 1
    assert found[:3] * 8 == found


def test_two_processes_at_once_make_it_both_and_one_stays(folder):
    script = (
        "import sys; from pathlib import Path; from kb.knowledge import KnowledgeBase\n"
        "found, _ = KnowledgeBase.open(Path(sys.argv[1])).identify(sys.argv[2])\n"
        "print(found[0].matches[0].id)"
    )
    command = [sys.executable, "-c", script, str(folder), TEXT]
    running = [subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE) for _ in range(2)]
    answers = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert answers[0] == answers[1] != b""
    assert kept_file(folder).name == "known.sqlite"


def test_what_fails_once_is_tried_again():
    once = Once()
    with pytest.raises(ZeroDivisionError):
        once.get(lambda: 1 // 0)
    assert once.made is None
    assert once.get(lambda: 7) == once.get(lambda: 8) == 7
