"""A Reading → the quads of its release's graph, in the order of the text.

Every record has a position, so that the order of the text is in the graph; what ``read``
needs to give the same records back is written and nothing else, beside the short-cut edges
(dcterms:references, mtg:exceptionTo and the like) and the sentence that a citation is in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Quad

from kb.cards.concepts import concepts_of
from kb.citations import folded_title
from kb.records import Place
from kb.triples.found import citation_quads, problem_quads, statement_quads
from kb.triples.governs import concept_quads
from kb.triples.writer import ReleaseWriter
from kb.vocab import BASE, C, P, keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.records import (
        Example,
        Paragraph,
        Reading,
        Release,
        Rule,
        Sense,
        Term,
    )

_XSD_DATE = NamedNode("http://www.w3.org/2001/XMLSchema#date")


def reading_quads(reading: Reading, base: str = BASE) -> Iterator[Quad]:
    """Yield the quads of a release's graph."""
    writer = ReleaseWriter(reading, base)
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
    yield from citation_quads(writer, reading.citations)
    yield from statement_quads(writer, reading.statements)
    yield from concept_quads(writer, concepts_of(reading.rulebook))
    yield from problem_quads(writer)


def _release(w: ReleaseWriter, release: Release) -> Iterator[Quad]:
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


def _sections(w: ReleaseWriter) -> Iterator[Quad]:
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


def _parent(w: ReleaseWriter, rule: Rule) -> NamedNode:
    """Return what a rule is part of: the nearest thing above it that the release has."""
    above = rule.number.parent
    while above is not None:
        if str(above) in w.targets:
            return w.targets[str(above)]
        above = above.parent
    return w.targets.get(str(rule.number.section), w.mint.release)


def _rule(w: ReleaseWriter, rule: Rule, key: str, position: int) -> Iterator[Quad]:
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
    w: ReleaseWriter, node: NamedNode, examples: tuple[Example, ...], place: Place
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


def _term(w: ReleaseWriter, term: Term, key: str, position: int) -> Iterator[Quad]:
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


def _sense(w: ReleaseWriter, node: NamedNode, sense: Sense, ordinal: int) -> Iterator[Quad]:
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


def _blocks(w: ReleaseWriter) -> Iterator[Quad]:
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
