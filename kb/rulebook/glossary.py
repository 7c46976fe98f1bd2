"""The glossary's tree → terms and their senses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kb.records import Block, Example, Paragraph, Problem, Sense, Term
from kb.rulebook.body import paragraph_of

if TYPE_CHECKING:
    from lark import Token, Tree

    from kb.source import Source

_OBSOLETE = re.compile(r"\s*\(obsolete\)\s*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.:;?][)\]\"”’']*$")
_LONGEST_TERM = 100
_LONGEST_UNSEPARATED = 8


@dataclass(slots=True)
class _Entry:
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
        marked = bool(_OBSOLETE.search(self.heading.text))
        name = _OBSOLETE.sub(" ", self.heading.text).strip()
        obsolete = marked or bool(self.senses) and all(sense.obsolete for sense in self.senses)
        return Term(self.heading, name, tuple(self.senses), tuple(self.examples), obsolete)


def read_glossary(
    tree: Tree[Token], offset: int, source: Source
) -> tuple[tuple[Term, ...], list[Block], list[Problem]]:
    """Read the terms; lines before the first term, and rulers, come back as blocks."""
    entries: list[_Entry] = []
    blocks: list[Block] = []
    problems: list[Problem] = []
    for child in tree.children:
        if child.data == "head":
            token = child.children[0]
            blocks.append(Block(str(child.data), paragraph_of(token, token, offset, token)))
            continue
        definitions = list(child.children)
        if child.data == "term":
            _begin(definitions.pop(0), offset, source, entries, problems)
        for definition in definitions:
            _define(definition, offset, source, entries, blocks, problems)
    return tuple(entry.term() for entry in entries), blocks, problems


def _begin(
    token: Token, offset: int, source: Source, entries: list[_Entry], problems: list[Problem]
) -> None:
    """Begin an entry, or go on with the last where a blank line stands inside it."""
    heading = paragraph_of(token, token, offset, token)
    if token.type == "GLUED_TERM":
        message = "no line end between a term and its first sense"
        problems.append(source.problem("glued", message, heading.span.end))
    is_sentence = len(heading.text) > _LONGEST_TERM or bool(_SENTENCE_END.search(heading.text))
    if is_sentence and entries:
        problems.append(
            source.problem("blank-line", "a blank line inside a glossary entry", heading.span.start)
        )
        entries[-1].add(heading, None, obsolete=False)
    else:
        entries.append(_Entry(heading))


def _define(
    tree: Tree[Token],
    offset: int,
    source: Source,
    entries: list[_Entry],
    blocks: list[Block],
    problems: list[Problem],
) -> None:
    first, last = tree.children[0], tree.children[-1]
    paragraph = paragraph_of(first, last, offset, last)
    if tree.data == "separator" or not entries:
        kind = "ruler" if tree.data == "separator" else "stray"
        blocks.append(Block(kind, paragraph))
        if kind == "stray":
            problems.append(
                source.problem(kind, "a line that belongs to no term", paragraph.span.start)
            )
        return
    entry = entries[-1]
    obsolete = any(token.type == "OBSOLETE" for token in tree.children)
    if tree.data == "illustration":
        entry.examples.append(Example((paragraph,)))
    elif tree.data == "sense":
        entry.add(paragraph, int(first.strip().rstrip(".")), obsolete=obsolete)
    elif _is_unseparated_term(paragraph.text, first, entry):
        problems.append(
            source.problem("blank-line", "no blank line before this term", paragraph.span.start)
        )
        entries.append(_Entry(paragraph))
    else:
        entry.add(paragraph, None, obsolete=obsolete)


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
