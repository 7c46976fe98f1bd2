"""Card files: how they end or break, faces, rulings to the letter, and values as printed."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import zipfile
from datetime import date

import pytest
from card_objects import atomic, card, face, file, ruled
from conftest import shared
from hypothesis import given
from hypothesis import strategies as st

from kb.cards import read_card_files
from kb.cards.merge import CardPile
from kb.cards.stream import CardObject
from kb.cards.values import as_number, as_text, as_texts, name_key, split_type_line
from kb.errors import SourceError

PACKERS = {"xz": lzma.compress, "gz": gzip.compress, "bz2": bz2.compress}


def read(folder, *contents):
    return read_card_files([file(folder, c, f"{i}.json") for i, c in enumerate(contents)])


def archive(folder, **members):
    with zipfile.ZipFile(folder / "a.json", "w") as packed:
        for name, content in members.items():
            packed.writestr(f"{name}.json", content)
    return folder / "a.json"


@pytest.mark.parametrize("count", [0, 2])
def test_an_archive_holds_one_json_file_or_is_refused(tmp_path, count):
    path = archive(tmp_path, **dict.fromkeys("ab"[:count], "[]"))
    with pytest.raises(SourceError) as caught:
        read_card_files([path])
    assert caught.value.where == str(path)


def test_other_files_of_an_archive_are_passed_over(tmp_path):
    path = archive(tmp_path, cards=json.dumps([card()]))
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("README.txt", "made up")
    assert [c.name for c in read_card_files([path])[0]] == ["Pebble"]


@pytest.mark.parametrize("packer", PACKERS)
def test_a_packed_file_that_was_cut_is_refused(tmp_path, packer):
    content = json.dumps([card(oracle_text=str(n)) for n in range(99)]).encode()
    path = file(tmp_path, PACKERS[packer](content)[:-20])
    with pytest.raises(SourceError, match="cannot be read") as caught:
        read_card_files([path])
    assert (caught.value.where, bool(caught.value.why)) == (str(path), True)


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_opened_is_refused(tmp_path, name):
    with pytest.raises(SourceError, match="cannot be read"):
        read_card_files([tmp_path / name])


PLACES = [
    (json.dumps([card(), card("Other", "p2")])[:-30], "object 2:"),
    (json.dumps([card(), card("Other", "p2")], indent=2)[:-30], "object 2:"),
    (f"[\n{json.dumps(card())},\n{json.dumps(card())[:-9]}", "line 3:"),
    (f"{json.dumps(card())}\n{json.dumps(card())[:-9]}", "line 2:"),
    (json.dumps(atomic({"Pebble": [face()], "Other": [face("Other", "p2")]}))[:-30], "“Other”:"),
    (json.dumps([card()]) + " and more", "object 2:"),
]


@pytest.mark.parametrize(("text", "place"), PLACES)
def test_json_that_breaks_is_a_problem_with_its_place_and_the_rest_is_read(tmp_path, text, place):
    cards, report = read(tmp_path, text.encode())
    assert [c.name for c in cards] == ["Pebble"]
    (problem,) = report.problems
    assert place in problem.message
    assert report.objects == report.names + report.rulings + len(report.problems)


WRONG = {
    "A": ([], "it has no faces"),
    "B": ({"name": "B"}, "it is no list of faces"),
    "C": (None, "it is no list of faces"),
    "D": ([5], "no attribute"),
    "E": ([{"type": "Land"}], "name is missing"),
    "F": ([face("F", "f", text=7)], "expected a text"),
    "G": ([face("G", "g", keywords="Rolling")], "expected a list"),
    "H": ([face("H", "h", rulings=[{"date": "2020-13-01", "text": "x"}])], "month"),
    "I": ([face("I", "i", rulings=[{"date": "2020-01-01", "text": None}])], "expected a text"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_name_with_bad_faces_is_a_problem_and_the_next_is_read(tmp_path, name):
    faces, why = WRONG[name]
    cards, report = read(tmp_path, atomic({name: faces, "Pebble": [face()]}))
    assert [c.name for c in cards] == ["Pebble"]
    (problem,) = report.problems
    assert f"“{name}”" in problem.message
    assert why in problem.message
    assert (report.objects, report.names) == (2, 1)


def test_what_is_unknown_passes_and_what_is_missing_is_empty(tmp_path):
    odd = card(layout="of-tomorrow", unheard={"of": [1]})
    (one, bare), report = read(tmp_path, [odd, {"name": "Zero"}])
    assert (one.layout, report.problems) == ("of-tomorrow", [])
    assert (bare.layout, bare.oracle_id, bare.mana_value, bare.rulings) == ("", None, "0", ())
    assert (bare.faces[0].text, bare.faces[0].power, bare.faces[0].mana_cost) == ("", None, None)
    (listed,), report = read(tmp_path, atomic({"Zero": [{"name": "Zero", "unheard": 1}]}))
    assert (listed, report.problems) == (bare, [])


def test_a_face_without_an_id_belongs_to_the_first_face_s_card(tmp_path):
    faces = [face("A // B", "ab", faceName="A"), face("A // B", None, faceName="B")]
    ((one,), _) = read(tmp_path, atomic({"A // B": faces}))
    assert (one.oracle_id, [f.name for f in one.faces]) == ("ab", ["A", "B"])


def test_the_faces_of_a_transforming_card_keep_what_each_has(tmp_path):
    sides = [
        {"name": "Day", "type_line": "Creature — Rock", "power": "1", "mana_cost": "{W}"},
        {"name": "Night", "type_line": "Land", "mana_cost": "", "color_indicator": ["B"]},
    ]
    two = card("Day // Night", layout="transform", card_faces=sides, type_line="Land // Land")
    ((one,), _) = read(tmp_path, [two])
    day, night = one.faces
    assert (day.types, day.subtypes, day.power) == (("Creature",), ("Rock",), "1")
    assert (night.types, night.power, night.mana_cost) == (("Land",), None, None)
    assert night.color_indicator == ("B",)


@pytest.mark.parametrize("turned", [False, True])
def test_a_reversible_card_is_the_plain_card_under_two_names(tmp_path, turned):
    sides = [{"name": "Pebble", "oracle_id": "p1", "cmc": 3}] * 2
    double = {"name": "Stone // Pebble", "layout": "reversible_card", "card_faces": sides}
    files = [[double | {"released_at": "2020-01-01"}], [card(cmc=3, released_at="2020-01-01")]]
    ((one,), report) = read(tmp_path, *(reversed(files) if turned else files))
    assert (one.name, one.layout, one.mana_value) == ("Pebble", "normal", "3")
    assert one.names == (("en", "Pebble"), ("en", "Stone // Pebble"))
    assert report.problems == []


def test_rulings_repeated_on_each_face_are_one_and_each_face_s_own_is_kept(tmp_path):
    both = {"date": "2020-01-01", "text": "On both."}
    own = [{"date": "2020-01-02", "text": f"On {side}."} for side in "AB"]
    faces = [face("A // B", "ab", faceName="AB"[i], rulings=[both, own[i]]) for i in (0, 1)]
    ((one,), report) = read(tmp_path, atomic({"A // B": faces}))
    assert [r.text for r in one.rulings] == ["On both.", "On A.", "On B."]
    assert report.rulings == 3


def test_rulings_are_kept_to_the_letter_even_empty_ones(tmp_path):
    texts = ["", " spaced ", "no\u00a0break", "a\n• b", "“x” \"x\" 'x'", "x"]
    ((one,), report) = read(tmp_path, [card(), *map(ruled, texts), *map(ruled, texts)])
    assert [r.text for r in one.rulings] == texts
    assert (report.rulings, report.problems) == (12, [])


def test_a_text_under_two_dates_keeps_both_and_stands_at_the_first(tmp_path):
    given_rulings = [ruled("Y", "2021-01-01"), ruled("X", "2022-01-01"), ruled("X", "2020-01-01")]
    ((one,), _) = read(tmp_path, [card(), *given_rulings])
    assert [r.text for r in one.rulings] == ["X", "Y"]
    assert one.rulings[0].dates == (date(2020, 1, 1), date(2022, 1, 1))


@pytest.mark.parametrize("newer", ["a", "b"])
def test_rulings_of_a_day_keep_the_order_of_the_file_with_the_newest_rulings(newer):
    pile = CardPile()
    pile.add([CardObject("", card())], "cards.json")
    for name, texts in (("a", "XY"), ("b", "YX")):
        last = ruled("Z", "2025-01-01" if name == newer else "2021-01-01")
        pile.add([CardObject("", one) for one in (*map(ruled, texts), last)], name)
    (one,) = pile.cards()
    assert "".join(r.text for r in one.rulings) == {"a": "XYZ", "b": "YXZ"}[newer]


def test_rulings_of_no_card_are_a_problem_that_names_it(tmp_path):
    cards, report = read(tmp_path, [card(), ruled("x", oracle_id="p9"), ruled("y", oracle_id="p9")])
    assert cards[0].rulings == ()
    (problem,) = report.problems
    assert (problem.kind, problem.message[:9]) == ("ruling", "2 rulings")
    assert "p9" in problem.message


OBJECTS = [
    *(CardObject("", card(n, i)) for n in ("Pebble", "Stone") for i in ("p1", "p2")),
    CardObject("", card(oracle_text="newer", released_at="2024-01-01")),
    CardObject("", [face("Pebble", foreignData=[{"language": "German", "name": "Kiesel"}])], "P"),
    *(CardObject("", ruled(t, f"2020-01-0{d}")) for t in "abc" for d in (1, 2)),
]
PILES = st.lists(st.sampled_from(OBJECTS), max_size=8)


@given(
    st.lists(PILES, min_size=2, max_size=4).flatmap(
        lambda piles: st.tuples(st.just(piles), st.permutations(range(len(piles))))
    )
)
def test_files_in_any_order_give_the_same_cards(drawn):
    piles, order = drawn

    def cards(places):
        pile = CardPile()
        for place in places:
            pile.add(piles[place], f"{place}.json")
        return list(pile.cards())

    assert cards(order) == cards(range(len(piles)))


@pytest.mark.parametrize("days", [("2020-01-01", "2024-01-01"), ("2024-01-01", "2020-01-01")])
def test_the_newest_file_s_record_stands_and_names_and_rulings_are_united(tmp_path, days):
    files = [
        atomic(
            {
                "Pebble": [
                    face(
                        text=day,
                        foreignData=[{"language": "German", "name": f"Kiesel {day}"}],
                        rulings=[{"date": day, "text": f"Of {day}."}],
                    )
                ]
            },
            day,
        )
        for day in days
    ]
    ((one,), _) = read(tmp_path, *files)
    assert one.faces[0].text == "2024-01-01"
    assert one.names == (("de", "Kiesel 2020-01-01"), ("de", "Kiesel 2024-01-01"))
    assert [r.text for r in one.rulings] == ["Of 2020-01-01.", "Of 2024-01-01."]


NAME_KEYS = [
    ("Ünder — Över", "under - over"), ("A’s “B”", "a's \"b\""), ("  A   B ", "a b"),
    ("ＦＵＬＬ", "full"), ("Straße", "strasse"), ("ﬁn", "fin"), ("é", "e"), ("", ""), ("X", "x"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "key"), NAME_KEYS)
def test_a_name_is_looked_up_without_case_accents_and_form(name, key):
    assert name_key(name) == key


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("Basic Snow Land - Rock", (("Basic", "Snow"), ("Land",), ("Rock",))),
        ("Creature – Half-Rock", ((), ("Creature",), ("Half-Rock",))),
        ("Land — A // Creature — B", ((), ("Land",), ("A",))),
        ("Rock-Land", ((), ("Rock-Land",), ())),
    ],
)
def test_a_type_line_is_split_at_a_dash_between_spaces(line, parts):
    assert split_type_line(line, frozenset({"Basic", "Snow"})) == parts


@given(st.text())
def test_any_type_line_can_be_split_and_any_key_is_its_own_key(text):
    above, types, subtypes = split_type_line(text)
    assert above == ()
    assert all(word == word.strip() != "" for word in types + subtypes)
    assert " ".join(name_key(text).split()) == name_key(text)


@pytest.mark.parametrize("value", [True, None, "1", [1], float("nan")])
def test_what_is_no_number_is_refused(value):
    with pytest.raises((TypeError, ValueError)):
        as_number(value)


@pytest.mark.parametrize(("reader", "value"), [(as_text, None), (as_text, 1), (as_texts, "ab")])
def test_what_is_no_text_is_refused(reader, value):
    with pytest.raises(TypeError, match="expected a"):
        reader(value)


SMALL_ONES = (
    "AtomicCards.sample.json",
    "mtgjson-AtomicCards-2026-03.fixture.json",
    "scryfall-2026-cards.fixture.jsonl",
    "scryfall-2026-rulings.fixture.jsonl",
)


def test_real_files_give_the_same_cards_from_either_end():
    paths = [shared(f"cards/{name}") for name in SMALL_ONES]
    cards, report = read_card_files(paths)
    assert read_card_files(paths[::-1])[0] == cards
    assert report.objects == 464 + 85 + 18 + 12
    assert [p for p in report.problems if p.kind == "card"] == []


@pytest.mark.exhaustive
def test_the_big_files_of_scryfall_are_read_whole_and_rulings_without_an_id_are_told():
    cards = shared("cards/oracle-cards.scryfall-2019-09.json.xz")
    rulings = shared("cards/rulings.partial-scryfall.json.xz")
    with lzma.open(rulings) as stream:
        written = json.load(stream)
    without = [line for line, one in enumerate(written, 2) if one["oracle_id"] is None]
    _, report = read_card_files([rulings, cards])
    assert (report.names, report.rulings) == (20030, len(written) - len(without))
    assert [p.line for p in report.problems if p.kind == "card"] == without
    assert report.objects == 20030 + len(written)
