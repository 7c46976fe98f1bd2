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

    from kb.records import Citation, Rulebook, Statement
    from kb.source import Source


def read_release(source: Source, *, effective: date | None = None) -> Reading:
    """Read a release in full.

    Args:
        source: the decoded file.
        effective: the date to use where the text states none.
    """
    rulebook, problems = read_rulebook(source, effective=effective)
    return Reading(rulebook, tuple(_citations(rulebook)), tuple(_statements(rulebook)), problems)


def _texts(rulebook: Rulebook) -> Iterator[tuple[Place, str]]:
    for rule, key in zip(rulebook.rules, keys(str(r.number) for r in rulebook.rules), strict=True):
        yield Place("rule", key), rule.text
        for ordinal, example in enumerate(rule.examples, 1):
            yield Place("rule", key, ordinal), example.text
    for term, key in zip(rulebook.terms, keys(slug(t.name) for t in rulebook.terms), strict=True):
        yield Place("term", key), term.text
        for ordinal, example in enumerate(term.examples, 1):
            yield Place("term", key, ordinal), example.text


def _citations(rulebook: Rulebook) -> Iterator[tuple[Place, Citation]]:
    for place, text in _texts(rulebook):
        for citation in find_citations(text):
            yield place, citation


def _statements(rulebook: Rulebook) -> Iterator[tuple[Place, Statement]]:
    lexicon = Lexicon.of(rulebook)
    for rule, key in zip(rulebook.rules, keys(str(r.number) for r in rulebook.rules), strict=True):
        for statement in read_rule_statements(rule, lexicon):
            yield Place("rule", key), statement
    for term, key in zip(rulebook.terms, keys(slug(t.name) for t in rulebook.terms), strict=True):
        for statement in read_term_statements(term, lexicon):
            yield Place("term", key), statement
