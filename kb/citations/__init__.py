"""Finding citations in a text, resolving them in a release, and renumbering them."""

from kb.citations.find import find_citations
from kb.citations.renumber import NotKeptError, renumbered
from kb.citations.resolve import Fault, folded_title, resolve

__all__ = ["Fault", "NotKeptError", "find_citations", "folded_title", "renumbered", "resolve"]
