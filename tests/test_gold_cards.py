"""The answers on cards and rulings are those that people checked by hand, in any release."""

from __future__ import annotations

import pytest
from conftest import official, shared
from gold import (
    CARD_FILE,
    CARDS,
    RULINGS_ON,
    load,
    measure_card,
    measure_term,
    share,
    stands_for,
    write_cards,
)

from kb.knowledge import KnowledgeBase, build

OLDER = "CR-20130501.txt"
MOST_BESIDE = 0.1  # the share of rows that the gold files do not name


def listed(path, name):
    return load(path)[name] if path.exists() else []


each_card = pytest.mark.parametrize(
    "gold", listed(CARDS, "cards"), ids=lambda gold: gold["card"] if gold else "none"
)
each_term = pytest.mark.parametrize(
    "gold", listed(RULINGS_ON, "terms"), ids=lambda gold: gold["term"] if gold else "none"
)


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    """The newest release and an older one, with the cards of the gold files."""
    folder = tmp_path_factory.mktemp("gold-cards")
    for path in (CARD_FILE, CARDS, RULINGS_ON):
        shared(path.relative_to(path.parents[1]).as_posix())
    cards = write_cards(folder / "cards.json")
    build([official(), official(OLDER)], folder / "kb", cards=[cards])
    opened = KnowledgeBase.open(folder / "kb")
    yield opened
    opened.close()


@each_card
def test_every_rule_that_a_judge_expects_is_there_and_no_wrong_one(kb, gold):
    result = measure_card(kb, gold)
    assert not result.missing, str(result)
    assert result.perfect, str(result)


def test_little_stands_beside_what_a_judge_accepts(kb):
    results = [measure_card(kb, gold) for gold in listed(CARDS, "cards")]
    right, beside = sum(r.right for r in results), sum(len(r.unlisted) for r in results)
    assert share(right, beside) >= 1 - MOST_BESIDE, "\n".join(map(str, results))


@each_term
def test_the_rulings_on_a_term_are_the_gold_ones(kb, gold):
    result = measure_term(kb, gold)
    assert result.perfect, str(result)


@pytest.mark.parametrize(
    ("card", "rule", "title"),
    [
        ("Karn Liberated", "714", "Restarting the Game"),
        ("Karn Liberated", "606", "Loyalty Abilities"),
        ("Stigma Lasher", "702.78", "Wither"),
        ("Emrakul, the Promised End", "712", "Controlling Another Player"),
        ("Kitchen Finks", "302", "Creatures"),
        ("Fire // Ice", "708", "Split Cards"),
        ("Exalted Angel", "707", "Face-Down Spells and Permanents"),
    ],
)
def test_an_older_release_answers_with_its_own_numbers(kb, card, rule, title):
    release = next(r["name"] for r in kb.releases if r["name"].startswith("2013"))
    rules = {row["rule"] for row in kb.ask("rules-for-card", {"card": card}, release).rows}
    assert kb.rule(rule, release).title == title
    assert rule in rules


@pytest.mark.parametrize(
    ("rule", "gold", "same"),
    [
        ("702.80", "702.80", True),
        ("702.80a", "702.80", True),
        ("702.8", "702.80", False),
        ("702.80", "702.8", False),
        ("727.1", "727", False),
    ],
)
def test_a_subrule_stands_for_its_rule(rule, gold, same):
    assert stands_for(rule, gold) == same
