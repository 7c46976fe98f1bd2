"""A release → the concepts that cards may speak of, each with the rules that govern it.

A concept is a keyword, a type, a symbol, a kind of counter, a zone, a term of the glossary, or
a wording that a rule is about. Nothing here is written by hand: what is a concept, and which
rule governs it, the release's headings, glossary and sentences say.

What holds afterwards: a key names one concept (``term:mana value``), in every release alike;
its rules are numbers that the release has.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from kb.cards.concept_gathering import Gathered
from kb.cards.phrases import PhraseBook
from kb.cards.wordforms import stems
from kb.records import RuleNumber

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.cards.concept_words import RuleWords
    from kb.cards.phrases import Phrase
    from kb.cards.rulings_text import Act
    from kb.records import Rulebook


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept: its key, and the numbers of the rules that govern it."""

    key: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class ConceptBook:
    """The concepts of a release, and the words that name them.

    ``names`` are (kind, folded words of a name) → key; ``acts`` are by key the concepts that a
    verb and its object name, ``verbs`` the keys of those that a verb names.
    """

    concepts: tuple[Concept, ...]
    phrases: tuple[tuple[str, Phrase], ...]
    names: dict[tuple[str, tuple[str, ...]], str]
    acts: dict[str, Act]
    verbs: frozenset[str]
    words: RuleWords

    @cached_property
    def finder(self) -> PhraseBook:
        """Finds the concepts in a text."""
        return PhraseBook(self.phrases, self.words.frequency)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of the concepts that a rule governs."""
        return frozenset(concept.key for concept in self.concepts if concept.rules)

    def key(self, kind: str, name: str) -> str | None:
        """Return the key of a concept of a kind by a name in any form, or None."""
        return self.names.get((kind, stems(name)))


def concepts_of(rulebook: Rulebook) -> ConceptBook:
    """Return the concepts of a release."""
    gathered = Gathered(rulebook)
    gathered.everything()
    there = {str(rule.number) for rule in rulebook.rules}
    concepts = []
    for key, rules in gathered.rules.items():
        known = tuple(number for number in rules if number in there)
        concepts.append(Concept(key, _united(known) if key.startswith("wording:") else known))
    return ConceptBook(
        tuple(concepts),
        tuple((key, phrase) for phrase, key in gathered.phrases.items()),
        gathered.names,
        gathered.acts,
        frozenset(gathered.verbs),
        gathered.words,
    )


def _united(rules: Iterable[str]) -> tuple[str, ...]:
    """Return rules with those of one chapter replaced by what is above them all."""
    chapters: dict[str, list[RuleNumber]] = defaultdict(list)
    for number in map(RuleNumber.parse, rules):
        chapters[str(number.chapter)].append(number)
    return tuple(
        str(some[0])
        if len(some) == 1
        else chapter
        if len({number.rule for number in some}) > 1
        else f"{chapter}.{some[0].rule}"
        for chapter, some in chapters.items()
    )
