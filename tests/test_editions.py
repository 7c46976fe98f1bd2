"""Rules followed through releases: their history, its slugs, its graph and back."""

from __future__ import annotations

from datetime import date
from itertools import permutations

import pytest
from history_rulebook import (
    BOOK,
    LEAVES,
    MIDDLE,
    NEW,
    OLD,
    RULES,
    SHOWS,
    STAYS,
    WAITS,
    edition_from,
    editions,
    followed,
    rule_in,
)
from tools import rulebook

from kb.editions import follow
from kb.editions.align import align
from kb.editions.edition import edition
from kb.editions.follow import history_of, slug_of
from kb.records import Release, RuleNumber
from kb.triples.history import history_quads
from kb.triples.history_read import read_history

# Histories


@pytest.mark.parametrize("order", [*permutations([OLD, MIDDLE, NEW])])
def test_a_history_is_the_same_in_whatever_order_its_releases_come(order):
    history = history_of(editions(*order))
    assert history == history_of(editions())
    assert [release.name for release in history.releases] == [OLD, MIDDLE, NEW]


def test_of_two_texts_of_one_date_the_first_by_name_counts():
    day, number = date(2030, 1, 1), RuleNumber(100)
    first, second = (
        edition(
            Release(day, variant, "utf-8", variant=variant), [(number, f"Title {variant}", "")], []
        )
        for variant in "ab"
    )
    assert history_of([second, first]) == history_of([first])
    assert history_of([second, first]) != history_of([second])


def test_of_two_rules_of_one_number_the_first_counts():
    history = followed("100. General\n100.1. It begins.\n100.1. It ends.")
    assert [rule.versions[0].text for rule in history.rules] == ["General", "It begins."]


def spans(rule):
    return [(v.number, v.first, v.last) for v in rule.versions]


def test_a_version_spans_the_releases_in_which_nothing_changed():
    history = history_of(editions())
    assert spans(rule_in(history, "100.1", 0)) == [("100.1", 0, 2)]
    assert spans(rule_in(history, "100.2", 0)) == [("100.2", 0, 0), ("100.2", 1, 2)]
    assert spans(rule_in(history, "101.1", 1)) == [("101.1", 1, 2)]
    assert spans(rule_in(history, "102.3", 0)) == [("102.3", 0, 0)]


def test_a_rule_is_one_through_all_its_numbers_and_wordings():
    rule = rule_in(history_of(editions()), "101.2", 0)
    assert spans(rule) == [("101.2", 0, 0), ("101.3", 1, 1), ("101.3", 2, 2)]
    assert [v.wording == rule.versions[0].wording for v in rule.versions] == [True, True, False]
    assert [v.method for v in rule.versions] == ["", "same", "alike"]
    assert [v.confidence for v in rule.versions[:2]] == [1.0, 1.0]


def changes(*texts):
    """Return whether references of the first rule and examples of the second have changed."""
    history = followed(*texts)
    first, second = (rule_in(history, number, 0).versions for number in ("100.1", "100.2"))
    assert len({v.wording for v in (*first, *second)}) == 2
    return first[0].references != first[-1].references, second[0].shown != second[-1].shown


def test_a_corrected_reference_is_a_change_and_no_other_wording():
    corrected = BOOK.replace("as rule 100.2", "as rule 100.3")
    assert changes(BOOK, BOOK) == (False, False)
    assert changes(BOOK, corrected) == (True, False)
    assert changes(BOOK, corrected, corrected, BOOK) == (False, False)


def test_a_changed_example_is_a_change_and_its_typography_is_not():
    other = BOOK.replace("Ann hides it", "Ben hides it")
    assert changes(BOOK, other) == (False, True)
    assert changes(BOOK, other, BOOK) == (False, False)
    assert changes(BOOK, BOOK.replace("\nExample: Ann hides it.", "")) == (False, True)
    assert changes(BOOK, BOOK.replace("Ann hides it.", "ANN hides  it")) == (False, False)


def test_every_version_has_its_text_to_the_letter():
    history = followed(BOOK, BOOK.replace("it, as rule", "it , as Rule"))
    texts = [version.text for version in rule_in(history, "100.1", 0).versions]
    assert [text.count("it , as Rule") for text in texts] == [0, 1]


def test_a_renumbered_reference_is_no_change():
    renumbered = BOOK.replace("100.3", "100.4").replace("100.2", "100.3")
    renumbered = renumbered.replace(
        "100.3. ", "100.2. Moves alternate, and so do turns.\n100.3. ", 1
    )
    history = followed(BOOK, renumbered)
    before, after = rule_in(history, "100.1", 0).versions
    assert before.references == after.references == (rule_in(history, "100.2", 0).slug,)
    assert before.text != after.text
    assert before.wording == after.wording


def test_a_reference_that_stays_while_its_target_moves_is_a_change():
    left_behind = BOOK.replace("100.3. ", "100.4. ").replace("100.2. ", "100.3. ")
    before, after = rule_in(followed(BOOK, left_behind), "100.1", 0).versions
    assert before.references != after.references == ("100.2",)


def test_what_was_split_or_merged_names_its_heirs_and_the_release():
    history = history_of(editions())
    by_slug = {rule.slug: rule for rule in history.rules}
    heirs = {
        rule.versions[0].text: (by_slug[slug].versions[0].text, how, place)
        for rule in history.rules
        for slug, how, place in rule.heirs
    }
    parted = {heirs.pop(f"{STAYS} {SHOWS}")}
    assert parted <= {(STAYS, "split", 2), (SHOWS, "split", 2)}
    assert heirs in ({LEAVES: (WAITS, "merged", 2)}, {WAITS: (LEAVES, "merged", 2)})


def test_slugs_stay_when_a_later_release_is_added():
    before, after = (history_of(editions(*names)) for names in ((OLD, MIDDLE), (OLD, MIDDLE, NEW)))
    for rule in before.rules:
        same = next(other for other in after.rules if other.slug == rule.slug)
        assert same.versions[0].text == rule.versions[0].text
    assert len({rule.slug for rule in after.rules}) == len(after.rules)


def test_rules_that_begin_with_the_same_words_have_slugs_of_their_own():
    history = followed(BOOK.replace(SHOWS, f"{STAYS} {SHOWS}"))
    slugs = [rule_in(history, number, 0).slug for number in ("100.2", "100.3")]
    assert slugs == [slug_of(STAYS), f"{slug_of(STAYS)}~2"]


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Ann’s “pebble”, or Ben's one.", "anns-pebble-or-bens-one"),
        ("Naïve players – all of them", "naive-players-all-of-them"),
        ("one two three four five six seven eight nine", "one-two-three-four-five-six-seven-eight"),
        ("…", "rule"),
    ],
)
def test_a_slug_is_made_of_first_words(text, slug):
    assert slug_of(text) == slug


def test_no_rule_number_stands_in_a_slug():
    assert "101" not in slug_of("See rule 101.2 for this.")


# What is known, and more


@pytest.mark.parametrize("late", [OLD, MIDDLE, NEW])
def test_a_release_that_comes_later_gives_the_history_of_all_at_once(late):
    known = history_of(editions(*(name for name in RULES if name != late)))
    assert history_of(editions(late), known) == history_of(editions())


def test_a_release_that_is_read_again_replaces_what_was_known_of_it():
    known = followed(BOOK, BOOK.replace("100.2", "100.4"), BOOK)
    again = history_of([edition_from(rulebook(BOOK, date="May 1, 2030"))], known)
    assert again == followed(BOOK, BOOK, BOOK)


def test_what_is_known_of_releases_that_follow_each_other_is_not_compared_again(monkeypatch):
    known = history_of(editions(OLD, MIDDLE))
    compared = []
    monkeypatch.setattr(follow, "align", lambda old, new: compared.append(None) or align(old, new))
    assert history_of(editions(NEW), known) == history_of([*editions(OLD, MIDDLE), *editions(NEW)])
    assert len(compared) == 1 + 2


# The graph and back


def test_the_graph_of_a_history_has_all_that_the_history_is_made_of():
    history = history_of(editions())
    quads = [*history_quads(history)]
    assert read_history(quads) == history
    assert read_history(sorted(quads, key=str)[::-1]) == history


@pytest.mark.parametrize("late", [OLD, MIDDLE, NEW])
def test_what_differs_between_two_histories_turns_one_graph_into_the_other(late):
    old = history_of(editions(*(name for name in RULES if name != late)))
    new = history_of(editions())
    gone, come = {*history_quads(old, old=new)}, {*history_quads(new, old=old)}
    assert {*history_quads(old)} - (gone - come) | (come - gone) == {*history_quads(new)}
    assert late == OLD or len(come) < len({*history_quads(new)})
