"""Card and ruling files → records."""

from kb.cards.files import read_card_files
from kb.cards.merge import CardReport

__all__ = ["CardReport", "read_card_files"]
