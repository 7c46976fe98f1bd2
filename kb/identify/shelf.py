"""Known texts → the tables of an index, in SQLite: in memory, or in a file to be kept.

    word      each word, with its rank (the rarer the greater) and in how many wordings it is
    wording   a text's words as one character each, with a digest to find them by
    shingle   four words in a row → the wordings that they lead to, four bytes each
    known     what has a wording: a rule, term, example or ruling, under one name
    text      texts to the letter, each once
    made      the stamp of what made it, and the first place of a wording that nothing known has

The same texts in the same order give the same tables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from hashlib import blake2b
from struct import pack
from typing import TYPE_CHECKING

from kb.identify.tokens import keys

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from kb.identify.known import Known

SHINGLE = 4  # words
_APART = 5  # shingles of which at least one is kept

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE word (rank INTEGER PRIMARY KEY, word TEXT NOT NULL, texts INTEGER NOT NULL);
CREATE TABLE wording (place INTEGER PRIMARY KEY, words TEXT NOT NULL, digest INTEGER NOT NULL);
CREATE TABLE shingle (words TEXT PRIMARY KEY, places BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE text (place INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE made (stamp TEXT NOT NULL, others INTEGER NOT NULL);
CREATE TABLE known (
  wording INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
  release TEXT NOT NULL, since TEXT, until TEXT, text INTEGER NOT NULL,
  now_id TEXT, now_release TEXT, now_text INTEGER, identity TEXT NOT NULL);
"""
_INDEXES = """
CREATE INDEX wording_digest ON wording (digest);
CREATE INDEX known_wording ON known (wording);
CREATE INDEX known_name ON known (name);
"""


def shelve(
    known: Iterable[Known],
    others: Iterable[str],
    connection: sqlite3.Connection,
    first: int,
    stamp: str,
) -> None:
    """Write the tables of an index into an empty database.

    Args:
        known: the texts; those without a word are left out.
        others: texts that a page may have, and quotes nothing by it; they come last.
        connection: to the database.
        first: the character that stands for the commonest word.
        stamp: what tells by what they were made.

    Raises:
        sqlite3.Error: it cannot be written.
    """
    wordings = _wordings(known)
    quotable = len(wordings)
    for text in others:
        if words := tuple(keys(text)):
            wordings.setdefault(words, [])
    frequency = Counter(word for words in wordings for word in dict.fromkeys(words))
    ordered = sorted(frequency, key=lambda word: (-frequency[word], word))
    letters = {word: chr(first + rank) for rank, word in enumerate(ordered)}
    encoded = ["".join(map(letters.__getitem__, words)) for words in wordings]
    connection.executescript(_TABLES)
    connection.execute("INSERT INTO made VALUES (?, ?)", (stamp, quotable))
    connection.executemany(
        "INSERT INTO word VALUES (?, ?, ?)",
        ((rank, word, frequency[word]) for rank, word in enumerate(ordered)),
    )
    connection.executemany(
        "INSERT INTO wording VALUES (?, ?, ?)",
        ((place, words, digest(words)) for place, words in enumerate(encoded)),
    )
    connection.executemany("INSERT INTO shingle VALUES (?, ?)", _shingles(encoded))
    texts: dict[str, int] = {}
    connection.executemany(
        "INSERT INTO known VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (place, *_row(one, texts))
            for place, having in enumerate(wordings.values())
            for one in having
        ),
    )
    connection.executemany("INSERT INTO text VALUES (?, ?)", enumerate(texts))
    connection.executescript(_INDEXES)  # which commits first


def digest(words: str) -> int:
    """Return a number by which words are found; others may have the same."""
    return int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), signed=True)


def _wordings(known: Iterable[Known]) -> dict[tuple[str, ...], list[Known]]:
    """Return each wording with the texts that have it."""
    of_text: dict[str, list[Known]] = {}
    for one in known:
        of_text.setdefault(one.text, []).append(one)
    of_words: dict[tuple[str, ...], list[Known]] = {}
    for text, having in of_text.items():
        if words := tuple(keys(text)):
            of_words.setdefault(words, []).extend(having)
    return of_words


def _row(known: Known, texts: dict[str, int]) -> tuple[object, ...]:
    """Return what is kept of a text; its letters are in ``texts``, where they get a place."""
    now_id, now_release, now_text = known.now or (None, None, None)
    return (
        known.kind,
        known.id,
        known.id.casefold(),
        known.release,
        known.since,
        known.until,
        texts.setdefault(known.text, len(texts)),
        now_id,
        now_release,
        None if now_text is None else texts.setdefault(now_text, len(texts)),
        known.identity,
    )


def _shingles(encoded: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the shingles that are kept, in order, and where they lead."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, words in enumerate(encoded):
        for shingle in _kept(words):
            places[shingle].append(place)
    for shingle in sorted(places):
        yield shingle, pack(f"<{len(places[shingle])}I", *places[shingle])


def _kept(words: str) -> set[str]:
    """Return shingles of a text: of each few in a row, the one of the rarest words."""
    shingles = [words[i : i + SHINGLE] for i in range(len(words) - SHINGLE + 1)]
    if len(shingles) <= _APART:
        return set(shingles)
    return {max(shingles[i : i + _APART]) for i in range(len(shingles) - _APART + 1)}
