"""The glossary's tree → terms and their senses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kb.records import Block, Example, Paragraph, Problem, Sense, Term
from kb.rulebook.body import paragraph_of
from kb.syntax import branches, leaves

if TYPE_CHECKING:
    from lark import Token, Tree

    from kb.source import Source

_OBSOLETE = re.compile(r"\s*\(obsolete\)\s*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.:;?][)\]\"”’']*$")
_LONGEST_TERM = 100
_LONGEST_UNSEPARATED = 8


@dataclass(slots=True)
class _Entry:
    """A term that is being read."""

    heading: Paragraph
    senses: list[Sense] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)

    def add(self, paragraph: Paragraph, number: int | None, *, obsolete: bool) -> None:
        """Add a paragraph: a new sense if it is numbered or the first, else to the last one."""
        if number is not None or not self.senses:
            self.senses.append(Sense(number, (paragraph,), obsolete))
        else:
            last = self.senses[-1]
            self.senses[-1] = Sense(
                last.number, (*last.paragraphs, paragraph), last.obsolete or obsolete
            )

    def term(self) -> Term:
        """Return the term, its "(Obsolete)" mark read off heading or senses."""
        marked = bool(_OBSOLETE.search(self.heading.text))
        name = _OBSOLETE.sub(" ", self.heading.text).strip()
        all_senses = bool(self.senses) and all(sense.obsolete for sense in self.senses)
        senses, examples = tuple(self.senses), tuple(self.examples)
        return Term(self.heading, name, senses, examples, marked or all_senses)


class Glossary:
    """Reads the glossary's tree; afterwards holds its terms, and lines that are no term."""

    def __init__(self, tree: Tree[Token], offset: int, source: Source) -> None:
        """Read a tree whose tokens count from ``offset`` in the source's text."""
        self.blocks: list[Block] = []
        self.problems: list[Problem] = []
        self._entries: list[_Entry] = []
        self._offset = offset
        self._source = source
        for child in branches(tree):
            if child.data == "head":
                token = leaves(child)[0]
                self.blocks.append(Block("head", paragraph_of(token, token, offset)))
                continue
            for token in leaves(child):
                self._begin(token)
            for definition in branches(child):
                self._define(definition)
        self.terms = tuple(entry.term() for entry in self._entries)

    def _begin(self, token: Token) -> None:
        """Begin an entry, or go on with the last where a blank line stands inside it."""
        heading = paragraph_of(token, token, self._offset)
        if token.type == "GLUED_TERM":
            message = "no line end between a term and its first sense"
            self._report("glued", message, heading.span.end)
        is_long = len(heading.text) > _LONGEST_TERM
        if self._entries and (is_long or _SENTENCE_END.search(heading.text)):
            message = "a blank line inside a glossary entry"
            self._report("blank-line", message, heading.span.start)
            self._entries[-1].add(heading, None, obsolete=False)
        else:
            self._entries.append(_Entry(heading))

    def _define(self, tree: Tree[Token]) -> None:
        """Add a line to the last entry, as a sense, an example or a paragraph."""
        tokens = leaves(tree)
        paragraph = paragraph_of(tokens[0], tokens[-1], self._offset)
        if tree.data == "separator":
            self.blocks.append(Block("ruler", paragraph))
            return
        if not self._entries:
            self.blocks.append(Block("stray", paragraph))
            self._report("stray", "a line that belongs to no term", paragraph.span.start)
            return
        entry = self._entries[-1]
        obsolete = any(token.type == "OBSOLETE" for token in tokens)
        if tree.data == "illustration":
            entry.examples.append(Example((paragraph,)))
        elif tree.data == "sense":
            entry.add(paragraph, int(tokens[0].strip().rstrip(".")), obsolete=obsolete)
        elif _is_unseparated_term(paragraph.text, tokens[0], entry):
            self._report("blank-line", "no blank line before this term", paragraph.span.start)
            self._entries.append(_Entry(paragraph))
        else:
            entry.add(paragraph, None, obsolete=obsolete)

    def _report(self, kind: str, message: str, place: int) -> None:
        self.problems.append(self._source.problem(kind, message, place))


def _is_unseparated_term(text: str, token: Token, entry: _Entry) -> bool:
    """Tell a term whose blank line is missing from one more paragraph of the last entry."""
    return (
        bool(entry.senses)
        and not token[0].isspace()
        and text[0].isupper()
        and len(text.split()) <= _LONGEST_UNSEPARATED
        and not _SENTENCE_END.search(text)
        and not text.endswith("!")
        and bool(_SENTENCE_END.search(entry.senses[-1].text))
    )
