"""`mtgkb history`: the numbers and wordings that a rule has had."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, wrapped
from kb.errors import NotFoundError

if TYPE_CHECKING:
    from kb.queries.run import Row


@click.command("history")
@click.argument("rule")
@common("text", "json")
def command(settings: Settings, rule: str) -> None:
    """Show the numbers and wordings of the rule that bears the number RULE in a release."""
    given = {"rule": rule, **({"as-of": settings.release} if settings.release else {})}
    answer = settings.open().ask("rule-history", given)
    if not answer.rows:
        raise NotFoundError(
            f"the history has no rule {rule} in {settings.release or 'the newest release'}",
            hint="name the release in which it bears that number: --release DATE",
        )
    if settings.form == "json":
        show_json(answer.as_json())
        return
    for rows in _stretches(answer.rows):
        first, last = (str(row["release"]) for row in (rows[0], rows[-1]))
        span = first if first == last else f"{first} to {last}"
        click.echo(heading(f"{rows[0]['rule']}   {span}"))
        click.echo(wrapped(str(rows[-1]["text"]), "  "))


def _stretches(rows: tuple[Row, ...]) -> list[list[Row]]:
    """Return the rows cut where the number changed or the wording was edited."""
    found: list[list[Row]] = []
    for row in rows:
        if found and row["edited"] != "true" and row["rule"] == found[-1][-1]["rule"]:
            found[-1].append(row)
        else:
            found.append([row])
    return found
