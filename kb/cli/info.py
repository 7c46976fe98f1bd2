"""`mtgkb info`: what is in the knowledge base."""

from __future__ import annotations

import click

from kb.cli.options import Settings, common
from kb.cli.output import show_json, table

_COLUMNS = ("release", "edition", "chapters", "rules", "subrules", "examples", "terms", "problems")


@click.command("info")
@common("text", "json")
def command(settings: Settings) -> None:
    """Show the releases of the knowledge base, with their counts."""
    kb = settings.open()
    newest = kb.release_name(settings.release)
    if settings.form == "json":
        show_json(
            {
                "knowledge_base": str(settings.folder),
                "default_release": newest,
                "base": kb.store.manifest.get("base"),
                "releases": list(kb.releases),
                "cards": kb.store.manifest.get("cards"),
            }
        )
        return
    click.echo(table(_COLUMNS, [{"release": r["name"], **r} for r in kb.releases]))
    if cards := kb.store.manifest.get("cards"):
        click.echo(f"cards: {cards['cards']}, rulings: {cards['rulings']}")
    click.echo(f"asked when no --release is given: {newest}")
    click.echo(f"knowledge base: {settings.folder}")
