"""The media types that the server speaks, and their short names."""

from __future__ import annotations

from pyoxigraph import RdfFormat

HTML = "text/html"
JSON = "application/json"
TURTLE = "text/turtle"
TEXT = "text/plain"
SPARQL_JSON = "application/sparql-results+json"
SPARQL_XML = "application/sparql-results+xml"
CSV = "text/csv"
TSV = "text/tab-separated-values"

GRAPHS: dict[str, RdfFormat] = {
    TURTLE: RdfFormat.TURTLE,
    "application/ld+json": RdfFormat.JSON_LD,
    "application/n-triples": RdfFormat.N_TRIPLES,
    "application/rdf+xml": RdfFormat.RDF_XML,
}
"""The media types of graphs, the server's favourite first."""

ROWS: dict[str, str] = {
    SPARQL_JSON: "json",
    SPARQL_XML: "xml",
    CSV: "csv",
    TSV: "tsv",
    # What clients ask for that know no better name.
    JSON: "json",
    "application/xml": "xml",
    "text/xml": "xml",
}
"""The media types of rows, and the writer of each."""

MORE_GRAPHS: dict[str, RdfFormat] = {
    "application/x-turtle": RdfFormat.TURTLE,
    "text/n3": RdfFormat.TURTLE,
    JSON: RdfFormat.JSON_LD,
    "application/xml": RdfFormat.RDF_XML,
    "text/xml": RdfFormat.RDF_XML,
    TEXT: RdfFormat.N_TRIPLES,
}
"""Other names under which a query's graph is asked for."""

NAMES: dict[str, str] = {
    "ttl": TURTLE,
    "turtle": TURTLE,
    "jsonld": "application/ld+json",
    "json-ld": "application/ld+json",
    "nt": "application/n-triples",
    "ntriples": "application/n-triples",
    "n-triples": "application/n-triples",
    "rdf": "application/rdf+xml",
    "html": HTML,
    "json": JSON,
    "xml": "application/xml",
    "csv": CSV,
    "tsv": TSV,
}
"""Short names: what ``format=`` and a page's suffix may say."""

SUFFIXES = ("ttl", "jsonld", "nt", "rdf", "json", "html")
"""The suffixes of a page's address."""

PAGES = (*GRAPHS, JSON, HTML)
"""What a page of linked data is offered as."""


def with_charset(media: str) -> str:
    """Return a media type as Content-Type says it."""
    return f"{media}; charset=utf-8" if media.startswith("text/") else media
