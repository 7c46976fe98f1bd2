"""`mtgkb ask "free words"` on the concise edition: what it prints, and how it ends."""

from __future__ import annotations

import json

import pytest
from tools import good, good_json, mtgkb

from kb.cli.ask_words import command_of
from kb.errors import ExitCode
from kb.knowledge.asking import KnownNames


@pytest.fixture(scope="module")
def folder(concise_cards_folder):
    return concise_cards_folder


@pytest.fixture(scope="module")
def kb(concise_cards):
    return concise_cards


@pytest.mark.parametrize(
    ("words", "question", "parameters"),
    [
        ("what are the phases of a turn?", "turn-structure", {}),
        ("Which rulings does Humility have?", "rulings", {"card": "Humility"}),
        ("rules for delver of secrets", "rules-for-card", {"card": "Delver of Secrets"}),
        ("which cards have storm", "cards-with-keyword", {"keyword": "storm"}),
        ("list all creature types", "subtypes", {"type": "creature"}),
        ("which examples use Reflecting Pool", "examples-with-card", {"card": "Reflecting Pool"}),
        ("rulings about restarting the game", "rulings-on", {"term": "restarting the game"}),
    ],
)
def test_the_question_meant_has_an_answer(kb, words, question, parameters):
    meant = kb.understand(words).meant
    assert (meant.question, meant.parameters) == (question, parameters)
    assert kb.ask(meant.question, meant.parameters).rows


def test_the_json_is_that_of_the_question_and_tells_what_was_understood(folder, kb):
    words = "Which rulings does Humility have?"
    told = good_json("ask", words, "--kb", folder)
    answer = kb.ask("rulings", {"card": "Humility"}).as_json()
    assert json.loads(json.dumps(answer)) == {name: told.pop(name) for name in answer}
    assert told.pop("confidence") > 0.5
    nearest = told.pop("nearest")
    assert told == {
        "asked": "Which rulings does Humility have?",
        "parameters": {"card": "Humility"},
    }
    assert [near.keys() for near in nearest] == [{"question", "parameters", "score"}] * 3
    assert nearest[0]["question"] == "rulings"


def test_words_need_no_quotes_and_one_word_may_be_enough(folder):
    several = good_json("ask", "layers", "of", "continuous", "effects", "--kb", folder)
    assert (several["question"], several["asked"]) == ("layers", "layers of continuous effects")
    assert good_json("ask", "phases", "--kb", folder)["question"] == "turn-structure"


def test_the_text_names_the_question_its_parameters_and_how_sure_it_is(folder):
    printed = good("ask", "rulings of Humility", "--kb", folder)
    first, second = printed.split("\n")[:2]
    assert first.startswith("mtgkb ask rulings --card Humility   (")
    assert "sure" in first
    assert second == "what are a card's rulings?"
    assert "rows · release" in printed


def test_an_answer_may_be_a_table_of_some_columns_or_explained(folder):
    asked = ("ask", "what are the supertypes", "--kb", folder)
    assert good(*asked, "--format", "csv", "--columns", "name").startswith("name\n")
    assert "explanation" in good_json(*asked, "--explain")["rows"][0]


def test_where_none_fits_it_says_so_and_offers_the_nearest_and_ends_as_not_found(folder):
    done = mtgkb("ask", "who designed the game in 1993?", "--kb", folder)
    assert done.returncode == ExitCode.NOT_FOUND
    assert done.stdout.startswith("No question of the catalogue answers this. What a search")
    assert done.stdout.count("  mtgkb ask ") == 3
    assert done.stderr == ""


def test_in_json_no_question_is_null_with_the_nearest_and_hits(folder):
    done = mtgkb("ask", "who designed the game?", "--kb", folder, "--format", "json")
    assert done.returncode == ExitCode.NOT_FOUND
    told = json.loads(done.stdout)
    assert (told["question"], told["columns"], told["rows"]) == (None, [], [])
    assert (told["parameters"], len(told["nearest"])) == ({}, 3)
    assert {hit["kind"] for hit in told["hits"]} == {"rule"}


def test_as_a_table_it_ends_with_an_error_where_none_fits(folder):
    done = mtgkb("ask", "who designed the game?", "--kb", folder, "--format", "csv")
    assert (done.returncode, done.stdout) == (ExitCode.NOT_FOUND, "")
    assert "no question is surely meant" in done.stderr


def test_what_lacks_is_shown_in_the_command_to_copy(kb):
    near = kb.understand("which cards have a keyword printed on a face").nearest
    assert "mtgkb ask cards-with-keyword --keyword …" in map(command_of, near)
    meant = kb.understand("rulings of Serra Angel").nearest[0]
    assert command_of(meant) == "mtgkb ask rulings --card 'Serra Angel'"


def test_a_misspelt_id_is_answered_with_the_nearest_ids(folder):
    done = mtgkb("ask", "restart-stat", "--kb", folder)
    assert done.returncode == ExitCode.NOT_FOUND
    assert "did you mean restart-state" in done.stderr


def test_a_card_that_is_not_there_is_said_to_be_missing(folder):
    done = mtgkb("ask", "rulings for Humillity Prime", "--kb", folder)
    assert done.returncode == ExitCode.NOT_FOUND


def test_a_question_of_history_says_that_there_is_none(folder):
    done = mtgkb("ask", "what changed between 2024-06-07 and 2026-06-19", "--kb", folder)
    assert done.returncode == ExitCode.NOT_FOUND
    assert "history" in done.stderr


def test_names_are_those_of_the_knowledge_base(kb):
    names = KnownNames(kb)
    assert names.card("HUMILITY") == "Humility"
    assert names.card("insectile aberration") == "Insectile Aberration"
    assert names.card("Humi") is None
    assert names.keyword("Storm") == "storm"
    assert names.type("creatures") == "creature"
    assert names.entry("no such entry") is None
    assert "snow" in names.answer("supertypes")
    assert names.answer("cited-by") == frozenset()
