"""One build at work: files → quads, one release at a time, so that none is held longer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from kb.cards import read_card_files
from kb.cards.concepts import concepts_of
from kb.cards.mentions import Mentions
from kb.cards.oracle import KeywordLexicon, read_abilities
from kb.cards.page import with_pages
from kb.cards.rulings_text import read_ruling
from kb.cards.values import name_key
from kb.editions.edition import edition_of
from kb.editions.follow import history_of
from kb.editions.history import History
from kb.editions.wording import wording
from kb.errors import SourceError
from kb.knowledge.historical import edition_in, kept_editions, kept_history
from kb.knowledge.indexing import Indexes
from kb.knowledge.inferring import inferred_quads
from kb.knowledge.reading import keyed_rules, read_release
from kb.source import read_source
from kb.statements import Lexicon, coverage, read_ruling_statements
from kb.triples import card_quads, mention_quads, read_quads, reading_quads
from kb.triples.history import history_quads
from kb.vocab import CardMinter, Minter

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator
    from datetime import date
    from pathlib import Path

    from pyoxigraph import Quad, Store

    from kb.cards.page import RulingPage
    from kb.editions.edition import Edition
    from kb.records import Ability, Card, Face, Problem, Reading
    from kb.store import OpenStore


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a build is made of."""

    files: tuple[Path, ...]
    cards: tuple[Path, ...]
    base: str
    add: bool
    damaged: bool
    effective: date | None
    pages: tuple[RulingPage, ...] = ()
    history: tuple[Path, ...] = ()


class Work:
    """Reads the files of a recipe and hands their quads on; notes what it did.

    ``old`` is the knowledge base to keep releases of, or None; ``search`` the folder of the new
    one's indexes, which are written as each file is read.
    """

    def __init__(
        self,
        recipe: Recipe,
        old: OpenStore | None,
        progress: Callable[[str, int, int], None],
        search: Path,
    ) -> None:
        self.recipe, self.old, self.progress = recipe, old, progress
        self.indexes = Indexes(search, old)
        self.written: dict[str, dict[str, Any]] = {}
        self.kept: list[str] = []
        self.repeated: list[str] = []
        self.manifest: dict[str, Any] = {"base": recipe.base, "releases": [], "cards": None}
        self._newest: tuple[tuple[bool, str], Reading] | None = None
        self._editions: dict[str, Edition] = {}
        self._worded = cache(wording)  # most rules stand unchanged in many releases

    def quads(self) -> Iterator[Quad]:
        """Yield all quads; afterwards the manifest is complete."""
        steps = len(self.recipe.files) + 2 * bool(self.recipe.cards)
        for step, path in enumerate(self.recipe.files):
            self.progress(f"reading {path.name}", step, steps)
            yield from self._release(path)
        for summary in self.old.manifest["releases"] if self.old else ():
            if summary["name"] not in self.written:
                self.kept.append(summary["name"])
                self.manifest["releases"].append(summary)
                yield from self._copied(summary["name"])
        self.manifest["releases"] += self.written.values()
        self.manifest["releases"].sort(key=order)
        _, history = self._history()
        names = {summary["name"] for summary in self.manifest["releases"]}
        yield from history_quads(history, self.recipe.base, full=names)
        if self.recipe.cards:
            yield from self._cards(steps)
        elif self.old:
            self.manifest["cards"] = self.old.manifest.get("cards")
            self.indexes.keep_cards()
            yield from self.old.quads(CardMinter(self.recipe.base).graph)

    def inferred(self, store: Store) -> Iterator[Quad]:
        """Yield what follows from the releases in a store that has all quads."""
        self.progress("inferring", 0, 1)
        yield from inferred_quads(store, self.manifest["releases"], self.recipe.base)

    def _release(self, path: Path) -> Iterator[Quad]:
        reading = self._read(path)
        if reading is not None:
            yield from reading_quads(reading, self.recipe.base)

    def _read(self, path: Path) -> Reading | None:
        """Read a release and note it; None for a text that was there before."""
        source = read_source(path)
        if source.sha256 in {summary["sha256"] for summary in self.written.values()}:
            self.repeated.append(path.name)
            return None
        old = self.old.manifest["releases"] if self.old else ()
        others = {summary["name"] for summary in old if summary["sha256"] != source.sha256}
        taken = others.union(self.written)
        reading = _distinct(read_release(source, effective=self.recipe.effective), taken)
        _refuse(reading.problems, path, damaged=self.recipe.damaged)
        summary = _summary(reading)
        self.written[summary["name"]] = summary
        if self._newest is None or order(summary) > self._newest[0]:
            self._newest = (order(summary), reading)
        self._editions[summary["name"]] = edition_of(reading.rulebook, self._worded)
        self.indexes.write_release(reading)
        return reading

    def _history(self) -> tuple[History, History]:
        """Return the history that is kept, and that of all official releases, kept or read now.

        One release alone has no history.
        """
        in_full = {summary["name"] for summary in self.manifest["releases"]}
        for path in sorted(self.recipe.history):
            self.progress(f"reading {path.name}", 0, 1)
            edition, problems = edition_in(read_source(path), self._worded)
            _refuse(problems, path, damaged=self.recipe.damaged)
            if edition.release.name not in in_full:
                self._editions.setdefault(edition.release.name, edition)
        known = kept_history(self.old, self.recipe.base) if self.old else History()
        same = {(release.name, release.sha256) for release in known.releases}
        editions = list(self._editions.values())
        if self.old:
            there = self._editions.keys() | {name for name, _ in same}
            editions += kept_editions(self.old, self.recipe.base, there)
        new = [
            edition
            for edition in editions
            if edition.release.edition == "official"
            and (edition.release.name, edition.release.sha256) not in same
        ]
        what = "following the rules from release to release"
        history = history_of(new, known, lambda done, of: self.progress(what, done, of))
        if len(history.releases) <= 1:
            history = History()
        self.manifest["history"] = [release.name for release in history.releases]
        return known, history

    def _copied(self, name: str) -> Iterator[Quad]:
        assert self.old is not None, "only an old knowledge base has releases to keep"
        release = Minter(name, self.recipe.base).release
        self.indexes.keep_release(name, release)
        yield from self.old.quads(release)

    def _newest_reading(self) -> Reading:
        """Return the newest release of the build: cards are read with its words."""
        newest = max(self.manifest["releases"], key=order)
        if self._newest and self._newest[0] == order(newest):
            return self._newest[1]
        assert self.old is not None, "a release that was not read now was kept"
        release = Minter(newest["name"], self.recipe.base).release
        return read_quads(self.old.quads(release))

    def _cards(self, steps: int) -> Iterator[Quad]:
        reading = self._newest_reading()
        cards, report = read_card_files(
            self.recipe.cards,
            supertypes_of(reading),
            lambda what: self.progress(what, steps - 2, steps),
        )
        cards = with_pages(cards, self.recipe.pages)
        keywords = KeywordLexicon.of(reading.rulebook)
        typed: dict[str, int] = {}

        def abilities(face: Face) -> tuple[Ability, ...]:
            found = read_abilities(face.text, face.types, keywords)
            for ability in found:
                typed[ability.kind] = typed.get(ability.kind, 0) + 1
            return found

        self.progress(f"indexing {len(cards)} cards", steps - 1, steps)
        self.indexes.write_cards(cards)
        self.progress(f"writing {len(cards)} cards", steps - 1, steps)
        # Many cards share a ruling, and many faces a keyword: each is read once.
        ruling, heading = cache(read_ruling), cache(keywords.heading)
        lexicon = Lexicon.of(reading.rulebook)
        stated = cache(lambda text: read_ruling_statements(text, lexicon))
        base = self.recipe.base
        yield from card_quads(cards, abilities, ruling, name_key, heading, base, stated)
        mentions = Mentions(concepts_of(reading.rulebook), keywords)
        again = partial(_abilities, keywords=keywords)
        yield from mention_quads(cards, again, mentions, base)
        self.manifest["cards"] = {
            "names": report.names,
            "rulings_read": report.rulings,
            "release": reading.rulebook.release.name,
            "problems": [str(problem) for problem in report.problems],
            "abilities": dict(sorted(typed.items())),
            **_card_counts(cards),
        }


def _abilities(face: Face, keywords: KeywordLexicon) -> tuple[Ability, ...]:
    return read_abilities(face.text, face.types, keywords)


def supertypes_of(reading: Reading) -> frozenset[str]:
    """Return the supertypes that a release's glossary names, as printed on type lines."""
    return frozenset(
        statement.subject
        for _, statement in reading.statements
        if (statement.kind, statement.value) == ("kind", "supertype")
    )


def _card_counts(cards: list[Card]) -> dict[str, int]:
    return {
        "cards": len(cards),
        "faces": sum(len(card.faces) for card in cards),
        "rulings": sum(len(ruling.dates) for card in cards for ruling in card.rulings),
    }


def order(summary: dict[str, Any]) -> tuple[bool, str]:
    """Return what releases are ordered by: official ones last, then by name."""
    return summary["edition"] == "official", summary["name"]


def _distinct(reading: Reading, names: Container[str]) -> Reading:
    """Give a second text of one date a variant of its own, from its digest."""
    release = reading.rulebook.release
    if release.name not in names:
        return reading
    variant = f"{release.variant}{release.sha256[:8]}"
    return replace(
        reading, rulebook=replace(reading.rulebook, release=replace(release, variant=variant))
    )


def _refuse(problems: Iterable[Problem], path: Path, *, damaged: bool) -> None:
    fatal = [problem for problem in problems if problem.fatal]
    if damaged:
        fatal = [p for p in fatal if p.kind != "truncated"]
    if fatal:
        worst = next((p for p in fatal if p.kind == "no-rules"), fatal[0])
        hints = {
            "truncated": "get the whole file, or read what there is: --damaged",
            "no-date": "name its date: --effective YYYY-MM-DD",
            "no-rules": "give a text of the Comprehensive Rules",
        }
        raise SourceError(
            worst.message,
            where=str(path),
            line=worst.line,
            column=worst.column,
            hint=hints[worst.kind],
        )


def _summary(reading: Reading) -> dict[str, Any]:
    book, release = reading.rulebook, reading.rulebook.release
    levels = [rule.number.kind for rule in book.rules]
    return {
        "name": release.name,
        "effective": release.effective.isoformat(),
        "edition": release.edition,
        "title": release.title,
        "sha256": release.sha256,
        "encoding": release.encoding,
        "sections": len(book.sections),
        "chapters": levels.count("chapter"),
        "rules": levels.count("rule"),
        "subrules": levels.count("subrule"),
        "examples": sum(len(rule.examples) for rule in book.rules),
        "terms": len(book.terms),
        "citations": sum(len(citation.numbers) for _, citation in reading.citations),
        "statements": len(reading.statements),
        "stated": coverage(keyed_rules(book), reading.statements),
        "problems": len(reading.problems),
    }
