"""Citations against a release: what each number names there, and what is wrong with it.

A quoted title is a check digit on the number: if the number's own title is another one, and
the quoted words are the exact title of some other rule (not of the chapter that the number
lies in), the number is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kb.records import Citation


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a citation is wrong: ``missing`` or ``title``, and the rule that was meant, if known."""

    number: str
    fault: str
    suggestion: str | None = None


def folded_title(title: str) -> str:
    """Return a title without case, punctuation and the form of its quotes."""
    return " ".join(
        "".join(c if c.isalnum() else "" if c in "'’" else " " for c in title.casefold()).split()
    )


def resolve(citation: Citation, titles: Mapping[str, str | None]) -> tuple[Fault, ...]:
    """Return the faults of a citation in a release.

    Args:
        citation: as found.
        titles: each number of the release (sections as a digit) with its title, if any.
    """
    faults = [Fault(number, "missing") for number in citation.numbers if number not in titles]
    if citation.title is None or not citation.numbers:
        return tuple(faults)
    quoted = folded_title(citation.title)
    number = citation.numbers[-1]
    own = titles.get(number)
    if number in titles and (own is None or folded_title(own) != quoted):
        meant = [
            other
            for other, title in titles.items()
            if title and folded_title(title) == quoted and not number.startswith(f"{other}.")
        ]
        if meant:
            faults.append(Fault(number, "title", meant[0]))
    return tuple(faults)
