"""The pages of a release, a section, a chapter, a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb.errors import NotFoundError, UsageError
from kb.knowledge.book import CHAPTER, SECTION
from kb.records import RuleNumber
from kb.web.pages.drawing import Node, neighbourhood
from kb.web.pages.history import told
from kb.web.pages.reading import Reading, first_words
from kb.web.pages.rendering import guarded, page, redirect
from kb.web.pages.site import links_of, site_of

if TYPE_CHECKING:
    from markupsafe import Markup
    from starlette.requests import Request
    from starlette.responses import Response

    from kb.knowledge.book import Entry
    from kb.knowledge.past import Past
    from kb.web.pages.reading import Reference

_FEW, _MANY = 5, 300  # rulings and cards on a rule's page, and where all are asked for


@guarded
def release_page(request: Request) -> Response:
    """Show a release: its sections and chapters."""
    reading = Reading.of(request)
    digits = dict.fromkeys(chapter.number[0] for chapter in reading.book.chapters)
    parts = [
        (digit, reading.book.get(digit), [c for c in reading.book.chapters if c.number[0] == digit])
        for digit in digits
    ]
    summary = next((s for s in reading.site.kb.releases if s["name"] == reading.release), None)
    return page(
        request,
        "release.html",
        reading=reading,
        release=reading.release,
        parts=parts,
        summary=summary,
        switch=reading.choices(None, None),
        canonical=reading.links.release(reading.release),
    )


@guarded
def releases_page(request: Request) -> Response:
    """Show all releases, newest first, each beside the one that it followed."""
    site = site_of(request)
    names = site.past.releases
    before = dict(zip(names[1:], names, strict=False))
    rows = [(one, before.get(one.name)) for one in site.releases]
    return page(request, "releases.html", rows=rows)


@guarded
def section_page(request: Request) -> Response:
    """Show a section: its chapters, each with its rules' titles."""
    reading = Reading.of(request)
    entry = reading.book.entry(request.path_params["number"])
    before, after = reading.book.beside(entry)
    return page(
        request,
        "section.html",
        reading=reading,
        release=reading.release,
        entry=entry,
        before=before,
        after=after,
        switch=reading.choices(None, entry.key),
        canonical=reading.links.rule(reading.release, entry.key),
    )


@guarded
def rule_page(request: Request) -> Response:
    """Show a chapter, rule or subrule of a release.

    A number that is not written as the rulebook does (``704.5G``) leads to the one that is.
    """
    reading = Reading.of(request)
    written = request.path_params["number"]
    entry = reading.book.get(written)
    if entry is None or entry.level == SECTION:
        return _meant(reading, written)
    return (
        _chapter(request, reading, entry)
        if entry.level == CHAPTER
        else _rule(request, reading, entry)
    )


def _meant(reading: Reading, written: str) -> Response:
    """Lead to the rule that is meant.

    Raises:
        NotFoundError: the release has no such rule.
    """
    try:
        number = str(RuleNumber.understand(written))
    except ValueError:
        raise UsageError(
            f"{written!r} is no rule number", hint="rules are written 704, 704.5 or 704.5g"
        ) from None
    if reading.book.get(number) is None:
        near = [key for key in reading.book.entries if key.startswith(number.partition(".")[0])]
        raise NotFoundError(
            f"release {reading.release} has no rule {number}",
            hint=f"its chapter has {near[0]} to {near[-1]}" if near else None,
        )
    return redirect(reading.links.rule(reading.release, number))


def _chapter(request: Request, reading: Reading, entry: Entry) -> Response:
    before, after = reading.book.beside(entry)
    return page(
        request,
        "chapter.html",
        reading=reading,
        release=reading.release,
        entry=entry,
        section=reading.book.section_of(entry),
        siblings=[c for c in reading.book.chapters if c.number[0] == entry.number[0]],
        before=before,
        after=after,
        titled=[e for e in reading.book.below.get(entry.key, ()) if e.title],
        switch=reading.choices(_past(reading, entry), entry.key),
        canonical=reading.links.rule(reading.release, entry.key),
    )


def _past(reading: Reading, entry: Entry) -> Past | None:
    return reading.site.past.of_rule(entry.number, reading.release)


def _rule(request: Request, reading: Reading, entry: Entry) -> Response:
    book = reading.book
    before, after = book.beside(entry)
    past, above = _past(reading, entry), book.get(entry.above or "")
    shown: dict[str, Any] = {
        "reading": reading,
        "release": reading.release,
        "entry": entry,
        "chapter": book.chapter_of(entry),
        "section": book.section_of(entry),
        "above": above,
        "above_words": first_words(above) if above else "",
        "siblings": book.below.get(entry.above or "", ()),
        "before": before,
        "after": after,
        "past": told(past) if past else (),
        "heirs": past.heirs if past else (),
        "identity": reading.links.iri(past.iri) if past else None,
        "switch": reading.choices(past, entry.key),
        "canonical": reading.links.rule(reading.release, entry.key),
        **_around(request, reading, entry),
    }
    return page(request, "rule.html", **shown)


def _around(request: Request, reading: Reading, entry: Entry) -> dict[str, object]:
    """Return what rests on a rule; of a release known by its history alone, nothing is known."""
    nothing = {"cites": (), "cited_by": (), "picture": None, "statements": (), "resting": None}
    if not reading.book.full:
        return {**nothing, "governed_by": None}
    reader = reading.site.reader(reading.book)
    node = reader.rule(entry.key)
    cites, cited_by = (reading.references(labels) for labels in reader.references(node))
    concepts, of = reader.concepts(node), None
    above = reading.book.get(entry.above or "")
    if not concepts and above is not None and above.level != CHAPTER:
        concepts, of = reader.concepts(reader.rule(above.key)), above
    most = _MANY if request.query_params.get("all") else _FEW
    return {
        "cites": cites,
        "cited_by": cited_by,
        "picture": _picture(entry, cites, cited_by),
        "statements": reader.statements(node),
        "resting": reading.site.resting(reader, concepts, most),
        "governed_by": of,
    }


def _picture(
    entry: Entry, cites: tuple[Reference, ...], cited_by: tuple[Reference, ...]
) -> Markup | None:
    if not cites and not cited_by:
        return None
    citing, cited = (
        [Node(one.label, one.words, one.address) for one in side] for side in (cited_by, cites)
    )
    return neighbourhood(Node(entry.number, first_words(entry), None), citing, cited)


@guarded
def preview(request: Request) -> Response:
    """Show a rule's text alone, for a reader who hovers over a link to it."""
    reading = Reading.of(request)
    entry = reading.book.entry(request.path_params["number"])
    below = reading.book.below.get(entry.key, ())
    return page(request, "preview.html", reading=reading, entry=entry, below=below)


@guarded
def switched(request: Request) -> Response:
    """Lead to the same rule, section or page in another release."""
    asked = request.query_params
    site = site_of(request)
    links = links_of(request, site)
    book = site.book(asked.get("to", "latest"))
    key = asked.get("rule", "")
    if not key:
        return redirect(links.release(book.release))
    past = site.past.of_rule(key, site.release(asked.get("from", "latest")))
    if past is not None and book.release in site.past.releases:
        number = past.number_in(site.past.releases.index(book.release))
        if number is None:
            raise NotFoundError(
                f"the rule that is {key} in {asked.get('from')} is not in release {book.release}",
                hint="its history shows from when to when it stood, and what took up its words",
            )
        return redirect(links.rule(book.release, number))
    return redirect(links.rule(book.release, key))
