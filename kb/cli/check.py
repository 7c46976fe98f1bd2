"""`mtgkb check`: what is wrong with a release's text."""

from __future__ import annotations

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, table
from kb.errors import ExitCode


@click.command("check")
@common("text", "json")
def command(settings: Settings) -> int:
    """List a release's problems and broken references; exit with 1 if there are any."""
    kb = settings.open()
    release = kb.release_name(settings.release)
    problems = [problem.as_json() for problem in kb.problems(release)]
    broken = kb.ask("broken-references", {}, release)
    if settings.form == "json":
        show_json({"release": release, "problems": problems, "broken_references": broken.rows})
    else:
        if problems:
            click.echo(heading("problems of the text"))
            click.echo(table(("line", "column", "kind", "message"), problems))
        if broken.rows:
            click.echo(heading("broken references"))
            click.echo(table(broken.columns, broken.rows))
        if not problems and not broken.rows:
            click.echo(f"release {release}: nothing to report")
    return int(ExitCode.FOUND if problems or broken.rows else ExitCode.OK)
