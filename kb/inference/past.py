"""Why a row of history is as it is: a version's releases, and how it was linked to the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from kb.inference.why import Premise
from kb.vocab import C, P

if TYPE_CHECKING:
    from kb.inference.why import Select

_HOW = {"same": "by the same wording", "alike": "by likeness"}


def explain_past(select: Select, node: str) -> Premise | None:
    """Return what the history knows of a version of a rule or term, or of a stale reference.

    Args:
        select: runs a SPARQL SELECT over the graph of history.
        node: its IRI; of one that is none of these, None is returned.
    """
    iri = NamedNode(node)
    rows = select(f"SELECT ?p ?o WHERE {{ {iri} ?p ?o }}")
    found = {row["p"].value: row["o"].value for row in rows}
    kind = found.get(P.TYPE.node.value)
    if kind == C.STALE.node.value:
        return _stale(select, iri, found)
    if kind not in (C.VERSION.node.value, C.TERM_VERSION.node.value):
        return None
    first, last = (_release(select, found[p.node.value]) for p in (P.FIRST, P.LAST))
    is_rule = kind == C.VERSION.node.value
    return Premise(
        node,
        "version" if is_rule else "term version",
        found[(P.NUMBER if is_rule else P.NAME).node.value],
        first if first == last else f"{first} to {last}",
        None,
        found[P.TEXT.node.value],
        because=_link(select, iri, found) if is_rule else found.get(P.CHANGE.node.value),
    )


def _link(select: Select, iri: NamedNode, found: dict[str, str]) -> str:
    """Return how a version of a rule was found to go on from the one before."""
    before = select(
        f"SELECT ?number ?last WHERE {{ {iri} {P.REVISION_OF.node} ?before . "
        f"?before {P.NUMBER.node} ?number ; {P.LAST.node} ?last }}"
    )
    for row in before:
        release = _release(select, row["last"].value)
        how = _HOW[found[P.METHOD.node.value]]
        sure = found[P.CONFIDENCE.node.value]
        return f"goes on from {row['number'].value} of {release} {how}, confidence {sure}"
    return "the first that is known of it"


def _stale(select: Select, iri: NamedNode, found: dict[str, str]) -> Premise:
    """Return which rule a reference meant that was left behind."""
    right = found[P.RIGHT_UNTIL.node.value]
    rule = NamedNode(found[P.MEANT.node.value])
    meant = select(
        f"SELECT ?text WHERE {{ ?version {P.VERSION_OF.node} {rule} ; "
        f"{P.TEXT.node} ?text ; {P.FIRST.node} ?first ; {P.LAST.node} ?last . "
        f"FILTER(?first <= {right} && {right} <= ?last) }}"
    )
    return Premise(
        iri.value,
        "stale reference",
        found[P.CITED_NUMBER.node.value],
        None,
        None,
        next((row["text"].value for row in meant), None),
        because=f"the number of this rule until {_release(select, right)}",
    )


def _release(select: Select, place: str) -> str:
    """Return the name of the release at a place in the history."""
    rows = select(
        f"SELECT ?name WHERE {{ ?release {P.POSITION.node} {place} ; a {C.RELEASE.node} ; "
        f"{P.NAME.node} ?name }}"
    )
    return next((row["name"].value for row in rows), place)
