"""Which release a text is: its effective date, its edition, its variant.

The date stands twice, at the head and in the credits ("These rules are effective as of …",
"current as of" in old ones); never is it taken from a file's name. Two texts published for
one date are told apart by their digest, listed in ``rules/releases.tsv``.
"""

from __future__ import annotations

import calendar
import csv
import re
from datetime import date
from typing import TYPE_CHECKING

from kb import resources
from kb.records import Release

if TYPE_CHECKING:
    from kb.records import Block, Problem
    from kb.source import Source

_MONTHS = [month.lower() for month in calendar.month_name[1:]]
_IN_WORDS = re.compile(rf"({'|'.join(_MONTHS)})\s*(\d{{1,2}})\s*,?\s*(\d{{4}})", re.IGNORECASE)
_IN_FIGURES = re.compile(r"\b(\d\d)/(\d\d)/(\d\d)\b")
_CENTURY = 1900


def effective_date(text: str) -> date | None:
    """Return the date that a line states, or None."""
    words = _IN_WORDS.search(text)
    figures = None if words else _IN_FIGURES.search(text)
    try:
        if words:
            return date(int(words[3]), _MONTHS.index(words[1].lower()) + 1, int(words[2]))
        if figures:
            month, day, year = map(int, figures.groups())
            return date(_CENTURY + year, month, day)
    except ValueError:
        return None
    return None


def identify_release(
    source: Source, blocks: tuple[Block, ...], given: date | None
) -> tuple[Release, list[Problem]]:
    """Tell a release by its own words; ``given`` is a date to use where there is none."""
    problems = []
    dates = [
        (found, block.paragraph.span.start)
        for block in blocks
        if block.kind == "effective" and (found := effective_date(block.paragraph.text))
    ]
    effective = given or (dates[0][0] if dates else date.min)
    if not dates and given is None:
        problems.append(source.problem("no-date", "the text states no effective date", 0))
    problems += [
        source.problem("date", f"the head says {dates[0][0]}, this line {found}", offset)
        for found, offset in dates[1:]
        if found != dates[0][0]
    ]
    lines = [block.paragraph.text for block in blocks if block.kind in ("line", "effective")]
    title = lines[0] if lines else ""
    edition = "concise" if "concise" in title.lower() else "official"
    variant = catalogue().get(source.sha256, "") if edition == "official" else ""
    release = Release(effective, source.sha256, source.encoding, edition, variant, title)
    return release, problems


def catalogue() -> dict[str, str]:
    """Return the variant letter (often empty) of each official text that is known, by digest."""
    rows = csv.DictReader(resources.text("rules/releases.tsv").splitlines(), delimiter="\t")
    return {row["sha256"]: row["variant"] for row in rows}
