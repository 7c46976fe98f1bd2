"""The layer around every answer: security headers, CORS, the length of bodies, logs and counts."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers, MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from kb.web.logs import Log
    from kb.web.metrics import Metrics

SECURITY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Location, Mtgkb-Truncated, Mtgkb-Limit, "
    "Retry-After",
}
PREFLIGHT = {
    **CORS,
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
"""Any page may ask: all data is public, nothing is written, and no cookie is read."""


class Around:
    """Sets the headers of every answer, answers preflights, and logs and counts requests."""

    def __init__(self, app: ASGIApp, log: Log, metrics: Metrics) -> None:
        """Stand around an application."""
        self._app, self._log, self._metrics = app, log, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        scope["mtgkb"] = {"route": "none"}  # what the layers below tell of the request
        told: dict[str, Any] = {"status": 500, "bytes": 0}
        preflight = _is_preflight(scope)

        async def around(message: Message) -> None:
            if message["type"] == "http.response.start":
                told["status"] = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in {**SECURITY, **(PREFLIGHT if preflight else CORS)}.items():
                    headers.setdefault(name, value)
            elif message["type"] == "http.response.body":
                told["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            if preflight:
                await _no_content(around)
            else:
                await self._app(scope, receive, around)
        finally:
            self._tell(scope, told, perf_counter() - began)

    def _tell(self, scope: Scope, told: dict[str, Any], seconds: float) -> None:
        about: dict[str, Any] = scope["mtgkb"]
        route = about["route"]
        method = scope["method"] if scope["method"] in _METHODS else "other"
        status = str(told["status"])
        self._metrics.count("mtgkb_requests_total", route=route, method=method, status=status)
        self._metrics.count("mtgkb_answer_bytes_total", told["bytes"], route=route)
        self._metrics.observe("mtgkb_request_seconds", seconds, route=route)
        client = scope.get("client")
        self._log.event(
            "request",
            method=scope["method"],
            path=scope["path"],
            **told,
            ms=round(seconds * 1000, 2),
            client=client[0] if client else None,
            **about,
        )


_METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"}


def _is_preflight(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return scope["method"] == "OPTIONS" and "access-control-request-method" in headers


async def _no_content(send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})
