"""The wheel holds what mtgkb needs, and answers from wherever it is installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile

import pytest
from conftest import TOP

pytestmark = pytest.mark.exhaustive

SHIPPED = ("grammar", "queries", "rules")


def run(*command, cwd):
    """Run a command that must end well, and return what it printed."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "MTGKB_HOME")}
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet")
    run(*pip, "--wheel-dir", folder, TOP, cwd=folder)
    (found,) = folder.glob("mtgkb-*.whl")
    return found


@pytest.fixture(scope="module")
def mtgkb(wheel, tmp_path_factory):
    """The command of a clean environment that has the wheel."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder / "env", with_pip=True)
    scripts = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    pip = (scripts / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, wheel, cwd=folder)
    return scripts / "mtgkb"


def test_its_files_are_those_of_the_checkout(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.startswith("mtgkb-")}
    code = {p.relative_to(TOP).as_posix() for p in (TOP / "kb").rglob("*.py")}
    data = {
        "kb/_data/" + p.relative_to(TOP).as_posix()
        for folder in SHIPPED
        for p in (TOP / folder).rglob("*")
        if p.suffix in {".lark", ".rq", ".ttl", ".tsv", ".txt"}
    }
    pages = {
        p.relative_to(TOP).as_posix()
        for p in (TOP / "kb" / "web" / "pages").rglob("*")
        if p.suffix in {".html", ".css", ".js", ".svg"}
    }
    assert code | data | pages <= held
    assert pages
    assert "kb/py.typed" in held
    assert all(any(n.startswith(f"kb/_data/{f}/") for n in held) for f in SHIPPED)
    assert [name for name in held if not name.startswith("kb/")] == []
    assert [name for name in held if "__pycache__" in name or name.endswith(".pyc")] == []


def test_it_ships_no_official_text(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = [n for n in archive.namelist() if n.endswith(".txt") and "/rules/" in n]
        sizes = {info.filename: info.file_size for info in archive.infolist()}
    assert names == ["kb/_data/rules/concise-edition.txt"]
    sizes.pop("kb/_data/rules/meanings.bin")  # a table of numbers
    assert max(sizes.values()) < 1_000_000


def test_installed_it_builds_and_answers_in_another_folder(mtgkb, tmp_path):
    run(mtgkb, "build", "--kb", tmp_path / "kb", cwd=tmp_path)
    asked = ("ask", "keyword-actions", "--kb", tmp_path / "kb", "--format", "json")
    answer = json.loads(run(mtgkb, *asked, cwd=tmp_path))
    assert answer["question"] == "keyword-actions"
    assert {"keyword": "activate", "rule": "701.2", "quote": "Activate"} in answer["rows"]


def test_installed_it_is_the_wheel_and_not_the_checkout(mtgkb, tmp_path):
    code = "from kb import resources; print(resources.path('rules/concise-edition.txt'))"
    printed = run(mtgkb.parent / "python", "-c", code, cwd=tmp_path)
    assert "_data" in printed
    assert not printed.startswith(str(TOP))
