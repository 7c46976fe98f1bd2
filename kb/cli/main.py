"""`mtgkb`: finds the command, runs it, and turns errors into messages and exit codes."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from itertools import pairwise
from typing import Any

import click

from kb.errors import ExitCode, MtgkbError, UsageError

_COMMANDS = (
    "build",
    "fetch",
    "info",
    "rule",
    "term",
    "card",
    "search",
    "ask",
    "why",
    "history",
    "diff",
    "identify",
    "citations",
    "sparql",
    "serve",
    "export",
    "check",
)


class _Commands(click.Group):
    """Imports a command's module only when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"kb.cli.{cmd_name}").command
        return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done · 1 something found (check, citations) · 2 wrong usage · "
    "3 unreadable input · 4 not found · 5 no knowledge base, or not writable · "
    "6 query refused · 70 a fault of mtgkb.",
)
@click.option("--kb", "folder", metavar="DIR", help="The knowledge base's folder.")
@click.option("--release", metavar="DATE", help="The release to ask (default: the newest).")
@click.option("--format", "form", metavar="FORM", help="text, json, and what a command adds.")
@click.version_option(package_name="mtgkb")
@click.pass_context
def cli(ctx: click.Context, folder: str | None, release: str | None, form: str | None) -> None:
    """Ask the Comprehensive Rules of Magic: The Gathering."""
    ctx.obj = {"folder": folder, "release": release, "form": form}


def main() -> None:
    """Run the command line and end the process with a documented code."""
    wants_json = _wants_json(sys.argv[1:])
    try:
        _refuse_undecodable(sys.argv[1:])
        code = cli.main(prog_name="mtgkb", standalone_mode=False)
    except MtgkbError as error:
        _fail(error.as_json(), f"mtgkb: {error}", wants_json=wants_json)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(ExitCode.USAGE)
    except click.ClickException as error:
        what = error.format_message()
        usage: dict[str, Any] = UsageError(what).as_json()
        _fail(usage, f"mtgkb: {what} — see mtgkb --help", wants_json=wants_json)
    except SystemExit:
        # Only click ends so, when the reader of our output (head, less) has gone: no fault.
        sys.exit(ExitCode.OK)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(ExitCode.INTERRUPTED)
    except Exception as error:  # the last line: whatever comes here is a fault of ours
        if os.environ.get("MTGKB_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        fault = {"error": "InternalError", "what": what, "exit_code": int(ExitCode.INTERNAL)}
        message = (
            f"mtgkb: a fault of mtgkb, not of yours: {what} — "
            "MTGKB_DEBUG=1 shows where; please report it"
        )
        _fail(fault, message, wants_json=wants_json)
    sys.exit(code if isinstance(code, int) else ExitCode.OK)


def _refuse_undecodable(arguments: list[str]) -> None:
    """Check that the terminal's bytes were text.

    Raises:
        UsageError: an argument is no text in the terminal's encoding.
    """
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise UsageError(f"{argument!r} is no text", hint="write it in UTF-8")


def _wants_json(arguments: list[str]) -> bool:
    return "--format=json" in arguments or any(
        a == "--format" and b == "json" for a, b in pairwise(arguments)
    )


def _fail(fields: dict[str, Any], message: str, *, wants_json: bool) -> None:
    click.echo(json.dumps(fields, ensure_ascii=False) if wants_json else message, err=True)
    sys.exit(fields["exit_code"])
