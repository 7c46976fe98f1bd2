"""A release's text → records."""

from kb.rulebook.reader import read_rulebook

__all__ = ["read_rulebook"]
