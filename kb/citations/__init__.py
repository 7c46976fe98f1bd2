"""Finding citations in a text, and resolving them in a release: two steps."""

from kb.citations.find import find_citations
from kb.citations.resolve import Fault, folded_title, resolve

__all__ = ["Fault", "find_citations", "folded_title", "resolve"]
