"""`mtgkb history`: the numbers and wordings that a rule has had."""

from __future__ import annotations

from itertools import groupby

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, wrapped
from kb.errors import NotFoundError


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
    for (number, text), rows in groupby(answer.rows, key=lambda row: (row["rule"], row["text"])):
        releases = [str(row["release"]) for row in rows]
        span = releases[0] if len(releases) == 1 else f"{releases[0]} to {releases[-1]}"
        click.echo(heading(f"{number}   {span}"))
        click.echo(wrapped(str(text), "  "))
