"""What can be asked of a history: where a rule went, what changed, which numbers were reused."""

from __future__ import annotations

import re

import pytest
from history_rulebook import (
    BOOK,
    MIDDLE,
    NEW,
    OLD,
    RULES,
    SHOWS,
    STAYS,
    WAITS,
    asked,
    built,
    release_text,
)
from tools import rulebook

from kb.errors import ExitCode, NotFoundError


@pytest.fixture(scope="module")
def small_history(tmp_path_factory):
    """A knowledge base of the three small releases, the last one in full."""
    folder = tmp_path_factory.mktemp("history")
    kb = built(folder, *map(release_text, RULES))
    yield kb
    kb.close()


def gone_to(kb, start, end):
    """Return where each rule of a release went: number → changes and numbers, in a line."""
    numbers = re.findall(r"^(\d+(?:\.\d+)?)\. ", RULES[start], re.MULTILINE)
    return {
        number: ", ".join(
            f"{change} {rule or ''}".strip()
            for change, rule in asked(
                kb, "where-did-it-go", "change", "rule", rule=number, start=start, end=end
            )
        )
        for number in numbers
    }


FORTH = {
    **{number: f"same {number}" for number in ("100", "100.1", "100.4", "101", "102")},
    "100.2": "edited 100.2",
    "100.3": "edited 100.3",
    "101.1": "moved 101.2",
    "101.2": "moved+edited 101.3",
    "101.3": "moved+edited 101.5, split 101.4",
    "102.1": "edited 102.1",
    "102.2": "merged 102.1",
    "102.3": "gone",
    "102.4": "moved 102.2",
}
BACK = {
    **{number: f"same {number}" for number in ("100", "100.1", "100.4", "101", "102")},
    "100.2": "edited 100.2",
    "100.3": "edited 100.3",
    "101.1": "gone",
    "101.2": "moved 101.1",
    "101.3": "moved+edited 101.2",
    "101.4": "split 101.3",
    "101.5": "moved+edited 101.3",
    "102.1": "edited 102.1, merged 102.2",
    "102.2": "moved 102.4",
}


@pytest.mark.parametrize(("start", "end", "went"), [(OLD, NEW, FORTH), (NEW, OLD, BACK)])
def test_where_every_rule_went(small_history, start, end, went):
    assert gone_to(small_history, start, end) == went


@pytest.mark.parametrize("release", [OLD, MIDDLE, NEW])
def test_in_its_own_release_every_rule_is_the_same(small_history, release):
    went = gone_to(small_history, release, release)
    assert went == {number: f"same {number}" for number in went}


def test_where_a_rule_went_quotes_both_texts(small_history):
    row = ("rule", "old", "new")
    found = asked(small_history, "where-did-it-go", *row, rule="101.3", start=OLD)
    assert found == [("101.5", f"{STAYS} {SHOWS}", SHOWS), ("101.4", f"{STAYS} {SHOWS}", STAYS)]
    gone = asked(small_history, "where-did-it-go", *row, rule="101.1", start=NEW, end=OLD)
    assert gone == [(None, "Moves alternate: whoever moved last waits for an answer.", None)]


def test_a_number_that_a_release_has_not_went_nowhere(small_history):
    assert asked(small_history, "where-did-it-go", "rule", rule="101.5", start=OLD) == []


CHANGED_FORTH = {
    *(("added", None, number) for number in ("101.1", "101.4")),
    ("removed", "102.3", None),
    ("merged", "102.2", "102.1"),
    ("split", "101.3", "101.4"),
    *(("edited", number, number) for number in ("100.2", "102.1")),
    *(("moved", *pair) for pair in (("101.1", "101.2"), ("102.4", "102.2"))),
    *(("moved+edited", *pair) for pair in (("101.2", "101.3"), ("101.3", "101.5"))),
    ("reference", "100.3", "100.3"),
    ("example", "100.4", "100.4"),
}
TURNED = {"added": "removed", "removed": "added"}
CHANGED_BACK = {(TURNED.get(change, change), to, start) for change, start, to in CHANGED_FORTH} - {
    ("removed", "101.4", None)
} | {("added", None, "102.2")}
CHANGED_FIRST = {
    ("added", None, "101.1"),
    ("removed", "102.3", None),
    ("edited", "100.2", "100.2"),
    *(("moved", f"101.{n}", f"101.{n + 1}") for n in (1, 2, 3)),
    ("moved", "102.4", "102.3"),
}


@pytest.mark.parametrize(
    ("start", "end", "changed"),
    [
        (OLD, NEW, CHANGED_FORTH),
        (NEW, OLD, CHANGED_BACK),
        (OLD, MIDDLE, CHANGED_FIRST),
        (OLD, "latest", CHANGED_FORTH),
        (NEW, NEW, set()),
    ],
)
def test_what_changed(small_history, start, end, changed):
    found = asked(small_history, "what-changed", "change", "from", "to", start=start, end=end)
    assert sorted(found, key=str) == sorted(changed, key=str)


def test_what_changed_quotes_both_texts_and_rests_on_the_versions(small_history):
    answer = small_history.ask("what-changed", {"from": OLD, "to": NEW})
    for row, because in zip(answer.rows, answer.because, strict=True):
        texts = {bool(row["old"]): row["from"], bool(row["new"]): row["to"]}
        assert texts.get(False) is None
        assert len(because) == 2 - (row["change"] in TURNED)
        assert all("/id/rule/" in node and "/version/" in node for node in because)


def confidences(kb, start, end):
    """Return how sure it is that what was edited is one rule, by its number in the old release."""
    found = asked(kb, "what-changed", "from", "confidence", start=start, end=end)
    return {number: confidence and float(confidence) for number, confidence in found}


def test_what_changed_says_how_sure_it_is(small_history):
    found = confidences(small_history, MIDDLE, NEW)
    assert found["102.3"] == 1
    assert 0.44 <= found["101.3"] < 1
    assert (found["102.2"], found[None]) == (None, None)


def test_what_changed_is_as_sure_backwards(small_history):
    forth, back = ((MIDDLE, NEW), (NEW, MIDDLE))
    sure = confidences(small_history, *forth)["101.3"]
    assert confidences(small_history, *back)["101.3"] == sure


@pytest.mark.parametrize(
    ("start", "end", "numbers"),
    [
        (OLD, NEW, ["101.1", "101.2", "101.3", "102.2"]),
        (NEW, OLD, ["101.1", "101.2", "101.3", "102.2"]),
        (MIDDLE, NEW, ["101.4", "102.2"]),
        (OLD, OLD, []),
    ],
)
def test_numbers_that_mean_another_rule(small_history, start, end, numbers):
    found = asked(small_history, "reused-numbers", "number", start=start, end=end)
    assert [number for (number,) in found] == numbers


def test_the_history_of_a_rule_has_a_row_a_release(small_history):
    columns = ("release", "rule", "edited")
    rows = [(OLD, "101.2", None), (MIDDLE, "101.3", "false"), (NEW, "101.3", "true")]
    assert asked(small_history, "rule-history", *columns, rule="101.3") == rows
    assert asked(small_history, "rule-history", *columns, rule="101.2", as_of=OLD) == rows
    assert asked(small_history, "rule-history", *columns, rule="101.1") == [
        (MIDDLE, "101.1", None),
        (NEW, "101.1", "false"),
    ]


def test_a_corrected_reference_or_example_is_no_edited_wording(small_history):
    for number in ("100.3", "100.4"):
        found = asked(small_history, "rule-history", "edited", rule=number)
        assert found == [(None,), ("false",), ("false",)]


@pytest.mark.parametrize(
    ("term", "events"),
    [
        ("Board", [(OLD, "added"), (MIDDLE, "changed")]),
        ("HEAP", [(OLD, "added"), (MIDDLE, "obsolete")]),
        ("jump", [(OLD, "added")]),
        ("stone", [(OLD, "added"), (NEW, "removed")]),
        ("toss", [(NEW, "added")]),
        ("pebble", []),
    ],
)
def test_when_a_term_came_changed_and_went(small_history, term, events):
    assert asked(small_history, "term-history", "release", "change", term=term) == events


def yearly(folder, *releases):
    """Build rules and glossaries as releases of one year each, from 2029 on."""
    years = enumerate(releases, 2029)
    return built(
        folder,
        *(rulebook(text, date=f"May 1, {year}", glossary=entry) for year, (text, entry) in years),
    )


def test_a_rule_and_a_term_that_come_back_are_told(tmp_path):
    there = BOOK.replace("101. Moving", f"100.4. {WAITS}\n101. Moving")
    entry, other = "Toss\nTo let a pebble fall.", "Jump\nA move over a pebble."
    kb = yearly(tmp_path, (there, entry), (BOOK, other), (there, entry))
    found = asked(kb, "what-changed", "change", "from", "to", start=OLD)
    assert found == [("added", None, "100.4"), ("removed", "100.4", None)]
    assert asked(kb, "where-did-it-go", "change", rule="100.4", start=OLD) == [("gone",)]
    assert asked(kb, "reused-numbers", "number", start=OLD) == [("100.4",)]
    events = asked(kb, "term-history", "release", "change", term="toss")
    assert events == [(OLD, "added"), (MIDDLE, "removed"), (NEW, "added")]


def test_what_changed_and_was_changed_back_has_not_changed(tmp_path):
    other = BOOK.replace("Ann hides it", "Ben hides it").replace("as rule 100.2", "as rule 100.3")
    kb = yearly(tmp_path, *((text, "Toss\nTo let it fall.") for text in (BOOK, other, BOOK)))
    assert asked(kb, "what-changed", "change", "from", start=OLD) == []
    assert asked(kb, "where-did-it-go", "change", rule="100.1", start=OLD) == [("same",)]


def test_what_changed_is_no_surer_than_its_least_sure_link(tmp_path):
    edited = BOOK.replace("loses it at once", "has one last move").replace(
        "whoever shows", "who has"
    )
    moved = edited.replace("100.3. ", f"100.3. {WAITS}\n100.4. ")
    kb = yearly(tmp_path, *((text, "Toss\nTo let it fall.") for text in (BOOK, edited, moved)))
    (first,) = (sure for _, sure in confidences(kb, OLD, MIDDLE).items())
    assert first < 1
    assert confidences(kb, OLD, NEW)["100.3"] <= first


ALONE = [
    ("where-did-it-go", {"rule": "100.1", "start": NEW}),
    ("what-changed", {"start": NEW}),
    ("reused-numbers", {"start": NEW}),
    ("rule-history", {"rule": "100.1"}),
    ("term-history", {"term": "board"}),
]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A knowledge base of one release."""
    kb = built(tmp_path_factory.mktemp("alone"), release_text(NEW))
    yield kb
    kb.close()


@pytest.mark.parametrize(("question", "given"), ALONE)
def test_one_release_alone_has_no_history(alone, question, given):
    with pytest.raises(NotFoundError, match="a history needs two releases") as refused:
        asked(alone, question, **given)
    assert refused.value.exit_code == ExitCode.NOT_FOUND == 4


@pytest.mark.parametrize("release", ["2001-01-01", "the newest"])
def test_a_release_that_the_history_has_not_is_refused(small_history, release):
    with pytest.raises(NotFoundError, match=f"no release {release} in the history — it has {OLD}"):
        asked(small_history, "what-changed", start=release)
    with pytest.raises(NotFoundError):
        asked(small_history, "rule-history", rule="100.1", as_of=release)
