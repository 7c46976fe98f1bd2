"""The families of sentence forms, and how a sentence is parsed by one of them.

A family is a start symbol of ``grammar/statement.lark``. It is tried only on a sentence in
which one of its cues stands, so that most sentences meet few of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import takewhile, zip_longest
from typing import TYPE_CHECKING

from kb import syntax
from kb.records import Statement
from kb.statements.masked import THIS_RULE
from kb.syntax import end_of, start_of

if TYPE_CHECKING:
    from lark import Token, Tree

    from kb.statements.masked import Masked

FAMILIES = {
    "exception": (
        "LIST_FOLLOWS",
        "WITH_EXCEPTIONS",
        "ONLY_EXCEPTION",
        "IS_EXCEPTION",
        "AS_SPECIFIED",
        "IGNORE_THIS",
        "EXEMPT_FROM_THIS",
        "EXEMPT_FROM",
    ),
    "single_card": ("ONE_CARD",),
    "replacement": ("SAYS", "TERM_FOR", "ARE_NOW", "RENAMED", "MEANT", "SEE"),
    "kind": ("KIND_OF",),
    "alias": ("SEE",),
    "enumeration": ("LIST_OF", "SINGLE", "CONSISTS", "WHOLE"),
    "subtyping": ("HAVE_SUBTYPES", "SUBTYPES_THAT"),
    "classification": ("IS_NOT", "IS_A"),
    "announcement": ("AS_FOLLOWS", "THERE_ARE", "INCLUDE", "RESULTS", "STEPS_BELOW"),
    "layer": ("LAYER", "LAYERS_IN_ORDER"),
    "ability_kind": ("KIND_IS",),
    "meaning": ("MEANS",),
    "instances": ("MULTIPLE", "EACH_INSTANCE"),
    "timing": ("STEP_NAME", "ANY_STEP"),
    "priority": ("NO_PRIORITY",),
    "outcome": (
        "LOSES_GAME",
        "TO_GRAVEYARD",
        "DESTROYED",
        "CEASES",
        "UNATTACHED",
        "COUNTERS_REMOVED",
        "SACRIFICES",
        "FROM_GAME",
        "DESIGNATED",
        "CHOOSES",
        "SPEED_SET",
        "TO_COMMAND_ZONE",
        "FACE_DOWN",
    ),
    "counter": ("COUNTER_KIND",),
    "change": (
        "ENDS",
        "CARRIES_NOT",
        "HAS_NO_LONGER",
        "RESETS",
        "UNCHANGED",
        "STARTS_OUT",
        "NOT_UNTIL",
        "NONE_UNTIL",
        "NEITHER",
        "FOR_THE_GAME",
        "INVOLVED",
        "BEGINS_NEW",
        "FINISHES",
        "EXEMPTS",
        "EXEMPTED",
        "NEVER_MOVED",
        "IN_NEW_GAME_IS",
        "IS_IN_NEW_GAME",
        "STARTING",
        "BEGINS_WITH",
        "STARTS_AT",
        "SETS",
        "BECOMES",
        "DRAWS",
        "PUTS",
        "STAYS_OUT",
    ),
    "modal": ("CANNOT", "MUST", "MAY"),
    "definition": ("IS_CALLED", "REFERS_TO"),
    "stack": ("NO_STACK",),
    "look_back": ("LOOKS_BACK",),
    "only": ("ONLY_HAVE",),
    "procedure": ("FOLLOWS",),
    "variant": ("IN_VARIANT",),
    "noun_phrase": (),
}
# Cues of a clause that say nothing without another one.
_COMPANIONS = ("INCLUDING", "EVEN_IF", "GETS")
_BY_CLAUSES = frozenset({"change", "modal", "definition"})
_TITLED = frozenset({"exception", "single_card", "replacement", "kind", "alias"})


@cache
def _grammar(family: str) -> syntax.Grammar:
    """Load one family by itself, so that its lexer knows no other's cues."""
    return syntax.load("statement", family)


@cache
def _cues(family: str) -> re.Pattern[str]:
    """Return what finds any of a family's cues.

    The cues of a clause are words: they are looked for only where a word begins, which is
    three times as fast.
    """
    any_cue = "|".join(_grammar(family).pattern(terminal) for terminal in FAMILIES[family])
    return re.compile(rf"(?<!\w)(?=\w)(?:{any_cue})" if family in _BY_CLAUSES else any_cue)


def parse(sentence: Masked, family: str) -> Tree[Token] | None:
    """Return the tree of a sentence by a family, or None where it has no such form."""
    text = sentence.titled if family in _TITLED else sentence.text
    if not _cues(family).search(text):
        return None
    return _grammar(family).parse(text, family)[0]


def parse_phrase(phrase: str) -> Tree[Token] | None:
    """Return the tree of a noun phrase, or None where it has no such form."""
    return _grammar("noun_phrase").parse(phrase, "noun_phrase")[0]


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue in a clause: its terminal, the words before it in the clause, and those after.

    ``opening`` is how the sentence begins: the subject of a clause that has none of its own.
    ``previous`` is the terminal of the cue before it in the clause.
    """

    token: Token
    before: str
    after: str
    opening: str = ""
    previous: str = ""

    @property
    def type(self) -> str:
        """The cue's terminal."""
        return self.token.type


def cues_of(tree: Tree[Token], family: str, sentence: Masked) -> list[Cue]:
    """Return the cues of a sentence parsed by clauses, each with the words around it."""
    terminals = {*FAMILIES[family], *_COMPANIONS}
    found: list[Cue] = []
    opening = ""
    for clause in tree.children:
        tokens: list[Token] = clause.children  # type: ignore[assignment, union-attr]
        words = list(takewhile(lambda token: token.type not in terminals, tokens))
        opening = opening or _stretch(words, sentence)
        cued = [i for i, token in enumerate(tokens) if token.type in terminals]
        at = [i for i, following in zip_longest(cued, cued[1:]) if _counts(tokens, i, following)]
        for position, i in enumerate(at):
            first = at[position - 1] + 1 if position else 0
            last = at[position + 1] if position + 1 < len(at) else len(tokens)
            before, after = tokens[first:i], tokens[i + 1 : last]
            around = _stretch(before, sentence), _stretch(after, sentence)
            previous = tokens[first - 1].type if position else ""
            found.append(Cue(tokens[i], *around, opening, previous))
    return found


def _counts(tokens: list[Token], cue: int, following: int | None) -> bool:
    """Tell whether a cue says anything: a verb of getting does for what lasts only."""
    lasts = following is not None and tokens[following].type == "FOR_THE_GAME"
    return tokens[cue].type != "GETS" or lasts


def _stretch(tokens: list[Token], sentence: Masked) -> str:
    """Return the words from the first of the tokens to the last, as the sentence has them."""
    if not tokens:
        return ""
    return sentence.quote[start_of(tokens[0]) : end_of(tokens[-1])].strip()


def stated(  # noqa: PLR0913 - a statement's own parts
    kind: str, subject: str, value: str, cue: Token | str, sentence: Masked, *, scope: str = ""
) -> Statement:
    """Return a statement, its cue in small letters with single spaces."""
    words = " ".join(str(cue).replace(THIS_RULE, " this rule ").split())
    words = re.sub("(?:this rule ?){2,}", "this rule ", words).strip().lower()
    return Statement(kind, subject, value, words, sentence.quote, sentence.span, scope)
