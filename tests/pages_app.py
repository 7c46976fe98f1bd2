"""A minimal application with the pages and an endpoint for their queries, for tests."""

from __future__ import annotations

from urllib.parse import parse_qs

from pyoxigraph import QueryResultsFormat, QueryTriples, RdfFormat, serialize
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kb.errors import MtgkbError
from kb.web.pages import page_routes

_ROWS = {"json": QueryResultsFormat.JSON, "csv": QueryResultsFormat.CSV}


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
        return Response(found.serialize(format=_ROWS[form]), media_type=media)

    endpoint = Route("/sparql", sparql, methods=["GET", "POST"])
    app = Starlette(routes=[*page_routes(), endpoint])
    app.state.kb = lambda: kb
    return app
