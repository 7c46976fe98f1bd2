"""Sentences → typed statements."""

from kb.statements.coverage import coverage
from kb.statements.glossary import read_term_statements
from kb.statements.lexicon import Lexicon, folded
from kb.statements.read import read_rule_statements, read_ruling_statements
from kb.statements.sentences import sentences

__all__ = [
    "Lexicon",
    "coverage",
    "folded",
    "read_rule_statements",
    "read_ruling_statements",
    "read_term_statements",
    "sentences",
]
