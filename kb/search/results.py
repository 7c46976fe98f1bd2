"""What a search gives: hits, each with why it is one."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

KINDS = ("rule", "example", "term", "ruling", "card")
"""The kinds of hits, in the order in which mixed ones of equal worth are shown."""


PARTS_OF_HEADING = " › "
"""Stands between the title of a chapter and that of a rule in it."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each source of evidence counts.

    Words are the measure: the text that they fit best gets ``words``, and the others their share.
    ``said``, ``rulings`` and ``card_rulings`` are the weights of words that players' words and
    similar rulings add to a query's own, ``parents`` is the share that a subrule has in its rule.
    """

    words: float = 4.0
    parents: float = 0.2
    children: float = 0.1
    said: float = 0.6
    rulings: float = 0.1
    card_rulings: float = 0.1
    meaning: float = 0.3
    concepts: float = 0.2
    defining: float = 0.2
    of_cards: float = 0.5
    cited: float = 0.3


@dataclass(frozen=True, slots=True)
class Entry:
    """A text that can be found.

    ``id`` is a rule's number, a term's name, ``704.5g example 1``, a card's name, or card and date;
    ``heading`` what stands above it; ``number`` the rule it belongs to, if any.
    """

    kind: str
    id: str
    text: str
    heading: str = ""
    number: str = ""
    cited: int = 0

    @property
    def family(self) -> str:
        """The number without a subrule's letters; of what has none, its own name."""
        return self.number.rstrip("abcdefghijklmnopqrstuvwxyz") or self.id


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found, its score, the part of its text that fits best, and the reasons.

    In ``snippet`` the words that fit stand between ``marks``.
    """

    kind: str
    id: str
    score: float
    text: str
    snippet: str
    why: tuple[str, ...]
    heading: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a query, best first, and words that may have been meant where there are none."""

    query: str
    release: str
    hits: tuple[Hit, ...]
    suggestions: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, object]:
        """Return what was found as ``--format json`` prints it."""
        return asdict(self)
