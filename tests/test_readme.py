"""The README shows what is really printed, and its commands work on the concise edition."""

from __future__ import annotations

import re
import shlex

import pytest
from conftest import TOP
from tools import mtgkb

README = (TOP / "README.md").read_text(encoding="utf-8")
SHOWN = [line.partition("#")[0] for line in re.findall(r"^\$ mtgkb (.*)$", README, re.MULTILINE)]
COMMANDS = [line for line in SHOWN if not line.startswith(("build", "export"))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A knowledge base as `mtgkb build` makes it without any file."""
    place = tmp_path_factory.mktemp("readme") / "kb"
    assert mtgkb("build", "--kb", place).returncode == 0
    return place


def test_the_restart_question_is_answered_as_the_first_screen_shows_it(folder):
    columns = "state,outcome,rule,ruling,value"
    asked = mtgkb("ask", "restart-state", "--columns", columns, "--kb", folder)
    printed = asked.stdout.rstrip()
    assert f"`mtgkb ask restart-state --columns {columns}`" in README
    assert f"```text\n{printed}\n```" in README
    states = {row[:24].strip() for row in printed.split("\n")}
    assert {"life total", "emblem", "ownership"} <= states


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_s_commands_work_on_the_concise_edition(folder, command):
    done = mtgkb(*shlex.split(command), "--kb", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
