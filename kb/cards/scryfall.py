"""Scryfall's shape → cards and rulings: one object a card, its faces in ``card_faces``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.cards.fields import (
    date_of,
    filled_of,
    legalities_of,
    maybe_text,
    objects_of,
    oracle_id_of,
    printed_of,
    ruling_of,
    text_of,
    texts_of,
)
from kb.cards.values import as_number, split_type_line
from kb.records import Card, Face

if TYPE_CHECKING:
    from kb.cards.fields import Object
    from kb.records import Ruling


def is_ruling(value: Object) -> bool:
    """Tell a ruling from a card, by its keys where ``object`` is absent."""
    return value.get("object") == "ruling" or ("comment" in value and "published_at" in value)


def scryfall_ruling(value: Object) -> tuple[str, Ruling]:
    """Return a ruling and the oracle id of its card.

    Raises:
        ValueError, TypeError, KeyError: the object is not of that shape.
    """
    oracle_id = oracle_id_of(value, "oracle_id")
    if oracle_id is None:
        raise KeyError("oracle_id")
    source = text_of(value, "source", "")
    return oracle_id, ruling_of(value, "comment", "published_at", source)


def released(value: Object) -> str:
    """Return the date of a card's printing, or nothing.

    Raises:
        ValueError, TypeError: it is no date.
    """
    return "" if value.get("released_at") is None else date_of(value, "released_at").isoformat()


def scryfall_card(value: Object, supertypes: frozenset[str] = frozenset()) -> Card:
    """Return a card.

    A reversible card has its oracle id, and its mana value, on its faces.

    Raises:
        ValueError, TypeError, KeyError: the object is not of that shape.
    """
    faces = objects_of(value, "card_faces") or [value]
    numbers = (one["cmc"] for one in (value, faces[0]) if one.get("cmc") is not None)
    return Card(
        filled_of(value, "name"),
        oracle_id_of(value, "oracle_id") or oracle_id_of(faces[0], "oracle_id"),
        text_of(value, "layout", ""),
        tuple(_face(face, value, supertypes) for face in faces),
        as_number(next(numbers, 0), "cmc"),
        texts_of(value, "color_identity"),
        texts_of(value, "keywords"),
        tuple(state for state in legalities_of(value) if state[1] != "not_legal"),
        (),
        (),
    )


def _face(face: Object, card: Object, supertypes: frozenset[str]) -> Face:
    type_line = text_of(face, "type_line", "") or text_of(card, "type_line", "")
    above, types, subtypes = split_type_line(type_line, supertypes)
    return Face(
        text_of(face, "name"),
        type_line,
        above,
        types,
        subtypes,
        maybe_text(face, "mana_cost") or None,
        text_of(face, "oracle_text", ""),
        texts_of(face if face.get("colors") is not None else card, "colors"),
        texts_of(face, "color_indicator"),
        printed_of(face, "power"),
        printed_of(face, "toughness"),
        printed_of(face, "loyalty"),
        printed_of(face, "defense"),
        printed_of(face, "hand_modifier"),
        printed_of(face, "life_modifier"),
    )
