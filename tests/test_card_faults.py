"""Card files that are packed badly, cut, broken, odd or at odds: nothing is lost in silence."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import re
import zipfile
from itertools import permutations

import pytest
from card_objects import atomic, card, face, file, ruled
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse, serialize
from tools import rulebook, written

from kb.cards import read_card_files
from kb.cards.merge import CardPile
from kb.cards.rulings_text import read_ruling
from kb.cards.stream import CardObject
from kb.cards.values import as_number, name_key
from kb.errors import SourceError
from kb.knowledge import KnowledgeBase, build
from kb.triples import card_quads
from kb.vocab import CardMinter, P

UUID = "abcdef01-2345-4678-9abc-def012345678"
MARK = b"\xef\xbb\xbf"
DEEP = "[" * 200_000 + "]" * 200_000


def read(folder, *contents):
    return read_card_files([file(folder, c, f"{i}.json") for i, c in enumerate(contents)])


def names(cards):
    return [one.name for one in cards]


# Packings


def zipped(content, **how):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", **how) as archive:
        archive.writestr("a.json", content)
    return stream.getvalue()


def deflated(content):
    return zipped(content, compression=zipfile.ZIP_DEFLATED)


def patched(content, offsets):
    """Change a field of a zip file's two headers: each (offset in it, new bytes)."""
    packed = bytearray(zipped(content))
    for head, field in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
        for offset, new in offsets:
            start = packed.index(head) + offset + field
            packed[start : start + len(new)] = new
    return bytes(packed)


PACKERS = {"xz": lzma.compress, "gz": gzip.compress, "bz2": bz2.compress, "zip": deflated}
PLAIN = json.dumps([card(str(n), str(n), oracle_text=str(n**9)) for n in range(99)]).encode()


def assert_told(path):
    with pytest.raises(SourceError) as caught:
        read_card_files([path])
    assert caught.value.where == str(path)
    assert caught.value.why
    assert caught.value.hint


@pytest.mark.parametrize(
    "packed",
    [
        patched(PLAIN, [(6, b"\x01\x00")]),  # encrypted
        patched(PLAIN, [(8, b"\x63\x00")]),  # a compression that nobody knows
        b"\x1f\x8b\x08" + bytes(7) + b"\xff" * 40,
        gzip.compress(PLAIN)[:-8] + bytes(8),  # a wrong checksum
        b"PK\x05\x06" + bytes(18),  # an archive without members
        *(packer(PLAIN)[:cut] for packer in PACKERS.values() for cut in (30, -30)),
    ],
    ids=lambda packed: f"{len(packed)}-bytes",  # a packing has the time in it
)
def test_a_packing_that_cannot_be_undone_is_an_error_for_a_person(tmp_path, packed):
    assert_told(file(tmp_path, packed))


@pytest.mark.parametrize("name", ["no-such-file.json", "no\0name.json", "."])
def test_a_file_that_cannot_be_opened_is_an_error_for_a_person(tmp_path, name):
    assert_told(tmp_path / name)


@pytest.mark.parametrize("packer", PACKERS)
def test_any_damage_to_a_packing_is_told_or_does_no_harm(tmp_path, packer):
    drawn = random.Random(packer)  # noqa: S311 - a sample, no secret
    whole = PACKERS[packer](PLAIN)
    path = tmp_path / "a.json"
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(drawn.randint(1, 3)):
            damaged[drawn.randrange(len(damaged))] = drawn.randrange(256)
        path.write_bytes(damaged)
        try:
            cards, report = read_card_files([path])
        except SourceError as error:
            assert error.why  # noqa: PT017 - some damages do no harm
        else:
            assert len(cards) == len(json.loads(PLAIN)) or report.problems


# Values

LONE = "\ud800"
ODD = [
    ("power", 5, None),
    ("power", 1.5, None),
    ("loyalty", [1], "loyalty: expected a text, found a list"),
    ("toughness", {}, "toughness: expected a text, found an object"),
    ("power", True, "power: expected a number, found true"),
    ("defense", 1e999, "defense: expected a number, found Infinity"),
    ("oracle_text", LONE, "oracle_text: a part of the text is no character"),
    ("name", f"x{LONE}", "name: a part"),
    ("name", None, "name: expected a text, found null"),
    ("name", " ", "name: it is empty"),
    ("mana_cost", 5, "mana_cost: expected a text, found 5"),
    ("oracle_id", 5, "oracle_id: expected a text, found 5"),
    ("oracle_id", ["x"], "oracle_id: expected a text"),
    ("cmc", 1e999, "cmc: expected a number, found Infinity"),
    ("cmc", float("nan"), "cmc: expected a number, found NaN"),
    ("cmc", None, None),
    ("colors", ["G", 1], "colors: expected a text, found 1"),
    ("keywords", {"a": 1}, "keywords: expected a list"),
    ("legalities", [1], "legalities: expected an object"),
    ("legalities", {"slow": 1}, "legalities: expected a text"),
    ("legalities", {LONE: "legal"}, "legalities: a part"),
    ("card_faces", {"a": 1}, "card_faces: expected a list"),
    ("card_faces", [1], "card_faces: expected an object"),
    ("released_at", "soon", "released_at: Invalid"),
    ("released_at", None, None),
]


@pytest.mark.parametrize(("key", "value", "why"), ODD)
def test_an_odd_value_is_taken_as_its_text_or_told_with_its_key(tmp_path, key, value, why):
    lines = "\n".join(map(json.dumps, [card(), card("Stone", "s1") | {key: value}]))
    cards, report = read(tmp_path, lines.encode())
    assert len(cards) == report.names == (2 if why is None else 1)
    assert report.objects == report.names + len(report.problems) == 2
    for problem in report.problems:
        assert why in problem.message
        assert problem.line == 2


def test_a_number_as_a_power_is_its_text(tmp_path):
    ((one,), _) = read(tmp_path, [card(power=5, toughness=1.50, loyalty=-0.0)])
    (only,) = one.faces
    assert (only.power, only.toughness, only.loyalty) == ("5", "1.5", "0")
    assert as_number(1e-7) == "0.0000001"


def test_bytes_that_are_no_utf_8_cost_only_the_text_that_has_them(tmp_path):
    lines = [json.dumps(card()).encode(), b'{"name": "D\xe9", "oracle_id": "d"}']
    cards, report = read(tmp_path, b"\n".join(lines))
    assert (names(cards), len(report.problems)) == (["Pebble"], 1)
    assert report.problems[0].message.encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from([LONE, "2020-01-01", "legal", "not_legal", UUID, 10**400]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
KEYS = (
    *("name", "oracle_id", "layout", "cmc", "type_line", "oracle_text", "mana_cost", "power"),
    *("toughness", "loyalty", "defense", "colors", "color_identity", "keywords", "legalities"),
    *("card_faces", "released_at", "hand_modifier", "comment", "published_at", "source", "object"),
    *("faceName", "identifiers", "manaValue", "type", "types", "supertypes", "text", "rulings"),
    *("foreignData", "colorIdentity"),
)


@given(
    st.lists(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=3), max_size=3),
    st.lists(JSON, max_size=2),
)
def test_whatever_an_object_holds_it_is_a_card_a_ruling_or_a_problem_and_can_be_written(odd, more):
    pile = CardPile()
    objects = [card() | one for one in odd] + more
    pile.add([CardObject("", one) for one in objects], "a")
    pile.add([CardObject("", [face() | one for one in odd], "Pebble")], "b")
    pile.add(
        [CardObject("", [face(rulings=[one], foreignData=[one]) for one in odd], "Pebble")], "c"
    )
    cards = list(pile.cards())
    problems = [p for p in pile.report.problems if p.kind == "card"]
    assert pile.report.objects == len(objects) + 2
    assert pile.report.objects >= len(problems) + pile.report.names
    quads = list(card_quads(cards, lambda _: (), read_ruling, name_key, lambda _: None))
    written_out = serialize(quads, format=RdfFormat.N_QUADS)
    assert set(parse(written_out, format=RdfFormat.N_QUADS)) == set(quads)
    assert all(problem.message.encode() for problem in problems)


# Identity


def iri(one):
    return CardMinter().card(one.oracle_id, one.name).value


def test_each_id_and_each_name_has_an_iri_of_its_own(tmp_path):
    odd = ["A b", "A-b", "a b", "ab", "A b/face/1", "Ä", "A", "%41"]
    objects = [card(name, None) for name in odd] + [card("X", one) for one in odd]
    cards, report = read(tmp_path, objects)
    iris = [iri(one) for one in cards]
    assert (len(set(iris)), report.problems) == (2 * len(odd), [])
    assert all(re.fullmatch(r"[\w:/.%~-]+", one, re.ASCII) for one in iris)
    assert iri(card_of(UUID)).endswith(f"/{UUID}")


def card_of(oracle_id):
    pile = CardPile()
    pile.add([CardObject("", card(oracle_id=oracle_id))], "a")
    (one,) = pile.cards()
    return one


def test_an_id_in_capitals_is_the_same_id_and_is_found(tmp_path):
    files = [
        file(tmp_path, [card(oracle_id=UUID.upper())], "a.json"),
        file(tmp_path, [ruled("Of it.", oracle_id=UUID)], "b.json"),
        file(tmp_path, atomic({"Pebble": [face(oracle_id=f" {UUID.title()}")]}), "c.json"),
    ]
    build([written(tmp_path, "r.txt", rulebook())], tmp_path / "kb", cards=files)
    kb = KnowledgeBase.open(tmp_path / "kb")
    views = [kb.card(one) for one in (UUID, UUID.upper(), "pebble")]
    kb.close()
    assert {view.oracle_id for view in views} == {UUID}
    assert [one.text for one in views[0].rulings] == ["Of it."]


@pytest.mark.parametrize("power", ["٣", "１", "²", "1\n"])
def test_only_plain_digits_are_a_number(power):
    pile = CardPile()
    pile.add([CardObject("", card(power=power))], "a")
    quads = card_quads(pile.cards(), lambda _: (), read_ruling, name_key, lambda _: None)
    assert not [quad for quad in quads if quad.predicate == P.POWER_NUMBER.node]


# Several files


def merged(tmp_path, *files):
    """Read files of one name, each in a folder of its own, in every order."""
    paths = [file(tmp_path / str(n), content) for n, content in enumerate(files)]
    results = [read_card_files(order)[0] for order in permutations(paths)]
    assert all(result == results[0] for result in results)
    return results[0]


def test_files_of_one_name_may_come_in_any_order(tmp_path):
    rulings = [[ruled("X"), ruled("Y")], [ruled("Y"), ruled("X")], [ruled("Z"), ruled("X")]]
    (one,) = merged(tmp_path, [card()], *rulings)
    assert sorted(ruling.text for ruling in one.rulings) == ["X", "Y", "Z"]
    bad = [file(tmp_path / f"bad{n}", b"{oops", "a.json") for n in (1, 2)]
    _, report = read_card_files(bad)
    assert [str(p) in q.message for p, q in zip(bad, report.problems, strict=True)] == [True] * 2


def test_the_newer_file_s_record_stands_though_its_printing_is_older(tmp_path):
    newer = [card(cmc=2, released_at="2010-01-01"), card("New", "n", released_at="2024-01-01")]
    older = [card(cmc=3, released_at="2018-01-01")]
    undated = [card(cmc=4, released_at=None)]
    pebble = merged(tmp_path, newer, older, undated)[1]
    assert (pebble.name, pebble.mana_value) == ("Pebble", "2")


@pytest.mark.parametrize(("day", "stands"), [("2025-01-01", "5"), ("2023-01-01", "2")])
def test_a_file_s_own_date_is_told_before_or_after_its_names(tmp_path, day, stands):
    late = {"data": {"Pebble": [face(manaValue=5)]}, "meta": {"date": day}}
    (one,) = merged(tmp_path, late, [card(cmc=2, released_at="2024-01-01")])
    assert one.mana_value == stands


def test_of_two_printings_in_a_file_the_newer_stands(tmp_path):
    both = [card(cmc=n, released_at=f"20{n}-01-01") for n in (10, 12, 11)]
    ((one,), _) = read(tmp_path, both)
    assert one.mana_value == "12"


@pytest.mark.parametrize("ids", [(None, "ab"), ("ab", None), ("", "ab")])
def test_a_face_without_an_id_belongs_to_the_card_whose_id_another_has(tmp_path, ids):
    faces = [face("A // B", one, faceName="AB"[n]) for n, one in enumerate(ids)]
    ((one,), report) = read(tmp_path, atomic({"A // B": faces}))
    assert (one.oracle_id, [f.name for f in one.faces]) == ("ab", ["A", "B"])
    assert report.problems == []
