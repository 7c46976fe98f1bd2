"""The texts of a knowledge base that a page may quote: rules, terms, examples, rulings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kb.identify import Known
from kb.triples.read import read_quads
from kb.vocab import PREFIXES, CardMinter, HistoryMinter, Minter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyoxigraph import NamedNode

    from kb.store import OpenStore

_RELEASES = "SELECT ?name WHERE { ?r a mtg:Release ; mtg:name ?name ; mtg:position ?p } ORDER BY ?p"
_VERSIONS = """
SELECT ?rule ?number ?text ?first ?last
WHERE { ?v a mtg:Version ; dcterms:isVersionOf ?rule ; mtg:number ?number ; mtg:text ?text ;
  mtg:first ?first ; mtg:last ?last }
ORDER BY ?rule ?first"""
_TERMS = """
SELECT ?rule ?number ?text ?first ?last
WHERE { ?v a mtg:TermVersion ; mtg:nameKey ?rule ; mtg:name ?number ; mtg:text ?text ;
  mtg:first ?first ; mtg:last ?last }
ORDER BY ?rule ?first"""
# Joining and sorting are quicker here than in the store, which looks each card up by itself.
_RULINGS = """
SELECT ?of ?day ?text
WHERE { ?ruling mtg:rulingOn ?of ; mtg:text ?text ; dcterms:date ?day }"""
_FACES = "SELECT ?text WHERE { ?face a mtg:Face ; mtg:name|mtg:text ?text }"
_CARDS = "SELECT ?card ?name WHERE { ?card a mtg:Card ; mtg:name ?name }"


def known_texts(store: OpenStore, base: str) -> Iterator[Known]:
    """Yield every text, with the releases in which it stood and where it is now.

    Without a history, what the newest release has is all that is known of the rules.
    """
    graph = HistoryMinter(base).graph
    releases = [row[0] for row in _rows(store, _RELEASES, graph)]
    if releases:
        yield from _stood(_rows(store, _VERSIONS, graph), "rule", releases)
        yield from _stood(_rows(store, _TERMS, graph), "term", releases)
    yield from _of_release(store, base, examples_only=bool(releases))
    cards = CardMinter(base).graph
    names = {row[0]: row[1] for row in _rows(store, _CARDS, cards)}
    rulings = ((names[of], day, text) for of, day, text in _rows(store, _RULINGS, cards))
    for card, day, text in sorted(rulings):
        name = f"{card}, {day}"
        yield Known("ruling", name, day, day, None, text, (name, day, text))


def card_texts(store: OpenStore, base: str) -> Iterator[str]:
    """Yield the cards' names and the paragraphs of their texts: no quotes of rules, if alike."""
    faces = _rows(store, _FACES, CardMinter(base).graph)
    yield from sorted({line for (text,) in faces for line in text.split("\n")})


def _rows(store: OpenStore, query: str, graph: NamedNode) -> list[tuple[str, ...]]:
    solutions: Any = store.query(query, default=[graph], prefixes=PREFIXES)
    names = [variable.value for variable in solutions.variables]
    return [tuple(solution[name].value for name in names) for solution in solutions]


def _stood(rows: list[tuple[str, ...]], kind: str, releases: list[str]) -> Iterator[Known]:
    """Yield the texts that stood from one release to another."""
    newest = len(releases) - 1
    now = {rule: (name, text) for rule, name, text, _, last in rows if int(last) == newest}
    for rule, name, text, first, last in rows:
        today = now.get(rule)
        yield Known(
            kind,
            name,
            releases[int(last)],
            releases[int(first)],
            None if int(last) == newest else releases[int(last)],
            text,
            (today[0], releases[newest], today[1]) if today else None,
            f"{kind}:{rule}",
        )


def _of_release(store: OpenStore, base: str, *, examples_only: bool) -> Iterator[Known]:
    """Yield the texts of the newest release that is there in full."""
    newest = store.manifest["releases"][-1]["name"]
    book = read_quads(store.quads(Minter(newest, base).release)).rulebook
    for rule in book.rules:
        number = str(rule.number)
        if not examples_only:
            yield _standing("rule", number, newest, rule.text)
        for ordinal, example in enumerate(rule.examples, 1):
            name = f"{number} example {ordinal}"
            known = _standing("example", name, newest, example.text)
            # A history follows rules and terms: since when an example stands, it doesn't tell.
            yield replace(known, since=None) if examples_only else known
    for term in book.terms if not examples_only else ():
        yield _standing("term", term.name, newest, term.text)


def _standing(kind: str, name: str, release: str, text: str) -> Known:
    return Known(kind, name, release, release, None, text, (name, release, text))
