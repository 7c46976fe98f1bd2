"""What a few words may lead to at once: numbers, titles, terms, cards; and what rules say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.cards.values import name_key
from kb.knowledge.book import TermEntry
from kb.records import RuleNumber
from kb.web.pages.reading import first_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.web.pages.linked import Named
    from kb.web.pages.reading import Reading

_FEW_WORDS = 90


@dataclass(frozen=True, slots=True)
class Lead:
    """A page that words may mean: what it is of, its name, its first words."""

    kind: str
    label: str
    words: str
    address: str


def number_meant(reading: Reading, written: str) -> str | None:
    """Return the rule of the release that a text is the number of, and nothing else."""
    digit = written.strip().rstrip(".")
    if len(digit) == 1 and digit in reading.book.entries:
        return digit
    try:
        number = str(RuleNumber.understand(written))
    except ValueError:
        return None
    return number if reading.book.get(number) else None


def leads(reading: Reading, written: str, most: int) -> list[Lead]:
    """Return what a text that is still being typed may mean, the nearest first."""
    wanted = written.strip()
    if not wanted:
        return []
    part = max(1, most * 6 // 10)  # no kind takes the room of all others
    found: dict[str, Lead] = {}
    for source, room in ((_numbers, most), (_begun, part), (_cards, part), (_inside, most)):
        for lead in source(reading, wanted, room):
            found.setdefault(lead.address, lead)
        if len(found) >= most:
            break
    return list(found.values())[:most]


def _rule(reading: Reading, key: str) -> Lead:
    entry = reading.book.entry(key)
    return Lead(
        entry.level, entry.number, first_words(entry), reading.links.rule(reading.release, key)
    )


def _numbers(reading: Reading, wanted: str, most: int) -> Iterator[Lead]:
    """Yield the rules whose numbers begin so, shorter ones first."""
    start = wanted.lower().removeprefix("cr").removeprefix("rule").strip(" :")
    if not start[:1].isdigit():
        return
    keys = [key for key in reading.book.entries if key.startswith(start)]
    for key in sorted(keys, key=len)[:most]:
        yield _rule(reading, key)


def _called(reading: Reading, named: Named) -> Lead:
    """Return a term or a rule with a title as what its name leads to."""
    if isinstance(named, TermEntry):
        words = named.senses[0][:_FEW_WORDS] if named.senses else ""
        address = reading.links.term(reading.release, named.key)
        return Lead("term", named.heading, words, address)
    address = reading.links.rule(reading.release, named.key)
    return Lead(named.level, f"{named.number} {named.title}", "", address)


def _begun(reading: Reading, wanted: str, most: int) -> Iterator[Lead]:
    """Yield terms and titles that begin so, shorter ones first."""
    key = name_key(wanted)
    found = [pair for pair in reading.names if key and pair[0].startswith(key)]
    for _, named in sorted(found, key=_by_length)[:most]:
        yield _called(reading, named)


def _by_length(pair: tuple[str, Named]) -> tuple[int, str]:
    return len(pair[0]), pair[0]


def _cards(reading: Reading, wanted: str, most: int) -> Iterator[Lead]:
    for name, iri in reading.site.cards_begun(wanted, most):
        yield Lead("card", name, "", reading.links.iri(iri))


def _inside(reading: Reading, wanted: str, most: int) -> Iterator[Lead]:
    """Yield terms and titles that have the words anywhere."""
    key = name_key(wanted)
    found = [pair for pair in reading.names if key and key in pair[0]]
    for _, named in sorted(found, key=_by_length)[:most]:
        yield _called(reading, named)


def with_words(reading: Reading, written: str, most: int) -> Iterator[Lead]:
    """Yield the rules that have all the words, those that say the least beside first."""
    words = [word.lower() for word in written.split()]
    found = [
        entry
        for entry in reading.book.entries.values()
        if words and all(word in entry.text.lower() for word in words)
    ]
    for entry in sorted(found, key=lambda entry: len(entry.text))[:most]:
        address = reading.links.rule(reading.release, entry.key)
        yield Lead("rule", entry.number, entry.text, address)
