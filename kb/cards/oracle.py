"""Oracle text → abilities: each paragraph is one, typed by ``grammar/oracle.lark``.

What holds afterwards: abilities stand in the order of the text, each non-blank line is one,
and ``text`` is its line to the letter. What the grammar does not know is ``plain``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from kb.cards.oracle_lexicon import KeywordLexicon, folded, grammar
from kb.cards.oracle_mask import REMINDER, masked, masked_list, reminders
from kb.records import Ability, KeywordUse, Span
from kb.syntax import branches, end_of, start_of, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lark import Token, Tree

    from kb.cards.oracle_mask import Masked

__all__ = ["KeywordLexicon", "keywords_in", "read_abilities"]

_SPELL_TYPES = {"instant", "sorcery"}
_KINDS = {
    "keyword_line": "keywords",
    "reminder": "reminder",
    "level": "level",
    "class_level": "level",
    "loyalty": "loyalty",
    "activated": "activated",
    "triggered": "triggered",
    "condition": "triggered",
}
_HEADS = (
    *("CHAPTERS", "BULLET", "ROW", "MODE_COST", "KEYWORD_LABEL", "WORD_LABEL"),
    *("PRICE", "FLAVOR", "COST", "LOYALTY", "CONDITION"),
)
_MARKED = {"CHAPTERS": "chapter", "BULLET": "mode", "ROW": "mode", "MODE_COST": "mode"}


def read_abilities(
    text: str, card_types: tuple[str, ...], keywords: KeywordLexicon
) -> tuple[Ability, ...]:
    """Return each paragraph of a face's text as an ability.

    Args:
        text: the oracle text, a paragraph a line.
        card_types: the face's types: what is static on a permanent is a spell ability here.
        keywords: the names of a release.
    """
    is_spell = any(card_type.lower() in _SPELL_TYPES for card_type in card_types)
    found, start = [], 0
    for line in text.split("\n"):
        paragraph = line.strip()
        if paragraph:
            at = start + line.index(paragraph)
            ability = _ability(paragraph, is_spell, keywords)
            found.append(replace(ability, span=Span(at, at + len(paragraph))) if at else ability)
        start += len(line) + 1
    return tuple(found)


def keywords_in(abilities: Iterable[Ability]) -> tuple[str, ...]:
    """Return the names of all keywords that a face has, each once, in the order of the text.

    What a list has behind a level or number of counters (“8+ | …”) is gained there, not had.
    """
    return tuple(
        dict.fromkeys(
            use.name
            for ability in abilities
            if ability.kind != "keywords" or ability.cost is None
            for use in ability.keywords
        )
    )


@lru_cache(maxsize=65536)
def _ability(paragraph: str, is_spell: bool, keywords: KeywordLexicon) -> Ability:  # noqa: FBT001
    """Return one paragraph as an ability whose span begins at 0."""
    span = Span(0, len(paragraph))
    listed = masked_list(paragraph, keywords)
    tree = None
    if listed.starts_with_keyword:
        tree, _ = grammar().parse(listed.text, "keyword_line")
    if tree is not None:
        return Ability(
            "keywords",
            paragraph,
            span,
            tuple(_uses(tree, listed, keywords)),
            word=_label(tree, paragraph),
            cost=_cost(tree, paragraph),
            reminder=reminders(paragraph),
        )
    sentence = masked(listed, keywords)
    tree, _ = grammar().parse(sentence.text, "paragraph")
    if tree is None:
        return Ability(
            "plain", paragraph, span, tuple(_actions(sentence, 0)), reminder=reminders(paragraph)
        )
    return Ability(
        _kind(tree, is_spell=is_spell),
        paragraph,
        span,
        (*_labelled(tree, sentence), *_actions(sentence, _named(tree))),
        word=_label(tree, paragraph),
        cost=_cost(tree, paragraph),
        effect=_effect(tree, sentence),
        reminder=reminders(paragraph),
    )


def _kind(tree: Tree[Token], *, is_spell: bool) -> str:
    form = str(tree.data)
    for mark in tokens_of(tree, *_MARKED):
        return _MARKED[mark.type]
    if form == "sentences":
        first = next(branch for branch in branches(tree) if branch.data not in ("label", "mark"))
        return "spell" if is_spell and first.data != "of_spell" else "static"
    return _KINDS[form]


def _uses(tree: Tree[Token], paragraph: Masked, keywords: KeywordLexicon) -> Iterator[KeywordUse]:
    for use in branches(tree):
        if use.data != "use":
            continue
        tokens = tokens_of(use)
        name = paragraph.name_at(start_of(tokens[0]))
        rest = paragraph.written[end_of(tokens[0]) : end_of(tokens[-1])]
        parameter = rest.removeprefix("—").strip()
        if not parameter:
            yield KeywordUse(name)
        for part in _parameters(parameter):
            yield KeywordUse(name, part)
        if rest.startswith("—") and folded(parameter) in keywords.abilities:
            yield KeywordUse(folded(parameter))
        for mark in tokens_of(use, "TIGHT"):
            sentence = masked(paragraph, keywords)
            yield from _actions(sentence, end_of(mark), end_of(tokens[-1]))


def _parameters(parameter: str) -> list[str]:
    """Cut “from red and from blue” in two: a word that begins a parameter twice begins another."""
    first = parameter.split(" ", 1)[0]
    if not (first.isalpha() and first.islower()):
        return [parameter] if parameter else []
    return re.split(rf"(?:,|,? and) (?={first} )", parameter)


def _labelled(tree: Tree[Token], paragraph: Masked) -> Iterator[KeywordUse]:
    """Yield the keyword or ability word that introduces an ability."""
    for token in tokens_of(tree, "KEYWORD_LABEL", "WORD_LABEL"):
        yield KeywordUse(paragraph.name_at(start_of(token)))


def _actions(paragraph: Masked, start: int, end: int | None = None) -> Iterator[KeywordUse]:
    end = len(paragraph.text) if end is None else end
    return (KeywordUse(name) for name in paragraph.actions_in(start, end))


def _named(tree: Tree[Token]) -> int:
    """Return where the name of an ability ends: its words are no instructions."""
    return max((end_of(token) for token in tokens_of(tree, "FLAVOR")), default=0)


def _label(tree: Tree[Token], paragraph: str) -> str | None:
    for token in tokens_of(tree, "KEYWORD_LABEL", "WORD_LABEL", "FLAVOR", "CONDITION"):
        return paragraph[start_of(token) : end_of(token)].rstrip(" —")
    return None


def _cost(tree: Tree[Token], paragraph: str) -> str | None:
    """Return what stands before a colon, or a mark other than a bullet."""
    for token in tokens_of(tree, "COST", "LOYALTY"):
        return paragraph[start_of(token) : end_of(token)].strip(" []:")
    for token in tokens_of(tree, "PRICE", "MODE_COST", "CHAPTERS", "ROW", "LEVEL", "STATS"):
        return paragraph[start_of(token) : end_of(token)].removeprefix("+ ").strip(" —|")
    return None


def _effect(tree: Tree[Token], paragraph: Masked) -> str | None:
    """Return what follows mark, label and cost, without the reminder text that ends it."""
    head = tokens_of(tree, *_HEADS)
    if tree.data in ("reminder", "level"):
        return None
    start = max((end_of(token) for token in head), default=0)
    end = len(paragraph.text.rstrip(REMINDER + " "))
    return paragraph.written[start:end].strip() or None
