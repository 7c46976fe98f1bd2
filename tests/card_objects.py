"""Objects of card and ruling files as MTGJSON and Scryfall write them, and files of them."""

from __future__ import annotations

import json


def card(name="Pebble", oracle_id="p1", **more):
    return {"name": name, "oracle_id": oracle_id, "layout": "normal", "cmc": 1, **more}


def ruled(text, day="2020-01-01", oracle_id="p1", **more):
    return {"comment": text, "published_at": day, "oracle_id": oracle_id, **more}


def face(name="Pebble", oracle_id="p1", **more):
    ids = {} if oracle_id is None else {"identifiers": {"scryfallOracleId": oracle_id}}
    return {"name": name, "layout": "normal", "type": "Land", **ids, **more}


def atomic(data, day="2026-01-01"):
    return {"meta": {"date": day}, "data": data}


def file(folder, content, name="a.json"):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path
