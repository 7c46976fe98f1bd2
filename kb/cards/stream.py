"""A card file → its objects, one at a time, whatever it is packed in.

What a file is, is told from its content: the packing by its first bytes (xz, gzip, bzip2,
zip), the shape by its first object. MTGJSON's AtomicCards is ``{"meta": …, "data": {name:
[face, …]}}``; Scryfall's bulk files are an array of objects, or one object a line. Nothing
but the object at hand is kept in memory.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from dataclasses import dataclass
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

from kb.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_PEEK = 4096


@dataclass(frozen=True, slots=True)
class CardObject:
    """An object of a card file: where it stands, and its value; or what is wrong with it.

    ``name`` is the key under which MTGJSON lists it, ``date`` the file's own date.
    """

    place: str
    value: Any = None
    name: str | None = None
    date: str = ""
    fault: str | None = None


def card_objects(path: Path) -> Iterator[CardObject]:
    """Yield the objects of a card or ruling file.

    Raises:
        SourceError: it cannot be read, is empty, or is no JSON of a known shape.
    """
    try:
        with (
            path.open("rb") as packed,
            _unpacked(packed, path) as raw,
            io.BufferedReader(raw, 1 << 20) as stream,  # type: ignore[type-var]
        ):
            start = stream.peek(_PEEK).lstrip(b"\xef\xbb\xbf \t\r\n")
            if start[:1] == b"{" and _is_mtgjson(start):
                yield from _mtgjson(stream, path)
            elif start[:1] == b"[":
                yield from _array(stream)
            elif start[:1] == b"{":
                yield from _lines(stream)
            else:
                raise SourceError(
                    "this is no card file",
                    where=str(path),
                    why="it is no JSON object or array" if start else "it is empty",
                    hint="give MTGJSON's AtomicCards, or Scryfall's oracle-cards or rulings",
                )
    except (OSError, EOFError, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise SourceError(
            "the card file cannot be read", where=str(path), why=str(error)
        ) from error


def _unpacked(packed: IO[bytes], path: Path) -> IO[bytes]:
    magic = packed.read(6)
    packed.seek(0)
    if magic == b"\xfd7zXZ\x00":
        return lzma.open(packed)
    if magic[:2] == b"\x1f\x8b":
        return gzip.open(packed)  # type: ignore[return-value]
    if magic[:3] == b"BZh":
        return bz2.open(packed)
    if magic[:4] == b"PK\x03\x04":
        archive = zipfile.ZipFile(packed)
        names = [name for name in archive.namelist() if name.lower().endswith((".json", ".jsonl"))]
        if len(names) != 1:
            raise SourceError("the archive must hold one JSON file", where=str(path))
        return archive.open(names[0])
    return packed


def _is_mtgjson(start: bytes) -> bool:
    """Tell an object with ``meta`` or ``data`` from the first line of many objects."""
    return start[1:].lstrip().startswith((b'"meta"', b'"data"'))


def _mtgjson(stream: IO[bytes], path: Path) -> Iterator[CardObject]:
    import ijson  # noqa: PLC0415 - only this shape needs it

    date = ""
    name, builder = "", None
    try:
        for prefix, event, value in ijson.parse(stream, use_float=True):
            if prefix == "meta.date":
                date = str(value)
            elif prefix == "data" and event == "map_key":
                name, builder = value, ijson.ObjectBuilder()
            elif builder is not None and prefix != "data":
                builder.event(event, value)
                if event == "end_array" and prefix == f"data.{name}":
                    yield CardObject(f"“{name}”", builder.value, name, date)
                    builder = None
                elif prefix == f"data.{name}" and event not in ("start_array", "end_array"):
                    yield CardObject(f"“{name}”", fault="it is no list of faces")
                    builder = None
    except (ijson.JSONError, ijson.IncompleteJSONError) as error:
        why = str(error).splitlines()[0]
        yield CardObject(f"after “{name}”", fault=f"the JSON of {path.name} ends or breaks: {why}")


def _array(stream: IO[bytes]) -> Iterator[CardObject]:
    """Read an array: line by line where each object has a line of its own, else as a stream."""
    head = stream.readline()
    if head.strip(b"\xef\xbb\xbf \t\r\n") == b"[":
        first = stream.readline()
        if _is_one_object(first):
            yield from _lines(chain([first], stream), 2)
            return
        head += first
    yield from _items(_Again(head, stream))


def _is_one_object(line: bytes) -> bool:
    stripped = line.strip().rstrip(b",")
    return stripped.startswith(b"{") and stripped.endswith(b"}")


class _Again(io.RawIOBase):
    """A stream with some bytes put back before it."""

    def __init__(self, before: bytes, stream: IO[bytes]) -> None:
        self._before, self._stream = io.BytesIO(before), stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - any writable buffer
        piece = self._before.read(len(buffer)) or self._stream.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)


def _lines(lines: Iterable[bytes], number: int = 1) -> Iterator[CardObject]:
    for at, line in enumerate(lines, number):
        text = line.strip(b"\xef\xbb\xbf \t\r\n").removesuffix(b",")
        if text in (b"", b"[", b"]"):
            continue
        try:
            yield CardObject(f"line {at}", json.loads(text))
        except ValueError as error:
            yield CardObject(f"line {at}", fault=f"it is no JSON object: {error}")


def _items(stream: _Again) -> Iterator[CardObject]:
    import ijson  # noqa: PLC0415

    at = 0
    try:
        for at, value in enumerate(ijson.items(stream, "item", use_float=True), 1):
            yield CardObject(f"object {at}", value)
    except (ijson.JSONError, ijson.IncompleteJSONError) as error:
        why = str(error).splitlines()[0]
        yield CardObject(f"object {at + 1}", fault=f"the JSON ends or breaks: {why}")
