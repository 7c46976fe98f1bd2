"""Values of card files: texts, numbers, type lines, rulings."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING, Any

from kb.records import Ruling

if TYPE_CHECKING:
    from collections.abc import Iterable

_DASH = re.compile(r"\s+[—–-]+\s+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-"})


def as_text(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return a JSON string.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, str):
        raise TypeError(f"expected a text, found {value!r:.60}")
    return value


def as_texts(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - JSON
    """Return a JSON array of strings; a missing one is empty.

    Raises:
        TypeError: it is none.
    """
    if value is None:
        return ()
    if not isinstance(value, list):
        raise TypeError(f"expected a list, found {value!r:.60}")
    return tuple(as_text(item) for item in value)


def as_number(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return a number as text, without a fraction of zero.

    Raises:
        TypeError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"expected a number, found {value!r:.60}")
    return str(int(value)) if value == int(value) else str(value)


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
    return Ruling(text, (date.fromisoformat(day[:10]),), source)


def united_rulings(rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """Return each text once with all its dates, by first date, then in the order given."""
    dates: dict[str, set[date]] = defaultdict(set)
    sources: dict[str, str] = {}
    for one in rulings:
        dates[one.text].update(one.dates)
        sources[one.text] = max(sources.get(one.text, ""), one.source)
    united = [Ruling(text, tuple(sorted(days)), sources[text]) for text, days in dates.items()]
    return tuple(sorted(united, key=lambda one: one.dates))


def cleaned(text: str) -> str:
    """Return a text with spaces, quotes and dashes folded, for comparison only."""
    return " ".join(text.translate(_QUOTES).replace("\u00a0", " ").split())


def name_key(name: str) -> str:
    """Return a name as it is looked up: without case, accents and the form of its quotes."""
    decomposed = unicodedata.normalize("NFKD", name.translate(_QUOTES))
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join(plain.casefold().split())
