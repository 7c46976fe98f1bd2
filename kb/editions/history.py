"""The history of rules and terms: what each was called and how it read, by spans of releases.

Two versions are one rule if the releases between link them all, one to the next. A version
lasts as long as nothing about it changes, so that its text is to the letter what each of its
releases has; a rule that stood untouched for ten years is one version.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from kb.editions.align import Match
from kb.editions.edition import edition
from kb.editions.wording import wording
from kb.records import RuleNumber

if TYPE_CHECKING:
    from kb.editions.edition import Edition
    from kb.records import Release


@dataclass(frozen=True, slots=True)
class Version:
    """A rule from one release to another, both included, by their places in the history.

    ``wording`` is what its text is compared by; ``references`` are the slugs of the rules that
    it cites, in order, or a number where no rule bore it. ``illustration`` is the text of its
    examples, ``shown`` what they are compared by. ``method`` and ``confidence`` are those of
    the link to the version before; ``left`` are its references that were left behind.
    """

    first: int
    last: int
    number: str
    text: str
    wording: str
    references: tuple[str, ...] = ()
    illustration: str = ""
    shown: str = ""
    confidence: float = 1.0
    method: str = ""
    left: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """A reference's number that was left behind as the rule that it named moved on.

    ``meant`` is the slug of that rule; ``right`` the place of the last release in which the
    number was right.
    """

    number: str
    meant: str
    right: int


@dataclass(frozen=True, slots=True)
class Identity:
    """A rule over all releases, by a slug of its first words; its versions in order.

    ``heirs`` are the slugs of other rules that took up its text when it went or was cut:
    (slug, how, place of the release), ``how`` being ``split`` or ``merged``.
    """

    slug: str
    versions: tuple[Version, ...]
    heirs: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TermVersion:
    """A glossary entry from one release to another, both included."""

    key: str
    name: str
    first: int
    last: int
    text: str
    wording: str
    obsolete: bool


@dataclass(frozen=True, slots=True)
class Links:
    """How a release goes on into the next one, by numbers in both.

    ``heirs`` are (old number, new number, ``split`` or ``merged``).
    """

    matches: tuple[Match, ...]
    heirs: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class History:
    """The releases in order; rules and terms in the order in which they came."""

    releases: tuple[Release, ...] = ()
    rules: tuple[Identity, ...] = ()
    terms: tuple[TermVersion, ...] = ()


def until(history: History, place: int) -> History:
    """Return the history of the releases before a place, as if there were none from there on."""
    rules = [
        Identity(
            rule.slug,
            tuple(
                replace(version, last=min(version.last, place - 1))
                for version in rule.versions
                if version.first < place
            ),
            tuple(heir for heir in rule.heirs if heir[2] < place),
        )
        for rule in history.rules
        if rule.versions[0].first < place
    ]
    terms = [
        replace(term, last=min(term.last, place - 1))
        for term in history.terms
        if term.first < place
    ]
    return History(history.releases[:place], tuple(rules), tuple(terms))


def editions_from(history: History, start: int) -> list[Edition]:
    """Return the releases of a history from a place on, as they were before they were compared."""
    worded, number = cache(wording), cache(RuleNumber.parse)
    places = range(max(start, 0), len(history.releases))
    rules: dict[int, list[tuple[RuleNumber, str, str]]] = {place: [] for place in places}
    terms: dict[int, list[tuple[str, str, bool]]] = {place: [] for place in places}
    for version in (version for rule in history.rules for version in rule.versions):
        written = number(version.number), version.text, version.illustration
        for place in range(max(version.first, places.start), version.last + 1):
            rules[place].append(written)
    for term in history.terms:
        for place in range(max(term.first, places.start), term.last + 1):
            terms[place].append((term.name, term.text, term.obsolete))
    return [
        edition(history.releases[place], rules[place], terms[place], worded) for place in places
    ]


def links(history: History, place: int) -> Links:
    """Return how the release at a place goes on into the next one."""
    matches: list[Match] = []
    numbers: dict[str, tuple[str | None, str | None]] = {}
    for rule in history.rules:
        old = _standing(rule, place)
        new = _standing(rule, place + 1)
        numbers[rule.slug] = (old.number if old else None, new.number if new else None)
        if old and new:
            how = ("same", 1.0) if old is new else (new.method, new.confidence)
            matches.append(Match(old.number, new.number, *how))
    heirs = [
        (old_number, new_number, how)
        for rule in history.rules
        for heir, how, at in rule.heirs
        if at == place + 1
        and (old_number := numbers[rule.slug][0])
        and (new_number := numbers[heir][1])
    ]
    return Links(tuple(matches), tuple(heirs))


def _standing(rule: Identity, place: int) -> Version | None:
    return next((v for v in rule.versions if v.first <= place <= v.last), None)
