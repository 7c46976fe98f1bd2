"""A text → its sentences, as spans that leave out only the spaces between them."""

from __future__ import annotations

import re

from kb.records import Span

# A sentence ends at a full stop, question or exclamation mark or a colon that ends the line,
# with the quotes and brackets that close there, where a capital, quote, bracket or symbol follows.
_END = re.compile(r"[.?!][)\]”\"’]*(?=\s+[A-Z“\"(\[{‘])|\n")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|Mr|Mrs|Dr|St|No)|\b[A-Z])\.$")


def sentences(text: str) -> tuple[Span, ...]:
    """Return the spans of a text's sentences, in order."""
    spans, start = [], 0
    for match in _END.finditer(text):
        piece = text[start : match.end()]
        if match.group() != "\n" and (_ABBREVIATION.search(piece) or _is_open(piece)):
            continue
        spans.append(_trimmed(text, start, match.end()))
        start = match.end()
    spans.append(_trimmed(text, start, len(text)))
    return tuple(span for span in spans if span.start < span.end)


def _is_open(piece: str) -> bool:
    """Tell whether a quotation that the piece opens is still to be closed."""
    return piece.count("“") > piece.count("”") or piece.count('"') % 2 == 1


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return Span(start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
