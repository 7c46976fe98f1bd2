"""What went wrong, where, why, and what to do: the errors a person or a program sees.

Each error is one line for a person (``str(error)``) and the same fields as a mapping
(``error.as_json()``). ``exit_code`` is what the command line ends with; the codes are
documented in the README and never reused.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """How the command line ends. 0 is success; 1 is a negative finding, not a failure."""

    OK = 0
    FOUND = 1
    USAGE = 2
    INPUT = 3
    NOT_FOUND = 4
    STORE = 5
    QUERY = 6
    INTERNAL = 70
    INTERRUPTED = 130


class MtgkbError(Exception):
    """An error that is not a fault of ours: what, where, why, what to do.

    ``what`` is a sentence without its full stop. ``where`` is a file, or a place in it.
    ``hint`` says what to do.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.INPUT

    def __init__(  # noqa: PLR0913 - the fields of a place
        self,
        what: str,
        *,
        where: str | None = None,
        why: str | None = None,
        hint: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.why = why
        self.hint = hint
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = ""
        if self.where:
            place = self.where
            if self.line is not None:
                place += f":{self.line}"
                if self.column is not None:
                    place += f":{self.column}"
            place += ": "
        parts = [f"{place}{self.what}"]
        if self.why:
            parts.append(f"({self.why})")
        if self.hint:
            parts.append(f"— {self.hint}")
        return " ".join(parts)

    def as_json(self) -> dict[str, str | int | None]:
        """Return the error's fields, as ``--format json`` prints them."""
        return {
            "error": type(self).__name__,
            "what": self.what,
            "where": self.where,
            "line": self.line,
            "column": self.column,
            "why": self.why,
            "hint": self.hint,
            "exit_code": int(self.exit_code),
        }


class UsageError(MtgkbError):
    """The command's words, or a parameter's value, are off."""

    exit_code = ExitCode.USAGE


class SourceError(MtgkbError):
    """A file cannot be read as the rulebook (empty, binary, truncated, another text)."""

    exit_code = ExitCode.INPUT


class NotFoundError(MtgkbError):
    """The release holds no such rule, term or question."""

    exit_code = ExitCode.NOT_FOUND


class StoreError(MtgkbError):
    """There is no knowledge base there, or it cannot be opened or written."""

    exit_code = ExitCode.STORE


class QueryError(MtgkbError):
    """A SPARQL query is malformed or refused."""

    exit_code = ExitCode.QUERY


class ShippedFileError(MtgkbError):
    """A file that ships with mtgkb is missing or broken: a fault of ours."""

    exit_code = ExitCode.INTERNAL
