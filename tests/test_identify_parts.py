"""The parts of identifying: paragraphs, words, differences; and that any text is read."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from known_texts import OTHER, RELEASED, STONE

from kb.identify import Index, identify, page_release
from kb.identify.difference import difference
from kb.identify.passages import passages
from kb.identify.plain import Plain
from kb.identify.tokens import keys, tokens

INDEX = Index.of(RELEASED)

# Parts: lines, words, differences.


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("100.1\nA pebble.\n\nB", [(1, "100.1", "A pebble."), (4, None, "B")]),
        ("* one\n* two", [(1, None, "one"), (2, None, "two")]),
        ("\r\n\r\n606.5 If so", [(3, "606.5", "If so")]),
        ("901.4.All of it", [(1, "901.4", "All of it")]),
        ("606. 8b Then", [(1, "606.8b", "Then")]),
        ("Example: A pebble.", [(1, None, "A pebble.")]),
        ("200 pebbles", [(1, None, "200 pebbles")]),
        ("200. Pebbles", [(1, "200", "Pebbles")]),
        ("-1/-1 counters", [(1, None, "-1/-1 counters")]),
        (
            "A pebble that was moved lies where it is put (see rule\n300.2, too).\nExample: It is.",
            [
                (1, None, "A pebble that was moved lies where it is put (see rule 300.2, too)."),
                (3, None, "It is."),
            ],
        ),
    ],
)
def test_paragraphs(text, found):
    assert [(p.line, p.printed, p.said) for p in passages(text)] == found


def test_a_difference_names_the_words_that_differ_as_they_are_written():
    old = "A “moved” pebble (see rule 100.1) stays; it isn't turned over."
    new = 'A "moved" stone (see rule 200.7b) stays: it is not turned over.'
    assert difference(old, new) == (
        ("=", 'A "moved"'),
        ("-", "pebble"),
        ("+", "stone"),
        ("=", "(see rule 200.7b) stays: it"),
        ("-", "isn't"),
        ("+", "is not"),
        ("=", "turned over."),
    )


PIECES = st.sampled_from(
    [
        STONE,
        OTHER,
        STONE[:30],
        "\n",
        "\r\n",
        "\r",
        " ",
        "100.1",
        "300.1. ",
        "* ",
        "Example: ",
        "—",
        "\u2028",
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=20))).map("".join))
def test_any_text_is_read(text):
    results = identify(text, INDEX)
    lines = [result.line for result in results]
    assert lines == sorted(set(lines))
    assert all(result.text and result.text in text for result in results)
    spans = [(m.span, result.text) for result in results for m in result.matches]
    assert all(0 <= span.start < span.end <= len(whole) for span, whole in spans)
    page_release(results)


@given(st.text())
def test_words_are_the_same_with_their_places_and_without(text):
    assert tokens(text).keys == keys(text)


@given(st.text())
def test_what_is_said_stands_in_the_text(text):
    assume(Plain.of(text).text == text)
    for passage in passages(text):
        for begin, end in pairwise([*(line for line, _ in passage.lines), len(passage.said) + 1]):
            piece = passage.said[begin : end - 1]
            assert passage.span(begin, end - 1).of(passage.text) == piece


# Plain text out of markup.

SHOWN = [
    ("isn&rsquo;t <b>it</b>&nbsp;&amp; so", "isn’t it & so"),
    ("<p>one</p><td>two", "\n\none\n\n\n\ntwo"),
    ("'''1''' ''[[Pebble]]s'' and [[The heap|heap]]", "1 Pebbles and heap"),
    ("{{CR|100.1}} {{T}}: {T}, {{Rule|100.1|text}}", "100.1 {T}: {T}, 100.1 text"),
    ('[pebble](https://e.org/a_(b) "A") ![i](x)', "pebble i"),
    ("_one_, __two__. a_b ____", "one, two. a_b ____"),
    ("[b]one[/b] [U] [−3]: [0]: [quote=x]two[/quote]", "one [U] [−3]: [0]: \n\ntwo\n\n"),
    (r"say \"it isn\u2019t\"", 'say "it isn’t"'),
    ("so\u00adft\u200b word.[1] [2]", "soft word. [2]"),
    ("itâ€™s", "it’s"),
    (
        "a < b & c > d <of any kind>; x<3 &nothing; &#0;",
        "a < b & c > d <of any kind>; x<3 &nothing; \ufffd",
    ),
]


@pytest.mark.parametrize(("page", "shown"), SHOWN)
def test_markup_becomes_what_it_shows(page, shown):
    assert Plain.of(page).text.strip() == shown.strip()


@given(st.lists(st.one_of(st.sampled_from([page for page, _ in SHOWN]), st.text())).map("".join))
def test_each_character_that_is_shown_has_its_place_in_the_page(page):
    plain = Plain.of(page)
    places = [(plain.start(n), plain.end(n + 1)) for n in range(len(plain.text))]
    assert all(0 <= start < end <= len(page) for start, end in places)
    assert places == sorted(places)


@pytest.mark.parametrize("mark", ["<", "[", "{{", "[[", "<a ", "[a](", "[x](", "&", "'", "<!--"])
def test_marks_without_end_are_read_in_time_that_grows_with_their_number(mark):
    times = []
    for count in (4_000, 16_000):
        start = perf_counter()
        passages(mark * count)
        times.append(perf_counter() - start)
    assert times[1] < 16 * max(times[0], 0.05)


def test_nothing_known_quotes_nothing():
    assert [result.matches for result in identify(STONE, [])] == [()]


def test_a_very_long_paragraph_is_read():
    text = " ".join(f"{STONE} word{n} {OTHER}" for n in range(300))
    (result,) = identify(text, INDEX)
    assert {match.id for match in result.matches} == {"301.1", "500.4"}
