"""What was found in files, as a compiler prints it, as annotations on GitHub, JSON and SARIF."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from kb.cli.texts import escaped, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.knowledge.spelling import Checked

SAID = {
    "missing": "there is no such rule",
    "moved": "this rule has another number now",
    "edited": "this rule has been edited since",
    "gone": "this rule is gone",
    "suspect": "the words or title beside it fit another rule",
}
_NOTES = ("edited",)  # what ends with exit code 0
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def is_off(one: Checked) -> bool:
    """Tell whether a citation has to be looked at."""
    return one.status != "fine" and one.status not in _NOTES


def message(one: Checked) -> str:
    """Return what is said of a citation, in a line."""
    better = f" → {one.suggestion}" if one.suggestion else ""
    left = f"; {one.reason}" if one.reason else ""
    return printable(f"{one.string}{better}: {SAID[one.status]}{left}")


def as_line(name: str, one: Checked) -> str:
    """Return a finding as a compiler prints it."""
    return f"{escaped(name)}:{one.line}:{one.column}: {one.status}: {message(one)}"


def as_annotation(name: str, one: Checked) -> str:
    """Return a finding as a workflow command of GitHub, escaped as its runner unescapes it."""
    level = "warning" if is_off(one) else "notice"
    where = _escaped(escaped(name)).replace(":", "%3A").replace(",", "%2C")
    place = f"file={where},line={one.line},col={one.column}"
    return f"::{level} {place},title=rule number::{_escaped(message(one))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def as_json(name: str, one: Checked) -> dict[str, object]:
    """Return a citation as ``--format json`` prints it, a fine one as well."""
    return {
        "file": escaped(name),
        "line": one.line,
        "column": one.column,
        "string": escaped(one.string),
        "rules": list(one.rules),
        "status": one.status,
        "now": list(one.now),
        "suggestion": None if one.suggestion is None else escaped(one.suggestion),
    }


def as_sarif(found: Iterable[tuple[str, Checked]]) -> dict[str, object]:
    """Return findings as a log of SARIF 2.1.0 (OASIS Standard, 2020)."""
    rules = [
        {
            "id": status,
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": "note" if status in _NOTES else "warning"},
        }
        for status, text in SAID.items()
    ]
    run = {
        "tool": {"driver": {"name": "mtgkb", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(name, one) for name, one in found],
    }
    return {"$schema": _SARIF, "version": "2.1.0", "runs": [run]}


def _result(name: str, one: Checked) -> dict[str, object]:
    region = {"startLine": one.line, "startColumn": one.column}
    place = {"artifactLocation": {"uri": _uri(name)}, "region": region}
    return {
        "ruleId": one.status,
        "level": "warning" if is_off(one) else "note",
        "message": {"text": message(one)},
        "locations": [{"physicalLocation": place}],
    }


def _uri(name: str) -> str:
    """Return a file's name as a URI reference (RFC 3986): relative as it was given."""
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
