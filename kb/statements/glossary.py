"""What a glossary entry says of its term as a whole: an alias, a kind, a replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.citations import find_citations
from kb.statements.forms import parse, stated
from kb.statements.masked import masked_sentences
from kb.syntax import leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token, Tree

    from kb.records import Statement, Term
    from kb.statements.lexicon import Lexicon
    from kb.statements.masked import Masked

_REPLACEMENT_FORMS = ("see", "says", "term_for", "are_now", "renamed", "meant")


def read_term_statements(term: Term, lexicon: Lexicon) -> tuple[Statement, ...]:
    """Return what a glossary entry says of its term as a whole."""
    text = term.text
    spans = list(masked_sentences(text, lexicon, ""))
    if len(spans) == 1 and not term.obsolete:
        tree = parse(spans[0], "alias")
        if tree is not None:
            cue, target = leaves(tree)
            phrase = spans[0].words(target).rstrip(". ")
            name = lexicon.term(phrase) or phrase
            return (stated("alias", term.name, name, cue, spans[0]),)
    if not term.obsolete:
        return tuple(_kinds(term, spans))
    trees = [(tree, s) for s in spans if (tree := parse(s, "replacement")) is not None]
    for form in _REPLACEMENT_FORMS:
        for tree, sentence in trees:
            if tree.data == form and (value := _replacement(tree, sentence, text, lexicon)):
                return (stated("replaced-by", term.name, value, leaves(tree)[0], sentence),)
    return ()


def _kinds(term: Term, spans: list[Masked]) -> Iterator[Statement]:
    """Yield what kind of thing the entry, by its first sentence, says that the term is."""
    for sentence in spans[:1]:
        tree = parse(sentence, "kind")
        if tree is not None:
            cue = leaves(tree)[0]
            yield stated("kind", term.name, cue.partition(" ")[2], cue, sentence)


def _replacement(tree: Tree[Token], sentence: Masked, text: str, lexicon: Lexicon) -> str | None:
    """Return what a sentence of an obsolete term's entry puts in the term's place."""
    form = str(tree.data)
    if form == "renamed":
        titles = [c.title for c in find_citations(text) if c.title]
        return (lexicon.term(titles[0]) or titles[0]) if titles else None
    operand = sentence.words(leaves(tree)[1])
    if form == "meant":
        words = operand.strip('“”"').rstrip(".,")
        return words if words[:1].islower() else None  # an ability's own text is no other name
    leading = lexicon.leading_term(operand.strip('“”"'))
    if leading is None:
        words = operand.strip('“”"').rstrip(".,")
        return words if form == "says" and words[:1].islower() else None
    written, name = leading
    return written if form == "term_for" else name
