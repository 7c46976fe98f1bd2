"""`mtgkb build`: release files → a knowledge base."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import Settings, common
from kb.cli.output import show_json, table
from kb.cli.progress import progress
from kb.errors import UsageError

if TYPE_CHECKING:
    from kb.cards.page import RulingPage

_SHOWN = 5
_CONCISE_CARDS = ("concise-cards", "concise-rulings")
_COUNTS = ("chapters", "rules", "subrules", "examples", "terms", "citations", "problems")


@click.command("build")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--cards", multiple=True, type=click.Path(path_type=Path), help="A card file.")
@click.option("--rulings", multiple=True, type=click.Path(path_type=Path), help="A ruling file.")
@click.option("--rulings-card", metavar="NAME", help="The card that a page of rulings is on.")
@click.option("--rulings-date", metavar="DATE", help="The day on which the page was published.")
@click.option(
    "--history", multiple=True, type=click.Path(path_type=Path), help="A text for history alone."
)
@click.option("--add", is_flag=True, help="Keep the releases that are there already.")
@click.option("--damaged", is_flag=True, help="Accept a truncated text for what can be read.")
@click.option("--effective", metavar="DATE", help="The date of a text that states none.")
@click.option("--base", metavar="IRI", help="The base of all IRIs; it ends with a slash.")
@click.option("--force", is_flag=True, help="Build even if nothing has changed.")
@common("text", "json")
def command(  # noqa: PLR0913, PLR0917 - each is an option
    settings: Settings,
    files: tuple[Path, ...],
    cards: tuple[Path, ...],
    rulings: tuple[Path, ...],
    rulings_card: str | None,
    rulings_date: str | None,
    history: tuple[Path, ...],
    effective: str | None,
    base: str | None,
    *,
    add: bool,
    damaged: bool,
    force: bool,
) -> None:
    """Build a knowledge base from texts of the Comprehensive Rules.

    FILES are official texts, one a release, of any year, in any encoding. Card and ruling
    files are MTGJSON's AtomicCards or Scryfall's bulk files, packed or not. Without FILES the
    concise edition that ships with mtgkb is built, with its own cards if none are named. A page
    of rulings as bullets is a ruling file as well, with --rulings-card and --rulings-date. The
    old knowledge base stays in use until the new one is whole.
    """
    from kb.knowledge import build  # noqa: PLC0415 - slow to import, and --help need not
    from kb.resources import path  # noqa: PLC0415

    if base is not None and not base.endswith("/"):
        raise UsageError(f"--base {base} must end with a slash")
    pages = _pages(rulings, rulings_card, _date(rulings_date, "--rulings-date"))
    card_files = (*cards, *(file for file in rulings if file not in {p.path for p in pages}))
    if not files and not add:
        files = (path("rules/concise-edition.txt"),)
        card_files = card_files or tuple(path(f"rules/{name}.json") for name in _CONCISE_CARDS)
    with progress() as shown:
        report = build(
            files,
            settings.folder,
            cards=card_files,
            force=force,
            add=add,
            damaged=damaged,
            effective=_date(effective, "--effective"),
            base=base,
            pages=pages,
            history=history,
            progress=shown,
        )
    if settings.form == "json":
        show_json(report.as_json())
        return
    rows = [{"release": r["name"], **r} for r in report.releases]
    click.echo(table(("release", *_COUNTS), rows))
    if report.cards:
        _show_cards(report.cards)
    if report.unchanged:
        click.echo("nothing has changed since this was built (--force builds it again)")
    if report.kept:
        click.echo(f"kept: {', '.join(report.kept)}")
    if report.repeated:
        click.echo(f"given twice, read once: {', '.join(report.repeated)}")
    click.echo(f"knowledge base: {report.folder}")


def _show_cards(cards: dict[str, Any]) -> None:
    """Show the counts of the cards, how many paragraphs were typed, and what was wrong."""
    kinds = cards["abilities"]
    paragraphs = sum(kinds.values())
    typed = paragraphs - kinds.get("plain", 0)
    share = f"{typed / paragraphs:.1%}" if paragraphs else "none"
    click.echo(
        f"cards: {cards['cards']} ({cards['faces']} faces), {cards['rulings']} rulings; "
        f"{share} of {paragraphs} paragraphs typed"
    )
    problems = cards["problems"]
    for problem in problems[:_SHOWN]:
        click.echo(f"  {problem}")
    if len(problems) > _SHOWN:
        click.echo(f"  … and {len(problems) - _SHOWN} more problems (--format json shows all)")


def _pages(
    rulings: tuple[Path, ...], card: str | None, published: date | None
) -> tuple[RulingPage, ...]:
    """Return those of the ruling files that are pages to be read by people.

    Raises:
        UsageError: there is one, but its card or date is not told.
        SourceError: a file cannot be read.
    """
    from kb.cards.page import RulingPage, is_page  # noqa: PLC0415 - --help need not

    pages = [path for path in rulings if is_page(path)]
    if not pages:
        return ()
    if card is None or published is None:
        raise UsageError(
            f"{pages[0]} is a page of rulings: it does not say on which card, and when",
            hint="tell it: --rulings-card NAME --rulings-date YYYY-MM-DD",
        )
    return tuple(RulingPage(path, card, published) for path in pages)


def _date(written: str | None, option: str) -> date | None:
    try:
        return date.fromisoformat(written) if written else None
    except ValueError:
        raise UsageError(f"{option} {written} is no date", hint="write YYYY-MM-DD") from None
