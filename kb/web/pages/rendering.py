"""A template and what it shows → a response, with the headers that every page has."""

from __future__ import annotations

from functools import cache, wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from kb.errors import MtgkbError, NotFoundError, QueryError, UsageError
from kb.web.pages.site import links_of, site_of
from kb.web.pages.static import address
from kb.web.pages.symbols import symbols

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

_OF_PAGES = ("why", "all", "page", "change", "format")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy (W3C, Level 3): nothing inline, nothing from another host."""

_STATUS = {
    NotFoundError: HTTPStatus.NOT_FOUND,
    UsageError: HTTPStatus.BAD_REQUEST,
    QueryError: HTTPStatus.BAD_REQUEST,
}


@cache
def templates() -> Environment:
    """Return the templates; whatever a page shows is escaped, and a name that is missing fails."""
    environment = Environment(
        loader=PackageLoader("kb.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["symbols"] = symbols
    environment.filters["sentence"] = lambda text: text[:1].upper() + text[1:]
    return environment


def page(request: Request, template: str, *, status: int = 200, **shown: Any) -> Response:  # noqa: ANN401
    """Return a page.

    Args:
        request: what is answered.
        template: the template's name.
        status: the status of the response.
        shown: what the template shows.
    """
    site = site_of(request)
    links = links_of(request, site)
    given = {
        "site": site,
        "links": links,
        "release": site.newest,
        "static": lambda name: links.root + address(name),
        "twin": twin(request),
        "switch": None,
        "canonical": None,
        "asked": "",
        **shown,
    }
    content = templates().get_template(template).render(given)
    return HTMLResponse(content, status, {"Content-Security-Policy": POLICY, "Vary": "Accept"})


def twin(request: Request) -> str:
    """Return where the same is to be had as JSON, whatever else of it the page shows."""
    every = request.query_params.multi_items()
    asked = [(name, value) for name, value in every if name not in _OF_PAGES and value]
    return f"{request.scope['path']}?{urlencode([*asked, ('format', 'json')])}"


def wants_json(request: Request) -> bool:
    """Tell whether a page that answers in both forms is asked for as JSON."""
    if named := request.query_params.get("format"):
        return named == "json"
    accepted = request.headers.get("accept", "")
    return "json" in accepted and "html" not in accepted


def redirect(address: str) -> Response:
    """Send the reader on to another page."""
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


def failed(request: Request, error: MtgkbError) -> Response:
    """Return the page of an error, or its fields: what, why, what to do."""
    status = next((s for kind, s in _STATUS.items() if isinstance(error, kind)), None)
    if status is None:
        raise error
    if wants_json(request):
        return JSONResponse(error.as_json(), status)
    return page(request, "error.html", status=status, error=error, code=int(status))


def guarded(handler: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Return a handler that answers an error of the reader's with a page that says what is off."""

    @wraps(handler)
    def answered(request: Request) -> Response:
        try:
            return handler(request)
        except MtgkbError as error:
            return failed(request, error)

    return answered
