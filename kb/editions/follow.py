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
    Links,
    TermVersion,
    Version,
    editions_from,
    links,
    until,
)
from kb.editions.wording import wording

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from kb.editions.align import Match
    from kb.editions.edition import Edition
    from kb.editions.wording import Wording
    from kb.records import Release

_WORDS = 8  # of a rule's first wording make its slug


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
        image = {match.old: match.new for match in known.matches}
        for j in range(len(edition.items)):
            number = edition.items[j].number
            self._stand(place, edition, j, following, linked.get(number), image)
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

    def _stand(  # noqa: PLR0913, PLR0917 - a rule's whole surroundings
        self,
        place: int,
        edition: Edition,
        j: int,
        following: dict[str, _Line],
        match: Match | None,
        image: dict[str, str],
    ) -> None:
        """Let the last version of a rule last on, or begin a new one where something changed."""
        item, line = edition.items[j], following[edition.items[j].number]
        references = item.wording.references
        last = line.versions[-1] if match else None
        if last and last.wording == item.wording.text and self._same(match, references, image):
            leads = last.references
        else:
            leads = tuple(following[n].slug if n in following else n for n in references)
        now = (item.number, edition.texts[j], edition.examples[j], leads)
        if last and (last.number, last.text, last.illustration, last.references) == now:
            line.versions[-1] = replace(last, last=place)
            return
        number, text, illustration, _ = now
        shown = self._worded(illustration).text
        how = (match.confidence, match.method) if match else (1.0, "")
        version = (place, place, number, text, item.wording.text, leads, illustration, shown)
        line.versions.append(Version(*version, *how))

    def _same(
        self, match: Match | None, references: tuple[str, ...], image: dict[str, str]
    ) -> bool:
        """Tell whether references lead where they led, in a rule whose wording is the same."""
        assert match, "asked of rules with a past alone"
        before = self._references[match.old]
        return tuple(image.get(number, number) for number in before) == references

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
