"""The note beside a file: where it came from, what tells a change, its sha256."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Note:
    """What is known of a download; of one that is not finished, ``sha256`` is empty.

    ``etag`` and ``last_modified`` are the server's, to the letter; ``encoding`` is how the bytes
    travelled. ``bytes`` and ``sha256`` are of the file as it lies there, unpacked.
    """

    url: str
    etag: str = ""
    last_modified: str = ""
    encoding: str = ""
    bytes: int = 0
    sha256: str = ""
    fetched: str = ""

    @property
    def conditions(self) -> dict[str, str]:
        """The headers that ask for the file only if it has changed."""
        wanted = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in wanted.items() if value}

    @property
    def strong(self) -> str:
        """What proves two responses to be of the same bytes, or nothing."""
        return self.last_modified if not self.etag else "" if self.weak else self.etag

    @property
    def weak(self) -> bool:
        """Whether the server vouches for the meaning only, not for the bytes."""
        return self.etag.startswith("W/")


_EMPTY = asdict(Note(""))


def note_of(url: str, headers: Mapping[str, str]) -> Note:
    """Return the note of a response that has just begun."""

    def safe(name: str) -> str:
        value = headers.get(name, "")
        return value if _safe(value) else ""

    return Note(url, safe("ETag"), safe("Last-Modified"), safe("Content-Encoding").lower())


def _safe(value: str) -> bool:
    """Whether a header's value can be sent back."""
    return value.isascii() and value.isprintable()


def read_note(path: Path) -> Note | None:
    """Return a note, or None where there is none that can be read."""
    try:
        note = Note(**json.loads(path.read_text(encoding="utf-8")))
        right = all(type(value) is type(_EMPTY[name]) for name, value in asdict(note).items())
        return note if right and _safe(note.etag) and _safe(note.last_modified) else None
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def write_note(path: Path, note: Note) -> None:
    """Write a note; the old one stays until the new one is whole."""
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(asdict(note), indent=2) + "\n", encoding="utf-8")
    os.replace(new, path)  # noqa: PTH105 - Path.replace is no clearer


def digest(path: Path) -> str:
    """Return a file's sha256."""
    result = sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            result.update(piece)
    return result.hexdigest()


def intact(path: Path, note: Note | None) -> bool:
    """Whether a file is what its note says."""
    if note is None or not note.sha256 or not path.is_file():
        return False
    return path.stat().st_size == note.bytes and digest(path) == note.sha256
