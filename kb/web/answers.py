"""Replies and problems → HTTP responses: Content-Type, ETag, Vary, packing."""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from kb.web import plain
from kb.web.formats import HTML, JSON, TEXT
from kb.web.negotiate import etag_matches, preferred, takes_gzip
from kb.web.sparql import ProtocolError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from kb.web.frames import Reply

_WORTH_PACKING = 1024
_VARY = "Accept, Accept-Encoding"
_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")


def answer(request: Request, reply: Reply, etag: str | None = None) -> Response:
    """Return a worker's reply as a response."""
    if reply.problem is not None:
        return problem(request, reply.status, reply.problem, reply.headers)
    headers = {**reply.headers, "Vary": _VARY, "Cache-Control": "no-cache"}
    if etag is not None and reply.status == 200:  # noqa: PLR2004 - OK
        headers["ETag"] = f'W/"{etag}"'
    response = Response(reply.body, reply.status, headers)
    if reply.media:
        response.headers["Content-Type"] = reply.media
    return response


def unchanged(request: Request, etag: str) -> Response | None:
    """Return 304 if the client has this answer already."""
    if not etag_matches(request.headers.get("if-none-match"), f'"{etag}"'):
        return None
    headers = {"ETag": f'W/"{etag}"', "Vary": _VARY, "Cache-Control": "no-cache"}
    return Response(status_code=304, headers=headers)


def small(request: Request, content: bytes, media: str, cache: str = "no-cache") -> Response:
    """Return a short answer that the server has at hand, packed if that is worth it."""
    headers = {"Vary": _VARY, "Cache-Control": cache, "Content-Type": media}
    if len(content) >= _WORTH_PACKING and takes_gzip(request.headers.get("accept-encoding")):
        content = gzip.compress(content, 5, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers)


def as_json(request: Request, content: object, status: int = 200) -> Response:
    """Return JSON."""
    response = small(request, json.dumps(content, ensure_ascii=False).encode(), JSON)
    response.status_code = status
    return response


def problem(
    request: Request,
    status: int,
    fields: Mapping[str, Any],
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an error in the form that the client reads: what, where, why and what to do."""
    told = {k: v for k, v in fields.items() if k not in ("exit_code", "log")}
    told["status"] = status
    request.scope["mtgkb"].update(
        error=told.get("error"), why=fields.get("log") or told.get("what")
    )
    media = preferred(request.headers.get("accept"), (JSON, HTML, TEXT)) or JSON
    if media == HTML:
        body, media = plain.problem(status, told), "text/html; charset=utf-8"
    elif media == TEXT:
        shown = [str(told[name]) for name in ("what", "why", "hint") if told.get(name)]
        place = ", ".join(f"{n} {told[n]}" for n in ("line", "column") if told.get(n))
        body, media = "\n".join([*shown, place, ""]), "text/plain; charset=utf-8"
    else:
        body = json.dumps(told, ensure_ascii=False)
    response = Response(body.encode(), status, {**(headers or {}), "Cache-Control": "no-store"})
    response.headers["Content-Type"] = media
    response.headers["Vary"] = _VARY
    return response


def server_url(request: Request, told: str | None) -> str:
    """Return the server's own address: as its keeper told, or as the client called it.

    Raises:
        ProtocolError: the client's Host header is no host.
    """
    if told:
        return told.rstrip("/")
    host = request.headers.get("host", "")
    if not _HOST.fullmatch(host):
        raise ProtocolError(400, "the Host header is no host", hint="send Host: name:port")
    return f"{request.url.scheme}://{host}"
