"""Which rules, terms, examples and rulings a text quotes, of which release, and how."""

from kb.identify.index import Index
from kb.identify.known import Known, Match, ParagraphMatches
from kb.identify.page import identify, page_release

__all__ = ["Index", "Known", "Match", "ParagraphMatches", "identify", "page_release"]
