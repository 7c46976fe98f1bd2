"""Frozen values that pass between the rooms: what a release, read, consists of."""

from kb.records.cards import Ability, Card, Face, KeywordUse, Ruling
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
    "Ability",
    "Block",
    "Card",
    "Citation",
    "Example",
    "Face",
    "KeywordUse",
    "Paragraph",
    "Place",
    "Problem",
    "Reading",
    "Release",
    "Rule",
    "RuleNumber",
    "Rulebook",
    "Ruling",
    "Section",
    "Sense",
    "Span",
    "Statement",
    "Term",
    "letters_at",
    "letters_index",
]
