"""Accept and Accept-Encoding: which form of an answer a client gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.web.formats import GRAPHS, HTML, JSON, PAGES, ROWS, SPARQL_JSON, SPARQL_XML, TURTLE
from kb.web.negotiate import etag_matches, media_ranges, preferred, quality, takes_gzip

_BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "offers", "chosen"),
    [
        (None, PAGES, TURTLE),
        ("", PAGES, TURTLE),
        ("*/*", PAGES, TURTLE),
        (_BROWSER, PAGES, HTML),
        ("application/json", PAGES, JSON),
        ("text/*", PAGES, TURTLE),
        ("text/*, text/turtle;q=0", PAGES, HTML),
        ("application/ld+json;q=0.5, text/turtle;q=0.4", PAGES, "application/ld+json"),
        ("APPLICATION/LD+JSON", PAGES, "application/ld+json"),
        ("application/ld+json; q=0.5 , text/turtle ;q=0.50", PAGES, TURTLE),
        ("image/png", PAGES, None),
        ("image/png, */*;q=0", PAGES, None),
        ("*/*;q=0.1, application/sparql-results+xml", tuple(ROWS), SPARQL_XML),
        ("application/sparql-results+xml;q=0.9, */*", tuple(ROWS), SPARQL_JSON),
        ("text/turtle;q=1.5", PAGES, None),
        ("nonsense, text/turtle", PAGES, TURTLE),
        (";;,/,*/html,=", PAGES, None),
        ('application/ld+json;profile="x"', PAGES, None),
        ("application/n-triples;q=0.001", tuple(GRAPHS), "application/n-triples"),
    ],
)
def test_the_form_that_is_chosen(accept, offers, chosen):
    assert preferred(accept, offers) == chosen


@given(st.text(max_size=200))
def test_no_header_breaks_it(text):
    assert preferred(text, PAGES) in {*PAGES, None}
    takes_gzip(text)
    etag_matches(text, '"x"')


_RANGES = st.sampled_from(["*/*", "text/*", "application/*", *PAGES, "image/png"])
_QUALITIES = st.integers(0, 1000).map(lambda n: n / 1000)


@given(st.lists(st.tuples(_RANGES, _QUALITIES), min_size=1, max_size=6, unique_by=lambda r: r[0]))
def test_nothing_refused_is_chosen_and_nothing_liked_better_is_passed_over(entries):
    accept = ", ".join(f"{name};q={value:.3f}" for name, value in entries)
    ranges = media_ranges(accept)
    assert [(f"{r.type}/{r.subtype}", r.quality) for r in ranges] == entries
    chosen = preferred(accept, PAGES)
    best = max(quality(offer, ranges) for offer in PAGES)
    assert (chosen is None) == (best == 0)
    if chosen is not None:
        assert quality(chosen, ranges) == best
        earlier = PAGES[: PAGES.index(chosen)]
        assert all(quality(offer, ranges) < best for offer in earlier)


@given(_RANGES, _QUALITIES, _QUALITIES)
def test_the_order_of_ranges_makes_no_difference(name, one, other):
    forth = media_ranges(f"{name};q={one:.3f}, */*;q={other:.3f}")
    back = media_ranges(f"*/*;q={other:.3f}, {name};q={one:.3f}")
    if name != "*/*":
        assert [quality(o, forth) for o in PAGES] == [quality(o, back) for o in PAGES]


@pytest.mark.parametrize(
    ("header", "packed"),
    [
        (None, False),
        ("gzip", True),
        ("gzip, deflate, br", True),
        ("gzip;q=0", False),
        ("*", True),
        ("gzip;q=0, *", False),
        ("br", False),
        ("GZIP;q=0.5", True),
        ("identity", False),
    ],
)
def test_who_gets_gzip(header, packed):
    assert takes_gzip(header) == packed


@pytest.mark.parametrize(
    ("header", "matches"),
    [
        (None, False),
        ("*", True),
        ('"a"', True),
        ('W/"a"', True),
        ('"b", W/"a"', True),
        ('"b"', False),
    ],
)
def test_if_none_match(header, matches):
    assert etag_matches(header, 'W/"a"') == matches
