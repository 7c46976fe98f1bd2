"""Rule numbers in the rulebook's own form: chapter ``704``, rule ``704.5``, subrule ``704.5g``.

Subrule letters skip l and o, and z is followed by aa (the introduction of each release says
the first; chapters with long lists show the second).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LETTERS = "abcdefghijkmnpqrstuvwxyz"
_NUMBER = re.compile(r"([1-9]\d\d)(?:\.(\d{1,3})([a-z]{0,2}))?")
_WRITTEN = re.compile(
    r"\s*(?:(?:cr|rules?|subrules?|chapter|comprehensive rules?)\s*:?\s*)?"
    r"([1-9]\d\d(?:\.\d{1,3}[a-z]{0,2})?)\.?\s*",
    re.IGNORECASE,
)


def letters_at(index: int) -> str:
    """Return the subrule letters at a position: 0 is a, 23 is z, 24 is aa."""
    if index < len(LETTERS):
        return LETTERS[index]
    first, second = divmod(index - len(LETTERS), len(LETTERS))
    return LETTERS[first] + LETTERS[second]


def letters_index(letters: str) -> int:
    """Return the position of subrule letters.

    Raises:
        ValueError: a letter is l or o, or no letter.
    """
    if len(letters) == 1:
        return LETTERS.index(letters)
    first, second = letters[0], letters[1]
    return len(LETTERS) * (1 + LETTERS.index(first)) + LETTERS.index(second)


@total_ordering
@dataclass(frozen=True, slots=True)
class RuleNumber:
    """The number of a chapter, rule or subrule, ordered as the rulebook orders them."""

    chapter: int
    rule: int | None = None
    letters: str = ""

    @classmethod
    def parse(cls, written: str) -> RuleNumber:
        """Read a number in its exact form.

        Raises:
            ValueError: it is no number of the rulebook's form.
        """
        match = _NUMBER.fullmatch(written)
        if match is None:
            raise ValueError(f"not a rule number: {written!r}")
        chapter, rule, letters = match.groups()
        return cls(int(chapter), int(rule) if rule else None, letters or "")

    @classmethod
    def understand(cls, written: str) -> RuleNumber:
        """Read a number as people write it: ``704.5g.``, ``CR 704.5g``, ``rule 704.5G``.

        Raises:
            ValueError: it is no rule number.
        """
        match = _WRITTEN.fullmatch(written)
        if match is None:
            raise ValueError(f"not a rule number: {written!r}")
        return cls.parse(match[1].lower())

    @property
    def kind(self) -> str:
        """``chapter``, ``rule`` or ``subrule``."""
        if self.rule is None:
            return "chapter"
        return "subrule" if self.letters else "rule"

    @property
    def section(self) -> int:
        """The section that the number lies in: 7 for 704.5g."""
        return self.chapter // 100

    @property
    def parent(self) -> RuleNumber | None:
        """The rule of a subrule, the chapter of a rule, None for a chapter."""
        if self.letters:
            return RuleNumber(self.chapter, self.rule)
        return None if self.rule is None else RuleNumber(self.chapter)

    @property
    def position(self) -> int:
        """The place among its siblings, counted from 1; 0 where the letters are l or o."""
        if self.letters:
            try:
                return letters_index(self.letters) + 1
            except ValueError:
                return 0
        return self.chapter if self.rule is None else self.rule

    def through(self, last: RuleNumber) -> Iterator[RuleNumber]:
        """Yield the numbers from this one to ``last``, siblings of one kind.

        Raises:
            ValueError: they are no siblings in ascending order.
        """
        if (self.kind, self.parent) != (last.kind, last.parent) or self.position > last.position:
            raise ValueError(f"no range: {self} to {last}")
        for position in range(self.position, last.position + 1):
            if self.letters:
                yield RuleNumber(self.chapter, self.rule, letters_at(position - 1))
            elif self.rule is not None:
                yield RuleNumber(self.chapter, position)
            else:
                yield RuleNumber(position)

    def __str__(self) -> str:
        return f"{self.chapter}" + ("" if self.rule is None else f".{self.rule}{self.letters}")

    def _key(self) -> tuple[int, int, int, str]:
        return (
            self.chapter,
            -1 if self.rule is None else self.rule,
            len(self.letters),
            self.letters,
        )

    def __lt__(self, other: RuleNumber) -> bool:
        return self._key() < other._key()
