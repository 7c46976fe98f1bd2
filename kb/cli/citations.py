"""`mtgkb citations`: a spell-checker for the rule numbers in texts and source trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli import findings, texts
from kb.cli.options import Settings, common
from kb.cli.output import show_json
from kb.cli.progress import progress
from kb.errors import ExitCode, SourceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb.knowledge.spelling import Checked, Speller


@click.command("citations")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--from",
    "old",
    metavar="DATE",
    help="The release they were written for (default: the one asked).",
)
@click.option(
    "--to", "new", metavar="DATE", help="The release to check them for (default: newest)."
)
@click.option("--write", is_flag=True, help="Put the new number where it is certain.")
@common("text", "json", "sarif", "github")
def command(
    settings: Settings, paths: tuple[str, ...], old: str | None, new: str | None, *, write: bool
) -> int:
    """Check every rule number that the files in PATH... cite; - reads from standard input.

    Folders are gone through; what git ignores, and what is no text, is left out. The exit code
    is 1 if a number is missing, moved, gone or suspect.
    """
    from kb.knowledge.spelling import Speller  # noqa: PLC0415 - --help need not

    if write and texts.STANDARD_INPUT in paths:
        raise UsageError("standard input cannot be written to", hint="name the files")
    files = texts.files_of(paths)
    asked = settings.release or "latest"
    speller = Speller.of(settings.open(), old or asked, new or asked)
    found: list[tuple[str, Checked]] = []
    faults: list[SourceError] = []
    written = 0
    with progress() as shown:
        for at, name in enumerate(files):
            shown("checking", at, len(files))
            try:
                checked, count = _checked(speller, name, write=write)
            except SourceError as fault:
                faults.append(fault)
                continue
            written += count
            found += [(name, one) for one in checked]
    _show(settings.form, found, written)
    if faults:
        raise _together(faults)
    return int(ExitCode.FOUND if any(findings.is_off(one) for _, one in found) else ExitCode.OK)


def _checked(speller: Speller, name: str, *, write: bool) -> tuple[list[Checked], int]:
    """Return what a file cites, without what was written anew, and how much that was.

    Raises:
        SourceError: it cannot be read or written.
    """
    file = texts.read(name)
    if file is None:
        return [], 0
    checked = list(speller.check(file.text))
    certain = [one for one in checked if one.certain]
    if not write or not certain:
        return checked, 0
    parts, done = [], 0
    for one in certain:
        parts += [file.text[done : one.start], one.suggestion or ""]
        done = one.end
    texts.write(file, "".join([*parts, file.text[done:]]))
    return [one for one in checked if not one.certain], len(certain)


def _together(faults: Sequence[SourceError]) -> SourceError:
    """Return one error for all files that could not be read or written."""
    if len(faults) == 1:
        return faults[0]
    first = faults[0]
    others = ", ".join(str(fault.where) for fault in faults[1:])
    return SourceError(
        first.what,
        where=first.where,
        why=first.why,
        hint=f"the other files were checked, but for {others}",
    )


def _show(form: str, found: Sequence[tuple[str, Checked]], written: int) -> None:
    off = [(name, one) for name, one in found if one.status != "fine"]
    if form == "json":
        show_json({"citations": [findings.as_json(name, one) for name, one in found]})
    elif form == "sarif":
        show_json(findings.as_sarif(off))
    else:
        line = findings.as_annotation if form == "github" else findings.as_line
        for name, one in off:
            click.echo(line(name, one))
    if form == "text":
        renumbered = f"{written} renumbered; " if written else ""
        click.echo(f"{renumbered}{len(found)} citations, {len(off)} of them not as they were")
