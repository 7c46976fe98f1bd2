"""`mtgkb identify`: which rules, terms, examples and rulings a text quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, wrapped
from kb.source import decode

if TYPE_CHECKING:
    from kb.identify import Match, ParagraphMatches

_MARKS = {"=": ("", None), "-": ("[-", "red"), "+": ("[+", "green")}


@click.command("identify")
@click.argument("file", type=click.File("rb"))
@common("text", "json")
def command(settings: Settings, file: Any) -> None:  # noqa: ANN401 - click's binary file
    """Tell which rules and rulings the text in FILE quotes; - reads from standard input.

    Each quote is exact, edited, cut short, or part of a paragraph; with the releases in which
    its words stood, and where that rule is now.
    """
    text = decode(file.read(), getattr(file, "name", "-")).text
    paragraphs, release = settings.open().identify(text)
    if settings.form == "json":
        found = [_as_json(paragraph) for paragraph in paragraphs if paragraph.matches]
        show_json({"release": release, "paragraphs": found})
        return
    quoted = [paragraph for paragraph in paragraphs if paragraph.matches]
    for paragraph in quoted:
        click.echo(wrapped(paragraph.text, "      ", f"{paragraph.line:4}  "))
        for match in paragraph.matches:
            click.echo(wrapped(_described(match), "        ", "      → "))
    click.echo(heading(_summary(len(quoted), len(paragraphs), release)))


def _summary(quoted: int, every: int, release: str | None) -> str:
    whole = f", as a whole release {release}" if release else ""
    return f"{quoted} of {every} paragraphs quote something{whole}"


def _described(match: Match) -> str:
    """Return a match in a line: what, how, since and until when, where now, what differs."""
    until = f" to {match.until}" if match.until else " to this day"
    since = f"{match.since}{until}" if match.since else ""
    parts = [f"{match.kind} {match.id}: {match.match}", since]
    if match.now and match.now[0] != match.id:
        parts.append(f"now {match.now[0]}")
    elif match.now is None:
        parts.append("gone")
    if match.printed_fits is False:
        parts.append(f"printed as {match.printed}")
    parts += [f"its reference {old} means {new} now" for old, new in match.astray]
    if match.match == "edited":
        parts.append("".join(_marked(op, words) for op, words in match.difference).strip())
    return " · ".join(part for part in parts if part)


def _marked(op: str, words: str) -> str:
    mark, color = _MARKS[op]
    return f"{words} " if not mark else click.style(f"{mark}{words}]", fg=color) + " "


def _as_json(paragraph: ParagraphMatches) -> dict[str, object]:
    return {
        "line": paragraph.line,
        "text": paragraph.text,
        "matches": [
            {
                "kind": match.kind,
                "id": match.id,
                "release": match.release,
                "match": match.match,
                "score": match.score,
                "since": match.since,
                "until": match.until,
                "now": _now(match),
                "difference": [list(step) for step in match.difference],
                "printed": match.printed,
                "printed_fits": match.printed_fits,
                "astray": [list(pair) for pair in match.astray],
            }
            for match in paragraph.matches
        ],
    }


def _now(match: Match) -> dict[str, str] | None:
    return dict(zip(("id", "release", "text"), match.now, strict=True)) if match.now else None
