"""`mtgkb rule`: a rule, and what is around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, wrapped

if TYPE_CHECKING:
    from kb.knowledge.views import Neighbour, RuleView


@click.command("rule")
@click.argument("number", nargs=-1, required=True)
@common("text", "json")
def command(settings: Settings, number: tuple[str, ...]) -> None:
    """Show a rule with its examples, its place, and the references from and to it.

    NUMBER is a subrule (704.5g), a rule (704.5), a chapter (704) or a section (7);
    “CR 704.5g”, “rule 704.5G” and “704.5g.” are understood.
    """
    view = settings.open().rule(" ".join(number), settings.release)
    if settings.form == "json":
        show_json(view.as_json())
        return
    name = view.rule if view.title is None else f"{view.rule}. {view.title}"
    click.echo(heading(name) + f"   (release {view.release})")
    if view.parent:
        click.echo(f"in {_short(view.parent)}")
    click.echo()
    if view.title is None:
        click.echo(wrapped(view.text))
    for example in view.examples:
        click.echo(wrapped(example, "  ", "  Example: "))
    for child in view.children:
        _show_below(child, view, 0)
    _show_list("cites", view.cites)
    _show_list("cited by", view.cited_by)


def _short(neighbour: Neighbour) -> str:
    text = neighbour.text if len(neighbour.text) <= 70 else neighbour.text[:69] + "…"  # noqa: PLR2004
    return f"{neighbour.rule}. {text}"


def _show_below(child: Neighbour, view: RuleView, depth: int) -> None:
    indent = "  " * depth
    if view.level == "section":
        click.echo(f"{child.rule}. {child.text}")
        return
    click.echo(wrapped(child.text, indent + "    ", f"{indent}{child.rule} "))
    for example in child.examples:
        click.echo(wrapped(example, indent + "      ", f"{indent}    Example: "))
    for below in child.children:
        _show_below(below, view, depth + 1)


def _show_list(name: str, numbers: tuple[str, ...]) -> None:
    if numbers:
        click.echo()
        click.echo(wrapped(", ".join(numbers), " " * 10, f"{name:<10}"))
