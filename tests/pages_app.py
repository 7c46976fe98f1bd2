"""A minimal application with the pages and an endpoint for their queries, and visitors of it."""

from __future__ import annotations

import re
import threading
import time
from contextlib import contextmanager
from html import unescape
from urllib.parse import parse_qs, urldefrag

import anyio
import httpx
from pyoxigraph import QueryResultsFormat, QueryTriples, RdfFormat, serialize
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kb.errors import MtgkbError
from kb.web.pages import page_routes

_FORMS = {"json": QueryResultsFormat.JSON, "csv": QueryResultsFormat.CSV}
_LINK = re.compile(r'<a\b[^>]*?href="([^"]+)"')
_ID = re.compile(r'\bid="([^"]+)"')


def pages_app(kb):
    """Return an application that shows a knowledge base."""

    async def sparql(request):
        sent = parse_qs((await request.body()).decode())
        given = {**request.query_params, **{name: values[0] for name, values in sent.items()}}
        try:
            found = kb.sparql(given["query"], given.get("release"))
        except MtgkbError as error:
            return JSONResponse(error.as_json(), 400)
        if isinstance(found, QueryTriples):
            content = serialize(found, format=RdfFormat.N_TRIPLES)
            return Response(content, media_type="application/n-triples")
        form = given.get("format", "json")
        media = "text/csv" if form == "csv" else "application/sparql-results+json"
        headers = {"Content-Disposition": "attachment"} if form == "csv" else {}
        return Response(found.serialize(format=_FORMS[form]), 200, headers, media)

    app = Starlette(routes=[*page_routes(), Route("/sparql", sparql, methods=["GET", "POST"])])
    app.state.kb = lambda: kb
    return app


class Visitor:
    """Asks an application without a socket."""

    def __init__(self, kb):
        self.app = pages_app(kb)

    def ask(self, method, path, **given):
        async def answer():
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                return await client.request(method, path, follow_redirects=True, **given)

        return anyio.run(answer)

    def get(self, path, **headers):
        return self.ask("GET", path, headers=headers)

    def page(self, path):
        """Return a page's HTML, which must be there."""
        answer = self.get(path, accept="text/html")
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:500])
        return answer.text

    def post(self, path, **fields):
        return self.ask("POST", path, data=fields)


def links(html):
    """Yield the addresses of a page's links on the same server, and the place in each."""
    for address in _LINK.findall(html):
        page, place = urldefrag(unescape(address))
        if not page or page.startswith("/"):
            yield page, place


def ids(html):
    """Return the places in a page that a link may lead to."""
    return _ID.findall(html)


@contextmanager
def serving(kb):
    """Serve a knowledge base's pages until the block ends; gives the address."""
    import uvicorn

    config = uvicorn.Config(pages_app(kb), port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)
