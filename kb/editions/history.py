"""Releases in order → each rule's history: its numbers and wordings, by spans of releases.

Two versions are one rule if the releases between link them all, one to the next. A version
lasts as long as nothing about it changes; so a rule that stood untouched for ten years is one
version. The result hangs on the set of releases alone, never on the order in which they came.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kb.citations import find_citations
from kb.editions.align import align, items_of
from kb.editions.heirs import heirs_of
from kb.editions.wording import wording

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.editions.align import Item, Match
    from kb.records import Release, Rule, Rulebook, RuleNumber

_WORDS = 8  # of a rule's first wording make its slug


@dataclass(frozen=True, slots=True)
class Edition:
    """A release as history sees it: its rules and terms as they are compared."""

    release: Release
    items: tuple[Item, ...]
    texts: tuple[str, ...]
    examples: tuple[str, ...]
    terms: tuple[TermWording, ...]


@dataclass(frozen=True, slots=True)
class TermWording:
    """A glossary entry: its name as printed and folded, its text, its wording, its mark."""

    name: str
    key: str
    text: str
    wording: str
    obsolete: bool


@dataclass(frozen=True, slots=True)
class Version:
    """A rule from one release to another, both included, by their places in the history.

    ``illustration`` is the text of its examples. ``references`` and ``examples`` count how
    often these changed before while the wording stayed; ``method`` and ``confidence`` are
    those of the link to the version before.
    """

    first: int
    last: int
    number: str
    text: str
    wording: str
    illustration: str = ""
    references: int = 0
    examples: int = 0
    confidence: float = 1.0
    method: str = ""


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
class History:
    """The releases in order, each rule, each term."""

    releases: tuple[Release, ...]
    rules: tuple[Identity, ...]
    terms: tuple[TermVersion, ...]


@dataclass(slots=True)
class _Line:
    """A rule as it is followed from release to release."""

    versions: list[Version] = field(default_factory=list)
    heirs: list[tuple[_Line, str, int]] = field(default_factory=list)


def edition_of(rulebook: Rulebook) -> Edition:
    """Return what history keeps of a release: of two rules of one number the first."""
    rules: dict[str, Rule] = {}
    for rule in rulebook.rules:
        rules.setdefault(str(rule.number), rule)
    written = tuple(
        (rule.number, rule.text, "\n".join(example.text for example in rule.examples))
        for rule in rules.values()
    )
    entries = tuple((term.name, term.text, term.obsolete) for term in rulebook.terms)
    return edition(rulebook.release, written, entries)


def edition(
    release: Release,
    rules: Iterable[tuple[RuleNumber, str, str]],
    terms: Iterable[tuple[str, str, bool]],
) -> Edition:
    """Return a release as history sees it, whatever it was read from.

    Args:
        release: the release.
        rules: number, text, and the text of the examples of each rule.
        terms: name, text and whether it is obsolete, of each glossary entry.
    """
    ordered = sorted(rules, key=lambda rule: rule[0])
    return Edition(
        release,
        tuple(items_of((number, text) for number, text, _ in ordered)),
        tuple(text for _, text, _ in ordered),
        tuple(illustration for _, _, illustration in ordered),
        tuple(
            TermWording(name, _folded(name), text, wording(text).text, obsolete)
            for name, text, obsolete in terms
        ),
    )


def _folded(name: str) -> str:
    return " ".join(name.casefold().replace("’", "'").split())


def history_of(editions: Iterable[Edition]) -> History:
    """Return the history of releases; of two texts of one date, the first by name counts."""
    ordered = _by_date(editions)
    lines: list[_Line] = []
    current: list[_Line] = []
    for place, edition in enumerate(ordered):
        before = ordered[place - 1] if place else None
        matches = align(list(before.items), list(edition.items)) if before else []
        current = _followed(place, before, edition, matches, current, lines)
    rules = _named(lines)
    return History(tuple(e.release for e in ordered), rules, _terms(ordered))


def _by_date(editions: Iterable[Edition]) -> list[Edition]:
    ordered: dict[str, Edition] = {}
    for edition in sorted(editions, key=lambda e: (e.release.effective, e.release.name)):
        ordered.setdefault(edition.release.effective.isoformat(), edition)
    return list(ordered.values())


def _followed(  # noqa: PLR0913, PLR0917 - a step's whole state
    place: int,
    before: Edition | None,
    edition: Edition,
    matches: list[Match],
    current: list[_Line],
    lines: list[_Line],
) -> list[_Line]:
    """Carry each rule's line one release on, and begin lines for new rules."""
    old_places = {item.number: i for i, item in enumerate(before.items)} if before else {}
    linked = {match.new: match for match in matches}
    image = {match.old: match.new for match in matches}
    following: list[_Line] = []
    for j, item in enumerate(edition.items):
        match = linked.get(item.number)
        if match is None or before is None:
            line = _Line([_first(place, edition, j)])
            lines.append(line)
        else:
            i = old_places[match.old]
            line = current[i]
            _extend(line, place, edition, j, match, _changed(before, i, edition, j, image))
        following.append(line)
    if before is not None:
        for i, j, how in heirs_of(before.items, edition.items, matches):
            current[i].heirs.append((following[j], how, place))
    return following


def _first(place: int, edition: Edition, j: int) -> Version:
    item = edition.items[j]
    return Version(
        place, place, item.number, edition.texts[j], item.wording.text, edition.examples[j]
    )


def _changed(
    before: Edition, i: int, edition: Edition, j: int, image: dict[str, str]
) -> tuple[bool, bool]:
    """Tell whether a rule's references or examples changed, other than by renumbering."""
    old, new = before.items[i].wording, edition.items[j].wording
    expected = tuple(image.get(number, number) for number in old.references)
    references = old.text == new.text and expected != new.references
    illustrated = wording(before.examples[i]).text != wording(edition.examples[j]).text
    return references, illustrated


def _extend(  # noqa: PLR0913, PLR0917 - a step's whole state
    line: _Line, place: int, edition: Edition, j: int, match: Match, changed: tuple[bool, bool]
) -> None:
    """Let the last version last on, or begin a new one where something changed."""
    last, item = line.versions[-1], edition.items[j]
    references, examples = last.references + changed[0], last.examples + changed[1]
    same = (last.number, last.wording, last.references, last.examples)
    if same == (item.number, item.wording.text, references, examples):
        line.versions[-1] = replace(last, last=place)
        return
    line.versions.append(
        replace(
            _first(place, edition, j),
            references=references,
            examples=examples,
            confidence=match.confidence,
            method=match.method,
        )
    )


def _named(lines: list[_Line]) -> tuple[Identity, ...]:
    """Give each line its slug: of its first words, told apart by when and where it began."""
    taken: dict[str, int] = {}
    slugs: dict[int, str] = {}
    for line in lines:
        stem = slug_of(line.versions[0].text)
        taken[stem] = taken.get(stem, 0) + 1
        slugs[id(line)] = stem if taken[stem] == 1 else f"{stem}~{taken[stem]}"
    return tuple(
        Identity(
            slugs[id(line)],
            tuple(line.versions),
            tuple((slugs[id(heir)], how, place) for heir, how, place in line.heirs),
        )
        for line in lines
    )


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


def _terms(ordered: list[Edition]) -> tuple[TermVersion, ...]:
    """Return the versions of each glossary entry, by its name."""
    found: list[TermVersion] = []
    open_now: dict[str, int] = {}
    for place, edition in enumerate(ordered):
        for term in edition.terms:
            at = open_now.get(term.key)
            last = found[at] if at is not None else None
            if (
                last is not None
                and last.last == place - 1
                and (last.wording, last.obsolete) == (term.wording, term.obsolete)
            ):
                found[at] = replace(last, last=place)  # type: ignore[index]
            elif last is None or last.last < place:
                open_now[term.key] = len(found)
                found.append(
                    TermVersion(
                        term.key, term.name, place, place, term.text, term.wording, term.obsolete
                    )
                )
    return tuple(found)
