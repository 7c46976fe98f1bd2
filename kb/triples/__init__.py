"""Records → quads and back: pure, in order."""

from kb.triples.read import read_quads
from kb.triples.write import reading_quads

__all__ = ["read_quads", "reading_quads"]
