"""What the shared pages quote, and that prose and rules told anew quote nothing."""

from __future__ import annotations

import json

import pytest
from conftest import TOP, official, shared
from known_texts import known_of, rulings_of

from kb import resources
from kb.identify import Index, identify, page_release
from kb.rulebook import read_rulebook
from kb.source import read_source

RELEASES = ["CR-20110715.txt", "CR-20240607.txt", "CR-20260619.txt"]


@pytest.fixture(scope="module")
def everything():
    """The texts of three official releases and of the sample's rulings, indexed."""
    books = [read_rulebook(read_source(official(name)))[0] for name in RELEASES]
    path = shared("cards/AtomicCards.sample.json")
    cards = json.loads(path.read_text(encoding="utf-8"))["data"]
    return Index.of([*known_of(books), *rulings_of(cards)])


@pytest.fixture(scope="module")
def book():
    return read_rulebook(read_source(resources.path("rules/concise-edition.txt")))[0]


def page(name, index):
    """Return what a shared page quotes, by line: how, of what kind, which."""
    results = identify(shared(f"pages/{name}").read_text(encoding="utf-8"), index)
    best = {r.line: (m := r.matches[0], f"{m.match} {m.kind} {m.id}") for r in results if r.matches}
    return (
        results,
        {line: said for line, (_, said) in best.items()},
        {line: match for line, (match, _) in best.items()},
    )


MANA = {
    3: "106.5",
    5: "106.7",
    7: "106.12",
    9: "106.12a",
    11: "106.12b",
    13: "107.3m",
    15: "107.5",
    17: "107.6",
}


@pytest.mark.parametrize(
    ("name", "card", "last"),
    [
        ("card-page-aeon-engine.txt", "Aeon Engine, 2019-08-23", 25),
        ("card-page-karn-liberated.txt", "Karn Liberated, 2020-08-07", 43),
    ],
)
def test_unnumbered_paragraphs_of_a_card_page_get_their_numbers(everything, name, card, last):
    results, said, matches = page(name, everything)
    rules = {line: f"exact rule {number}" for line, number in MANA.items()}
    assert said == rules | dict.fromkeys(range(19, last + 1, 2), f"exact ruling {card}")
    assert all(matches[line].printed is None for line in MANA)
    assert page_release(results) == "2026-06-19"


def test_a_number_on_a_line_of_its_own_belongs_to_the_next_line(everything):
    results, said, matches = page("rules-browser-727.txt", everything)
    assert said == {8: "exact rule 727", 9: "cut rule 727.1"} | {
        9 + 2 * n: f"exact rule 727.{n + 1}" for n in range(1, 7)
    }
    assert all(match.printed_fits for match in matches.values())
    assert [op for op, _ in matches[9].difference] == ["=", "-"]
    assert page_release(results) == "2026-06-19"


def test_the_rulings_of_2011_are_set_beside_todays(everything):
    results, said, matches = page("rulings-page-karn-liberated-2011.txt", everything)
    hows = {2: "edited", 3: "edited", 4: "edited", 5: "cut"}
    hows |= dict.fromkeys((6, 7, 8, 9), "part")
    hows |= {10: "edited", 11: "edited", 12: "exact", 13: "exact", 14: "edited", 15: "cut"}
    hows |= {16: "edited", 17: "part"}
    assert said == {n: f"{how} ruling Karn Liberated, 2020-08-07" for n, how in hows.items()}
    assert [pair for pair in matches[14].difference if pair[0] != "="] == [("+", "poison")]
    assert [pair for pair in matches[2].difference if pair[0] != "="] == [
        ("-", "non-Aura permanent")
    ]
    lines = {result.line: result for result in results}
    assert matches[17].span.of(lines[17].text).startswith("It will be put onto the battlefield")
    assert page_release(results) is None


WIKI = {9: "", 10: ".1", 11: ".1a", 12: ".2", 14: ".3", 15: ".4", 16: ".5", 17: ".5a", 18: ".6"}
WIKI |= {19: ".7", 20: ".1"}


def test_a_wiki_page_is_recognised_as_the_release_that_it_names(everything):
    results, said, matches = page("wiki-restarting-the-game-2024.txt", everything)
    term = {6: "part term Restart the Game", 7: "exact term Restart the Game"}
    rules = {line: f"exact rule 724{number}" for line, number in WIKI.items()}
    assert said == term | {13: "exact example 724.2 example 1"} | rules
    assert page_release(results) == "2024-06-07"
    assert {line: matches[line].now[0] for line in WIKI} == {
        line: f"727{number}" for line, number in WIKI.items()
    }
    assert all(matches[line].printed_fits for line in WIKI)


def test_its_misreference_is_told_and_nothing_else(everything):
    _, _, matches = page("wiki-restarting-the-game-2024.txt", everything)
    assert {line: match.astray for line, match in matches.items() if match.astray} == {
        18: (("724", "729"),)
    }


def test_a_quoted_title_that_is_the_numbers_own_is_no_misreference(everything):
    _, _, matches = page("wiki-restarting-the-game-2024.txt", everything)
    text = matches[7].now[2]
    assert "rule 104" not in text, "the entry has another reference today"
    assert matches[7].astray == ()


@pytest.mark.parametrize("name", ["README.md", "docs/architecture.md", "CONTRIBUTING.md"])
def test_prose_of_ours_quotes_nothing(everything, name):
    results = identify((TOP / name).read_text(encoding="utf-8"), everything)
    assert [result.text for result in results if result.matches] == []


def test_questions_that_speak_of_rules_quote_none(everything):
    lines = shared("eval/search.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["tier"] in ("A", "C")]
    quoting = [
        row["id"] for row in rows if any(r.matches for r in identify(row["question"], everything))
    ]
    assert len(rows) > 30
    assert quoting == []


def test_the_concise_edition_tells_rules_anew_and_quotes_few(everything, book):
    long = [rule for rule in book.rules if len(rule.text.split()) > 15]
    numbers = {rule.text: str(rule.number) for rule in long}
    results = identify("\n\n".join(numbers), everything)
    quoting = [result for result in results if result.matches]
    elsewhere = [
        result.text
        for result in quoting
        if numbers.get(result.text) not in {m.now and m.now[0] for m in result.matches}
    ]
    assert len(quoting) < 0.04 * len(long)
    assert len(elsewhere) < 0.01 * len(long)
