"""The references of a quoted paragraph against where they lead today.

A reference is astray if the rule that bore the printed number, when the wording stood, is not
the rule that the text refers to today: it was wrong already then, or the page has it wrong.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kb.citations import folded_title
from kb.identify.known import EDITED, EXACT
from kb.identify.tokens import tokens

if TYPE_CHECKING:
    from kb.identify.index import Index
    from kb.identify.known import Known, Match

_SECTION = 1  # digits
_DIGIT = re.compile(r"\d")


def astray(
    match: Match, quoted: str, release: str | None, index: Index
) -> tuple[tuple[str, str], ...]:
    """Return the references that lead elsewhere: as printed, and the number of what is meant.

    Args:
        match: of the paragraph.
        quoted: the paragraph's words that quote.
        release: the one that the page as a whole quotes, if it is known.
        index: the known texts.
    """
    if match.now is None or match.match not in (EXACT, EDITED) or not _DIGIT.search(quoted):
        return ()
    printed = list(tokens(" ".join(quoted.split())).references.values())
    today = [number for number, _ in tokens(match.now[2]).references.values()]
    if len(printed) != len(today):
        return ()
    first, last = match.since or "", match.release
    if release is not None and first <= release <= last:
        first = last = release
    return tuple(
        (number, meant)
        for (number, title), meant in zip(printed, today, strict=True)
        if len(number) > _SECTION
        and number != meant
        and not _leads(title, meant, _borne(number, first, last, index))
    )


def _borne(number: str, first: str, last: str, index: Index) -> list[Known]:
    """Return the rules that bore a number in some release of a time."""
    return [
        rule for rule in index.rules(number) if (rule.since or "") <= last and rule.release >= first
    ]


def _leads(title: str | None, meant: str, bearers: list[Known]) -> bool:
    """Tell whether a number was that of what is meant, or of what the title beside it says."""
    return any(
        rule.now is None
        or rule.now[0] == meant
        or (title is not None and folded_title(title) == folded_title(rule.text))
        for rule in bearers
    )
