"""A text → its paragraphs and what each quotes; and the release that a page as a whole quotes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from kb.identify.compare import Words
from kb.identify.index import Index
from kb.identify.known import EXACT, PART, RULING, ParagraphMatches, family
from kb.identify.matching import Read, matches
from kb.identify.passages import passages
from kb.identify.plain import Plain
from kb.identify.quoting import Around, continued, quotes
from kb.identify.references import astray
from kb.identify.tokens import clauses, keys, tokens
from kb.records import Span
from kb.rulebook.release import effective_date

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kb.identify.known import Known, Match
    from kb.identify.quoting import Quote

_OFTEN = 2  # paragraphs quoting a card or chapter, for the page to be at home there
_ISO_DATE = re.compile(r"(?<![\d-])(?:19|20)\d\d-\d\d-\d\d(?![\d-])")
_OF_RULES = re.compile(r"\brul(?:es|ings?|ebook)\b|\bcr\b|\beffective\b", re.IGNORECASE)
_OBSOLETE = re.compile(r"\(obsolete\)$", re.IGNORECASE)
_MOSTLY = 2 / 3


def identify(text: str, known: Iterable[Known] | Index) -> tuple[ParagraphMatches, ...]:
    """Return each paragraph of a text with the rules, terms, examples and rulings it quotes.

    Args:
        text: any; what quotes nothing has no matches.
        known: the texts that may be quoted, or an index of them.
    """
    index = known if isinstance(known, Index) else Index.of(known)
    found = _with_headings(_quoted(list(_readings(text)), index))
    release = page_release(found)
    return tuple(_with_astray(result, release, index) for result in found)


def _quoted(readings: list[Read], index: Index) -> list[ParagraphMatches]:
    """Return the paragraphs with their matches; what the page quotes often helps with the rest."""
    words = [_words(reading, index) for reading in readings]
    found = [
        quotes(some, Around(reading.passage.printed, reading.heading), index)
        for some, reading in zip(words, readings, strict=True)
    ]
    families = Counter(name for quoted in found for name in _families(quoted))
    home = frozenset(name for name, count in families.items() if count >= _OFTEN)
    families.update(_named(found, readings))
    results: list[ParagraphMatches] = []
    above: list[Quote] = []
    for reading, some, quoted in zip(readings, words, found, strict=True):
        passage = reading.passage
        around = Around(passage.printed, reading.heading, home)
        above = quoted or (quotes(some, around, index) if home else []) or continued(some, above)
        shown, more = matches(above, reading, families)
        result = ParagraphMatches(passage.line, passage.text, shown, passage.printed, more)
        results.append(result)
    return results


def _readings(text: str) -> Iterator[Read]:
    above = rule = None
    for passage in passages(text):
        rule = passage.printed or rule
        yield Read(passage, tokens(passage.said), above, rule)
        above = _OBSOLETE.sub("", passage.said).strip()


def _words(reading: Read, index: Index) -> Words:
    letters = index.encode(reading.words.keys)
    return Words.of(letters, tuple(clauses(reading.passage.said, reading.words)), index)


def _with_astray(result: ParagraphMatches, release: str | None, index: Index) -> ParagraphMatches:
    """Return a paragraph with the references that lead elsewhere named in its matches."""
    looked = [
        replace(match, astray=astray(match, _shown(match.span.of(result.text)), release, index))
        for match in result.matches
    ]
    return replace(result, matches=tuple(looked))


def _shown(text: str) -> str:
    return " ".join(Plain.of(text).text.split())


def _families(quoted: list[Quote]) -> set[str]:
    return {family(one) for quote in quoted for one in quote.likeness.entry.known}


def _named(found: list[list[Quote]], readings: list[Read]) -> set[str]:
    """Return the cards that the page names, of those that share a ruling that it quotes."""
    shared = {
        name
        for quoted in found
        for quote in quoted
        if len(quote.likeness.entry.known) > 1
        for one in quote.likeness.entry.known
        if one.kind == RULING and (name := family(one))
    }
    if not shared:
        return set()
    said = f" {' '.join(word for reading in readings for word in reading.words.keys)} "
    return {
        name
        for name in shared
        if any(f" {' '.join(keys(face))} " in said for face in name.split(" // "))
    }


def _with_headings(results: list[ParagraphMatches]) -> list[ParagraphMatches]:
    """Give a line that is the name of the term below it that term's match."""
    found = []
    for result, below in pairwise([*results, None]):
        assert result is not None, "only what is below the last paragraph is None"
        best = below.matches[0] if below and below.matches else None
        is_name = best is not None and best.printed is not None and below and not below.printed
        if best is not None and is_name and not result.matches:
            span = Span(0, len(result.text))
            named = replace(best, match=PART, difference=(), span=span)
            found.append(replace(result, matches=(named,)))
        else:
            found.append(result)
    return found


def page_release(results: Sequence[ParagraphMatches], releases: Iterable[str] = ()) -> str | None:
    """Return the name of the release that a page quotes as a whole; None where none fits.

    It is the one whose date the page itself gives, if most of the exact quotes stood in it;
    else the newest in which all of them stood.

    Args:
        results: of ``identify``.
        releases: names of the releases that there are; a date that is none's counts for nothing.
    """
    quoted = [
        [m for m in result.matches if m.match == EXACT and m.kind != RULING] for result in results
    ]
    quoted = [exact for exact in quoted if exact]
    if not quoted:
        return None
    names = set(releases)
    for date in _dates(results):
        stood = sum(any(_stood(match, date) for match in exact) for exact in quoted)
        if stood >= _MOSTLY * len(quoted) and (not names or date in {name[:10] for name in names}):
            seen = names | {name for exact in quoted for m in exact for name in _names(m)}
            return min((name for name in seen if name[:10] == date), default=date)
    ends = sorted({_last(match) for exact in quoted for match in exact}, reverse=True)
    return next(
        (
            end
            for end in ends
            if all(any((m.since or "") <= end <= _last(m) for m in exact) for exact in quoted)
        ),
        None,
    )


def _dates(results: Sequence[ParagraphMatches]) -> Iterator[str]:
    """Yield the dates that a page gives where it speaks of rules."""
    for result in results:
        text = _shown(result.text)
        if not result.matches and _OF_RULES.search(text):
            yield from _ISO_DATE.findall(text)
            if date := effective_date(text):
                yield date.isoformat()


def _stood(match: Match, date: str) -> bool:
    return (match.since or "")[:10] <= date <= _last(match)[:10]


def _last(match: Match) -> str:
    """Return the newest release that a match allows: that of its number, if it fits."""
    return match.release if match.printed_fits or match.until is None else match.until


def _names(match: Match) -> set[str]:
    return {name for name in (match.release, match.since, match.until) if name}
