"""A query, read: its words with their weights, and where each comes from."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kb.search.folding import COMMON, folded, telling
from kb.search.named import NamedCard, without
from kb.search.said import Saying, is_said, sayings_in
from kb.search.spelling import is_unknown, nearest_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kb.search.named import GraphNames
    from kb.search.results import Entry, Weights
    from kb.search.word_index import WordIndex

# A subrule's letter may stand apart: a single one that is no article of a sentence.
_NUMBER = re.compile(
    r"(?<![\w.{/+-])(?:CR|r)?\s*(\d{3}(?:\.\d{1,3}(?:[a-z]{1,2}|\.?\s*\(?[a-z]\)?(?=\s*(?:$|[,;:?!.])))?)?)"
    r"(?![\w/]|\.\d)",
    re.IGNORECASE,
)
_APART = re.compile(r"[\s()]+|\.(?=[\s(]*[a-z])", re.IGNORECASE)
# Names in code: words that only capitals part.
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_QUOTED = re.compile(r'[“"]([^“”"]+)[”"]')
_BEGINNING = re.compile(r"\b([a-zA-Z]{2,})\*")
_MOST_BEGINNING = 20
_FOR_MISSPELT = 0.7
_RULINGS_OF_A_CARD = 3
_SIMILAR_RULINGS = 6
# A ruling that has this share of what a query says counts in full.
_ENOUGH = 0.5
# One that has less of it is about something else, and the likest that there is only by chance.
_TOO_LITTLE = 0.4
_MOST_ADDED = 0.5
# Of a longer text so many characters are read.
_LONGEST = 2000


@dataclass(frozen=True)
class LikeRuling:
    """A ruling that shares words with a query: its name (card and date), and its words.

    ``weight`` is that with which each of its words is added to those of the query.
    """

    name: str
    words: frozenset[str]
    weight: float = 0.0


@dataclass(frozen=True)
class Asked:
    """What a query asks for.

    ``words`` has the weight of each folded word, ``own`` those that the query itself has;
    ``sayings`` are players' words in it, ``rulings`` those of named cards that are like it,
    ``corrected`` pairs of a misspelt word and what it is taken for. ``bare`` is the text without
    the names of cards, ``phrases`` the folded words of what is quoted.
    """

    text: str
    bare: str
    words: dict[str, float]
    own: frozenset[str]
    numbers: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    sayings: tuple[Saying, ...] = ()
    cards: tuple[NamedCard, ...] = ()
    concepts: dict[str, str] = field(default_factory=dict)
    rulings: tuple[LikeRuling, ...] = ()
    corrected: tuple[tuple[str, str], ...] = ()

    @property
    def is_phrase(self) -> bool:
        """Whether the query is nothing but quoted phrases."""
        return bool(self.phrases) and not _QUOTED.sub("", self.text).strip()


def read_query(
    text: str,
    names: GraphNames,
    index: WordIndex,
    weights: Weights,
    similar: Callable[[str, int], list[Entry]] = lambda *_: [],
) -> Asked:
    """Read a query.

    Args:
        text: the query as written; of a long one the beginning counts.
        names: the names of cards and concepts.
        index: the words of the rules.
        weights: how much each source of evidence counts.
        similar: gives the rulings that are most like a text, of all cards.
    """
    text = text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(maxsplit=1)[0]
    named = names.cards_in(text)
    cards = {card.node: card for card in named}
    bare = _JOINED.sub(" ", without(text, named))
    all_words = folded(_BEGINNING.sub(" ", bare))
    own = _own(all_words)
    words = own | _begun(bare, index)
    corrected = _corrected(own, index)
    words.update(dict.fromkeys(corrected.values(), _FOR_MISSPELT))
    sayings = sayings_in(all_words) if weights.said else []
    for saying in sayings:
        for word in saying.official:
            words.setdefault(word, weights.said)
    rulings: dict[frozenset[str], LikeRuling] = {}
    for card in cards.values() if weights.card_rulings else ():
        for one in _like(card, names, set(words), index):
            rulings[one.words] = replace(one, weight=weights.card_rulings)
    others = similar(text, _SIMILAR_RULINGS) if weights.rulings else []
    for one in _alike(others, own, index, weights.rulings):
        rulings.setdefault(one.words, one)
    _add_words(words, rulings.values())
    return Asked(
        text,
        bare,
        words,
        frozenset(own).union(words if _BEGINNING.search(bare) else ()),
        tuple(dict.fromkeys(_APART.sub("", one).lower() for one in _NUMBER.findall(text))),
        tuple(words for words in map(folded, _QUOTED.findall(text)) if words),
        tuple(sayings),
        tuple(cards.values()),
        names.concepts_in(bare) if weights.concepts else {},
        tuple(rulings.values()),
        tuple(corrected.items()),
    )


def _own(words: Iterable[str]) -> dict[str, float]:
    """Return the words that tell; one that is repeated says more, but not twice as much."""
    return {w: math.sqrt(n) for w, n in Counter(words).items() if w not in COMMON}


def _begun(text: str, index: WordIndex) -> dict[str, float]:
    """Return the words whose beginnings a text has, as in ``begin*``."""
    starts = _BEGINNING.findall(text)
    return {
        word: 1.0 for start in starts for word in index.beginning(start.lower(), _MOST_BEGINNING)
    }


def _add_words(words: dict[str, float], rulings: Iterable[LikeRuling]) -> None:
    """Add the words of rulings to those of a query: the more rulings have a word, the more."""
    added: dict[str, float] = defaultdict(float)
    for ruling in rulings:
        for word in ruling.words:
            added[word] += ruling.weight
    for word, weight in added.items():
        words[word] = words.get(word, 0.0) + min(weight, _MOST_ADDED)


def _alike(
    entries: list[Entry], own: dict[str, float], index: WordIndex, weight: float
) -> Iterator[LikeRuling]:
    """Yield rulings that have enough of what a query says, each with its part of a weight.

    A word that the rules do not have, and players do not say for one, is as rare as can be: of
    a query about something else no ruling has enough.
    """
    rarest = max(index.rarity.values(), default=0.0)
    says = {
        word: times * index.rarity.get(word, 0.0 if is_said(word) else rarest)
        for word, times in own.items()
    }
    every = sum(says.values()) or 1.0
    for entry in entries:
        words = frozenset(telling(entry.text))
        part = sum(value for word, value in says.items() if word in words) / every
        if part >= _TOO_LITTLE:
            yield LikeRuling(entry.id, words, weight * min(1.0, part / _ENOUGH))


def _corrected(words: Iterable[str], index: WordIndex) -> dict[str, str]:
    """Return for misspelt words what they are taken for."""
    found = {word: nearest_word(word, index) for word in words if is_unknown(word, index)}
    return {word: near for word, near in found.items() if near}


def _like(
    card: NamedCard, names: GraphNames, words: set[str], index: WordIndex
) -> list[LikeRuling]:
    """Return the rulings on a card that share most with a query."""
    held = [
        LikeRuling(f"{card.name}, {day}", frozenset(telling(text)))
        for text, day in names.rulings_on(card.node)
    ]

    def shared(ruling: LikeRuling) -> float:
        return sum(index.rarity.get(word, 0.0) for word in sorted(ruling.words & words))

    return sorted(held, key=lambda ruling: -shared(ruling))[:_RULINGS_OF_A_CARD]
