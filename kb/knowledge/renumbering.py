"""The rules of one release by number, and where each of them is in another release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.errors import NotFoundError
from kb.vocab import PREFIXES, HistoryMinter, Minter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyoxigraph import NamedNode

    from kb.knowledge.base import KnowledgeBase

# How sure each link of a moved rule's history must be: below that, some lead to the wrong one of
# the rules that an old one was split into (docs/citations.md has the measurement).
CERTAIN = 0.8
_VERSIONS = """
SELECT ?rule ?number ?text ?wording ?first ?last ?sure
WHERE { ?version a mtg:Version ; dcterms:isVersionOf ?rule ; mtg:number ?number ; mtg:text ?text ;
  mtg:wording ?wording ; mtg:first ?first ; mtg:last ?last ; mtg:confidence ?sure }"""
_BUILT = (
    "SELECT ?number ?text WHERE { ?rule mtg:level ?level ; mtg:number ?number ; mtg:text ?text }"
)


@dataclass(frozen=True, slots=True)
class _Version:
    """A rule as it stood from one place in the history to another."""

    number: str
    text: str
    wording: str
    first: int
    last: int
    sure: float

    def holds(self, place: int) -> bool:
        return self.first <= place <= self.last


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
        names: list[str] = kb.store.manifest.get("history", [])
        if start == end and start not in names:
            return cls(_built(kb, start), {}, frozenset(), frozenset(), frozenset())
        return cls._between(
            _versions(kb), names.index(kb.in_history(start)), names.index(kb.in_history(end))
        )

    @classmethod
    def _between(cls, rules: Iterable[list[_Version]], start: int, end: int) -> Renumbering:
        texts, moved = {}, {}
        edited, gone, unsure = set(), set(), set()
        for versions in rules:
            old = next((version for version in versions if version.holds(start)), None)
            new = next((version for version in versions if version.holds(end)), None)
            if old is None:
                continue
            texts[old.number] = old.text
            if new is None:
                gone.add(old.number)
                continue
            if new.number != old.number:
                moved[old.number] = new.number
            if new.wording != old.wording:
                edited.add(old.number)
            way = range(min(start, end) + 1, max(start, end) + 1)
            if any(version.first in way and version.sure < CERTAIN for version in versions):
                unsure.add(old.number)
        return cls(texts, moved, frozenset(edited), frozenset(gone), frozenset(unsure))

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


def _built(kb: KnowledgeBase, name: str) -> dict[str, str]:
    """Return the numbers of a release that is built in full, with their texts."""
    rows = _solutions(kb, _BUILT, Minter(name, kb.store.manifest["base"]).release)
    return {row["number"].value: row["text"].value for row in rows}


def _versions(kb: KnowledgeBase) -> Iterable[list[_Version]]:
    """Return the versions of each rule of the history."""
    rules: dict[str, list[_Version]] = {}
    for row in _solutions(kb, _VERSIONS, HistoryMinter(kb.store.manifest["base"]).graph):
        rule, number, text, wording, first, last, sure = (term.value for term in row)
        version = _Version(number, text, wording, int(first), int(last), float(sure))
        rules.setdefault(rule, []).append(version)
    return rules.values()


def _solutions(kb: KnowledgeBase, query: str, graph: NamedNode) -> Any:  # noqa: ANN401 - the engine's rows
    return kb.store.query(query, default=[graph], prefixes=PREFIXES)
