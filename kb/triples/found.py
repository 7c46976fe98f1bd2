"""Citations, statements and problems → quads, with their short-cut edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Quad

from kb.citations import folded_title
from kb.statements import sentences
from kb.vocab import C, P

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.records import Citation, Place, Span, Statement
    from kb.triples.writer import ReleaseWriter, Value


def citation_quads(
    w: ReleaseWriter, citations: tuple[tuple[Place, Citation], ...]
) -> Iterator[Quad]:
    """Yield the quads of citations, each with the sentence that it stands in."""
    ordinals: dict[NamedNode, int] = {}
    cut: dict[Place, tuple[Span, ...]] = {}
    for position, (place, citation) in enumerate(citations):
        owner = w.mint.place(place)
        ordinals[owner] = ordinals.get(owner, 0) + 1
        node = w.mint.below(owner, "citation", ordinals[owner])
        example = w.mint.below(owner, "example", place.example)
        text = w.texts[place]
        if place not in cut:
            cut[place] = sentences(text)
        at = citation.span.start
        quote = next((s.of(text) for s in cut[place] if s.start <= at < s.end), None)
        yield from w.quads(
            node,
            (P.TYPE, C.CITATION),
            (P.CITED_IN, owner),
            (P.IN_EXAMPLE, example if place.example else None),
            (P.TEXT, citation.text),
            (P.FORM, citation.form),
            (P.QUOTED_TITLE, citation.title),
            (P.TITLE_KEY, folded_title(citation.title) if citation.title else None),
            (P.START, citation.span.start),
            (P.END, citation.span.end),
            (P.QUOTE, quote),
            (P.POSITION, position),
        )
        for number in citation.numbers:
            target = w.targets.get(number)
            yield from w.quads(node, (P.CITED_NUMBER, number), (P.CITES, target))
            if target is not None:
                yield from w.quads(owner, (P.REFERENCES, target))


def statement_quads(
    w: ReleaseWriter, statements: tuple[tuple[Place, Statement], ...]
) -> Iterator[Quad]:
    """Yield the quads of statements, and the short-cut edge of each kind that has one."""
    ordinals: dict[NamedNode, int] = {}
    for position, (place, statement) in enumerate(statements):
        owner = w.mint.place(place)
        ordinals[owner] = ordinals.get(owner, 0) + 1
        node = w.mint.below(owner, "statement", ordinals[owner])
        subject, value = _ends(w, statement)
        yield from w.quads(node, *described(statement), (P.SUBJECT, subject), (P.VALUE, value))
        yield from w.quads(
            node,
            (P.ABOUT, w.term_of(statement.subject) if isinstance(subject, Literal) else None),
            (P.QUOTED_FROM, owner),
            (P.POSITION, position),
        )
        shortcut = _SHORTCUTS.get(statement.kind)
        is_edge = isinstance(value, NamedNode) or shortcut is P.ONLY_CARD
        if shortcut is not None and isinstance(subject, NamedNode) and is_edge:
            yield from w.quads(subject, (shortcut, value))
        if statement.kind == "alias" and statement.value in w.terms:
            concept = w.mint.concept(w.terms[statement.value].value.rpartition("/")[2])
            yield from w.quads(concept, (P.ALT_LABEL, statement.subject))


_SHORTCUTS = {
    "exception": P.EXCEPTION_TO,
    "single-card": P.ONLY_CARD,
    "replaced-by": P.REPLACED_BY,
}
# Whose value is a rule or term where the release has it; all other values are words.
_NAMES_AN_ENTITY = ("exception", "exception-list", "replaced-by", "alias", "follows")
# Whose subject is a term by its name as printed.
_OF_A_TERM = ("replaced-by", "alias", "kind")


def described(statement: Statement) -> tuple[tuple[P, Value | C], ...]:
    """Return what is written of every statement, in a release or on a ruling."""
    return (
        (P.TYPE, C.STATEMENT),
        (P.KIND, statement.kind),
        (P.SCOPE, statement.scope or None),
        (P.CUE, statement.cue),
        (P.QUOTE, statement.quote),
        (P.START, statement.span.start),
        (P.END, statement.span.end),
    )


def _ends(
    w: ReleaseWriter, statement: Statement
) -> tuple[NamedNode | Literal, NamedNode | Literal]:
    """Return a statement's subject and value: a rule or term where it names one, else words."""
    subject = w.targets.get(statement.subject) if statement.subject[:1].isdecimal() else None
    if statement.kind in _OF_A_TERM:
        subject = w.terms.get(statement.subject)
    value = _entity(w, statement.value) if statement.kind in _NAMES_AN_ENTITY else None
    return subject or Literal(statement.subject), value or Literal(statement.value)


def _entity(w: ReleaseWriter, name: str) -> NamedNode | Literal:
    """Return the rule or term that a statement names, or its words where there is none."""
    return w.targets.get(name) or w.terms.get(name) or Literal(name)


def problem_quads(w: ReleaseWriter) -> Iterator[Quad]:
    """Yield the quads of the problems that were found as the release was read."""
    for position, problem in enumerate(w.reading.problems):
        yield from w.quads(
            w.mint.within(f"problem/{position + 1}"),
            (P.TYPE, C.PROBLEM),
            (P.KIND, problem.kind),
            (P.MESSAGE, problem.message),
            (P.LINE, problem.line),
            (P.COLUMN, problem.column),
            (P.EXCERPT, problem.excerpt),
            (P.POSITION, position),
            (P.PART_OF, w.mint.release),
        )
