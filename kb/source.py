r"""Bytes of a release → its text, lines and digest.

What holds afterwards: ``text`` is the decoded file, to the letter (a byte order mark aside);
``canvas`` has the same length with each line end written ``\\n`` at the line end's last
character and blanks before it, so that every offset in it is an offset in ``text``.
Line ends (FORMATS: CRLF, LF, bare CR, CR CR LF, mixed) and encodings (UTF-8 with and without
mark, UTF-16, cp1252, MacRoman, GB 18030, and UTF-8 that was once read as cp1252) are told
from the content, never from the file's name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING

from kb.errors import SourceError
from kb.records import Problem, Span

if TYPE_CHECKING:
    from pathlib import Path

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_CANDIDATES = ("utf-8", "cp1252", "mac-roman", "gb18030")
# Characters that rulebooks use beyond ASCII, and the sequences that a wrong decoding leaves.
_EXPECTED = frozenset("’‘“”—–−®™©•…éèêáàâäãåíìîïóòôöúùûüñçæÆÁÉÍÓÚÖÜ½°×\u00a0\u2028∞")
_DOUBLY_ENCODED = re.compile("â€|Ã[\u0080-\u00bf]|Â[®©\u00a0]")
_FOREIGN_LETTER = re.compile("(?<=[a-z])[ƒ‰‚„†‡ˆ‹›¡-§ª-¬±-¾\ufffd](?=[a-z])")
_TEXT_SHARE = 0.95  # of the characters must be printable
_MANY = 20  # wrongly decoded sequences that are no accident
_FOLLOWING = re.escape(
    "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in range(0x80, 0xC0))
)
_SEQUENCE = re.compile(f"[\u00c2-\u00df][{_FOLLOWING}]|[\u00e1-\u00ec][{_FOLLOWING}]{{2}}")
_LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True)
class Source:
    """A decoded file.

    ``name`` is only for messages. ``encoding`` is the Python codec that read it, with
    ``+cp1252`` behind it where the text had been encoded twice.
    """

    name: str
    text: str
    encoding: str
    sha256: str
    problems: tuple[Problem, ...] = field(default=(), compare=False)

    @cached_property
    def canvas(self) -> str:
        """The text with uniform line ends, each offset kept."""
        if "\r" not in self.text:
            return self.text
        pattern = r"\r\r\n|\r\n|\r|\n" if self._doubled_line_ends else r"\r\n|\r|\n"
        return re.sub(pattern, lambda end: " " * (len(end.group()) - 1) + "\n", self.text)

    @property
    def _doubled_line_ends(self) -> bool:
        # Every line end CR CR LF is a damaged copy; a few of them beside bare CRs are not.
        lone = len(re.findall(r"(?<!\r)\r(?![\r\n])|(?<!\r)\r\n|(?<!\r)\n", self.text))
        return lone == 0 and "\r\r\n" in self.text

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset of each line's first character."""
        return (0, *(i + 1 for i, character in enumerate(self.canvas) if character == "\n"))

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both counted from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def problem(self, kind: str, message: str, offset: int) -> Problem:
        """Return a problem at an offset, with its line, column and the line's text."""
        line, column = self.place(offset)
        start = self.line_starts[line - 1]
        end = self.canvas.find("\n", start)
        excerpt = self.text[start : end if end >= 0 else len(self.text)].rstrip("\r\n ")
        return Problem(kind, message, line, column, excerpt[:160])

    def lines(self) -> tuple[Span, ...]:
        """Return the span of each line, its line end not included."""
        starts = (*self.line_starts, len(self.canvas) + 1)
        return tuple(Span(a, b - 1) for a, b in pairwise(starts))


def read_source(path: Path) -> Source:
    """Read and decode a file.

    Raises:
        SourceError: it cannot be read, is empty, is too large, or is no text.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise SourceError("the file is too large for a rulebook", where=str(path))
        content = path.read_bytes()
    except OSError as error:
        raise SourceError(
            "the file cannot be read", where=str(path), why=error.strerror or str(error)
        ) from error
    return decode(content, str(path))


def decode(content: bytes, name: str) -> Source:
    """Decode a release's bytes.

    Raises:
        SourceError: they are empty or no text.
    """
    if not content.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise SourceError("the file is empty", where=name, hint="download the release again")
    text, encoding = _decoded(content, name)
    digest = sha256(content).hexdigest()
    bare = Source(name, text, encoding, digest)
    return Source(name, text, encoding, digest, tuple(_strange_characters(bare)))


def _decoded(content: bytes, name: str) -> tuple[str, str]:
    text, encoding = _first_decoding(content)
    if _printable(text) <= _TEXT_SHARE:
        raise SourceError("the file is binary, not a text", where=name)
    if len(_DOUBLY_ENCODED.findall(text)) > _MANY:
        return _undo_double_encoding(text), f"{encoding}+cp1252"
    return text, encoding


def _first_decoding(content: bytes) -> tuple[str, str]:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace"), encoding
    if b"\0" in content[:4096]:
        encoding = "utf-16-le" if content[1:2] == b"\0" else "utf-16-be"
        return content.decode(encoding, "replace"), encoding
    try:
        return content.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return max(
            ((content.decode(codec, "replace"), codec) for codec in _CANDIDATES),
            key=lambda pair: _plausible(pair[0]),
        )


def _printable(text: str) -> float:
    sample = text[:65536]
    good = sum(character.isprintable() or character in "\t\r\n\u2028\x0c" for character in sample)
    return good / max(1, len(sample))


def _plausible(text: str) -> int:
    """Score a decoding: characters a rulebook has, less those that it has not."""
    beyond = [character for character in text if ord(character) > 126]  # noqa: PLR2004 - ASCII's end
    return sum(1 if character in _EXPECTED else -1 for character in beyond)


def _undo_double_encoding(text: str) -> str:
    """Put back each character whose UTF-8 bytes were read as cp1252, one a character.

    A closing quote's last byte is none in cp1252: some copies keep it, some have lost it.
    """
    text = text.replace("â€\ufffd", "”")
    return _SEQUENCE.sub(lambda found: bytes(map(_byte, found.group())).decode(), text)


def _byte(character: str) -> int:
    try:
        return character.encode("cp1252")[0]
    except UnicodeEncodeError:
        return ord(character)


def _strange_characters(source: Source) -> list[Problem]:
    """Report letters of another code page inside words, which the text keeps as they are."""
    return [
        source.problem(
            "mojibake", f"a letter of another encoding: {match.group()!r}", match.start()
        )
        for match in _FOREIGN_LETTER.finditer(source.text)
    ]
