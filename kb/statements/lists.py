"""Sentences that list or classify: enumerations, classes, announced lists, layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.statements.forms import parse, stated
from kb.statements.lexicon import folded
from kb.statements.phrases import names_in, singular
from kb.syntax import branches, leaves, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token, Tree

    from kb.records import Statement
    from kb.statements.lexicon import Lexicon
    from kb.statements.masked import Masked

_LONGEST = 5  # words of a member; a longer one is a clause, and the sentence no list
_LONGEST_SUBJECT = 8
_PRONOUNS = frozenset({"that", "this", "which", "who", "it", "they", "these", "those", "there"})
_NEGATIONS = frozenset({"no", "not", "none", "nothing", "nobody"})


def list_statements(sentence: Masked, number: str, lexicon: Lexicon) -> Iterator[Statement]:
    """Yield what a sentence of the rule ``number`` lists or classifies."""
    if (tree := parse(sentence, "enumeration")) is not None:
        yield from _members(tree, sentence, lexicon)
    if (tree := parse(sentence, "classification")) is not None:
        yield from _classes(tree, sentence, number, lexicon)
    if (tree := parse(sentence, "subtyping")) is not None:
        yield from _subtypes(tree, sentence, lexicon)
    if (tree := parse(sentence, "announcement")) is not None:
        yield from _announced(tree, sentence, number, lexicon)
    if (tree := parse(sentence, "layer")) is not None:
        cue = leaves(tree)[0]
        for token in tokens_of(tree, "LAYER_NUMBER", "ORDINAL"):
            yield stated("layer", number, token.strip("()"), cue, sentence)


def _members(tree: Tree[Token], sentence: Masked, lexicon: Lexicon) -> Iterator[Statement]:
    tokens = leaves(tree)
    members = [sentence.words(token) for token in tokens if token.type == "MEMBER"]
    if any(len(member.split()) > _LONGEST for member in members):
        return
    form = str(tree.data)
    if form == "list_of" and len(members) == 1:
        return
    if form == "any_of":
        yield from _alternatives(tokens, members, sentence, lexicon)
        return
    if form == "one_of" and not members[0][:1].isupper():
        return
    noun = _single(sentence.words(next(t for t in tokens if t.type == "LIST_NOUN")).lower())
    for member in members:
        name = _member_name(member, lexicon)
        if form == "parts_of":
            name = name.removeprefix("the ").removesuffix(f" {noun}")
            whole = names_in(sentence.words(tokens[0]), lexicon)
            for thing in whole:
                yield stated("part", thing, name, tokens[1], sentence, scope=noun)
        else:
            yield stated("member", noun, name, tokens[2], sentence)


def _member_name(member: str, lexicon: Lexicon) -> str:
    """Return a member as the list has it; a plural of a term in the singular."""
    term = lexicon.term(member) if member.islower() else None
    return folded(term) if term and member.startswith(folded(term)[:3]) else folded(member)


def _alternatives(
    tokens: list[Token], members: list[str], sentence: Masked, lexicon: Lexicon
) -> Iterator[Statement]:
    """Yield what a thing may be: "An object is a card, a token, or an emblem"."""
    for thing in names_in(sentence.words(tokens[0]), lexicon):
        for member in members:
            for name in names_in(member, lexicon):
                yield stated("may-be", thing, name, tokens[1], sentence)


def _subtypes(tree: Tree[Token], sentence: Masked, lexicon: Lexicon) -> Iterator[Statement]:
    """Yield by what name the subtypes of each card type go, and of the types that share them."""
    if tree.data == "subtypes_that":
        cue, types = leaves(tree)[:2]
        called = f"{sentence.words(cue).split()[0]} types".lower()
    else:
        kinds = {token.type: token for token in leaves(tree)}
        types, cue = kinds["TYPES"], kinds["HAVE_SUBTYPES"]
        called = sentence.words(kinds["TYPE_NOUN"]).lower()
    names = [name.removesuffix(" card") for name in names_in(sentence.words(types), lexicon)]
    value = _single(called) if called.endswith("s") else called
    for name in (*names, *([" and ".join(names)] if len(names) > 1 else ())):
        yield stated("subtypes", name.removeprefix("one "), value, cue, sentence)


def _single(noun: str) -> str:
    """Return the singular of what a list is of: it is a plural, whatever the glossary calls it."""
    return noun[:-3] + "y" if noun.endswith("ies") else noun.removesuffix("s")


def _classes(
    tree: Tree[Token], sentence: Masked, number: str, lexicon: Lexicon
) -> Iterator[Statement]:
    cue, *classes = (token for token in leaves(tree) if token.type != "NOR")
    for class_name in classes:
        yield from _class(tree, sentence, number, lexicon, cue, class_name)


def _class(  # noqa: PLR0913, PLR0917 - a form's parts
    tree: Tree[Token],
    sentence: Masked,
    number: str,
    lexicon: Lexicon,
    cue: Token,
    class_name: Token,
) -> Iterator[Statement]:
    phrase = sentence.words(class_name)
    leading = lexicon.leading_term(phrase)
    kind = "is-not" if tree.data == "is_not" else "is-a"
    is_noun = str(cue).endswith((" a", " an")) or (str(cue) == "are" and phrase.endswith("s"))
    if not leading and (kind == "is-not" or not is_noun):
        return
    value = folded(leading[1]) if leading else singular(phrase.split()[0], lexicon)
    names = _subjects(tokens_of(branches(tree)[0]), sentence, lexicon)
    for name in names or ():
        yield stated(kind, name, value, cue, sentence)
    if names is None and leading and kind == "is-a":
        yield stated("classifies", number, value, cue, sentence)


def _subjects(tokens: list[Token], sentence: Masked, lexicon: Lexicon) -> tuple[str, ...] | None:
    """Return what is classified; nothing where it is a pronoun, None where it is no list."""
    if any(token.type not in ("MEMBER", "SEP", "ASIDE") for token in tokens):
        return None
    members = [sentence.words(token) for token in tokens if token.type == "MEMBER"]
    if not any(token.type == "SEP" and token.strip(" ,") for token in tokens):
        members = members[-1:]  # what a comma alone cuts off is an adverb or a clause
    if members[-1].split()[-1].lower() in _PRONOUNS:
        return ()
    if folded(members[0]).split()[0] in _NEGATIONS:
        return ()
    names = tuple(name for member in members for name in names_in(member, lexicon))
    is_list = len(names) == len(members)
    return names if is_list and all(len(m.split()) <= _LONGEST_SUBJECT for m in members) else None


def _announced(
    tree: Tree[Token], sentence: Masked, number: str, lexicon: Lexicon
) -> Iterator[Statement]:
    form = str(tree.data)
    tokens = leaves(tree)
    if form == "as_follows":
        before = sentence.quote[: tokens[0].start_pos]
        names = tuple(_single(name) for name in names_in(before, lexicon))
    elif form == "results":
        names = ("result",)
    elif form == "steps_below":
        names = ("step",)
    else:
        names = (_single(singular(sentence.words(tokens[1]), lexicon)),)
    ends_open = sentence.quote.rstrip().endswith((":", "."))
    for name in names if ends_open else ():
        yield stated("announces", number, name, tokens[0], sentence)
