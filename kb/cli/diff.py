"""`mtgkb diff`: what changed from one release to another, word by word."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, wrapped

if TYPE_CHECKING:
    from kb.queries.run import Row

_TAGS = {"=": "", "-": "del", "+": "ins"}
_COLORS = {"-": ("[-", "red"), "+": ("[+", "green")}


@click.command("diff")
@click.argument("old")
@click.argument("new", default="latest")
@common("text", "json", "html")
def command(settings: Settings, old: str, new: str) -> None:
    """Show what changed from the release OLD to the release NEW (default: the newest)."""
    answer = settings.open().ask("what-changed", {"from": old, "to": new})
    if settings.form == "json":
        rows = [{**row, "difference": _difference(row)} for row in answer.rows]
        show_json({**answer.as_json(), "rows": rows})
        return
    if settings.form == "html":
        click.echo(_page(answer.rows, old, new))
        return
    for row in answer.rows:
        click.echo(heading(_title(row)))
        if shown := _shown(row):
            click.echo(wrapped(shown, "  "))
    click.echo(f"{len(answer.rows)} changes from {old} to {new}")


def _title(row: Row) -> str:
    numbers = dict.fromkeys(str(row[name]) for name in ("from", "to") if row[name])
    return f"{row['change']}: {' → '.join(numbers)}"


def _difference(row: Row) -> list[list[str]]:
    """Return the words that both texts have, or one of them, of what was edited."""
    from kb.identify.difference import difference  # noqa: PLC0415 - slow to import

    if "edited" not in str(row["change"]):
        return []
    return [list(step) for step in difference(str(row["old"]), str(row["new"]))]


def _shown(row: Row) -> str:
    steps = _difference(row)
    if not steps:
        return "" if row["change"] == "moved" else str(row["new"] or row["old"])
    return " ".join(
        words if op not in _COLORS else click.style(f"{_COLORS[op][0]}{words}]", fg=_COLORS[op][1])
        for op, words in steps
    )


def _page(rows: tuple[Row, ...], old: str, new: str) -> str:
    """Return a page of its own, with insertions and deletions marked."""
    title = f"Changes from {html.escape(old)} to {html.escape(new)}"
    parts = [
        "<!doctype html>",
        f'<html lang="en"><meta charset="utf-8"><title>{title}</title>',
        (
            "<style>body{max-width:45em;margin:2em auto;font-family:serif;padding:0 1em}"
            "del{color:#a00}ins{color:#060}</style>"
        ),
        f"<h1>{title}</h1>",
    ]
    for row in rows:
        steps = _difference(row) or [["=", _shown(row)]]
        words = " ".join(_tagged(op, words) for op, words in steps)
        parts.append(f"<h2>{html.escape(_title(row))}</h2><p>{words}</p>")
    return "\n".join([*parts, "</html>"])


def _tagged(op: str, words: str) -> str:
    tag, text = _TAGS[op], html.escape(words)
    return f"<{tag}>{text}</{tag}>" if tag else text
