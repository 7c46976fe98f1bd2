"""A Reading → the quads of its release's graph, in the order of the text.

Every record has a position, so that the order of the text is in the graph; what ``read``
needs to give the same records back is written and nothing else, beside the short-cut edges
(dcterms:references, mtg:exceptionTo and the like) and the sentence that a citation is in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from kb.citations import folded_title
from kb.records import Place
from kb.statements import sentences
from kb.vocab import BASE, C, Minter, P, keys, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.records import (
        Citation,
        Example,
        Paragraph,
        Reading,
        Release,
        Rule,
        Rulebook,
        Sense,
        Statement,
        Term,
    )

Value = NamedNode | Literal | str | int | bool | None
_XSD_DATE = NamedNode("http://www.w3.org/2001/XMLSchema#date")


class _Writer:
    """Turns (subject, property, value) into quads of one graph."""

    def __init__(self, reading: Reading, base: str) -> None:
        self.reading = reading
        self.book: Rulebook = reading.rulebook
        self.mint = Minter(self.book.release.name, base)
        self.graph = self.mint.release
        self.rule_keys = list(keys(str(rule.number) for rule in self.book.rules))
        self.term_keys = list(keys(slug(term.name) for term in self.book.terms))
        self.targets = {
            **{str(section.number): self.section(section.number) for section in self.book.sections},
            **{key: self.mint.rule(key) for key in self.rule_keys},
        }
        self.terms = {
            term.name: self.mint.term(key)
            for term, key in zip(self.book.terms, self.term_keys, strict=True)
        }
        self.texts: dict[Place, str] = {}

    def section(self, number: int) -> NamedNode:
        return self.mint.within(f"section/{number}")

    def quads(self, subject: NamedNode, *pairs: tuple[P, Value | C]) -> Iterator[Quad]:
        for prop, value in pairs:
            if value is not None:
                yield Quad(subject, prop.node, _object(value), self.graph)


def _object(value: Value | C) -> NamedNode | Literal | BlankNode:
    if isinstance(value, C):
        return value.node
    if isinstance(value, NamedNode | Literal):
        return value
    return Literal(value)  # type: ignore[arg-type]


def reading_quads(reading: Reading, base: str = BASE) -> Iterator[Quad]:
    """Yield the quads of a release's graph."""
    writer = _Writer(reading, base)
    yield from _release(writer, reading.rulebook.release)
    yield from _sections(writer)
    for position, (rule, key) in enumerate(
        zip(reading.rulebook.rules, writer.rule_keys, strict=True)
    ):
        yield from _rule(writer, rule, key, position)
    for position, (term, key) in enumerate(
        zip(reading.rulebook.terms, writer.term_keys, strict=True)
    ):
        yield from _term(writer, term, key, position)
    yield from _blocks(writer)
    yield from _citations(writer, reading.citations)
    yield from _statements(writer, reading.statements)
    yield from _problems(writer)


def _release(w: _Writer, release: Release) -> Iterator[Quad]:
    yield from w.quads(
        w.mint.release,
        (P.TYPE, C.RELEASE),
        (P.NAME, release.name),
        (P.EFFECTIVE, Literal(release.effective.isoformat(), datatype=_XSD_DATE)),
        (P.EDITION, release.edition),
        (P.OFFICIAL, release.edition == "official"),
        (P.VARIANT, release.variant),
        (P.SHA256, release.sha256),
        (P.ENCODING, release.encoding),
        (P.TITLE, release.title),
    )
    yield from w.quads(w.mint.scheme, (P.TYPE, C.CONCEPT_SCHEME))


def _spans(paragraphs: Iterable[Paragraph]) -> str:
    return " ".join(f"{p.span.start}-{p.span.end}" for p in paragraphs)


def _sections(w: _Writer) -> Iterator[Quad]:
    keyed = zip(w.book.sections, keys(str(s.number) for s in w.book.sections), strict=True)
    for position, (section, key) in enumerate(keyed):
        yield from w.quads(
            w.mint.within(f"section/{key}"),
            (P.TYPE, C.SECTION),
            (P.NUMBER, str(section.number)),
            (P.LABEL, str(section.number)),
            (P.TITLE, section.title),
            (P.TITLE_KEY, folded_title(section.title)),
            (P.SPANS, _spans([section.paragraph])),
            (P.POSITION, position),
            (P.PART_OF, w.mint.release),
        )


def _parent(w: _Writer, rule: Rule) -> NamedNode:
    """Return what a rule is part of: the nearest thing above it that the release has."""
    above = rule.number.parent
    while above is not None:
        if str(above) in w.targets:
            return w.targets[str(above)]
        above = above.parent
    return w.targets.get(str(rule.number.section), w.mint.release)


def _rule(w: _Writer, rule: Rule, key: str, position: int) -> Iterator[Quad]:
    node = w.mint.rule(key)
    w.texts[Place("rule", key)] = rule.text
    yield from w.quads(
        node,
        (P.TYPE, C.RULE),
        (P.NUMBER, str(rule.number)),
        (P.LABEL, str(rule.number)),
        (P.LEVEL, rule.number.kind),
        (P.TITLE, rule.title),
        (P.TITLE_KEY, folded_title(rule.title) if rule.title else None),
        (P.TEXT, rule.text),
        (P.SPANS, _spans(rule.paragraphs)),
        (P.POSITION, position),
        (P.PART_OF, _parent(w, rule)),
    )
    yield from _examples(w, node, rule.examples, Place("rule", key))


def _examples(
    w: _Writer, node: NamedNode, examples: tuple[Example, ...], place: Place
) -> Iterator[Quad]:
    for ordinal, example in enumerate(examples, 1):
        w.texts[Place(place.kind, place.name, ordinal)] = example.text
        yield from w.quads(
            w.mint.below(node, "example", ordinal),
            (P.TYPE, C.EXAMPLE),
            (P.TEXT, example.text),
            (P.SPANS, _spans(example.paragraphs)),
            (P.POSITION, ordinal),
            (P.PART_OF, node),
        )


def _term(w: _Writer, term: Term, key: str, position: int) -> Iterator[Quad]:
    node, concept = w.mint.term(key), w.mint.concept(key)
    w.texts[Place("term", key)] = term.text
    yield from w.quads(
        node,
        (P.TYPE, C.TERM),
        (P.NAME, term.name),
        (P.HEADING, term.heading.text),
        (P.LABEL, f"glossary:{term.heading.text}"),
        (P.TEXT, term.text),
        (P.OBSOLETE, term.obsolete),
        (P.SPANS, _spans([term.heading])),
        (P.POSITION, position),
        (P.PART_OF, w.mint.release),
        (P.VERSION_OF, concept),
    )
    yield from w.quads(
        concept, (P.TYPE, C.CONCEPT), (P.PREF_LABEL, term.name), (P.IN_SCHEME, w.mint.scheme)
    )
    for ordinal, sense in enumerate(term.senses, 1):
        yield from _sense(w, node, sense, ordinal)
    yield from _examples(w, node, term.examples, Place("term", key))


def _sense(w: _Writer, node: NamedNode, sense: Sense, ordinal: int) -> Iterator[Quad]:
    return w.quads(
        w.mint.below(node, "sense", ordinal),
        (P.TYPE, C.SENSE),
        (P.SENSE_NUMBER, sense.number),
        (P.TEXT, sense.text),
        (P.OBSOLETE, sense.obsolete),
        (P.SPANS, _spans(sense.paragraphs)),
        (P.POSITION, ordinal),
        (P.PART_OF, node),
    )


def _blocks(w: _Writer) -> Iterator[Quad]:
    for position, block in enumerate(w.book.blocks):
        yield from w.quads(
            w.mint.within(f"block/{position + 1}"),
            (P.TYPE, C.BLOCK),
            (P.KIND, block.kind),
            (P.TEXT, block.paragraph.text),
            (P.SPANS, _spans([block.paragraph])),
            (P.POSITION, position),
            (P.PART_OF, w.mint.release),
        )


def _citations(w: _Writer, citations: tuple[tuple[Place, Citation], ...]) -> Iterator[Quad]:
    ordinals: dict[NamedNode, int] = {}
    for position, (place, citation) in enumerate(citations):
        owner = w.mint.place(place)
        ordinals[owner] = ordinals.get(owner, 0) + 1
        node = w.mint.below(owner, "citation", ordinals[owner])
        example = w.mint.below(owner, "example", place.example)
        text = w.texts[place]
        quote = next(
            (s.of(text) for s in sentences(text) if s.start <= citation.span.start < s.end), None
        )
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


def _statements(w: _Writer, statements: tuple[tuple[Place, Statement], ...]) -> Iterator[Quad]:
    ordinals: dict[NamedNode, int] = {}
    shortcuts = {
        "exception": P.EXCEPTION_TO,
        "single-card": P.ONLY_CARD,
        "replaced-by": P.REPLACED_BY,
        "alias": None,
        "exception-list": None,
    }
    for position, (place, statement) in enumerate(statements):
        owner = w.mint.place(place)
        ordinals[owner] = ordinals.get(owner, 0) + 1
        subject = _entity(w, statement.subject)
        is_card = statement.kind == "single-card"
        value = Literal(statement.value) if is_card else _entity(w, statement.value)
        yield from w.quads(
            w.mint.below(owner, "statement", ordinals[owner]),
            (P.TYPE, C.STATEMENT),
            (P.KIND, statement.kind),
            (P.SUBJECT, subject),
            (P.VALUE, value),
            (P.CUE, statement.cue),
            (P.QUOTE, statement.quote),
            (P.START, statement.span.start),
            (P.END, statement.span.end),
            (P.QUOTED_FROM, owner),
            (P.POSITION, position),
        )
        shortcut = shortcuts[statement.kind]
        if shortcut is not None and isinstance(subject, NamedNode):
            yield from w.quads(subject, (shortcut, value))
        if statement.kind == "alias" and statement.value in w.terms:
            concept = w.mint.concept(w.terms[statement.value].value.rpartition("/")[2])
            yield from w.quads(concept, (P.ALT_LABEL, statement.subject))


def _entity(w: _Writer, name: str) -> NamedNode | Literal:
    """Return the rule or term that a statement names, or its words where there is none."""
    return w.targets.get(name) or w.terms.get(name) or Literal(name)


def _problems(w: _Writer) -> Iterator[Quad]:
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
