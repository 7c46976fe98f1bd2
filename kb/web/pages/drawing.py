"""A picture of what a rule cites and what cites it, as SVG: by attributes, each rule a link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST = 9  # on each side: more would be no picture
_WIDTH, _BOX, _MIDDLE, _HEIGHT, _GAP = 860, 270, 150, 40, 12
_WORDS = 38  # letters of a rule's text that fit its box


@dataclass(frozen=True, slots=True)
class Node:
    """A rule in the picture: its number, its first words, its page (none for a mere count)."""

    name: str
    words: str
    address: str | None


def neighbourhood(middle: Node, citing: Sequence[Node], cited: Sequence[Node]) -> Markup:
    """Return the picture: what cites the rule on the left, what it cites on the right."""
    left, right = _fitting(citing), _fitting(cited)
    rows = max(len(left), len(right), 1)
    height = rows * (_HEIGHT + _GAP) + 24
    centre = height / 2 + 8
    parts = [_heading("cited by", 0)] if left else []
    parts += [_heading("cites", _WIDTH - _BOX)] if right else []
    for side, x, edge in ((left, 0, 1), (right, _WIDTH - _BOX, -1)):
        top = centre - (len(side) * (_HEIGHT + _GAP) - _GAP) / 2
        for place, node in enumerate(side):
            y = top + place * (_HEIGHT + _GAP)
            parts.append(_edge(x, y + _HEIGHT / 2, centre, edge))
            parts.append(_box(node, x, y, _BOX, "node"))
    parts.append(_box(middle, (_WIDTH - _MIDDLE) / 2, centre - _HEIGHT / 2, _MIDDLE, "node this"))
    # Where one side is empty, the picture ends at the rule.
    begin = 0.0 if left else (_WIDTH - _MIDDLE) / 2 - 2
    width = (_WIDTH if right else (_WIDTH + _MIDDLE) / 2 + 2) - begin
    label = f"Rule {middle.name} is cited by {len(citing)} and cites {len(cited)}"
    return Markup(
        '<svg class="neighbourhood" viewBox="{} 0 {} {}" width="{}" height="{}" role="group"'
        ' aria-label="{}">{}</svg>'
    ).format(begin, width, int(height), width, int(height), label, Markup("").join(parts))


def _fitting(nodes: Sequence[Node]) -> list[Node]:
    if len(nodes) <= _MOST:
        return list(nodes)
    return [*nodes[: _MOST - 1], Node(f"and {len(nodes) - _MOST + 1} more", "", None)]


def _heading(text: str, x: float) -> Markup:
    return Markup('<text class="side" x="{}" y="12">{}</text>').format(x + 2, text)


def _edge(x: float, y: float, centre: float, edge: int) -> Markup:
    start, end = (x + _BOX, (_WIDTH - _MIDDLE) / 2) if edge > 0 else (x, (_WIDTH + _MIDDLE) / 2)
    half = (start + end) / 2
    return Markup('<path class="edge" d="M{} {}C{} {} {} {} {} {}"/>').format(
        start, y, half, y, half, centre, end, centre
    )


def _box(node: Node, x: float, y: float, width: float, kind: str) -> Markup:
    inside = Markup(
        '<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="6"/>'
        '<text class="name" x="{tx}" y="{ny}">{name}</text>'
    ).format(
        x=x, y=y, w=width, h=_HEIGHT, tx=x + 10, ny=y + (16 if node.words else 25), name=node.name
    )
    if node.words:
        room = int(_WORDS * width / _BOX) - (width < _BOX)
        words = node.words if len(node.words) <= room else node.words[: room - 1].rstrip() + "…"
        inside += Markup('<text class="words" x="{}" y="{}">{}</text>').format(
            x + 10, y + 32, words
        )
    if node.address is None:
        return Markup('<g class="{} count">{}</g>').format(kind, inside)
    return Markup('<a class="{}" href="{}">{}</a>').format(kind, node.address, inside)
