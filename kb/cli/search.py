"""`mtgkb search`: rules, examples, terms, rulings and cards by what they are about."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.search import Found, Hit

_KINDS = ("rule", "example", "term", "ruling", "card")
_MARKED = re.compile(r"\*\*(.+?)\*\*")


@click.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([*_KINDS, "all"]),
    help="What to look for (default: rule); give it again for more.",
)
@click.option("--section", metavar="N", help="Only rules of a section (a digit) or a chapter.")
@click.option("--card", metavar="NAME", help="Only rules that govern a card, and its rulings.")
@click.option("--limit", default=10, show_default=True, help="How many hits there are at most.")
@common("text", "json")
def command(  # noqa: PLR0913, PLR0917 - each is an option
    settings: Settings,
    words: tuple[str, ...],
    kinds: tuple[str, ...],
    section: str | None,
    card: str | None,
    limit: int,
) -> None:
    """Search by concept: WORDS are a question, words, a number, a "phrase" or begin*.

    Each hit says why it is one.
    """
    chosen = _KINDS if "all" in kinds else kinds or ("rule",)
    found = settings.open().search(
        " ".join(words),
        kinds=chosen,
        section=section,
        card=card,
        limit=limit,
        release=settings.release,
    )
    if settings.form == "json":
        show_json(found.as_json())
        return
    shown = [*lines(found)]
    if sys.stdout.isatty():
        click.echo_via_pager("\n".join(shown) + "\n")
    else:
        click.echo("\n".join(shown))


def lines(found: Found) -> Iterator[str]:
    """Yield what is printed: the hits of a rule and its subrules together, the best first."""
    if not found.hits:
        yield f"nothing found in {found.release}"
        if found.suggestions:
            yield f"did you mean {', '.join(found.suggestions)}?"
        return
    groups: dict[tuple[str, str], list[Hit]] = {}
    for hit in found.hits:
        groups.setdefault((hit.kind, hit.group), []).append(hit)
    for hits in groups.values():
        if hits[0].heading:
            yield click.style(hits[0].heading, dim=True)
        for hit in hits:
            kind = "" if hit.kind == "rule" else f"{hit.kind} "
            yield f"{kind}{heading(hit.id)}"
            yield _MARKED.sub(_bold, wrapped(hit.snippet, "    "))
            yield click.style(wrapped(" · ".join(hit.why), "      ", "    → "), dim=True)
    yield heading(f"{len(found.hits)} hits in {found.release}")


def _bold(match: re.Match[str]) -> str:
    return click.style(match[1], fg="yellow", bold=True)
