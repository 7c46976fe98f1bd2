"""`mtgkb fetch`: downloads the official text and card data."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import Settings, common, home
from kb.cli.output import show_json
from kb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kb.fetch import Fetched

_WHAT = ("rules", "cards", "rulings", "all")


@click.command("fetch")
@click.argument("what", metavar="|".join(_WHAT))
@click.option("--to", metavar="DIR", help="Where the files go (default: downloads in the home).")
@click.option(
    "--rules-page", metavar="URL", envvar="MTGKB_RULES_PAGE", help="The page that links the text."
)
@click.option("--scryfall", metavar="URL", envvar="MTGKB_SCRYFALL", help="The base of the API.")
@click.option("--timeout", metavar="SECONDS", type=float, help="The longest silence of a server.")
@common("text", "json")
def command(  # noqa: PLR0913 - each is an option
    settings: Settings,
    *,
    what: str,
    to: str | None,
    rules_page: str | None,
    scryfall: str | None,
    timeout: float | None,
) -> None:
    """Download the official rules, cards or rulings, and say where they lie.

    What lies there already is downloaded again only if it has changed; what was interrupted
    goes on where it stopped. The texts are Wizards of the Coast's, the card data Scryfall's:
    read their terms before you pass them on.
    """
    from kb.fetch import (  # noqa: PLC0415 - only here
        BULK,
        RULES_PAGE,
        SCRYFALL,
        Limits,
        Web,
        fetch_bulk,
        fetch_rules,
    )

    if what not in _WHAT:
        raise UsageError(f"nothing called {what!r} to fetch", hint=f"one of {', '.join(_WHAT)}")
    if timeout is not None and not 0 < timeout < float("inf"):
        raise UsageError(f"--timeout {timeout} is no time", hint="write seconds, more than 0")
    folder = Path(to) if to else home() / "downloads"
    limits = replace(Limits(), timeout=timeout) if timeout else Limits()
    kinds = [kind for kind in BULK if what in (kind, "all")]
    files: list[Fetched] = []
    try:
        with _progress() as progress, Web(limits) as web:
            if what in ("rules", "all"):
                files.append(fetch_rules(web, folder, progress, rules_page or RULES_PAGE))
            if kinds:
                files.extend(fetch_bulk(web, kinds, folder, progress, scryfall or SCRYFALL))
    finally:  # what came before an error lies there as well
        if settings.form == "text":
            for fetched in files:
                click.echo(_line(fetched))
    if settings.form == "json":
        show_json({"files": [fetched.as_json() for fetched in files]})


def _line(fetched: Fetched) -> str:
    """Return where a file lies and what is known of it."""
    facts = [fetched.state, f"{fetched.bytes:,} bytes"]
    if fetched.updated:
        facts.append(f"of {fetched.updated}")
    if fetched.what == "rules":
        known = fetched.release
        facts.append(f"release {known}" if known else "a text that the catalogue does not know")
    return f"{fetched.what}: {fetched.path} ({', '.join(facts)})"


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """Yield what shows a download's progress: a bar on a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TransferSpeedColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    console = Console(stderr=True)
    with Progress(*columns, TransferSpeedColumn(), console=console, transient=True) as bar:
        task: Any = bar.add_task("asking", total=None)
        yield lambda what, done, total: bar.update(
            task, description=what, completed=done, total=total or None
        )
