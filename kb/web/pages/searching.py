"""The home page, the search page, and what is suggested while one types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape
from starlette.responses import JSONResponse

from kb.errors import StoreError
from kb.queries import catalogue
from kb.web.pages.finding import leads, number_meant, with_words
from kb.web.pages.reading import Reading
from kb.web.pages.rendering import guarded, page, redirect, wants_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

KINDS = ("rule", "example", "term", "ruling", "card")
_MOST, _SUGGESTED = 30, 10
_MARK = "**"  # around the words of a snippet that fit
_BY_NAME = "Looked up by number, title and name; then rules that have all the words."


@dataclass(frozen=True, slots=True)
class Shown:
    """A hit as the page shows it."""

    kind: str
    label: str
    address: str
    snippet: Markup
    heading: str = ""
    why: tuple[str, ...] = ()


@guarded
def home(request: Request) -> Response:
    """Show the box for everything, and the doors to the rest."""
    reading = Reading.of(request, "latest")
    plain = [q for q in catalogue().values() if q.also and not q.parameters]
    return page(
        request,
        "home.html",
        reading=reading,
        release=reading.release,
        book=reading.book,
        examples=[question.also[0] for question in plain[:: max(1, len(plain) // 3)]][:3],
        questions=len(catalogue()),
    )


@guarded
def search_page(request: Request) -> Response:
    """Show what a search finds; a rule's number leads to the rule itself."""
    reading = Reading.of(request, request.query_params.get("release", "latest"))
    words = request.query_params.get("q", "").strip()
    kinds = [kind for kind in request.query_params.getlist("kind") if kind in KINDS]
    if not kinds and (number := number_meant(reading, words)):
        return redirect(reading.links.rule(reading.release, number))
    found = _searched(reading, words, tuple(kinds or KINDS)) if words else None
    hits, suggestions, how = found or _looked_up(reading, words, kinds or list(KINDS))
    if wants_json(request):
        return JSONResponse({"query": words, "release": reading.release, "hits": _as_json(hits)})
    return page(
        request,
        "search.html",
        reading=reading,
        release=reading.release,
        asked=words,
        hits=hits,
        suggestions=suggestions,
        how=how,
        kinds=kinds or KINDS,
        all_kinds=KINDS,
    )


def _as_json(hits: list[Shown]) -> list[dict[str, object]]:
    return [
        {
            "kind": hit.kind,
            "id": hit.label,
            "address": hit.address,
            "heading": hit.heading,
            "snippet": hit.snippet.striptags(),
            "why": list(hit.why),
        }
        for hit in hits
    ]


Results = tuple[list[Shown], tuple[str, ...], str]


def _searched(reading: Reading, words: str, kinds: tuple[str, ...]) -> Results | None:
    """Return what the knowledge base's own search finds; None where it has none."""
    search: Any = getattr(reading.site.kb, "search", None)
    if search is None:
        return None
    try:
        found = search(words, kinds=kinds, limit=_MOST, release=reading.release)
    except StoreError:  # it was built without an index
        return None
    hits = [
        Shown(
            hit.kind,
            hit.id,
            _address(reading, hit.kind, hit.id),
            _marked(hit.snippet or hit.text),
            hit.heading or "",
            tuple(hit.why),
        )
        for hit in getattr(found, "hits", found)
    ]
    return hits, tuple(getattr(found, "suggestions", ())), "Searched by words and meaning."


def _address(reading: Reading, kind: str, name: str) -> str:
    if kind in ("rule", "example"):
        return reading.links.rule(reading.release, name.partition(" ")[0])
    if kind == "term":
        return reading.links.label(reading.release, f"glossary:{name}")
    card = name.rpartition(", ")[0] if kind == "ruling" else name
    return reading.links.page("card", name=card)


def _marked(snippet: str) -> Markup:
    parts = snippet.split(_MARK)
    return Markup("").join(
        Markup("<mark>{}</mark>").format(part) if place % 2 else escape(part)
        for place, part in enumerate(parts)
    )


def _looked_up(reading: Reading, words: str, kinds: list[str]) -> Results:
    """Return what is called so, and the rules that have all the words."""
    found = [*leads(reading, words, _MOST), *with_words(reading, words, _MOST)]
    hits = {
        lead.address: Shown(lead.kind, lead.label, lead.address, escape(lead.words))
        for lead in found
        if lead.kind in kinds or (lead.kind not in KINDS and "rule" in kinds)
    }
    return [*hits.values()][:_MOST], (), _BY_NAME


@guarded
def suggested(request: Request) -> Response:
    """Answer with what a text that is still being typed may mean, as JSON."""
    reading = Reading.of(request, request.query_params.get("release", "latest"))
    found = leads(reading, request.query_params.get("q", "")[:200], _SUGGESTED)
    return JSONResponse(
        [
            {"kind": one.kind, "label": one.label, "words": one.words, "address": one.address}
            for one in found
        ]
    )
