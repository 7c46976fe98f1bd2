"""Which form of an answer a client wants: Accept and Accept-Encoding with quality values.

RFC 9110, section 12.5: of the ranges that fit a media type the most specific one counts, and
quality 0 refuses it. A range that cannot be read is left out, as if it were not there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_NAME = r"[\w!#$%&'*+.^`|~-]+"
_RANGE = re.compile(rf"\s*({_NAME})/({_NAME})\s*((?:;[^;]*)*)\s*", re.ASCII)
_PART = re.compile(rf"\s*({_NAME})\s*=\s*\"?([^\";\s]*)\"?\s*", re.ASCII)
_QUALITY = re.compile(r"0(\.\d{0,3})?|1(\.0{0,3})?", re.ASCII)
_MOST_RANGES = 100


@dataclass(frozen=True, slots=True)
class MediaRange:
    """One entry of an Accept header: ``text/*;q=0.5``."""

    type: str
    subtype: str
    parameters: tuple[tuple[str, str], ...]
    quality: float

    def specificity(self, media: str) -> int | None:
        """Return how closely the range fits a media type, or None if it does not."""
        kind, _, sub = media.partition(";")[0].strip().partition("/")
        if self.type not in ("*", kind) or self.subtype not in ("*", sub):
            return None
        if not set(self.parameters) <= set(_parameters(media.partition(";")[2])[0]):
            return None
        return (self.type != "*") + (self.subtype != "*") + len(self.parameters)


def _parameters(text: str) -> tuple[tuple[tuple[str, str], ...], float | None]:
    """Return the parameters before ``q``, and its value; None if it is no quality."""
    found: list[tuple[str, str]] = []
    quality = 1.0
    for part in filter(str.strip, text.split(";")):
        match = _PART.fullmatch(part)
        if not match:
            return (), None
        if match[1].lower() == "q":
            return tuple(found), float(match[2]) if _QUALITY.fullmatch(match[2]) else None
        found.append((match[1].lower(), match[2].lower()))
    return tuple(found), quality


def media_ranges(accept: str) -> tuple[MediaRange, ...]:
    """Read an Accept header; what is no media range is left out."""
    ranges = []
    for entry in accept.split(",")[:_MOST_RANGES]:
        match = _RANGE.fullmatch(entry)
        if not match or (match[1] == "*" and match[2] != "*"):
            continue
        parameters, quality = _parameters(match[3])
        if quality is not None:
            ranges.append(MediaRange(match[1].lower(), match[2].lower(), parameters, quality))
    return tuple(ranges)


def quality(media: str, ranges: Iterable[MediaRange]) -> float:
    """Return how much a client likes a media type: 0 is not at all."""
    fitting = [(s, r.quality) for r in ranges if (s := r.specificity(media)) is not None]
    return max(fitting)[1] if fitting else 0.0


def preferred(accept: str | None, offers: Sequence[str]) -> str | None:
    """Return the offer that a client likes best, the first of equals; None if it likes none.

    Args:
        accept: the Accept header; None or an empty one accepts anything.
        offers: media types, the server's favourite first.
    """
    if accept is None or not accept.strip():
        return offers[0] if offers else None
    ranges = media_ranges(accept)
    best = max(offers, key=lambda offer: quality(offer, ranges), default=None)
    return best if best is not None and quality(best, ranges) > 0 else None


def takes_gzip(accept_encoding: str | None) -> bool:
    """Tell whether a client takes an answer packed by gzip (RFC 9110, section 12.5.3)."""
    found: dict[str, float] = {}
    for entry in (accept_encoding or "").split(",")[:_MOST_RANGES]:
        name, _, rest = entry.partition(";")
        value = _parameters(rest)[1]
        if value is not None:
            found[name.strip().lower()] = value
    return found.get("gzip", found.get("x-gzip", found.get("*", 0.0))) > 0


def etag_matches(header: str | None, etag: str) -> bool:
    """Tell whether an If-None-Match header names an ETag, weak or strong."""
    if header is None:
        return False
    names = {name.strip().removeprefix("W/") for name in header.split(",")}
    return "*" in names or etag.removeprefix("W/") in names
