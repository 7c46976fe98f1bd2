"""Citations with new numbers keep their form; where they cannot, they are left with a reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tools import mtgkb, rulebook, written

from kb.citations import NotKeptError, find_citations, renumbered
from kb.knowledge import KnowledgeBase, build
from kb.knowledge.spelling import Speller

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = "2031-05-01", "2032-05-01"
STEPS = [
    "First, whoever begins counts every pebble that lies on the table.",
    "Second, the youngest player lays the gray ones in a long row.",
    "Third, everybody hides one white coin below a wooden cup.",
    "Fourth, lanterns are lit and nobody may speak for a minute.",
]
TURNS = [
    "A turn begins when the glass is turned over.",
    "A turn ends as soon as the last grain of sand has fallen.",
    "Between two turns each person may drink some water.",
]


def steps(chapter: int, *texts: str) -> str:
    lines = [f"{chapter}.1{letter} {text}" for letter, text in zip("abcdef", texts, strict=False)]
    return "\n".join([f"{chapter}.1. A heap is made in these steps.", *lines])


def turns(chapter: int) -> str:
    rules = (f"{chapter}.{n}. {text}" for n, text in enumerate(TURNS, 1))
    return "\n".join([f"{chapter}. Turning", *rules])


CUPS = "100. Cups\n100.1. Cups are blue."
RULES = {
    OLD: f"100. Heaps\n{steps(100, *STEPS)}\n{turns(101)}",
    NEW: "100. Boards\n100.1. A board has nine fields.\n101. Heaps\n"
    + steps(101, *STEPS[:3], "Then a song of eleven verses is sung by all.", STEPS[3])
    + f"\n{turns(102)}",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two releases: a chapter comes before the others, and a step before the last one."""
    place = tmp_path_factory.mktemp("renumbering")
    old = written(place, "old.txt", rulebook(RULES[OLD], date="May 1, 2031"))
    new = written(place, "new.txt", rulebook(RULES[NEW], date="May 1, 2032"))
    build([new], place / "kb", history=[old])
    return place / "kb"


@pytest.fixture(scope="module")
def speller(folder: Path) -> Speller:
    return Speller.of(KnowledgeBase.open(folder), OLD)


NUMBERS = {
    **{f"601.2{letter}": f"602.3{letter}" for letter in "abcdefgh"},
    **{f"712.{n}": f"713.{n + 1}" for n in range(1, 20)},
    **{f"{n}": f"{n + 1}" for n in range(600, 606)},
    "111.1j": "111.1k",
    "111.1k": "111.1m",
    "111.1m": "111.1n",
    "111.1n": "111.1p",
    "205.1": "206.1",
    "205.2": "206.4",
    "205.3": "207.1",
    "205.1a": "206.1b",
    "205.1b": "206.1",
}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("CR 601.2g", "CR 602.3g"),
        ("CR:601.2g", "CR:602.3g"),
        ("§601", "§602"),
        ("rules 601.2f–h", "rules 602.3f–h"),
        ("601.2g-h", "602.3g-h"),
        ("601.2c→e", "602.3c→e"),
        ("712.9–10", "713.10–11"),
        ("712.6–712.11", "713.7–713.12"),
        ("rules 601 through 603", "rules 602 through 604"),
        ("CR 603-605", "CR 604-606"),
        ("601.2a and b", "602.3a and b"),
        ("601.2a, or b", "602.3a, or b"),
        ("601.2a/c/d", "602.3a/c/d"),
        ("601.2a–c, f–h", "602.3a–c, f–h"),
        ("111.1j–m", "111.1k–n"),
        ("111.1k/m/n", "111.1m/n/p"),
        ("rule 605, “Words of 100.1 Sorts,”", "rule 606, “Words of 100.1 Sorts,”"),
    ],
)
def test_a_citation_keeps_its_form(old: str, new: str) -> None:
    (citation,) = find_citations(f"See {old}; then go on.")
    now = {number: NUMBERS[number] for number in citation.numbers}
    assert renumbered(citation.text, now) == new.rstrip(",")
    (again,) = find_citations(f"See {new}; then go on.")
    assert again.numbers == tuple(now.values())


@pytest.mark.parametrize(
    ("written_as", "why"),
    [
        ("205.1–3", "no range: it is 206.1, 206.4, 207.1 now"),
        ("205.1a–b", "no range"),
        ("205.1a and b", "no letters of one rule"),
        ("nothing", "no citation of rules"),
    ],
)
def test_what_its_form_cannot_hold_is_refused(written_as: str, why: str) -> None:
    with pytest.raises(NotKeptError, match=why):
        renumbered(written_as, NUMBERS)


@pytest.mark.parametrize(
    ("text", "suggestion", "reason"),
    [
        ("rules 100.1a–c say", "rules 101.1a–c", None),
        ("rules 100.1a-d say", None, "no range: it is 101.1a, 101.1b, 101.1c, 101.1e now"),
        ("CR 100.1a/d say", "CR 101.1a/e", None),
        ("rule 101.1–3 say", "rule 102.1–3", None),
        ("rules 100–101 say", "rules 101–102", None),
        ("about 101.2 of them", None, "may be no rule's number, but a decimal"),
    ],
)
def test_a_range_is_moved_where_no_other_rule_came_into_it(
    speller: Speller, text: str, suggestion: str | None, reason: str | None
) -> None:
    (one,) = speller.check(text)
    assert (one.status, one.suggestion) == ("moved", suggestion)
    assert one.reason == reason or (reason or "") in (one.reason or "")


def test_an_item_of_a_list_is_a_rule_without_a_word_before_it(speller: Speller) -> None:
    found = list(speller.check("CR 101.1 / 101.2, and rule 101.3. It takes 101.3 seconds"))
    assert [one.suggestion for one in found] == ["CR 102.1", "102.2", "rule 102.3", None]
    chapters = list(speller.check("rules 100, 101"))
    assert [one.suggestion for one in chapters] == ["rules 101", "102"]


def test_a_decimal_that_could_be_no_rules_is_no_citation(speller: Speller) -> None:
    assert list(speller.check("width 640.5, height: 480.25, 100.0 or 100.05")) == []
    found = [(one.string, one.status) for one in speller.check("CR 640.5 and CR 100.05; 100.7")]
    assert found == [(number, "missing") for number in ("CR 640.5", "CR 100.05", "100.7")]


def test_a_line_can_be_left_out(speller: Speller) -> None:
    found = list(speller.check("CR 100.9  # mtgkb: ignore\nCR 100.8\n"))
    assert [(one.string, one.line) for one in found] == [("CR 100.8", 2)]


def test_a_rule_that_would_take_up_a_word_of_the_sentence_is_left(tmp_path: Path) -> None:
    rules = [
        f"{CUPS}\n100.2. A coin lies below each of three wooden cups.\n{turns(101)}",
        f"{CUPS}\n100.1a A coin lies below each of three wooden cups.\n{turns(101)}",
    ]
    files = [
        written(tmp_path, f"{n}.txt", rulebook(text, date=f"May 1, {2031 + n}"))
        for n, text in enumerate(rules)
    ]
    build(files[1:], tmp_path / "kb", history=files[:1])
    found = Speller.of(KnowledgeBase.open(tmp_path / "kb"), "2031-05-01").check(
        "rule 100.2 and b is a coin, rule 100.2"
    )
    (one, other) = found
    assert (one.suggestion, other.suggestion) == (None, "rule 100.1a")
    assert one.reason == "rule 100.1a would be read as something else there"


def test_a_rule_that_was_reworded_too_much_is_not_certain(tmp_path: Path) -> None:
    before = "A coin that is thrown lands on one of its sides and shows a head or a tail there."
    after = "A coin that is thrown shows a head or a tail, or it stands on its rim for a while."
    rules = [
        f"100. Cups\n100.1. {before}\n{turns(101)}",
        f"{CUPS}\n100.2. {after}\n{turns(101)}",
    ]
    files = [
        written(tmp_path, f"{n}.txt", rulebook(text, date=f"May 1, {2031 + n}"))
        for n, text in enumerate(rules)
    ]
    build(files[1:], tmp_path / "kb", history=files[:1])
    kb = KnowledgeBase.open(tmp_path / "kb")
    for start, end in (("2031", "2032"), ("2032", "2031")):
        at = {"2031": "100.1", "2032": "100.2"}
        speller = Speller.of(kb, f"{start}-05-01", f"{end}-05-01")
        (one,) = speller.check(f"rule {at[start]}")
        assert (one.status, one.now, one.suggestion) == ("moved", (at[end],), None)
        assert f"it may be another rule: {at[start]} (now {at[end]}?)" in (one.reason or "")


TREE = {
    "src/game.py": "# CR 100.1a: count.\nX = 'CR:101.2'  # and CR 100.1a–c, 101.1–3\n",
    "src/Game.java": "/** [[CR 101.3]] and rule 100.1b (CR 100.1c/d). */\r\n// 100.1a-d\r\n",
    "docs/read.md": "See rule 100, “Heaps.” Rules 100 and 101 tell.\n\n- `101.1` is 101.1.\n",
    "docs/list.md": "CR 100.1a → CR 101.2; MTG Rule 101.1, §101 — “rule 100.9”.\n",
}
LEFT = {"100.1a-d", "101.1", "rule 100.9"}


def test_a_source_tree_comes_back_as_it_was_but_for_what_is_reported(
    folder: Path, tmp_path: Path
) -> None:
    contents = {name: text.encode() for name, text in TREE.items()}
    contents["src/picture.bin"] = b"\0\1 CR 101.2"
    for name, content in contents.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_bytes(content)
    there = ("--kb", folder, "citations", tmp_path / "tree", "--write", "--from")
    forth = mtgkb(*there, OLD, "--to", NEW)
    moved = {name: (tmp_path / "tree" / name).read_bytes() for name in contents}
    assert moved["src/game.py"] == (
        b"# CR 101.1a: count.\nX = 'CR:102.2'  # and CR 101.1a\xe2\x80\x93c, 102.1\xe2\x80\x933\n"
    )
    assert set(re.findall(r": (?:moved|missing): (.*?):", forth.stdout)) == LEFT
    assert "14 renumbered; " in forth.stdout
    mtgkb(*there, NEW, "--to", OLD)
    back = {name: (tmp_path / "tree" / name).read_bytes() for name in contents}
    different = [
        (line, again)
        for name in contents
        for line, again in zip(contents[name].split(b"\n"), back[name].split(b"\n"), strict=True)
        if line != again and not any(left.encode() in line for left in LEFT)
    ]
    assert different == []
    assert back["src/picture.bin"] == contents["src/picture.bin"]
