"""What the rules say that they are about, read by ``grammar/concept.lark``.

A rule's text → the types, symbols, counters and wordings that it speaks of. What holds
afterwards: a wording's parts are those of ``kb.cards.phrases``, none empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from kb import syntax
from kb.cards.phrases import GAP, ITSELF, NARROW_GAP, WIDE_GAP
from kb.cards.wordforms import listed, smalls, stem, stems
from kb.citations import find_citations
from kb.syntax import end_of, leaves, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token, Tree

STARTS = ("kind", "symbol", "counter", "wording", "ability")
_CUES = {
    "kind": ("HAS_SUBTYPE", "WITH_SUPERTYPE"),
    "symbol": ("TEXT_BOX_OF", "ABILITY_OF", "SYMBOL_WORD"),
    "counter": ("COUNTERS_OPEN",),
    "wording": ("STATES", "ALLOWS", "NORMALLY", "IF_SEVERAL", "MAY_ONLY", "IF_DONE", "QUOTE"),
    "ability": ("ADDS",),
}
_ASIDE = re.compile(r"\([^()]*\)")
_SLOT = re.compile(r"\[[^\]]*\]|\. \. \.|…")
_OF_ITSELF = re.compile(r"\[(?:this|the) [^\]]*\]", re.IGNORECASE)
_OR = re.compile(r"(?:,? or| and/or) ")
_LINKED = re.compile(r",? (?:and|but|when|whenever|unless|while|if|greater|other than|as though) ")
# Words that say only that someone, something or some number is meant.
_EMPTY = listed(
    "player players object objects something someone number amount another other certain more"
    " one two that this it its their they them his her each any some specific particular to be"
    " is are of with for from by in on at as or and during would could may can will effect"
    " thing"
)
_GIVES = re.compile(r"\bgives? ")


@dataclass(frozen=True, slots=True)
class Wording:
    """How cards are worded that a rule is about.

    ``class_name`` is what the rule says that effects of this wording are, if it does.
    """

    parts: tuple[str, ...]
    is_quoted: bool = False
    class_name: str | None = None


@dataclass(frozen=True, slots=True)
class About:
    """What one rule says that it is about.

    ``subtypes`` and ``supertypes`` in small letters, a supertype with the words for what has
    it; ``card_kinds`` of which it explains the symbols; ``symbols`` and ``counters``.
    """

    subtypes: tuple[str, ...] = ()
    supertypes: tuple[tuple[str, str], ...] = ()
    card_kinds: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    wordings: tuple[Wording, ...] = ()


@lru_cache(maxsize=16384)  # most rules stand alike in many releases
def about(text: str) -> About:
    """Return what a rule says that it is about."""
    bare = _ASIDE.sub(lambda match: " " * len(match[0]), text)
    if not any(_cues(start).search(bare) for start in STARTS[:-1]):
        return About()
    plain = _plain(bare)
    kinds, symbols, wordings = (_trees(plain, start) for start in ("kind", "symbol", "wording"))
    return About(
        tuple(_name(leaf) for tree in kinds if tree.data == "subtype" for leaf in leaves(tree)[1:]),
        tuple(
            (_name(leaves(tree)[3]), str(leaves(tree)[1]))
            for tree in kinds
            if tree.data == "supertype"
        ),
        tuple(_name(leaves(tree)[1]) for tree in symbols if tree.data != "named"),
        tuple(
            str(leaf)
            for tree in symbols
            if tree.data == "named"
            for leaf in leaves(tree)
            if leaf.type == "SYMBOL"
        ),
        tuple(str(leaves(tree)[1]).lower().replace("−", "-") for tree in _trees(plain, "counter")),
        tuple(dict.fromkeys(_wordings(wordings))),
    )


def adds_mana(effect: str) -> bool:
    """Tell whether an effect adds mana."""
    return bool(_trees(effect, "ability"))


def _plain(text: str) -> str:
    """Return a text with its citations blanked out."""
    pieces = list(text)
    for citation in find_citations(text):
        start, end = citation.span.start, citation.span.end
        pieces[start:end] = " " * (end - start)
    return "".join(pieces)


@cache
def _grammar() -> syntax.Grammar:
    return syntax.load("concept", *STARTS)


@cache
def _cues(start: str) -> re.Pattern[str]:
    return re.compile("|".join(_grammar().pattern(terminal) for terminal in _CUES[start]))


def _trees(text: str, start: str) -> list[Tree[Token]]:
    """Return the forms of a start symbol that stand in a text."""
    if not _cues(start).search(text):
        return []
    tree, _ = _grammar().parse(text, start)
    return [] if tree is None else syntax.branches(tree)


def _name(token: Token) -> str:
    return str(token).strip(' “”".,').lower()


def _wordings(trees: list[Tree[Token]]) -> Iterator[Wording]:
    classes = [str(leaves(tree)[0]) for tree in trees if tree.data == "class"]
    for tree, following in zip_longest(trees, trees[1:]):
        if tree.data in ("stated", "allowed", "normal", "offered", "limited", "suffered"):
            if following and following.data == "quoted" and _adjoin(tree, following):
                continue  # the quotation goes on with it
            # What is given is a thing, whose words stand close together.
            given = tree.data == "offered" or _GIVES.search(str(leaves(tree)[0]))
            for clause in _alternatives(str(leaves(tree)[1])):
                if parts := _content(clause, NARROW_GAP if given else GAP):
                    yield Wording(parts)
        for leaf in leaves(tree):
            if leaf.type == "QUOTE" and (parts := _quoted(str(leaf))):
                is_classed = tree.data == "classed" and classes
                yield Wording(
                    parts,
                    is_quoted=True,
                    class_name=classes[0].split(" ", 1)[1] if is_classed else None,
                )


def _adjoin(tree: Tree[Token], following: Tree[Token]) -> bool:
    return start_of(leaves(following)[0]) - end_of(leaves(tree)[1]) <= 1


def _alternatives(clause: str) -> list[str]:
    """Return a clause for each of the verbs or halves that “or” offers, cut at what is linked."""
    first = _LINKED.split(" ".join(clause.split()), maxsplit=1)[0]
    halves = _OR.split(first, maxsplit=1)
    if len(halves) < 2:  # noqa: PLR2004 - nothing is offered
        return halves
    if " " not in halves[0]:  # “divide or distribute an effect”: two verbs of one object
        return [f"{halves[0]} {halves[1].partition(' ')[2]}", halves[1]]
    return halves


def _content(clause: str, gap: str) -> tuple[str, ...]:
    """Return the words of a clause that say something, with room between them."""
    parts: list[str] = []
    for small in smalls(clause):
        if small not in _EMPTY:
            parts += [gap, stem(small)] if parts else [stem(small)]
    return tuple(parts) if len(parts) > 1 else ()


def _quoted(quote: str) -> tuple[str, ...]:
    """Return the parts of a quoted wording: its slots are room, at its ends nothing."""
    text = _OF_ITSELF.sub(" @ ", quote.strip('“”" .,')) if "[" in quote else quote.strip('“”" .,')
    parts: list[str] = []
    for piece in re.split(r"(\[[^\]]*\]|\. \. \.|…|@)", text):
        if piece == ITSELF:
            parts.append(ITSELF)
        elif _SLOT.fullmatch(piece):
            parts.append(WIDE_GAP)
        else:
            parts += stems(piece)
    while parts and parts[0] == WIDE_GAP:
        parts.pop(0)
    while parts and parts[-1] == WIDE_GAP:
        parts.pop()
    return tuple(parts)
