"""Glossary entries: the names that they give to a concept, and the rules that they cite for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kb.cards.oracle_lexicon import folded
from kb.cards.rulings_text import Act
from kb.cards.wordforms import stems
from kb.citations import find_citations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.cards.concept_words import RuleWords
    from kb.records import Term

_NAMES = re.compile(r",[”\"]? ")
_SLOT = re.compile(r"[—-]?\[[^\]]*\]")
_TYPE = re.compile(
    r"^(?:An?|The|One of the)(?: [\w-]+){0,4}? (?:sub|super)?types?\b"
    r"|^(?:An? )?[\w-]+ is (?:both )?an? "
    r"(?:(?:card|permanent|spell) (?:type )?(?:and )?(?:an? )?)*(?:sub|super)?type\b"
)
_ACT = re.compile(
    r"^(?!(?:outside|during|under|from|with) )(\w+) (?:the|an?|another) ((?:\w+ )*\w+)$",
    re.IGNORECASE,
)


def alternatives(heading: str) -> list[str]:
    """Return the names in an entry's heading: “Life, Life Total” has two."""
    names = [_SLOT.sub("", name).strip(' “”"') for name in _NAMES.split(heading)]
    listed = [name for name in names if name]
    return listed if len(listed) > 1 else [heading.strip('“”" ')]


def is_type(term: Term) -> bool:
    """Tell whether an entry says that its term is a type."""
    return bool(_TYPE.match(term.text))


def act_of(name: str, words: RuleWords) -> Act | None:
    """Return the verb and the object of a name such as “Ring the Bell”, or None."""
    match = _ACT.match(folded(name))
    if match is None:
        return None
    verb, thing = stems(match[1])[0], stems(match[2])
    return Act(verb, thing, words.is_only(verb, thing))


def chosen(term: Term, words: RuleWords, *, of_type: bool = False) -> tuple[str, ...]:
    """Return the rule that an entry cites for its term, if it cites one.

    That is the one whose own title, or whose chapter's, is most akin to the term's name; else
    the first that its first sense cites, and that is no whole chapter, ``of_type`` or that.
    Rules for some ways to play go last.
    """
    if term.obsolete:
        return ()
    name = stems(term.name)
    cited = _at_large(term.text, words)
    best = max(cited, key=lambda number: words.shared(number, name), default="")
    if best and words.shared(best, name):
        return (best,)
    first = _at_large(term.senses[0].text, words) if len(term.senses) > 1 else cited
    return tuple(number for number in first if of_type or "." in number)[:1]


def _at_large(text: str, words: RuleWords) -> list[str]:
    """Return the rules that a text cites, without those for some ways to play if others stand."""
    cited = [n for citation in find_citations(text) for n in citation.numbers if len(n) > 1]
    return [number for number in cited if not words.is_for_variants(number)] or cited


def of_keyword(term: Term, rules: Iterable[str]) -> tuple[str, ...]:
    """Return the chapters that the entry of a keyword cites beside the keyword's own rule."""
    if len(term.senses) > 1 or term.obsolete:
        return ()
    own = set(rules)
    found: list[str] = []
    for line in term.text.split("\n"):
        groups = _grouped(line)
        found += [n for group in groups if own & {*group} for n in group if "." not in n]
    return tuple(number for number in found if len(number) > 1)


def _grouped(text: str) -> list[list[str]]:
    """Return the numbers cited in a text, those of one sentence together."""
    groups: list[list[str]] = []
    last_end = None
    for citation in find_citations(text):
        between = "" if last_end is None else text[last_end : citation.span.start]
        if last_end is None or ". " in between or text[:last_end].endswith((".”", '."')):
            groups.append([])
        groups[-1] += citation.numbers
        last_end = citation.span.end
    return groups
