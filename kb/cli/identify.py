"""`mtgkb identify`: which rules, terms, examples and rulings a text quotes."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import Settings, common
from kb.cli.output import heading, show_json, wrapped
from kb.cli.progress import progress
from kb.source import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.identify import Match, ParagraphMatches

_MARKS = {"-": ("[-", "-]"), "+": ("{+", "+}")}
_HOW = {"exact": "exact", "edited": "edited", "cut": "cut short", "part": "a part"}
_BEFORE, _AFTER = 5, 4  # words shown around what differs
_CARDS = 3  # named, of those that share a ruling


@click.command("identify")
@click.argument("file", type=click.File("rb"))
@common("text", "json")
def command(settings: Settings, file: Any) -> None:  # noqa: ANN401 - click's binary file
    """Tell which rules and rulings the text in FILE quotes; - reads from standard input.

    Each quote is exact, edited, cut short, or a part of a rule or paragraph; with the releases
    in which its words stood, and where that rule is now. Words in [-…-] are only in the rule,
    those in {+…+} only in the text. The first use of a knowledge base indexes its texts.
    """
    text = decode(file.read(), getattr(file, "name", "-")).text
    with progress() as shown:
        paragraphs, release = settings.open().identify(text, shown)
    if settings.form == "json":
        found = [_as_json(paragraph) for paragraph in paragraphs]
        show_json({"release": release, "paragraphs": found})
        return
    quoted = [paragraph for paragraph in paragraphs if paragraph.matches]
    for paragraph in quoted:
        click.echo(wrapped(" ".join(paragraph.text.split()), "      ", f"{paragraph.line:4}  "))
        for line in _described(paragraph):
            click.echo(wrapped(line, "        ", "      → "))
    click.echo(heading(_summary(len(quoted), len(paragraphs), release)))


def _summary(quoted: int, every: int, release: str | None) -> str:
    whole = f"; as a whole the page is from release {release}" if release else ""
    return f"{quoted} of {every} paragraphs quote something{whole}"


def _described(paragraph: ParagraphMatches) -> Iterator[str]:
    """Yield a line for each thing quoted; cards that share a ruling are one."""
    for _, several in groupby(paragraph.matches, _same):
        matches = list(several)
        match, others = matches[0], matches[1:]
        parts = [f"{_name(match)}: {_how(match, paragraph.text)}", *_dates(match)]
        if match.kind == "ruling" and others:
            cards = [_card(one) for one in others]
            more = len(cards) + paragraph.more - _CARDS
            rest = f" and {more} more" if more > 0 else ""
            parts.append(f"also on {'; '.join(cards[:_CARDS])}{rest}")
        if match.printed_fits is False:
            parts.append(f"printed as {match.printed}")
        parts += [f"its reference {old} means {new} now" for old, new in match.astray]
        yield " · ".join(parts)
        if match.match == "edited":
            yield f"differs: {_differing(match)}"


def _same(match: Match) -> tuple[object, ...]:
    """Return what is equal in the matches of cards that share a ruling."""
    own = "" if match.kind == "ruling" else match.id
    return match.kind, own, match.span, match.match


def _name(match: Match) -> str:
    if match.kind == "ruling":
        return f"ruling on {_card(match)}"
    if match.kind == "example":
        number, _, example = match.id.partition(" ")
        return f"rule {number}, {example}"
    return f"{match.kind} {match.id}"


def _card(match: Match) -> str:
    return match.id.rpartition(", ")[0]


def _how(match: Match, text: str) -> str:
    """Return how a text is quoted, and where, if the paragraph has more in it."""
    quoted = " ".join(match.span.of(text).split())
    if match.match != "part" or len(quoted) >= len(" ".join(text.split())):
        return _HOW[match.match]
    words = quoted.split()
    shown = quoted if len(words) <= _BEFORE + _AFTER else " ".join(words[:_BEFORE]) + " …"
    return f"here “{shown}”"


def _dates(match: Match) -> Iterator[str]:
    """Yield since and until when it was worded so, and where and how it is now."""
    if match.kind == "ruling":
        yield f"of {match.since}"
        return
    if match.since:
        yield f"worded so {match.since} to {match.until or 'this day'}"
    if match.now is None:
        yield "gone now"
    elif match.now[0] != match.id:
        yield f"numbered so until {match.release}, now {match.now[0]}"
    if match.now and match.until:
        yield "worded otherwise now"


def _differing(match: Match) -> str:
    """Return the words that differ, each with a few of those around it."""
    steps = match.difference
    shown = [_shown(steps[n], n > 0, n < len(steps) - 1) for n in range(len(steps))]
    return " ".join(part for part in shown if part)


def _shown(step: tuple[str, str], follows: bool, goes_on: bool) -> str:  # noqa: FBT001
    op, words = step
    if op in _MARKS:
        before, after = _MARKS[op]
        return f"{before}{words}{after}"
    few = words.split()
    first, last = (_AFTER if follows else 0), (_BEFORE if goes_on else 0)
    if len(few) <= first + last:
        return words
    return " ".join([*few[:first], "…", *few[len(few) - last :]])


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
                "span": [match.span.start, match.span.end],
                "printed": match.printed,
                "printed_fits": match.printed_fits,
                "astray": [list(pair) for pair in match.astray],
            }
            for match in paragraph.matches
        ],
        "more": paragraph.more,
    }


def _now(match: Match) -> dict[str, str] | None:
    return dict(zip(("id", "release", "text"), match.now, strict=True)) if match.now else None
