"""`mtgkb citations`: a spell-checker for the rule numbers in texts and source trees."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli.options import Settings, common
from kb.cli.output import show_json
from kb.errors import ExitCode, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.knowledge.spelling import Checked

_SHOWN = {
    "missing": "there is no such rule",
    "moved": "this rule has another number now",
    "edited": "this rule has been edited since",
    "gone": "this rule is gone",
    "suspect": "the words or title beside it fit another rule",
}
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_HEAD = 4096


@click.command("citations")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--from", "old", required=True, metavar="DATE", help="The release they were written for."
)
@click.option(
    "--to", "new", default="latest", metavar="DATE", help="The release to check them for."
)
@click.option("--write", is_flag=True, help="Put the new number where it is certain.")
@common("text", "json", "sarif", "github")
def command(settings: Settings, paths: tuple[str, ...], old: str, new: str, *, write: bool) -> int:
    """Check every rule number that the files in PATH... cite; - reads from standard input.

    Folders are gone through; what git ignores, and what is no text, is left out. The exit code
    is 1 if a number is missing, moved, gone or suspect.
    """
    from kb.knowledge.spelling import Speller  # noqa: PLC0415 - --help need not

    speller = Speller.of(settings.open(), old, new)
    found: list[tuple[str, Checked]] = []
    for name, text in _texts(paths):
        checked = list(speller.check(text))
        if write and name != "-":
            checked = _written(Path(name), text, checked)
        found += [(name, one) for one in checked]
    _show(settings.form, found)
    off = any(one.status not in ("fine", "edited") for _, one in found)
    return int(ExitCode.FOUND if off else ExitCode.OK)


def _texts(paths: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield name and text of each file that is text.

    Raises:
        SourceError: a path is not there, or cannot be read.
    """
    for given in paths:
        if given == "-":
            yield "-", sys.stdin.buffer.read().decode("utf-8", "replace")
            continue
        path = Path(given)
        if not path.exists():
            raise SourceError("there is no such file", where=given)
        for file in _files(path) if path.is_dir() else (path,):
            try:
                content = file.read_bytes()
            except OSError as error:
                raise SourceError(
                    "the file cannot be read", where=str(file), why=error.strerror or str(error)
                ) from error
            if b"\0" not in content[:_HEAD]:
                yield str(file), content.decode("utf-8", "surrogateescape")


def _files(folder: Path) -> list[Path]:
    """Return the files below a folder; in a git work tree those that git does not ignore."""
    listed = subprocess.run(  # noqa: S603 - no shell; the folder is one argument
        ["git", "-C", str(folder), "ls-files", "-z", "-co", "--exclude-standard"],  # noqa: S607 - git, wherever it is
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0:
        names = listed.stdout.decode("utf-8", "surrogateescape").split("\0")
        return [folder / name for name in sorted(filter(None, names)) if (folder / name).is_file()]
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _written(path: Path, text: str, checked: list[Checked]) -> list[Checked]:
    """Write the certain new numbers into a file, and return what was left."""
    certain = [one for one in checked if one.status == "moved" and one.suggestion]
    for one in reversed(certain):
        text = text[: one.start] + (one.suggestion or "") + text[one.end :]
    if certain:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return [one for one in checked if one not in certain]


def _show(form: str, found: list[tuple[str, Checked]]) -> None:
    off = [(name, one) for name, one in found if one.status != "fine"]
    if form == "json":
        show_json({"citations": [_as_json(name, one) for name, one in found]})
    elif form == "sarif":
        show_json(_sarif(off))
    else:
        for name, one in off:
            place = f"{name}:{one.line}:{one.column}"
            better = f" → {one.suggestion}" if one.suggestion else ""
            what = f"{one.string}{better}: {_SHOWN[one.status]}"
            if form == "github":
                spot = f"file={name},line={one.line},col={one.column}"
                click.echo(f"::warning {spot},title=rule number::{what}")
            else:
                click.echo(f"{place}: {one.status}: {what}")
    if form == "text":
        click.echo(f"{len(found)} citations, {len(off)} of them not as they were")


def _as_json(name: str, one: Checked) -> dict[str, object]:
    return {
        "file": name,
        "line": one.line,
        "column": one.column,
        "string": one.string,
        "rules": list(one.rules),
        "status": one.status,
        "now": list(one.now),
        "suggestion": one.suggestion,
    }


def _sarif(off: list[tuple[str, Checked]]) -> dict[str, object]:
    """Return the findings as SARIF 2.1.0 (OASIS Standard, 2020)."""
    results = [
        {
            "ruleId": one.status,
            "level": "warning",
            "message": {"text": f"{one.string}: {_SHOWN[one.status]}"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": name},
                        "region": {"startLine": one.line, "startColumn": one.column},
                    }
                }
            ],
        }
        for name, one in off
    ]
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in _SHOWN.items()]
    driver = {"name": "mtgkb", "rules": rules}
    return {
        "$schema": _SARIF,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
