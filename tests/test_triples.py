"""Records → quads → records."""

from __future__ import annotations

import pytest
from conftest import SHARED, official

from kb.knowledge import read_release
from kb.records import Reading
from kb.source import decode, read_source
from kb.triples import read_quads, reading_quads
from kb.vocab import P

ODD = """Rules of a Small Game

These rules are effective as of May 1, 2031.

1. Basics

100. General

100.1. First. See rule 100.2, “Second,” and rule 999.

100.1. First again. This is an exception to rule 100.2.
Example: A player does so. (See section 1.)

     Two paragraphs.

100.2. Second

100.2a One card (Ruined Tower) does this.

100.3 Third.

Glossary

Word
1. A sense. See rule 100.1.
2. (Obsolete) Another. See Thing.

Word
See Thing.

Thing
A thing.

Old Thing (Obsolete)
An obsolete term for a thing.

Credits

Nobody.
"""
SPREAD = ("CR-19990423.txt", "CR-20060501.txt", "CR-20260619.txt")
EVERY = sorted(path.name for path in (SHARED / "releases").glob("CR-*.txt"))


def assert_identity(reading):
    """Check that what is written is what is read back."""
    again = read_quads(reading_quads(reading))
    assert again.rulebook == reading.rulebook
    assert again == reading


def test_a_text_with_duplicates_comes_back_as_it_was():
    reading = read_release(decode(ODD.encode(), "odd"))
    assert isinstance(reading, Reading)
    assert len(reading.statements) >= 4
    assert_identity(reading)


def test_the_concise_edition_comes_back_as_it_was(concise_reading):
    assert_identity(concise_reading)


@pytest.mark.parametrize("name", SPREAD)
def test_official_texts_come_back_as_they_were(name):
    assert_identity(read_release(read_source(official(name))))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", EVERY)
def test_every_official_text_comes_back_as_it_was(name):
    assert_identity(read_release(read_source(official(name))))


def test_the_same_reading_gives_the_same_quads_in_the_same_order(concise_reading):
    assert list(reading_quads(concise_reading)) == list(reading_quads(concise_reading))


def test_an_iri_holds_no_space_and_an_identity_no_number(concise_reading):
    iris = {quad.subject.value for quad in reading_quads(concise_reading)}
    assert not any(" " in iri for iri in iris)
    identities = [iri for iri in iris if "/id/" in iri]
    assert len(identities) > 300
    assert not any(character.isdigit() for iri in identities for character in iri)


def test_the_base_of_all_iris_is_a_setting(concise_reading):
    base = "https://rules.example/here/"
    quads = list(reading_quads(concise_reading, base))
    assert all(quad.subject.value.startswith(base) for quad in quads)
    assert all(quad.graph_name.value == f"{base}cr/2026-06-19-concise" for quad in quads)


def test_the_graph_says_that_the_concise_edition_is_unofficial(concise_reading):
    said = {quad.predicate: quad.object.value for quad in reading_quads(concise_reading)}
    assert said[P.OFFICIAL.node] == "false"
    assert said[P.EDITION.node] == "concise"


def test_quads_that_are_not_of_one_release_are_refused():
    with pytest.raises(ValueError, match="one release"):
        read_quads([])
