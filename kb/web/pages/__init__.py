"""The pages for people: server-rendered, each with its JSON twin, better with a little script.

``page_routes`` gives what is to be mounted; the pages of IRIs (a release, section, chapter, rule,
term, card) are also there by name, for whoever answers those addresses in other forms too. A
handler finds the open knowledge base as ``request.state.knowledge``, else as ``app.state.kb()``.
"""

from __future__ import annotations

from starlette.routing import Route

from kb.web.pages.asking import ask_page, query_page, why_page
from kb.web.pages.cards import card_named, card_page
from kb.web.pages.checking import citations_page, identify_page
from kb.web.pages.comparing import diff_page
from kb.web.pages.history import identity_page
from kb.web.pages.rendering import POLICY
from kb.web.pages.rules import (
    preview,
    release_page,
    releases_page,
    rule_page,
    section_page,
    switched,
)
from kb.web.pages.searching import home, search_page, suggested
from kb.web.pages.static import static_file
from kb.web.pages.terms import concept_page, glossary_page, term_page

__all__ = [
    "POLICY",
    "card_page",
    "concept_page",
    "glossary_page",
    "identity_page",
    "iri_routes",
    "page_routes",
    "release_page",
    "rule_page",
    "section_page",
    "term_page",
]


def page_routes() -> list[Route]:
    """Return the routes of all pages, and of the static files."""
    return [
        Route("/", home, name="home"),
        Route("/static/{name}", static_file, name="static"),
        Route("/search", search_page),
        Route("/suggest", suggested),
        Route("/card", card_named),
        Route("/ask", ask_page),
        Route("/ask/{question}", ask_page),
        Route("/why", why_page),
        Route("/query", query_page),
        Route("/diff", diff_page),
        Route("/switch", switched),
        Route("/identify", identify_page, methods=["GET", "POST"]),
        Route("/citations", citations_page, methods=["GET", "POST"]),
        Route("/preview/{release}/{number}", preview),
        *iri_routes(),
    ]


def iri_routes() -> list[Route]:
    """Return the routes of the pages of IRIs alone, which machines ask for in other forms."""
    return [
        Route("/cr", releases_page),
        Route("/cr/{release}", release_page),
        Route("/cr/{release}/section/{number}", section_page),
        Route("/cr/{release}/rule/{number}", rule_page),
        Route("/cr/{release}/term", glossary_page),
        Route("/cr/{release}/term/{key:path}", term_page),
        Route("/id/card/{key:path}", card_page),
        Route("/id/rule/{key:path}", identity_page),
        Route("/id/term/{key:path}", concept_page),
    ]
