"""The pages of the glossary: all entries, and one."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from kb.errors import NotFoundError
from kb.statements import folded
from kb.vocab import slug
from kb.web.pages.history import steps
from kb.web.pages.reading import Reading
from kb.web.pages.rendering import guarded, page, redirect
from kb.web.pages.site import links_of, site_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from kb.knowledge.book import TermEntry
    from kb.knowledge.resting import RestingReader

_CONCEPTS = ("term", "keyword", "keyword-action", "zone", "counter", "type")
_FEW, _MANY = 5, 300
_BESIDE = 6


@guarded
def glossary_page(request: Request) -> Response:
    """Show all entries of a release's glossary, by letter."""
    reading = Reading.of(request)
    every = sorted(reading.book.terms.values(), key=lambda one: one.heading.lower())
    letters = [(letter, list(some)) for letter, some in groupby(every, _letter)]
    return page(
        request,
        "glossary.html",
        reading=reading,
        release=reading.release,
        letters=letters,
        switch=reading.choices(None, None),
        canonical=reading.links.term(reading.release, ""),
    )


def _letter(entry: TermEntry) -> str:
    first = entry.heading[:1].upper()
    return first if first.isalpha() else "#"


@guarded
def term_page(request: Request) -> Response:
    """Show a glossary entry of a release."""
    reading = Reading.of(request)
    entry = _entry(reading, request.path_params["key"])
    if entry.key != request.path_params["key"]:
        return redirect(reading.links.term(reading.release, entry.key))
    every = list(reading.book.terms.values())
    place = every.index(entry)
    shown: dict[str, Any] = {
        "statements": (),
        "cites": (),
        "governing": (),
        "resting": None,
        "past": steps(reading.site.past.of_term(entry.name)),
    }
    if reading.book.full:
        reader = reading.site.reader(reading.book)
        node = reader.term(entry.key)
        keys = _concepts(reader, entry)
        most = _MANY if request.query_params.get("all") else _FEW
        governing = dict.fromkeys(label for key in keys for label in reader.governing(key))
        shown |= {
            "statements": reader.statements(node),
            "cites": reading.references(reader.references(node)[0]),
            "governing": reading.references(governing),
            "resting": reading.site.resting(reader, keys, most),
        }
    return page(
        request,
        "term.html",
        reading=reading,
        release=reading.release,
        entry=entry,
        siblings=every[max(0, place - _BESIDE) : place + _BESIDE + 1],
        switch=reading.choices(None, None),
        canonical=reading.links.term(reading.release, entry.key),
        **shown,
    )


def _entry(reading: Reading, written: str) -> TermEntry:
    """Return the entry that is meant by a key or a name.

    Raises:
        NotFoundError: the glossary has none.
    """
    terms = reading.book.terms
    for key in (written, slug(written)):
        if key in terms:
            return terms[key]
    # An entry of several names (“Active, Passive”) is found by each of them.
    for entry in terms.values():
        if slug(written) in (slug(name) for name in (entry.heading, *entry.name.split(", "))):
            return entry
    raise NotFoundError(
        f"the glossary of release {reading.release} has no entry {written}",
        hint="the glossary page lists all entries",
    )


def _concepts(reader: RestingReader, entry: TermEntry) -> tuple[str, ...]:
    names = dict.fromkeys(folded(name) for name in (entry.name, entry.heading))
    keys = (f"{kind}:{name}" for name in names for kind in _CONCEPTS)
    return tuple(key for key in keys if reader.governing(key))


@guarded
def concept_page(request: Request) -> Response:
    """Lead from a term over all releases to its entry in the newest one."""
    site = site_of(request)
    return redirect(links_of(request, site).term(site.newest, request.path_params["key"]))
