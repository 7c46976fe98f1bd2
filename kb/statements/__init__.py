"""Sentences → typed statements."""

from kb.statements.lexicon import Lexicon, folded
from kb.statements.read import read_rule_statements, read_term_statements
from kb.statements.sentences import sentences

__all__ = ["Lexicon", "folded", "read_rule_statements", "read_term_statements", "sentences"]
