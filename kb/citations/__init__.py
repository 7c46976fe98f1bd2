"""Finding citations in a text, and resolving them in a release: two steps."""

from kb.citations.find import find_citations
from kb.citations.resolve import Fault, resolve

__all__ = ["Fault", "find_citations", "resolve"]
