"""How often `mtgkb citations` is right: on what people cite, the rulebook, and there and back."""

from __future__ import annotations

import json
from itertools import cycle
from typing import TYPE_CHECKING

import pytest
from conftest import official, shared

from kb import resources
from kb.errors import NotFoundError
from kb.knowledge import KnowledgeBase, build
from kb.knowledge.spelling import Speller
from kb.source import read_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.knowledge.spelling import Checked
    from kb.records import Reading

OLD, NEW = "2019-06-14", "2026-06-19"
TOO_MANY = 0.02
FORMS = ("{claim} (CR {number}).", "// CR {number}: {claim}", "{claim} - see rule {number}")


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """A knowledge base with two official releases in its history, neither built in full."""
    folder = tmp_path_factory.mktemp("rates") / "kb"
    texts = [official(f"CR-{name.replace('-', '')}.txt") for name in (OLD, NEW)]
    build([resources.path("rules/concise-edition.txt")], folder, history=texts)
    opened = KnowledgeBase.open(folder)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def speller(kb: KnowledgeBase) -> Speller:
    """Within the newest release."""
    return Speller.of(kb)


def rows(name: str) -> list[dict[str, object]]:
    lines = shared(f"eval/{name}").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def suspects(speller: Speller, texts: Iterable[str]) -> tuple[list[Checked], int]:
    """Return the suspect citations of texts, and how many citations there are."""
    found = [one for text in texts for one in speller.check(text)]
    return [one for one in found if one.status == "suspect"], len(found)


@pytest.mark.parametrize("form", FORMS)
def test_a_missing_number_is_always_found_and_half_of_the_wrong_ones(
    speller: Speller, form: str
) -> None:
    flagged = []
    for row in rows("miscitations.jsonl"):
        for number in row["wrong"]:
            (one,) = speller.check(form.format(claim=row["claim"], number=number))
            there = number in speller.numbers.texts
            assert (one.status == "missing") != there
            if row["error_class"] == "wrong-but-real":
                flagged.append(one.status == "suspect")
    assert len(flagged) > 0
    assert sum(flagged) >= len(flagged) / 2


def test_few_of_what_people_cite_is_suspect(speller: Speller) -> None:
    off, every = suspects(speller, (str(row["text"]) for row in rows("citations.jsonl")))
    assert every > 0
    assert len(off) < TOO_MANY * every


def test_next_to_nothing_that_the_rulebook_cites_is_suspect_and_nothing_missing(
    speller: Speller,
) -> None:
    found = list(speller.check(read_source(official()).text))
    assert len(found) > 0
    assert [one for one in found if one.status == "missing"] == []
    off = [one for one in found if one.status == "suspect"]
    assert len(off) < TOO_MANY * len(found) / 10


FILES = {
    "game.py": ("# CR {}", "X = 'CR:{}'"),
    "Game.java": ("// rule {}, and", "/* [[CR {}]] */"),
    "read.md": ("- See rules {}.", "(CR {}; MTG Rule {})"),
}


def tree(numbers: Iterable[str]) -> list[str]:
    """Return source files that cite each number once, on a line of its own."""
    shapes = {name: cycle(forms) for name, forms in FILES.items()}
    lines: dict[str, list[str]] = {name: [] for name in FILES}
    for name, number in zip(cycle(FILES), sorted(numbers), strict=False):
        lines[name].append(next(shapes[name]).replace("{}", number))
    return ["\n".join(some) for some in lines.values()]


def ranges(texts: Iterable[str]) -> Iterator[str]:
    """Yield the first subrules of each rule that has them, as a range and with an "and"."""
    held = set(texts)
    for number in held:
        if number.endswith("a") and number[:-1] + "b" in held:
            yield f"{number} and b"
            yield f"{number}–{'c' if number[:-1] + 'c' in held else 'b'}"


def moved(speller: Speller, text: str) -> tuple[str, set[int]]:
    """Return a text with its certain numbers, and the lines in which something was left."""
    parts, done, left = [], 0, set()
    for one in speller.check(text):
        if one.certain:
            parts += [text[done : one.start], one.suggestion or ""]
            done = one.end
        elif one.status not in ("fine", "edited"):
            left.add(one.line - 1)
    return "".join([*parts, text[done:]]), left


def test_official_numbers_there_and_back_are_the_same_but_for_what_is_reported(
    kb: KnowledgeBase,
) -> None:
    forth, back = Speller.of(kb, OLD, NEW), Speller.of(kb, NEW, OLD)
    changed, reported, every = 0, 0, 0
    unreported = []
    for text in tree([*forth.numbers.texts, *ranges(forth.numbers.texts)]):
        there, left = moved(forth, text)
        again, left_again = moved(back, there)
        lines = list(zip(*(t.split("\n") for t in (text, there, again)), strict=True))
        unreported += [
            line
            for at, line in enumerate(lines)
            if line[0] != line[2] and at not in left | left_again
        ]
        changed += sum(line[0] != line[1] for line in lines)
        reported += len(left | left_again)
        every += len(lines)
    assert unreported == []
    assert changed > every / 3
    assert reported < every / 10


def test_one_release_is_checked_without_any_history(
    concise: KnowledgeBase, concise_reading: Reading
) -> None:
    speller = Speller.of(concise)
    statuses = {one.status for one in speller.check("rule 704.5g, rule 704, CR 799.1")}
    assert statuses == {"fine", "missing"}
    texts = [rule.text for rule in concise_reading.rulebook.rules]
    off, every = suspects(speller, texts)
    assert every > 0
    assert len(off) < TOO_MANY * every


def test_two_releases_need_a_history(concise: KnowledgeBase) -> None:
    with pytest.raises(NotFoundError, match="in the history") as caught:
        Speller.of(concise, "2019-06-14")
    assert "--history FILE" in (caught.value.hint or "")


def test_a_release_that_only_the_history_has_is_checked_in_itself(kb: KnowledgeBase) -> None:
    old, concise = Speller.of(kb, OLD, OLD), Speller.of(kb, f"{NEW}-concise", f"{NEW}-concise")
    assert len(old.numbers.texts) != len(concise.numbers.texts) > 0
    with pytest.raises(NotFoundError, match=f"no release {NEW}-concise in the history"):
        Speller.of(kb, OLD, f"{NEW}-concise")


def test_the_same_is_said_as_the_question_what_changed_says(kb: KnowledgeBase) -> None:
    for start, end in ((OLD, NEW), (NEW, OLD)):
        numbers = Speller.of(kb, start, end).numbers
        asked = kb.ask("what-changed", {"from": start, "to": end}).rows
        changes = [(str(row["change"]), str(row["from"]), str(row["to"])) for row in asked]
        assert numbers.moved == {o: n for change, o, n in changes if change.startswith("moved")}
        assert numbers.edited == {o for change, o, _ in changes if change.endswith("edited")}
        ended = {o for change, o, _ in changes if change in {"removed", "merged", "split"}}
        assert {o for change, o, _ in changes if change == "removed"} <= numbers.gone <= ended
