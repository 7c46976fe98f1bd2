"""Records → quads and back: pure, in order."""

from kb.triples.cards import card_quads
from kb.triples.governs import mention_quads
from kb.triples.read import read_quads
from kb.triples.write import reading_quads

__all__ = ["card_quads", "mention_quads", "read_quads", "reading_quads"]
