"""The body's tree → sections and rules, with the slips of their numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kb.records import Block, Example, Paragraph, Problem, Rule, RuleNumber, Section, Span

if TYPE_CHECKING:
    from lark import Token, Tree

    from kb.source import Source

_SENTENCE_END = re.compile(r"[.:;,?][)\]\"”’']*$")
_LONGEST_TITLE = 9
_SHORTEST_PARAGRAPH = 3


@dataclass(slots=True)
class Body:
    """What the body holds, in the order of the text."""

    sections: tuple[Section, ...] = ()
    rules: tuple[Rule, ...] = ()
    blocks: list[Block] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def paragraph_of(first: Token, last: Token, offset: int, text: str) -> Paragraph:
    """Return the paragraph from a token that begins it to the one that holds its text."""
    start = first.start_pos + len(first) - len(first.lstrip()) + offset
    end = last.start_pos + offset + len(last.rstrip())
    return Paragraph(" ".join(text.split()), Span(start, max(start, end)))


def read_body(tree: Tree[Token], offset: int, source: Source) -> Body:
    """Read sections, chapters, rules and subrules off the body's tree."""
    body = Body()
    sections: list[Section] = []
    rules: list[Rule] = []
    for child in tree.children:
        kind = str(child.data)
        if kind in ("ruler", "continuation", "example"):
            _block(child, "stray", offset, body, source)
        elif kind == "section":
            number, text, *tail = child.children
            paragraph = paragraph_of(number, text, offset, text)
            sections.append(Section(int(number.strip()[0]), paragraph.text, paragraph))
            _tail(tail, [paragraph], [], offset, body, source)
        else:
            rules.append(_rule(child, offset, body, source))
    body.sections = tuple(sections)
    body.rules = tuple(_titled(rules))
    return body


def _rule(tree: Tree[Token], offset: int, body: Body, source: Source) -> Rule:
    number_token, text, *tail = tree.children
    written = "".join(number_token.split())
    number = RuleNumber.parse(written.rstrip("."))
    _slips(number, number_token, text, offset, body, source)
    paragraphs = [paragraph_of(number_token, text, offset, text)]
    examples: list[Example] = []
    _tail(tail, paragraphs, examples, offset, body, source)
    title = paragraphs[0].text if number.kind == "chapter" else None
    return Rule(number, tuple(paragraphs), tuple(examples), title)


def _tail(
    tail: list[Tree[Token]],
    paragraphs: list[Paragraph],
    examples: list[Example],
    offset: int,
    body: Body,
    source: Source,
) -> None:
    """Give each example and continuation below a number to its rule."""
    for child in tail:
        if child.data == "ruler":
            _block(child, "ruler", offset, body, source)
        elif child.data == "example":
            word, text = child.children
            examples.append(Example((paragraph_of(word, text, offset, text),)))
        else:
            line = child.children[0]
            paragraph = paragraph_of(line, line, offset, line)
            if len(paragraph.text.split()) < _SHORTEST_PARAGRAPH and not _SENTENCE_END.search(
                paragraph.text
            ):
                _block(child, "stray", offset, body, source)
                continue
            if not line[0].isspace():
                body.problems.append(
                    source.problem("unnumbered", "a paragraph without number", paragraph.span.start)
                )
            if examples and line[0].isspace():
                examples[-1] = Example((*examples[-1].paragraphs, paragraph))
            else:
                paragraphs.append(paragraph)


def _block(tree: Tree[Token], kind: str, offset: int, body: Body, source: Source) -> None:
    first, last = tree.children[0], tree.children[-1]
    text = " ".join(str(token) for token in tree.children)
    paragraph = paragraph_of(first, last, offset, text)
    body.blocks.append(Block(kind, paragraph))
    if kind == "stray":
        body.problems.append(
            source.problem("stray", "a line that belongs to no rule", paragraph.span.start)
        )


def _slips(
    number: RuleNumber, token: Token, text: Token, offset: int, body: Body, source: Source
) -> None:
    """Report where a number is not written as the rulebook writes numbers."""
    written = token.strip()
    place = token.start_pos + len(token) - len(token.lstrip()) + offset
    found = []
    if any(character.isspace() for character in written):
        found.append(("space-in-number", f"a space inside the number {number}"))
    if number.kind == "subrule" and written.endswith("."):
        found.append(("extra-dot", f"a dot after the letter of {number}"))
    if number.kind == "rule" and not written.endswith("."):
        found.append(("missing-dot", f"no dot after the number {number}"))
    if text.strip() and not text[0].isspace():
        found.append(("glued", f"no space after the number {number}"))
    if not text.strip():
        found.append(("no-text", f"rule {number} has no text"))
    body.problems += [source.problem(kind, message, place) for kind, message in found]


def _titled(rules: list[Rule]) -> list[Rule]:
    """Give a title to each rule that is only a heading over its subrules."""
    titled = []
    for i, rule in enumerate(rules):
        below = rules[i + 1].number if i + 1 < len(rules) else None
        is_heading = (
            rule.number.kind == "rule"
            and below is not None
            and below.parent == rule.number
            and 0 < len(rule.text.split()) <= _LONGEST_TITLE
            and not _SENTENCE_END.search(rule.text)
        )
        titled.append(replace(rule, title=rule.text) if is_heading else rule)
    return titled
