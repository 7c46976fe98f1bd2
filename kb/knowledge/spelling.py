"""A spell-checker for rule numbers: what the citations in a text mean, and where that is now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.citations import find_citations, folded_title
from kb.knowledge.fitting import Fitting, rule_of
from kb.vocab import PREFIXES, HistoryMinter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kb.knowledge.base import KnowledgeBase
    from kb.records import Citation

FINE, MISSING, MOVED, EDITED, GONE, SUSPECT = (
    "fine",
    "missing",
    "moved",
    "edited",
    "gone",
    "suspect",
)
_NUMBERS = """
SELECT ?number ?text
WHERE { ?dated a mtg:Release ; mtg:name ?name ; mtg:position ?at .
  ?v a mtg:Version ; mtg:number ?number ; mtg:text ?text ; mtg:first ?first ; mtg:last ?last .
  FILTER(?name = "NAME" && ?first <= ?at && ?at <= ?last) }"""


@dataclass(frozen=True, slots=True)
class Checked:
    """A citation found in a text: where it stands, what it names, and how that is.

    ``line`` and ``column`` count from 1, ``start`` and ``end`` are offsets in the text.
    ``now`` has the numbers of today, None for one that is gone or missing; ``suggestion`` is
    what may be put in its place, None where that is not certain.
    """

    line: int
    column: int
    start: int
    end: int
    string: str
    rules: tuple[str, ...]
    status: str
    now: tuple[str | None, ...] = ()
    suggestion: str | None = None


@dataclass(frozen=True)
class Speller:
    """The numbers of a release, and where each rule is in another one."""

    texts: Mapping[str, str]
    moved: Mapping[str, str]
    edited: frozenset[str]
    gone: frozenset[str]
    titles: Mapping[str, str]
    fitting: Fitting

    @classmethod
    def of(cls, kb: KnowledgeBase, old: str, new: str = "latest") -> Speller:
        """Return the speller from one release of the history to another.

        Raises:
            NotFoundError: the history has no such release.
        """
        rows = kb.ask("what-changed", {"from": old, "to": new}).rows
        texts = _numbers(kb, old)
        fitting = Fitting.of(texts)
        return cls(
            texts,
            {str(r["from"]): str(r["to"]) for r in rows if str(r["change"]).startswith("moved")},
            frozenset(str(r["from"]) for r in rows if str(r["change"]).endswith("edited")),
            frozenset(str(r["from"]) for r in rows if r["change"] == "removed"),
            {folded_title(title): number for number, title in fitting.titles.items()},
            fitting,
        )

    def check(self, text: str) -> Iterator[Checked]:
        """Yield each citation in a text with how it is; sections are left out."""
        line, begins, done = 1, 0, 0
        citations = find_citations(text)
        edges = (
            [0, *(c.span.end for c in citations)],
            [*(c.span.start for c in citations), len(text)],
        )
        for at, citation in enumerate(citations):
            start, end = citation.span.start, citation.span.end
            line += text.count("\n", done, start)
            begins, done = text.rfind("\n", 0, start) + 1, start
            if citation.form in ("section", "self"):
                continue
            ends = text.find("\n", end)
            before = text[max(begins, edges[0][at]) : start]
            after = text[end : min(len(text) if ends < 0 else ends, edges[1][at + 1])]
            now = tuple(self._now(number) for number in citation.numbers)
            better = self._better(citation, before, after)
            status = self._status(citation, now, better)
            suggestion = self._suggestion(citation, status, now, better)
            yield Checked(
                line,
                start - begins + 1,
                start,
                end,
                citation.text,
                citation.numbers,
                status,
                now,
                suggestion,
            )

    def _status(self, citation: Citation, now: tuple[str | None, ...], better: str | None) -> str:
        if any(number not in self.texts for number in citation.numbers):
            return MISSING
        if better is not None:
            return SUSPECT
        if any(number in self.gone for number in citation.numbers):
            return GONE
        if now != citation.numbers:
            return MOVED
        return EDITED if any(number in self.edited for number in citation.numbers) else FINE

    def _better(self, citation: Citation, before: str, after: str) -> str | None:
        """Return the rule that the quoted title or the words around fit better."""
        if citation.title is not None:
            return self._titled(citation)
        if len(citation.numbers) != 1:
            return None
        return self.fitting.better(citation.numbers[0], before, after)

    def _now(self, number: str) -> str | None:
        if number not in self.texts or number in self.gone:
            return None
        return self.moved.get(number, number)

    def _titled(self, citation: Citation) -> str | None:
        """Return the rule that a quoted title belongs to, if none of the cited has it."""
        title = folded_title(citation.title or "")
        owner = self.titles.get(title)
        cited = {whole for number in citation.numbers for whole in (number, rule_of(number))}
        cited |= {number.partition(".")[0] for number in cited}
        own = {folded_title(self.fitting.titles.get(number, "")) for number in cited}
        return None if owner in cited or title in own else owner

    def _suggestion(
        self,
        citation: Citation,
        status: str,
        now: tuple[str | None, ...],
        better: str | None,
    ) -> str | None:
        """Return the citation as it should be; one number at a time, its form kept."""
        if len(citation.numbers) != 1:
            return None
        (number,) = citation.numbers
        right = now[0] if status == MOVED else None
        if status == SUSPECT and better is not None:
            right = self._now(better)
        if right is None or citation.text.count(number) != 1:
            return None
        return citation.text.replace(number, right)


def _numbers(kb: KnowledgeBase, release: str) -> dict[str, str]:
    """Return the numbers of a release of the history, with their texts."""
    name = kb.in_history(release)
    graph = HistoryMinter(kb.store.manifest["base"]).graph
    solutions: Any = kb.store.query(
        _NUMBERS.replace("NAME", name), default=[graph], prefixes=PREFIXES
    )
    return {row["number"].value: row["text"].value for row in solutions}
