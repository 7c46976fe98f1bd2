"""What a benchmark reports: rows of two figures and their ratio, printed as Markdown."""

from __future__ import annotations

from dataclasses import dataclass

_LARGE = 100
_MANY_MS = 10_000


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of mtgkb beside that of the alternative, smaller being better in both.

    ``above`` says that the alternative was stopped at its limit, so that its figure and the
    ratio are lower bounds. A row of counts has no ratio.
    """

    what: str
    ours: float
    theirs: float
    unit: str = ""
    above: bool = False
    remark: str = ""

    def cells(self) -> tuple[str, str, str, str, str]:
        """Return the row's cells as text."""
        more = "> " if self.above else ""
        ratio = f"{more}{figure(self.theirs / self.ours)}" if self.unit and self.ours else ""
        theirs = more + measure(self.theirs, self.unit)
        return self.what, measure(self.ours, self.unit), theirs, ratio, self.remark


@dataclass(frozen=True, slots=True)
class Table:
    """A benchmark's result: what was measured, against what, on which text."""

    title: str
    about: str
    alternative: str
    rows: tuple[Row, ...]

    def markdown(self) -> str:
        """Return the table under its heading."""
        cells = [row.cells() for row in self.rows]
        width = 5 if any(row[-1] for row in cells) else 4
        head = ("measured", "mtgkb", self.alternative, "ratio", "remark")[:width]
        rule = ("---", "---:", "---:", "---:", "---")[:width]
        lines = [f"| {' | '.join(row[:width])} |" for row in (head, rule, *cells)]
        return "\n".join([f"## {self.title}", "", self.about, "", *lines])


def measure(value: float, unit: str) -> str:
    """Return a figure with its unit.

    >>> measure(12.3, "MB"), measure(514.0, "ms"), measure(120_000, "ms"), measure(7, "")
    ('12.3 MB', '514 ms', '120 s', '7')
    """
    if unit == "ms" and value >= _MANY_MS:
        value, unit = value / 1000, "s"
    return f"{figure(value)} {unit}".rstrip()


def figure(value: float) -> str:
    """Return a number with three digits, or whole if it is large.

    >>> figure(0.01234), figure(2.5), figure(40000), figure(7)
    ('0.0123', '2.50', '40,000', '7')
    """
    if isinstance(value, int) or abs(value) >= _LARGE:
        return f"{value:,.0f}"
    shown = f"{value:#.3g}".rstrip(".")
    return shown if "e" not in shown else f"{value:.6f}"
