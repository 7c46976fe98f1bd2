"""The index of the known texts, made at its first use and kept beside the graph.

Making it takes longer than building a small knowledge base, and not everybody identifies
texts: so a build does not make it. A generation of a knowledge base never changes; the file
fits as long as mtgkb's own files, and Python's tables of characters, are those it was made
with. Where the folder cannot be written, the index is made in memory.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import unicodedata
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from kb import resources
from kb.identify import Index
from kb.knowledge.known import card_texts, known_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb.store import OpenStore

_FILE = "known.sqlite"
_STEPS = 2


def open_index(
    store: OpenStore, base: str, progress: Callable[[str, int, int], None] = lambda *_: None
) -> Index:
    """Return the index of all texts of a knowledge base that a page may quote.

    Args:
        store: of the knowledge base.
        base: of its IRIs.
        progress: called with what is done, how much, and of how much.
    """
    file, stamp = store.generation / _FILE, _stamp()
    if index := _kept(file, stamp):
        return index
    progress("reading the known texts", 0, _STEPS)
    known = list(known_texts(store, base))
    progress(f"indexing {len(known)} known texts", 1, _STEPS)
    index = Index.of(known, card_texts(store, base), stamp)
    with suppress(OSError, sqlite3.Error):  # a folder to be read only: the index is not kept
        _keep(index, file)
    progress("done", _STEPS, _STEPS)
    return index


def _kept(file: Path, stamp: str) -> Index | None:
    """Return the index in a file; None where there is none that fits."""
    if not file.is_file():
        return None
    try:
        index = Index.read(file)
    except sqlite3.Error:
        return None
    if index.stamp == stamp:
        return index
    index.close()
    return None


def _keep(index: Index, file: Path) -> None:
    """Put an index into its file at once; of two processes the later one wins."""
    descriptor, name = tempfile.mkstemp(prefix=f"{_FILE}.", dir=file.parent)
    os.close(descriptor)
    pending = Path(name)
    try:
        index.write(pending)
        pending.replace(file)
    finally:
        pending.unlink(missing_ok=True)


def _stamp() -> str:
    """Return a digest of what an index depends on, the knowledge base aside."""
    told = sha256(f"{unicodedata.unidata_version} {sqlite3.sqlite_version}".encode())
    for path in resources.own_files():
        told.update(sha256(path.read_bytes()).digest())
    return told.hexdigest()
