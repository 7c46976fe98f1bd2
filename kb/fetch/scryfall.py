"""Card data: the bulk files that Scryfall lists and asks programs to use."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from kb.errors import SourceError
from kb.fetch.download import Fetched, Order, download

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from kb.fetch.download import Progress
    from kb.fetch.web import Web

SCRYFALL = "https://api.scryfall.com"
# what a person asks for: Scryfall's type of it, the file's name here
BULK = {
    "cards": ("oracle_cards", "oracle-cards.json"),
    "rulings": ("rulings", "rulings.json"),
}
_EDGE = 4096


def fetch_bulk(
    web: Web, kinds: Sequence[str], folder: Path, progress: Progress, base: str = SCRYFALL
) -> Iterator[Fetched]:
    """Download bulk files (keys of ``BULK``), after one look at the list of them.

    Raises:
        SourceError: the list or a file cannot be had, read or written.
    """
    listed, address = _listed(web, base)
    for kind in kinds:
        sort, name = BULK[kind]
        entry = next((e for e in listed if e.get("type") == sort), None)
        link = entry.get("download_uri") if entry else None
        if entry is None or not isinstance(link, str) or not link:
            raise SourceError(
                f"the list names no file of {sort}",
                where=address,
                hint="the interface may have changed; look for a newer mtgkb",
            )
        order = Order(kind, _joined(address, link), folder / name, _what_is_wrong, progress)
        updated = entry.get("updated_at")
        yield replace(download(web, order), updated=updated if isinstance(updated, str) else None)


def _listed(web: Web, base: str) -> tuple[list[dict[str, Any]], str]:
    """Return the entries of the list of bulk files, and where the list stands."""
    content, address = web.page(f"{base.rstrip('/')}/bulk-data")
    try:
        listed = json.loads(content)
        entries = listed["data"]
        return [entry for entry in entries if isinstance(entry, dict)], address
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise SourceError(
            "the list of bulk files cannot be read",
            where=address,
            why=f"{type(error).__name__}: {error}",
            hint="check --scryfall, or try again later",
        ) from None


def _joined(address: str, link: str) -> str:
    try:
        return urljoin(address, link)
    except ValueError:  # no address at all: asking for it says so
        return link


def _what_is_wrong(path: Path) -> str:
    """Return why a file cannot be whole JSON (or JSON lines), or nothing; only its ends count."""
    with path.open("rb") as file:
        head = file.read(_EDGE).strip()
        file.seek(max(0, file.seek(0, os.SEEK_END) - _EDGE))
        tail = file.read().strip()
    if not head.startswith((b"[", b"{")):
        return "it is no JSON" if head else "it is empty"
    end = b"]" if head.startswith(b"[") else b"}"
    return "" if tail.endswith(end) else "its end is missing"
