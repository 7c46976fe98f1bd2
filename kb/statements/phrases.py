"""A noun phrase → the names of what it speaks of, in small letters and singular.

"Each player's life total" names the life total, "any counters or emblems they had" counters
and emblems, "the number of times a player has cast their commander" the commander cast count.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kb.statements.forms import parse_phrase
from kb.statements.lexicon import folded, singulars
from kb.syntax import leaves, tokens_of

if TYPE_CHECKING:
    from lark import Token, Tree

    from kb.statements.lexicon import Lexicon

_LONGEST = 6  # words; a longer name is a clause that was not understood


@lru_cache(maxsize=20_000)
def _parsed(phrase: str) -> tuple[str, tuple[tuple[str, ...], ...], str]:
    """Return the form of a phrase, its lists of names, and the verb of a count."""
    tree = parse_phrase(phrase)
    if tree is None:
        return "", (), ""
    lists = tuple(
        tuple(" ".join(tokens_of(name)) for name in _below(listed, "name"))
        for listed in _below(tree, "names")
    )
    verb = next(
        (str(t).split()[-1] for t in leaves(tree) if t.type in ("HAS_DONE", "WAS_DONE")), ""
    )
    return str(tree.data), lists, verb


def _below(tree: Tree[Token], kind: str) -> list[Tree[Token]]:
    return [node for node in tree.children if not isinstance(node, str) and node.data == kind]


def names_in(phrase: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the names in a noun phrase; none where it is not understood."""
    form, lists, verb = _parsed(" ".join(phrase.replace("_", " ").split()).strip(" .,;:"))
    if not lists:
        return ()
    first = [singular(name, lexicon) for name in lists[0]]
    if form == "count":
        return tuple(f"{name} {verb} count" for name in first)
    if form == "amount":
        return tuple(f"{singular(owner, lexicon)} {n}" for owner in lists[1] for n in first)
    return tuple(name for name in first if name and len(name.split()) <= _LONGEST)


def singular(name: str, lexicon: Lexicon) -> str:
    """Return a name in small letters, its last word in the singular if it is a plural.

    The release's own glossary tells what a word's singular is; where it has none, a plural is
    a word that ends in s, but not in ss, us or is, as nouns of English do.
    """
    words = folded(name.strip(' .,;:“”"')).split()
    if not words:
        return ""
    whole = " ".join(words)
    if (term := lexicon.term(whole)) is not None:
        return folded(term) if folded(term) in set(singulars(whole)) else whole
    last = words[-1]
    if (term := lexicon.term(last)) is not None and folded(term) in set(singulars(last)):
        words[-1] = folded(term)
    elif last.endswith("ies") and len(last) > len("ties"):
        words[-1] = last[:-3] + "y"
    elif last.endswith("s") and not last.endswith(("ss", "us", "is", "'s", "s'")):
        words[-1] = last[:-1]
    return " ".join(words)
