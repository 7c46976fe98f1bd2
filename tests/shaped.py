"""The vocabulary and its shapes held against graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph
import pyshacl
from rdflib import OWL, RDF, RDFS, SH, SKOS, XSD, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection

from kb import resources
from kb.triples import reading_quads
from kb.vocab import NAMESPACE, C, P

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyoxigraph import Quad

    from kb.records import Reading

MTG = Namespace(NAMESPACE)
DCTERMS = Namespace("http://purl.org/dc/terms/")
PROV = Namespace("http://www.w3.org/ns/prov#")
ONTOLOGY = URIRef(NAMESPACE.removesuffix("#"))
SHAPES = Namespace(f"{ONTOLOGY}/shapes#")
OWN_CLASSES = sorted(c.node.value for c in C if c.value.startswith("mtg:"))
OWN_PROPERTIES = sorted(p.node.value for p in P if p.value.startswith("mtg:"))


def read_turtle(name: str) -> Graph:
    """Return the graph of a shipped file of Turtle."""
    return Graph().parse(resources.path(f"rules/{name}.ttl"))


def graph_of(reading: Reading) -> Graph:
    """Return the graph of a release."""
    return graph_with(reading_quads(reading))


def graph_with(quads: Iterable[Quad]) -> Graph:
    """Return one graph of quads, whatever graphs they are of."""
    triples = (quad.triple for quad in quads)
    data = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
    return Graph().parse(data=data.decode(), format="nt")


def for_what_is_inferred(shapes: Graph) -> Graph:
    """Return the shapes of inferred statements alone."""
    chosen = shapes + Graph()
    chosen.remove((None, SH.targetClass, None))
    chosen.remove((None, SH.targetSubjectsOf, None))
    for name in ("Statement", "InferredStatement"):
        chosen.add((SHAPES[name], SH.targetSubjectsOf, MTG.inferredBy))
    return chosen


def faults(graph: Graph, shapes: Graph) -> set[tuple[object, object]]:
    """Return what a validation finds, as pairs of node and path."""
    conforms, report, _ = pyshacl.validate(graph, shacl_graph=shapes)
    found = {
        (report.value(result, SH.focusNode), report.value(result, SH.resultPath))
        for result in report.subjects(RDF.type, SH.ValidationResult)
    }
    assert conforms == (not found)
    return found


def values_of(vocabulary: Graph, name: str) -> list[URIRef]:
    """Return the values of a list that the vocabulary documents."""
    return list(vocabulary.subjects(SKOS.inScheme, ONTOLOGY + "/" + name))  # type: ignore[arg-type]


def listed(vocabulary: Graph, name: str) -> set[str]:
    """Return the words that a list of the vocabulary documents."""
    return {str(vocabulary.value(v, SKOS.notation)) for v in values_of(vocabulary, name)}


def classes_of(vocabulary: Graph, node: URIRef | None) -> set[object]:
    """Return the classes of a domain or range: itself, or the members of a union."""
    union = vocabulary.value(node, OWL.unionOf)
    return {node} if union is None else set(Collection(vocabulary, union))


def misfits(vocabulary: Graph, graph: Graph) -> Iterator[tuple[object, object, object]]:
    """Yield the triples whose subject or value is none that the vocabulary allows."""
    for name in map(URIRef, OWN_PROPERTIES):
        domain = classes_of(vocabulary, vocabulary.value(name, RDFS.domain))
        values = classes_of(vocabulary, vocabulary.value(name, RDFS.range))
        for subject, value in graph.subject_objects(name):
            if isinstance(value, Literal):
                plain = RDF.langString if value.language else XSD.string
                types = {value.datatype or plain, RDFS.Resource}
            else:
                types = {*graph.objects(value, RDF.type), RDFS.Resource}
            if not (types & values and set(graph.objects(subject, RDF.type)) & domain):
                yield name, subject, value
