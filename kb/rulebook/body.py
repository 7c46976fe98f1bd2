"""The body's tree → sections and rules, with the slips of their numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from kb.records import Block, Example, Paragraph, Problem, Rule, RuleNumber, Section, Span
from kb.syntax import branches, end_of, leaves, start_of

if TYPE_CHECKING:
    from lark import Token, Tree

    from kb.source import Source

_SENTENCE_END = re.compile(r"[.:;,?][)\]\"”’']*$")
_LONGEST_TITLE = 9
_SHORTEST_PARAGRAPH = 3


def paragraph_of(first: Token, last: Token, offset: int) -> Paragraph:
    """Return the paragraph from a token that begins it to the one that holds its text."""
    start = start_of(first) + len(first) - len(first.lstrip()) + offset
    end = start_of(last) + offset + len(last.rstrip())
    return Paragraph(" ".join(last.split()), Span(start, max(start, end)))


class Body:
    """Reads the body's tree; afterwards holds what is in it, in the order of the text."""

    def __init__(self, tree: Tree[Token], offset: int, source: Source) -> None:
        """Read a tree whose tokens count from ``offset`` in the source's text."""
        self.blocks: list[Block] = []
        self.problems: list[Problem] = []
        self._offset = offset
        self._source = source
        sections: list[Section] = []
        rules: list[Rule] = []
        for child in branches(tree):
            if child.data in ("ruler", "continuation", "example"):
                self._block(child, "stray")
            elif child.data == "section":
                sections.append(self._section(child))
            else:
                rules.append(self._rule(child))
        self.sections = tuple(sections)
        self.rules = tuple(_titled(rules))

    def _section(self, tree: Tree[Token]) -> Section:
        number, text = leaves(tree)
        paragraph = paragraph_of(number, text, self._offset)
        for child in branches(tree):
            self._block(child, "ruler" if child.data == "ruler" else "stray")
        return Section(int(number.strip()[0]), paragraph.text, paragraph)

    def _rule(self, tree: Tree[Token]) -> Rule:
        token, text = leaves(tree)
        number = RuleNumber.parse("".join(token.split()).rstrip("."))
        self._slips(number, token, text)
        paragraphs = [paragraph_of(token, text, self._offset)]
        examples: list[Example] = []
        self._tail(tree, paragraphs, examples)
        title = paragraphs[0].text if number.kind == "chapter" else None
        return Rule(number, tuple(paragraphs), tuple(examples), title)

    def _tail(
        self, tree: Tree[Token], paragraphs: list[Paragraph], examples: list[Example]
    ) -> None:
        """Give each example and continuation below a number to its rule."""
        for child in branches(tree):
            if child.data == "ruler":
                self._block(child, "ruler")
            elif child.data == "example":
                word, text = leaves(child)
                examples.append(Example((paragraph_of(word, text, self._offset),)))
            else:
                self._continue(child, paragraphs, examples)

    def _continue(
        self, tree: Tree[Token], paragraphs: list[Paragraph], examples: list[Example]
    ) -> None:
        """Add a paragraph without number to what it goes on with, or call it a stray."""
        line = leaves(tree)[0]
        paragraph = paragraph_of(line, line, self._offset)
        is_short = len(paragraph.text.split()) < _SHORTEST_PARAGRAPH
        if is_short and not _SENTENCE_END.search(paragraph.text):
            self._block(tree, "stray")
            return
        if not line[0].isspace():
            self._report("unnumbered", "a paragraph without number", paragraph.span.start)
        if examples and line[0].isspace():
            examples[-1] = Example((*examples[-1].paragraphs, paragraph))
        else:
            paragraphs.append(paragraph)

    def _block(self, tree: Tree[Token], kind: str) -> None:
        tokens = leaves(tree)
        paragraph = paragraph_of(tokens[0], tokens[-1], self._offset)
        self.blocks.append(Block(kind, paragraph))
        if kind == "stray":
            self._report("stray", "a line that belongs to no rule", paragraph.span.start)

    def _slips(self, number: RuleNumber, token: Token, text: Token) -> None:
        """Report where a number is not written as the rulebook writes numbers."""
        written = token.strip()
        place = end_of(token) - len(token.lstrip()) + self._offset
        if any(character.isspace() for character in written):
            self._report("space-in-number", f"a space inside the number {number}", place)
        if number.kind == "subrule" and written.endswith("."):
            self._report("extra-dot", f"a dot after the letter of {number}", place)
        if number.kind == "rule" and not written.endswith("."):
            self._report("missing-dot", f"no dot after the number {number}", place)
        if not text.strip():
            self._report("no-text", f"rule {number} has no text", place)
        elif not text[0].isspace():
            self._report("glued", f"no space after the number {number}", place)

    def _report(self, kind: str, message: str, place: int) -> None:
        self.problems.append(self._source.problem(kind, message, place))


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
