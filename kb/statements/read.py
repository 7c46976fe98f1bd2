"""Sentences → statements, by the forms of ``grammar/statement.lark``.

Each statement keeps the sentence that says it, to the letter, with its span. What a
sentence announces for the subrules below it is stated of the list's head; the questions
join the items.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from kb import syntax
from kb.citations import find_citations
from kb.records import Span, Statement
from kb.statements.sentences import sentences
from kb.syntax import branches, end_of, leaves, start_of, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token, Tree

    from kb.records import Rule, Term
    from kb.statements.lexicon import Lexicon

_FAMILIES = {
    "exception": (
        "LIST_FOLLOWS",
        "WITH_EXCEPTIONS",
        "ONLY_EXCEPTION",
        "IS_EXCEPTION",
        "AS_SPECIFIED",
        "IGNORE_THIS",
        "EXEMPT_FROM_THIS",
        "EXEMPT_FROM",
    ),
    "single_card": ("ONE_CARD",),
    "replacement": ("SAYS", "TERM_FOR", "ARE_NOW", "RENAMED", "MEANT", "SEE"),
    "kind": ("KIND_OF",),
    "alias": ("SEE",),
}
_RULE_FAMILIES = ("exception", "single_card")
_REPLACEMENT_FORMS = ("see", "says", "term_for", "are_now", "renamed", "meant")
_REF, _THIS_RULE, _HEADING = "\ue000", "\ue001", "\ue002"


@dataclass(frozen=True, slots=True)
class _Masked:
    """A sentence with what it names masked, and what each masked spot names."""

    quote: str
    span: Span
    text: str
    names: dict[int, tuple[str, ...]]
    titles: tuple[str, ...] = ()


def read_rule_statements(rule: Rule, lexicon: Lexicon) -> tuple[Statement, ...]:
    """Return the statements of a rule's own sentences (its examples state nothing)."""
    number = str(rule.number)
    found: list[Statement] = []
    for sentence in _masked_sentences(rule.text, lexicon, number):
        for family in _RULE_FAMILIES:
            tree = _parse(sentence, family)
            if tree is not None:
                found += _rule_statements(tree, sentence, number)
    return tuple(found)


def read_term_statements(term: Term, lexicon: Lexicon) -> tuple[Statement, ...]:
    """Return what a glossary entry says of its term as a whole: an alias, a kind, a replacement."""
    text = term.text
    spans = list(_masked_sentences(text, lexicon, ""))
    if len(spans) == 1 and not term.obsolete:
        tree = _parse(spans[0], "alias")
        if tree is not None:
            cue, target = leaves(tree)
            phrase = _words(target, spans[0]).rstrip(". ")
            name = lexicon.term(phrase) or phrase
            return (_statement("alias", term.name, name, cue, spans[0]),)
    if not term.obsolete:
        return tuple(_kinds(term, spans))
    trees = [(tree, s) for s in spans if (tree := _parse(s, "replacement")) is not None]
    for form in _REPLACEMENT_FORMS:
        for tree, sentence in trees:
            if tree.data == form and (value := _replacement(tree, sentence, text, lexicon)):
                return (_statement("replaced-by", term.name, value, leaves(tree)[0], sentence),)
    return ()


def _kinds(term: Term, spans: list[_Masked]) -> Iterator[Statement]:
    """Yield what kind of thing the entry, by its first sentence, says that the term is."""
    for sentence in spans[:1]:
        tree = _parse(sentence, "kind")
        if tree is not None:
            cue = leaves(tree)[0]
            yield _statement("kind", term.name, cue.partition(" ")[2], cue, sentence)


def _masked_sentences(text: str, lexicon: Lexicon, number: str) -> Iterator[_Masked]:
    citations = find_citations(text)
    for span in sentences(text):
        masked = list(span.of(text))
        names: dict[int, tuple[str, ...]] = {}
        titles = []
        for citation in citations:
            if span.start <= citation.span.start < span.end:
                start = citation.span.start - span.start
                end = min(citation.span.end, span.end) - span.start
                is_self = citation.form == "self"
                masked[start:end] = (_THIS_RULE if is_self else _REF) * (end - start)
                names[start] = (number,) if is_self else citation.numbers
                titles += [citation.title] if citation.title else []
        for start, end, chapter in lexicon.heading_spans("".join(masked)):
            masked[start:end] = _HEADING * (end - start)
            names[start] = (chapter,)
        yield _Masked(span.of(text), span, "".join(masked), names, tuple(titles))


@cache
def _grammar() -> syntax.Grammar:
    return syntax.load("statement", *_FAMILIES)


@cache
def _cues(family: str) -> re.Pattern[str]:
    return re.compile("|".join(_grammar().pattern(terminal) for terminal in _FAMILIES[family]))


def _parse(sentence: _Masked, family: str) -> Tree[Token] | None:
    if not _cues(family).search(sentence.text):
        return None
    tree, _ = _grammar().parse(sentence.text, family)
    return tree


def _statement(kind: str, subject: str, value: str, cue: Token, sentence: _Masked) -> Statement:
    words = " ".join(str(cue).replace(_THIS_RULE, " this rule ").split())
    words = re.sub("(?:this rule ?){2,}", "this rule ", words).strip().lower()
    return Statement(kind, subject, value, words, sentence.quote, sentence.span)


def _words(token: Token, sentence: _Masked) -> str:
    """Return a token's words as the sentence has them, unmasked."""
    return sentence.quote[start_of(token) : end_of(token)].strip()


def _named(tree: Tree[Token], sentence: _Masked, *types: str) -> list[str]:
    """Return the numbers that a part of a sentence names, each once, in order."""
    tokens = tokens_of(tree, *types)
    return list(dict.fromkeys(n for token in tokens for n in sentence.names[start_of(token)]))


def _rule_statements(tree: Tree[Token], sentence: _Masked, number: str) -> Iterator[Statement]:
    """Yield what a sentence of a rule states; ``number`` is that rule's."""
    cue, *operands = leaves(tree)
    before, after = branches(tree)
    form = str(tree.data)
    if form == "one_card":
        yield _statement("single-card", number, operands[0].strip(" ,()"), cue, sentence)
    elif form == "list_follows":
        yield _statement("exception-list", number, number, cue, sentence)
    elif form == "with_exceptions":
        generals = _named(before, sentence, "REF")
        for general in generals:
            yield _statement("exception", number, general, cue, sentence)
        for general in generals or [number]:
            yield _statement("exception-list", number, general, cue, sentence)
    elif form in ("is_exception", "exempt_from"):
        is_first = form == "is_exception"
        generals = (
            _first_list(after, sentence) if is_first else _named(after, sentence, "REF", "HEADING")
        )
        for general in generals:
            yield _statement("exception", number, general, cue, sentence)
    else:
        for exception in _named(after, sentence, "REF"):
            yield _statement("exception", exception, number, cue, sentence)


def _first_list(after: Tree[Token], sentence: _Masked) -> list[str]:
    """Return the numbers of the first list after a cue: what a later clause cites is left out."""
    numbers: list[str] = []
    last_end = None
    for token in tokens_of(after, "REF"):
        if last_end is not None and re.search(
            r"[a-z]{4}|[.;(]", sentence.text[last_end : start_of(token)]
        ):
            break
        numbers += sentence.names[start_of(token)]
        last_end = end_of(token)
    return list(dict.fromkeys(numbers))


def _replacement(tree: Tree[Token], sentence: _Masked, text: str, lexicon: Lexicon) -> str | None:
    """Return what a sentence of an obsolete term's entry puts in the term's place."""
    form = str(tree.data)
    if form == "renamed":
        titles = [c.title for c in find_citations(text) if c.title]
        return (lexicon.term(titles[0]) or titles[0]) if titles else None
    operand = _words(leaves(tree)[1], sentence)
    if form == "meant":
        words = operand.strip('“”"').rstrip(".,")
        return words if words[:1].islower() else None  # an ability's own text is no other name
    leading = lexicon.leading_term(operand.strip('“”"'))
    if leading is None:
        words = operand.strip('“”"').rstrip(".,")
        return words if form == "says" and words[:1].islower() else None
    written, name = leading
    return written if form == "term_for" else name
