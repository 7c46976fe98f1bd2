"""Quotes → matches: one a rule, under the name that fits the page, with where it is now."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from kb.identify.difference import difference
from kb.identify.known import EXACT, EXAMPLE, RULE, RULING, TERM, Match, family

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kb.identify.index import Entry
    from kb.identify.known import Known
    from kb.identify.passages import Passage
    from kb.identify.quoting import Quote
    from kb.identify.tokens import Tokens

    _Rule = tuple[str, str, str]

MOST = 12
"""Matches of a part of a paragraph at most: a sentence may stand on hundreds of cards."""

_SAME, _NOW, _GONE = "is", "is now", "was"  # by what a rule is told
_KINDS = (RULE, TERM, EXAMPLE, RULING)


@dataclass(frozen=True, slots=True)
class Read:
    """A paragraph as read.

    ``words`` are placed in what it says; ``heading`` is the line above; ``rule`` is the last
    number that was printed before it, under which an example stands.
    """

    passage: Passage
    words: Tokens
    heading: str | None = None
    rule: str | None = None

    def printed_for(self, known: Iterable[Known]) -> tuple[str | None, list[Known]]:
        """Return the name that is printed for some texts, and those that bear it.

        A line above that names none of them is only a line.
        """
        for name in (self.passage.printed, self.heading):
            fitting = [one for one in known if name and one.id.casefold() == name.casefold()]
            if fitting:
                return name, fitting
        return self.passage.printed, []

    def examples(self, known: Iterable[Known]) -> list[Known]:
        """Return those of some texts that are examples of the rule printed last."""
        return [
            one for one in known if one.kind == EXAMPLE and one.id.partition(" ")[0] == self.rule
        ]


def matches(
    quotes: Iterable[Quote], read: Read, families: Mapping[str, int]
) -> tuple[tuple[Match, ...], int]:
    """Return the matches of a paragraph, best first, and how many more there are as good.

    Args:
        quotes: what it quotes, best first.
        read: the paragraph.
        families: how often the page quotes or names each card or chapter; it orders equals.
    """
    found: dict[_Rule, tuple[tuple[float, ...], Match]] = {}
    regions: dict[int, int] = {}
    for quote in quotes:
        region = regions.setdefault(quote.likeness.start, len(regions))
        for rule, known in _rules(quote.likeness.entry).items():
            match = _match(quote, known, read)
            common = max(families.get(family(one), 0) for one in known)
            kind = _KINDS.index(match.kind)
            worth = (region, not match.printed_fits, -match.score, -common, kind)
            if rule not in found or worth < found[rule][0]:
                found[rule] = (worth, match)
    ordered = [match for _, match in sorted(found.values(), key=lambda pair: pair[0])]
    parts = [_decided(list(even)) for _, even in groupby(ordered, _start)]
    shown = tuple(match for part in parts for match in part[:MOST])
    return shown, sum(map(len, parts)) - len(shown)


def _start(match: Match) -> int:
    return match.span.start


def _decided(even: list[Match]) -> list[Match]:
    """Return the matches of one part of a paragraph; a number that fits decides between them."""
    return [match for match in even if match.printed_fits] or even


def _match(quote: Quote, known: list[Known], read: Read) -> Match:
    """Return the match of a quote with a rule, which had its wording under some names."""
    newest = max(known, key=_release)
    printed, fitting = read.printed_for(known)
    chosen = max(fitting or read.examples(known), key=_release, default=newest)
    words, here = read.words, quote.likeness
    start, end = words.starts[here.start], words.ends[here.end - 1]
    quoted = read.passage.said[start:end]
    return Match(
        kind=chosen.kind,
        id=chosen.id,
        release=chosen.release,
        match=quote.match,
        score=round(quote.score, 3),
        since=min((one.since for one in known if one.since), default=None),
        until=None if any(one.until is None for one in known) else newest.until,
        now=newest.now,
        difference=() if quote.match == EXACT else difference(chosen.text, quoted),
        span=read.passage.span(start, end),
        printed=printed,
        printed_fits=bool(fitting) if printed else None,
    )


def _release(known: Known) -> str:
    return known.release


def _rules(entry: Entry) -> dict[_Rule, list[Known]]:
    """Return the rules that had a wording, each with the texts that it had it in."""
    found: dict[_Rule, list[Known]] = {}
    for one in sorted(entry.known, key=lambda one: (one.since or "", one.release)):
        found.setdefault(_rule(one, entry, found), []).append(one)
    return found


def _rule(known: Known, entry: Entry, before: Mapping[_Rule, list[Known]]) -> _Rule:
    """Return what tells a rule, term, example or ruling from all others."""
    if known.kind == RULING:
        return (RULING, family(known), entry.words)
    if known.identity:
        return (known.kind, _SAME, known.identity)
    if known.now is not None:
        return (known.kind, _NOW, known.now[0])
    for rule, texts in before.items():
        # What is gone and stood under one number after another was one rule all the time.
        follows = texts[-1].id == known.id or texts[-1].release < (known.since or "")
        if follows and rule[:2] == (known.kind, _GONE):
            return rule
    return (known.kind, _GONE, f"{known.id} {known.since}")
