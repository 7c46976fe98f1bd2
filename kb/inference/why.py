"""Why a fact is in the graph: the statement or citation, the rule that inferred it, its premises.

Everything is read from the graph: ``mtg:inferredBy`` names the rule, ``prov:wasDerivedFrom``
the premises (PROV-O, W3C Recommendation 2013), down to sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from kb.inference.rules import inference_rules
from kb.vocab import PREFIXES, C, P

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyoxigraph import QuerySolutions

    Select = Callable[[str], QuerySolutions]

_DEEPEST = 20  # a chain of more steps than there are strata would be one in a circle


@dataclass(frozen=True, slots=True)
class Premise:
    """A fact with what it rests on.

    ``kind`` is a statement's kind, ``citation``, ``rule``, ``term`` or ``version``; ``source``
    the rule's number, ``glossary:Term``, or a ruling's card and date; ``quote`` the sentence.
    ``inferred_by`` names the inference rule, and ``because`` says what it does, or how a
    version was linked to the one before; both are None where the text itself says so.
    """

    node: str
    kind: str
    subject: str | None
    value: str | None
    source: str | None
    quote: str | None
    inferred_by: str | None = None
    because: str | None = None
    premises: tuple[Premise, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the fact as ``--format json`` prints it; what there is none of is left out."""
        fields = {
            "kind": self.kind,
            "subject": self.subject,
            "value": self.value,
            "source": self.source,
            "quote": self.quote,
            "inferred_by": self.inferred_by,
            "because": self.because,
            "premises": [premise.as_json() for premise in self.premises],
            "node": self.node,
        }
        return {name: value for name, value in fields.items() if value not in (None, [], "")}


def explain(select: Select, node: str, _above: tuple[str, ...] = ()) -> Premise | None:
    """Return why a statement, citation, rule or term is in the graph; None if it is not.

    Args:
        select: runs a SPARQL SELECT over the release, its inferences and the cards.
        node: its IRI.
    """
    found = _described(select, node)
    if not found:
        return None
    kinds = found.get(P.TYPE.node.value, [])
    rule_id = _first(found, P.INFERRED_BY)
    premises: tuple[Premise, ...] = ()
    if len(_above) < _DEEPEST:
        below = (explain(select, iri, (*_above, node)) for iri in _premises(found, _above, node))
        premises = tuple(premise for premise in below if premise is not None)
    return Premise(
        node,
        _kind(kinds, found),
        _name(select, _first(found, P.SUBJECT)),
        _name(select, _first(found, P.VALUE)) or _first(found, P.TEXT, C.CITATION, kinds),
        _source(select, found, kinds),
        _first(found, P.QUOTE)
        or _first(found, P.TEXT, C.RULE, kinds)
        or _first(found, P.TEXT, C.TERM, kinds),
        rule_id,
        next((rule.summary for rule in inference_rules() if rule.id == rule_id), None),
        premises,
    )


Described = dict[str, list[str]]


def _described(select: Select, node: str) -> Described:
    found: Described = {}
    for solution in select(f"SELECT ?p ?o WHERE {{ {NamedNode(node)} ?p ?o }} ORDER BY ?p ?o"):
        found.setdefault(solution["p"].value, []).append(solution["o"].value)
    return found


def _premises(found: Described, above: tuple[str, ...], node: str) -> Iterable[str]:
    seen = {*above, node}
    return (iri for iri in found.get(P.DERIVED_FROM.node.value, []) if iri not in seen)


def _first(
    found: Described, prop: P, only: C | None = None, kinds: Iterable[str] = ()
) -> str | None:
    if only is not None and only.node.value not in kinds:
        return None
    return next(iter(found.get(prop.node.value, [])), None)


def _kind(kinds: list[str], found: Described) -> str:
    if C.STATEMENT.node.value in kinds:
        return _first(found, P.KIND) or "statement"
    return kinds[0].rpartition("#")[2].lower() if kinds else "node"


def _name(select: Select, term: str | None) -> str | None:
    """Return words as they are, and of a rule or term its label."""
    if term is None or "://" not in term:
        return term
    labels = select(f"SELECT ?label WHERE {{ {NamedNode(term)} {P.LABEL.node} ?label }}")
    return next((solution["label"].value for solution in labels), term)


def _source(select: Select, found: Described, kinds: list[str]) -> str | None:
    place = _first(found, P.QUOTED_FROM) or _first(found, P.CITED_IN)
    if place is None:
        return _first(found, P.LABEL, C.RULE, kinds) or _first(found, P.LABEL, C.TERM, kinds)
    rulings = select(
        f"SELECT ?card ?date WHERE {{ {NamedNode(place)} {P.RULING_ON.node} "
        f"[ {P.NAME.node} ?card ] ; {P.DATE.node} ?date }} ORDER BY ?date"
    )
    of_card = [f"{solution['card'].value}, {solution['date'].value}" for solution in rulings]
    return of_card[0] if of_card else _name(select, place)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a triple holds: ``how`` is ``asserted``, ``stated``, ``cited`` or ``inferred``."""

    how: str
    fact: Premise | None = None
    rule: str | None = None
    because: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return the reason as ``--format json`` prints it."""
        fields = {"how": self.how, "rule": self.rule, "because": self.because}
        shown: dict[str, object] = {name: value for name, value in fields.items() if value}
        return {**shown, "fact": self.fact.as_json()} if self.fact else shown


_SHORTCUTS = {
    P.EXCEPTION_TO.node: "exception",
    P.ONLY_CARD.node: "single-card",
    P.REPLACED_BY.node: "replaced-by",
}


def _behind(subject: NamedNode, predicate: NamedNode, value: str) -> list[tuple[str, str]]:
    """Return how the nodes are found that an edge is the short cut of."""
    if predicate == P.REFERENCES.node:
        return [("cited", f"?node {P.CITED_IN.node} {subject} ; {P.CITES.node} {value}")]
    if (kind := _SHORTCUTS.get(predicate)) is not None:
        of_kind = f'?node {P.KIND.node} "{kind}" ; {P.SUBJECT.node} {subject}'
        return [("stated", f"{of_kind} ; {P.VALUE.node} {value}")]
    return []


def reasons(select: Select, subject: NamedNode, predicate: NamedNode, value: str) -> list[Reason]:
    """Return why a triple is in the graph; none where it is not there.

    Args:
        select: runs a SPARQL SELECT over the release, its inferences and the cards.
        subject: the triple's subject.
        predicate: its predicate.
        value: its object as SPARQL writes it (an IRI in angle brackets, a literal in quotes).

    The short-cut edges are explained by the statement or citation behind them, a derived
    statement's own properties by its derivation.
    """
    if not list(select(f"SELECT * WHERE {{ {subject} {predicate} {value} }} LIMIT 1")):
        return []
    found = []
    for how, pattern in _behind(subject, predicate, value):
        for solution in select(f"SELECT DISTINCT ?node WHERE {{ {pattern} }} ORDER BY ?node"):
            fact = explain(select, solution["node"].value)
            is_inferred = fact is not None and fact.inferred_by is not None
            found.append(Reason("inferred" if is_inferred else how, fact))
    if found:
        return found
    own = explain(select, subject.value)
    if own is not None and own.inferred_by is not None:
        return [Reason("inferred", own)]
    name = predicate.value.removeprefix(PREFIXES["mtg"])
    makers = [rule for rule in inference_rules() if name in rule.makes]
    if makers:
        return [Reason("inferred", None, rule.id, rule.summary) for rule in makers]
    return [Reason("asserted", own)]
