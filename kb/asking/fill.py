"""How a question's parameters may be filled from a text: each way, and the words that it leaves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from kb.asking.profile import alike
from kb.asking.spans import CARD, ENTRY, KIND_OF, PLACES, RELEASE, RULE, TERM, Candidate
from kb.asking.words import Token, joined, said, tokens
from kb.cards.wordforms import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kb.asking.profile import Profile
    from kb.queries import Parameter

# What a filling costs: a name that is but a guess; one that nobody knows; a number or date that
# the question has no use for.
_GUESS, _STRANGE, _LEFT = 0.04, 0.08, 0.12
# A release of which a question may be asked, as any may, though it speaks of none: part of one.
_OF_RELEASE = 0.4
# What may stand beside a name and says only of what kind it is: “the card …”, “… effects”.
_BESIDE = frozenset(
    map(
        stem,
        (
            *("card", "cards", "creature", "spell", "permanent", "keyword", "ability", "mechanic"),
            *("term", "word", "concept", "effect", "rule", "entry", "thing", "topic", "issue"),
            *("type", "subject", "notion", "game", "interaction", "situation"),
        ),
    )
)
_NOW = frozenset(map(stem, ("now", "today", "nowadays", "currently", "current", "still")))
_FROM = re.compile(r"\b(?:from|since|than(?: in)?|after|of)\s+(?:the\s+)?$", re.IGNORECASE)
_WITH = re.compile(r"(?<!than )\b(?:in|with|by|did|does|of)\s+(?:the\s+)?$", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|in|into|until|till|by|as of)\s+(?:the\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Filling:
    """Parameters filled from a text, the words left, with places; what is lacking; the cost.

    ``strange``: how many words were taken for a name that is not known. ``release``: the one that
    the question is asked of, where it takes none.
    """

    parameters: dict[str, str]
    words: tuple[str, ...]
    lacks: tuple[str, ...]
    cost: float
    strange: int = 0
    release: str | None = None


def fillings(
    profile: Profile,
    text: str,
    words: Sequence[Token],
    found: Sequence[Candidate],
    releases: Sequence[str],
) -> Iterator[Filling]:
    """Yield each way to fill a question's parameters; one that leaves them empty, if need be."""
    asked = [p for p in profile.question.parameters if p.type != "Boolean"]
    dated = [p for p in asked if KIND_OF[p.type] == RELEASE]
    others = [p for p in asked if KIND_OF[p.type] != RELEASE]
    dates = [one for one in found if one.kind == RELEASE]
    before = [text[: words[one.first].start] for one in dates]
    now = any(word.stem in _NOW for word in words)
    if len(dates) == 2 and _is_beside(found, dates[1], words):  # noqa: PLR2004 - from and to
        dates.reverse()
    by_date, extra = _releases(dated, dates, before, releases, came=not others and not now)
    release = dates[0].value if len(dates) == 1 and not dated else None
    extra = _OF_RELEASE if release else extra
    numbers = [one for one in found if one.kind == RULE]
    for values in _ways(others, found, profile, words):
        filled = {p.name: one.value for p, one in values} | by_date
        lacks = tuple(p.name for p in asked if p.default is None and p.name not in filled)
        used = [one for _, one in values]
        idle = sum(one not in used for one in numbers) + extra
        cost = _LEFT * idle + sum(_doubt(one, words, profile) for one in used)
        strange = sum(one.last - one.first for one in used if one.is_strange)
        masked = _masked(words, [*numbers, *dates, *used])
        flags, left = _flags(profile, _without_beside(masked, profile))
        yield Filling({**filled, **flags}, left, lacks, cost, strange, release)


def _doubt(one: Candidate, words: Sequence[Token], profile: Profile) -> float:
    """Return what it costs to take words for a name, which they may not be."""
    if one.is_strange:
        return _STRANGE
    if one.is_sure:
        return 0.0
    own = all(word.stem in profile.words for word in words[one.first : one.last])
    return _GUESS * ((one.kind == CARD and _weak(one, words)) + 2 * own)


def _without_beside(masked: list[Token], profile: Profile) -> list[Token]:
    """Return the words without those beside a name that only say of what kind it is."""
    names = {"{card}", "{keyword}", "{term}"}
    kept = []
    for at, word in enumerate(masked):
        near = {one.small for one in (*masked[max(0, at - 1) : at], *masked[at + 1 : at + 2])}
        if not (near & names and word.stem in _BESIDE and word.stem not in profile.words):
            kept.append(word)
    return kept


def _weak(one: Candidate, words: Sequence[Token]) -> bool:
    """Tell whether a name is a single word in small letters, which may be any word."""
    return one.last - one.first == 1 and not words[one.first].is_capital


def _ways(
    asked: Sequence[Parameter],
    found: Sequence[Candidate],
    profile: Profile,
    words: Sequence[Token],
) -> Iterator[list[tuple[Parameter, Candidate]]]:
    """Yield each choice of a candidate; questions have at most one parameter of this kind."""
    if not asked:
        yield []
        return
    (parameter,) = asked
    kind = KIND_OF[parameter.type]
    fitting = [one for one in found if one.kind == kind]
    if kind in (TERM, ENTRY, CARD) and not any(one.is_sure for one in fitting):
        sure = [one for one in found if one.is_sure and one.kind in (RULE, RELEASE)]
        fitting += _left_over(kind, fitting, profile, words, sure)
    for one in fitting:
        yield [(parameter, one)]
    if not fitting:
        yield []


def _left_over(
    kind: str,
    fitting: Sequence[Candidate],
    profile: Profile,
    words: Sequence[Token],
    sure: Sequence[Candidate],
) -> Iterator[Candidate]:
    """Yield the rows of words that the question's own words do not account for."""
    if kind != TERM and fitting:
        return
    nothing = said().nothing
    taken = {at for one in sure for at in range(one.first, one.last)}

    def is_strange(at: int) -> bool:
        word = words[at]
        if at in taken or word.small in nothing or word.stem in profile.words:
            return False
        return kind != CARD or word.is_capital

    for strange, run in groupby(range(len(words)), is_strange):
        places = [*run]
        if strange and not (kind == CARD and places[0] == 0 and len(places) == 1):
            while len(places) > 1 and words[places[-1]].stem in _BESIDE:
                places.pop()
            value = " ".join(words[at].small for at in places)
            yield Candidate(kind, places[0], places[-1] + 1, value, is_strange=True)


def _masked(words: Sequence[Token], used: Sequence[Candidate]) -> list[Token]:
    """Return the words with a place in the stead of each candidate used."""
    places = {one.first: one for one in used}
    result: list[Token] = []
    at = 0
    while at < len(words):
        one = places.get(at)
        if one is None:
            result.append(words[at])
            at += 1
        else:
            place = PLACES[one.kind]
            result.append(Token(words[at].start, words[one.last - 1].end, place, place))
            at = one.last
    return result


def _flags(profile: Profile, left: list[Token]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the switches whose names are said, and the words without them."""
    words = joined(left)
    flags = {}
    for parameter in profile.question.parameters:
        if parameter.type != "Boolean":
            continue
        name = joined(tokens(parameter.name.replace("-", " ")))
        for at in range(len(words) - len(name) + 1):
            there = words[at : at + len(name)]
            if all(alike(w, {part}) for w, part in zip(there, name, strict=True)):
                flags[parameter.name] = "true"
                words = words[:at] + words[at + len(name) :]
                break
    return flags, words


def _releases(
    asked: Sequence[Parameter],
    dates: Sequence[Candidate],
    before: Sequence[str],
    releases: Sequence[str],
    *,
    came: bool,
) -> tuple[dict[str, str], float]:
    """Return the releases of a question, and how many dates it has no use for.

    They stand in their order, unless the words before them say otherwise. Where something may
    have come with a release, “in” that release is from the one before it.
    """
    if not asked or not dates:
        return {}, len(dates)
    given = [one.value for one in dates]
    if len(asked) > 1 and len(given) > 1 and _TO.search(before[0]) and _FROM.search(before[1]):
        given[:2] = given[1::-1]
    if came and len(given) == 1 and _came_with(dates[0], before[0], releases):
        given.insert(0, releases[releases.index(given[0]) - 1])
    filled = {p.name: value for p, value in zip(asked, given, strict=False)}
    return filled, max(0, len(given) - len(asked))


def _is_beside(found: Sequence[Candidate], date: Candidate, words: Sequence[Token]) -> bool:
    """Tell whether a date stands right behind a rule's number: that is where it had it."""
    nothing = said().nothing
    return any(
        one.kind == RULE
        and one.last <= date.first
        and all(word.small in nothing for word in words[one.last : date.first])
        for one in found
    )


def _came_with(date: Candidate, before: str, releases: Sequence[str]) -> bool:
    """Tell whether what is asked of a release is what came with it."""
    if date.value not in releases[1:]:
        return False
    return date.value == releases[-1] or bool(_WITH.search(before))
