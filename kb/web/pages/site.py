"""What pages of one knowledge base share: its releases as books, its names, its links."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from kb.cards.values import name_key
from kb.errors import NotFoundError
from kb.knowledge.book import Book, full_book, past_book
from kb.knowledge.past import PastReader
from kb.knowledge.resting import Resting, RestingReader
from kb.vocab import PREFIXES, CardMinter
from kb.web.pages.linked import Linked
from kb.web.pages.links import Links

if TYPE_CHECKING:
    from starlette.requests import Request

    from kb.knowledge import KnowledgeBase
    from kb.queries import Answer

_BOOKS = 12  # releases held in memory, some megabytes each
_ANSWERS = 6
_RESTING = 500
_CARDS = "SELECT ?card ?name WHERE { ?card a mtg:Card ; mtg:name ?name }"


@dataclass(frozen=True, slots=True)
class ReleaseName:
    """A release to choose: its name, and whether it is there in full or by its history alone."""

    name: str
    official: bool
    full: bool

    @property
    def shown(self) -> str:
        """The name as one reads it."""
        return self.name if self.official else f"{self.name.removesuffix('-concise')} (concise)"


@dataclass
class Site:
    """The pages' view of an open knowledge base. Books are read when they are first asked for."""

    kb: KnowledgeBase
    _books: dict[str, Book] = field(default_factory=dict)
    _linked: dict[tuple[str, str], Linked] = field(default_factory=dict)
    _resting: dict[tuple[tuple[str, ...], int], Resting] = field(default_factory=dict)
    _answers: dict[tuple[str, ...], Answer] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @property
    def base(self) -> str:
        """The base of the knowledge base's IRIs."""
        return str(self.kb.store.manifest["base"])

    @cached_property
    def past(self) -> PastReader:
        """The history of rules and terms."""
        return PastReader(self.kb)

    @cached_property
    def newest(self) -> str:
        """The newest release that is there in full."""
        return self.kb.release_name()

    @cached_property
    def releases(self) -> tuple[ReleaseName, ...]:
        """All releases that pages show, newest first."""
        full = {summary["name"]: summary["edition"] != "concise" for summary in self.kb.releases}
        found = [ReleaseName(name, official, full=True) for name, official in full.items()]
        found += [
            ReleaseName(n, official=True, full=False) for n in self.past.releases if n not in full
        ]
        return tuple(sorted(found, key=lambda one: (one.official, one.name), reverse=True))

    def release(self, asked: str) -> str:
        """Return the name of a release in full or in the history.

        Raises:
            NotFoundError: there is no such release; the hint lists those there are.
        """
        try:
            return self.kb.release_name(asked)
        except NotFoundError:
            if self.past.releases:
                return self.kb.in_history(asked)
            raise

    def book(self, asked: str) -> Book:
        """Return a release as a book.

        Raises:
            NotFoundError: there is no such release.
        """
        name = self.release(asked)
        with self._lock:  # a book is read once, also when two ask for it at a time
            book = self._books.pop(name, None)
            if book is None:
                is_full = any(one.full for one in self.releases if one.name == name)
                book = (full_book if is_full else past_book)(self.kb, name)
            self._books[name] = book  # the last one asked for is the last to go
            while len(self._books) > _BOOKS:
                del self._books[next(iter(self._books))]
        return book

    def linked(self, book: Book, links: Links) -> Linked:
        """Return what links texts into a release, with those that were linked before."""
        found = self._linked.get((book.release, links.root))
        if found is None or found.book is not book:
            found = self._linked[book.release, links.root] = Linked(book, links)
        return found

    def reader(self, book: Book) -> RestingReader:
        """Return what looks up what rests on the rules of a release that is there in full."""
        return RestingReader(self.kb, book.release)

    def resting(
        self, reader: RestingReader, concepts: tuple[str, ...], most: int
    ) -> Resting | None:
        """Return the rulings and cards that speak of concepts; None if there are no concepts.

        What was looked up last is kept: of some concepts, tens of thousands speak.
        """
        if not concepts:
            return None
        key = (concepts, most)
        found = self._resting.get(key)
        if found is None:
            found = reader.resting(concepts, most)
            with self._lock:
                while len(self._resting) >= _RESTING:
                    del self._resting[next(iter(self._resting))]
                self._resting[key] = found
        return found

    def changes(self, old: str, new: str) -> Answer:
        """Return what changed from one release to another; the last few are kept.

        Raises:
            NotFoundError: the history has no such release.
        """
        key = (self.kb.in_history(old), self.kb.in_history(new))
        found = self._answers.get(key)
        if found is None:
            found = self.kb.ask("what-changed", {"from": key[0], "to": key[1]})
            with self._lock:
                while len(self._answers) >= _ANSWERS:
                    del self._answers[next(iter(self._answers))]
                self._answers[key] = found
        return found

    @cached_property
    def card_names(self) -> tuple[tuple[str, str, str], ...]:
        """All cards as folded name, name and IRI, sorted."""
        graph = CardMinter(self.base).graph
        rows: Any = self.kb.store.query(_CARDS, default=[graph], prefixes=PREFIXES)
        return tuple(sorted((name_key(name.value), name.value, card.value) for card, name in rows))

    def cards_begun(self, written: str, most: int) -> list[tuple[str, str]]:
        """Return the names and IRIs of cards whose names begin so, some of them."""
        key = name_key(written)
        place = bisect_left(self.card_names, (key, "", ""))
        found = []
        for folded, name, iri in self.card_names[place : place + most]:
            if not folded.startswith(key):
                break
            found.append((name, iri))
        return found


def site_of(request: Request) -> Site:
    """Return the site of the knowledge base that is open now.

    It is ``request.state.knowledge``, where the server holds one for the whole request, else what
    ``request.app.state.kb`` returns.

    The site is kept on the application as long as the knowledge base is the same object: a
    rebuilt one gets a site of its own.
    """
    given = getattr(request.state, "knowledge", None)
    kb: KnowledgeBase = request.app.state.kb() if given is None else given
    site: Site | None = getattr(request.app.state, "site", None)
    if site is None or site.kb is not kb:
        site = request.app.state.site = Site(kb)
    return site


def links_of(request: Request, site: Site) -> Links:
    """Return what writes the addresses of pages, below the path that the application is at."""
    return Links(str(request.scope.get("root_path", "")).rstrip("/"), site.base)
