"""A text of the rulebook as a page shows it: citations as links, symbols drawn, all escaped."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from markupsafe import Markup

from kb.cards.values import name_key
from kb.citations import find_citations
from kb.web.pages.symbols import symbols

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kb.knowledge.book import Book, Entry, TermEntry
    from kb.records import Citation
    from kb.web.pages.links import Links

    Named = TermEntry | Entry

_KEPT = 8000  # texts, a release has some thousands


@dataclass(frozen=True)
class Linked:
    """Links the citations of texts into one release; ``kept`` is a place for what was linked."""

    book: Book
    links: Links
    kept: dict[str, Markup] = field(default_factory=dict)

    @cached_property
    def names(self) -> tuple[tuple[str, Named], ...]:
        """The folded names of all terms, and of all rules with a title, to be looked through."""
        terms = ((name_key(term.heading), term) for term in self.book.terms.values())
        titled = (
            (name_key(entry.title), entry) for entry in self.book.entries.values() if entry.title
        )
        return (*terms, *titled)

    def text(self, text: str) -> Markup:
        """Return a text with each citation of a rule of the release as a link to it."""
        found = self.kept.get(text)
        if found is None:
            if len(self.kept) >= _KEPT:
                self.kept.clear()
            found = self.kept[text] = self._linked(text)
        return found

    def paragraphs(self, text: str) -> Markup:
        """Return a text of several lines as paragraphs."""
        lines = filter(str.strip, text.split("\n"))
        return Markup("").join(Markup("<p>{}</p>").format(self.text(line)) for line in lines)

    def _linked(self, text: str) -> Markup:
        parts, done = [], 0
        for citation in find_citations(text):
            if citation.form == "self":
                continue
            start, shown = citation.span.start, _without_brackets(citation.text)
            parts += [symbols(text[done:start]), self._link(citation, shown)]
            done = start + len(shown)
        return Markup("").join([*parts, symbols(text[done:])])

    def _link(self, citation: Citation, shown: str) -> Markup:
        target = next((n for n in citation.numbers if self.book.get(n)), None)
        if target is None:
            return Markup('<span class="broken">{}</span>').format(shown)
        return Markup('<a class="cite" href="{}">{}</a>').format(
            self.links.rule(self.book.release, target), shown
        )


def _without_brackets(text: str) -> str:
    """Return a citation without the bracket that closes what was opened before it."""
    return text[:-1] if text.endswith(")") and "(" not in text else text


_TAGS: Mapping[str, Markup] = {
    "-": Markup("<del>{}</del>"),
    "+": Markup("<ins>{}</ins>"),
    "=": Markup("{}"),
}


def differing(old: str, new: str) -> Markup:
    """Return what two texts have in common and what only one has, word by word."""
    from kb.identify.difference import difference  # noqa: PLC0415 - slow to import

    return marked(difference(old, new))


def marked(steps: tuple[tuple[str, str], ...]) -> Markup:
    """Return the steps of a difference, words that came and went marked."""
    return Markup(" ").join(_TAGS[op].format(symbols(words)) for op, words in steps)
