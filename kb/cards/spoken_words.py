"""What rulings and players say for a term of the glossary: ``rules/words.tsv``."""

from __future__ import annotations

from functools import cache

from kb import resources
from kb.errors import ShippedFileError

_COLUMNS = "term\twords"


@cache
def spoken_words() -> tuple[tuple[str, str], ...]:
    """Return (term, words said for it).

    Raises:
        ShippedFileError: the file is not as it should be.
    """
    first, *lines = resources.text("rules/words.tsv").splitlines()
    rows = [tuple(line.split("\t")) for line in lines]
    if first != _COLUMNS or any(len(row) != 2 for row in rows):  # noqa: PLR2004 - two columns
        raise ShippedFileError("a row is not as it should be", where="rules/words.tsv")
    return tuple((row[0], row[1]) for row in rows)
