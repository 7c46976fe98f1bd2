"""Known texts, indexed by the rare words that stand together in them.

Each text is a string with one character a word, rarer words having greater characters: so
that texts are compared, searched and cut at the speed of strings. Of any eight words in a
row that a text shares with a paragraph, four at least lead to it. `shelf` has the tables.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from functools import lru_cache
from math import log
from struct import unpack
from threading import Lock
from typing import TYPE_CHECKING, Any

from kb.editions.wording import REFERENCE
from kb.errors import StoreError
from kb.identify.known import RULE, Known
from kb.identify.shelf import SHINGLE, digest, shelve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_FIRST = 0xE000  # above the surrogates, which are no characters
_UNKNOWN = "\0"
_LONGEST_NAME = 8
_SENTENCE_ENDS = (".", ":", "!", "?", ")", "”", '"', "’", "'")
_RAREST = 10.6  # what a word weighs that stands once, however many texts there are
_MANY = 4000  # places looked at for one paragraph
_HELD = 8192  # wordings kept in memory, of those that were looked at
_AT_ONCE = 500  # values in one query
_SIZES = ("page_count", "page_size")

_KNOWN = """
SELECT kind, id, release, since, until, text.text, now_id, now_release, now.text, identity
FROM known JOIN text ON text.place = known.text LEFT JOIN text AS now ON now.place = now_text
WHERE """


class Entry:
    """A wording: its words, what they weigh together, and the texts that have it."""

    __slots__ = ("_index", "place", "weight", "words")

    def __init__(self, index: Index, place: int, words: str) -> None:
        """Take a wording out of an index; its texts are read when they are asked for."""
        self._index, self.place, self.words = index, place, words
        self.weight = index.weight(words)

    @property
    def known(self) -> tuple[Known, ...]:
        """The texts that have the wording, in the order in which they were given."""
        return self._index.known(self.place)

    @property
    def is_other(self) -> bool:
        """Whether nothing known has it: who has it quotes nothing."""
        return self._index.is_other(self.place)

    @property
    def is_name(self) -> bool:
        """Whether it is a heading, which a page may bear without quoting it."""
        if len(self.words) > _LONGEST_NAME or self.is_other:
            return False
        return not self.known[0].text.rstrip().endswith(_SENTENCE_ENDS)

    def bears(self, name: str) -> bool:
        """Tell whether it ever stood under a number or name."""
        return self.place in self._index.places(name.casefold())


class Index:
    """Many known texts, made to find those that a paragraph shares words with.

    Safe to share between threads.
    """

    def __init__(self, connection: sqlite3.Connection, name: str = "the index") -> None:
        """Read the tables that ``shelve`` wrote; ``name`` is what an error calls them.

        Raises:
            sqlite3.Error: they are no such tables.
        """
        self._connection, self._name, self._lock = connection, name, Lock()
        words = self._rows("SELECT word, texts FROM word ORDER BY rank")
        ((wordings,),) = self._rows("SELECT count(*) FROM wording")
        most = log(2 + wordings)
        self._letters = {word: chr(_FIRST + rank) for rank, (word, _) in enumerate(words)}
        self._weights = {
            chr(_FIRST + rank): _RAREST * (1 - log(texts) / most)
            for rank, (_, texts) in enumerate(words)
        }
        self._weights[_UNKNOWN] = _RAREST
        self.reference = self.encode([REFERENCE])
        ((stamp, others),) = self._rows("SELECT stamp, others FROM made")
        self.stamp, self._others = str(stamp), int(others)
        # Caches of the instance's own: what is read once stays, and goes with the index.
        self._entry = lru_cache(_HELD)(self._read_entry)
        self.known = lru_cache(_HELD)(self._read_known)
        self.places = lru_cache(_HELD)(self._read_places)

    @classmethod
    def of(cls, known: Iterable[Known], others: Iterable[str] = (), stamp: str = "") -> Index:
        """Return the index of known texts, in memory; those without a word are left out.

        Args:
            known: the texts that a page may quote.
            others: what a page may have of its own, though it is like them: texts of cards.
            stamp: is kept with it, to tell what it was made by.
        """
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        shelve(known, others, connection, _FIRST, stamp)
        return cls(connection)

    @classmethod
    def read(cls, file: Path) -> Index:
        """Return the index that a file has; the file must stay as it is.

        Raises:
            sqlite3.Error: it has none, or is cut short.
        """
        uri = f"{file.resolve().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        try:
            pages, size = (connection.execute(f"PRAGMA {of}").fetchone()[0] for of in _SIZES)
            if pages * size != file.stat().st_size:
                raise sqlite3.DatabaseError("the file is cut short")
            return cls(connection, str(file))
        except (sqlite3.Error, OSError):
            connection.close()
            raise

    def write(self, file: Path) -> None:
        """Write the index into an empty file.

        Raises:
            OSError, sqlite3.Error: it cannot be written.
        """
        kept = sqlite3.connect(file)
        try:
            self._connection.backup(kept)
        finally:
            kept.close()

    def close(self) -> None:
        """Give the file up."""
        self._connection.close()

    def encode(self, words: Iterable[str]) -> str:
        """Return words as a string of one character each."""
        return "".join(self._letters.get(word, _UNKNOWN) for word in words)

    def weigh(self, words: str) -> list[float]:
        """Return how much each word tells: the rarer, the more."""
        return [self._weights[letter] for letter in words]

    def weight(self, words: str) -> float:
        """Return how much words tell together."""
        return sum(self._weights[letter] for letter in words)

    def is_other(self, place: int) -> bool:
        """Tell whether a wording is one that nothing known has."""
        return place >= self._others

    def exact(self, words: str) -> Entry | None:
        """Return the wording that has just these words."""
        found = self._asked("SELECT place FROM wording WHERE digest = ?", digest(words))
        entries = (self._entry(place) for (place,) in found)
        return next((entry for entry in entries if entry.words == words), None)

    def named(self, name: str) -> Sequence[Entry]:
        """Return the wordings that stood under a number or name."""
        return [self._entry(place) for place in sorted(self.places(name.casefold()))]

    def rules(self, number: str) -> Sequence[Known]:
        """Return the texts of the rules that bore a number."""
        rows = self._asked(
            f"{_KNOWN} name = ? AND kind = ? AND id = ? ORDER BY wording, known.rowid",
            number.casefold(),
            RULE,
            number,
        )
        return [_known(row) for row in rows]

    def near(self, words: str, most: int) -> list[Entry]:
        """Return the wordings that share the rarest shingles with some words, best first."""
        having = sorted(self._sharing(words), key=len)
        votes: dict[int, float] = defaultdict(float)
        left = _MANY
        for places in having:
            left -= len(places)
            if left < 0 and votes:
                break
            for place in places:
                votes[place] += 1 / len(places)
        best = sorted(votes, key=lambda place: (-votes[place], place))
        known = [place for place in best if place < self._others]
        others = [place for place in best if place >= self._others]
        return [self._entry(place) for place in (*known[:most], *others[:most])]

    def _sharing(self, words: str) -> list[tuple[int, ...]]:
        """Return, for each shingle of some words that any wording keeps, the wordings' places."""
        shingles = {words[i : i + SHINGLE] for i in range(len(words) - SHINGLE + 1)}
        asked = sorted(shingle for shingle in shingles if _UNKNOWN not in shingle)
        found: list[tuple[int, ...]] = []
        for start in range(0, len(asked), _AT_ONCE):
            some = asked[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            # Only marks are put into the text, no value.
            rows = self._asked(f"SELECT places FROM shingle WHERE words IN ({marks})", *some)  # noqa: S608
            found += [unpack(f"<{len(places) // 4}I", places) for (places,) in rows]
        return found

    def _read_entry(self, place: int) -> Entry:
        ((words,),) = self._asked("SELECT words FROM wording WHERE place = ?", place)
        return Entry(self, place, words)

    def _read_known(self, place: int) -> tuple[Known, ...]:
        rows = self._asked(f"{_KNOWN} wording = ? ORDER BY known.rowid", place)
        return tuple(_known(row) for row in rows)

    def _read_places(self, name: str) -> frozenset[int]:
        rows = self._asked("SELECT DISTINCT wording FROM known WHERE name = ?", name)
        return frozenset(place for (place,) in rows)

    def _asked(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query.

        Raises:
            StoreError: the file is damaged.
        """
        try:
            return self._rows(query, *values)
        except sqlite3.DatabaseError as error:
            raise StoreError(
                "the index of known texts is damaged",
                where=self._name,
                why=str(error),
                hint="remove that file: it is made anew",
            ) from error

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock:  # SQLite may be compiled without its own
            return self._connection.execute(query, values).fetchall()


def _known(row: tuple[Any, ...]) -> Known:
    kind, name, release, since, until, text, *now, identity = row
    return Known(kind, name, release, since, until, text, tuple(now) if now[0] else None, identity)
