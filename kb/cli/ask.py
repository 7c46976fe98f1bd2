"""`mtgkb ask`: a question of the catalogue."""

from __future__ import annotations

import click

from kb.cli.options import Settings, common
from kb.cli.output import delimited, show_json, table
from kb.errors import UsageError
from kb.queries import Question, catalogue, question


@click.command("ask", context_settings={"ignore_unknown_options": True})
@click.argument("identifier", metavar="[ID]", required=False)
@click.argument("parameters", nargs=-1, type=click.UNPROCESSED, metavar="[--PARAM VALUE]...")
@common("text", "json", "csv", "tsv")
def command(settings: Settings, identifier: str | None, parameters: tuple[str, ...]) -> None:
    """Answer the question ID; without ID, list the questions.

    The question's own parameters follow it: mtgkb ask cited-by --rule 601.2f --transitive
    """
    if identifier is None:
        _list(settings)
        return
    asked = question(identifier)
    answer = settings.open().ask(identifier, _parameters(asked, parameters), settings.release)
    if settings.form == "json":
        show_json(answer.as_json())
    elif settings.form in ("csv", "tsv"):
        mark = "," if settings.form == "csv" else "\t"
        click.echo(delimited(answer.columns, answer.rows, mark))
    elif answer.rows:
        # The sentence is the widest cell: it takes the room that the others leave.
        columns = sorted(answer.columns, key=lambda column: column == "quote")
        click.echo(table(columns, answer.rows))
        plural = "" if len(answer.rows) == 1 else "s"
        click.echo(f"{len(answer.rows)} row{plural} · release {answer.release}")
    else:
        click.echo(f"The text of release {answer.release} has no answer to this.")


def _list(settings: Settings) -> None:
    questions = catalogue().values()
    if settings.form == "json":
        rows = [
            {
                "id": q.id,
                "summary": q.summary,
                "parameters": {p.name: p.type for p in q.parameters},
                "columns": dict(q.columns),
            }
            for q in questions
        ]
        show_json({"questions": rows})
        return
    shown = [
        {
            "question": " ".join([q.id, *(_usage(p.name, p.default) for p in q.parameters)]),
            "what it answers": q.summary,
        }
        for q in questions
    ]
    click.echo(table(("question", "what it answers"), shown))


def _usage(name: str, default: str | None) -> str:
    return f"--{name} …" if default is None else f"[--{name}]"


def _parameters(asked: Question, words: tuple[str, ...]) -> dict[str, str]:
    """Read ``--name value``, ``--name=value`` and flags.

    Raises:
        UsageError: a word is no option, or an option has no value.
    """
    flags = {p.name for p in asked.parameters if p.type == "Boolean"}
    given: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            raise UsageError(f"{word!r} is no parameter", hint="parameters are --NAME VALUE")
        name, has_value, value = word[2:].partition("=")
        if has_value:
            given[name] = value
        elif name in flags:
            given[name] = "true"
        elif rest:
            given[name] = rest.pop(0)
        else:
            raise UsageError(f"--{name} needs a value")
    return given
