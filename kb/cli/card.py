"""`mtgkb card`: a card, its faces, its rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, wrapped

if TYPE_CHECKING:
    from kb.knowledge.cards import FaceView


@click.command("card")
@click.argument("name", nargs=-1, required=True)
@common("text", "json")
def command(settings: Settings, name: tuple[str, ...]) -> None:
    """Show a card: its faces, and its rulings, newest first.

    NAME is the card's or a face's, in any language, without regard to case and accents; the
    start of a name will do where only one card begins so; an oracle id as well.
    """
    view = settings.open().card(" ".join(name))
    if settings.form == "json":
        show_json(view.as_json())
        return
    if len(view.faces) != 1:
        click.echo(heading(view.card))
    for face in view.faces:
        _show_face(face)
    if view.legal_in:
        click.echo(wrapped(", ".join(view.legal_in), " " * 10, "legal in  "))
    if view.rulings:
        click.echo(heading("\nrulings"))
    for ruling in view.rulings:
        dates = ", ".join(ruling.dates)
        # A text that is empty, or begins with an empty line, must not take its dates with it.
        click.echo(wrapped(ruling.text.strip(), "  ", f"{dates}  ") or dates)


def _show_face(face: FaceView) -> None:
    click.echo(f"{heading(face.name)}   {face.mana_cost or ''}".rstrip())
    click.echo(face.type_line)
    if face.text:
        click.echo(wrapped(face.text, "  "))
    if face.power is not None:
        click.echo(f"{face.power}/{face.toughness}")
    for what, value in (("loyalty", face.loyalty), ("defense", face.defense)):
        if value is not None:
            click.echo(f"{what} {value}")
    click.echo()
