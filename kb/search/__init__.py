"""Search by concept: words, what players say for them, meanings, and what the graph knows."""

from kb.search.card_index import write_card_index
from kb.search.release_index import write_release_index
from kb.search.results import KINDS, Entry, Found, Hit, Weights
from kb.search.searcher import Searcher

__all__ = [
    "KINDS",
    "Entry",
    "Found",
    "Hit",
    "Searcher",
    "Weights",
    "write_card_index",
    "write_release_index",
]
