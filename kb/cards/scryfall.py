"""Scryfall's shape → cards and rulings: one object a card, its faces in ``card_faces``."""

from __future__ import annotations

from typing import Any

from kb.cards.values import as_number, as_text, as_texts, ruling, split_type_line
from kb.records import Card, Face, Ruling


def is_ruling(value: dict[str, Any]) -> bool:
    """Tell a ruling from a card, by its keys where ``object`` is absent."""
    return value.get("object") == "ruling" or ("comment" in value and "published_at" in value)


def scryfall_ruling(value: dict[str, Any]) -> tuple[str, Ruling]:
    """Return a ruling and the oracle id of its card.

    Raises:
        ValueError, TypeError, KeyError: the object is not of that shape.
    """
    found = ruling(
        as_text(value["comment"]), as_text(value["published_at"]), as_text(value.get("source", ""))
    )
    return as_text(value["oracle_id"]), found


def scryfall_card(value: dict[str, Any], supertypes: frozenset[str] = frozenset()) -> Card:
    """Return a card.

    A reversible card has its oracle id, and its mana value, on its faces.

    Raises:
        ValueError, TypeError, KeyError: the object is not of that shape.
    """
    faces = value.get("card_faces") or [value]
    oracle_id = value.get("oracle_id") or faces[0].get("oracle_id")
    return Card(
        as_text(value["name"]),
        oracle_id,
        as_text(value.get("layout", "")),
        tuple(_face(face, value, supertypes) for face in faces),
        as_number(value.get("cmc", faces[0].get("cmc", 0))),
        as_texts(value.get("color_identity")),
        as_texts(value.get("keywords")),
        tuple(
            (name, as_text(status))
            for name, status in sorted(value.get("legalities", {}).items())
            if status != "not_legal"
        ),
        (),
        (),
    )


def _face(face: dict[str, Any], card: dict[str, Any], supertypes: frozenset[str]) -> Face:
    type_line = as_text(face.get("type_line") or card.get("type_line", ""))
    above, types, subtypes = split_type_line(type_line, supertypes)
    return Face(
        as_text(face["name"]),
        type_line,
        above,
        types,
        subtypes,
        face.get("mana_cost") or None,
        as_text(face.get("oracle_text", "")),
        as_texts(face.get("colors", card.get("colors"))),
        as_texts(face.get("color_indicator")),
        face.get("power"),
        face.get("toughness"),
        face.get("loyalty"),
        face.get("defense"),
        face.get("hand_modifier"),
        face.get("life_modifier"),
    )
