"""A file → its bytes unpacked, piece by piece; what it is packed in, its first bytes tell.

Whatever a broken packing does to Python's unpackers becomes one error for a person.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import zipfile
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from kb.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# What the unpackers raise for a file that is cut, damaged, encrypted or packed in a way they
# do not know (the last two are RuntimeErrors).
_BROKEN = (
    *(EOFError, ValueError, RuntimeError, OverflowError),
    *(struct.error, zlib.error, lzma.LZMAError, zipfile.BadZipFile),
)


@contextmanager
def unpacked(path: Path) -> Iterator[Callable[[int], bytes]]:
    """Open a file, and give what reads so many of its bytes at most, unpacked; none at its end.

    Raises:
        SourceError: it cannot be read or unpacked; reading raises it as well.
    """
    with _told(path):
        file = path.open("rb")
    with file:
        with _told(path):
            stream = _stream(file, path)

        def read(size: int) -> bytes:
            with _told(path):
                return stream.read(size)

        yield read


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, *_BROKEN) as error:
        # A system's error has a number; unpackers raise OSError, too, but without one.
        is_system = isinstance(error, OSError) and error.errno is not None
        raise SourceError(
            "the card file cannot be read",
            where=str(path),
            why=str(error) or type(error).__name__,
            hint="give a file that is there and may be read"
            if is_system
            else "fetch it again, or unpack it with another program and give the JSON",
        ) from error


def _stream(file: IO[bytes], path: Path) -> IO[bytes]:
    magic = file.read(6)
    file.seek(0)
    if magic == b"\xfd7zXZ\x00":
        return lzma.open(file)
    if magic[:2] == b"\x1f\x8b":
        return gzip.open(file)  # type: ignore[return-value]
    if magic[:3] == b"BZh":
        return bz2.open(file)
    if magic[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _member(zipfile.ZipFile(file), path)
    return file


def _member(archive: zipfile.ZipFile, path: Path) -> IO[bytes]:
    names = [name for name in archive.namelist() if name.lower().endswith((".json", ".jsonl"))]
    if len(names) != 1:
        raise SourceError(
            "the archive must hold one JSON file",
            where=str(path),
            why=f"it holds {len(names)}",
            hint="unpack it and give the files of cards and rulings",
        )
    return archive.open(names[0])
