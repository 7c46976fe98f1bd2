"""What each address does: reads the request, has a worker answer, makes the response."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.queries import catalogue
from kb.web import answers, openapi
from kb.web.formats import NAMES, PAGES
from kb.web.frames import Reply
from kb.web.negotiate import preferred, takes_gzip
from kb.web.operations import memory_problem
from kb.web.sparql import ProtocolError, read_request
from kb.web.twins import AT_ONCE
from kb.web.workers import BrokenError, BusyError, TimedOutError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from kb.web.generation import Generation, Generations
    from kb.web.limits import Limits
    from kb.web.metrics import Labels, Metrics
    from kb.web.sparql import SparqlRequest
    from kb.web.workers import Pool

_RESERVED = ("release", "limit", "offset", "format")
_MOST = 10**9
_ORACLE_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The handlers of a server, with what they all need."""

    generations: Generations
    limits: Limits
    metrics: Metrics
    url: str | None

    async def sparql(self, request: Request) -> Response:
        """SPARQL 1.1 Protocol; without a query, the service description."""
        body = await self._body(request) if request.method == "POST" else b""
        content_type = request.headers.get("content-type")
        asked = read_request(request.method, request.scope["query_string"], content_type, body)
        if asked is None:
            return await self._described(request, "service")
        generation: Generation = request.state.generation
        accept = request.headers.get("accept")
        etag = asked.digest(generation.digest, accept or "") if asked.same_each_time else None
        if etag and (same := answers.unchanged(request, etag)):
            self.metrics.count("mtgkb_cached_answers_total", how="etag")
            return same
        order = {
            "op": "sparql",
            "sparql": asked.as_json(),
            "accept": accept,
            "gzip": takes_gzip(request.headers.get("accept-encoding")),
        }
        reply = await self._asked(request, generation.queries, order)
        self._counted(request, asked, reply)
        return answers.answer(request, reply, etag)

    def _counted(self, request: Request, asked: SparqlRequest, reply: Reply) -> None:
        how = {200: "answered", 400: "malformed", 403: "refused", 504: "time", 422: "memory"}
        self.metrics.count("mtgkb_queries_total", outcome=how.get(reply.status, "other"))
        if "Mtgkb-Truncated" in reply.headers:
            self.metrics.count("mtgkb_cut_answers_total")
        request.scope["mtgkb"]["query"] = _digest(asked.query)[:12]

    async def _asked(self, request: Request, pool: Pool, order: dict[str, Any]) -> Reply:
        """Have a worker answer; stop it if the client leaves.

        Raises:
            ProtocolError: all workers are busy.
        """
        client = request.client.host if request.client else ""
        asking = asyncio.create_task(pool.ask(order, client))
        try:
            done, _ = await asyncio.wait({asking}, timeout=self.limits.slow_after)
            if not done:
                leaving = asyncio.create_task(_left(request))
                try:
                    await asyncio.wait({asking, leaving}, return_when=asyncio.FIRST_COMPLETED)
                    if not asking.done():
                        raise ProtocolError(499, "the client has left")
                finally:
                    leaving.cancel()
            return asking.result()
        except BusyError:
            raise ProtocolError(
                503, "all workers are busy", why="the limit of those that wait is reached"
            ) from None
        except TimedOutError:
            return _stopped(self.limits)
        except BrokenError:
            return Reply(422, headers={"Mtgkb-Limit": "memory"}, problem=memory_problem())
        finally:
            if not asking.done():
                asking.cancel()
                await asyncio.wait({asking})

    async def page(self, request: Request) -> Response:
        """Answer the address of a thing of the graph."""
        media = request.scope.get("mtgkb_media") or _named(request)
        media = media or preferred(request.headers.get("accept"), PAGES)
        path = request.scope["mtgkb_path"]
        order = {
            "op": "page",
            "path": path,
            "media": media,
            "accept": request.headers.get("accept"),
            "suffix": request.scope.get("mtgkb_suffix", ""),
            "offset": _whole(request, "offset", 0),
        }
        return await self._kept(request, order, looks=not _is_name(request))

    async def _kept(
        self, request: Request, order: dict[str, Any], *, looks: bool = False
    ) -> Response:
        """Answer from what is kept, or have a worker answer and keep it.

        ``looks`` says that it takes a few look-ups only: it then goes where no query can be in
        its way.
        """
        generation: Generation = request.state.generation
        order["gzip"] = takes_gzip(request.headers.get("accept-encoding"))
        if order.get("media"):
            order["accept"] = None  # it has done its work, and would only split the cache
        key = json.dumps(order, sort_keys=True)
        etag = f"{generation.digest}-{_digest(key)}"
        if same := answers.unchanged(request, etag):
            self.metrics.count("mtgkb_cached_answers_total", how="etag")
            return same
        reply = generation.kept(key)
        if reply is None:
            pool = generation.reading if looks else generation.queries
            reply = await self._asked(request, pool, order)
            if reply.problem is None:
                generation.keep(key, reply)
        else:
            self.metrics.count("mtgkb_cached_answers_total", how="kept")
        return answers.answer(request, reply, etag)

    async def listing(self, request: Request) -> Response:
        """List releases, rules, terms, cards or questions."""
        order = {
            "op": "list",
            "what": request.scope["mtgkb"]["route"],
            "release": request.path_params.get("release"),
            **_pagination(request),
        }
        return await self._kept(request, order, looks=False)

    async def ask(self, request: Request) -> Response:
        """Answer a question of the catalogue."""
        given = {k: v for k, v in request.query_params.items() if k not in _RESERVED}
        order = {
            "op": "ask",
            "question": request.path_params["question"],
            "parameters": given,
            "release": request.query_params.get("release"),
            **_pagination(request),
        }
        generation: Generation = request.state.generation
        order["gzip"] = takes_gzip(request.headers.get("accept-encoding"))
        etag = f"{generation.digest}-{_digest(json.dumps(order, sort_keys=True))}"
        if same := answers.unchanged(request, etag):
            return same
        reply = await self._asked(request, generation.queries, order)
        return answers.answer(request, reply, etag)

    async def void(self, request: Request) -> Response:
        """Describe the data."""
        return await self._described(request, "void")

    async def _described(self, request: Request, what: str) -> Response:
        order = {
            "op": "void",
            "what": what,
            "server": answers.server_url(request, self.url),
            "accept": request.headers.get("accept"),
            "form": request.query_params.get("format"),
        }
        return await self._kept(request, order)

    async def home(self, request: Request) -> Response:
        """Say what is here."""
        generation: Generation = request.state.generation
        return answers.as_json(
            request,
            {
                "name": "mtgkb",
                "base": generation.knowledge.base,
                "newest_release": generation.knowledge.release_name(),
                "addresses": {e.name: e.path for e in openapi.ENDPOINTS},
                "questions": len(catalogue()),
            },
        )

    async def openapi(self, request: Request) -> Response:
        """Describe the addresses as OpenAPI 3.1."""
        url = answers.server_url(request, self.url)
        return answers.as_json(request, openapi.document(url, self.limits))

    async def health(self, request: Request) -> Response:
        """Say whether questions can be answered."""
        generation: Generation = request.state.generation
        counts = {"queries": generation.queries.counts(), "reading": generation.reading.counts()}
        well = all(count["workers"] for count in counts.values())
        content = {
            "status": "ok" if well else "starting",
            "generation": generation.name,
            "newest_release": generation.knowledge.release_name(),
            "pools": counts,
        }
        return answers.as_json(request, content, 200 if well else 503)

    async def show_metrics(self, request: Request) -> Response:
        """Give the counts to Prometheus."""
        generation: Generation = request.state.generation
        gauges: dict[tuple[str, Labels], float] = {
            ("mtgkb_open", (("generation", generation.name),)): 1
        }
        for pool, counts in (
            ("queries", generation.queries.counts()),
            ("reading", generation.reading.counts()),
        ):
            gauges["mtgkb_waiting", (("pool", pool),)] = counts["waiting"]
            for state in ("workers", "idle", "slow"):
                labels = (("pool", pool), ("state", "all" if state == "workers" else state))
                gauges["mtgkb_workers", labels] = counts[state]
        text = self.metrics.text(gauges)
        return answers.small(request, text.encode(), "text/plain; version=0.0.4; charset=utf-8")

    async def _body(self, request: Request) -> bytes:
        """Read a request's body.

        Raises:
            ProtocolError: it is too long, or comes too slowly.
        """
        most = self.limits.body_bytes
        content = bytearray()
        try:
            async with asyncio.timeout(self.limits.head_seconds):
                if int(request.headers.get("content-length") or 0) > most:
                    raise _too_long(most)
                async for chunk in request.stream():
                    content += chunk
                    if len(content) > most:
                        raise _too_long(most)
        except TimeoutError:
            raise ProtocolError(408, "the body came too slowly") from None
        return bytes(content)


def _too_long(most: int) -> ProtocolError:
    return ProtocolError(413, f"the body is longer than {most} bytes", hint="send less")


def _stopped(limits: Limits) -> Reply:
    error = ProtocolError(
        504,
        f"the query ran longer than {limits.seconds:g} seconds, and was stopped",
        hint="ask for less at a time: name more, join less, add a LIMIT",
    )
    limit = f"seconds={limits.seconds:g}"
    return Reply(504, headers={"Mtgkb-Limit": limit}, problem={**error.as_json(), "limit": limit})


def _is_name(request: Request) -> bool:
    """Tell whether a card is asked for by a name, which may have to be guessed, not by its id."""
    card = request.path_params.get("card")
    return card is not None and not _ORACLE_ID.fullmatch(card)


async def _left(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _named(request: Request) -> str | None:
    """Return the media type that ``format=`` names, if a page has it."""
    media = NAMES.get(request.query_params.get("format", ""))
    return media if media in PAGES else None


def _whole(request: Request, name: str, default: int) -> int:
    """Return a parameter that is a whole number.

    Raises:
        ProtocolError: it is none.
    """
    text = request.query_params.get(name, str(default))
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) > _MOST:  # noqa: PLR2004
        raise ProtocolError(400, f"{name} is a whole number, not {text[:40]!r}")
    return int(text)


def _pagination(request: Request) -> dict[str, int]:
    limit = _whole(request, "limit", AT_ONCE)
    if limit == 0:
        raise ProtocolError(400, "limit is at least 1")
    return {"limit": limit, "offset": _whole(request, "offset", 0)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
