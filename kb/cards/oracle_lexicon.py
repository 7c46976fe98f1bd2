"""The names that a release gives to keyword abilities, keyword actions and ability words.

They are read off the release itself: the headings under its two chapters of keywords, what
their subrules introduce in quotes or call a variant, and the list of ability words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from kb import syntax
from kb.syntax import branches, leaves, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.records import Rule, Rulebook

STARTS = ("keyword_line", "paragraph", "introductions", "form")
_ABILITIES, _ACTIONS = "keyword abilities", "keyword actions"
_MARK = re.compile(r"\s*\([^()]*\)$")
_AND = re.compile(r"\s+and\s+")
_NEXT = re.compile(r",\s*(?:and\s+)?|\s+and\s+")
_LAST_LETTER = re.compile(r"[ey]$")


def folded(name: str) -> str:
    """Return a name in small letters, straight quotes and single spaces."""
    return " ".join(name.replace("’", "'").lower().split())


@cache
def grammar() -> syntax.Grammar:
    """Return the grammar of oracle texts."""
    return syntax.load("oracle", *STARTS)


@dataclass(frozen=True, slots=True)
class KeywordLexicon:
    """The keywords of a release, folded.

    ``abilities`` and ``actions`` are headings and their variants, ``words`` the ability
    words, ``suffixes`` what stands behind a quality in names such as “[type]far” (a leading
    space: it is a word of its own). ``parents`` are (variant, heading). ``terms`` are glossary
    entries of several words, one of them an action's: “untap step” is no untapping.
    """

    abilities: frozenset[str] = frozenset()
    actions: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()
    parents: frozenset[tuple[str, str]] = frozenset()
    terms: frozenset[str] = frozenset()

    @classmethod
    def of(cls, rulebook: Rulebook) -> KeywordLexicon:
        """Return the lexicon of a release; it is empty where the chapters are missing."""
        headings = dict(_headings(rulebook, _ABILITIES))
        variants = set(_variants(rulebook.rules, headings))
        names = {name for titles in headings.values() for name in titles}
        actions = frozenset(n for _, titles in _headings(rulebook, _ACTIONS) for n in titles)
        return cls(
            frozenset(names | {variant for variant, _ in variants if not _is_suffix(variant)}),
            actions,
            frozenset(_ability_words(rulebook.rules)),
            frozenset(variant[1:] for variant, _ in variants if _is_suffix(variant)),
            frozenset(variants),
            frozenset(_terms(rulebook, actions)),
        )

    def heading(self, name: str) -> str | None:
        """Return the heading of which a name is a variant, or None if it is none."""
        if name in self.actions:
            return None
        for variant, heading in sorted(self.parents):
            if variant == name or (_is_suffix(variant) and name.endswith(variant[1:])):
                return heading if heading != name else None
        return None


def _is_suffix(variant: str) -> bool:
    return variant.startswith("-")


def _headings(rulebook: Rulebook, chapter: str) -> Iterator[tuple[tuple[int, int], list[str]]]:
    """Yield the place (chapter, rule) of each heading of a chapter with the names it bears."""
    numbers = {
        rule.number.chapter
        for rule in rulebook.rules
        if rule.title and rule.number.rule is None and folded(rule.title) == chapter
    }
    for rule in rulebook.rules:
        if rule.title and rule.number.rule is not None and rule.number.chapter in numbers:
            title = _MARK.sub("", rule.title)
            yield (
                (rule.number.chapter, rule.number.rule),
                [folded(name) for name in _AND.split(title)],
            )


def _variants(
    rules: Iterable[Rule], headings: dict[tuple[int, int], list[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the names that subrules introduce, each with the heading above them."""
    quoted: dict[tuple[int, int], list[str]] = {}
    for rule in rules:
        place = (rule.number.chapter, rule.number.rule or 0)
        if place not in headings or rule.title:
            continue
        tree, _ = grammar().parse(rule.text, "introductions")
        for token in tokens_of(tree, "VARIANT", "NAMED") if tree is not None else ():
            if token.type == "VARIANT":
                yield folded(str(token)), headings[place][0]
            else:
                quoted.setdefault(place, []).append(str(token).strip("“”.,"))
    for place, texts in quoted.items():
        yield from _forms(texts, headings[place])


def _forms(quoted: list[str], titles: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what quoted forms add to a heading's own names.

    “Far with [name]” is a variant only where “Far” stands alone, too; else the preposition
    belongs to what follows the keyword.
    """
    trees = [tree for text in quoted if (tree := grammar().parse(text, "form")[0]) is not None]
    alone = {folded(str(leaves(tree)[0])) for tree in trees if tree.data == "named"}
    for tree in trees:
        tokens = leaves(tree)
        if tree.data == "with_preposition":
            if folded(str(tokens[0])) in alone:
                yield folded("".join(tokens[:2])), titles[0]
        elif tree.data == "suffixed":
            space = " " if str(tokens[0]).endswith(" ") else ""
            yield f"-{space}{tokens[1]}", titles[0]
        else:
            name = folded(str(tokens[-1 if tree.data == "dashed" else 0]))
            if not any(name == title or name.startswith(f"{title} ") for title in titles):
                yield name, titles[0]


def _terms(rulebook: Rulebook, actions: frozenset[str]) -> Iterator[str]:
    """Yield the glossary's entries of several words in which an action's verb may be read."""
    stems = tuple(_LAST_LETTER.sub("", name.partition(" ")[0]) for name in actions)
    for term in rulebook.terms:
        name = folded(term.name)
        if " " in name and name not in actions and any(w.startswith(stems) for w in name.split()):
            yield name


def _ability_words(rules: Iterable[Rule]) -> Iterator[str]:
    for rule in rules:
        if "ability words" not in rule.text:
            continue
        tree, _ = grammar().parse(rule.text, "introductions")
        for listed in branches(tree) if tree is not None else ():
            if listed.data == "words":
                yield from (folded(n) for n in _NEXT.split(str(leaves(listed)[1])) if n.strip())
