"""Rows and graphs of a query → bytes, cut at a limit and saying so.

The forms are those of SPARQL 1.1: results in JSON, XML, CSV and TSV. They are written here, not
by the engine, so that an answer which is too long ends with a whole row and a mark.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from kb.vocab import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyoxigraph import QuerySolutions, QueryTriples

    from kb.web.limits import Limits

_STRING = PREFIXES["xsd"] + "string"
_RESULTS = "http://www.w3.org/2005/sparql-results#"
# A number in Turtle needs no quotes; TSV is Turtle's terms.
_PLAIN = {
    PREFIXES["xsd"] + "integer": re.compile(r"[+-]?\d+"),
    PREFIXES["xsd"] + "decimal": re.compile(r"[+-]?\d*\.\d+"),
}
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_QUOTED = re.compile(r'[",\r\n]')


@dataclass(frozen=True, slots=True)
class Written:
    """An answer's bytes, and the limit at which it was cut, if it was."""

    body: bytes
    cut: str | None


class _Rows:
    """Yields rows up to the limits, and knows afterwards which one cut them."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.size, self.count, self.cut = limits, 0, 0, ""

    def within(self, written: Iterator[str]) -> Iterator[str]:
        for row in written:
            if self.count >= self.limits.rows:
                self.cut = f"rows={self.limits.rows}"
                return
            self.size += len(row)
            if self.size > self.limits.answer_bytes:
                self.cut = f"bytes={self.limits.answer_bytes}"
                return
            self.count += 1
            yield row


def write_rows(solutions: QuerySolutions, form: str, limits: Limits) -> Written:
    """Write the rows of a SELECT as ``json``, ``xml``, ``csv`` or ``tsv``."""
    names = [variable.value for variable in solutions.variables]
    row, around = _WRITERS[form]
    rows = _Rows(limits)
    width = range(len(names))
    lines = [*rows.within(row(names, [solution[i] for i in width]) for solution in solutions)]
    return Written(around(names, lines, rows.cut).encode(), rows.cut or None)


def write_boolean(*, value: bool, form: str) -> Written:
    """Write the answer of an ASK; as CSV and TSV it is the bare word."""
    word = "true" if value else "false"
    texts = {
        "json": json.dumps({"head": {}, "boolean": value}),
        "xml": f'<?xml version="1.0"?>\n<sparql xmlns="{_RESULTS}"><head/>'
        f"<boolean>{word}</boolean></sparql>\n",
    }
    return Written(texts.get(form, word + "\n").encode(), None)


def write_graph(triples: QueryTriples, form: RdfFormat, limits: Limits) -> Written:
    """Write the triples of a CONSTRUCT or DESCRIBE.

    Raises:
        ValueError: the form cannot say one of them (RDF 1.2's triples about triples).
    """
    rows = _Rows(limits)
    kept: list[Triple] = []

    def written() -> Iterator[str]:
        for triple in triples:
            kept.append(triple)
            yield str(triple)

    count = sum(1 for _ in rows.within(written()))
    body = serialize(kept[:count], format=form, prefixes=PREFIXES) or b""
    if rows.cut and form in (RdfFormat.TURTLE, RdfFormat.N_TRIPLES):
        body += f"# cut off at the limit: {rows.cut}\n".encode()
    return Written(body, rows.cut or None)


def _json_term(term: Any) -> dict[str, Any]:  # noqa: ANN401 - any of pyoxigraph's terms
    if isinstance(term, NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, Triple):
        parts = zip(("subject", "predicate", "object"), term, strict=True)
        return {"type": "triple", "value": {name: _json_term(part) for name, part in parts}}
    if term.language:
        return {"type": "literal", "value": term.value, "xml:lang": term.language}
    if term.datatype.value == _STRING:
        return {"type": "literal", "value": term.value}
    return {"type": "literal", "value": term.value, "datatype": term.datatype.value}


def _json_row(names: list[str], terms: list[Any]) -> str:
    cells = zip(names, terms, strict=True)
    found = {name: _json_term(term) for name, term in cells if term is not None}
    return json.dumps(found, ensure_ascii=False)


def _json(names: list[str], rows: list[str], cut: str) -> str:
    head = json.dumps({"vars": names})
    mark = f', "truncated": {json.dumps(cut)}' if cut else ""
    body = ",\n".join(rows)
    return f'{{"head": {head}{mark}, "results": {{"bindings": [\n{body}\n]}}}}\n'


def _xml_text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def _xml_term(term: Any) -> str:  # noqa: ANN401
    if isinstance(term, NamedNode):
        return f"<uri>{_xml_text(term.value)}</uri>"
    if isinstance(term, BlankNode):
        return f"<bnode>{_xml_text(term.value)}</bnode>"
    if isinstance(term, Triple):
        parts = zip(("subject", "predicate", "object"), term, strict=True)
        return f"<triple>{''.join(f'<{n}>{_xml_term(p)}</{n}>' for n, p in parts)}</triple>"
    if term.language:
        return f"<literal xml:lang={quoteattr(term.language)}>{_xml_text(term.value)}</literal>"
    kind = "" if term.datatype.value == _STRING else f" datatype={quoteattr(term.datatype.value)}"
    return f"<literal{kind}>{_xml_text(term.value)}</literal>"


def _xml_row(names: list[str], terms: list[Any]) -> str:
    cells = "".join(
        f"<binding name={quoteattr(name)}>{_xml_term(term)}</binding>"
        for name, term in zip(names, terms, strict=True)
        if term is not None
    )
    return f"<result>{cells}</result>"


def _xml(names: list[str], rows: list[str], cut: str) -> str:
    head = "".join(f"<variable name={quoteattr(name)}/>" for name in names)
    mark = f"<!-- cut off at the limit: {cut} -->\n" if cut else ""
    body = "\n".join(rows)
    return (
        f'<?xml version="1.0"?>\n{mark}<sparql xmlns="{_RESULTS}"><head>{head}</head>'
        f"<results>\n{body}\n</results></sparql>\n"
    )


def _csv_row(_: list[str], terms: list[Any]) -> str:
    cells = ("" if term is None else _csv_cell(term) for term in terms)
    return ",".join(cells)


def _csv_cell(term: Any) -> str:  # noqa: ANN401
    text = str(term) if isinstance(term, BlankNode | Triple) else term.value
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _tsv_row(_: list[str], terms: list[Any]) -> str:
    return "\t".join("" if term is None else _tsv_cell(term) for term in terms)


def _tsv_cell(term: Any) -> str:  # noqa: ANN401
    plain = _PLAIN.get(term.datatype.value) if isinstance(term, Literal) else None
    return term.value if plain and plain.fullmatch(term.value) else str(term)


def _csv(names: list[str], rows: list[str], _: str) -> str:
    return "\r\n".join([",".join(names), *rows, ""])


def _tsv(names: list[str], rows: list[str], _: str) -> str:
    return "\n".join(["\t".join(f"?{name}" for name in names), *rows, ""])


_WRITERS: dict[
    str, tuple[Callable[[list[str], list[Any]], str], Callable[[list[str], list[str], str], str]]
] = {
    "json": (_json_row, _json),
    "xml": (_xml_row, _xml),
    "csv": (_csv_row, _csv),
    "tsv": (_tsv_row, _tsv),
}
