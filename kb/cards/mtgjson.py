"""MTGJSON's shape → cards: a name with its faces, rulings repeated on each.

Keys that a face lacks are left out there, not null. One name may stand for several cards,
each with an oracle id of its own; faces without an id belong to the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb.cards.values import (
    as_number,
    as_text,
    as_texts,
    ruling,
    split_type_line,
    united_rulings,
)
from kb.records import Card, Face

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def mtgjson_cards(name: str, faces: Any) -> Iterator[Card]:  # noqa: ANN401 - JSON
    """Yield the cards that one name of AtomicCards stands for.

    Raises:
        ValueError, TypeError, KeyError: the object is not of that shape.
    """
    groups: dict[str | None, list[dict[str, Any]]] = {}
    for face in faces:
        oracle_id = face.get("identifiers", {}).get("scryfallOracleId")
        if oracle_id is None and groups:
            oracle_id = next(iter(groups))
        groups.setdefault(oracle_id, []).append(face)
    if not groups:
        raise ValueError("it has no faces")
    for oracle_id, group in groups.items():
        yield _card(name, oracle_id, group)


def _card(name: str, oracle_id: str | None, faces: list[dict[str, Any]]) -> Card:
    first = faces[0]
    rulings = [
        ruling(as_text(r["text"]), as_text(r["date"]))
        for face in faces
        for r in face.get("rulings", ())
    ]
    keywords = dict.fromkeys(k for face in faces for k in as_texts(face.get("keywords")))
    names = dict.fromkeys(
        (_LANGUAGES.get(foreign["language"], "und"), as_text(foreign[key]))
        for face in faces
        for foreign in face.get("foreignData", ())
        for key in ("name", "faceName")
        if foreign.get(key)
    )
    return Card(
        name,
        oracle_id,
        as_text(first.get("layout", "")),
        tuple(_face(face) for face in faces),
        as_number(first.get("manaValue", first.get("convertedManaCost", 0))),
        as_texts(first.get("colorIdentity")),
        tuple(keywords),
        tuple((k, as_text(v).lower()) for k, v in sorted(first.get("legalities", {}).items())),
        tuple(names),
        united_rulings(rulings),
    )


def _face(face: dict[str, Any]) -> Face:
    type_line = as_text(face.get("type", ""))
    supertypes, types, subtypes = split_type_line(type_line)
    return Face(
        as_text(face.get("faceName", face["name"])),
        type_line,
        as_texts(face.get("supertypes")) or supertypes,
        as_texts(face.get("types")) or types,
        as_texts(face.get("subtypes")) or subtypes,
        face.get("manaCost"),
        as_text(face.get("text", "")),
        as_texts(face.get("colors")),
        as_texts(face.get("colorIndicator")),
        face.get("power"),
        face.get("toughness"),
        face.get("loyalty"),
        face.get("defense"),
        face.get("hand"),
        face.get("life"),
    )
