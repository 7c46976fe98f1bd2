"""JSON as a stream: a cursor that goes from value to value and knows its line.

What holds afterwards: no more than the value at hand and a piece of the file is in memory; a
value that is broken, cut or nested too deeply costs no other that can be told from it.
Bytes that are no UTF-8 stand as lone surrogates, for the reader of the value to find.
"""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_PIECE = 1 << 20
_INDENT = 256
"""How much before the cursor is kept, to see whether a value is the first on its line."""

_SPACE = re.compile("[ \t\r\n\ufeff]*")
_MARGIN = re.compile("\n\ufeff?([ \t]*)")
_MARK = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|["\[\]{}\n]')
_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_DECODE = json.JSONDecoder().raw_decode


class BrokenJson(ValueError):  # noqa: N818 - it is the text that is broken
    """A value that cannot be read; ``is_cut`` if the text ends inside it."""

    def __init__(self, why: str, *, is_cut: bool = False) -> None:
        super().__init__(why)
        self.is_cut = is_cut


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around values: what one begins and ends with, and what ends them all.

    ``opener`` and ``closer`` are any of their characters.
    """

    opener: str
    closer: str
    outer: str = ""


class JsonText:
    """A cursor over JSON.

    Args of the constructor: what reads so many bytes at most, and none at the end.
    """

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        # With a line's end before it, the first line begins as all others do.
        self._text, self._at = "\n", 1
        self._line, self._counted = 0, 0
        self._ended = False

    @property
    def line(self) -> int:
        """The line of the cursor, from 1."""
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def margin(self) -> str | None:
        """Return the spaces before the cursor if nothing else is before it on its line."""
        begin = self._text.rfind("\n", max(0, self._at - _INDENT), self._at)
        found = _MARGIN.fullmatch(self._text, begin, self._at) if begin >= 0 else None
        return found[1] if found else None

    def peek(self) -> str:
        """Go to the next character that is no space, and return it; at the end, nothing."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take(self, mark: str) -> bool:
        """Go behind a mark if it is the next character that is no space."""
        if self.peek() != mark:
            return False
        self._at += 1
        return True

    def key(self) -> str:
        """Return the key of an object's member, and go behind its colon.

        Raises:
            BrokenJson: there is none; the cursor is at what is there.
        """
        found = self.peek()
        if found != '"':
            raise BrokenJson("expected a key in quotes", is_cut=not found)
        key: str = self.value()
        if not self.take(":"):
            raise BrokenJson("expected a colon behind a key", is_cut=not self.peek())
        return key

    def value(self) -> Any:  # noqa: ANN401 - JSON
        """Return the value at the cursor, and go behind it.

        Raises:
            BrokenJson: it cannot be read; the cursor stays before it.
        """
        self.peek()
        while True:
            try:
                found, end = _DECODE(self._text, self._at)
            except json.JSONDecodeError as error:
                is_cut = _is_cut(error)
                near_end = error.pos >= len(self._text) - _INDENT
                if (is_cut or near_end) and self._more():
                    continue
                raise BrokenJson(self._told(error), is_cut=is_cut) from error
            except RecursionError as error:
                raise BrokenJson("it is nested too deeply") from error
            except ValueError as error:  # a number of thousands of digits
                raise BrokenJson(str(error)) from error
            # What ends where the piece ends may be half a number.
            if end == len(self._text) and isinstance(found, int | float) and self._more():
                continue
            self._at = end
            return found

    def _told(self, error: json.JSONDecodeError) -> str:
        line = self.line + self._text.count("\n", self._at, error.pos)
        return f"{error.msg} (line {line})"

    def _more(self) -> bool:
        """Read on, forgetting what is long behind the cursor; False at the end."""
        if self._ended:
            return False
        self._line = self.line
        before = max(0, self._at - _INDENT)
        kept = self._text[before:]
        grown = ""
        while not grown and not self._ended:
            piece = self._read(max(_PIECE, len(kept)))
            self._ended = not piece
            grown = self._decoder.decode(piece, final=self._ended)
        self._text = kept + grown
        self._at -= before
        self._counted = self._at
        return bool(grown)

    def to_end(self) -> None:
        """Go to the end of the text."""
        self._at = len(self._text)
        while self._more():
            self._at = len(self._text)

    def pass_over(self, frame: Frame, margin: str | None, depth: int = 0) -> None:
        """Go behind a broken value, to where the next may begin, or to the end.

        That is behind its closing bracket if this is on the same line, else the next line
        that begins as this one did; behind words that begin no value, the rest of the line.

        Args:
            frame: what stands around the value.
            margin: the spaces before it on its line; None if something else is.
            depth: how many of its brackets are open before the cursor.
        """
        if depth == 0 and self.peek() not in '{["':
            self._pass_over_words(frame)
        elif not self.to_bracket(depth):
            self.to_line(frame, margin)

    def to_bracket(self, depth: int) -> bool:
        """Go behind the bracket that closes a value; False if the line or text ends before."""
        while True:
            mark = _MARK.search(self._text, self._at)
            if mark is None or mark[0] == '"':
                # An open string may be closed in the next piece, but not on the next line.
                self._at = mark.start() if mark else len(self._text)
                if self._text.find("\n", self._at) < 0 and self._more():
                    continue
                return False
            if mark[0] == "\n":
                self._at = mark.start()
                return False
            self._at = mark.end()
            if mark[0][0] == '"':
                if depth == 0 and self.peek() != ":":
                    return True  # a text by itself; a key is passed over with its value
                continue
            depth += 1 if mark[0] in "[{" else -1
            if depth <= 0:
                return True

    def to_line(self, frame: Frame, margin: str | None) -> None:
        """Go to the next line that begins as a value's did, or ends what is around it."""
        spaces = margin or ""
        marks = [rf"\n{spaces}(?=[{re.escape(frame.opener)}])"]
        if margin != "" or not frame.outer:  # else the value's bracket looks like the outer one
            marks.append(rf"\n{spaces}[{re.escape(frame.closer)}]")
        if frame.outer:
            marks.append(rf"\n(?=[ \t]{{0,{len(spaces)}}}{re.escape(frame.outer)})")
        landmark = re.compile("|".join(marks))
        while True:
            found = landmark.search(self._text, self._at)
            if found:
                self._at = found.end()
                return
            self._at = max(self._at, len(self._text) - len(spaces) - 2)
            if not self._more():
                self._at = len(self._text)
                return

    def _pass_over_words(self, frame: Frame) -> None:
        words = re.compile(rf"[^\n{re.escape(frame.opener + frame.outer)}]*")
        self._at = min(self._at + 1, len(self._text))
        while True:
            found = words.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text) or not self._more():
                return


def _is_cut(error: json.JSONDecodeError) -> bool:
    """Tell a text that ends too early from one that is wrong before its end."""
    rest = error.doc[error.pos :].strip() if error.pos >= len(error.doc) - _INDENT else "…"
    return (
        not rest
        or error.msg.startswith("Unterminated string")
        or any(literal.startswith(rest) for literal in _LITERALS)
    )
