"""Card and ruling files of every shape → cards, in the graph and on the command line."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import zipfile
from itertools import permutations

import pytest
from conftest import shared
from tools import mtgkb, rulebook, written

from kb.cards import read_card_files
from kb.cards.values import as_number, name_key, split_type_line, united_rulings
from kb.cards.values import ruling as dated
from kb.errors import NotFoundError, SourceError
from kb.knowledge import KnowledgeBase, build

ONE, TWO = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
SCRYFALL = [
    {
        "object": "card",
        "oracle_id": ONE,
        "name": "Élan Spring",
        "layout": "normal",
        "cmc": 2.0,
        "type_line": "Legendary Creature — Frog Bard",
        "oracle_text": "{T}: Draw a card.",
        "mana_cost": "{1}{G}",
        "power": "1+*",
        "toughness": "2",
        "colors": ["G"],
        "color_identity": ["G"],
        "keywords": [],
        "legalities": {"commander": "legal", "vintage": "restricted", "modern": "not_legal"},
        "released_at": "2020-01-01",
    },
    {
        "object": "card",
        "oracle_id": TWO,
        "name": "Dawn // Dusk",
        "layout": "a-layout-to-come",
        "cmc": 3,
        "color_identity": [],
        "card_faces": [
            {"name": "Dawn", "type_line": "Instant", "oracle_text": "Draw a card."},
            {"name": "Dusk", "type_line": "Sorcery", "oracle_text": "Draw a card."},
        ],
    },
]
RULINGS = [
    {"oracle_id": ONE, "published_at": "2020-01-02", "comment": " A “first” ruling.\u00a0"},
    {"oracle_id": ONE, "published_at": "2021-05-01", "comment": "A second ruling."},
    {"oracle_id": ONE, "published_at": "2022-05-01", "comment": "A second ruling."},
    {"oracle_id": TWO, "published_at": "2020-02-02", "comment": 'A "first" ruling.'},
]
FACE = {"name": "Dawn // Dusk", "layout": "split", "type": "Instant", "types": ["Instant"]}
MTGJSON = {
    "meta": {"date": "2026-01-01"},
    "data": {
        "Dawn // Dusk": [
            {
                **FACE,
                "faceName": name,
                "manaValue": 3.0,
                "identifiers": {"scryfallOracleId": TWO},
                "foreignData": [{"language": "French", "name": "Aube // Crépuscule"}],
                "rulings": [{"date": "2020-02-02", "text": 'A "first" ruling.'}],
            }
            for name in ("Dawn", "Dusk")
        ]
    },
}


def packed(folder, name, content):
    """Write a file, packed as its name says."""
    path = folder / name
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("inside.json", content)
    else:
        packers = {".xz": lzma.compress, ".gz": gzip.compress, ".bz2": bz2.compress}
        path.write_bytes(packers.get(path.suffix, bytes)(content))
    return path


def lines(objects):
    """Return objects as JSON lines."""
    return "".join(json.dumps(one) + "\n" for one in objects).encode()


SHAPES = {
    "an array on one line": json.dumps(SCRYFALL).encode(),
    "an array printed for people": json.dumps(SCRYFALL, indent=2).encode(),
    "an array with an object a line": b"[\n"
    + b",\n".join(lines([c])[:-1] for c in SCRYFALL)
    + b"\n]",
    "an object a line": lines(SCRYFALL),
    "an object a line, with a mark": b"\xef\xbb\xbf" + lines(SCRYFALL),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["a.json", "a.xz", "a.gz", "a.bz2", "a.zip", "a"])
def test_a_file_is_told_by_its_content(tmp_path, shape, name):
    cards, report = read_card_files([packed(tmp_path, name, SHAPES[shape])])
    assert [card.name for card in cards] == ["Dawn // Dusk", "Élan Spring"]
    assert (report.names, report.problems) == (2, [])


@pytest.mark.parametrize("content", [b"", b"  \n", b"no json", b"\xfd7zXZ\x00broken"])
def test_what_is_no_card_file_is_told(tmp_path, content):
    with pytest.raises(SourceError):
        read_card_files([packed(tmp_path, "a.json", content)])


BAD = [
    ({"object": "card", "layout": "normal"}, "name is missing"),
    ({**SCRYFALL[0], "cmc": "two"}, "expected a number"),
    ({**SCRYFALL[0], "oracle_text": 7}, "expected a text"),
    ({**RULINGS[0], "comment": None}, "expected a text"),
    ({**RULINGS[0], "published_at": "soon"}, "Invalid isoformat"),
    ("a word", "no attribute"),
    (None, "no attribute"),
]


@pytest.mark.parametrize(("bad", "why"), BAD)
def test_a_bad_object_is_a_problem_with_its_place_and_no_end(tmp_path, bad, why):
    path = packed(tmp_path, "a.jsonl", lines([SCRYFALL[0], bad, SCRYFALL[1]]))
    cards, report = read_card_files([path])
    assert len(cards) == 2
    assert report.objects == report.names + report.rulings + len(report.problems) == 3
    (problem,) = report.problems
    assert problem.line == 2
    assert "a.jsonl, line 2" in problem.message
    assert why in problem.message


def test_a_line_that_is_no_json_and_an_array_that_breaks_are_problems(tmp_path):
    path = packed(tmp_path, "a.jsonl", lines([SCRYFALL[0]]) + b"{broken\n" + lines([SCRYFALL[1]]))
    cards, report = read_card_files([path])
    assert (len(cards), len(report.problems)) == (2, 1)
    cut = json.dumps(MTGJSON).encode()[:-40]
    _, report = read_card_files([packed(tmp_path, "b.json", cut)])
    assert "ends or breaks" in report.problems[0].message


def test_the_order_of_the_files_makes_no_difference(tmp_path):
    paths = [
        packed(tmp_path, "a.json", json.dumps(SCRYFALL).encode()),
        packed(tmp_path, "b.json", json.dumps(MTGJSON).encode()),
        packed(tmp_path, "c.jsonl", lines(RULINGS)),
    ]
    results = [read_card_files(order)[0] for order in permutations(paths)]
    assert all(result == results[0] for result in results)
    dawn, elan = results[0]
    assert dawn.layout == "split"  # the newer file's record stands
    assert ("fr", "Aube // Crépuscule") in dawn.names
    assert [ruling.text for ruling in dawn.rulings] == ['A "first" ruling.']
    assert [len(ruling.dates) for ruling in elan.rulings] == [1, 2]
    assert elan.rulings[0].text == " A “first” ruling.\u00a0"


def test_one_name_may_be_several_cards_and_one_card_have_two_names(tmp_path):
    plain = {"name": "Twin", "layout": "normal", "type": "Land", "types": ["Land"]}
    doubled = {**plain, "name": "Twin // Twin", "layout": "reversible_card", "faceName": "Twin"}
    content = {
        "meta": {"date": "2026-01-01"},
        "data": {
            "Twin": [
                {**plain, "identifiers": {"scryfallOracleId": ONE}},
                {**plain, "identifiers": {"scryfallOracleId": TWO}},
            ],
            "Twin // Twin": [{**doubled, "identifiers": {"scryfallOracleId": ONE}}, doubled],
        },
    }
    cards, report = read_card_files([packed(tmp_path, "a.json", json.dumps(content).encode())])
    assert [(card.name, card.oracle_id) for card in cards] == [("Twin", ONE), ("Twin", TWO)]
    assert len(cards[0].faces) == 1
    assert ("en", "Twin // Twin") in cards[0].names
    assert report.names == 2


def test_rulings_are_in_the_order_of_their_dates_and_stable_within_a_day():
    given = [dated("late", "2020-01-02"), dated("b", "2020-01-01"), dated("a", "2020-01-01")]
    assert [one.text for one in united_rulings(given)] == ["b", "a", "late"]


TYPE_LINES = [
    ("Legendary Creature — Frog Bard", ("Legendary",), ("Creature",), ("Frog", "Bard")),
    ("Instant", (), ("Instant",), ()),
    ("Land // Land", (), ("Land",), ()),
    ("", (), (), ()),
]


@pytest.mark.parametrize(("line", "above", "types", "subtypes"), TYPE_LINES)
def test_a_type_line_is_split_at_its_dash(line, above, types, subtypes):
    assert split_type_line(line, frozenset({"Legendary"})) == (above, types, subtypes)


@pytest.mark.parametrize(
    ("value", "text"), [(2.0, "2"), (0.5, "0.5"), (0, "0"), (1000000, "1000000")]
)
def test_a_number_is_written_without_a_fraction_of_zero(value, text):
    assert as_number(value) == text


@pytest.mark.parametrize(
    ("name", "key"), [("Élan  Spring", "elan spring"), ("Urza’s", "urza's"), ("_____", "_____")]
)
def test_a_name_is_folded_for_looking_it_up(name, key):
    assert name_key(name) == key


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A knowledge base of a made-up rulebook and the cards above."""
    folder = tmp_path_factory.mktemp("cards")
    text = written(folder, "rules.txt", rulebook())
    files = [
        packed(folder, "a.json", json.dumps(SCRYFALL).encode()),
        packed(folder, "b.json", json.dumps(MTGJSON).encode()),
        packed(folder, "c.jsonl", lines(RULINGS)),
    ]
    build([text], folder / "kb", cards=files)
    kb = KnowledgeBase.open(folder / "kb")
    yield kb
    kb.close()


@pytest.mark.parametrize("written_name", ["elan spring", "ÉLAN SPRING", "elan", ONE, ONE.upper()])
def test_a_card_is_found_by_what_people_write(small, written_name):
    view = small.card(written_name)
    assert view.card == "Élan Spring"
    assert (view.faces[0].power, view.mana_value, view.legal_in) == ("1+*", "2", ("commander",))
    assert view.rulings[0].dates == ("2021-05-01", "2022-05-01")


@pytest.mark.parametrize("face", ["dusk", "Dawn", "aube // crepuscule", "dawn // dusk"])
def test_a_card_is_found_by_a_face_and_in_another_language(small, face):
    assert small.card(face).card == "Dawn // Dusk"


def test_a_misspelt_name_gets_the_nearest_and_a_short_one_those_it_begins(small):
    with pytest.raises(NotFoundError, match="did you mean Élan Spring"):
        small.card("elan sprnig")
    with pytest.raises(NotFoundError, match="no card"):
        small.card("d" * 40)


def test_the_questions_on_cards_are_answered(small):
    rows = small.ask("rulings", {"card": "elan spring"}).rows
    assert [row["date"] for row in rows] == ["2022-05-01", "2021-05-01", "2020-01-02"]
    (row,) = small.ask("shared-rulings", {"card": "elan spring"}).rows
    assert row["card"] == "Dawn // Dusk"
    with pytest.raises(NotFoundError, match="keyword"):
        small.ask("cards-with-keyword", {"keyword": "swiftness"})


def test_a_power_is_a_number_only_where_it_is_one(small):
    (row,) = small.sparql(
        "SELECT ?p ?t { ?f mtg:power '1+*' . OPTIONAL { ?f mtg:powerNumber ?p } "
        "OPTIONAL { ?f mtg:toughnessNumber ?t } }"
    )
    assert row["p"] is None
    assert row["t"].value == "2"


def test_without_cards_a_card_is_told_where_to_come_from(concise):
    if concise.store.manifest.get("cards"):
        assert concise.card("karn").card
    else:
        with pytest.raises(NotFoundError, match="no cards"):
            concise.card("karn")


def test_the_concise_edition_s_cards_stand_on_the_command_line(tmp_path):
    built = mtgkb("build", "--kb", tmp_path / "kb", "--format", "json")
    assert json.loads(built.stdout)["cards"]["problems"] == []
    shown = mtgkb("card", "fire", "--kb", tmp_path / "kb").stdout
    assert shown.startswith("Fire // Ice\n")
    view = json.loads(mtgkb("card", "ice", "--kb", tmp_path / "kb", "--format", "json").stdout)
    assert [face["name"] for face in view["faces"]] == ["Fire", "Ice"]
    asked = ("ask", "cards-with-keyword", "--keyword", "Flying", "--kb", tmp_path / "kb")
    rows = json.loads(mtgkb(*asked, "--format", "json").stdout)["rows"]
    assert "Serra Angel" in [row["card"] for row in rows]


REAL = [
    ("AtomicCards.sample.json", 464, 3235),
    ("mtgjson-AtomicCards-2026-03.fixture.json", 85, 97),
    pytest.param("AtomicCards.json.xz", 29528, 68581, marks=pytest.mark.exhaustive),
]


@pytest.mark.parametrize(("name", "names", "rulings"), REAL)
def test_real_files_are_read_whole(name, names, rulings):
    _, report = read_card_files([shared(f"cards/{name}")])
    assert (report.names, report.rulings, report.problems) == (names, rulings, [])


def test_scryfall_s_files_of_today_are_read_whole():
    cards = shared("cards/scryfall-2026-cards.fixture.jsonl")
    found, report = read_card_files([cards, shared("cards/scryfall-2026-rulings.fixture.jsonl")])
    assert report.problems == []
    assert (report.objects, sum(len(c.rulings) for c in found)) == (30, 12)
