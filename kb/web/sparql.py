"""SPARQL 1.1 Protocol: a request's parameters → one record, or why it is refused.

https://www.w3.org/TR/sparql11-protocol/ section 2.1: a query by GET, by a form, or as the body.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

FORM, QUERY, UPDATE = (
    "application/x-www-form-urlencoded",
    "application/sparql-query",
    "application/sparql-update",
)
METHODS = ("GET", "HEAD", "POST", "OPTIONS")
_MOST_PARAMETERS = 1000
_CHANGING = re.compile(r"\b(NOW|RAND|UUID|STRUUID)\b", re.IGNORECASE)


class ProtocolError(Exception):
    """A request that the protocol does not allow: a status, and what, why, what to do."""

    def __init__(self, status: int, what: str, *, why: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.status, self.what, self.why, self.hint = status, what, why or None, hint or None

    def as_json(self) -> dict[str, Any]:
        """Return the error's fields."""
        return {
            "error": type(self).__name__,
            "what": self.what,
            "where": "request",
            "line": None,
            "column": None,
            "why": self.why,
            "hint": self.hint,
        }


@dataclass(frozen=True, slots=True)
class SparqlRequest:
    """A query with its dataset, and the form in which the answer is wanted."""

    query: str
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    release: str | None = None
    form: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the fields by name, as a worker process gets them."""
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def same_each_time(self) -> bool:
        """Tell whether the query asks for nothing that changes: no clock, no chance."""
        return not _CHANGING.search(self.query)

    def digest(self, *more: str) -> str:
        """Return a digest of the request and of what else its answer hangs on."""
        fields = repr((self.as_json(), more))
        return hashlib.sha256(fields.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def read_request(
    method: str, query_string: bytes, content_type: str | None, body: bytes
) -> SparqlRequest | None:
    """Read a request to the endpoint; None if it asks for the service description.

    Raises:
        ProtocolError: it is no request that the protocol allows, or an update.
    """
    if method not in METHODS:
        raise ProtocolError(405, f"{method} is no way to ask", hint="ask by GET or POST")
    parameters = _parameters(query_string, "the address")
    if method == "POST":
        parameters += _posted(content_type, body)
    queries = [value for name, value in parameters if name == "query"]
    if any(name == "update" for name, _ in parameters):
        raise _update_refused(400 if method == "GET" else 403)
    if not queries and method != "POST" and not query_string.strip(b"&"):
        return None
    if len(queries) != 1:
        raise ProtocolError(
            400,
            "there is no query" if not queries else f"there are {len(queries)} queries",
            hint="send one: ?query=…, or a body of the type application/sparql-query",
        )
    return _record(queries[0], parameters)


def _record(query: str, parameters: list[tuple[str, str]]) -> SparqlRequest:
    def values(name: str) -> tuple[str, ...]:
        return tuple(value for key, value in parameters if key == name)

    return SparqlRequest(
        query,
        values("default-graph-uri"),
        values("named-graph-uri"),
        next(iter(values("release")), None),
        next(iter(values("format") or values("output")), None),
    )


def _update_refused(status: int = 403) -> ProtocolError:
    return ProtocolError(
        status,
        "updates are refused",
        why="a knowledge base is read-only; only mtgkb build writes one",
        hint="ask with SELECT, CONSTRUCT, ASK or DESCRIBE",
    )


def _posted(content_type: str | None, body: bytes) -> list[tuple[str, str]]:
    media, _, rest = (content_type or "").partition(";")
    media = media.strip().lower()
    if media == UPDATE:
        raise _update_refused()
    if media not in (FORM, QUERY):
        raise ProtocolError(
            415,
            f"a body of the type {media[:100]!r} is not understood",
            hint=f"send {QUERY}, or a form ({FORM})",
        )
    charset = re.search(r'charset\s*=\s*"?([\w.:-]+)', rest, re.IGNORECASE)
    if charset and charset[1].lower().replace("-", "").replace("_", "") not in ("utf8", "usascii"):
        raise ProtocolError(415, f"the charset {charset[1]} is not understood", hint="send UTF-8")
    if media == FORM:
        return _parameters(body, "the form")
    try:
        return [("query", body.decode())]
    except UnicodeDecodeError as error:
        raise ProtocolError(400, "the query is no UTF-8", why=str(error)) from None


def _parameters(text: bytes, where: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            text.decode(), keep_blank_values=True, errors="strict", max_num_fields=_MOST_PARAMETERS
        )
    except UnicodeDecodeError as error:
        raise ProtocolError(400, f"{where} is no UTF-8", why=str(error)) from None
    except ValueError as error:
        raise ProtocolError(400, f"{where} cannot be read", why=str(error)) from None
