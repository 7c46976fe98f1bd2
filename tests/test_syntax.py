"""A text becomes a tree whose tokens know their place, and what does not parse a problem."""

from __future__ import annotations

import pytest
from lark import Token, Tree

from kb import resources, syntax
from kb.errors import ExitCode, ShippedFileError
from kb.records import Problem
from kb.syntax import branches, caret, end_of, leaves, load, start_of, tokens_of

GRAMMAR = r"""
list: item ("," item)*
item: NAME NUMBER?
pair: NAME "=" NAME
NAME: /[a-z]+/
NUMBER: /\d+/
%ignore /\s+/
"""


@pytest.fixture
def grammar(tmp_path, monkeypatch):
    """A grammar of lists such as ``ann 1, ben``, loaded as our own are."""
    file = tmp_path / "list.lark"
    file.write_text(GRAMMAR, encoding="utf-8")
    monkeypatch.setattr(resources, "path", lambda _: file)
    load.cache_clear()
    yield load("list", "list", "pair")
    load.cache_clear()


def test_a_tree_gives_its_own_tokens_and_branches(grammar):
    tree, problems = grammar.parse("ann 1, ben", "list")
    assert problems == ()
    assert leaves(tree) == []
    assert [branch.data for branch in branches(tree)] == ["item", "item"]
    assert leaves(branches(tree)[0]) == ["ann", "1"]
    assert branches(branches(tree)[0]) == []


def test_the_tokens_of_a_tree_come_in_the_order_of_the_text(grammar):
    tree, _ = grammar.parse("ann 1, ben, cleo 22", "list")
    assert tokens_of(tree) == ["ann", "1", "ben", "cleo", "22"]
    assert tokens_of(tree, "NUMBER") == ["1", "22"]
    assert tokens_of(tree, "NUMBER", "NAME") == tokens_of(tree)
    assert tokens_of(tree, "OTHER") == []


def test_a_token_stands_in_the_text_where_it_says(grammar):
    text = "ann   1,\n ben 33"
    tree, _ = grammar.parse(text, "list")
    for token in tokens_of(tree):
        assert text[start_of(token) : end_of(token)] == token


def test_a_token_that_was_read_off_no_text_has_no_place():
    with pytest.raises(AssertionError, match="read off a text"):
        start_of(Token("NAME", "ann"))


def test_each_start_symbol_reads_its_own_form(grammar):
    assert grammar.parse("ann = ben", "pair")[0] == Tree("pair", ["ann", "ben"])
    assert grammar.parse("ann = ben", "list")[0] is None


@pytest.mark.parametrize(
    ("text", "line", "column", "excerpt"),
    [
        ("ann ! ben", 1, 5, "ann ! ben"),
        ("ann,\nben,\n  7", 3, 3, "  7"),
        ("ann 1 2", 1, 7, "ann 1 2"),
        ("ann,\n, ben", 2, 1, ", ben"),
    ],
)
def test_what_does_not_parse_is_a_problem_with_its_place(grammar, text, line, column, excerpt):
    tree, problems = grammar.parse(text, "list")
    assert tree is None
    assert problems == (Problem("syntax", "unexpected text here", line, column, excerpt),)


@pytest.mark.parametrize("text", ["", "ann,", "ann,\n"])
def test_a_text_that_ends_too_early_is_a_problem_too(grammar, text):
    tree, problems = grammar.parse(text, "list")
    assert tree is None
    assert [problem.kind for problem in problems] == ["syntax"]


def test_the_caret_stands_under_the_fault(grammar):
    _, (problem,) = grammar.parse("ann,\nben ! cleo", "list")
    assert caret(problem) == "ben ! cleo\n    ^"


def test_the_excerpt_of_a_long_line_is_cut(grammar):
    _, (problem,) = grammar.parse("a" * 500 + " !", "list")
    assert problem.column == 502
    assert problem.excerpt == "a" * 160


def test_the_pattern_of_a_terminal_is_that_of_the_grammar(grammar):
    assert grammar.pattern("NUMBER") == r"\d+"


def test_a_grammar_is_loaded_once(grammar):
    assert load("list", "list", "pair") is grammar


@pytest.mark.parametrize("text", ["list: item\n", "list: (\n", "list: A B\nA: /(/\nB: /b/\n"])
def test_a_broken_grammar_is_our_fault_and_says_which_file(tmp_path, monkeypatch, text):
    file = tmp_path / "broken.lark"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(resources, "path", lambda _: file)
    load.cache_clear()
    with pytest.raises(ShippedFileError, match="grammar is broken") as caught:
        load("broken", "list")
    load.cache_clear()
    assert caught.value.where == str(file)
    assert caught.value.why
    assert caught.value.exit_code == ExitCode.INTERNAL


def test_a_missing_grammar_is_our_fault():
    with pytest.raises(ShippedFileError, match=r"grammar/nothing\.lark is missing"):
        load("nothing", "start")


@pytest.mark.parametrize("part", ["front", "body", "glossary", "back"])
@pytest.mark.parametrize(
    "text",
    [
        *("", "\n", "f\n", "100.1. A rule.\n", "1. A Section\n", "Example: One.\n", "-----\n"),
        *("?!\n\n", "Glossary\n", "     far in\n", "(Obsolete) Gone.\n", "\u00a0\n", "101.1z\n"),
    ],
)
def test_each_part_of_a_rulebook_takes_any_line(part, text):
    grammar = syntax.load("rulebook", "front", "body", "glossary", "back")
    tree, problems = grammar.parse(text, part)
    assert problems == ()
    assert tree.data == part
