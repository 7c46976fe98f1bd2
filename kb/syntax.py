"""Text → Lark tree, by the grammars in ``grammar/``; Lark's errors → a Problem.

What holds afterwards: a tree's tokens carry offsets in the text that was parsed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from lark import Lark, Token, Tree, UnexpectedInput

from kb import resources
from kb.errors import ShippedFileError
from kb.records import Problem

if TYPE_CHECKING:
    from lark.lexer import Lexer


@dataclass(frozen=True, slots=True)
class Grammar:
    """A loaded grammar."""

    name: str
    lark: Lark

    def parse(self, text: str, start: str) -> tuple[Tree[Token] | None, tuple[Problem, ...]]:
        """Parse a text from a start symbol.

        Returns:
            The tree, or None and the problem that stopped the parser.
        """
        try:
            return self.lark.parse(text, start=start), ()
        except UnexpectedInput as error:
            return None, (problem_of(error, text),)

    def pattern(self, terminal: str) -> str:
        """Return the regular expression of a terminal, to find where a parse may begin."""
        return self.lark.get_terminal(terminal).pattern.to_regexp()


@cache
def load(name: str, *starts: str, lexer: type[Lexer] | None = None) -> Grammar:
    """Load ``grammar/NAME.lark`` for LALR parsing.

    Raises:
        ShippedFileError: the file is missing or is no grammar.
    """
    path = resources.path(f"grammar/{name}.lark")
    try:
        lark = Lark.open(
            str(path),
            parser="lalr",
            lexer=lexer or "contextual",
            start=list(starts),
            maybe_placeholders=False,
        )
    except Exception as error:  # Lark raises several kinds for a bad grammar; ours is at fault
        raise ShippedFileError(
            "mtgkb's own grammar is broken", where=str(path), why=str(error)[:500]
        ) from error
    return Grammar(name, lark)


def leaves(tree: Tree[Token]) -> list[Token]:
    """Return the tokens that stand directly under a tree."""
    return [child for child in tree.children if isinstance(child, Token)]


def branches(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return the trees that stand directly under a tree."""
    return [child for child in tree.children if isinstance(child, Tree)]


def tokens_of(tree: Tree[Token], *types: str) -> list[Token]:
    """Return all tokens of a tree, or those of some types, in the order of the text."""
    return list(tree.scan_values(lambda t: isinstance(t, Token) and (not types or t.type in types)))


def start_of(token: Token) -> int:
    """Return the offset of a token's first character in the text that was parsed."""
    assert token.start_pos is not None, "every token of ours is read off a text"
    return token.start_pos


def end_of(token: Token) -> int:
    """Return the offset behind a token's last character."""
    return start_of(token) + len(token)


def problem_of(error: UnexpectedInput, text: str) -> Problem:
    """Return Lark's error as a problem with line, column and the line's text."""
    line = getattr(error, "line", 0) or 0
    column = getattr(error, "column", 0) or 0
    lines = text.split("\n")
    excerpt = lines[line - 1] if 0 < line <= len(lines) else ""
    return Problem("syntax", "unexpected text here", line, column, excerpt[:160])


def caret(problem: Problem) -> str:
    """Return the problem's line with a caret under its column."""
    return f"{problem.excerpt}\n{' ' * max(0, problem.column - 1)}^"
