"""A text → the citations in it, with their spans, forms, quoted titles and rule numbers.

The grammar is ``grammar/citation.lark``. Its own terminals tell where a citation may begin;
each such spot is parsed once, by LALR. What is found need not exist in any release:
``kb.citations.resolve`` tells that.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from kb import syntax
from kb.records import Citation, RuleNumber, Span
from kb.syntax import branches, end_of, leaves, start_of, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token, Tree

_STARTS = ("LEAD", "SECTION_LEAD", "SELF", "BARE")
_MAY_BEGIN = r"(?=[cCmMrRsSſtT§1-9])"  # looked at first: eight times as fast as the terminals
_RANGE_MARK = re.compile(r"[\s→–—-]+|through")
_LETTERS = re.compile(r"(?:/|,? (?:and |or )?)([a-z]{1,2})(?:[–—-]([a-z]{1,2}))?")
_TITLE = re.compile(r"[“\"](.*?)[,.]?[”\"]")
_LONGEST = 400
# Three digits that may be a rule's number: what no LEAD and no BARE has before them is left out.
_DIGITS = re.compile(r"[1-9]\d\d(?!\d)(?<![\d.%$€£=][1-9]\d\d)")
_LONGEST_LEAD = 24


def find_citations(text: str, *, sections: bool = True) -> tuple[Citation, ...]:
    """Return the citations of a text, in order, none overlapping another.

    Each number named is a citation of its own, with the range or the letters that lean on
    it; a list of numbers is several citations. Without ``sections``, sections and "this rule"
    are left out, and text that cites little is gone through several times as fast.
    """
    found: list[Citation] = []
    position = 0
    begins = _begins if sections else _begins_at_digits
    while place := begins(text, position):
        start, end = place
        citations = _parse(text, start)
        found += citations
        position = max(end, citations[-1].span.end if citations else 0)
    return tuple(found)


def pieces_of(written: str) -> tuple[tuple[str, str, tuple[RuleNumber, ...]], ...]:
    """Return what the text of a citation of rules is made of.

    Each piece is the grammar's terminal, its text, and the numbers that it adds; none for a
    text that is no citation. The texts joined are the one given.
    """
    lead = "" if _terminal("LEAD").match(written) else "rule "
    tree, _ = _grammar().parse(lead + written, "citation")
    if tree is None or branches(tree)[0].data != "numbers":
        return ()
    numbers: list[RuleNumber] = []
    pieces = []
    for token in tokens_of(branches(tree)[0]):
        text = str(token).removeprefix(lead) if token.type == "LEAD" else str(token)
        added = _added(token, numbers)
        numbers += added
        pieces.append((token.type, text, tuple(added)))
    return tuple(pieces)


def _added(token: Token, numbers: list[RuleNumber]) -> list[RuleNumber]:
    if token.type in ("LEAD", "TITLE"):
        return []
    if token.type in ("NUMBER", "BARE"):
        return [RuleNumber.parse(str(token))]
    return _leaning(token, numbers) or []


def _begins(text: str, position: int) -> tuple[int, int] | None:
    """Return where the next citation may begin, and the end of what says so."""
    match = _beginning().search(text, position)
    return match.span() if match else None


def _begins_at_digits(text: str, position: int) -> tuple[int, int] | None:
    """Return the same for citations of numbers alone: digits first, then what is around them."""
    for digits in _DIGITS.finditer(text, position):
        at = digits.start()
        lead = _terminal("LEAD").search(text, max(position, at - _LONGEST_LEAD), digits.end() + 1)
        if match := lead or _terminal("BARE").match(text, at):
            return match.span()
    return None


@cache
def _terminal(name: str) -> re.Pattern[str]:
    return re.compile(_grammar().pattern(name))


@cache
def _grammar() -> syntax.Grammar:
    return syntax.load("citation", "citation")


@cache
def _beginning() -> re.Pattern[str]:
    return re.compile(f"{_MAY_BEGIN}(?:{'|'.join(map(_grammar().pattern, _STARTS))})")


def _parse(text: str, start: int) -> list[Citation]:
    window = text[start : start + _LONGEST]
    tree, _ = _grammar().parse(window, "citation")
    if tree is None:
        return []
    form = branches(tree)[0]
    if form.data == "self":
        token = leaves(form)[0]
        return [Citation(str(token), Span(start, start + len(token)), (), "self")]
    if form.data == "sections":
        return list(_sections(form, start))
    return list(_numbers(tokens_of(form), start))


def _sections(tree: Tree[Token], offset: int) -> Iterator[Citation]:
    pending: list[Token] = []
    for token in leaves(tree):
        if token.type == "SECTION" and pending and any(t.type == "SECTION" for t in pending):
            yield _section(pending, offset)
            pending = []
        if token.type != "SECTION_JOINER":
            pending.append(token)
    yield _section(pending, offset)


def _section(tokens: list[Token], offset: int) -> Citation:
    number = next(token for token in tokens if token.type == "SECTION")
    return Citation(
        "".join(tokens),
        Span(start_of(tokens[0]) + offset, end_of(tokens[-1]) + offset),
        (str(number),),
        "section",
        _title(tokens),
    )


def _numbers(tokens: list[Token], offset: int) -> Iterator[Citation]:
    """Cut a list into its numbers, each with what leans on it."""
    pending: list[Token] = []
    for token in tokens:
        if token.type == "JOINER":
            if citation := _number(pending, offset):
                yield citation
            pending = []
        else:
            pending.append(token)
    if citation := _number(pending, offset):
        yield citation


def _number(tokens: list[Token], offset: int) -> Citation | None:
    first = next(token for token in tokens if token.type in ("NUMBER", "BARE"))
    try:
        number = RuleNumber.parse(str(first))
    except ValueError:
        return None
    numbers, used, form = [number], [token for token in tokens if token.type == "LEAD"], "rule"
    used.append(first)
    for token in tokens[tokens.index(first) + 1 :]:
        more = [] if token.type == "TITLE" else _leaning(token, numbers)
        if more is None:
            break  # a word of the sentence, not a letter of the list
        numbers += more
        form = "range" if len(numbers) > 1 else form
        used.append(token)
    written = "".join(used).rstrip(", ")
    start = start_of(used[0]) + offset
    return Citation(
        written,
        Span(start, start + len(written)),
        tuple(dict.fromkeys(str(n) for n in numbers)),
        form,
        _title(used),
    )


def _leaning(token: Token, numbers: list[RuleNumber]) -> list[RuleNumber] | None:
    """Return the numbers that a range or further letters add; None if they add none."""
    last = numbers[-1]
    try:
        if token.type == "LETTERS":
            match = _LETTERS.fullmatch(str(token))
            if match is None or not last.letters:
                return None
            begin = RuleNumber(last.chapter, last.rule, match[1])
            end = RuleNumber(last.chapter, last.rule, match[2] or match[1])
            if begin.position <= last.position:
                return None
            return list(begin.through(end))
        tail = _RANGE_MARK.sub("", str(token))
        if token.type == "LETTER_RANGE":
            end = RuleNumber(last.chapter, last.rule, tail)
        elif token.type == "SHORT_RANGE":
            end = RuleNumber(last.chapter, int(tail))
        else:
            end = RuleNumber.parse(tail)
            if end.section > last.section and end.kind == last.kind == "chapter":
                return [end]  # "200–310" spans sections: its ends are what it names
        return list(last.through(end))[1:]
    except ValueError:
        return None


def _title(tokens: list[Token]) -> str | None:
    for token in tokens:
        if token.type == "TITLE" and (match := _TITLE.search(str(token))):
            return match[1]
    return None
