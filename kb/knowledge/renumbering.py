"""The rules of one release by number, and where each of them is in another release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.errors import NotFoundError
from kb.vocab import PREFIXES, HistoryMinter, Minter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyoxigraph import NamedNode

    from kb.knowledge.base import KnowledgeBase

# How sure each link of a moved rule's history must be. Over the changes that people paired
# (docs/commands.md), links below that lead to the wrong one of several new rules now and then.
CERTAIN = 0.8
_HELD = """
SELECT ?number ?text
WHERE { ?dated a mtg:Release ; mtg:name "NAME" ; mtg:position ?at .
  ?v a mtg:Version ; mtg:number ?number ; mtg:text ?text ; mtg:first ?first ; mtg:last ?last .
  FILTER(?first <= ?at && ?at <= ?last) }"""
_BUILT = (
    "SELECT ?number ?text WHERE { ?rule mtg:level ?level ; mtg:number ?number ; mtg:text ?text }"
)
_LINKS = """
SELECT ?number ?sure
WHERE { ?old a mtg:Release ; mtg:name "OLD" ; mtg:position ?at .
  ?new a mtg:Release ; mtg:name "NEW" ; mtg:position ?to .
  ?v a mtg:Version ; mtg:number ?number ; mtg:first ?first ; mtg:last ?last ;
    dcterms:isVersionOf ?rule .
  FILTER(?first <= ?at && ?at <= ?last)
  ?link dcterms:isVersionOf ?rule ; mtg:first ?begins ; mtg:confidence ?sure .
  FILTER((?at < ?begins && ?begins <= ?to) || (?to < ?begins && ?begins <= ?at)) }"""


@dataclass(frozen=True)
class Renumbering:
    """The numbers of a release with their texts, and what became of them in another.

    ``moved`` has the new numbers, ``unsure`` those of them whose way is not certain.
    """

    texts: Mapping[str, str]
    moved: Mapping[str, str]
    edited: frozenset[str]
    gone: frozenset[str]
    unsure: frozenset[str]

    @classmethod
    def of(cls, kb: KnowledgeBase, old: str = "latest", new: str = "latest") -> Renumbering:
        """Return the numbers of one release and where they are in another.

        Within one release nothing has moved, and no history is needed.

        Raises:
            NotFoundError: there is no such release, or the history has it not.
        """
        start, end = _meant(kb, old), _meant(kb, new)
        if start == end:
            return cls(_texts(kb, start), {}, frozenset(), frozenset(), frozenset())
        rows = kb.ask("what-changed", {"from": start, "to": end}).rows
        links = _solutions(kb, _LINKS.replace("OLD", start).replace("NEW", end))
        return cls(
            _texts(kb, start),
            {str(r["from"]): str(r["to"]) for r in rows if str(r["change"]).startswith("moved")},
            frozenset(str(r["from"]) for r in rows if str(r["change"]).endswith("edited")),
            frozenset(str(r["from"]) for r in rows if r["change"] == "removed"),
            frozenset(r["number"].value for r in links if float(r["sure"].value) < CERTAIN),
        )

    def now(self, number: str) -> str | None:
        """Return the number that a rule has in the other release, None if it is not there."""
        if number not in self.texts or number in self.gone:
            return None
        return self.moved.get(number, number)


def _meant(kb: KnowledgeBase, asked: str) -> str:
    """Return the name of a release of the history, or else of one that is built in full."""
    try:
        return kb.in_history(asked)
    except NotFoundError as error:
        try:
            return kb.release_name(asked)
        except NotFoundError:
            raise error from None


def _texts(kb: KnowledgeBase, name: str) -> dict[str, str]:
    if name in kb.store.manifest.get("history", []):
        rows = _solutions(kb, _HELD.replace("NAME", name))
    else:
        rows = _solutions(kb, _BUILT, Minter(name, kb.store.manifest["base"]).release)
    return {row["number"].value: row["text"].value for row in rows}


def _solutions(kb: KnowledgeBase, query: str, graph: NamedNode | None = None) -> Any:  # noqa: ANN401 - the engine's rows
    """Return the rows of a query over one graph; the history if none is named."""
    place = graph or HistoryMinter(kb.store.manifest["base"]).graph
    return kb.store.query(query, default=[place], prefixes=PREFIXES)
