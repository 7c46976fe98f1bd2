"""`mtgkb ask "free words"`: the question that is meant, or the nearest and a search's hits."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from kb.cli.output import heading, show_json, wrapped
from kb.cli.search import lines
from kb.errors import ExitCode, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb.asking import Choice, Meant
    from kb.cli.options import Settings
    from kb.knowledge import KnowledgeBase
    from kb.queries import Answer

_MOST_HITS = 5
_HALF, _MOST = 0.5, 0.75


@dataclass(frozen=True, slots=True)
class Printing:
    """How an answer is printed, as its options ask: its columns, as JSON, in any other format."""

    chosen: Callable[[Answer], Answer]
    as_json: Callable[[Answer], dict[str, object]]
    show: Callable[[Answer], None]


def ask_words(settings: Settings, kb: KnowledgeBase, text: str, printing: Printing) -> int:
    """Answer free words, and return the exit code: not found where no question is surely meant."""
    choice = kb.understand(text, settings.release)
    if choice.meant is None:
        return _unsure(settings, choice, kb)
    meant = choice.meant
    answer = printing.chosen(
        kb.ask(meant.question, meant.parameters, settings.release or meant.release)
    )
    if settings.form == "json":
        show_json({**printing.as_json(answer), **_about(choice)})
        return ExitCode.OK
    if settings.form == "text":
        click.echo(heading(command_of(meant)) + f"   ({_how_sure(choice.confidence)})")
        click.echo(meant.summary)
        click.echo()
    printing.show(answer)
    return ExitCode.OK


def _about(choice: Choice) -> dict[str, object]:
    return {
        "asked": choice.asked,
        "parameters": choice.meant.parameters if choice.meant else {},
        "confidence": choice.confidence,
        "nearest": [meant.as_json() for meant in choice.nearest],
    }


def _unsure(settings: Settings, choice: Choice, kb: KnowledgeBase) -> int:
    """Print the nearest questions and what a search finds."""
    if settings.form not in ("text", "json"):
        raise NotFoundError(
            f"no question is surely meant by {choice.asked!r}",
            hint=f"perhaps {command_of(choice.nearest[0])}",
        )
    found = kb.search(choice.asked, limit=_MOST_HITS, release=settings.release)
    if settings.form == "json":
        nothing: dict[str, object] = {
            "question": None,
            "release": found.release,
            "columns": [],
            "rows": [],
        }
        show_json({**nothing, **_about(choice), **found.as_json()})
        return ExitCode.NOT_FOUND
    if choice.fits:
        click.echo("It is not sure which question is meant. The nearest:")
        _show_nearest(choice)
        click.echo("\nWhat a search for these words finds:\n")
        click.echo("\n".join(lines(found)))
        return ExitCode.NOT_FOUND
    click.echo("No question of the catalogue answers this. What a search for these words finds:\n")
    click.echo("\n".join(lines(found)))
    click.echo("\nThe nearest questions:")
    _show_nearest(choice)
    return ExitCode.NOT_FOUND


def _show_nearest(choice: Choice) -> None:
    for meant in choice.nearest:
        click.echo(f"\n  {command_of(meant)}")
        click.echo(wrapped(meant.summary, "      "))


def command_of(meant: Meant) -> str:
    """Return a question as the command that asks it, with what is lacking to be filled in."""
    options = [f"--{name} {shlex.quote(value)}" for name, value in meant.parameters.items()]
    options = [option.removesuffix(" true") for option in options]
    lacks = [f"--{name} …" for name in meant.lacks]
    return " ".join(["mtgkb ask", meant.question, *options, *lacks])


def _how_sure(confidence: float) -> str:
    if confidence >= _MOST:
        return "sure"
    return "fairly sure" if confidence >= _HALF else "not quite sure"
