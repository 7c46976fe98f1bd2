"""What someone means by a term: the concepts that rulings speak of, or rulings with its words."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode

from kb.cards.concept_glossary import alternatives
from kb.cards.oracle_lexicon import folded
from kb.cards.rulings_text import tells
from kb.cards.spoken_words import spoken_words
from kb.cards.wordforms import stems
from kb.errors import NotFoundError
from kb.knowledge.graph import GraphReader
from kb.vocab import C, CardMinter, P

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.store import OpenStore
    from kb.vocab import Minter

_JOINED = re.compile(r"\s*/\s*|\s+(?:and|or|&)\s+", re.IGNORECASE)
_OTHER_NAMES = ("alias", "replaced-by")
# Rulings do not speak of these by a name.
_UNNAMED = ("wording", "symbol", "type")

Names = dict[tuple[str, ...], list[str]]


class ConceptIndex:
    """Looks up what rulings speak of, by the names that a release has for concepts."""

    def __init__(self, store: OpenStore, minter: Minter) -> None:
        """Take the names of a release; rulings are in the graph of cards."""
        self.release = GraphReader(store, minter.release)
        self.cards = GraphReader(store, CardMinter(minter.base).graph)

    def meant(self, written: str) -> tuple[str, ...]:
        """Return the keys of the concepts that a term means, else the rulings with its words.

        A term is a name in any form, an older or a shorter one, or the first words of a longer
        one; of several joined by a slash or “and”, rulings that speak of all. A ruling is its
        IRI.

        Raises:
            NotFoundError: no ruling speaks of it.
        """
        names = self.names()
        whole = stems(written)
        found = [*names.get(whole, ()), *self._renamed(whole, names), *_longer(whole, names)]
        spoken = tuple(key for key in dict.fromkeys(found) if self._is_spoken(key))
        rulings = spoken or self._joined(written, names) or tuple(self._with_words(whole))
        if not rulings:
            raise NotFoundError(
                f"no ruling here speaks of {written!r}",
                hint="give a term of the glossary, a keyword, or words that rulings use",
            )
        return rulings

    def names(self) -> Names:
        """Return the keys of all concepts by the folded words of their names."""
        names: Names = defaultdict(list)
        for key in dict.fromkeys(self.release.texts(None, P.GOVERNS)):
            kind, _, name = key.partition(":")
            if kind == "counter":
                names[(*stems(name), *stems("counter"))].append(key)
            elif kind not in _UNNAMED:
                names[stems(name)].append(key)
        for entry in self.release.subjects(P.TYPE, C.TERM.node):
            for name in alternatives(self._name(entry)):
                names[stems(name)].append(f"term:{folded(name)}")
        return names

    def _renamed(self, whole: tuple[str, ...], names: Names) -> Iterator[str]:
        """Yield the keys of the term that the glossary, or players, have this name for."""
        for term, said in spoken_words():
            if stems(said) == whole:
                yield from names.get(stems(term), ())
        for kind in _OTHER_NAMES:
            for node in self.release.subjects(P.KIND, Literal(kind)):
                (entry,), (value,) = (self.release.values(node, p) for p in (P.SUBJECT, P.VALUE))
                if stems(self._name(entry)) == whole:
                    yield from names.get(stems(self._name(value)), ())

    def _name(self, entity: NamedNode | Literal) -> str:
        if isinstance(entity, NamedNode):
            return self.release.text(entity, P.NAME) or ""
        return entity.value

    def _joined(self, written: str, names: Names) -> tuple[str, ...]:
        """Return the rulings that speak of each of several concepts."""
        parts = [names.get(stems(part), []) for part in _JOINED.split(written)]
        if len(parts) == 1 or not all(parts):
            return ()
        spoken = ({node.value for key in keys for node in self._speaking(key)} for keys in parts)
        return tuple(sorted(set.intersection(*spoken)))

    def _speaking(self, key: str) -> Iterator[NamedNode]:
        """Yield the rulings that speak of a concept."""
        for node in self.cards.subjects(P.SPEAKS_OF, Literal(key)):
            if next(iter(self.cards.values(node, P.RULING_ON)), None) is not None:
                yield node

    def _is_spoken(self, key: str) -> bool:
        return next(self._speaking(key), None) is not None

    def _with_words(self, whole: tuple[str, ...]) -> Iterator[str]:
        """Yield the rulings that say the words, one behind the other, and neither deny nor list."""
        for root in sorted((word.rstrip("i") for word in whole), key=len)[-1:]:
            query = (
                f"SELECT ?ruling ?text WHERE {{ ?ruling {P.CLEANED.node} ?text"
                f" FILTER(REGEX(?text, {Literal(re.escape(root))}, 'i')) }}"
            )
            rulings = self.cards.store.query(query, default_graph=[self.cards.graph])
            for found in rulings:  # type: ignore[union-attr]
                if tells(found["text"].value, whole):
                    yield found["ruling"].value


def _longer(whole: tuple[str, ...], names: Names) -> Iterable[str]:
    """Return the keys of the names that begin with these words."""
    if not whole:
        return ()
    return (key for name, keys in names.items() if name[: len(whole)] == whole for key in keys)
