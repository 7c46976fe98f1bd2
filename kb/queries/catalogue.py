"""The `.rq` files of ``queries/ask`` and their headers.

A header is the lines at a file's top that begin with ``#+``:

    #+ summary: what cites a rule
    #+ params: {rule: RuleNumber, transitive: Boolean = false}
    #+ columns: {rule: number, distance: integer, quote: text}
    #+ key: {rule}
    #+ also: what refers to {rule}; who mentions {rule}
                                     other ways to ask it, as often as needed; {card}, {rule},
                                     {release}, {keyword}, {term}, {type} stand for a value
    #+ follow: {rule: rule}          with ``transitive``: ask again of each answer's column
    #+ because: statement            the variable that holds what a row rests on: the IRIs of
                                     statements, citations or rules, a space between two

A Boolean that the query itself reads stands in it as ``VALUES ?param_NAME { false }``, a hyphen
of its name written as a low line. With the default ``any``, a parameter that is left out
filters nothing. A parameter ``rule`` stands in the query as
``VALUES ?param_rule { UNDEF }``: so the file runs as it is on any endpoint, unfiltered, and a
value is never pasted in but serialised.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from kb import resources
from kb.errors import NotFoundError, ShippedFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

PARAMETER_TYPES = (
    *("RuleNumber", "Card", "CardName", "Keyword", "Term"),
    *("Name", "Words", "Concept", "Boolean"),
    *("Number", "Release"),
)
COLUMN_TYPES = ("number", "name", "text", "integer", "date", "names")
_HEADER = re.compile(r"^#\+ *(\w+): *(.*)$", re.MULTILINE)
_PAIR = re.compile(r"([\w-]+)(?:: *(\w+))?(?: *= *(\w+))?")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a question: its type, and its default if it may be left out."""

    name: str
    type: str
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the catalogue."""

    id: str
    summary: str
    parameters: tuple[Parameter, ...]
    columns: tuple[tuple[str, str], ...]
    key: tuple[str, ...]
    also: tuple[str, ...]
    follow: tuple[str, str] | None
    because: str
    sparql: str


@cache
def catalogue() -> dict[str, Question]:
    """Return every question by its id, in the order of the ids."""
    paths = sorted((resources.folder("queries") / "ask").glob("*.rq"))
    return {path.stem: read_question(path.stem, path.read_text(encoding="utf-8")) for path in paths}


def question(identifier: str) -> Question:
    """Return a question by its id.

    Raises:
        NotFoundError: there is none; the nearest ids are in the hint.
    """
    found = catalogue().get(identifier)
    if found is None:
        near = difflib.get_close_matches(identifier, catalogue(), n=3, cutoff=0.4)
        raise NotFoundError(
            f"no question {identifier!r}",
            hint=f"did you mean {', '.join(near)}?" if near else "mtgkb ask lists the questions",
        )
    return found


def read_question(identifier: str, text: str) -> Question:
    """Read a `.rq` file.

    Raises:
        ShippedFileError: its header lacks a field, or has a type that is not known.
    """
    fields = {match[1]: match[2].strip() for match in _HEADER.finditer(text)}
    missing = [f for f in ("summary", "columns", "key", "because") if not fields.get(f)]
    parameters = tuple(
        Parameter(name, kind, default) for name, kind, default in _pairs(fields.get("params", ""))
    )
    columns = tuple((name, kind) for name, kind, _ in _pairs(fields.get("columns", "")))
    unknown = [p.type for p in parameters if p.type not in PARAMETER_TYPES]
    unknown += [kind for _, kind in columns if kind not in COLUMN_TYPES]
    if missing or unknown:
        raise ShippedFileError(
            "a question's header is wrong",
            where=f"queries/ask/{identifier}.rq",
            why=f"missing: {missing}, unknown types: {unknown}",
        )
    follow = _pairs(fields.get("follow", ""))
    return Question(
        identifier,
        fields["summary"],
        parameters,
        columns,
        tuple(name for name, _, _ in _pairs(fields["key"])),
        tuple(_phrases(text)),
        (follow[0][0], follow[0][1]) if follow else None,
        fields["because"],
        text,
    )


def _phrases(text: str) -> Iterator[str]:
    for match in _HEADER.finditer(text):
        if match[1] == "also":
            yield from filter(None, map(str.strip, match[2].split(";")))


def _pairs(text: str) -> list[tuple[str, str, str | None]]:
    parts = (part.strip() for part in text.strip().strip("{}").split(","))
    return [(m[1], m[2] or "", m[3]) for part in parts if (m := _PAIR.match(part))]
