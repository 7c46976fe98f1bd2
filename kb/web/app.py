"""The application: routes, negotiation between people and machines, errors.

One address answers both: where a page for people fits it and the client prefers HTML, the page is
shown; otherwise the machine's answer. ``.ttl``, ``.json`` and the like at an address's end, and
``.html``, say which, before Accept.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Match, Route, Router

from kb.errors import MtgkbError, StoreError
from kb.web import answers
from kb.web.endpoints import Endpoints
from kb.web.formats import HTML, NAMES, PAGES, SUFFIXES
from kb.web.generation import Generations
from kb.web.headers import Around
from kb.web.limits import Limits
from kb.web.logs import Log
from kb.web.metrics import Metrics
from kb.web.negotiate import preferred
from kb.web.openapi import ENDPOINTS, Endpoint
from kb.web.operations import STATUSES
from kb.web.sparql import ProtocolError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from pathlib import Path

    from starlette.responses import Response
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Receive, Scope, Send

_FIXED = {"/openapi.json"}
_THINGS = {"cr", "id", "card", "ns"}
_RETRY = {"Retry-After": "2"}
_CLOSE = {"Connection": "close"}
_MORE = {503: _RETRY, 408: _CLOSE, 413: _CLOSE}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server serves, under which address, and within which bounds."""

    folder: Path
    limits: Limits = field(default_factory=Limits)
    url: str | None = None
    """The server's public address; without it, the Host header tells."""


def create_app(
    settings: Settings, pages: Sequence[BaseRoute] = (), log: Log | None = None
) -> ASGIApp:
    """Make the application of one knowledge base.

    Args:
        settings: what is served.
        pages: the routes of pages for people; they find the open knowledge base at
            ``request.state.knowledge``, the same for the whole request.
        log: where events go; nowhere if left out.
    """
    metrics, log = Metrics(), log or Log(None)
    generations = Generations(settings.folder, settings.limits, metrics, log)
    endpoints = Endpoints(generations, settings.limits, metrics, settings.url)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await generations.start()
        try:
            yield
        finally:
            await generations.stop()

    app = Starlette(
        routes=[_route(endpoint, endpoints) for endpoint in ENDPOINTS],
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _http_error,
            ProtocolError: _protocol_error,
            MtgkbError: _own_error,
            Exception: _fault,
        },
    )
    app.router.redirect_slashes = False
    app.state.settings, app.state.generations = settings, generations
    front = Front(app, Router(routes=[*pages]), generations)
    return Around(front, log, metrics)


def _route(endpoint: Endpoint, endpoints: Endpoints) -> Route:
    handler: Callable[[Request], Awaitable[Response]] = getattr(endpoints, endpoint.handler)

    async def named(request: Request) -> Response:
        request.scope["mtgkb"]["route"] = endpoint.name
        return await handler(request)

    path = endpoint.path.replace("{path}", "{path:path}")
    methods = ["GET", "POST"] if endpoint.posts else ["GET"]
    return Route(path, named, methods=methods, name=endpoint.name)


class Front:
    """Tells pages for people from answers for machines, and pins the knowledge base."""

    def __init__(self, app: Starlette, pages: Router, generations: Generations) -> None:
        """Stand before the machine's application and the pages."""
        self._app, self._pages, self._generations = app, pages, generations

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = _addressed(scope)
        async with self._generations.used() as generation:
            state = scope.setdefault("state", {})
            state["generation"], state["knowledge"] = generation, generation.knowledge
            if self._is_page(scope):
                scope["mtgkb"]["route"] = "pages"
                # The pages' errors are shown by the same handlers.
                scope["app"] = self._app
                await _Handled(self._pages, self._app)(scope, receive, send)
            else:
                await self._app(scope, receive, send)

    def _is_page(self, scope: Scope) -> bool:
        fits = any(route.matches(scope)[0] == Match.FULL for route in self._pages.routes)
        if not fits:
            return False
        if self._only_for_people(scope):
            return True
        if scope["path"] == "/sparql" and (scope["query_string"] or scope["method"] == "POST"):
            return False
        request = Request(scope)
        asked = request.query_params.get("format", "")
        media = scope.get("mtgkb_media") or NAMES.get(asked)
        accept = request.headers.get("accept")
        return (media or preferred(accept, PAGES)) == HTML

    def _only_for_people(self, scope: Scope) -> bool:
        """Tell whether no machine's address is there but that of any thing of the graph."""
        if scope["path"].strip("/").partition("/")[0] in _THINGS:
            return False
        return not any(
            route.matches(scope)[0] == Match.FULL
            for route in self._app.routes
            if getattr(route, "name", "") != "thing"
        )


class _Handled:
    """Runs the pages' router with the application's error handlers."""

    def __init__(self, pages: Router, app: Starlette) -> None:
        from starlette.middleware.exceptions import ExceptionMiddleware  # noqa: PLC0415

        self._app = ExceptionMiddleware(pages, handlers=app.exception_handlers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


def _addressed(scope: Scope) -> Scope:
    """Return a scope with the suffix taken off its path, and the path as its IRI has it."""
    raw = scope.get("raw_path") or scope["path"].encode()
    written = raw.decode("latin-1").partition("?")[0]
    path: str = scope["path"]
    scope = {**scope, "mtgkb_path": written}
    stem, dot, suffix = path.rpartition(".")
    if path not in _FIXED and dot and suffix in SUFFIXES and len(stem) > 1:
        scope["mtgkb_media"], scope["mtgkb_suffix"] = NAMES[suffix], dot + suffix
        scope["mtgkb_path"], scope["path"] = written[: -len(dot + suffix)], stem
        scope["raw_path"] = scope["mtgkb_path"].encode("latin-1")
    elif path == "/sparql/":
        scope["path"], scope["raw_path"] = "/sparql", b"/sparql"
    return scope


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    fields = {"error": "ProtocolError", "what": error.detail, "where": "request"}
    return answers.problem(request, error.status_code, fields, error.headers)


async def _protocol_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProtocolError)
    return answers.problem(request, error.status, error.as_json(), _MORE.get(error.status))


async def _own_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, MtgkbError)
    status = next((code for kind, code in STATUSES if isinstance(error, kind)), 500)
    headers = _RETRY if isinstance(error, StoreError) else None
    return answers.problem(request, status, error.as_json(), headers)


async def _fault(request: Request, error: Exception) -> Response:
    fields = {"error": "InternalError", "what": "a fault of mtgkb", "log": repr(error)}
    return answers.problem(request, 500, fields)
