"""Frozen values that pass between the rooms: what a release, read, consists of."""

from kb.records.found import FATAL, Citation, Place, Problem, Reading, Statement
from kb.records.numbers import LETTERS, RuleNumber, letters_at, letters_index
from kb.records.text import (
    Block,
    Example,
    Paragraph,
    Release,
    Rule,
    Rulebook,
    Section,
    Sense,
    Span,
    Term,
)

__all__ = [
    "FATAL",
    "LETTERS",
    "Block",
    "Citation",
    "Example",
    "Paragraph",
    "Place",
    "Problem",
    "Reading",
    "Release",
    "Rule",
    "RuleNumber",
    "Rulebook",
    "Section",
    "Sense",
    "Span",
    "Statement",
    "Term",
    "letters_at",
    "letters_index",
]
