"""`mtgkb citations`: what cited numbers mean in the release they were written for, and now."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from history_rulebook import MIDDLE, NEW, OLD, release_file
from tools import mtgkb, rulebook, written

from kb.errors import NotFoundError
from kb.knowledge import KnowledgeBase, build
from kb.knowledge.fitting import Fitting
from kb.knowledge.spelling import Speller

if TYPE_CHECKING:
    from pathlib import Path

TITLED = {
    "701.1": "Sort",
    "701.1a": "To sort a heap is to lay its pebbles in a row.",
    "701.2": "Toss",
    "701.2a": "To throw up a coin and let it fall.",
    "702.1": "A wagon with wheels rolls down every slope.",
    "702.2": "A lantern shines at midnight in winter.",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base of three releases and what changed between them."""
    place = tmp_path_factory.mktemp("spelling")
    files = [release_file(place, name) for name in (OLD, MIDDLE, NEW)]
    build(files[-1:], place / "kb", history=files[:-1])
    return place / "kb"


@pytest.fixture(scope="module")
def speller(folder: Path) -> Speller:
    """From the oldest release to the newest."""
    return Speller.of(KnowledgeBase.open(folder), OLD)


def statuses(speller: Speller, text: str) -> list[tuple[str, str]]:
    """Return the string and status of each citation in a text."""
    return [(one.string, one.status) for one in speller.check(text)]


@pytest.mark.parametrize(
    ("text", "status", "now", "suggestion"),
    [
        ("rule 100.1", "fine", ("100.1",), None),
        ("rule 100.9", "missing", (None,), None),
        ("CR 101.1", "moved", ("101.2",), "CR 101.2"),
        ("rule 100.2", "edited", ("100.2",), None),
        ("rule 102.3", "gone", (None,), None),
    ],
)
def test_a_number_is_looked_up_in_the_release_it_was_written_for(
    speller: Speller, text: str, status: str, now: tuple[str | None, ...], suggestion: str | None
) -> None:
    (one,) = speller.check(text)
    assert (one.status, one.now, one.suggestion) == (status, now, suggestion)


def test_lines_and_columns_count_from_one(speller: Speller) -> None:
    found = list(speller.check("Nothing here.\n  see rule 100.1\nand rule 100.1, rule 100.9"))
    assert [(one.line, one.column) for one in found] == [(2, 7), (3, 5), (3, 17)]


def test_a_release_the_history_does_not_have_is_not_found(folder: Path) -> None:
    with pytest.raises(NotFoundError, match="1987"):
        Speller.of(KnowledgeBase.open(folder), "1987-01-01")


def better(fitting: Fitting, number: str, before: str, after: str) -> str | None:
    """Return the rule that words around a citation of one number fit better."""
    return fitting.better(number, fitting.around([number], before, after))


def test_words_that_name_a_neighbours_title_make_a_citation_suspect() -> None:
    fitting = Fitting.of(TITLED)
    assert better(fitting, "701.1a", "to toss a coin (", ")") == "701.2"
    assert better(fitting, "701.2a", "to toss a coin (", ")") is None
    assert better(fitting, "701.1", "sort, do not toss (", ")") is None


def test_words_of_which_none_is_the_cited_rules_make_it_suspect() -> None:
    fitting = Fitting.of(TITLED)
    assert better(fitting, "702.2", "the wagon rolls down the slope, ", "") == "702.1"
    assert better(fitting, "702.2", "a wagon with a lantern rolls down, ", "") is None
    assert better(fitting, "702.2", "wagon, ", "") is None


def test_a_quoted_title_of_another_rule_is_suspect(tmp_path: Path) -> None:
    rules = "\n".join(["701. Acts", *(f"{n}. {t}" for n, t in list(TITLED.items())[:4])])
    rules = rules.replace("a. To", "a To")
    old = written(tmp_path, "a.txt", rulebook(rules.replace("701.1a To", "701.1a Now to")))
    new = written(tmp_path, "b.txt", rulebook(rules, date="May 1, 2032"))
    build([new], tmp_path / "kb", history=[old])
    speller = Speller.of(KnowledgeBase.open(tmp_path / "kb"), "latest")
    found = list(speller.check('See rule 701.1, "Toss." Or rule 701.2, "Toss."'))
    assert [one.status for one in found] == ["suspect", "fine"]
    assert (found[0].suggestion or "").startswith("rule 701.2")


def test_a_title_that_two_rules_have_is_either_ones(tmp_path: Path) -> None:
    rules = "100. Moving\n100.1. A pebble moves.\n101. Acts\n101.1. Moving\n101.1a To move."
    old = written(tmp_path, "a.txt", rulebook(rules))
    new = written(tmp_path, "b.txt", rulebook(rules, date="May 1, 2032"))
    build([new], tmp_path / "kb", history=[old])
    speller = Speller.of(KnowledgeBase.open(tmp_path / "kb"), "latest")
    text = 'rule 100, "Moving." rule 101.1, "Moving." rule 101.1a, "Moving."'
    assert [status for _, status in statuses(speller, text)] == ["fine", "fine", "fine"]


def test_the_command_prints_places_as_a_compiler_does(folder: Path, tmp_path: Path) -> None:
    page = written(tmp_path, "page.md", "It is\nas CR 101.1 tells, and rule 100.1.\n")
    ran = mtgkb("--kb", str(folder), "citations", str(page), "--from", OLD)
    assert ran.returncode == 1
    assert f"{page}:2:4: moved: CR 101.1 → CR 101.2" in ran.stdout
    assert "2 citations, 1 of them" in ran.stdout


def test_what_is_fine_or_only_edited_ends_with_zero(folder: Path, tmp_path: Path) -> None:
    page = written(tmp_path, "page.md", "rule 100.1 and rule 100.2\n")
    ran = mtgkb("--kb", str(folder), "citations", str(page), "--from", OLD)
    assert (ran.returncode, "edited" in ran.stdout) == (0, True)


def test_write_renumbers_what_is_certain_and_keeps_every_other_byte(
    folder: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.txt"
    page.write_bytes(b"\xff CR 101.1,\r\nrule 102.3, (CR 101.1)\r\n")
    ran = mtgkb("--kb", str(folder), "citations", str(page), "--from", OLD, "--write")
    assert page.read_bytes() == b"\xff CR 101.2,\r\nrule 102.3, (CR 101.2)\r\n"
    assert "gone: rule 102.3" in ran.stdout
    assert "moved" not in ran.stdout


def test_a_folder_is_gone_through_without_what_git_ignores_and_what_is_no_text(
    folder: Path, tmp_path: Path
) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)  # noqa: S607 - git, wherever it is
    for name in ("kept.py", "left.log"):
        written(tmp_path, name, "# rule 100.9\n")
    written(tmp_path, ".gitignore", "*.log\n")
    (tmp_path / "picture.bin").write_bytes(b"\0 rule 100.9")
    ran = mtgkb("--kb", str(folder), "--format", "json", "citations", str(tmp_path), "--from", OLD)
    found = json.loads(ran.stdout)["citations"]
    assert [one["file"] for one in found] == [str(tmp_path / "kept.py")]
    assert found[0] == {
        "file": str(tmp_path / "kept.py"),
        "line": 1,
        "column": 3,
        "string": "rule 100.9",
        "rules": ["100.9"],
        "status": "missing",
        "now": [None],
        "suggestion": None,
    }


def test_sarif_and_github_name_the_place(folder: Path, tmp_path: Path) -> None:
    page = written(tmp_path, "page.md", "rule 100.9\n")
    ask = ("--kb", str(folder), "citations", str(page), "--from", OLD, "--format")
    (result,) = json.loads(mtgkb(*ask, "sarif").stdout)["runs"][0]["results"]
    assert result["ruleId"] == "missing"
    place = result["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 1, "startColumn": 1}
    assert mtgkb(*ask, "github").stdout.startswith(f"::warning file={page},line=1,col=1,")


def test_without_a_release_numbers_are_checked_in_the_one_that_is_asked(folder: Path) -> None:
    text = "rule 101.5, rule 102.4"
    ask = ("--kb", str(folder), "citations", "-")
    newest = mtgkb(*ask, given=text)
    assert (newest.returncode, "missing: rule 102.4" in newest.stdout) == (1, True)
    old = mtgkb(*ask, "--release", OLD, given=text)
    assert [line for line in old.stdout.splitlines() if "rule 10" in line] == [
        "-:1:1: missing: rule 101.5: there is no such rule"
    ]
    moved = mtgkb(*ask, "--from", OLD, "--release", MIDDLE, given="rule 101.2")
    assert "moved: rule 101.2 → rule 101.3" in moved.stdout


def test_one_release_needs_no_history_and_two_do(concise_folder: Path) -> None:
    ask = ("--kb", str(concise_folder), "citations", "-")
    assert mtgkb(*ask, given="CR 704.5g").returncode == 0
    ran = mtgkb(*ask, "--from", OLD, given="CR 704.5g")
    assert (ran.returncode, "a history needs two releases" in ran.stderr) == (4, True)


def test_a_file_that_is_not_there_is_unreadable_input(folder: Path, tmp_path: Path) -> None:
    ran = mtgkb("--kb", str(folder), "citations", str(tmp_path / "no"), "--from", OLD)
    assert ran.returncode == 3
    assert "there is no such file" in ran.stderr


def test_citations_at_the_ends_of_a_text_are_checked(speller: Speller) -> None:
    assert statuses(speller, "") == []
    assert statuses(speller, "rule 100.1\n\nrule 100.9") == [
        ("rule 100.1", "fine"),
        ("rule 100.9", "missing"),
    ]
