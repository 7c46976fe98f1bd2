"""Small rulebooks of our own, and the command line run as a person runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_MAIN = "from kb.cli import main; main()"

RULES = """\
100. General
100.1. A game has two players. See rule 101.1.
100.1a A player draws one card (see rule 101.2).
101. Turning
101.1. A turn has steps. See rule 101.2.
101.2. A step ends at some time. See rule 100.1.
101.3. Nothing else happens."""


def rulebook(
    rules: str = RULES,
    *,
    date: str = "May 1, 2031",
    glossary: str = "Draw\nTo take a card. See rule 100.1a.",
    title: str = "Magic: The Gathering Comprehensive Rules",
) -> str:
    """Return a text of the rulebook's form: one section, the chapters and rules given."""
    chapters = re.findall(r"^\d{3}\. .*$", rules, re.MULTILINE)
    contents = "\n".join(["1. Game Concepts", *chapters, "Glossary", "Credits"])
    body = rules.replace("\n", "\n\n").replace("\n\nExample:", "\nExample:")
    parts = [
        title,
        f"These rules are effective as of {date}.",
        "Introduction",
        "This text is made up.",
        "Contents",
        contents,
        "1. Game Concepts",
        body,
        "Glossary",
        glossary,
        "Credits",
        "Nobody wrote it.",
    ]
    return "\n\n".join(parts) + "\n"


def written(folder: Path, name: str, text: str) -> Path:
    """Write a text into a folder and return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def many_rules(count: int) -> str:
    """Return the rules of one chapter with so many rules."""
    rules = (f"100.{n}. Rule {n} says that players wait {n} times." for n in range(1, count + 1))
    return "\n".join(["100. General", *rules])


def mtgkb(
    *arguments: str | Path,
    given: str | None = None,
    home: Path | None = None,
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    environment = {**os.environ, "PYTHONUTF8": "1", "MTGKB_HOME": str(home or "no-such-home")}
    return subprocess.run(
        [sys.executable, "-c", _MAIN, *map(str, arguments)],
        input=given if given is not None else "",
        env=environment,
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def good(*arguments: str | Path, given: str | None = None, home: Path | None = None) -> str:
    """Run a command that must end well and without complaints, and return what it printed."""
    done = mtgkb(*arguments, given=given, home=home)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def good_json(*arguments: str | Path, given: str | None = None, home: Path | None = None) -> Any:
    """Run a command that must end well, and return its JSON."""
    return json.loads(good(*arguments, "--format", "json", given=given, home=home))
