"""What follows from one release, against pySHACL's SPARQL rules and owlrl on the same graph."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import alternately, clock, measured, subject
from benchmarks.tables import Row, Table

TIMES = 3
LIMIT = 150


def prepare(path: str, file: str) -> dict[str, Any]:
    """Write a release's asserted graph as N-Quads."""
    from pyoxigraph import RdfFormat, serialize

    from kb.knowledge import read_release
    from kb.source import read_source
    from kb.triples import reading_quads

    reading = read_release(read_source(Path(path)))
    serialize(reading_quads(reading), file, format=RdfFormat.N_QUADS)
    return {"release": reading.rulebook.release.name}


def statements(path: str, _: str) -> dict[str, Any]:
    """Read the statements of a release's sentences; records are read before, untimed."""
    from kb.rulebook import read_rulebook
    from kb.source import read_source
    from kb.statements import Lexicon, read_rule_statements

    book, _problems = read_rulebook(read_source(Path(path)))
    lexicon = Lexicon.of(book)
    with clock() as time:
        found = sum(len(read_rule_statements(rule, lexicon)) for rule in book.rules)
    return {"seconds": time.seconds, "statements": found}


def fixpoint(file: str, name: str) -> dict[str, Any]:
    """Run all inference rules to a fixpoint."""
    return _infer(file, name, every=True)


def parts(file: str, name: str) -> dict[str, Any]:
    """Run only the rule of what is within what."""
    return _infer(file, name, every=False)


def _infer(file: str, name: str, *, every: bool) -> dict[str, Any]:
    from pyoxigraph import RdfFormat, parse

    from kb.inference import infer, inference_rules
    from kb.vocab import Minter

    quads = list(parse(path=file, format=RdfFormat.N_QUADS))
    rules = [rule for rule in inference_rules() if every or rule.id == "within"]
    with clock() as time:
        inferred = infer(quads, Minter(name).release, rules)
    return {"seconds": time.seconds, "quads": len(inferred.quads)}


def by_pyshacl(file: str, _: str) -> dict[str, Any]:
    """Run the same CONSTRUCTs as SHACL-AF SPARQL rules (W3C Note, 2017), to a fixpoint."""
    from pyshacl import shacl_rules
    from rdflib import BNode, Graph, Literal, Namespace, URIRef

    from kb.inference import inference_rules, strata
    from kb.vocab import PREFIXES

    sh = Namespace("http://www.w3.org/ns/shacl#")
    kind = URIRef(PREFIXES["rdf"] + "type")
    shapes, shape = Graph(), URIRef("urn:all")
    shapes.add((shape, kind, sh.NodeShape))
    shapes.add((shape, sh.targetClass, URIRef(PREFIXES["mtg"] + "Release")))
    for order, stratum in enumerate(strata(inference_rules())):
        for rule in stratum:
            node = BNode()
            shapes.add((shape, sh.rule, node))
            shapes.add((node, kind, sh.SPARQLRule))
            shapes.add((node, sh.construct, Literal(rule.sparql)))
            shapes.add((node, sh.order, Literal(order)))
    graph = Graph().parse(_triples(file), format="nt")
    before = len(graph)
    with clock() as time:
        after = shacl_rules(graph, shacl_graph=shapes, advanced=True, inplace=True)
    return {"seconds": time.seconds, "quads": len(after) - before}


def by_owlrl(file: str, _: str) -> dict[str, Any]:
    """Close the graph under OWL 2 RL with being part of something as a transitive property."""
    import owlrl
    from rdflib import OWL, RDF, Graph, URIRef

    from kb.vocab import PREFIXES

    graph = Graph().parse(_triples(file), format="nt")
    part_of = URIRef(PREFIXES["dcterms"] + "isPartOf")
    graph.add((part_of, RDF.type, OWL.TransitiveProperty))
    before = len(graph)
    with clock() as time:
        owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    return {"seconds": time.seconds, "quads": len(graph) - before}


def _triples(file: str) -> str:
    from pyoxigraph import RdfFormat, parse, serialize

    target = f"{file}.nt"
    triples = (quad.triple for quad in parse(path=file, format=RdfFormat.N_QUADS))
    serialize(triples, target, format=RdfFormat.N_TRIPLES)
    return target


def _limited(function: str, *arguments: str) -> tuple[dict[str, Any], bool]:
    """Measure an alternative; one that takes too long is stopped, and reports the limit."""
    try:
        return measured("benchmarks.inferring", function, *arguments, limit=LIMIT), False
    except subprocess.TimeoutExpired:
        return {"seconds": float(LIMIT), "quads": 0, "peak": 0.0}, True


def run() -> Table:
    text = subject()
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "release.nq")
        name = str(measured("benchmarks.inferring", "prepare", str(text.path), file)["release"])
        module = "benchmarks.inferring"
        read = measured(module, "statements", str(text.path), "")
        ours, within = alternately(TIMES, module, "fixpoint", "parts", arguments=[file, name])
        shacl, over = _limited("by_pyshacl", file, name)
        owl, over_owl = _limited("by_owlrl", file, name)
    seconds, found = read["seconds"], int(read["statements"])
    return Table(
        "Inference",
        f"What follows from {text.name}: {found:,} statements read off its sentences in "
        f"{seconds:.1f} s, then all rules of `queries/infer` to a fixpoint, and the one rule of "
        f"what is within what by itself; median of {TIMES} for mtgkb, one run for the others, "
        f"stopped after {LIMIT} s. pySHACL runs the same CONSTRUCTs as SHACL rules. owlrl knows "
        "no such rules: it makes `dcterms:isPartOf` transitive, and everything else that OWL 2 RL "
        "gives besides.",
        "alternative",
        (
            Row(
                "all rules: pySHACL, time",
                ours["seconds"] * 1e3,
                shacl["seconds"] * 1e3,
                "ms",
                above=over,
                remark=f"{int(ours['quads']):,} triples, pySHACL {int(shacl['quads']):,}",
            ),
            Row(
                "within: owlrl, time",
                within["seconds"] * 1e3,
                owl["seconds"] * 1e3,
                "ms",
                above=over_owl,
                remark=f"{int(within['quads']):,} triples, owlrl {int(owl['quads']):,}",
            ),
            Row(
                "all rules: pySHACL, peak memory", ours["peak"], shacl["peak"] or ours["peak"], "MB"
            ),
            Row("within: owlrl, peak memory", within["peak"], owl["peak"] or within["peak"], "MB"),
        ),
    )


if __name__ == "__main__":
    print(run().markdown())
