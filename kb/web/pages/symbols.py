"""The symbols of costs and rules, drawn: a disc with its letter or number, and what it is called.

The drawings are our own and plain; colours are given by classes in the style sheet.
"""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup, escape

SYMBOL = re.compile(r"\{([A-Za-z0-9½∞/]{1,11})\}")

_COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green", "C": "colorless"}
_CALLED = {
    **{letter: f"{name} mana" for letter, name in _COLORS.items()},
    "T": "tap",
    "Q": "untap",
    "E": "energy",
    "S": "snow mana",
    "P": "Phyrexian mana",
    "CHAOS": "chaos",
    "PW": "planeswalker",
    "TK": "ticket",
    "A": "acorn",
    "½": "half a mana",
    "∞": "infinite mana",
}
_TAP = "M5 13.5V12a5 5 0 0 1 10 0v1M12 10.6l3 3.2 3-3.2"
_UNTAP = "M15 13.5V12a5 5 0 0 0-10 0v1M2 10.6l3 3.2 3-3.2"
_LONG = 2  # letters that fit a disc at full size


def symbols(text: str) -> Markup:
    """Return a text, escaped, with its symbols drawn."""
    parts, done = [], 0
    for match in SYMBOL.finditer(text):
        parts += [escape(text[done : match.start()]), drawn(match[1])]
        done = match.end()
    return Markup("").join([*parts, escape(text[done:])])


@lru_cache(maxsize=256)
def drawn(symbol: str) -> Markup:
    """Return one symbol (``2/W``, ``T``) as a picture with a name."""
    return Markup(
        '<svg class="{kind}" role="img" aria-label="{name}" viewBox="0 0 20 20">'
        "<title>{name}</title>{inside}</svg>"
    ).format(
        kind="symbol half" if "/" in symbol else "symbol",
        name=called(symbol),
        inside=_inside(symbol.upper()),
    )


def called(symbol: str) -> str:
    """Return what a symbol is called, so that a cost can be read aloud."""
    parts = symbol.upper().split("/")
    if len(parts) > 1:
        names = (_CALLED.get(part, part).removesuffix(" mana") for part in parts)
        return f"{' or '.join(names)} mana"
    whole = parts[0]
    if whole in _CALLED:
        return _CALLED[whole]
    return f"{whole} generic mana" if whole.isdigit() or whole in "XYZ" else f"{whole} symbol"


def _inside(symbol: str) -> Markup:
    if symbol in ("T", "Q"):
        path = Markup('<path class="arrow" d="{}"/>').format(_TAP if symbol == "T" else _UNTAP)
        return Markup('<circle class="disc" cx="10" cy="10" r="9.5"/>') + path
    parts = symbol.split("/")
    if len(parts) == 1:
        shape = Markup('<circle class="disc {}" cx="10" cy="10" r="9.5"/>').format(_shade(symbol))
        return shape + _letters(symbol, 10, 14.2, 12 if len(symbol) < _LONG else 9)
    halves = Markup('<path class="disc {}" d="M16.7 3.3A9.5 9.5 0 0 0 3.3 16.7z"/>').format(
        _shade(parts[0])
    ) + Markup('<path class="disc {}" d="M3.3 16.7A9.5 9.5 0 0 0 16.7 3.3z"/>').format(
        _shade(parts[1])
    )
    return halves + _letters(parts[0], 6.4, 9.8, 9) + _letters("/".join(parts[1:]), 13.2, 16.6, 9)


def _shade(symbol: str) -> str:
    return f"mana-{_COLORS[symbol]}" if symbol in _COLORS else "mana-generic"


def _letters(text: str, x: float, y: float, size: float) -> Markup:
    short = text if len(text) <= 3 else text[:3]  # noqa: PLR2004 - what a disc has room for
    size = size if len(short) <= _LONG else 6.5
    return Markup('<text x="{}" y="{}" font-size="{}" text-anchor="middle">{}</text>').format(
        x, y, size, short
    )
