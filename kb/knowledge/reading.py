"""A source → a release read in full: records, citations, statements, problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.citations import find_citations
from kb.records import Place, Reading
from kb.rulebook import read_rulebook
from kb.statements import Lexicon, read_rule_statements, read_term_statements
from kb.vocab import keys, slug

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from kb.records import Citation, Rule, Rulebook, Statement, Term
    from kb.source import Source


def read_release(source: Source, *, effective: date | None = None) -> Reading:
    """Read a release in full.

    Args:
        source: the decoded file.
        effective: the date to use where the text states none.
    """
    rulebook, problems = read_rulebook(source, effective=effective)
    return Reading(rulebook, tuple(_citations(rulebook)), tuple(_statements(rulebook)), problems)


def keyed_rules(rulebook: Rulebook) -> Iterator[tuple[str, Rule]]:
    """Yield the rules by their keys: a second rule of one number has a key of its own."""
    return zip(keys(str(rule.number) for rule in rulebook.rules), rulebook.rules, strict=True)


def _terms(rulebook: Rulebook) -> Iterator[tuple[str, Term]]:
    return zip(keys(slug(term.name) for term in rulebook.terms), rulebook.terms, strict=True)


def _texts(rulebook: Rulebook) -> Iterator[tuple[Place, str]]:
    keyed = (("rule", keyed_rules(rulebook)), ("term", _terms(rulebook)))
    for kind, entries in keyed:
        for key, entry in entries:
            yield Place(kind, key), entry.text
            for ordinal, example in enumerate(entry.examples, 1):
                yield Place(kind, key, ordinal), example.text


def _citations(rulebook: Rulebook) -> Iterator[tuple[Place, Citation]]:
    for place, text in _texts(rulebook):
        for citation in find_citations(text):
            yield place, citation


def _statements(rulebook: Rulebook) -> Iterator[tuple[Place, Statement]]:
    lexicon = Lexicon.of(rulebook)
    for key, rule in keyed_rules(rulebook):
        for statement in read_rule_statements(rule, lexicon):
            yield Place("rule", key), statement
    for key, term in _terms(rulebook):
        for statement in read_term_statements(term, lexicon):
            yield Place("term", key), statement
