"""Card files of every layout: whole, in pieces, cut, and broken at one place."""

from __future__ import annotations

import json
import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.cards import json_text, read_card_files
from kb.cards.json_text import JsonText
from kb.cards.merge import CardPile
from kb.cards.stream import _Objects

MARK = b"\xef\xbb\xbf"
DEEP = "[" * 200_000 + "]" * 200_000


def card(name="Pebble", oracle_id="p1", **more):
    return {"name": name, "oracle_id": oracle_id, "layout": "normal", "cmc": 1, **more}


def face(name="Pebble", oracle_id="p1", **more):
    ids = {} if oracle_id is None else {"identifiers": {"scryfallOracleId": oracle_id}}
    return {"name": name, "layout": "normal", "type": "Land", **ids, **more}


def atomic(data, day="2026-01-01"):
    return {"meta": {"date": day}, "data": data}


def read(folder, content):
    path = folder / "a.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return read_card_files([path])


def names(cards):
    return [one.name for one in cards]


THREE = [card("A", "a", oracle_text="1"), card("B", "b", oracle_text="2"), card("C", "c")]
ATOMIC = atomic({n: [face(n, n.lower())] for n in "ABC"})
ONE_LINE = [json.dumps(one) for one in THREE]
PRETTY = [json.dumps(one, indent=2) for one in THREE]
ENTRIES = [f"{json.dumps(n)}: {json.dumps([face(n, n.lower())])}" for n in "ABC"]
LAYOUTS = {
    "a line each": "\n".join(ONE_LINE) + "\n",
    "a line each, with carriage returns": "\r\n".join(ONE_LINE) + "\r\n",
    "one after another": "".join(ONE_LINE),
    "an array on one line": json.dumps(THREE),
    "an array with a line each": "[\n" + ",\n".join(ONE_LINE) + "\n]",
    "an array printed": json.dumps(THREE, indent=2),
    "an array printed with tabs": json.dumps(THREE, indent="\t"),
    "an array printed with bracket to bracket": f"[{', '.join(PRETTY)}]",
    "two on the array's first line": f"[\n{ONE_LINE[0]}, {ONE_LINE[1]},\n{ONE_LINE[2]}\n]",
    "a line, then printed": "\n".join((ONE_LINE[0], PRETTY[1], PRETTY[2])),
    "printed, one after another": "\n".join(PRETTY),
    "an answer of the service": json.dumps({"object": "list", "data": THREE}),
    "names": json.dumps(ATOMIC),
    "names printed": json.dumps(ATOMIC, indent=1),
    "names before the date": json.dumps(dict(reversed(ATOMIC.items()))),
    "names after another key": json.dumps({"$schema": "x", "more": [{"a": 1}], **ATOMIC}),
    "names without a date": json.dumps({"data": ATOMIC["data"]}),
    "names with a line each": '{"data":{\n' + ",\n".join(ENTRIES) + "\n}}",
    "arrays one after another": "".join(json.dumps([one]) for one in THREE),
}
every_layout = pytest.mark.parametrize("layout", LAYOUTS)


@every_layout
@pytest.mark.parametrize("before", [b"", MARK, b"\n \t", MARK + b"\r\n"])
def test_every_layout_gives_the_same_cards_with_a_mark_or_without(tmp_path, layout, before):
    cards, report = read(tmp_path, before + LAYOUTS[layout].encode())
    assert (names(cards), report.problems) == (["A", "B", "C"], [])
    assert (report.names, report.objects) == (3, 3)


def test_a_printed_object_alone_is_a_card(tmp_path):
    cards, report = read(tmp_path, PRETTY[0].encode())
    assert (names(cards), report.problems) == (["A"], [])


@every_layout
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_where_a_piece_of_a_file_ends_makes_no_difference(monkeypatch, tmp_path, layout, size):
    monkeypatch.setattr(json_text, "_PIECE", size)
    monkeypatch.setattr(json_text, "_INDENT", 16)
    cards, report = read(tmp_path, LAYOUTS[layout].replace('"1"', '"\U0001f5ff\\u00e9"').encode())
    assert (names(cards), report.problems) == (["A", "B", "C"], [])


@every_layout
def test_a_file_cut_anywhere_keeps_what_is_whole_and_says_so(tmp_path, layout):
    whole = LAYOUTS[layout]
    ends = [end for end in range(1, len(whole)) if whole[:end].strip()]
    # Without brackets around them, objects may end behind any of them.
    is_open = whole.startswith("{") and '"data"' not in whole
    for end in ends:
        cut = whole[:end]
        cards, report = read(tmp_path, cut.encode())
        found = [name for name in "ABC" if name in names(cards)]
        assert found == list("ABC")[: len(found)]
        kinds = {problem.kind for problem in report.problems}
        if report.problems:
            assert kinds == {"truncated"}
            assert len(report.problems) == 1
            assert report.problems[0].line == cut.count("\n") + 1 or layout != "a line each"
        else:
            assert is_open or layout == "arrays one after another" or found == list("ABC")
            assert is_open or cut.rstrip()[-1] in "]}"


def test_an_array_cut_at_the_end_of_a_line_is_truncated_and_its_objects_are_kept(tmp_path):
    cards, report = read(tmp_path, f"[\n{ONE_LINE[0]},\n{ONE_LINE[1]},\n".encode())
    assert names(cards) == ["A", "B"]
    assert [(p.kind, p.line) for p in report.problems] == [("truncated", 4)]


def test_the_end_of_an_array_alone_is_told(tmp_path):
    cards, report = read(tmp_path, f"{ONE_LINE[0]},\n{ONE_LINE[1]}\n]".encode())
    assert names(cards) == ["A", "B"]
    assert [p.line for p in report.problems] == [3]


BREAKS = {
    "a word": ('"layout": "normal"', '"layout": normal'),
    "a lacking quote": ('"layout": "normal"', '"layout: "normal"'),
    "a lacking colon": ('"layout": "normal"', '"layout" "normal"'),
    "a lacking comma": ('"layout": "normal"', '"layout": "normal" "x": 1'),
    "a bad escape": ('"layout": "normal"', '"layout": "nor\\mal"'),
    "a control character": ('"layout": "normal"', '"layout": "nor\x01mal"'),
    "a long number": ('"layout": "normal"', f'"layout": {"1" * 5000}'),
    "a deep nesting": ('"layout": "normal"', f'"layout": {DEEP}'),
}


@every_layout
@pytest.mark.parametrize("way", BREAKS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_broken_object_is_one_problem_with_its_line_and_the_others_are_read(
    tmp_path, layout, way, place
):
    whole = LAYOUTS[layout]
    good, bad = BREAKS[way]
    at = [match.start() for match in re.finditer(re.escape(good), whole)][place]
    broken = whole[:at] + bad + whole[at + len(good) :]
    cards, report = read(tmp_path, broken.encode())
    (problem,) = report.problems
    others = [name for name in "ABC" if name != "ABC"[place]]
    if way == "a lacking quote":
        # Without its pair a quote turns texts and gaps about, up to the end of the line.
        rest = whole[at:].split("\n", 1)[0]
        others = [name for name in others if f'"name": "{name}"' not in rest]
        assert "passed over up to" in problem.message
    assert names(cards) == others
    begin = max(whole.rfind("{", 0, at), 0)
    line = whole.count("\n", 0, begin) + 1
    # The faces of a name printed for people stand some lines below it.
    assert line - 2 <= problem.line <= line
    assert f"line {problem.line}" in problem.message
    assert problem.kind == "card"


WRAPPED = [
    ('{"meta": {oops: 1}, "data": %s}', ["A", "B", "C"], "expected a key|Expecting property"),
    ('{"meta": {"date": "soon"}, "data": %s}', ["A", "B", "C"], "meta.date"),
    ('{"meta": {"date": 5}, "data": %s}', ["A", "B", "C"], "meta.date"),
    ('{\n "meta": oops,\n "data": %s\n}', ["A", "B", "C"], "Expecting value"),
    ('{"meta": {}}', [], "no “data”"),
    ('{"meta": {"date": "2026-01-01"}, "data": null}', [], "“data” is neither"),
    ('{"data": 5}', [], "“data” is neither"),
    ('{"data": %s', ["A", "B", "C"], "ends before the “}”"),
    ("{}", [], "name is missing"),
]


@pytest.mark.parametrize(("text", "found", "why"), WRAPPED)
def test_what_is_wrong_around_the_names_is_a_problem_and_they_are_read(tmp_path, text, found, why):
    content = text.replace("%s", json.dumps(ATOMIC["data"]))
    cards, report = read(tmp_path, content.encode())
    assert names(cards) == found
    (problem,) = report.problems
    assert re.search(why, problem.message)
    assert problem.line


def test_a_list_of_faces_of_another_name_is_no_card(tmp_path):
    listed = {"baseSetSize": 2, "cards": [face("A", "a"), face("B", "b")]}
    cards, report = read(tmp_path, atomic(listed))
    assert (cards, len(report.problems)) == ([], 2)


def test_a_file_is_never_in_memory_as_a_whole():
    content = json.dumps([card(oracle_text="x" * 50_000)] * 100).encode()[1:-1] + b", "
    pieces = 20

    def piece(_):
        nonlocal pieces
        pieces -= 1
        return content if pieces >= 0 else b""

    tracemalloc.start()
    text, count = JsonText(piece), 0
    while text.peek():
        count += text.value()["cmc"]
        text.take(",")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 2000
    assert peak < 8 * len(content)


def read_bytes(content):
    """Read a file's content without a file, which is faster."""
    pieces = [content, b""]
    pile = CardPile()
    pile.add(_Objects(JsonText(lambda _: pieces.pop(0))).all(), "a")
    return pile.report


# A comma in place of “}{” would make one sound object of two.
MARKS = st.text(alphabet='{}[]":\\\n 0x', max_size=2)


@given(st.sampled_from(sorted(LAYOUTS)), st.data())
def test_a_change_anywhere_loses_no_object_in_silence(layout, data):
    whole = LAYOUTS[layout]
    at = data.draw(st.integers(0, len(whole)))
    changed = whole[:at] + data.draw(MARKS) + whole[at + data.draw(st.integers(0, 2)) :]
    report = read_bytes(changed.encode())
    assert report.names >= 3 or report.problems


@given(st.binary(max_size=30), st.sampled_from([b"", b"{", b"[", b'{"data":{', b'[{"a":']))
def test_any_bytes_are_read_to_their_end(content, before):
    report = read_bytes(before + content)
    assert report.objects == report.names + report.rulings + len(report.problems)
