"""A release's text → a Rulebook and its problems.

What holds afterwards: each non-blank line of the source lies in exactly one record or block;
a record's spans are offsets in the source's text; records stand in the order of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lark import Tree

from kb import syntax
from kb.records import Block, Paragraph, Problem, Rulebook, Span
from kb.rulebook.audit import audit
from kb.rulebook.body import Body
from kb.rulebook.glossary import Glossary
from kb.rulebook.layout import divide, unwrap
from kb.rulebook.release import identify_release
from kb.syntax import end_of, leaves, start_of

if TYPE_CHECKING:
    from datetime import date

    from lark import Token

    from kb.source import Source


def read_rulebook(
    source: Source, *, effective: date | None = None
) -> tuple[Rulebook, tuple[Problem, ...]]:
    """Read a release.

    Args:
        source: the decoded file.
        effective: the date to use where the text states none.

    Returns:
        The rulebook, and every slip and fault found, in the order of the text. A problem
        that is ``fatal`` means that the text is truncated or is no rulebook.
    """
    parts = divide(source.canvas)
    canvas = unwrap(source.canvas, parts)
    front = _blocks(_parse(canvas, parts.front, "front"), parts.front, canvas)
    back = _blocks(_parse(canvas, parts.back, "back"), parts.back, canvas)
    body = Body(_parse(canvas, parts.body, "body"), parts.body.start, source)
    glossary = Glossary(_parse(canvas, parts.glossary, "glossary"), parts.glossary.start, source)
    blocks = (*front, *body.blocks, *glossary.blocks, *back)
    release, release_problems = identify_release(source, blocks, effective)
    rulebook = Rulebook(release, body.sections, body.rules, glossary.terms, blocks)
    problems = [
        *source.problems,
        *release_problems,
        *body.problems,
        *glossary.problems,
        *audit(rulebook, source, parts),
    ]
    return rulebook, tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))


def _parse(canvas: str, part: Span, start: str) -> Tree[Token]:
    text = part.of(canvas)
    if text and not text.endswith("\n"):
        text += "\n"
    tree, problems = syntax.load("rulebook", "front", "body", "glossary", "back").parse(text, start)
    if tree is None:
        # The grammar takes any sequence of lines; a refusal is a fault of the grammar.
        raise AssertionError(f"rulebook.lark refused a line of the {start}: {problems[0]}")
    return tree


def _blocks(tree: Tree[Token], part: Span, canvas: str) -> list[Block]:
    """Return each line of front or back matter as a block."""
    blocks = []
    for child in tree.children:
        tokens = leaves(child) if isinstance(child, Tree) else [child]
        kind = child.data if isinstance(child, Tree) else child.type.lower()
        start = start_of(tokens[0]) + part.start
        end = min(end_of(tokens[-1]) + part.start, part.end)
        raw = canvas[start:end]
        span = Span(start + len(raw) - len(raw.lstrip()), start + len(raw.rstrip()))
        blocks.append(Block(str(kind), Paragraph(" ".join(raw.split()), span)))
    return blocks
