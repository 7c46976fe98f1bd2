"""Searching with whatever people write: numbers, names, misspelt words, code, nothing at all."""

from __future__ import annotations

import re
from time import process_time

import pytest

from kb.search import KINDS, Weights


@pytest.fixture(name="base", scope="module")
def _base(concise_cards):
    return concise_cards


def ids(found):
    return [hit.id for hit in found.hits]


@pytest.mark.parametrize(
    "odd",
    [
        *(
            '"',
            "“",
            '""',
            "*",
            "*a",
            "((",
            "{T}:",
            "the",
            "what is it",
            "?!…",
            "🔥",
            "日本",
            "\x00\x01",
        ),
        *("a" * 10000, "trample" * 1400, "a b c d " * 1200, '"' * 500, "-" * 9000),
        *("SELECT * WHERE { ?s ?p ?o }", "'; DROP TABLE rules; --", "+1/+1 AND NOT"),
        "¿Cómo funciona arrollar?",
        " ".join(f"word{number}" for number in range(1500)),
    ],
    ids=lambda odd: ascii(odd[:12]),
)
def test_any_text_is_a_query_and_takes_no_time(base, odd):
    began = process_time()
    assert base.search(odd, kinds=KINDS).query == odd
    assert process_time() - began < 3


@pytest.mark.parametrize(
    "nothing", ["the", "?!…", "🔥", "日本", "*", "“a phrase nobody wrote”", "799.99z"]
)
def test_where_nothing_tells_nothing_is_found(base, nothing):
    assert base.search(nothing).hits == ()


@pytest.mark.parametrize(
    "written",
    [
        "CR 704.5g",
        "CR704.5g",
        "rule 704.5 g",
        "704.5 (g)",
        "704.5.g",
        "r704.5G.",
        "§704.5g",
        "[[704.5g]]",
    ],
)
def test_a_number_is_read_as_people_write_it(base, written):
    assert ids(base.search(written))[0] == "704.5g"


def test_the_article_of_a_sentence_is_no_letter_of_a_subrule(base):
    assert ids(base.search("704.5 a creature dies"))[0] == "704.5"


def test_of_a_number_that_is_not_there_the_rule_is_shown_and_why(base):
    best = base.search("704.5zz in 2024").hits[0]
    assert best.id == "704.5"
    assert "number: 704.5 (704.5zz is not in this release)" in best.why


@pytest.mark.parametrize(
    ("wrong", "family", "read"),
    [
        ("trampel", "702.19", "“trampel” read as “trample”"),
        ("deathtuch", "702.2", "“deathtuch” read as “deathtouch”"),
        ("Plainswalker", "306", "“plainswalker” read as “planeswalker"),
    ],
)
def test_a_misspelt_word_is_told_as_it_is_written(base, wrong, family, read):
    best = base.search(wrong).hits[0]
    assert best.group.startswith(family)
    assert any(reason.startswith(read) for reason in best.why)


@pytest.mark.parametrize("name", ["Trample", "deathtouch", "State-Based Actions", "legend rule"])
def test_the_exact_name_of_a_term_finds_its_definition(base, name):
    assert base.search(name, kinds=["term"]).hits[0].id.lower() == name.lower()


def test_the_exact_name_of_a_card_finds_it(base):
    for card in ids(base.search("creature", kinds=["card"])):
        assert base.search(card, kinds=["card"]).hits[0].id == card


@pytest.mark.parametrize(
    ("written", "rule"), [("isFaceDown", "708"), ("canBeTargetedBy", "115"), ("check_SBAs", "704")]
)
def test_names_in_code_are_read_as_words(base, written, rule):
    assert any(found.startswith(rule) for found in ids(base.search(written))[:3])


def test_rulings_that_are_not_like_the_question_are_no_reason(base):
    found = base.search("which card sleeves are best for tournaments")
    assert not any(reason.startswith("through rulings") for hit in found.hits for reason in hit.why)


def test_at_most_two_rulings_are_told_none_twice(base):
    for ruling in base.search("creature damage control", kinds=["ruling"], limit=20).hits:
        for hit in base.search(ruling.text[:300]).hits:
            told = [reason for reason in hit.why if reason.startswith("through rulings: ")]
            names = [name for reason in told for name in reason[17:].split("; ")]
            assert len(set(names)) == len(names) <= 2


def test_how_often_a_rule_is_cited_is_told_in_words(base):
    why = [reason for hit in base.search("damage", limit=200).hits for reason in hit.why]
    assert any(re.fullmatch(r"cited in \d+ places", reason) for reason in why)
    assert not any("1 times" in reason or "in 1 places" in reason for reason in why)


def test_a_rule_stands_before_others_where_its_subrule_fits(base):
    with_share, without = (
        base.searcher(None).search("lethal damage", weights=Weights(children=share), limit=30)
        for share in (0.5, 0.0)
    )
    assert ids(with_share).index("120.3") < ids(without).index("120.3")
