"""A page of rulings as bullets is a ruling file once its card and date are told."""

from __future__ import annotations

from datetime import date

import pytest
from conftest import shared
from tools import mtgkb

from kb import resources
from kb.cards.page import RulingPage, is_page, read_page, with_pages
from kb.errors import SourceError
from kb.knowledge import KnowledgeBase, build
from kb.records import Card, Face, Ruling

DAY = date(2011, 6, 17)
PAGE = """\
Citation :
* The game begins anew:
-- Each player's life total becomes 20.
-- Players draw a hand of seven cards.
* Players won't have any tokens they had.

  It goes on here.
"""


@pytest.fixture
def page(tmp_path):
    """A page of two rulings, the first with a list of its own."""
    path = tmp_path / "page.txt"
    path.write_text(PAGE, encoding="utf-8")
    return path


def card(name, *rulings):
    return Card(name, name.lower(), "normal", (Face(name),), rulings=rulings)


def test_each_bullet_is_a_ruling_with_what_stands_below_it(page):
    first, second = read_page(RulingPage(page, "Karn", DAY))
    assert first.text == (
        "The game begins anew:\n-- Each player's life total becomes 20.\n"
        "-- Players draw a hand of seven cards."
    )
    assert second.text == "Players won't have any tokens they had.\nIt goes on here."
    assert (first.dates, first.source) == ((DAY,), "page.txt")


def test_a_page_without_a_bullet_is_refused(tmp_path):
    path = tmp_path / "prose.txt"
    path.write_text("Nothing is listed here.\n", encoding="utf-8")
    with pytest.raises(SourceError, match="no ruling"):
        read_page(RulingPage(path, "Karn", DAY))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"* one\n", True),
        (b"\xef\xbb\xbf* one\n", True),
        (b' {"object": "ruling"}\n', False),
        (b"[]", False),
        (b"\x1f\x8b\x08\x00", False),
        (b"", True),
    ],
)
def test_a_page_is_told_from_a_data_file_by_its_content(tmp_path, content, expected):
    path = tmp_path / "file"
    path.write_bytes(content)
    assert is_page(path) is expected


def test_a_page_s_rulings_join_those_of_its_card_and_no_other(page):
    kept = Ruling("Old.", (date(2010, 1, 1),))
    first, second = with_pages([card("Ärn", kept), card("Barn")], [RulingPage(page, "arn", DAY)])
    assert [ruling.text[:8] for ruling in first.rulings] == ["Old.", "The game", "Players "]
    assert second.rulings == ()


@pytest.mark.parametrize("cards", [[card("Barn")], [card("Karn"), card("KARN")]])
def test_a_page_whose_card_is_not_one_card_is_refused(page, cards):
    with pytest.raises(SourceError, match="card"):
        with_pages(cards, [RulingPage(page, "Karn", DAY)])


def test_the_command_line_asks_for_card_and_date(page, tmp_path):
    done = mtgkb("build", "--rulings", page, "--kb", tmp_path / "kb")
    assert done.returncode == 2
    assert "--rulings-card NAME --rulings-date YYYY-MM-DD" in done.stderr


def test_what_a_page_rules_answers_the_restart_question(page, tmp_path):
    cards = [resources.path(f"rules/concise-{name}.json") for name in ("cards", "rulings")]
    build(
        [resources.path("rules/concise-edition.txt")],
        tmp_path / "kb",
        cards=cards,
        pages=[RulingPage(page, "Karn Liberated", DAY)],
    )
    kb = KnowledgeBase.open(tmp_path / "kb")
    rows = {(r["state"], r["outcome"]): r for r in kb.ask("restart-state").rows}
    kb.close()
    assert ("token", "ends") in rows
    rulings = kb_rulings(tmp_path / "kb")
    assert "Players won't have any tokens they had.\nIt goes on here." in rulings


def kb_rulings(folder):
    kb = KnowledgeBase.open(folder)
    texts = [row["text"] for row in kb.ask("rulings", {"card": "Karn Liberated"}).rows]
    kb.close()
    return texts


@pytest.mark.exhaustive
def test_the_old_page_of_a_restarting_card_is_read_whole(tmp_path):
    path = shared("pages/rulings-page-karn-liberated-2011.txt")
    rulings = read_page(RulingPage(path, "Karn Liberated", DAY))
    bullets = [line for line in path.read_text("utf-8").splitlines() if line.startswith("* ")]
    assert len(rulings) == len(bullets) > 5
    text = shared("releases/CR-20120201.txt")
    cards = shared("cards/AtomicCards.sample.json")
    told = [RulingPage(path, "Karn Liberated", DAY)]
    build([text], tmp_path / "kb", cards=[cards], pages=told)
    kb = KnowledgeBase.open(tmp_path / "kb")
    rows = {(row["state"], row["outcome"]): row for row in kb.ask("restart-state").rows}
    kb.close()
    assert rows["poison counter", "ends"]["ruling"] == "Karn Liberated, 2011-06-17"
    assert rows["commander combat damage", "reset"]["ruling"] == "Karn Liberated, 2011-06-17"
