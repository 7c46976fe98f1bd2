"""The words of one release: its glossary's terms and its chapters' titles.

Nothing here is written by hand: what is an entity, the release says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kb.records import Rulebook

_ARTICLE = re.compile(r"^(?:an?|the|its?|their)\s+", re.IGNORECASE)


def folded(name: str) -> str:
    """Return a name in lower case with straight quotes and single spaces."""
    return " ".join(name.replace("’", "'").replace("“", '"').replace("”", '"').lower().split())


def singulars(word: str) -> Iterator[str]:
    """Yield a noun as it is, and the forms of which it may be the plural."""
    yield word
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("s"):
        yield word[:-1]


@dataclass(frozen=True)
class Lexicon:
    """``terms``: folded name → name as printed. ``titles``: folded chapter title → number."""

    terms: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, rulebook: Rulebook) -> Lexicon:
        """Return the lexicon of a release."""
        terms = {folded(term.name): term.name for term in rulebook.terms}
        titles = {
            folded(rule.title): str(rule.number)
            for rule in rulebook.rules
            if rule.title and rule.number.kind == "chapter" and " " in rule.title
        }
        return cls(terms, titles)

    def term(self, phrase: str) -> str | None:
        """Return the term that a phrase is, singular or plural, or None."""
        return next(
            (self.terms[form] for form in singulars(folded(phrase)) if form in self.terms), None
        )

    def knows(self, phrase: str) -> bool:
        """Tell whether a phrase is a term, or one of those that an entry "A, B" is on."""
        return folded(phrase) in self._parts

    @cached_property
    def _parts(self) -> frozenset[str]:
        return frozenset(part for name in self.terms for part in (name, *name.split(", ")))

    def leading_term(self, phrase: str) -> tuple[str, str] | None:
        """Return the longest term that a phrase begins with, articles left out.

        Returns:
            The words as they stand in the phrase, and the term's name; or None.
        """
        words = _ARTICLE.sub("", phrase.strip(), count=1).split()
        for count in range(len(words), 0, -1):
            written = " ".join(words[:count]).strip('“”"., ')
            if name := self.term(written):
                return written, name
        return None

    @cached_property
    def _title_pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.titles, key=len, reverse=True)
        alternatives = "|".join(re.escape(title) for title in longest_first)
        return re.compile(rf"\b(?:{alternatives})\b" if alternatives else r"(?!)")

    def heading_spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and number of each chapter title that stands in a text."""
        lowered = text.replace("’", "'").lower()
        if len(lowered) == len(text):  # a letter whose lower case is longer would shift offsets
            for match in self._title_pattern.finditer(lowered):
                yield match.start(), match.end(), self.titles[match.group()]
