"""MTGJSON's shape → cards: a name with its faces, rulings repeated on each.

Keys that a face lacks are left out there, not null. One name may stand for several cards,
each with an oracle id of its own; faces without an id belong to the first that has one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb.cards.fields import (
    filled_of,
    legalities_of,
    maybe_text,
    object_of,
    objects_of,
    oracle_id_of,
    printed_of,
    ruling_of,
    text_of,
    texts_of,
)
from kb.cards.values import as_number, as_object, as_text, split_type_line, united_rulings
from kb.records import Card, Face

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.cards.fields import Object

_LANGUAGES = {
    "Chinese Simplified": "zh-Hans",
    "Chinese Traditional": "zh-Hant",
    "French": "fr",
    "German": "de",
    "Italian": "it",
    "Japanese": "ja",
    "Korean": "ko",
    "Portuguese (Brazil)": "pt-BR",
    "Russian": "ru",
    "Spanish": "es",
}


def mtgjson_cards(name: str, listed: list[Any]) -> Iterator[Card]:
    """Yield the cards that one name of AtomicCards stands for.

    Raises:
        ValueError, TypeError, KeyError: the object is not of that shape.
    """
    faces = [as_object(face) for face in listed]
    if not faces:
        raise ValueError("it has no faces")
    for face in faces:
        if (own := text_of(face, "name")) != name:
            # A file of a set lists its cards under “cards”, and would make one card of them.
            raise ValueError(f"name: it is “{own}” of a face, not that of the list")
    ids = [oracle_id_of(object_of(face, "identifiers"), "scryfallOracleId") for face in faces]
    first = next((one for one in ids if one), None)
    groups: dict[str | None, list[Object]] = {}
    for face, oracle_id in zip(faces, ids, strict=True):
        groups.setdefault(oracle_id or first, []).append(face)
    for oracle_id, group in groups.items():
        yield _card(oracle_id, group)


def _card(oracle_id: str | None, faces: list[Object]) -> Card:
    first = faces[0]
    rulings = [
        ruling_of(one, "text", "date") for face in faces for one in objects_of(face, "rulings")
    ]
    keywords = dict.fromkeys(k for face in faces for k in texts_of(face, "keywords"))
    names = {
        (_LANGUAGES.get(text_of(foreign, "language"), "und"), as_text(foreign[key], key)): None
        for face in faces
        for foreign in objects_of(face, "foreignData")
        for key in ("name", "faceName")
        if foreign.get(key)
    }
    values = [k for k in ("manaValue", "convertedManaCost") if first.get(k) is not None]
    return Card(
        filled_of(first, "name"),
        oracle_id,
        text_of(first, "layout", ""),
        tuple(_face(face) for face in faces),
        as_number(first[values[0]], values[0]) if values else "0",
        texts_of(first, "colorIdentity"),
        tuple(keywords),
        legalities_of(first),
        tuple(names),
        united_rulings(rulings),
    )


def _face(face: Object) -> Face:
    type_line = text_of(face, "type", "")
    supertypes, types, subtypes = split_type_line(type_line)
    return Face(
        text_of(face, "faceName", text_of(face, "name")),
        type_line,
        texts_of(face, "supertypes") or supertypes,
        texts_of(face, "types") or types,
        texts_of(face, "subtypes") or subtypes,
        maybe_text(face, "manaCost"),
        text_of(face, "text", ""),
        texts_of(face, "colors"),
        texts_of(face, "colorIndicator"),
        printed_of(face, "power"),
        printed_of(face, "toughness"),
        printed_of(face, "loyalty"),
        printed_of(face, "defense"),
        printed_of(face, "hand"),
        printed_of(face, "life"),
    )
