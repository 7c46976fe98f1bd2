"""`mtgkb history`, `mtgkb diff` and `mtgkb identify`, run on three small releases."""

from __future__ import annotations

import json
import re

import pytest
from history_rulebook import MIDDLE, NEW, OLD, RULES, SHOWS, STAYS, built, release_text
from tools import good, good_json, mtgkb, written

from kb.errors import ExitCode


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The folder of a knowledge base of three small releases, the last one in full."""
    folder = tmp_path_factory.mktemp("commands")
    built(folder, *map(release_text, RULES)).close()
    return folder / "kb"


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The folder of a knowledge base of one release."""
    folder = tmp_path_factory.mktemp("alone")
    built(folder, release_text(NEW)).close()
    return folder / "kb"


def lines(printed):
    """Return what was printed as lines, each paragraph unwrapped."""
    return re.sub(r"\n +(?![ →\d])", " ", printed).splitlines()


# history


def test_history_prints_each_number_and_wording_with_its_releases(small):
    assert lines(good("history", "101.3", "--kb", small)) == [
        f"101.2   {OLD} A white pebble may be moved over another pebble to the field behind.",
        f"101.3   {MIDDLE} A white pebble may be moved over another pebble to the field behind.",
        f"101.3   {NEW} A white pebble may be moved over a gray pebble to the empty field behind.",
    ]
    board = "A game has two players and one board of nine fields."
    assert lines(good("history", "CR 100.1.", "--kb", small)) == [f"100.1   {OLD} to {NEW} {board}"]


def test_history_reads_the_number_in_the_release_asked(small):
    gone = "Coins & dice <of any kind> have no use here and stay in the box."
    printed = good("history", "102.3", "--release", OLD, "--kb", small)
    assert lines(printed) == [f"102.3   {OLD} {gone}"]
    clears = good("history", "102.3", "--release", MIDDLE, "--kb", small)
    assert [line.split()[0] for line in lines(clears)] == ["102.4", "102.3", "102.2"]


def test_history_as_json_is_the_answer_to_its_question(small):
    told = good_json("history", "101.3", "--kb", small)
    assert told == good_json("ask", "rule-history", "--rule", "101.3", "--kb", small)
    assert [(row["release"], row["rule"], row["edited"]) for row in told["rows"]] == [
        *((OLD, "101.2", None), (MIDDLE, "101.3", "false"), (NEW, "101.3", "true"))
    ]


# diff


def test_diff_prints_what_changed_word_by_word(small):
    printed = lines(good("diff", OLD, MIDDLE, "--kb", small))
    assert printed == [
        "added: 101.1 Moves alternate: whoever moved last waits for an answer.",
        "edited: 100.2 Each player begins the game with [-seven] [+eight] pebbles of one color.",
        *(f"moved: 101.{n} → 101.{n + 1}" for n in (1, 2, 3)),
        "moved: 102.4 → 102.3",
        "removed: 102.3 Coins & dice <of any kind> have no use here and stay in the box.",
        f"7 changes from {OLD} to {MIDDLE}",
    ]


def test_diff_is_to_the_newest_release_unless_another_is_named(small):
    printed = lines(good("diff", MIDDLE, "--kb", small))
    assert f"moved+edited: 101.4 → 101.5 [-{STAYS}] {SHOWS}" in printed
    assert "reference: 100.3 A player who touches a pebble must move it, as rule 101.2 tells." in (
        printed
    )
    assert printed[:-1] == lines(good("diff", MIDDLE, NEW, "--kb", small))[:-1]


def test_diff_of_a_release_with_itself_is_empty(small):
    assert good("diff", OLD, OLD, "--kb", small) == f"0 changes from {OLD} to {OLD}\n"


def test_diff_goes_backwards(small):
    printed = lines(good("diff", MIDDLE, OLD, "--kb", small))
    assert "removed: 101.1 Moves alternate: whoever moved last waits for an answer." in printed
    assert "moved: 102.3 → 102.4" in printed
    assert (
        "edited: 100.2 Each player begins the game with [-eight] [+seven] pebbles of one color."
        in printed
    )


def test_diff_as_json_is_the_answer_with_the_words_that_differ(small):
    told = good_json("diff", OLD, MIDDLE, "--kb", small)
    asked = good_json("ask", "what-changed", "--from", OLD, "--to", MIDDLE, "--kb", small)
    differences = {row["from"]: row.pop("difference") for row in told["rows"]}
    assert told == asked
    assert differences.pop("100.2") == [
        ["=", "Each player begins the game with"],
        ["-", "seven"],
        ["+", "eight"],
        ["=", "pebbles of one color."],
    ]
    assert not any(differences.values())


def test_diff_marks_the_words_of_an_example_and_names_the_newest_release(small):
    changed = (
        "[-Ann lets] [+Ben throws] a pebble. [-fall.] It [-lies] [+stands] on its [-back.] [+side.]"
    )
    printed = lines(good("diff", MIDDLE, "--kb", small))
    assert [line for line in printed if line.startswith("example:")] == [
        f"example: 100.4 {changed}"
    ]
    assert printed[-1].endswith(f" changes from {MIDDLE} to {NEW}")
    told = good_json("diff", MIDDLE, "latest", "--kb", small)
    (row,) = (row for row in told["rows"] if row["change"] == "example")
    assert ["-", "Ann lets"] in row["difference"]
    assert "<del>Ann lets</del>" in good("diff", MIDDLE, "--format", "html", "--kb", small)


def explained(small, question, *given):
    """Return, for each row of an answer, what it rests on."""
    told = good_json("ask", question, *given, "--explain", "--kb", small)
    return [row["explanation"] for row in told["rows"]]


def test_a_change_is_explained_by_both_versions_and_how_they_were_linked(small):
    ((old, new),) = explained(small, "where-did-it-go", "--rule", "101.2", "--from", OLD)
    assert (old["kind"], old["subject"], old["value"]) == ("version", "101.2", OLD)
    assert old["because"] == "the first that is known of it"
    assert (new["subject"], new["value"]) == ("101.3", NEW)
    assert new["quote"].endswith("over a gray pebble to the empty field behind.")
    before, sure = new["because"].rsplit(" ", 1)
    assert before == f"goes on from 101.3 of {MIDDLE} by likeness, confidence"
    assert 0.44 < float(sure) <= 1
    printed = good("ask", "rule-history", "--rule", "101.2", "--explain", "--kb", small)
    assert f"goes on from 101.1 of {OLD} by the same wording, confidence 1" in printed


def test_a_version_of_a_term_is_explained_by_how_it_came(small):
    first, second = explained(small, "term-history", "--term", "board")
    assert [fact["because"] for fact in (*first, *second)] == ["added", "changed"]
    assert [fact["value"] for fact in (*first, *second)] == [OLD, f"{MIDDLE} to {NEW}"]
    assert {fact["kind"] for fact in (*first, *second)} == {"term version"}


def test_diff_as_html_is_a_page_that_marks_words_and_escapes_texts(small):
    page = good("diff", OLD, MIDDLE, "--format", "html", "--kb", small)
    assert page.startswith('<!doctype html>\n<html lang="en">')
    assert page.count(f"Changes from {OLD} to {MIDDLE}") == 2
    assert "with <del>seven</del> <ins>eight</ins> pebbles" in page
    assert "Coins &amp; dice &lt;of any kind&gt; have" in page
    assert {*re.findall(r"</?(\w+)", page)} == {
        *("html", "meta", "title", "style", "h1", "h2", "p", "del", "ins")
    }
    assert page.count("<h2>") == 7


# identify

PAGE = f"""\
What I found in an old booklet:

101.2. A white pebble may be moved over another pebble to the field behind.

* Each player begins the game with nine pebbles of one color.

Coins & dice <of any kind> have no use here and stay in the box.

{STAYS}

Nine times out of ten nobody cares.
"""
FOUND = [
    (3, "101.2", "exact", OLD, MIDDLE, "101.3"),
    (5, "100.2", "edited", MIDDLE, None, "100.2"),
    (7, "102.3", "exact", OLD, OLD, None),
    (9, "101.4", "exact", NEW, None, "101.4"),
]


@pytest.mark.parametrize("given", [None, PAGE])
def test_identify_as_json_names_each_quote_its_releases_and_where_it_is_now(small, tmp_path, given):
    file = "-" if given else written(tmp_path, "page.txt", PAGE)
    told = good_json("identify", file, "--kb", small, given=given)
    assert [paragraph["line"] for paragraph in told["paragraphs"]] == [1, 3, 5, 7, 9, 11]
    quoting = [paragraph for paragraph in told["paragraphs"] if paragraph["matches"]]
    best = [(paragraph["line"], paragraph["matches"][0]) for paragraph in quoting]
    assert [
        (line, m["id"], m["match"], m["since"], m["until"], m["now"] and m["now"]["id"])
        for line, m in best
    ] == FOUND
    assert {m["kind"] for _, m in best} == {"rule"}
    assert [m["score"] == 1 for _, m in best] == [True, False, True, True]
    edited = best[1][1]
    assert [step for step in edited["difference"] if step[0] != "="] == [
        ["-", "eight"],
        ["+", "nine"],
    ]
    assert edited["now"]["release"] == NEW
    assert best[0][1]["printed"] == "101.2"


@pytest.mark.parametrize("given", [None, PAGE])
def test_identify_prints_each_quote_below_its_paragraph(small, tmp_path, given):
    file = "-" if given else written(tmp_path, "page.txt", PAGE)
    printed = lines(good("identify", file, "--kb", small, given=given))
    differs = "… player begins the game with [-eight-] {+nine+} pebbles of one color."
    assert printed[0].startswith("   3  101.2. A white pebble may be moved over another pebble")
    assert [line.strip() for line in printed if "→" in line] == [
        f"→ rule 101.2: exact · worded so {OLD} to {MIDDLE} · numbered so until {OLD}, now",
        f"→ rule 100.2: edited · worded so {MIDDLE} to this day",
        f"→ differs: {differs}",
        f"→ rule 102.3: exact · worded so {OLD} to {OLD} · gone now",
        f"→ rule 101.4: exact · worded so {NEW} to this day",
    ]
    assert printed[-1] == "4 of 6 paragraphs quote something"


def test_identify_names_the_release_that_a_page_is_of(small):
    page = release_text(MIDDLE).partition("1. Game Concepts\n\n100")[2]
    assert good_json("identify", "-", "--kb", small, given=page)["release"] == MIDDLE
    printed = good("identify", "-", "--kb", small, given=page)
    assert f"quote something; as a whole the page is from release {MIDDLE}" in printed


def test_identify_says_that_nothing_is_quoted(small):
    text = "Nothing of this is in any rulebook."
    assert good("identify", "-", "--kb", small, given=text) == (
        "0 of 1 paragraphs quote something\n"
    )
    told = good_json("identify", "-", "--kb", small, given=text)
    paragraph = {"line": 1, "text": text, "matches": [], "more": 0}
    assert told == {"release": None, "paragraphs": [paragraph]}


def test_identify_needs_no_history(alone):
    told = good_json("identify", "-", "--kb", alone, given=PAGE)
    found = [
        (p["line"], p["matches"][0]["id"], p["matches"][0]["match"])
        for p in told["paragraphs"]
        if p["matches"]
    ]
    assert found == [(3, "101.3", "edited"), (5, "100.2", "edited"), (9, "101.4", "exact")]


# What goes wrong


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("history",), ExitCode.USAGE, "Missing argument 'RULE'"),
        (("history", "pebbles"), ExitCode.USAGE, "'pebbles' is no rule number"),
        (("history", "999.9"), ExitCode.NOT_FOUND, "no rule 999.9 in the newest release"),
        (("history", "101.5", "--release", OLD), ExitCode.NOT_FOUND, f"no rule 101.5 in {OLD}"),
        (
            ("history", "100.1", "--release", "2001-01-01"),
            ExitCode.NOT_FOUND,
            "no release 2001-01-01",
        ),
        (("history", "100.1", "--format", "html"), ExitCode.USAGE, "no format 'html' here"),
        (("diff",), ExitCode.USAGE, "Missing argument 'OLD'"),
        (("diff", "2001-01-01"), ExitCode.NOT_FOUND, f"it has {OLD}, {MIDDLE}, {NEW}"),
        (("diff", OLD, "2001-01-01"), ExitCode.NOT_FOUND, "no release 2001-01-01 in the history"),
        (("diff", OLD, "--format", "csv"), ExitCode.USAGE, "one of text, json, html"),
        (("identify",), ExitCode.USAGE, "Missing argument 'FILE'"),
        (("identify", "no-such-file"), ExitCode.USAGE, "No such file"),
        (("identify", "."), ExitCode.USAGE, "directory"),
        (("identify", "-"), ExitCode.INPUT, "the file is empty"),
        (("identify", "-", "--format", "html"), ExitCode.USAGE, "one of text, json"),
    ],
)
def test_what_is_wrong_is_told(small, arguments, code, told):
    done = mtgkb(*arguments, "--kb", small)
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_is_no_text_is_refused(small):
    done = mtgkb("identify", "-", "--kb", small, given="\0\1\2")
    assert done.returncode == ExitCode.INPUT
    assert "binary" in done.stderr


@pytest.mark.parametrize("arguments", [("history", "100.1"), ("diff", NEW), ("diff", NEW, NEW)])
def test_without_a_history_the_code_is_four(alone, arguments):
    done = mtgkb(*arguments, "--format", "json", "--kb", alone)
    told = json.loads(done.stderr)
    assert (done.returncode, told["exit_code"]) == (ExitCode.NOT_FOUND, 4)
    assert told["error"] == "NotFoundError"
    assert "a history needs two releases" in told["hint"]


@pytest.mark.parametrize("arguments", [("history", "100.1"), ("diff", OLD), ("identify", "-")])
def test_without_a_knowledge_base_the_code_is_five(tmp_path, arguments):
    done = mtgkb(*arguments, "--kb", tmp_path / "none", given="A text.")
    assert done.returncode == ExitCode.STORE
    assert "build one: mtgkb build" in done.stderr


@pytest.mark.parametrize("command", ["history", "diff", "identify"])
def test_help_is_there_for_each(command):
    assert good(command, "--help").startswith(f"Usage: mtgkb {command} ")
