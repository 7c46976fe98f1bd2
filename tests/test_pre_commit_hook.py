"""The hook for pre-commit: it can be read, and what it calls runs as pre-commit runs it."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING

from conftest import TOP
from history_rulebook import NEW, OLD, release_file
from tools import mtgkb, written

from kb.knowledge import build

if TYPE_CHECKING:
    from pathlib import Path

HOOKS = TOP / ".pre-commit-hooks.yaml"
_FIELD = re.compile(r'(?:- |  )([a-z_]+): (".*"|\[.*\]|true|false)')


def hook() -> dict[str, object]:
    """Return the one hook; it is written in the part of YAML that is JSON as well."""
    lines = HOOKS.read_text(encoding="utf-8").splitlines()
    fields = [line for line in lines if not line.startswith("#")]
    assert [line.startswith("- ") for line in fields] == [True] + [False] * (len(fields) - 1)
    matches = [_FIELD.fullmatch(line) for line in fields]
    assert None not in matches
    return {match[1]: json.loads(match[2]) for match in matches if match}


def test_it_has_what_pre_commit_demands() -> None:
    found = hook()
    assert {"id", "name", "entry", "language"} <= set(found)
    assert (found["id"], found["language"]) == ("mtgkb-citations", "python")
    assert found["types"] == ["text"]


def test_its_entry_runs_with_a_users_arguments_and_the_files_of_a_commit(tmp_path: Path) -> None:
    home = tmp_path / "home"
    build([release_file(tmp_path, NEW)], home / "kb", history=[release_file(tmp_path, OLD)])
    page = written(tmp_path, "page.md", "CR 101.1\n")
    fine = written(tmp_path, "fine.md", "CR 100.1\n")
    command, *words = shlex.split(str(hook()["entry"]))
    assert command == "mtgkb"
    ran = mtgkb(*words, "--from", OLD, fine, page, home=home)
    assert (ran.returncode, ran.stdout.count(": moved: ")) == (1, 1)
    assert mtgkb(*words, fine, home=home).returncode == 0


def test_without_a_knowledge_base_it_says_how_to_make_one(tmp_path: Path) -> None:
    page = written(tmp_path, "page.md", "CR 101.1\n")
    ran = mtgkb(*shlex.split(str(hook()["entry"]))[1:], page, home=tmp_path / "none")
    assert ran.returncode == 5
    assert "mtgkb build" in ran.stderr


def test_a_source_distribution_has_it() -> None:
    assert f'"{HOOKS.name}"' in (TOP / "pyproject.toml").read_text(encoding="utf-8")
