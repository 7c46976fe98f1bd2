"""`mtgkb why`: why a triple is in the graph."""

from __future__ import annotations

import click

from kb.cli.chain import chain
from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json

_HOW = {
    "asserted": "read off the text itself",
    "stated": "the short cut of a statement",
    "cited": "the short cut of a citation",
    "inferred": "inferred",
}


@click.command("why")
@click.argument("subject")
@click.argument("predicate")
@click.argument("value")
@common("text", "json")
def command(settings: Settings, subject: str, predicate: str, value: str) -> None:
    """Tell why SUBJECT PREDICATE VALUE is in the graph, down to the sentences.

    Each is a rule's number, a prefixed name or an IRI; VALUE may be other words as well:
    mtgkb why 400.7a mtg:exceptionTo 400.7
    """
    reasons = settings.open().why(subject, predicate, value, settings.release)
    if settings.form == "json":
        show_json({"reasons": [reason.as_json() for reason in reasons]})
        return
    for reason in reasons:
        rule = f" by {reason.rule}: {reason.because}" if reason.rule else ""
        click.echo(heading(_HOW[reason.how]) + rule)
        if reason.fact:
            click.echo("\n".join(chain(reason.fact)))
