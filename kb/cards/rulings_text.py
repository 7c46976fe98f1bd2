"""A ruling's text → its sentences and what stands in them, by ``grammar/ruling.lark``.

What holds afterwards: the spans count in the text as given, none overlaps another of its
kind, and what lies between two sentences is spaces and the marks of a list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from kb import syntax
from kb.cards.values import cleaned
from kb.cards.wordforms import Words, listed
from kb.citations import find_citations
from kb.records import Span
from kb.syntax import branches, end_of, start_of, tokens_of

if TYPE_CHECKING:
    from lark import Token, Tree

    from kb.records import Citation

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")


@dataclass(frozen=True, slots=True)
class Act:
    """A concept that a verb and its object name, folded: “ring the bell”.

    ``is_only`` if the rules use the verb of nothing else.
    """

    verb: str
    thing: tuple[str, ...]
    is_only: bool = False


@dataclass(frozen=True, slots=True)
class RulingText:
    """A ruling, read.

    ``cleaned`` is the form in which two rulings are compared: spaces, quotes and dashes
    folded. The rest is parsed when it is asked for.
    """

    text: str
    cleaned: str
    citations: tuple[Citation, ...] = ()

    @property
    def sentences(self) -> tuple[Span, ...]:
        """Its sentences; an empty ruling has none."""
        return _parsed(self.text).sentences

    @property
    def quotes(self) -> tuple[Span, ...]:
        """What is quoted, without the marks."""
        return tuple(Span(m.start() + 1, m.end() - 1) for m in _QUOTED.finditer(self.text))

    @property
    def symbols(self) -> tuple[str, ...]:
        """Its symbols in the order of the text (``{E}``)."""
        return _parsed(self.text).symbols if "{" in self.text else ()

    @property
    def dates(self) -> tuple[str, ...]:
        """Its dates, as written."""
        return _parsed(self.text).dates


@dataclass(frozen=True, slots=True)
class _Parsed:
    sentences: tuple[Span, ...]
    symbols: tuple[str, ...]
    dates: tuple[str, ...]


def read_ruling(text: str) -> RulingText:
    """Read a ruling."""
    return RulingText(text, cleaned(text), find_citations(text))


@lru_cache(maxsize=256)
def _parsed(text: str) -> _Parsed:
    tree, problems = _grammar().parse(text, "ruling")
    if tree is None:
        raise AssertionError(f"ruling.lark refused a text: {problems[0]}")
    return _Parsed(
        tuple(_span(sentence) for sentence in _sentences(tree)),
        tuple(str(token) for token in tokens_of(tree, "SYMBOL")),
        tuple(str(token) for token in tokens_of(tree, "DATE")),
    )


@cache
def _grammar() -> syntax.Grammar:
    return syntax.load("ruling", "ruling", "mention", "act")


def _sentences(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return the sentences in the order of the text."""
    found = tree.find_pred(lambda part: part.data in ("finished", "open"))
    return sorted(found, key=lambda sentence: start_of(tokens_of(sentence)[0]))


def _span(sentence: Tree[Token]) -> Span:
    tokens = tokens_of(sentence)
    return Span(start_of(tokens[0]), end_of(tokens[-1]))


_SPOT, _VERB, _OBJECT = "\ue000", "\ue001", "\ue002"
_AROUND, _AROUND_WORDS, _NEAR = 90, 14, 6
_JOINING = frozenset({"and", "or"})
_NEGATIONS = frozenset({"not", "never", "isn't", "aren't", "wasn't", "weren't"})
_NEGATED = frozenset({"can't", "cannot", "won't", "couldn't", "wouldn't"})
_HELPING = listed("is was are were be been being has have had would will can could")
_BETWEEN = 4
_CLAUSE_END = re.compile(r"[.;:](?: |$)|\n")


@cache
def _cues(start: str) -> re.Pattern[str]:
    terminals = {
        "mention": ("DENIAL", "LISTED"),
        "act": ("ACTIVE", "PASSIVE", "REFERRING", "ALONE"),
    }
    return re.compile("|".join(_grammar().pattern(terminal) for terminal in terminals[start]))


def is_told(some: Words, first: int, last: int) -> bool:
    """Tell whether a text says something of what its words name: not if it denies or lists it."""
    if not _may_be_untold(some.small, first, last):
        return True  # most need no parser
    text, start, end = some.text, some.span(first)[0], some.span(last)[1]
    before = max(text.rfind(mark, 0, start) for mark in (". ", "\n", "; ", ": ")) + 1
    after = _CLAUSE_END.split(text[end : end + _AROUND])[0]
    leading = text[max(before, start - _AROUND) : start].lstrip()
    around = f"{leading}{_SPOT * (end - start)}{after}."
    if not _cues("mention").search(around):
        return True
    tree, _ = _grammar().parse(around, "mention")
    return tree is None or any(True for _ in tree.find_data("told"))


def _may_be_untold(small: list[str], first: int, last: int) -> bool:
    """Tell whether words stand near a spot without which nothing is denied or listed."""
    near = small[max(0, first - _NEAR) : first]
    if not _NEGATIONS.isdisjoint(near) or ("be" in near and not _NEGATED.isdisjoint(near)):
        return True
    if small[last + 1 : last + 2] == [","]:
        return not _JOINING.isdisjoint(small[last + 2 : last + _AROUND_WORDS])
    is_last = not _JOINING.isdisjoint(near[-2:])
    return is_last and "," in small[max(0, first - _AROUND_WORDS) : first]


def acts(some: Words, act: Act) -> bool:
    """Tell whether somewhere in a text the act's verb is done to its thing, and not denied."""
    width = len(act.thing)
    things = [at for at in range(len(some)) if tuple(some.stems[at : at + width]) == act.thing]
    if not (things or act.is_only):
        return False
    return any(
        _may_be_done(some, at, things, act)
        and _is_done(some, at, [range(thing, thing + width) for thing in things], act)
        and is_told(some, at, at)
        for at, root in enumerate(some.stems)
        if root == act.verb
    )


def _may_be_done(some: Words, verb: int, things: list[int], act: Act) -> bool:
    """Tell whether a thing stands near enough to a verb: most need no parser."""
    return (
        act.is_only
        or (verb > 0 and some.small[verb - 1] in _HELPING)
        or any(
            verb < thing <= verb + 2 or verb - _BETWEEN <= thing + len(act.thing) <= verb
            for thing in things
        )
    )


def _is_done(some: Words, verb: int, things: list[range], act: Act) -> bool:
    masked = list(some.text)
    for mark, places in ((_OBJECT, things), (_VERB, [range(verb, verb + 1)])):
        for place in places:
            start, end = some.span(place[0])[0], some.span(place[-1])[1]
            masked[start:end] = mark * (end - start)
    start, end = some.span(verb)
    around = "".join(masked[max(0, start - _AROUND) : end + _AROUND])
    if not _cues("act").search(around):
        return False
    tree, _ = _grammar().parse(around, "act")
    done = ("active", "passive", "referring", *(["alone"] if act.is_only else []))
    return tree is not None and any(tree.data in done for tree in branches(tree))


def tells(text: str, whole: tuple[str, ...]) -> bool:
    """Tell whether a text says something of what these folded words, one behind the other, name."""
    some = Words(text)
    bare = [some.stems[at] for at in some.bare]
    return any(
        tuple(bare[order : order + len(whole)]) == whole
        and is_told(some, some.bare[order], some.bare[order + len(whole) - 1])
        for order in range(len(bare) - len(whole) + 1)
    )
