"""How answers are printed: tables that fit the terminal, JSON, CSV, TSV; and progress."""

from __future__ import annotations

import csv
import io
import json
import shutil
import textwrap
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_WIDEST = 100
_NARROWEST = 24
_WIDE = 26
_GAP = "  "


def width() -> int:
    """Return how many columns to fill."""
    return min(_WIDEST, shutil.get_terminal_size((_WIDEST, 24)).columns)


def show_json(content: object) -> None:
    """Print JSON, for people to read as well."""
    click.echo(json.dumps(content, ensure_ascii=False, indent=2))


def wrapped(text: str, indent: str = "", first: str | None = None) -> str:
    """Return a text wrapped to the terminal, each of its lines a paragraph."""
    lines = text.split("\n")
    return "\n".join(
        textwrap.fill(
            line,
            width(),
            initial_indent=first if first is not None and i == 0 else indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for i, line in enumerate(lines)
    )


def heading(text: str) -> str:
    """Return a heading, bold where the terminal can."""
    return click.style(text, bold=True)


def table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return rows under their headings; a long cell is wrapped, the last column the least."""
    cells = [[_cell(row.get(column)) for column in columns] for row in rows]
    widths = [
        max([len(column), *(len(line) for row in cells for line in row[i].split("\n"))])
        for i, column in enumerate(columns)
    ]
    for i, column in enumerate(columns[:-1]):
        widths[i] = min(widths[i], max(_WIDE, len(column)))
    room = width() - sum(widths[:-1]) - len(_GAP) * (len(columns) - 1)
    widths[-1] = min(widths[-1], max(_NARROWEST, room))
    lines = [heading(_line(columns, widths)), _line(["─" * w for w in widths], widths)]
    for row in cells:
        pieces = [_pieces(cell, w) for cell, w in zip(row, widths, strict=True)]
        lines += [_line(line, widths) for line in zip_longest(*pieces, fillvalue="")]
    return "\n".join(lines)


def _pieces(cell: str, room: int) -> list[str]:
    """Return a cell's lines, each no wider than its column."""
    return [
        piece
        for line in cell.split("\n")
        for piece in textwrap.wrap(line, room, break_on_hyphens=False) or [""]
    ]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return _GAP.join(c.ljust(w) for c, w in zip(cells, widths, strict=True)).rstrip()


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def delimited(columns: Sequence[str], rows: Iterable[Mapping[str, object]], mark: str) -> str:
    """Return rows as CSV or TSV with a header line (RFC 4180 quoting)."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=mark, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    return buffer.getvalue().rstrip("\n")
