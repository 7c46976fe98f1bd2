"""Releases in order → each rule's history; a history and more releases → the history of all.

The result hangs on the set of releases alone, never on the order in which they came. What is
known of two releases that follow each other is not worked out again.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from kb.citations import find_citations
from kb.editions.align import align
from kb.editions.heirs import heirs_of
from kb.editions.history import (
    History,
    Identity,
    Left,
    Links,
    TermVersion,
    Version,
    editions_from,
    links,
    until,
)
from kb.editions.wording import wording
from kb.records import RuleNumber

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from kb.editions.align import Match
    from kb.editions.edition import Edition
    from kb.editions.wording import Wording
    from kb.records import Release

_WORDS = 8  # of a rule's first wording make its slug
_SURE = 0.8  # that a rule moved


def history_of(
    editions: Iterable[Edition],
    known: History | None = None,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> History:
    """Return the history of releases; of two texts of one date, the first by name counts.

    Args:
        editions: the releases, in any order.
        known: the history of others, which the result has as well; a release that is in both
            is taken from ``editions``.
        progress: called with how many releases have been compared, of how many.
    """
    known = known or History()
    new = {edition.release.name: edition for edition in editions}
    there = [edition.release for edition in new.values()]
    chosen = _by_date([*there, *(r for r in known.releases if r.name not in new)])
    start = _unchanged(known, chosen, new)
    old = {edition.release.name: edition for edition in editions_from(known, start - 1)}
    places = {release.name: place for place, release in enumerate(known.releases)}
    ordered = [new.get(name) or old[name] for name in chosen[max(start - 1, 0) :]]
    following = _Following(until(known, start), ordered[0] if start else None)
    rest = ordered[1:] if start else ordered
    for done, edition in enumerate(rest):
        progress(done, len(rest))
        before = following.before
        between = None
        if before and {before.release.name, edition.release.name}.isdisjoint(new):
            place = places[before.release.name]
            if places[edition.release.name] == place + 1:
                between = links(known, place)
        following.step(edition, between)
    return following.history()


def _by_date(releases: Iterable[Release]) -> list[str]:
    """Return the names of the releases that count, in the order of their dates."""
    ordered: dict[object, str] = {}
    for release in sorted(releases, key=lambda r: (r.effective, r.name)):
        ordered.setdefault(release.effective, release.name)
    return list(ordered.values())


def _unchanged(known: History, chosen: list[str], new: Container[str]) -> int:
    """Return how many of the first releases are as they were."""
    same = 0
    for old, now in zip(known.releases, chosen, strict=False):
        if old.name != now or now in new:
            break
        same += 1
    return same


@dataclass(slots=True)
class _Line:
    """A rule as it is followed from release to release."""

    slug: str
    versions: list[Version] = field(default_factory=list)
    heirs: list[tuple[str, str, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Step:
    """A release as it is followed: the rules that bear its numbers, and how they came to."""

    place: int
    following: dict[str, _Line]
    linked: dict[str, Match]
    onward: dict[str, Match]
    stood: frozenset[str]

    def image(self, number: str) -> str:
        """Return the number to which a rule moved; its own if it is gone."""
        match = self.onward.get(number)
        return match.new if match else number

    def moved(self, numbers: tuple[str, ...]) -> tuple[str, ...]:
        """Return the numbers that references have if they follow the rules that they name."""
        return tuple(map(self.image, numbers))

    def leads(self, number: str) -> str:
        """Return the slug of the rule that bears a number, or the number where none does."""
        line = self.following.get(number)
        return line.slug if line else number

    def is_passed_on(self, number: str) -> bool:
        """Tell whether a number went from one rule to another that was there before as well.

        Where it is not sure that a rule moved, it is not said of it.
        """
        match = self.onward.get(number)
        if match and (match.new == number or match.confidence < _SURE):
            return False
        return match is not None or self._was_taken(number)

    def _was_taken(self, number: str) -> bool:
        """Tell whether a number, of a rule that is gone, was taken by one from elsewhere."""
        line, match = self.following.get(number), self.linked.get(number)
        return bool(line and match and match.confidence >= _SURE and line.slug in self.stood)


class _Following:
    """The history so far, open at its end: which rule bears each number, how terms stand."""

    def __init__(self, known: History, before: Edition | None) -> None:
        """Take up a history at its last release."""
        self.before = before
        self._worded: Callable[[str], Wording] = cache(wording)
        self._releases = list(known.releases)
        self._lines = [_Line(r.slug, [*r.versions], [*r.heirs]) for r in known.rules]
        last = len(self._releases) - 1
        self._current = {
            line.versions[-1].number: line for line in self._lines if line.versions[-1].last == last
        }
        self._taken: dict[str, int] = {}
        for line in self._lines:
            stem = line.slug.partition("~")[0]
            self._taken[stem] = self._taken.get(stem, 0) + 1
        self._terms = list(known.terms)
        self._at = {term.key: place for place, term in enumerate(self._terms)}
        self._references = _references(before)

    def history(self) -> History:
        """Return the history up to the last release that was given."""
        rules = (Identity(x.slug, tuple(x.versions), tuple(x.heirs)) for x in self._lines)
        return History(tuple(self._releases), tuple(rules), tuple(self._terms))

    def step(self, edition: Edition, between: Links | None) -> None:
        """Carry each rule and term one release on, by links that are known or are looked for."""
        place = len(self._releases)
        self._releases.append(edition.release)
        known = between or self._compared(edition)
        linked = {match.new: match for match in known.matches}
        following: dict[str, _Line] = {}
        for item, text in zip(edition.items, edition.texts, strict=True):
            match = linked.get(item.number)
            following[item.number] = self._current[match.old] if match else self._line(text)
        step = _Step(
            place,
            following,
            linked,
            {match.old: match for match in known.matches},
            frozenset(line.slug for line in self._current.values()),
        )
        for j in range(len(edition.items)):
            self._stand(step, edition, j)
        came = {line.slug: at for at, line in enumerate(self._lines)}
        for old, new, how in sorted(
            known.heirs, key=lambda heir: (heir[2], came[following[heir[1]].slug])
        ):
            self._current[old].heirs.append((following[new].slug, how, place))
        self._step_terms(place, edition)
        self.before, self._current = edition, following
        self._references = _references(edition)

    def _compared(self, edition: Edition) -> Links:
        if self.before is None:
            return Links((), ())
        old, new = self.before.items, edition.items
        matches = align(list(old), list(new))
        heirs = heirs_of(old, new, matches)
        return Links(
            tuple(matches), tuple((old[i].number, new[j].number, how) for i, j, how in heirs)
        )

    def _line(self, text: str) -> _Line:
        """Begin a line, told by its slug from those that begin with the same words."""
        stem = slug_of(text)
        taken = self._taken[stem] = self._taken.get(stem, 0) + 1
        self._lines.append(_Line(stem if taken == 1 else f"{stem}~{taken}"))
        return self._lines[-1]

    def _stand(self, step: _Step, edition: Edition, j: int) -> None:
        """Let the last version of a rule last on, or begin a new one where something changed."""
        item, line = edition.items[j], step.following[edition.items[j].number]
        references, wording = item.wording.references, item.wording.text
        match = step.linked.get(item.number)
        last = line.versions[-1] if match else None
        before = self._references[match.old] if match else ()
        if last and last.wording == wording and step.moved(before) == references:
            leads = last.references
        else:
            leads = tuple(step.leads(number) for number in references)
        left: tuple[Left, ...] = ()
        if last and match and references:
            same = before if last.wording == wording else ()
            left = self._left(step, last.left, same, references)
            if item.level == "subrule":  # the next step of a list is named by its place
                left = tuple(x for x in left if not _follows(item.number, x.number))
        number, text, illustration = item.number, edition.texts[j], edition.examples[j]
        now = (number, text, illustration, leads, left)
        if last and now == (last.number, last.text, last.illustration, last.references, last.left):
            line.versions[-1] = replace(last, last=step.place)
            return
        shown = self._worded(illustration).text
        how = (match.confidence, match.method) if match else (1.0, "")
        version = (step.place, step.place, number, text, wording, leads, illustration, shown)
        line.versions.append(Version(*version, *how, left))

    def _left(
        self,
        step: _Step,
        marked: tuple[Left, ...],
        before: tuple[str, ...],
        references: tuple[str, ...],
    ) -> tuple[Left, ...]:
        """Return the references of a rule that are left behind, since now or since before.

        Args:
            step: the release.
            marked: those of the release before.
            before: the numbers that the same words had there, or none where they were edited.
            references: the numbers that they have now.
        """
        found = {}
        known = {left.number for left in marked}
        for left in marked:
            number = left.number if left.number in references else step.image(left.number)
            if number in references and step.leads(number) != left.meant:
                found[number] = replace(left, number=number)
        for at, (old, new) in enumerate(zip(before, references, strict=False)):
            meant = self._current.get(old)
            if old == new and meant and old not in known and step.is_passed_on(new):
                if at and _follows(references[at - 1], new):
                    continue  # within a range, whose ends say what is in it
                found.setdefault(new, Left(new, meant.slug, step.place - 1))
        return tuple(found.values())

    def _step_terms(self, place: int, edition: Edition) -> None:
        """Carry each glossary entry one release on, by its name."""
        for term in edition.terms:
            at = self._at.get(term.key)
            last = self._terms[at] if at is not None else None
            if (
                at is not None
                and last is not None
                and last.last == place - 1
                and (last.name, last.text, last.obsolete) == (term.name, term.text, term.obsolete)
            ):
                self._terms[at] = replace(last, last=place)
                continue
            self._at[term.key] = len(self._terms)
            worded = (place, place, term.text, term.wording, term.obsolete)
            self._terms.append(TermVersion(term.key, term.name, *worded))


def _follows(number: str, other: str) -> bool:
    """Tell whether a number comes right after another one, of the same kind and parent."""
    if min(len(number), len(other)) == 1:  # a section has no place among rules
        return False
    one, following = (RuleNumber.parse(name) for name in (number, other))
    return (one.parent, one.position + 1) == (following.parent, following.position)


def _references(edition: Edition | None) -> dict[str, tuple[str, ...]]:
    items = edition.items if edition else ()
    return {item.number: item.wording.references for item in items}


def slug_of(text: str) -> str:
    """Return a rule's slug: its first words in small letters, joined by hyphens, none a number's.

    >>> slug_of("A player who’s lost 5 life loses. See rule 104.")
    'a-player-whos-lost-5-life-loses-see'
    """
    for citation in reversed(find_citations(text)):
        text = f"{text[: citation.span.start]} {text[citation.span.end :]}"
    plain = unicodedata.normalize("NFKD", text.replace("’", "").replace("'", ""))
    words = re.findall(r"[a-z0-9]+", plain.encode("ascii", "ignore").decode().lower())
    return "-".join(words[:_WORDS]) or "rule"
