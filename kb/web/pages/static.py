"""The style sheet and scripts, each with a digest of its content in its address."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse, Response

if TYPE_CHECKING:
    from starlette.requests import Request

_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_FOR_GOOD = "public, max-age=31536000, immutable"


@cache
def _contents() -> dict[str, tuple[bytes, str]]:
    """Return each static file by name, with the digest of its content."""
    found = {}
    for file in files("kb.web.pages").joinpath("static").iterdir():
        if file.name.rpartition(".")[2] in _TYPES:
            content = file.read_bytes()
            found[file.name] = content, sha256(content).hexdigest()[:16]
    return found


def address(name: str) -> str:
    """Return the address of a static file, which changes with its content."""
    return f"/static/{name}?v={_contents()[name][1]}"


def static_file(request: Request) -> Response:
    """Answer with a static file, to be kept for good if its address has the right digest."""
    name = request.path_params["name"]
    if name not in _contents():
        return PlainTextResponse("no such file", 404)
    content, digest = _contents()[name]
    is_named = request.query_params.get("v") == digest
    headers = {"Cache-Control": _FOR_GOOD if is_named else "no-cache", "ETag": f'"{digest}"'}
    if request.headers.get("if-none-match") == f'"{digest}"':
        return Response(None, 304, headers)
    return Response(content, 200, headers, _TYPES[name.rpartition(".")[2]])
