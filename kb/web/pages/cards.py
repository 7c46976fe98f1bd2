"""The page of a card: its faces, the rules that govern it, its rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.web.pages.reading import Reading
from kb.web.pages.rendering import guarded, page, redirect

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


@guarded
def card_page(request: Request) -> Response:
    """Show a card, found by the end of its IRI: an oracle id, or ``name:`` and its name."""
    reading = Reading.of(request, request.query_params.get("release", "latest"))
    card = reading.site.kb.card(request.path_params["key"].removeprefix("name:"))
    address = reading.links.iri(card.iri)
    governed = reading.site.kb.ask(
        "rules-for-card", {"card": card.oracle_id or card.card}, reading.release
    )
    return page(
        request,
        "card.html",
        reading=reading,
        release=reading.release,
        card=card,
        governed=governed.rows,
        linked=reading.linked,
        canonical=address,
    )


@guarded
def card_named(request: Request) -> Response:
    """Lead to the card that a name means: ``/card?name=…``."""
    reading = Reading.of(request)
    card = reading.site.kb.card(request.query_params.get("name", ""))
    return redirect(reading.links.iri(card.iri))
