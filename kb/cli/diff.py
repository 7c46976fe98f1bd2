"""`mtgkb diff`: what changed from one release to another, word by word."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, wrapped
from kb.vocab import HistoryMinter

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb.knowledge import KnowledgeBase
    from kb.queries.run import Row

_TAGS = {"=": "", "-": "del", "+": "ins"}
_COLORS = {"-": ("[-", "red"), "+": ("[+", "green")}


@click.command("diff")
@click.argument("old")
@click.argument("new", default="latest")
@common("text", "json", "html")
def command(settings: Settings, old: str, new: str) -> None:
    """Show what changed from the release OLD to the release NEW (default: the newest)."""
    kb = settings.open()
    old, new = kb.in_history(old), kb.in_history(new)
    answer = kb.ask("what-changed", {"from": old, "to": new})
    rows = [
        (row, _difference(row, _illustrations(kb, because)))
        for row, because in zip(answer.rows, answer.because, strict=True)
    ]
    if settings.form == "json":
        told = [{**row, "difference": steps} for row, steps in rows]
        show_json({**answer.as_json(), "rows": told})
        return
    if settings.form == "html":
        click.echo(_page(rows, old, new))
        return
    for row, steps in rows:
        click.echo(heading(_title(row)))
        if shown := _shown(row, steps):
            click.echo(wrapped(shown, "  "))
    click.echo(f"{len(rows)} changes from {old} to {new}")


def _illustrations(kb: KnowledgeBase, versions: tuple[str, ...]) -> Callable[[], list[str]]:
    """Return what gives the examples of each version, if it is called."""

    def told() -> list[str]:
        graph = HistoryMinter(kb.minter(None).base).graph
        pattern = "<{}> mtg:illustration ?text"
        found = (
            kb.sparql(f"SELECT ?text {{ GRAPH {graph} {{ {pattern.format(node)} }} }}")
            for node in versions
        )
        return [next((row["text"].value for row in rows), "") for rows in found]  # type: ignore[union-attr]

    return told


def _title(row: Row) -> str:
    numbers = dict.fromkeys(str(row[name]) for name in ("from", "to") if row[name])
    return f"{row['change']}: {' → '.join(numbers)}"


def _difference(row: Row, illustrations: Callable[[], list[str]]) -> list[list[str]]:
    """Return the words that both texts have, or one of them, of a rule or example edited."""
    from kb.identify.difference import difference  # noqa: PLC0415 - slow to import

    change = str(row["change"])
    if change == "example":
        old, new = illustrations()
    elif "edited" in change:
        old, new = str(row["old"]), str(row["new"])
    else:
        return []
    return [list(step) for step in difference(old, new)]


def _shown(row: Row, steps: list[list[str]]) -> str:
    if not steps:
        return "" if row["change"] == "moved" else str(row["new"] or row["old"])
    return " ".join(
        words if op not in _COLORS else click.style(f"{_COLORS[op][0]}{words}]", fg=_COLORS[op][1])
        for op, words in steps
    )


def _page(rows: list[tuple[Row, list[list[str]]]], old: str, new: str) -> str:
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
    for row, steps in rows:
        words = " ".join(_tagged(op, words) for op, words in steps or [["=", _shown(row, [])]])
        parts.append(f"<h2>{html.escape(_title(row))}</h2><p>{words}</p>")
    return "\n".join([*parts, "</html>"])


def _tagged(op: str, words: str) -> str:
    tag, text = _TAGS[op], html.escape(words)
    return f"<{tag}>{text}</{tag}>" if tag else text
