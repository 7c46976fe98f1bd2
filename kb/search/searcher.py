"""Searches one release with the cards: a query in, hits with their reasons out."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from kb.errors import UsageError
from kb.search.asked import read_query
from kb.search.card_index import CardIndex
from kb.search.folding import folded, placed
from kb.search.named import GraphNames
from kb.search.ranking import Rules, best_places, ranked_rules
from kb.search.reasons import Reasons
from kb.search.release_index import read_release_index
from kb.search.results import KINDS, Found, Hit, Weights
from kb.search.snippet import snippet
from kb.search.spelling import suggestions
from kb.vocab import Minter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from kb.search.asked import Asked
    from kb.search.results import Entry
    from kb.store import OpenStore

_MOST = 1000


class Searcher:
    """The indexes of a release and of the cards, open; safe to share between threads."""

    def __init__(self, store: OpenStore, release: str, base: str) -> None:
        """Open the indexes of a release of a knowledge base.

        Raises:
            StoreError: the knowledge base was built without them.
        """
        self.release = release
        self.index = read_release_index(store.beside("search") / release)
        self.names = GraphNames(store, Minter(release, base).release, base)
        folder = store.beside("search") / "cards"
        self._rules = Rules.of(self.index.entries["rule"])
        self._cards = CardIndex.open(folder) if folder.is_dir() else None

    def search(  # noqa: PLR0913, PLR0917 - each is a setting of the command
        self,
        query: str,
        kinds: Collection[str] = ("rule",),
        section: str | None = None,
        card: str | None = None,
        limit: int = 10,
        weights: Weights | None = None,
    ) -> Found:
        """Return the hits of a query, best first.

        Args:
            query: words, a question, a rule's number, a phrase in quotes, ``begin*``.
            kinds: what to look for, of ``KINDS``.
            section: a section's digit or a chapter: only rules and examples in it.
            card: a card's name: only rules that govern it, its rulings, itself.
            limit: how many hits there are at the most.
            weights: how much each source of evidence counts.

        Raises:
            UsageError: a kind, the section, the card or the limit is none.
        """
        _check(query, kinds, section, limit)
        weights = weights or Weights()
        words = self.index.words["rule"]
        asked = read_query(query, self.names, words, weights, self._similar)
        fits = self._filter(section, card)
        found: list[Hit] = []
        for kind in dict.fromkeys(kinds):
            ranked = self._ranked(kind, asked, fits, card, limit, weights)
            found += self._hits(asked, ranked[:limit], weights)
        # Best first; what is equally good stands in the order of the kinds.
        found.sort(key=lambda hit: (-hit.score, KINDS.index(hit.kind)))
        return Found(query, self.release, tuple(found[:limit]), self._meant(query, found))

    def _ranked(  # noqa: PLR0913, PLR0917 - one of them for each setting
        self,
        kind: str,
        asked: Asked,
        fits: Callable[[Entry], bool],
        card: str | None,
        limit: int,
        weights: Weights,
    ) -> list[tuple[Entry, float]]:
        """Return the entries of a kind that fit, with their scores, best first."""
        if kind in ("ruling", "card"):
            scored = self._of_cards(kind, asked, card, limit)
        elif kind == "rule":
            entries = self.index.entries["rule"]
            ranked = ranked_rules(asked, self.index, self._rules, self.names, weights)
            fitting = ((entries[at], score) for at, score in ranked if fits(entries[at]))
            return [*islice(fitting, limit)]
        else:
            by_words = self.index.words[kind].scores(asked.words)
            entries = self.index.entries[kind]
            best_first = best_places(by_words, len(by_words))
            fitting = ((entries[at], by_words[at]) for at in best_first if fits(entries[at]))
            scored = [*islice(fitting, limit)]
        best = max((score for _, score in scored), default=0) or 1
        exact = folded(asked.text)
        # What is asked for by its whole name stands before what has more of the words.
        return sorted(
            (
                (entry, weights.words * (score / best + (folded(entry.id) == exact)))
                for entry, score in scored
            ),
            key=lambda one: -one[1],
        )

    def _of_cards(
        self, kind: str, asked: Asked, card: str | None, limit: int
    ) -> list[tuple[Entry, float]]:
        if self._cards is None:
            return []
        words = {asked.text: 1.0} | {saying.written: 0.5 for saying in asked.sayings}
        return self._cards.hits(kind, words, limit, card)

    def _similar(self, text: str, count: int) -> list[Entry]:
        """Return the rulings that are most like a text."""
        found = self._cards.hits("ruling", {text: 1.0}, count) if self._cards else []
        return [entry for entry, _ in found]

    def _filter(self, section: str | None, card: str | None) -> Callable[[Entry], bool]:
        """Return what tells whether an entry is in a section, and governs a card.

        Raises:
            UsageError: there is no such section, or no such card.
        """
        governing = self._governing(card) if card else ()
        if section is not None and not any(n.startswith(section) for n in self._rules.places):
            raise UsageError(
                f"{self.release} has no chapter {section!r}",
                hint="give one that it has, or a section's digit",
            )

        def fits(entry: Entry) -> bool:
            inside = section is None or entry.number.startswith(section)
            return inside and (not card or entry.number.startswith(governing))

        return fits

    def _governing(self, card: str) -> tuple[str, ...]:
        """Return the numbers of the rules that govern a card.

        Raises:
            UsageError: there is no such card.
        """
        node = self.names.card(card)
        if node is None:
            raise UsageError(f"no card {card!r} here", hint="find its name: mtgkb card NAME")
        numbers = {n for key in self.names.spoken_by(node) for n in self.names.rules_of(key)}
        return tuple(sorted(numbers))

    def _hits(self, asked: Asked, ranked: list[tuple[Entry, float]], weights: Weights) -> list[Hit]:
        reasons = Reasons(asked, self.names, weights, self._rules, self.index.words["rule"])
        hits = []
        for entry, score in ranked:
            words = placed(entry.text)
            part, written = snippet(entry.text, asked.words, words)
            hits.append(
                Hit(
                    entry.kind,
                    entry.id,
                    round(score, 4),
                    entry.text,
                    part,
                    reasons.of(entry, score, (word for word, _, _ in words), written),
                    entry.heading,
                    entry.family,
                )
            )
        return hits

    def _meant(self, query: str, found: list[Hit]) -> tuple[str, ...]:
        if found:
            return ()
        texts = (f"{e.id} {e.text}" for some in self.index.entries.values() for e in some)
        return suggestions(query, texts)


def _check(query: str, kinds: Collection[str], section: str | None, limit: int) -> None:
    """Check the settings of a search.

    Raises:
        UsageError: one is not what it should be.
    """
    if wrong := [kind for kind in kinds if kind not in KINDS]:
        raise UsageError(f"no kind {wrong[0]!r}", hint=f"one of {', '.join(KINDS)}, or all")
    if not query.strip():
        raise UsageError("nothing to search for", hint="mtgkb search WORDS…")
    if section is not None and not (section.isdigit() and len(section) in (1, 3)):
        raise UsageError(
            f"{section!r} is no section", hint="a section is a digit, a chapter three digits"
        )
    if not 1 <= limit <= _MOST:
        raise UsageError(f"a limit of {limit} cannot be", hint=f"from 1 to {_MOST}")
