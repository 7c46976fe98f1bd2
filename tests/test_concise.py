"""The concise edition: its form, its numbers and titles, and that its sentences are its own."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from conftest import SHARED, official, shared

from kb import resources
from kb.records import letters_index
from kb.source import read_source

IN_A_ROW = 8
LIST = 4  # so many commas in eight words make a plain list of names
TEXT = resources.text("rules/concise-edition.txt")
LINES = TEXT.split("\n")
_NUMBERED = re.compile(r"([1-9]\d\d)\.(?:(\d+)([a-z]{0,2}))?(\.?) (.+)")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|\{[^}]*\}|,")


def numbered():
    """Yield chapter, rule, letters, dot and text of each numbered line after the contents."""
    for line in LINES[LINES.index("Credits") + 1 :]:
        match = _NUMBERED.fullmatch(line)
        if match:
            yield match.groups()


def titles(reading):
    return {str(rule.number): rule.title for rule in reading.rulebook.rules if rule.title}


def words(text):
    return _WORD.findall(text.lower().replace("’", "'").replace("‘", "'"))


def runs(text, names):
    """Yield the runs of words between numbers and quoted titles, as (word, commas after it)."""
    text = re.sub(r"“([^”]*?)[,.]?”", lambda m: " | " if m[1].lower() in names else m[0], text)
    for piece in re.split(r"\||\b\d+(?:\.\d+[a-z]{0,2})?\b(?![/+])", text):
        run = []
        for word in words(piece):
            if word != ",":
                run.append([word, 0])
            elif run:
                run[-1][1] = 1
        yield run


def own_sentences(names):
    """Return each row of eight words of the edition with the line it stands in."""
    found = {}
    for number, line in enumerate(LINES, 1):
        heading = re.sub(r"^[1-9][\d.]*[a-z]{0,2}\.? ", "", line).lower()
        for run in [] if heading in names else runs(line, names):
            for start in range(len(run) - IN_A_ROW + 1):
                row = run[start : start + IN_A_ROW]
                if sum(comma for _, comma in row) < LIST:
                    found.setdefault(tuple(word for word, _ in row), number)
    return found


def shared_rows(own, text, seen):
    """Yield the rows of eight words that a text has too; a paragraph is looked at once."""
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph in seen:
            continue
        seen.add(paragraph)
        row = [word for word in words(paragraph) if word != ","]
        for start in range(len(row) - IN_A_ROW + 1):
            if tuple(row[start : start + IN_A_ROW]) in own:
                yield tuple(row[start : start + IN_A_ROW])


@pytest.fixture(scope="module")
def names(newest_reading):
    """Titles and terms of the official text, in small letters: they are nobody's sentences."""
    book = newest_reading.rulebook
    found = [*titles(newest_reading).values(), *(s.title for s in book.sections)]
    found += [name for term in book.terms for name in (term.name, term.heading.text)]
    return {name.lower() for name in found}


def test_it_says_what_it_is():
    front = TEXT[: TEXT.index("\nContents\n")]
    assert LINES[0] == "Magic: The Gathering Comprehensive Rules, Concise Edition"
    assert "unofficial" in front
    assert "concise edition" in front
    assert "in its own words" in front
    assert "effective as of June 19, 2026" in front


def test_its_characters_are_those_of_a_careful_text():
    assert set(re.findall("[^\x20-\x7e\n]", TEXT)) <= set("“”’‘–—∞½é")
    assert '"' not in TEXT
    assert "'" not in TEXT
    assert not [n for n, line in enumerate(LINES, 1) if line != line.strip()]
    assert "\n\n\n" not in TEXT
    assert TEXT.endswith("\n")
    assert not TEXT.endswith("\n\n")


def test_one_blank_line_stands_between_rules_and_none_before_an_example():
    for before, line in pairwise(LINES):
        if line.startswith("Example: "):
            assert before, line
    body = LINES[LINES.index("Credits") + 2 : len(LINES) - LINES[::-1].index("Glossary") - 1]
    joined = [b for a, b in pairwise(body) if a and b]
    assert [line for line in joined if not line.startswith("Example: ")] == []


def test_a_number_has_its_dot_and_letters_have_none():
    for chapter, rule, letters, dot, text in numbered():
        place = f"{chapter}.{rule or ''}{letters or ''}"
        assert dot == ("." if rule and not letters else ""), place
        assert not letters or letters_index(letters) >= 0, place
        assert text[0].isupper() or text[0] in "“{+∞0123456789", place


def test_numbers_ascend_and_have_their_parents(concise_reading):
    numbers = [rule.number for rule in concise_reading.rulebook.rules]
    assert all(a < b for a, b in pairwise(numbers))
    assert {n.parent for n in numbers if n.parent} <= set(numbers)
    assert len(numbers) == sum(1 for _ in numbered())


def test_it_is_large_enough(concise_reading):
    book = concise_reading.rulebook
    assert sum(rule.number.kind != "chapter" for rule in book.rules) >= 450
    assert len(book.terms) >= 150
    assert sum(len(rule.examples) for rule in book.rules) >= 100
    assert concise_reading.problems == ()


def test_terms_are_in_alphabetical_order(concise_reading):
    first = [term.name.casefold().partition(",")[0] for term in concise_reading.rulebook.terms]
    plain = [re.sub(r"[^a-z0-9 ]", "", name) for name in first]
    assert [pair for pair in pairwise(plain) if pair[0] > pair[1]] == []


def test_every_citation_resolves(concise_reading):
    book = concise_reading.rulebook
    there = {str(r.number) for r in book.rules} | {str(s.number) for s in book.sections}
    cited = [(p, n) for p, citation in concise_reading.citations for n in citation.numbers]
    assert [(place, number) for place, number in cited if number not in there] == []
    assert len(cited) >= 500


def test_every_quoted_title_is_that_of_the_cited_rule(concise_reading):
    real = titles(concise_reading)
    real |= {str(s.number): s.title for s in concise_reading.rulebook.sections}
    quoted = [c for _, c in concise_reading.citations if c.title]
    wrong = [c for c in quoted if c.title.rstrip(".,") not in {real.get(n) for n in c.numbers}]
    assert wrong == []
    assert quoted


def test_every_heading_of_the_official_text_is_there(concise_reading, newest_reading):
    official_titles, found = titles(newest_reading), titles(concise_reading)
    keywords = [n for n, title in official_titles.items() if title.startswith("Keyword A")]
    wanted = {
        number: title
        for number, title in official_titles.items()
        if "." not in number or number.partition(".")[0] in keywords
    }
    assert len(wanted) > 400
    assert {n: t for n, t in wanted.items() if found.get(n) != t} == {}
    assert found.items() <= official_titles.items()
    sections = [
        [(s.number, s.title) for s in reading.rulebook.sections]
        for reading in (concise_reading, newest_reading)
    ]
    assert sections[0] == sections[1]


def test_every_number_is_one_of_the_official_text(concise_reading, newest_reading):
    there = {rule.number for rule in newest_reading.rulebook.rules}
    assert [r.number for r in concise_reading.rulebook.rules if r.number not in there] == []


def told(own, name, row):
    return f"line {own[row]} shares with {name}: {' '.join(row)}"


def test_no_sentence_is_that_of_the_newest_official_text(names):
    own = own_sentences(names)
    text = read_source(official()).canvas
    assert [told(own, "it", row) for row in shared_rows(own, text, set())] == []


@pytest.mark.exhaustive
def test_no_sentence_is_that_of_any_official_text(names):
    own, seen, found = own_sentences(names), set(), []
    shared("releases")
    for path in sorted((SHARED / "releases").glob("CR-*.txt")):
        text = read_source(path).canvas
        found += [told(own, path.name, row) for row in shared_rows(own, text, seen)]
    assert not found, found


def test_a_copied_sentence_would_be_found():
    text = "One, two words make 3.\n\nTwo words make three,\nand three words make six in all."
    row = ("words", "make", "three", "and", "three", "words", "make", "six")
    own = {row: 7, tuple(reversed(row)): 8}
    assert [own[found] for found in shared_rows(own, text, set())] == [7]


def test_titles_numbers_and_lists_are_no_sentences():
    quoted = "See rule 1, “The Title That Has Eight Words In It.” Then go on."
    assert [len(run) for run in runs(quoted, {"the title that has eight words in it"})] == [2, 0, 3]
    assert [word for word, comma in next(runs("A, b, c and D’s", set())) if comma] == ["a", "b"]
