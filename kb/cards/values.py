"""Values of card files: texts, numbers, dates, type lines, rulings, names.

What is told of a value that is not what it should be names its key.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kb.records import Ruling

if TYPE_CHECKING:
    from collections.abc import Iterable

_DASH = re.compile(r"\s+[—–-]+\s+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-"})
_SHOWN = 40


def as_text(value: Any, key: str = "") -> str:  # noqa: ANN401 - JSON
    """Return a JSON string.

    Raises:
        TypeError: it is none.
        ValueError: something in it is no character.
    """
    if not isinstance(value, str):
        raise unexpected("a text", value, key)
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{key}: a part of the text is no character".lstrip(": ")) from None
    return value


def as_texts(value: Any, key: str = "") -> tuple[str, ...]:  # noqa: ANN401 - JSON
    """Return a JSON array of strings; a missing one is empty.

    Raises:
        TypeError: it is none.
        ValueError: something in it is no character.
    """
    if value is None:
        return ()
    if not isinstance(value, list):
        raise unexpected("a list", value, key)
    for one in value:
        if not (isinstance(one, str) and one.isascii()):  # else it needs no closer look
            as_text(one, key)
    return tuple(value)


def as_number(value: Any, key: str = "") -> str:  # noqa: ANN401 - JSON
    """Return a number as text, without an exponent or a fraction of zero.

    Raises:
        TypeError: it is none, or is not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        raise unexpected("a number", value, key)
    return str(int(value)) if value == int(value) else format(Decimal(repr(value)), "f")


def _is_finite(value: float) -> bool:
    return isinstance(value, int) or math.isfinite(value)


def as_object(value: Any, key: str = "") -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Return a JSON object.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, dict):
        raise TypeError(f"{unexpected('an object', value, key)}, which has no attributes")
    return value


@lru_cache(maxsize=8192)
def as_date(written: str) -> date:
    """Return the date that a text begins with; a time of day behind it is left out.

    Raises:
        ValueError: it begins with none.
    """
    return date.fromisoformat(written[:10])


def unexpected(what: str, value: Any, key: str) -> TypeError:  # noqa: ANN401 - JSON
    """Return the error for a value that is not what it should be."""
    if isinstance(value, list | dict):
        found = "a list" if isinstance(value, list) else "an object"
    else:
        # As the file has it; a text may be of any length, a number of some thousand digits.
        found = json.dumps(value, ensure_ascii=False)
        found = f"{found[:_SHOWN]}…" if len(found) > _SHOWN else found
    return TypeError(f"{key}: expected {what}, found {found}".lstrip(": "))


@lru_cache(maxsize=8192)
def split_type_line(
    line: str, supertypes: frozenset[str] = frozenset()
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Split a type line into supertypes, types and subtypes.

    ``supertypes`` are those of the rulebook; without them all words before the dash are types.
    """
    first = line.partition(" // ")[0]
    before, _, after = _DASH.sub("\x00", first, count=1).partition("\x00")
    words = before.split()
    above = tuple(word for word in words if word in supertypes)
    return above, tuple(word for word in words if word not in supertypes), tuple(after.split())


def ruling(text: str, day: str, source: str = "") -> Ruling:
    """Return a ruling of one date.

    Raises:
        ValueError: the date is none.
    """
    return Ruling(text, (as_date(day),), source)


def united_rulings(rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """Return each text once with all its dates, by first date, then in the order given."""
    united: dict[str, Ruling] = {}
    for one in rulings:
        held = united.setdefault(one.text, one)
        if held != one:
            days = tuple(sorted({*held.dates, *one.dates}))
            united[one.text] = Ruling(one.text, days, max(held.source, one.source))
    return tuple(sorted(united.values(), key=lambda one: one.dates))


def cleaned(text: str) -> str:
    """Return a text with spaces, quotes and dashes folded, for comparison only."""
    return " ".join(text.translate(_QUOTES).replace("\u00a0", " ").split())


def name_key(name: str) -> str:
    """Return a name as it is looked up: without case, accents and the form of its quotes."""
    if name.isascii():
        return " ".join(name.lower().split())
    plain = unicodedata.normalize("NFKD", name.translate(_QUOTES))
    if any(map(unicodedata.combining, plain)):
        plain = "".join(c for c in plain if not unicodedata.combining(c))
    return " ".join(plain.casefold().split())
