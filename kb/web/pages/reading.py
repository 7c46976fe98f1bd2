"""What the pages of a release need at hand: the book, its links, and texts linked into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.vocab import slug
from kb.web.pages.site import links_of, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request

    from kb.knowledge.book import Book, Entry
    from kb.knowledge.past import Past
    from kb.web.pages.linked import Linked, Named
    from kb.web.pages.links import Links
    from kb.web.pages.site import Site

_GLOSSARY = "glossary:"
_FIRST_WORDS = 170


@dataclass(frozen=True, slots=True)
class Reference:
    """A rule or glossary entry as it is named in a list: label, first words, page."""

    label: str
    words: str
    address: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A release that the reader may switch to, and the number that the rule bears there."""

    name: str
    shown: str
    number: str | None
    here: bool


@dataclass(frozen=True)
class Reading:
    """A request for a page of a release."""

    site: Site
    links: Links
    book: Book
    linked: Linked

    @classmethod
    def of(cls, request: Request, release: str | None = None) -> Reading:
        """Return the reading of the release that the address names, or of another.

        Raises:
            NotFoundError: there is no such release.
        """
        site = site_of(request)
        links = links_of(request, site)
        asked = release or request.path_params.get("release") or "latest"
        book = site.book(asked)
        return cls(site, links, book, site.linked(book, links))

    @property
    def release(self) -> str:
        """The release's name."""
        return self.book.release

    @property
    def names(self) -> tuple[tuple[str, Named], ...]:
        """The folded names of all terms, and of all rules with a title."""
        return self.linked.names

    def references(self, labels: Iterable[str]) -> tuple[Reference, ...]:
        """Return rules and glossary entries, by their labels, as lists name them."""
        return tuple(self.reference(label) for label in labels)

    def reference(self, label: str) -> Reference:
        """Return a rule or glossary entry as lists name it."""
        address = self.links.label(self.release, label)
        if label.startswith(_GLOSSARY):
            name = label.removeprefix(_GLOSSARY)
            term = self.book.terms.get(slug(name))
            said = shortened(term.senses[0]) if term and term.senses else ""
            return Reference(name, f"(glossary) {said}", address)
        entry = self.book.get(label)
        return Reference(label, first_words(entry) if entry else "", address)

    def choices(self, past: Past | None, number: str | None) -> tuple[Choice, ...]:
        """Return the releases to switch to; of a rule with a past, its number in each."""
        places = {name: place for place, name in enumerate(self.site.past.releases)}
        found = []
        for one in self.site.releases:
            there = number
            if past and one.name in places:
                there = past.number_in(places[one.name])
            found.append(Choice(one.name, one.shown, there, one.name == self.release))
        return tuple(found)


def first_words(entry: Entry) -> str:
    """Return a rule's title, or the beginning of its text."""
    return shortened(entry.title or entry.text.partition("\n")[0])


def shortened(text: str) -> str:
    """Return a text as far as there is room for it in a list."""
    if len(text) <= _FIRST_WORDS:
        return text
    return text[:_FIRST_WORDS].rpartition(" ")[0].rstrip(" ,;:.") + "…"
