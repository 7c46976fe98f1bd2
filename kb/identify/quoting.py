"""A paragraph's words → the wordings that it quotes; none if it only speaks of the same.

Whoever speaks of a rule uses its words, but not in its order for long. How long is long, the
thresholds below say; they were set on the wordings that rules had before (each should lead to
its rule), and on the concise edition and people's questions, which speak of rules and quote
none.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rapidfuzz.distance import LCSseq

from kb.identify.compare import Likeness, compare
from kb.identify.known import CUT, EDITED, EXACT, PART, TERM, family
from kb.identify.tokens import keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.identify.compare import Words
    from kb.identify.index import Entry, Index

_NEAR, _COMPARED = 40, 8
_PIECES = 40  # quotes looked for in one paragraph of a usual length
_LONG, _WINDOW = 600, 300  # words: of a paragraph that is looked through in parts, of a part
_EVEN = 0.01
_FEWEST = 4  # words by which a paragraph is told that bears no number
_FEWEST_NUMBERED = 3
_NAME = 2
_SENSE = 1  # a term's sense bears a number
_FITTING = 0.05  # what it is worth that a wording bears the printed number


@dataclass(frozen=True, slots=True)
class Quote:
    """A wording that a paragraph quotes, and how: ``match`` and ``score`` as in a Match."""

    likeness: Likeness
    match: str
    score: float

    @property
    def newest(self) -> str:
        """The newest release in which the wording stood."""
        return max((one.release for one in self.likeness.entry.known), default="")


@dataclass(frozen=True, slots=True)
class _Needed:
    """What it takes: how alike the texts are, how many words agree, what these weigh."""

    alike: float
    agreed: int
    weight: float = 0.0

    def has(self, alike: float, likeness: Likeness) -> bool:
        return (
            alike >= self.alike
            and likeness.agreed >= self.agreed
            and likeness.weight >= self.weight
        )


_EDITED: tuple[_Needed, ...] = (_Needed(0.65, 8, 25), _Needed(0.85, 5, 12))
_EDITED_NAMED: tuple[_Needed, ...] = (_Needed(0.5, 4),)
_PIECE: tuple[_Needed, ...] = (_Needed(1, 6, 20), _Needed(0.75, 9, 30))
_PIECE_NAMED: tuple[_Needed, ...] = (_Needed(1, 3), _Needed(0.7, 6))
_PIECE_AT_HOME: tuple[_Needed, ...] = (_Needed(0.66, 8, 25),)
_BESIDE: tuple[_Needed, ...] = (_Needed(1, 8, 35), _Needed(0.9, 10, 30))
_BESIDE_WHOLE: tuple[_Needed, ...] = (_Needed(1, 7, 16), _Needed(0.8, 9, 35))


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a paragraph's words.

    ``number`` is printed before them, ``heading`` is the line above; ``home`` the cards and
    chapters that the page quotes elsewhere.
    """

    number: str | None = None
    heading: str | None = None
    home: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """What may name a text."""
        return tuple(name for name in (self.number, self.heading) if name)

    def fits(self, entry: Entry) -> bool:
        """Tell whether a wording stood under a name that is printed."""
        return any(entry.bears(name) for name in self.names)

    def is_home_of(self, entry: Entry) -> bool:
        """Tell whether the page quotes the card or chapter of a wording elsewhere."""
        return any(family(one) in self.home for one in entry.known)


def quotes(words: Words, around: Around, index: Index) -> list[Quote]:
    """Return what a paragraph quotes, what accounts best for its words first."""
    if not words.letters:
        return []
    same = index.exact(words.letters)
    if around.number is not None and not (same and around.fits(same)):
        cut = [
            Quote(Likeness.of_same(words, entry), CUT, 1.0)
            for entry in index.named(around.number)
            if entry.words.startswith(words.letters)
        ]
        if cut and len(words) >= _FEWEST_NUMBERED:
            return sorted(cut, key=lambda quote: quote.newest, reverse=True)
    if same is not None and same.is_other:
        return []
    if same is not None and _is_quoted(same, around, index):
        return [Quote(Likeness.of_same(words, same), EXACT, 1.0)]
    found = _pieces(words, around, index)
    return [quote for quote in found if not quote.likeness.entry.is_other]


def continued(words: Words, above: list[Quote]) -> list[Quote]:
    """Return the quotes of the paragraph above that a paragraph goes on with, to the letter."""
    found = []
    for quote in above:
        entry, last = quote.likeness.entry, quote.likeness.last
        at = entry.words.find(words.letters, last) if words.letters else -1
        if last <= at <= last + _SENSE:
            found.append(Quote(Likeness.of_same(words, entry, at), PART, 1.0))
    return found


def _is_quoted(entry: Entry, around: Around, index: Index) -> bool:
    """Tell whether a paragraph of just a wording's words quotes it, and doesn't merely say so."""
    if around.fits(entry):
        return True
    said = len(entry.words) - entry.words.count(index.reference)
    if entry.is_name:
        return around.number is not None and said >= _NAME
    return said >= _FEWEST


def _pieces(words: Words, around: Around, index: Index) -> list[Quote]:
    """Return the quotes of a paragraph that is no wording as it is, and of what they leave."""
    beside = Around(home=around.home)
    if len(words) > _LONG:
        found, gaps = [], deque(_windows(words))
    else:
        found = _best(words, around, index)
        gaps = deque(_left(found, 0, len(words)))
    most, pieces = _PIECES * (1 + len(words) // _LONG), 1
    while gaps and pieces < most:
        first, last = gaps.popleft()
        more = _best(words.part(first, last, index), beside, index)
        more = [_moved(quote, first) for quote in more]
        gaps.extend(_left(more, first, last))
        found += more
        pieces += bool(more)
    return found


def _windows(words: Words) -> Iterator[tuple[int, int]]:
    """Yield a long paragraph's words in parts, each of some clauses."""
    first = 0
    for _, end in words.clauses:
        if end - first >= _WINDOW:
            yield first, end
            first = end
    if first < len(words):
        yield first, len(words)


def _left(found: list[Quote], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield what the best of some quotes leaves of the words that it was sought in."""
    if found:
        start, end = found[0].likeness.start, found[0].likeness.end
        for gap in ((first, start), (end, last)):
            if gap[1] - gap[0] >= _BESIDE_WHOLE[0].agreed:
                yield gap


def _best(words: Words, around: Around, index: Index) -> list[Quote]:
    """Return the quote that accounts best for a paragraph, and those that do it as well."""
    found = []
    for entry in _candidates(words, around, index):
        likeness = compare(words, entry, index)
        match = likeness and _match(words, likeness, around, index)
        if likeness and match:
            score = likeness.whole if match == EDITED else likeness.here
            found.append(Quote(likeness, match, min(1.0, score)))
    if not found:
        return []
    gains = [quote.likeness.gain + _FITTING * around.fits(quote.likeness.entry) for quote in found]
    best = max(gains)
    even = [quote for quote, gain in zip(found, gains, strict=True) if gain >= best - _EVEN]
    even.sort(key=lambda quote: (quote.likeness.whole, quote.newest), reverse=True)
    return even[:1] if even[0].likeness.entry.is_other else even


def _candidates(words: Words, around: Around, index: Index) -> list[Entry]:
    """Return the wordings that may be quoted, at most a few."""
    near = {entry.words: entry for entry in index.near(words.letters, _NEAR)}
    for name in around.names:
        near |= {entry.words: entry for entry in index.named(name)}

    def share(entry: Entry) -> float:
        common = LCSseq.similarity(words.letters, entry.words)
        return common / len(words) + 2 * common / (len(words) + len(entry.words))

    return sorted(near.values(), key=share, reverse=True)[:_COMPARED]


def _match(words: Words, likeness: Likeness, around: Around, index: Index) -> str | None:
    """Return how a wording is quoted; None if it isn't."""
    if likeness.entry.is_name:
        return None
    is_all = likeness.end - likeness.start == len(words)
    named, home = around.fits(likeness.entry), around.is_home_of(likeness.entry)
    if not is_all:
        if _is_glossary_entry(words, likeness, index):
            return EXACT
        needed = _BESIDE_WHOLE if likeness.has_all else _BESIDE
        return PART if _suffices(needed, likeness.here, likeness) else None
    if not likeness.is_verbatim:
        needed = _EDITED + _EDITED_NAMED * named
        if _suffices(needed, likeness.whole, likeness):
            return EDITED
    needed = _PIECE + _PIECE_NAMED * named + _PIECE_AT_HOME * home
    if _suffices(needed, likeness.here, likeness):
        return CUT if likeness.first == 0 else PART
    return None


def _is_glossary_entry(words: Words, likeness: Likeness, index: Index) -> bool:
    """Tell whether words are a term's name and then its text."""
    name = words.letters[: likeness.start]
    return (
        likeness.has_all
        and likeness.is_verbatim
        and likeness.end == len(words)
        and any(
            one.kind == TERM and index.encode(keys(one.id)) == name for one in likeness.entry.known
        )
    )


def _suffices(needed: tuple[_Needed, ...], alike: float, likeness: Likeness) -> bool:
    return any(one.has(alike, likeness) for one in needed)


def _moved(quote: Quote, by: int) -> Quote:
    """Return a quote of a part of a paragraph as one of the paragraph."""
    here = quote.likeness
    moved = replace(here, start=here.start + by, end=here.end + by)
    match = PART if quote.match in (EXACT, CUT) else quote.match
    return replace(quote, likeness=moved, match=match)
