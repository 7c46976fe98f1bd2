"""References left behind by a renumbering: when one is told, for how long, and what it meant."""

from __future__ import annotations

import pytest
from history_rulebook import (
    LEAVES,
    SHOWS,
    STAYS,
    WAITS,
    asked,
    built,
    edition_from,
    followed,
    rule_in,
)
from tools import rulebook, written

from kb.editions.follow import history_of
from kb.knowledge import KnowledgeBase, build
from kb.triples.history import history_quads
from kb.triples.history_read import read_history

CITES = "Whoever takes a coin out of the box has to follow rule 101.2 to the letter."
ENDS = "A game ends when the last pebble was taken off the board, or by agreement of all."
NEW_RULE = "Coins, cards and dice stay in their boxes until the next morning comes."


def book(*moving, cites=CITES):
    """Return rules: one that cites, and a chapter of those given, numbered from 101.1 on."""
    numbered = [f"101.{n}. {text}" for n, text in enumerate(moving, 1)]
    return "\n".join(["100. General", f"100.1. {cites}", "101. Moving", *numbered])


def left(*texts, number="100.1"):
    """Return the references left behind in the last release: number, text meant, last right."""
    history = followed(*texts)
    meant = {rule.slug: rule.versions[-1].text for rule in history.rules}
    version = rule_in(history, number, len(texts) - 1).versions[-1]
    assert version.last == len(texts) - 1
    return [(x.number, meant[x.meant], x.right) for x in version.left]


BEFORE = book(STAYS, SHOWS, WAITS)
AFTER = book(STAYS, LEAVES, SHOWS, WAITS)


def test_a_number_that_stays_while_its_rule_moves_is_left_behind():
    assert left(BEFORE) == []
    assert left(BEFORE, AFTER) == [("101.2", SHOWS, 0)]


def test_a_number_that_another_rule_took_over_is_left_behind():
    assert left(BEFORE, book(STAYS, WAITS, SHOWS)) == [("101.2", SHOWS, 0)]


def test_a_number_of_a_rule_that_is_gone_is_left_behind_once_one_from_elsewhere_takes_it():
    assert left(BEFORE, book(STAYS, WAITS)) == [("101.2", SHOWS, 0)]


def test_a_rule_written_anew_at_the_number_of_one_that_is_gone_is_no_fault():
    assert left(BEFORE, book(STAYS, NEW_RULE, WAITS)) == []


def test_a_number_that_nobody_has_any_more_is_missing_and_not_left_behind():
    last = book(STAYS, LEAVES, WAITS, SHOWS, cites=CITES.replace("101.2", "101.4"))
    assert left(last, book(STAYS, LEAVES, WAITS)) == []


def test_a_reference_that_follows_its_rule_is_no_fault():
    assert left(BEFORE, book(STAYS, LEAVES, SHOWS, WAITS, cites=CITES.replace("1.2", "1.3"))) == []


def test_a_rule_that_is_edited_where_it_stands_leaves_nothing_behind():
    assert left(BEFORE, book(STAYS, SHOWS.replace("pebble", "coin"), WAITS)) == []


def test_a_number_that_led_nowhere_and_is_taken_later_meant_no_rule():
    nowhere = CITES.replace("101.2", "101.4")
    before = book(STAYS, SHOWS, WAITS, cites=nowhere)
    assert left(before, book(STAYS, SHOWS, LEAVES, WAITS, cites=nowhere)) == []


def test_what_was_left_behind_stays_so_until_it_is_corrected():
    corrected = book(STAYS, LEAVES, SHOWS, WAITS, cites=CITES.replace("101.2", "101.3"))
    assert left(BEFORE, AFTER, AFTER) == [("101.2", SHOWS, 0)]
    assert left(BEFORE, AFTER, corrected) == []


def test_what_was_left_behind_stays_so_when_other_words_are_edited():
    edited = CITES.replace("to the letter", "without exception")
    assert left(BEFORE, AFTER, book(STAYS, LEAVES, SHOWS, WAITS, cites=edited)) == [
        ("101.2", SHOWS, 0)
    ]


def test_what_was_left_behind_is_right_again_when_its_rule_comes_back():
    assert left(BEFORE, AFTER, BEFORE) == []


def test_a_reference_that_goes_away_is_left_behind_no_more():
    gone = CITES.replace("rule 101.2", "all rules")
    assert left(BEFORE, AFTER, book(STAYS, LEAVES, SHOWS, WAITS, cites=gone)) == []


def test_what_was_left_behind_follows_the_rule_that_it_now_names():
    later = book(STAYS, ENDS, LEAVES, SHOWS, WAITS, cites=CITES.replace("101.2", "101.3"))
    assert left(BEFORE, AFTER, later) == [("101.3", SHOWS, 0)]


def test_a_number_passed_on_twice_still_means_the_first_rule():
    assert left(BEFORE, AFTER, book(STAYS, ENDS, LEAVES, SHOWS, WAITS)) == [("101.2", SHOWS, 0)]


def test_a_rule_that_was_edited_meanwhile_may_mean_the_new_rule():
    edited = CITES.replace("Whoever takes", "A player who takes")
    assert left(BEFORE, book(STAYS, LEAVES, SHOWS, WAITS, cites=edited)) == []


def test_a_range_that_spans_more_rules_than_before_is_no_fault():
    span = CITES.replace("rule 101.2", "rules 101.1–3")
    more = CITES.replace("rule 101.2", "rules 101.1–4")
    before = book(STAYS, SHOWS, WAITS, ENDS, cites=span)
    assert left(before, book(STAYS, LEAVES, SHOWS, WAITS, ENDS, cites=more)) == []
    assert left(before, book(STAYS, LEAVES, SHOWS, WAITS, ENDS, cites=span)) == []


STEPS = (
    "If a pebble was hidden, all look for it, else they go on to rule {next}.",
    "If a pebble was found, whoever found it keeps it, else they go on to rule {then}.",
)


def steps(*subrules):
    below = [
        f"100.1{letter} {text.format(next='100.1b', then='100.1c')}"
        for letter, text in zip("abcde", subrules, strict=False)
    ]
    return "\n".join(["100. General", "100.1. They look in this order.", *below])


def test_the_next_step_of_a_list_is_meant_by_its_place():
    before, after = steps(*STEPS, WAITS), steps(STEPS[0], ENDS, STEPS[1], WAITS)
    assert left(before, after, number="100.1a") == []
    # 100.1c now names itself: no next step.
    assert left(before, after, number="100.1c") == [("100.1c", WAITS, 0)]


def test_what_was_left_behind_is_the_same_in_the_graph_and_whatever_comes_later():
    texts = [BEFORE, AFTER, book(STAYS, ENDS, LEAVES, SHOWS, WAITS)]
    history = followed(*texts)
    assert read_history(history_quads(history)) == history
    books = [
        edition_from(rulebook(text, date=f"May 1, {year}")) for year, text in enumerate(texts, 2029)
    ]
    for late in books:
        others = history_of(book for book in books if book is not late)
        assert history_of([late], others) == history


# What is asked


def stale(folder, *texts):
    dated = [rulebook(text, date=f"May 1, {year}") for year, text in enumerate(texts, 2029)]
    kb = built(folder, *dated)
    rows = asked(kb, "broken-references", "from", "cited", "fault", "suggestion", "quote")
    kb.close()
    return [row for row in rows if row[0] != "glossary:Draw"]


def test_broken_references_tell_what_was_left_behind_and_where_its_rule_is(tmp_path):
    assert stale(tmp_path, BEFORE, AFTER) == [("100.1", "101.2", "stale", "101.3", CITES)]


def test_what_was_left_behind_explains_which_rule_it_meant_and_until_when(tmp_path):
    texts = [rulebook(text, date=f"May 1, {2029 + n}") for n, text in enumerate((BEFORE, AFTER))]
    kb = built(tmp_path, *texts)
    answer = kb.ask("broken-references")
    ((citation, stale),) = (
        [kb.explain(node) for node in nodes]
        for row, nodes in zip(answer.rows, answer.because, strict=True)
        if row["fault"] == "stale"
    )
    assert (citation.kind, citation.quote) == ("citation", CITES)
    assert (stale.kind, stale.subject, stale.quote) == ("stale reference", "101.2", SHOWS)
    assert stale.because == "the number of this rule until 2029-05-01"
    kb.close()


def test_a_rule_that_is_gone_is_suggested_nowhere(tmp_path):
    told = stale(tmp_path, BEFORE, book(STAYS, WAITS))
    assert told == [("100.1", "101.2", "stale", None, CITES)]


def test_without_a_history_nothing_is_left_behind(tmp_path):
    assert stale(tmp_path, AFTER) == []


def test_a_heading_that_was_merged_is_suggested_where_its_rules_went(tmp_path):
    cites = CITES.replace("101.2", "102")
    before = book(STAYS, cites=cites) + f"\n102. Hiding\n102.1. {SHOWS}\n102.2. {WAITS}"
    last = f"\n103. Leaving\n103.1. {LEAVES}\n103.2. {ENDS}"
    after = book(STAYS, SHOWS, WAITS, cites=cites) + last.replace("103", "102")
    told = stale(tmp_path, before + last, after)
    assert told == [("100.1", "102", "stale", "101", cites)]


@pytest.mark.parametrize("text", [AFTER, BEFORE])
def test_a_release_of_the_past_has_its_own_faults(tmp_path, text):
    rules = [BEFORE, text, BEFORE]
    texts = [rulebook(book, date=f"May 1, {year}") for year, book in enumerate(rules, 2029)]
    files = [written(tmp_path, f"{n}.txt", each) for n, each in enumerate(texts)]
    build(files, tmp_path / "kb")
    kb = KnowledgeBase.open(tmp_path / "kb")
    faults = [
        [
            row["fault"]
            for row in kb.ask("broken-references", {}, release).rows
            if row["from"] == "100.1"
        ]
        for release in ("2029-05-01", "2030-05-01", "2031-05-01")
    ]
    kb.close()
    assert faults == [[], ["stale"] if text == AFTER else [], []]
