"""Phrases, and where they stand in a text: the words that name a concept or a wording.

A phrase is a row of parts: each a folded word, or each ``=word``, that very form of a word; and
where folded words stand also

    ~    up to one word between
    _    up to five words between, none of them ending the clause; what follows is no genitive
    *    up to seven words between
    @    the card itself: its name, or “this creature” and the like
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.cards.wordforms import SELF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kb.cards.wordforms import Words

NARROW_GAP, GAP, WIDE_GAP, ITSELF = "~", "_", "*", "@"
_LOOSE = {NARROW_GAP: 1, GAP: 5, WIDE_GAP: 7}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A row of parts; ``is_wording`` if it is how cards are worded and no name of a concept."""

    parts: tuple[str, ...]
    is_wording: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A phrase in a text: what it stands for, and the places of the words that it covers."""

    key: str
    phrase: Phrase
    places: tuple[int, ...]

    @property
    def first(self) -> int:
        """The place of its first word."""
        return self.places[0]

    @property
    def last(self) -> int:
        """The place of its last word."""
        return self.places[-1]


class PhraseBook:
    """Finds the phrases of many concepts in a text."""

    def __init__(self, phrases: Iterable[tuple[str, Phrase]], frequency: Mapping[str, int]) -> None:
        """Take phrases, each with its key; ``frequency`` tells which words are rare."""
        self._names: dict[str, list[tuple[list[str], str, Phrase]]] = defaultdict(list)
        self._forms: dict[str, list[tuple[list[str], str, Phrase]]] = defaultdict(list)
        self._wordings: dict[str, list[tuple[str, Phrase, frozenset[str]]]] = defaultdict(list)
        for key, phrase in phrases:
            literal = frozenset(part for part in phrase.parts if part not in (*_LOOSE, ITSELF))
            if all(part[0] == "=" for part in phrase.parts):
                forms = [part[1:] for part in phrase.parts]
                self._forms[forms[0]].append((forms, key, phrase))
            elif len(literal) == len(set(phrase.parts)):
                self._names[phrase.parts[0]].append(([*phrase.parts], key, phrase))
            elif literal:
                rarest = min(literal, key=lambda word: (frequency.get(word, 0), word))
                self._wordings[rarest].append((key, phrase, literal))

    def find(self, some: Words) -> list[Found]:
        """Return what is found, by place; a name inside a longer name is left out."""
        stems = [some.stems[at] for at in some.bare]
        small = [some.small[at] for at in some.bare]
        found = [
            *_named(self._names, stems, some.bare),
            *_named(self._forms, small, some.bare),
            *self._found_wordings(some),
        ]
        found.sort(key=lambda one: (one.first, -one.last, one.key))
        return _apart(found)

    def _found_wordings(self, some: Words) -> Iterator[Found]:
        """Yield the phrases that leave room for other words."""
        present = set(some.stems)
        for anchor in present & self._wordings.keys():
            for key, phrase, literal in self._wordings[anchor]:
                if literal <= present:
                    first = phrase.parts[0]
                    for start, at in enumerate(some.bare):
                        if first not in (ITSELF, some.stems[at]):
                            continue
                        end = _match(phrase.parts, some, start)
                        if end is not None:
                            yield Found(key, phrase, tuple(some.bare[start:end]))


def _named(
    names: Mapping[str, list[tuple[list[str], str, Phrase]]], some: list[str], places: list[int]
) -> Iterator[Found]:
    """Yield the phrases that have no room in them."""
    for order, word in enumerate(some):
        if word in names:
            for parts, key, phrase in names[word]:
                count = len(parts)
                if count == 1 or some[order : order + count] == parts:
                    yield Found(key, phrase, tuple(places[order : order + count]))


def _apart(found: list[Found]) -> list[Found]:
    """Return what is found without the names that begin inside others."""
    kept: list[Found] = []
    last: Found | None = None
    for one in found:
        if one.phrase.is_wording:
            kept.append(one)
        elif last is None or one.first > last.last or one.places == last.places:
            kept.append(one)
            last = one
    return kept


def _match(parts: tuple[str, ...], some: Words, at: int) -> int | None:
    """Return the place (among the bare words) behind a phrase that begins at one, or None."""
    gap, bare = "", some.bare
    for part in parts:
        if part in _LOOSE:
            gap = part
            continue
        for place in range(at, min(len(bare), at + _LOOSE.get(gap, 0) + 1)):
            width = _width(part, some, place)
            if width and not (gap == GAP and place > at and some.small[bare[place - 1]] == "of"):
                break
            if some.ends_clause(bare[place]):
                return None
        else:
            return None
        at, gap = place + width, ""
    return at


def _width(part: str, some: Words, place: int) -> int:
    """Return how many words a part takes at a place: none if it is not there."""
    if part == ITSELF:
        small = some.small[some.bare[place]]
        if small == SELF:
            return 1
        return 2 if small == "this" and place + 1 < len(some.bare) else 0
    return int(some.stems[some.bare[place]] == part)
