"""What one would write with rdflib in an afternoon: a graph in memory behind starlette.

`python -m benchmarks.rdflib_server FILE.nt` prints the port. There is no time limit, as rdflib
has none.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import uvicorn
from rdflib import Graph, URIRef
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from kb.vocab import BASE, PREFIXES
from kb.web.serving import listening

if TYPE_CHECKING:
    from starlette.requests import Request


def application(graph: Graph) -> Starlette:
    """Return an application that answers queries and addresses of things."""

    def sparql(request: Request) -> Response:
        result = graph.query(request.query_params["query"], initNs=PREFIXES)
        return Response(result.serialize(format="json"), media_type="application/json")

    def thing(request: Request) -> Response:
        node = URIRef(BASE + request.path_params["path"])
        form = "json-ld" if "json" in request.headers["accept"] else "turtle"
        return Response(graph.cbd(node).serialize(format=form, encoding="utf-8"))

    return Starlette(routes=[Route("/sparql", sparql), Route("/{path:path}", thing)])


if __name__ == "__main__":
    found = Graph().parse(sys.argv[1], format="nt")
    listener = listening("127.0.0.1", 0)
    print(f"at http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
    config = uvicorn.Config(application(found), log_level="error", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])
