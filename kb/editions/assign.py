"""The best one-to-one assignment of a small number of rows to columns."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def assign(weights: Mapping[tuple[int, int], float]) -> dict[int, int]:
    """Return the matching of rows and columns whose weights add up to the most.

    Args:
        weights: (row, column) → a weight above 0; pairs that are absent are never matched.

    The pairs are cut into connected components, so that each is small; a component is solved
    by shortest augmenting paths (Kuhn 1955, Munkres 1957; Jonker and Volgenant 1987).
    """
    found: dict[int, int] = {}
    for component in _components(weights):
        rows = sorted({row for row, _ in component})
        columns = sorted({column for _, column in component})
        size = len(rows) + len(columns)  # a row may stay without a column
        cost = [
            [-weights.get((row, columns[j]), 0.0) if j < len(columns) else 0.0 for j in range(size)]
            for row in rows
        ]
        for i, j in enumerate(_solve(cost)):
            if j < len(columns) and (rows[i], columns[j]) in component:
                found[rows[i]] = columns[j]
    return found


def _components(weights: Mapping[tuple[int, int], float]) -> list[set[tuple[int, int]]]:
    of_row: dict[int, list[int]] = {}
    of_column: dict[int, list[int]] = {}
    for row, column in weights:
        of_row.setdefault(row, []).append(column)
        of_column.setdefault(column, []).append(row)
    seen: set[int] = set()
    parts = []
    for start in of_row:
        if start in seen:
            continue
        part: set[tuple[int, int]] = set()
        rest = [start]
        seen.add(start)
        while rest:
            row = rest.pop()
            for column in of_row[row]:
                part.add((row, column))
                for other in of_column[column]:
                    if other not in seen:
                        seen.add(other)
                        rest.append(other)
        parts.append(part)
    return parts


def _solve(cost: list[list[float]]) -> list[int]:  # noqa: C901 - one algorithm, not cut in two
    """Return the column of each row in the cheapest assignment; no fewer columns than rows."""
    rows, columns = len(cost), len(cost[0])
    of_row, of_column = [0.0] * (rows + 1), [0.0] * (columns + 1)
    match = [0] * (columns + 1)
    for row in range(1, rows + 1):
        match[0], column = row, 0
        lowest, used = [inf] * (columns + 1), [False] * (columns + 1)
        way = [0] * (columns + 1)
        while match[column]:
            used[column] = True
            current, step, following = match[column], inf, 0
            for j in range(1, columns + 1):
                if not used[j]:
                    reduced = cost[current - 1][j - 1] - of_row[current] - of_column[j]
                    if reduced < lowest[j]:
                        lowest[j], way[j] = reduced, column
                    if lowest[j] < step:
                        step, following = lowest[j], j
            for j in range(columns + 1):
                if used[j]:
                    of_row[match[j]] += step
                    of_column[j] -= step
                else:
                    lowest[j] -= step
            column = following
        while column:
            match[column] = match[way[column]]
            column = way[column]
    result = [0] * rows
    for column in range(1, columns + 1):
        if match[column]:
            result[match[column] - 1] = column - 1
    return result
