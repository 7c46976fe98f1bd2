"""`mtgkb sparql`: a query of the user's own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from pyoxigraph import (
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    serialize,
)

from kb.cli.options import Settings, common
from kb.cli.output import table
from kb.errors import SourceError, UsageError
from kb.vocab import PREFIXES

_RESULTS = {
    "json": QueryResultsFormat.JSON,
    "csv": QueryResultsFormat.CSV,
    "tsv": QueryResultsFormat.TSV,
    "xml": QueryResultsFormat.XML,
}
_GRAPHS = {
    "ttl": RdfFormat.TURTLE,
    "nt": RdfFormat.N_TRIPLES,
    "xml": RdfFormat.RDF_XML,
    "json": RdfFormat.JSON_LD,
}


@click.command("sparql")
@click.argument("query")
@common("table", "json", "csv", "tsv", "xml", "ttl", "nt", "text")
def command(settings: Settings, query: str) -> None:
    """Run a SPARQL QUERY: its text, the name of a file that holds it, or - for standard input.

    The default graph is the release with its inferences; the prefixes mtg, dcterms, prov,
    rdf, rdfs, skos and xsd need not be declared. Updates and SERVICE are refused.
    """
    results = settings.open().sparql(_text(query), settings.release)
    form = "table" if settings.form == "text" else settings.form
    if isinstance(results, QueryTriples):
        kind = _GRAPHS.get("ttl" if form == "table" else form)
        if kind is None:
            raise UsageError(f"a graph has no format {form!r}", hint=", ".join(_GRAPHS))
        _echo(serialize(results, format=kind, prefixes=PREFIXES))
    elif form != "table":
        if form not in _RESULTS:
            raise UsageError(f"rows have no format {form!r}", hint=", ".join(_RESULTS))
        _echo(results.serialize(format=_RESULTS[form]))
    elif isinstance(results, QueryBoolean):
        click.echo("yes" if results else "no")
    else:
        _show(results)


def _echo(content: bytes | None) -> None:
    click.echo((content or b"").decode().rstrip("\n"))


def _show(solutions: QuerySolutions) -> None:
    columns = [variable.value for variable in solutions.variables]
    rows = [{c: _short(s[c]) if s[c] is not None else None for c in columns} for s in solutions]
    click.echo(table(columns, rows) if columns else "(no variables)")
    click.echo(f"{len(rows)} rows")


def _short(term: Any) -> str:  # noqa: ANN401 - any of pyoxigraph's terms
    value = getattr(term, "value", str(term))
    for prefix, start in PREFIXES.items():
        if value.startswith(start):
            return f"{prefix}:{value.removeprefix(start)}"
    return str(value)


def _text(query: str) -> str:
    """Return the query's text.

    Raises:
        SourceError: the file that it names cannot be read.
    """
    if query == "-":
        try:
            return sys.stdin.buffer.read().decode()
        except UnicodeDecodeError as error:
            raise SourceError("the query is no UTF-8", where="-", why=str(error)) from error
    # A query has blanks or braces; a name that has neither is a file's.
    if any(character in query for character in "{}\n"):
        return query
    try:
        return Path(query).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError("the query file cannot be read", where=query, why=str(error)) from error
