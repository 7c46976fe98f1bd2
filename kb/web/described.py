"""What the server says of itself: the SPARQL service description, and VoID of the data.

https://www.w3.org/TR/sparql11-service-description/ · https://www.w3.org/TR/void/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from kb.vocab import PREFIXES
from kb.web.resources import graphs, things

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.knowledge import KnowledgeBase

_SD = "http://www.w3.org/ns/sparql-service-description#"
_VOID = "http://rdfs.org/ns/void#"
_FORMATS = "http://www.w3.org/ns/formats/"
_SPOKEN = {**PREFIXES, "sd": _SD, "void": _VOID, "formats": _FORMATS}
_TYPE = NamedNode(PREFIXES["rdf"] + "type")
_RESULTS = (
    *("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV"),
    *("Turtle", "N-Triples", "RDF_XML", "JSON-LD"),
)


def _sd(name: str) -> NamedNode:
    return NamedNode(_SD + name)


def _void(name: str) -> NamedNode:
    return NamedNode(_VOID + name)


def written(triples: Iterable[Triple], form: RdfFormat) -> bytes:
    """Write a description."""
    return serialize(triples, format=form, prefixes=_SPOKEN) or b""


def _count(kb: KnowledgeBase, graph: NamedNode) -> Literal:
    query = "SELECT (COUNT(*) AS ?count) { ?s ?p ?o }"
    (row,) = kb.store.query(query, default=[graph])  # type: ignore[misc]
    found: Literal = row["count"]
    return found


def service(kb: KnowledgeBase, server: str) -> Iterator[Triple]:
    """Describe the endpoint of a server: what it speaks, and which graphs it has."""
    endpoint = NamedNode(f"{server}/sparql")
    dataset, default = BlankNode("dataset"), BlankNode("default")
    yield Triple(endpoint, _TYPE, _sd("Service"))
    yield Triple(endpoint, _sd("endpoint"), endpoint)
    yield Triple(endpoint, _sd("supportedLanguage"), _sd("SPARQL11Query"))
    for name in _RESULTS:
        yield Triple(endpoint, _sd("resultFormat"), NamedNode(_FORMATS + name))
    yield Triple(endpoint, _sd("defaultDataset"), dataset)
    yield Triple(dataset, _TYPE, _sd("Dataset"))
    yield Triple(dataset, _sd("defaultGraph"), default)
    yield Triple(default, _TYPE, _sd("Graph"))
    for number, graph_name in enumerate(graphs(kb), 1):
        named, graph = BlankNode(f"named{number}"), BlankNode(f"graph{number}")
        yield Triple(dataset, _sd("namedGraph"), named)
        yield Triple(named, _TYPE, _sd("NamedGraph"))
        yield Triple(named, _sd("name"), graph_name)
        yield Triple(named, _sd("graph"), graph)
        yield Triple(graph, _TYPE, _sd("Graph"))


def void(kb: KnowledgeBase, server: str) -> Iterator[Triple]:
    """Describe the data: how much there is, where it is asked, examples of what is in it."""
    dataset = NamedNode(f"{server}/.well-known/void#dataset")
    dcterms, literal = PREFIXES["dcterms"], Literal
    yield Triple(dataset, _TYPE, _void("Dataset"))
    title = "A rules knowledge base for Magic: The Gathering"
    yield Triple(dataset, NamedNode(dcterms + "title"), literal(title, language="en"))
    yield Triple(dataset, _void("sparqlEndpoint"), NamedNode(f"{server}/sparql"))
    yield Triple(dataset, _void("uriSpace"), literal(kb.base))
    for prefix in ("mtg", "dcterms", "prov", "skos"):
        yield Triple(dataset, _void("vocabulary"), NamedNode(PREFIXES[prefix]))
    for form in _RESULTS[4:]:
        yield Triple(dataset, _void("feature"), NamedNode(_FORMATS + form))
    for thing in things(kb):
        yield Triple(dataset, _void("exampleResource"), thing)
    total = 0
    for order, graph in enumerate(graphs(kb), 1):
        part = NamedNode(f"{server}/.well-known/void#graph{order}")
        count = _count(kb, graph)
        total += int(count.value)
        yield Triple(dataset, _void("subset"), part)
        yield Triple(part, _TYPE, _void("Dataset"))
        yield Triple(part, NamedNode(dcterms + "source"), graph)
        yield Triple(part, _void("triples"), count)
    yield Triple(dataset, _void("triples"), Literal(total))
