"""Nothing of a release is lost: every character lies in exactly one record or block."""

from __future__ import annotations

import csv
from datetime import date
from itertools import pairwise

import pytest
from conftest import SHARED, official, shared

from kb import resources
from kb.rulebook import read_rulebook
from kb.source import read_source

SPREAD = (
    "CR-19990423.txt",
    "CR-20010723.txt",
    "CR-20030701-a.txt",
    "CR-20110204-b.txt",
    "CR-20190823.txt",
    "CR-20260619.txt",
)
EVERY = sorted(path.name for path in (SHARED / "releases").glob("CR-*.txt"))


def spans_of(rulebook):
    """Return the span of every paragraph of a rulebook, in the order of the text."""
    paragraphs = [section.paragraph for section in rulebook.sections]
    paragraphs += [block.paragraph for block in rulebook.blocks]
    for rule in rulebook.rules:
        paragraphs += rule.paragraphs
        paragraphs += [p for example in rule.examples for p in example.paragraphs]
    for term in rulebook.terms:
        paragraphs.append(term.heading)
        paragraphs += [p for sense in term.senses for p in sense.paragraphs]
        paragraphs += [p for example in term.examples for p in example.paragraphs]
    return sorted(paragraph.span for paragraph in paragraphs)


def assert_nothing_lost(source):
    """Check that spans do not overlap and that between them there are only spaces."""
    rulebook, _ = read_rulebook(source)
    spans = spans_of(rulebook)
    assert all(before.end <= after.start for before, after in pairwise(spans))
    ends = [0, *(span.end for span in spans)]
    starts = [*(span.start for span in spans), len(source.text)]
    gaps = [source.text[end:start] for end, start in zip(ends, starts, strict=True)]
    assert "".join(gaps).strip() == ""
    pieces = [span.of(source.text) for span in spans]
    rebuilt = "".join(gap + piece for gap, piece in zip(gaps, [*pieces, ""], strict=True))
    assert rebuilt == source.text
    return rulebook


def test_the_concise_edition_loses_nothing():
    assert_nothing_lost(read_source(resources.path("rules/concise-edition.txt")))


@pytest.mark.parametrize("name", SPREAD)
def test_official_texts_of_all_times_lose_nothing(name):
    assert_nothing_lost(read_source(official(name)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", EVERY)
def test_every_official_text_loses_nothing(name):
    assert_nothing_lost(read_source(official(name)))


def test_the_newest_official_text_has_the_counts_that_are_known():
    rulebook, problems = read_rulebook(read_source(official()))
    kinds = [rule.number.kind for rule in rulebook.rules]
    assert len(rulebook.sections) == 9
    assert [kinds.count(kind) for kind in ("chapter", "rule", "subrule")] == [147, 1170, 1983]
    assert sum(len(rule.examples) for rule in rulebook.rules) == 277
    assert len(rulebook.terms) == 735
    # The two slips of this text: a dot after a letter, and a number without its dot.
    assert sorted(problem.kind for problem in problems) == ["extra-dot", "missing-dot"]


@pytest.mark.parametrize("name", EVERY or ["CR-20260619.txt"])
def test_a_release_is_told_by_its_words_and_digest_never_by_its_name(name):
    source = read_source(official(name))
    with shared("releases/CATALOGUE.tsv").open(encoding="utf-8") as file:
        rows = {row["sha256"]: row for row in csv.DictReader(file, delimiter="\t")}
    row = rows[source.sha256]
    release = read_rulebook(source)[0].release
    assert release.effective == date.fromisoformat(row["effective"])
    assert release.variant == row["variant"]
