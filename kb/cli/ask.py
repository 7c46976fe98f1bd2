"""`mtgkb ask`: a question of the catalogue."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from kb.cli.ask_words import Printing, ask_words
from kb.cli.chain import chain
from kb.cli.options import Settings, common
from kb.cli.output import delimited, heading, show_json, table
from kb.errors import UsageError
from kb.queries import Answer, Question, catalogue, question

if TYPE_CHECKING:
    from kb.inference import Premise
    from kb.knowledge import KnowledgeBase


_LIKE_AN_ID = 0.75


@click.command("ask", context_settings={"ignore_unknown_options": True})
@click.argument("identifier", metavar="[ID | WORDS]", required=False)
@click.argument("parameters", nargs=-1, type=click.UNPROCESSED, metavar="[--PARAM VALUE]...")
@click.option("--explain", is_flag=True, help="Show what each row rests on, down to the sentences.")
@click.option("--columns", metavar="A,B", help="Show only these columns, in this order.")
@common("text", "json", "csv", "tsv")
def command(
    settings: Settings,
    identifier: str | None,
    parameters: tuple[str, ...],
    columns: str | None,
    *,
    explain: bool,
) -> int | None:
    """Answer the question ID, or the one that free words mean; without either, list them.

    The question's own parameters follow it: mtgkb ask cited-by --rule 601.2f --transitive

    Free words name them: mtgkb ask "which rules cite 601.2f, directly or indirectly?"
    """
    if identifier is None:
        _list(settings)
        return None
    if _are_words(identifier, parameters):
        kb = settings.open()
        printing = Printing(
            lambda answer: _chosen(answer, columns),
            lambda answer: _as_json(kb, answer, explain=explain),
            lambda answer: _show(kb, answer, settings.form, explain=explain),
        )
        return ask_words(settings, kb, " ".join((identifier, *parameters)), printing)
    asked = question(identifier)
    kb = settings.open()
    answer = _chosen(kb.ask(identifier, _parameters(asked, parameters), settings.release), columns)
    _show(kb, answer, settings.form, explain=explain)
    return None


def _are_words(identifier: str, parameters: tuple[str, ...]) -> bool:
    """Tell whether it is free words that were given: several, or one that is like no id."""
    if " " in identifier.strip() or (parameters and not parameters[0].startswith("--")):
        return True
    if parameters or identifier in catalogue() or "-" in identifier:
        return False
    return not difflib.get_close_matches(identifier, catalogue(), n=1, cutoff=_LIKE_AN_ID)


def _show(kb: KnowledgeBase, answer: Answer, form: str, *, explain: bool) -> None:
    """Print an answer in a format."""
    if form == "json":
        show_json(_as_json(kb, answer, explain=explain))
    elif explain and answer.rows:
        _explain(kb, answer, form)
    elif form in ("csv", "tsv"):
        mark = "," if form == "csv" else "\t"
        click.echo(delimited(answer.columns, answer.rows, mark))
    elif answer.rows:
        # The sentence is the widest cell: it takes the room that the others leave.
        shown = sorted(answer.columns, key=lambda column: column == "quote")
        click.echo(table(shown, answer.rows))
        click.echo(_footer(answer))
    else:
        click.echo(f"The text of release {answer.release} has no answer to this.")


def _chosen(answer: Answer, columns: str | None) -> Answer:
    """Return the answer with the columns that were asked for.

    Raises:
        UsageError: it has no such column.
    """
    if columns is None:
        return answer
    names = tuple(name.strip() for name in columns.split(","))
    if unknown := [name for name in names if name not in answer.columns]:
        raise UsageError(
            f"{answer.question} has no column {unknown[0]!r}",
            hint=f"it has {', '.join(answer.columns)}",
        )
    rows = tuple({name: row[name] for name in names} for row in answer.rows)
    return replace(answer, columns=names, rows=rows)


def _footer(answer: Answer) -> str:
    """Return how many rows there are, of which release, and which rulings they rest on."""
    plural = "" if len(answer.rows) == 1 else "s"
    line = f"{len(answer.rows)} row{plural} · release {answer.release}"
    rulings = sorted({str(row["ruling"]) for row in answer.rows if row.get("ruling")})
    return f"{line} · rulings: {'; '.join(rulings)}" if rulings else line


def _chains(kb: KnowledgeBase, answer: Answer) -> list[list[Premise]]:
    """Return what each row rests on."""
    return [
        [fact for node in nodes if (fact := kb.explain(node, answer.release)) is not None]
        for nodes in answer.because
    ]


def _as_json(kb: KnowledgeBase, answer: Answer, *, explain: bool) -> dict[str, object]:
    """Return the answer as JSON has it, each row with what it rests on if that is asked."""
    if not explain:
        return answer.as_json()
    explained = [
        {**row, "explanation": [fact.as_json() for fact in facts]}
        for row, facts in zip(answer.rows, _chains(kb, answer), strict=True)
    ]
    return {**answer.as_json(), "rows": explained}


def _explain(kb: KnowledgeBase, answer: Answer, form: str) -> None:
    """Show each row with the chain of what it rests on."""
    if form != "text":
        raise UsageError("a chain of reasons is no table", hint="--format text or json")
    short = [name for name in answer.columns if name not in ("quote", "text", "old", "new")]
    for row, facts in zip(answer.rows, _chains(kb, answer), strict=True):
        said = [f"{name} {row[name]}" for name in short if row[name] not in (None, ())]
        click.echo(heading(" · ".join(said)))
        for fact in facts:
            click.echo("\n".join(chain(fact)))
    click.echo(_footer(answer))


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
