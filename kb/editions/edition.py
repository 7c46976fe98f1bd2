"""A release as history sees it: its rules and terms as they are compared with others'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.editions.align import items_of
from kb.editions.wording import Wording, wording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kb.editions.align import Item
    from kb.records import Release, Rule, Rulebook, RuleNumber


@dataclass(frozen=True, slots=True)
class TermWording:
    """A glossary entry: its name as printed and folded, its text, its wording, its mark."""

    name: str
    key: str
    text: str
    wording: str
    obsolete: bool


@dataclass(frozen=True, slots=True)
class Edition:
    """A release: its rules in ascending order with text and text of examples, and its terms."""

    release: Release
    items: tuple[Item, ...]
    texts: tuple[str, ...]
    examples: tuple[str, ...]
    terms: tuple[TermWording, ...]


def edition_of(rulebook: Rulebook, worded: Callable[[str], Wording] = wording) -> Edition:
    """Return what history keeps of a release: of two rules of one number the first."""
    rules: dict[str, Rule] = {}
    for rule in rulebook.rules:
        rules.setdefault(str(rule.number), rule)
    written = tuple(
        (rule.number, rule.text, "\n".join(example.text for example in rule.examples))
        for rule in rules.values()
    )
    entries = tuple((term.name, term.text, term.obsolete) for term in rulebook.terms)
    return edition(rulebook.release, written, entries, worded)


def edition(
    release: Release,
    rules: Iterable[tuple[RuleNumber, str, str]],
    terms: Iterable[tuple[str, str, bool]],
    worded: Callable[[str], Wording] = wording,
) -> Edition:
    """Return a release as history sees it, whatever it was read from.

    Args:
        release: the release.
        rules: number, text, and the text of the examples of each rule.
        terms: name, text and whether it is obsolete, of each glossary entry.
        worded: makes the wording of a text; one that remembers saves time over many releases.
    """
    ordered = sorted(rules, key=lambda rule: rule[0])
    entries: dict[str, TermWording] = {}
    for name, text, obsolete in terms:
        key = folded_name(name)
        entries.setdefault(key, TermWording(name, key, text, worded(text).text, obsolete))
    return Edition(
        release,
        tuple(items_of(((number, text) for number, text, _ in ordered), worded)),
        tuple(text for _, text, _ in ordered),
        tuple(illustration for _, _, illustration in ordered),
        tuple(sorted(entries.values(), key=lambda term: term.key)),
    )


def folded_name(name: str) -> str:
    """Return a term's name as its versions are known by: case, quotes and spaces are folded."""
    return " ".join(name.casefold().replace("’", "'").split())
