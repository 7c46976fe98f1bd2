"""`mtgkb info`: what is in the knowledge base."""

from __future__ import annotations

from typing import Any

import click

from kb.cli.options import Settings, common
from kb.cli.output import show_json, table

_COLUMNS = ("release", "edition", "chapters", "rules", "subrules", "examples", "terms", "problems")


@click.command("info")
@click.option("--statements", is_flag=True, help="Show how many sentences state something known.")
@common("text", "json")
def command(settings: Settings, *, statements: bool) -> None:
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
    if statements:
        _show_statements(next(r for r in kb.releases if r["name"] == newest))
        return
    click.echo(table(_COLUMNS, [{"release": r["name"], **r} for r in kb.releases]))
    if cards := kb.store.manifest.get("cards"):
        click.echo(f"cards: {cards['cards']}, rulings: {cards['rulings']}")
    click.echo(f"asked when no --release is given: {newest}")
    click.echo(f"knowledge base: {settings.folder}")


def _show_statements(release: dict[str, Any]) -> None:
    """Show, by section, the share of sentences with at least one statement."""
    stated: dict[str, tuple[int, int]] = release["stated"]
    total = tuple(map(sum, zip(*stated.values(), strict=True)))
    rows = [
        {"section": name, "sentences": every, "stating": some, "share": _share(some, every)}
        for name, (some, every) in (*stated.items(), ("all", total))
    ]
    click.echo(table(("section", "sentences", "stating", "share"), rows))
    click.echo(f"{release['statements']} statements · release {release['name']}")


def _share(some: int, every: int) -> str:
    return f"{some / every:.1%}" if every else "–"
