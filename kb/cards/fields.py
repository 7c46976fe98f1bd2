"""Values read off the objects of card files, by their keys.

Each reader takes an object and a key, and names the key where the value is not what it should
be. A value of null is as good as none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kb.cards.values import (
    as_date,
    as_number,
    as_object,
    as_text,
    as_texts,
    ruling,
    unexpected,
)

if TYPE_CHECKING:
    from datetime import date

    from kb.records import Ruling

    Object = dict[str, Any]

_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def text_of(one: Object, key: str, otherwise: str | None = None) -> str:
    """Return the text that an object has under a key; where it has none, another.

    Raises:
        KeyError: it has none, and there is no other.
        TypeError, ValueError: it is no text.
    """
    value = one.get(key)
    if value is None and otherwise is not None:
        return otherwise
    return as_text(one[key], key)


def filled_of(one: Object, key: str) -> str:
    """Return the text that an object has under a key.

    Raises:
        KeyError: it has none.
        TypeError, ValueError: it is no text, or has nothing but spaces.
    """
    text = text_of(one, key)
    if not text.strip():
        raise ValueError(f"{key}: it is empty")
    return text


def maybe_text(one: Object, key: str) -> str | None:
    """Return the text that an object has under a key, or None.

    Raises:
        TypeError, ValueError: it is no text.
    """
    value = one.get(key)
    return None if value is None else as_text(value, key)


def texts_of(one: Object, key: str) -> tuple[str, ...]:
    """Return the texts that an object has under a key.

    Raises:
        TypeError, ValueError: it is no list of texts.
    """
    return as_texts(one.get(key), key)


def object_of(one: Object, key: str) -> Object:
    """Return the object that an object has under a key; where it has none, an empty one.

    Raises:
        TypeError: it is no object.
    """
    value = one.get(key)
    return {} if value is None else as_object(value, key)


def objects_of(one: Object, key: str) -> list[Object]:
    """Return the objects that an object has under a key.

    Raises:
        TypeError: it is no list of objects.
    """
    value = one.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise unexpected("a list", value, key)
    return [as_object(part, key) for part in value]


def legalities_of(one: Object) -> tuple[tuple[str, str], ...]:
    """Return the formats that an object lists, sorted, each with the card's state in it.

    Raises:
        TypeError, ValueError: it lists something else.
    """
    listed = object_of(one, "legalities")
    for state in listed.values():
        as_text(state, "legalities")
    return _shared(tuple(sorted(listed.items())))


@lru_cache(maxsize=8192)
def _shared(legalities: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return one and the same tuple for all cards that are legal in the same formats."""
    for name, _ in legalities:
        as_text(name, "legalities")
    return tuple((name, state.lower()) for name, state in legalities)


def printed_of(one: Object, key: str) -> str | None:
    """Return what is printed as a power or the like: a text, or a number as text; or None.

    Raises:
        TypeError, ValueError: it is something else.
    """
    value = one.get(key)
    if isinstance(value, int | float):
        return as_number(value, key)
    return None if value is None else as_text(value, key)


def oracle_id_of(one: Object, key: str) -> str | None:
    """Return the oracle id that an object has under a key, or None; a UUID in small letters.

    Raises:
        TypeError, ValueError: it is no text.
    """
    written = (maybe_text(one, key) or "").strip()
    return (written.lower() if _UUID.fullmatch(written) else written) or None


def date_of(one: Object, key: str) -> date:
    """Return the date that an object has under a key; a time of day behind it is left out.

    Raises:
        KeyError: it has none.
        TypeError, ValueError: it is no date.
    """
    written = text_of(one, key)
    try:
        return as_date(written)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def ruling_of(one: Object, text: str, day: str, source: str = "") -> Ruling:
    """Return the ruling whose text and date an object has under two keys.

    Raises:
        KeyError: it lacks one.
        TypeError, ValueError: it is no text, or no date.
    """
    words, written = text_of(one, text), text_of(one, day)
    try:
        return ruling(words, written, source)
    except ValueError as error:
        raise ValueError(f"{day}: {error}") from None
