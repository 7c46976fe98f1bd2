"""`mtgkb term`: a glossary entry."""

from __future__ import annotations

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, wrapped


@click.command("term")
@click.argument("name", nargs=-1, required=True)
@common("text", "json")
def command(settings: Settings, name: tuple[str, ...]) -> None:
    """Show a glossary entry, whatever the case of its NAME."""
    view = settings.open().term(" ".join(name), settings.release)
    if settings.form == "json":
        show_json(view.as_json())
        return
    click.echo(heading(view.heading) + f"   (release {view.release})")
    for sense in view.senses:
        click.echo(wrapped(sense, "  "))
    for example in view.examples:
        click.echo(wrapped(example, "  ", "  Example: "))
    if view.replaced_by:
        click.echo(f"\nnow: {view.replaced_by}")
    if view.cites:
        click.echo(f"\ncites     {', '.join(view.cites)}")
