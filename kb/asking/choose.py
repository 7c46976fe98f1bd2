"""Which question of the catalogue is meant by free words, with which parameters, how surely.

Each question is tried: what can fill its parameters is taken out of the text and leaves a place
(``{card}``), and what is left is compared with the ways to say the question, which have places
too. A question with a parameter that nothing fills cannot be meant. What no question's words
account for speaks against them all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb.asking.fill import fillings
from kb.asking.profile import alike, profiles
from kb.asking.spans import candidates
from kb.asking.words import tokens, without_examples

if TYPE_CHECKING:
    from kb.asking.fill import Filling
    from kb.asking.profile import Profile, Profiles
    from kb.asking.spans import Names

NEAREST = 3
_BY_WORDING, _BY_WORDS = 0.55, 0.45
_UNFILLED = 0.6
_WITHOUT_EXAMPLES, _WITHOUT_MUST = 0.03, 0.25
_WITHOUT_CORE, _BY_ANSWER = 0.2, 0.03
# Below these no question is meant, or it is not sure which: set on tests/paraphrases.tsv.
SURE, MARGIN, COVERED = 0.5, 0.03, 0.5
_LEAD, _MOST_LEAD = 0.5, 0.3


@dataclass(frozen=True, slots=True)
class Meant:
    """A question that may be meant: its parameters, how well it fits (0 to 1), what it lacks.

    ``covered`` is the part of the words that the question's own words account for. ``release`` is
    a release that was named though the question takes none: that of the text to be asked.
    """

    question: str
    summary: str
    parameters: dict[str, str]
    score: float
    covered: float
    lacks: tuple[str, ...] = ()
    release: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return it as ``nearest`` of the answer has it."""
        named = {"release": self.release} if self.release else {}
        return {
            "question": self.question,
            "parameters": self.parameters,
            "score": round(max(self.score, 0.0), 3),
            **named,
        }


@dataclass(frozen=True, slots=True)
class Choice:
    """What free words mean: the question, if that is sure, and the nearest ones.

    ``confidence`` is 0 to 1. ``fits`` tells whether any question may be meant at all.
    """

    asked: str
    meant: Meant | None
    nearest: tuple[Meant, ...]
    confidence: float
    fits: bool


def choose(text: str, names: Names) -> Choice:
    """Return which question a text means.

    Args:
        text: free words.
        names: the names that the knowledge base knows.
    """
    known = profiles()
    read = []
    for cost, said in ((0.0, text), (_WITHOUT_EXAMPLES, without_examples(text))):
        if said is not None:
            words = tokens(said)
            read.append((cost, said, words, candidates(said, words, names)))

    def tried(profile: Profile, answer: frozenset[str] = frozenset()) -> Meant:
        ways = (
            replace(filling, cost=filling.cost + cost)
            for cost, said, words, found in read
            for filling in fillings(profile, said, words, found, names.releases)
        )
        return max((_tried(profile, one, known, answer) for one in ways), key=_by_score)

    ranked = sorted((tried(profile) for profile in known.every), key=_by_score, reverse=True)
    if not _is_sure(ranked):
        # Perhaps it names some of what the answer lists: “legendary, basic, … which others?”
        near = {meant.question for meant in ranked[:NEAREST]}
        again = {p.question.id: tried(p, names.answer(p.question.id)) for p in known.bare(near)}
        ranked = [max(one, again.get(one.question, one), key=_by_score) for one in ranked]
        ranked.sort(key=_by_score, reverse=True)
    best, second = ranked[:2]
    margin = best.score - second.score
    return Choice(
        text,
        best if _is_sure(ranked) else None,
        tuple(ranked[:NEAREST]),
        round(max(0.0, min(1.0, best.score * (0.5 + min(0.5, margin * 4)))), 3),
        fits=_fits(ranked),
    )


def _by_score(meant: Meant) -> tuple[float, str]:
    return meant.score, meant.question


def _fits(ranked: list[Meant]) -> bool:
    """Tell whether the first question may be meant: one far ahead of the next needs less."""
    best, second = ranked[:2]
    lead = _LEAD * min(best.score - second.score, _MOST_LEAD)
    return not best.lacks and best.score + lead >= SURE and best.covered >= COVERED


def _is_sure(ranked: list[Meant]) -> bool:
    best, second = ranked[:2]
    return _fits(ranked) and best.score - second.score >= MARGIN


def _tried(
    profile: Profile, filling: Filling, known: Profiles, answer: frozenset[str] = frozenset()
) -> Meant:
    """Return how well a question fits, filled so; words of its answer say nothing against it."""
    words = tuple(w for w in filling.words if w in profile.words or w not in answer)
    said = known.wording(words)
    covered = said.covered(profile.words, filling.strange)
    agreement = max(said.agreement(one) for one in profile.wordings)
    score = _BY_WORDING * agreement + _BY_WORDS * covered - filling.cost
    score -= _WITHOUT_CORE * (1 + bool(filling.strange)) * (1 - said.meets(profile.core))
    if profile.must and not any(alike(word, said.words) for word in profile.must):
        score -= _WITHOUT_MUST
    if answer and words != filling.words:
        score -= _BY_ANSWER
    asked = profile.question
    meant = Meant(
        asked.id, asked.summary, filling.parameters, score, covered, filling.lacks, filling.release
    )
    return replace(meant, score=score * _UNFILLED) if filling.lacks else meant
