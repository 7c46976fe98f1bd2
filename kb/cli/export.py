"""`mtgkb export`: the graph as a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click
from pyoxigraph import RdfFormat, serialize

from kb.cli.options import Settings, common
from kb.errors import StoreError
from kb.vocab import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyoxigraph import Quad, Triple

    from kb.knowledge import KnowledgeBase

_FORMS = {"ttl": RdfFormat.TURTLE, "nq": RdfFormat.N_QUADS, "jsonld": RdfFormat.JSON_LD}
_NAMES = {"turtle": "ttl", "nquads": "nq", "json-ld": "jsonld", "json": "jsonld"}


@click.command("export")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="A file (default: stdout).")
@common("nq", "ttl", "jsonld", *_NAMES)
def command(settings: Settings, output: Path | None) -> None:
    """Write the graph: all releases, or the one of --release, sorted, so that two are alike.

    Turtle has no graphs: it needs one release.
    """
    kb = settings.open()
    form = _NAMES.get(settings.form, settings.form)
    release = settings.release or (kb.release_name() if form == "ttl" else None)
    if output is None:
        _write(kb, release, form, sys.stdout.buffer)
        return
    try:
        with output.open("wb") as file:
            _write(kb, release, form, file)
    except OSError as error:
        raise StoreError(
            "the file cannot be written", where=str(output), why=error.strerror
        ) from error


def _write(kb: KnowledgeBase, release: str | None, form: str, file: BinaryIO) -> None:
    quads: Iterator[Quad] = (
        quad for graph in kb.graph_names(release) for quad in kb.store.quads(graph)
    )
    if form == "nq":
        file.writelines(line.encode() for line in sorted(f"{quad} .\n" for quad in quads))
        return
    ordered = sorted(quads, key=str)
    content: list[Quad] | list[Triple] = (
        [quad.triple for quad in ordered] if form == "ttl" else ordered
    )
    serialize(content, file, format=_FORMS[form], prefixes=PREFIXES)
