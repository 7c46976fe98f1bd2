"""Texts that a page may quote, out of releases and card files, and some of our own."""

from __future__ import annotations

from kb.identify import Known
from kb.identify.tokens import keys


def texts_of(rulebook):
    """Yield kind, name and text of all that a release lets a page quote."""
    for rule in rulebook.rules:
        yield "rule", str(rule.number), rule.text
        for n, example in enumerate(rule.examples, 1):
            yield "example", f"{rule.number} example {n}", example.text
    for term in rulebook.terms:
        yield "term", term.name, term.text


def known_of(rulebooks):
    """Return the texts of releases, oldest first; what keeps its words is taken for one rule."""
    newest = rulebooks[-1].release.name
    now = {
        (kind, tuple(keys(text))): (name, newest, text)
        for kind, name, text in reversed(list(texts_of(rulebooks[-1])))
    }
    stood = {}
    for book in rulebooks:
        for kind, name, text in texts_of(book):
            stood.setdefault((kind, name, tuple(keys(text))), []).append((book.release.name, text))
    return [
        Known(
            kind,
            name,
            release=(last := found[-1][0]),
            since=found[0][0],
            until=None if (today := now.get((kind, words))) else last,
            text=found[-1][1],
            now=today,
        )
        for (kind, name, words), found in stood.items()
    ]


def rulings_of(cards):
    for card, faces in cards.items():
        for ruling in faces[0].get("rulings", ()):
            day, name = ruling["date"], f"{card}, {ruling['date']}"
            yield Known("ruling", name, day, day, None, ruling["text"], (name, day, ruling["text"]))


STONE = "Each player who moved a pebble this turn turns it over and puts it beside the board."
OTHER = "Nobody may look at the pebbles that lie in the heap unless a rule or an effect says so."


def stood(number, text, first, last, now=None, **more):
    """Return a rule's text from one year to another; with ``now``, its number today, it stands."""
    since, release = f"{first}-01-01", f"{last}-01-01"
    today = now and (now, "2026-01-01", text)
    until = None if last == 2026 else release
    return Known("rule", number, release, since, until, text, today, **more)


RELEASED = [
    stood("300.1", STONE, 2001, 2010, "301.1"),
    stood("301.1", STONE, 2011, 2026, "301.1"),
    stood("500.4", OTHER, 2004, 2012),
]
