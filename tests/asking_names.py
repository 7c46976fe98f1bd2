"""The names that the tests of free words need, without a knowledge base of all cards."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from conftest import TOP

from kb import resources
from kb.cards.values import name_key
from kb.cards.wordforms import stems

if TYPE_CHECKING:
    from collections.abc import Mapping

TYPES = ("artifact", "battle", "creature", "enchantment", "instant", "land", "planeswalker")
# Words that are cards' names, keywords or terms as well, and must not lead astray.
CARDS = ("Persist", "The General", "Urza", "Black Lotus", "Fork", "Telepathy", "Splinter Twin")
KEYWORDS = ("trample", "persist", "scry", "proliferate", "flying", "menace", "split second")
TERMS = ("creature type", "controller", "commander", "history", "battlefield", "storm", "draw")


@dataclass(frozen=True)
class Phrase:
    """A row of the table of paraphrases."""

    question: str
    set: str
    words: str
    parameters: Mapping[str, str]


def table(name):
    with (TOP / "tests" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def paraphrases():
    return [
        Phrase(
            row["question"],
            row["set"],
            row["words"],
            dict(pair.split("=", 1) for pair in row["parameters"].split(";") if pair),
        )
        for row in table("paraphrases.tsv")
    ]


def _published():
    lines = resources.text("rules/releases.tsv").splitlines()[1:]
    return tuple(dict.fromkeys(line.split("\t")[0] for line in lines))


def _given(parameter, questions=None):
    return {
        phrase.parameters[parameter]
        for phrase in paraphrases()
        if parameter in phrase.parameters and (questions is None or phrase.question in questions)
    }


@dataclass
class ListedNames:
    """What a knowledge base would know: every name in the tables, and some that mislead."""

    releases: tuple[str, ...] = field(default_factory=_published)
    cards: tuple[str, ...] = CARDS
    keywords: tuple[str, ...] = KEYWORDS
    terms: tuple[str, ...] = TERMS
    entries: tuple[str, ...] = TERMS
    answers: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def published(self):
        return _published()

    def __post_init__(self):
        self._cards = {name_key(name): name for name in self.cards}
        self._keywords = {stems(name): name for name in self.keywords}
        self._terms = {stems(name): name for name in self.terms}
        self._entries = {stems(name): name for name in self.entries}
        self._types = {stems(name): name for name in TYPES}

    @classmethod
    def of_the_tables(cls):
        terms = _given("term")
        return cls(
            cards=(*CARDS, *_given("card")),
            keywords=(*KEYWORDS, *_given("keyword")),
            terms=(*TERMS, *terms),
            entries=(*TERMS, *terms),
        )

    def card(self, written):
        return self._cards.get(name_key(written))

    def keyword(self, written):
        return self._keywords.get(stems(written))

    def term(self, written):
        return self._terms.get(stems(written))

    def entry(self, written):
        return self._entries.get(stems(written))

    def type(self, written):
        return self._types.get(stems(written))

    def answer(self, question):
        return self.answers.get(question, frozenset())
