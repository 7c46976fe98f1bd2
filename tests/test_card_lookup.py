"""Cards of a knowledge base: how one is found, what is shown, and the questions on cards."""

from __future__ import annotations

import json
import re

import pytest
from tools import mtgkb, rulebook, written

from kb import resources
from kb.errors import ExitCode, NotFoundError, UsageError
from kb.knowledge import KnowledgeBase, build

CONCISE = json.loads(resources.text("rules/concise-cards.json"))
CONCISE_RULINGS = json.loads(resources.text("rules/concise-rulings.json"))
EDGES = " Edges\u00a0stay. "


def card(name, oracle_id, **more):
    return {"name": name, "oracle_id": oracle_id, "layout": "normal", "cmc": 1, **more}


def ruled(oracle_id, text, day):
    return {"oracle_id": oracle_id, "comment": text, "published_at": day, "source": "us"}


SIZES = ["*", "1+*", "∞", "½", "1d4+1", "-1", "1.5", "3", ""]
CARDS = [
    card(
        "Gray Pebble",
        "g1",
        type_line="Artifact",
        mana_cost="{1}",
        legalities={"slow": "legal", "fast": "not_legal"},
        released_at="2020-01-01",
    ),
    card("Gray Rock", "g2", legalities={"slow": "banned"}),
    card("Gray", "g3"),
    card("Twin", "t1"),
    card("Twin", "t2"),
    card("Spring", "s1"),
    card("Day // Spring", "d1", card_faces=[{"name": "Day"}, {"name": "Spring"}]),
    *(card(f"Size {n}", f"z{n}", power=size, toughness="1") for n, size in enumerate(SIZES)),
]
RULINGS = [
    ruled("g1", "First.", "2020-01-01"),
    ruled("g1", EDGES, "2021-01-01"),
    ruled("g1", "Of one day.", "2021-01-01"),
    ruled("g1", "“Twice”.", "2019-01-01"),
    ruled("g1", "“Twice”.", "2022-01-01"),
    ruled("g2", '"Twice".', "2018-01-01"),
    ruled("s1", "Alone.", "2018-01-01"),
]
FOREIGN = {
    "meta": {"date": "2019-01-01"},
    "data": {
        "Gray Pebble": [
            {
                "name": "Gray Pebble",
                "identifiers": {"scryfallOracleId": "g1"},
                "foreignData": [
                    {"language": "French", "name": "Galet gris-été"},
                    {"language": "Japanese", "name": "灰色の小石"},
                    {"language": "Pebblish", "name": "Gra"},
                ],
            }
        ]
    },
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    top = tmp_path_factory.mktemp("lookup")
    objects = "\n".join(json.dumps(one) for one in CARDS)
    cards = written(top, "cards.jsonl", objects)
    rulings = written(top, "rulings.json", json.dumps(RULINGS))
    foreign = written(top, "foreign.json", json.dumps(FOREIGN))
    rules = written(top, "rules.txt", rulebook())
    build([rules], top / "kb", cards=[rulings, foreign, cards])
    return top / "kb"


@pytest.fixture(scope="module")
def small(folder):
    kb = KnowledgeBase.open(folder)
    yield kb
    kb.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The concise edition with its cards."""
    top = tmp_path_factory.mktemp("whole") / "kb"
    cards = [resources.path(f"rules/concise-{what}.json") for what in ("cards", "rulings")]
    build([resources.path("rules/concise-edition.txt")], top, cards=cards)
    kb = KnowledgeBase.open(top)
    yield kb
    kb.close()


FOUND = [
    ("gray pebble", "Gray Pebble"),
    ("  GRAY   Pebble ", "Gray Pebble"),
    ("galet GRIS-ETE", "Gray Pebble"),
    ("galet", "Gray Pebble"),
    ("灰色の小石", "Gray Pebble"),
    ("gra", "Gray Pebble"),
    ("gray r", "Gray Rock"),
    ("gray", "Gray"),
    ("G2", "Gray Rock"),
    ("day", "Day // Spring"),
    ("spring", "Spring"),
    ("day // s", "Day // Spring"),
]


@pytest.mark.parametrize(("name", "found"), FOUND)
def test_a_card_is_found(small, name, found):
    assert small.card(name).card == found


@pytest.mark.parametrize(("name", "ids"), [("twin", ["t1", "t2"]), ("gr", ["g3", "g1", "g2"])])
def test_several_cards_are_told_with_their_ids(small, name, ids):
    with pytest.raises(UsageError) as caught:
        small.card(name)
    assert re.findall(r"\((\w+)\)", caught.value.hint) == ids
    assert str(len(ids)) in caught.value.what


def test_one_of_two_cards_of_a_name_is_found_by_its_id(small):
    assert [small.card(one).oracle_id for one in ("t1", "t2")] == ["t1", "t2"]
    assert small.card("t1").iri != small.card("t2").iri


def test_a_misspelt_name_gets_the_nearest_and_a_strange_one_none(small):
    with pytest.raises(NotFoundError) as caught:
        small.card("gary peble")
    assert "Gray Pebble" in caught.value.hint
    with pytest.raises(NotFoundError) as caught:
        small.card("qqqqqqqqqqqq")
    assert caught.value.hint is None


def test_without_any_cards_the_hint_says_how_to_get_some(tmp_path):
    build([written(tmp_path, "rules.txt", rulebook())], tmp_path / "kb")
    kb = KnowledgeBase.open(tmp_path / "kb")
    for ask in (kb.card, lambda name: kb.ask("rulings", {"card": name})):
        with pytest.raises(NotFoundError, match="no cards") as caught:
            ask("pebble")
        assert "--cards" in caught.value.hint
    kb.close()


def test_a_view_has_the_newest_rulings_first_and_all_dates(small):
    rulings = [(one.dates, one.text) for one in small.card("g1").rulings]
    assert rulings == [
        (("2019-01-01", "2022-01-01"), "“Twice”."),
        (("2021-01-01",), EDGES),
        (("2021-01-01",), "Of one day."),
        (("2020-01-01",), "First."),
    ]
    assert {one.source for one in small.card("g1").rulings} == {"us"}


def test_a_view_has_names_formats_and_faces(small):
    view = small.card("g1")
    assert ("fr", "Galet gris-été") in view.names
    assert ("und", "Gra") in view.names
    assert (view.legal_in, small.card("g2").legal_in) == (("slow",), ())
    assert [one.name for one in small.card("d1").faces] == ["Day", "Spring"]


NUMBERS = dict.fromkeys(SIZES) | {"-1": "-1", "1.5": "1.5", "3": "3"}


@pytest.mark.parametrize(("place", "size"), [*enumerate(SIZES)])
def test_a_power_keeps_its_text_and_is_a_number_only_where_it_is_one(small, place, size):
    view = small.card(f"z{place}")
    assert view.faces[0].power == size
    query = f"SELECT ?n {{ ?f dcterms:isPartOf <{view.iri}> . ?f mtg:powerNumber ?n }}"
    numbers = [row["n"].value for row in small.sparql(query)]
    assert numbers == [NUMBERS[size]] * (NUMBERS[size] is not None)


def test_the_rulings_of_a_card_are_answered_a_row_a_date_newest_first(small):
    rows = small.ask("rulings", {"card": "galet"}).rows
    assert [row["date"][:4] for row in rows] == ["2022", "2021", "2021", "2020", "2019"]
    assert rows[1] == {"date": "2021-01-01", "text": EDGES, "card": "Gray Pebble"}
    assert small.ask("rulings", {"card": "t1"}).rows == ()


def test_a_ruling_is_shared_whatever_its_quotes(small):
    rows = small.ask("shared-rulings", {"card": "g1"}).rows
    assert rows == ({"card": "Gray Rock", "date": "2018-01-01", "text": '"Twice".'},)
    assert small.ask("shared-rulings", {"card": "s1"}).rows == ()


@pytest.mark.parametrize("one", CONCISE, ids=lambda one: one["name"])
def test_a_card_of_the_concise_edition_is_whole(whole, one):
    view = whole.card(one["oracle_id"])
    assert (view.card, view.layout) == (one["name"], one["layout"])
    assert view.mana_value == f"{one['cmc']:g}"
    assert [*view.color_identity] == sorted(one["color_identity"])
    assert [*view.legal_in] == sorted(f for f, how in one["legalities"].items() if how == "legal")
    printed = one.get("card_faces", [one])
    for face, given in zip(view.faces, printed, strict=True):
        assert face.mana_cost == (given["mana_cost"] or None)
        for key, name in (("text", "oracle_text"), ("type_line", "type_line"), ("name", "name")):
            assert getattr(face, key) == given[name]
        for key in ("power", "toughness", "loyalty", "defense"):
            assert getattr(face, key) == given.get(key)
    dated = {(day, ruling.text) for ruling in view.rulings for day in ruling.dates}
    mine = [r for r in CONCISE_RULINGS if r["oracle_id"] == one["oracle_id"]]
    assert dated == {(r["published_at"], r["comment"]) for r in mine}
    newest = [ruling.dates[-1] for ruling in view.rulings]
    assert newest == sorted(newest, reverse=True)
    names = (view.card, *(face.name for face in view.faces))
    assert {whole.card(name).iri for name in names} == {view.iri}


def test_cards_with_a_keyword_are_those_whose_text_has_it(whole):
    rows = whole.ask("cards-with-keyword", {"keyword": " FLYING "}).rows
    assert rows
    assert all("flying" in row["text"].lower() for row in rows if row["text"])
    assert [row["card"] for row in rows] == sorted({row["card"] for row in rows})
    for row in rows:
        assert any("flying" in face.keywords for face in whole.card(row["card"]).faces)


def test_a_misspelt_keyword_gets_the_nearest(whole):
    with pytest.raises(NotFoundError, match="did you mean flying"):
        whole.ask("cards-with-keyword", {"keyword": "flyign"})


def test_card_on_the_command_line_shows_faces_and_rulings(folder):
    shown = mtgkb("card", "gray", "pebble", "--kb", folder).stdout
    assert shown.startswith("Gray Pebble   {1}\nArtifact\n")
    assert "legal in  slow" in shown
    assert shown.index("2019-01-01, 2022-01-01  “Twice”.") < shown.index("2020-01-01  First.")
    told = json.loads(mtgkb("card", "g1", "--kb", folder, "--format", "json").stdout)
    assert told["rulings"][1]["text"] == EDGES


@pytest.mark.parametrize(
    ("name", "code"), [("twin", ExitCode.USAGE), ("qqqqqqqqqq", ExitCode.NOT_FOUND)]
)
def test_card_on_the_command_line_ends_as_documented(folder, name, code):
    assert mtgkb("card", name, "--kb", folder).returncode == code


def test_build_on_the_command_line_takes_cards_and_rulings_and_tells_problems(tmp_path):
    rules = written(tmp_path, "rules.txt", rulebook())
    cards = written(tmp_path, "c.jsonl", f"{json.dumps(CARDS[0])}\n" + "no json\n" * 7)
    rulings = written(tmp_path, "r.jsonl", json.dumps(RULINGS[0]))
    given = ("build", rules, "--cards", cards, "--rulings", rulings, "--kb", tmp_path / "kb")
    printed = mtgkb(*given).stdout
    assert "cards: 1 (1 faces), 1 rulings" in printed
    assert "c.jsonl, line 2" in printed
    assert "and 2 more problems" in printed
    told = json.loads(mtgkb(*given, "--format", "json").stdout)
    assert (told["unchanged"], len(told["cards"]["problems"])) == (True, 7)


def test_build_refuses_what_is_no_card_file_and_keeps_what_was_there(folder, tmp_path):
    rules = written(tmp_path, "rules.txt", rulebook())
    wrong = written(tmp_path, "wrong.json", "no json")
    done = mtgkb("build", rules, "--cards", wrong, "--kb", folder)
    assert (done.returncode, str(wrong) in done.stderr) == (ExitCode.INPUT, True)
    assert json.loads(mtgkb("card", "g1", "--kb", folder, "--format", "json").stdout)["oracle_id"]
