"""A question and its parameters → typed rows, from the graph alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode

from kb.errors import ShippedFileError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pyoxigraph import QuerySolutions

    from kb.queries.catalogue import Parameter, Question

Cell = str | int | tuple[str, ...] | None
Row = dict[str, Cell]
ANY = "any"
"""The default of a parameter that filters nothing where it is left out."""

_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0", "")


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of a question in a release.

    ``because`` has, for each row, the IRIs of the statements, citations or rules that it
    rests on.
    """

    question: str
    release: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    because: tuple[tuple[str, ...], ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the answer in the catalogue's output form."""
        return {
            "question": self.question,
            "release": self.release,
            "columns": list(self.columns),
            "rows": list(self.rows),
        }


def check_parameters(question: Question, given: Mapping[str, str]) -> dict[str, str]:
    """Return the value of each parameter, defaults filled in.

    Raises:
        UsageError: one is unknown, missing, or no value of its type.
    """
    names = [parameter.name for parameter in question.parameters]
    for name in given:
        if name not in names:
            known = ", ".join(f"--{known}" for known in names) or "no parameters"
            raise UsageError(f"{question.id} has no parameter --{name}", hint=f"it takes {known}")
    values = {}
    for parameter in question.parameters:
        value = given.get(parameter.name, parameter.default)
        if value is None:
            raise UsageError(f"{question.id} needs --{parameter.name}", hint=question.summary)
        if parameter.type != "Boolean" and not value.strip():
            raise UsageError(f"--{parameter.name} is empty", hint=question.summary)
        if parameter.type == "Boolean" and value.lower() not in (*_TRUE, *_FALSE):
            raise UsageError(f"--{parameter.name} is true or false, not {value!r}")
        values[parameter.name] = value
    return values


Given = str | bool | NamedNode


def fill_in(sparql: str, values: Mapping[str, Iterable[Given]]) -> str:
    """Return a query with parameters put wherever their UNDEF stands, serialised.

    Raises:
        ShippedFileError: the query has no place for a parameter.
    """
    for name, given in values.items():
        terms = " ".join(str(v if isinstance(v, NamedNode) else Literal(v)) for v in given)
        variable = name.replace("-", "_")
        pattern = re.compile(rf"(VALUES \?param_{variable} \{{) (?:UNDEF|false) (\}})")
        sparql, count = pattern.subn(lambda match, t=terms: f"{match[1]} {t} {match[2]}", sparql)  # type: ignore[misc]
        if not count:
            raise ShippedFileError(f"a question has no place for its parameter {name}")
    return sparql


def run(
    question: Question,
    values: Mapping[str, str],
    release: str,
    query: Callable[[str], QuerySolutions],
) -> Answer:
    """Run a question whose parameters are checked.

    A value of type Card is its IRI; one of type Concept is keys or IRIs, a line each.
    ``query`` runs a SPARQL SELECT in the release. With ``transitive``, the question is asked
    again of the rules that it found, breadth first, and each row has its distance.
    """
    columns = tuple(name for name, _ in question.columns)
    first: dict[str, list[Given]] = {
        p.name: _given(p, values[p.name])
        for p in question.parameters
        if (p.type != "Boolean" or not question.follow) and values[p.name] != ANY
    }
    found = _rows(question, query(fill_in(question.sparql, first)))
    if question.follow and values.get("transitive", "").lower() in _TRUE:
        parameter, column = question.follow
        seen: set[Cell] = {values[parameter], *(row[column] for row, _ in found)}
        frontier, distance = found, 1
        while frontier:
            distance += 1
            asked: list[Given] = [*sorted({str(row[column]) for row, _ in frontier})]
            again = {**first, parameter: asked}
            more = _rows(question, query(fill_in(question.sparql, again)))
            frontier = _new(more, column, seen, distance)
            found += frontier
    rows, because = zip(*found, strict=True) if found else ((), ())
    return Answer(question.id, release, columns, tuple(rows), tuple(because))


def _given(parameter: Parameter, value: str) -> list[Given]:
    if parameter.type == "Boolean":
        return [value.lower() in _TRUE]
    if parameter.type == "Concept":
        return [NamedNode(one) if "://" in one else one for one in value.split("\n")]
    return [NamedNode(value) if parameter.type == "Card" else value]


Found = tuple[Row, tuple[str, ...]]


def _new(rows: list[Found], column: str, seen: set[Cell], distance: int) -> list[Found]:
    new = []
    for row, because in rows:
        if row[column] not in seen:
            seen.add(row[column])
            new.append(({**row, "distance": distance}, because))
    return new


def _rows(question: Question, solutions: QuerySolutions) -> list[Found]:
    selected = {variable.value for variable in solutions.variables}
    wanted = [*(name for name, _ in question.columns), question.because]
    if missing := [name for name in wanted if name not in selected]:
        raise ShippedFileError(f"question {question.id} does not select {', '.join(missing)}")
    return [
        (
            {name: _cell(solution[name], kind) for name, kind in question.columns},
            tuple(dict.fromkeys(str(_cell(solution[question.because], "name") or "").split())),
        )
        for solution in solutions
    ]


def _cell(term: object, kind: str) -> Cell:
    if term is None:
        return None
    if not isinstance(term, Literal | NamedNode):
        raise TypeError(f"an answer's cell is a literal or an IRI, not {term!r}")
    if kind == "names":
        return tuple(sorted(set(term.value.split())))
    return int(term.value) if kind == "integer" else term.value
