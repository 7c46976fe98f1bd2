"""Where each thing's page is: the path of its IRI, below the path that the application is at."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from kb.vocab import slug

_GLOSSARY = "glossary:"


@dataclass(frozen=True, slots=True)
class Links:
    """Writes addresses. ``root`` has no slash at its end, ``base`` (of the IRIs) has one."""

    root: str
    base: str

    def page(self, path: str, **asked: str | int | None) -> str:
        """Return the address of a page, with what is asked of it; None is left out."""
        given = {name.rstrip("_"): value for name, value in asked.items() if value is not None}
        return f"{self.root}/{path}" + (f"?{urlencode(given)}" if given else "")

    def release(self, release: str) -> str:
        """Return the address of a release's page."""
        return f"{self.root}/cr/{quote(release)}"

    def rule(self, release: str, key: str) -> str:
        """Return the address of a chapter, rule or subrule; of a section, if it is a digit."""
        kind = "section" if len(key) == 1 else "rule"
        return f"{self.release(release)}/{kind}/{quote(key, safe='~')}"

    def term(self, release: str, key: str) -> str:
        """Return the address of a glossary entry; without a key, of the glossary."""
        return f"{self.release(release)}/term" + (f"/{quote(key)}" if key else "")

    def label(self, release: str, label: str) -> str:
        """Return the address of what an answer calls by a number or ``glossary:Term``."""
        if label.startswith(_GLOSSARY):
            return self.term(release, slug(label.removeprefix(_GLOSSARY)))
        return self.rule(release, label)

    def source(self, release: str, source: str) -> str:
        """Return the address of where a sentence stands: a rule, an entry, or a card's ruling."""
        if source.startswith(_GLOSSARY) or source[:1].isdigit():
            return self.label(release, source)
        return self.page("card", name=source.rpartition(", ")[0] or source)

    def iri(self, iri: str) -> str:
        """Return the address of what has an IRI: its own page here, if it is below our base."""
        return f"{self.root}/{iri.removeprefix(self.base)}" if iri.startswith(self.base) else iri
