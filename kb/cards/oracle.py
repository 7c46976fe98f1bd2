"""Oracle text → abilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.records import Ability, Span

if TYPE_CHECKING:
    from kb.records import Rulebook


@dataclass(frozen=True, slots=True)
class KeywordLexicon:
    """The keywords of a release."""

    @classmethod
    def of(cls, rulebook: Rulebook) -> KeywordLexicon:  # noqa: ARG003
        """Return the lexicon of a release."""
        return cls()


def read_abilities(
    text: str,
    card_types: tuple[str, ...],
    keywords: KeywordLexicon,  # noqa: ARG001
) -> tuple[Ability, ...]:
    """Return each paragraph as an ability."""
    found, start = [], 0
    for line in text.split("\n"):
        if line:
            found.append(Ability("plain", line, Span(start, start + len(line))))
        start += len(line) + 1
    return tuple(found)
