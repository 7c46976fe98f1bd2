"""A page with its markup → the plain text that it shows, with the place of each part.

HTML, wikitext, Markdown, bulletin board codes and the escapes of source text are known by
their form alone, so that a page may mix them. Tags of blocks part paragraphs; the others, and
characters that are not seen, are left out; what stands for a character becomes it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from html import unescape
from html.entities import html5
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_BREAK = "\n\n"
_BLOCKS = re.compile(
    r"address|article|aside|blockquote|br|caption|center|code|d[dlt]|details|div|fig(?:ure|caption)"
    r"|footer|form|h[1-6r]|header|li|list|main|nav|ol|option|p|pre|quote|section|spoiler|summary"
    r"|table|t(?:body|d|foot|h|head|r)|ul|\*",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"a|abbr|acronym|b|bd[io]|big|cite|del|dfn|em|font|i|img|ins|kbd|label|mark|nobr|nowiki|q|s"
    r"|samp|small|span|strike|strong|su[bp]|tt|u|var|wbr",
    re.IGNORECASE,
)
# Each alternative ends at the next mark of its own kind, or at the line's end: so that a text
# of nothing but opening marks is read in time that grows with its length.
_MARKUP = re.compile(
    r"""
      (?P<note> <ref\b[^<>]*/> | <ref\b[^<>]*>[^<]*</ref\s*> | <!-- | -->
        | (?<=[\w.,;:!?”"’)])\[(?:\d{1,3}|(?:note|nb|lower-alpha)[ ]\d+|citation\ needed)\] )
    | </?(?P<tag>[a-z][a-z0-9]*)(?:[\s/:][^<>]*)?>
    | (?P<entity>&(?:\#\d{1,7}|\#x[0-9a-f]{1,6}|[a-z]{2,8}\d{0,2});)
    | !?\[(?P<label>[^\[\]\r\n]*)\]\([^\s()]*(?:\([^\s()]*\)[^\s()]*)?(?:[ ]+"[^"\r\n]*")?\)
    | \[/?(?P<code>[a-z]+|\*)(?:=[^\[\]\r\n]*)?\]
    | (?P<link>\[\[(?:[^\[\]|\r\n]*\|)? | \]\] | \[https?://[^\s\[\]]+[ ] )
    | \{(?P<symbol>\{[^{}|\r\n]{1,9}\})\}
    | (?P<template>\{\{[^{}|\r\n]*\| | \}\} )
    | (?P<quoted>'{2,5} | (?<![\w_])_{1,3}(?=[^\s_]) | (?<=[^\s_])_{1,3}(?![\w_]))
    | (?P<pipe>(?<=[^\s|])\|(?=[^\s|]))
    | \\u(?P<point>[0-9a-f]{4})
    | (?P<newline>\\[nr])(?![a-z]{2}[^a-z])
    | (?P<escape>\\)(?=[^\w\s])
    | (?P<unseen>[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+)
    | (?P<space>[\u00a0\u2000-\u200a\u202f\u205f\u3000])
    | (?P<broken>â€[™œ\u009d�˜“”¦])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CLOSED = re.compile(r"\[/([a-z]+)\]", re.IGNORECASE)
_BROKEN = dict(zip("™œ\u009d�˜“”¦", "’“””‘–—…", strict=True))  # UTF-8 read as Windows-1252
_CHARACTERS: dict[str, Callable[[str], str]] = {
    "label": lambda found: found,
    "symbol": lambda found: found,
    "point": lambda found: (
        "" if found[0] in "dD" and found[1] in "89abcdefABCDEF" else chr(int(found, 16))
    ),
    "broken": lambda found: _BROKEN[found[-1]],
    "pipe": lambda _: " ",
    "space": lambda _: " ",
    "newline": lambda _: _BREAK,
}
"""What kinds of markup show; the others show nothing. Half a pair of surrogates is nothing."""

_NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Plain:
    """What a page shows, and where it stands in the page.

    ``starts`` are where the parts of ``text`` begin; ``places`` where each begins and ends in
    the page; ``newlines`` where the page's lines end.
    """

    text: str
    page: str
    starts: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    newlines: tuple[int, ...]

    @classmethod
    def of(cls, page: str) -> Plain:
        """Return what a page shows."""
        parts, starts, places, length = [], [], [], 0
        for shown, start, end in _parts(page):
            parts.append(shown)
            starts.append(length)
            places.append((start, end))
            length += len(shown)
        newlines = tuple(match.end() for match in _NEWLINE.finditer(page))
        return cls("".join(parts), page, tuple(starts), tuple(places), newlines)

    def start(self, offset: int) -> int:
        """Return where in the page a character of the text begins."""
        part = bisect_right(self.starts, offset) - 1
        start, end = self.places[part]
        return min(start + offset - self.starts[part], max(start, end - 1))

    def end(self, offset: int) -> int:
        """Return where in the page the character before an offset of the text ends."""
        part = bisect_right(self.starts, offset - 1) - 1
        start, end = self.places[part]
        length = (self.starts[part + 1] if part + 1 < len(self.starts) else len(self.text)) - (
            self.starts[part]
        )
        return start + offset - self.starts[part] if length == end - start else end

    def line(self, offset: int) -> int:
        """Return the line of the page, from 1, that a character of the text stands in."""
        return bisect_right(self.newlines, self.start(offset)) + 1


def _parts(page: str) -> Iterator[tuple[str, int, int]]:
    """Yield what is shown, in parts, and the part of the page that each stands for."""
    codes = {name.lower() for name in _CLOSED.findall(page)} | {"*"}
    done = 0
    for match in _MARKUP.finditer(page):
        shown = _shown(match, codes)
        if shown is None:
            continue
        if match.start() > done:
            yield page[done : match.start()], done, match.start()
        start, end = match.span("label") if match["label"] else match.span()
        if shown:
            yield shown, start, end
        done = match.end()
    if done < len(page):
        yield page[done:], done, len(page)


def _shown(match: re.Match[str], codes: set[str]) -> str | None:
    """Return what markup shows; None if it is none after all."""
    kind = match.lastgroup or ""
    found = match[kind] if kind else ""
    if kind in ("tag", "code"):
        known = _BLOCKS.fullmatch(found) or _INLINE.fullmatch(found)
        if not (known if kind == "tag" else found.lower() in codes):
            return None
        return _BREAK if _BLOCKS.fullmatch(found) else ""
    if kind == "entity":
        return _entity(found)
    show = _CHARACTERS.get(kind)
    return show(found) if show else ""


def _entity(written: str) -> str | None:
    if written[1] != "#" and written[1:] not in html5:
        return None
    character = unescape(written)
    return " " if character.isspace() else character
