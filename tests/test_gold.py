"""Every answer on the newest official release is the one that people checked by hand."""

from __future__ import annotations

import pytest
from gold import accepts, compare, gold_files, load, measure, near, parameters

from kb.queries import catalogue

FILES = gold_files()
each = pytest.mark.parametrize(
    "path",
    FILES
    or [pytest.param(None, marks=pytest.mark.skip("needs ../shared/gold, which is not here"))],
    ids=lambda path: path.stem if path else "none",
)


@each
def test_an_answer_is_the_gold_one(newest, path):
    result = measure(newest, path)
    assert result.perfect, str(result)


@each
def test_distances_are_the_gold_ones(newest, path):
    gold = load(path)
    wanted = {row["rule"]: row["distance"] for row in gold["rows"] if "distance" in row}
    answer = newest.ask(gold["question"], parameters(gold), gold["release"])
    if "distance" not in answer.columns:
        assert not wanted
        return
    found = {row["rule"]: row["distance"] for row in near(gold, answer.rows)}
    assert found.items() >= wanted.items()


GOLD = {
    "question": "obsolete-terms",
    "rows": [{"term": "Player’s Word"}, {"term": "bury", "aka": ["Bury It"]}],
    "optional": [{"term": "ante"}],
}


def rows(*terms):
    return tuple({"term": term, "replacement": None} for term in terms)


@pytest.mark.parametrize(
    ("answer", "precision", "recall"),
    [
        (rows("player's word", "BURY"), 1, 1),
        (rows("player's word", "bury it"), 1, 1),
        (rows("player's word", "bury", "ante"), 1, 1),
        (rows("player's word", "bury", "bury"), 1, 1),
        (rows("bury"), 1, 0.5),
        (rows("player's word", "bury", "x", "y"), 0.5, 1),
        (rows("x"), 0, 0),
        (rows("ante"), 1, 0),
        (rows(), 1, 0),
    ],
)
def test_precision_and_recall(answer, precision, recall):
    result = compare("made up", GOLD, answer)
    assert (result.precision, result.recall) == (precision, recall)
    assert result.perfect == (precision == recall == 1)


def test_what_is_missing_or_too_much_is_printed():
    printed = str(compare("made up", GOLD, rows("bury", "x")))
    assert "precision 0.500  recall 0.500" in printed.splitlines()[0]
    assert '    missing: {"term": "Player’s Word"}' in printed
    assert '    extra:   {"term": "x"}' in printed


def test_far_rows_of_a_transitive_question_do_not_count():
    gold = {
        "question": "cites",
        "params": {"rule": "100.1", "transitive": True},
        "rows": [{"rule": "100.2"}],
        "optional": [],
    }
    answer = ({"rule": "100.2", "distance": 1}, {"rule": "100.3", "distance": 3})
    assert parameters(gold) == {"rule": "100.1", "transitive": "true"}
    assert compare("made up", gold, answer).perfect
    assert not compare("made up", {**gold, "params": {"rule": "100.1"}}, answer).perfect


def test_an_optional_row_may_leave_columns_out():
    key = catalogue()["broken-references"].key
    row = {"from": "100.1", "cited": "100.2", "fault": "title"}
    assert accepts({"from": "100.1"}, key, row, optional=True)
    assert not accepts({"from": "100.1"}, key, row)
    assert not accepts({"from": "100.3"}, key, row, optional=True)
