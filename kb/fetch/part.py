"""The part of a file that has arrived: bytes as they travelled, and the note that goes with them.

One process at a time writes a part, where the platform has locks that end with a process.
"""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING, Self

from kb.errors import SourceError
from kb.fetch.note import Note, read_note, write_note

if TYPE_CHECKING:
    from pathlib import Path

_GZIP = b"\x1f\x8b"
_PIECE = 1024 * 1024


class Part:
    """``NAME.part``, open for writing; kept as it is when an error ends the ``with``."""

    def __init__(self, target: Path, url: str) -> None:
        self._path = target.with_name(target.name + ".part")
        self._noted = target.with_name(target.name + ".part.json")
        self._whole = target.with_name(target.name + ".unpacked")
        self._path.touch()
        self._file = self._path.open("r+b")
        try:
            _claim(self._file.fileno(), self._path)
            self.note: Note | None = read_note(self._noted)
            self.size = self._file.seek(0, os.SEEK_END)
            if not (self.size and self.note and self.note.url == url and self.note.strong):
                self.begin(None)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._whole.unlink(missing_ok=True)
        if not self.note:  # nothing that a later run could go on with
            self.discard()

    def begin(self, note: Note | None) -> None:
        """Start anew, with the note of a response that has begun."""
        self.note = None
        self._noted.unlink(missing_ok=True)
        self._file.seek(0)
        self._file.truncate()
        self.size = 0
        if note:
            write_note(self._noted, note)
            self.note = note

    def write(self, piece: bytes) -> None:
        """Add bytes as they travelled."""
        self._file.write(piece)
        self.size += len(piece)

    def unpacked(self, largest: int) -> Path | None:
        """Return the file of the unpacked bytes, or None where they cannot be unpacked.

        Whether they are packed is told from the bytes, as servers send packed files with and
        without saying so.
        """
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.seek(0)
        if self._file.read(len(_GZIP)) != _GZIP:
            return self._path
        self._file.seek(0)
        unpacker, size = zlib.decompressobj(wbits=31), 0
        with self._whole.open("wb") as whole:
            try:
                while piece := self._file.read(_PIECE):
                    while piece:
                        plain = unpacker.decompress(piece, _PIECE)
                        size += len(plain)
                        if size > largest:
                            return None
                        whole.write(plain)
                        piece = unpacker.unconsumed_tail
                        if unpacker.eof and unpacker.unused_data:
                            piece, unpacker = unpacker.unused_data, zlib.decompressobj(wbits=31)
            except zlib.error:
                return None
            whole.write(unpacker.flush())
            whole.flush()
            os.fsync(whole.fileno())
        return self._whole if unpacker.eof else None

    def close(self) -> None:
        """Close the file; the lock ends with it."""
        self._file.close()

    def discard(self) -> None:
        """Remove what is left of the part."""
        self.close()
        for path in (self._path, self._noted, self._whole):
            path.unlink(missing_ok=True)


def _claim(descriptor: int, path: Path) -> None:
    """Lock an open file, or say that another process writes it."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock  # noqa: PLC0415 - not on every platform
    except ImportError:
        return
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        raise SourceError(
            "another process is downloading this file", where=str(path), hint="wait for it to end"
        ) from None
