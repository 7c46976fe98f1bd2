"""One file: fresh, unchanged, or the rest of one that was interrupted.

Bytes go as they travel into ``NAME.part``, with ``NAME.part.json`` beside it; only when all are
there are they unpacked, checked, and moved to ``NAME``, with ``NAME.fetched.json`` beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from kb.errors import SourceError
from kb.fetch.note import Note, digest, intact, note_of, read_note, write_note
from kb.fetch.part import Part
from kb.fetch.web import NO_SUCH_RANGE, OK, PARTIAL, UNCHANGED

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from kb.fetch.web import Web

Progress = Callable[[str, int, int], None]
_RANGE = re.compile(r"bytes (\d+)-\d+/(?:\d+|\*)")
_STATUSES = frozenset({OK, PARTIAL, UNCHANGED, NO_SUCH_RANGE})


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that lies there.

    ``state`` is ``downloaded``, ``resumed`` or ``unchanged``. ``release`` names the release of
    an official text that the catalogue knows; ``updated`` is the server's date of card data.
    """

    what: str
    path: Path
    url: str
    bytes: int
    sha256: str
    state: str
    release: str | None = None
    updated: str | None = None

    def as_json(self) -> dict[str, str | int | None]:
        """Return the fields, the path as text."""
        return {**asdict(self), "path": str(self.path)}


@dataclass(frozen=True, slots=True)
class Order:
    """What to download: its name for people, its address, its place, and what proves it.

    ``check`` gets the unpacked file and returns what is wrong with it, or nothing.
    """

    what: str
    url: str
    target: Path
    check: Callable[[Path], str]
    progress: Progress


def download(web: Web, order: Order) -> Fetched:
    """Download a file, unless the one that lies there is the server's.

    Raises:
        SourceError: it cannot be had, is not what was asked for, or cannot be written; the
            file that lay there before is untouched.
    """
    noted = order.target.with_name(order.target.name + ".fetched.json")
    try:
        order.target.parent.mkdir(parents=True, exist_ok=True)
        old = read_note(noted)
        if old and not (old.url == order.url and intact(order.target, old)):
            old = None
        with Part(order.target, order.url) as part:
            use = partial(_use, web=web, order=order, part=part, old=old)
            headers = partial(_headers, part, old)
            state = web.ask(order.url, headers, use, _STATUSES)
            if state == "unchanged" and old:
                part.discard()
                return _fetched(order, old, state)
            note = _finish(web, order, part)
            write_note(noted, note)
            part.discard()
    except OSError as error:
        raise SourceError(
            f"{order.what} cannot be written",
            where=str(error.filename or order.target),
            why=error.strerror or str(error),
            hint="make room, or choose another folder with --to; then run the command again",
        ) from None
    return _fetched(order, note, state)


def _headers(part: Part, old: Note | None) -> dict[str, str]:
    """Return what to ask for: a changed file only, and of it only what is missing."""
    headers = dict(old.conditions) if old else {}
    if part.size and part.note and part.note.strong:
        headers |= {"Range": f"bytes={part.size}-", "If-Range": part.note.strong}
    return headers


def _use(
    response: httpx.Response, *, web: Web, order: Order, part: Part, old: Note | None
) -> str | None:
    """Take a response's bytes into the part; None where it does not fit."""
    status = response.status_code
    if status == UNCHANGED:
        return "unchanged" if old else None
    note = note_of(order.url, response.headers)
    if note.encoding not in ("", "identity", "gzip", "x-gzip"):
        raise SourceError(
            f"{order.what} comes packed in a way that mtgkb cannot unpack",
            where=order.url,
            why=note.encoding,
        )
    if status == OK:
        part.begin(note)
    elif not (status == PARTIAL and _continues(response, note, part)):
        part.begin(None)
        return None
    start = part.size
    total = start + _length(response)
    _bounded(total, web, order, part)
    for piece in response.iter_raw():
        part.write(piece)
        _bounded(part.size, web, order, part)
        order.progress(order.what, part.size, total if total > start else 0)
    return "resumed" if start else "downloaded"


def _continues(response: httpx.Response, note: Note, part: Part) -> bool:
    """Whether a partial response is the rest of what is there."""
    found = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if not found or int(found[1]) != part.size or not part.note:
        return False
    return note.encoding == part.note.encoding and note.etag in ("", part.note.etag)


def _length(response: httpx.Response) -> int:
    written = response.headers.get("Content-Length", "")
    return int(written) if written.isascii() and written.isdigit() else 0


def _bounded(size: int, web: Web, order: Order, part: Part) -> None:
    if size > web.limits.largest_file:
        part.begin(None)
        raise SourceError(
            f"{order.what} is larger than {web.limits.largest_file:,} bytes", where=order.url
        )


def _finish(web: Web, order: Order, part: Part) -> Note:
    """Unpack, check and move the file to its final name."""
    whole = part.unpacked(web.limits.largest_file)
    if wrong := order.check(whole) if whole else "its packing is broken or too large":
        part.discard()
        hint = "the file that was there before is kept; try again later"
        raise SourceError(f"{order.what} is broken", where=order.url, why=wrong, hint=hint)
    assert whole
    assert part.note
    now = datetime.now(UTC).isoformat(timespec="seconds")
    size = whole.stat().st_size
    note = replace(part.note, bytes=size, sha256=digest(whole), fetched=now)
    part.close()
    whole.replace(order.target)
    return note


def _fetched(order: Order, note: Note, state: str) -> Fetched:
    return Fetched(order.what, order.target, order.url, note.bytes, note.sha256, state)
