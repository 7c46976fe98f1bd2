"""A rulebook reads the same when it is wrapped, ruled, indented, or its lines end otherwise."""

from __future__ import annotations

from datetime import date
from textwrap import wrap

import pytest
from small_rulebook import SMALL, changed, losses, marked, read, source_of

from kb.rulebook.layout import divide, unwrap

LONG = (
    "The players move their pebbles one by one over the fields of the board, each to a field "
    "beside its own, until nobody is left who can move any pebble at all. Whoever moved last "
    "has won the game, and the other one collects the pebbles."
)
HEAD = "These rules are current as of July 23, 2001."
CONTENTS = "1. The Game\n100. General\n101. Pebbles\nGlossary\nCredits"
PARAGRAPHS = [
    HEAD,
    "Introduction",
    LONG,
    "1. The Game",
    "100. General",
    *(f"100.{number}. {LONG}" for number in range(1, 9)),
    f"100.8a {LONG}",
    "101. Pebbles",
    f"101.1. {LONG}",
]
ENTRIES = [("Board", [LONG]), ("Move", [f"1. {LONG}", f"2. {LONG}"]), ("Pebble", [LONG])]


def wrapped(paragraphs=PARAGRAPHS, width=76):
    """Return a rulebook that is wrapped as those before mid-2004 are."""
    paragraphs = ["Rules of the Pebble Game", *paragraphs]
    paragraphs = ["\n".join(wrap(paragraph, width)) for paragraph in paragraphs]
    paragraphs.insert(4, f"Contents\n\n{CONTENTS}")
    entries = []
    for name, texts in ENTRIES:
        entries.append("\n".join([name, *(line for text in texts for line in wrap(text, width))]))
    return "\n\n".join([*paragraphs, "Glossary", *entries, "Credits", "It is made up.\n"])


def ruled():
    """Return a rulebook as that of April 1999 is: rulers, all indented, dated in figures."""
    ruler, double = "-" * 72, "=" * 72
    rules = "\n\n".join("\n".join(wrap(f"100.{n}. {LONG}", 76)) for n in range(1, 9))
    entry = "\n".join("  " + line for line in wrap(LONG, 72))
    contents = CONTENTS.replace("\n100", "\n     100").replace("\n101", "\n     101")
    return "\n".join(
        [
            *(double, "COMPREHENSIVE RULES          04/23/99", double, ""),
            *(ruler, "Contents", ruler, "", contents, ""),
            *(ruler, "1. The Game", ruler, "", "100. General", "-" * 12, "", rules, ""),
            *("EXAMPLE: Ann moves a pebble.", "", "101. Pebbles", "-" * 12, ""),
            *("101.1. A pebble is gray or white.", "", "  101.1a A gray one is slow.", ""),
            *(ruler, "Glossary", ruler, "", "Board", entry, "", "  It has nine fields.", ""),
            *("Move", "  1. To put a pebble on a field.", "", "  2. To take one off.", ""),
            *("Copyrights", ruler, "", "It is made up.", ""),
        ]
    )


def by_number(rulebook):
    return {str(rule.number): rule for rule in rulebook.rules}


@pytest.mark.parametrize("width", [70, 76, 90])
def test_a_wrapped_paragraph_is_one_paragraph(width):
    text = wrapped(width=width)
    rulebook, problems = read(text)
    assert problems == ()
    assert losses(rulebook, source_of(text)) == []
    numbered = [p for p in PARAGRAPHS if p[0] == "1" and p != "1. The Game"]
    heads = [paragraph.split()[0] for paragraph in numbered]
    found = [f"{head} {r.text}" for head, r in zip(heads, rulebook.rules, strict=True)]
    assert found == numbered
    assert all(len(rule.paragraphs) == 1 for rule in rulebook.rules)


def test_a_wrapped_glossary_has_its_terms_and_senses():
    terms = [(term.name, term.text) for term in read(wrapped())[0].terms]
    assert terms == [(name, "\n".join(texts)) for name, texts in ENTRIES]


@pytest.mark.parametrize(
    "begin",
    [
        *("100.1. It goes on here.", "100.1a", "100.2, or in another.", "Example: this one."),
        *("Example,", "101. Pebbles, that is.", "1. The Game, that is.", "2. The second way."),
    ],
)
def test_a_wrapped_line_may_begin_like_a_rule_or_an_example(begin):
    tail = f"This is told as well in the other rule, of which you will read later, in\n{begin}"
    text = wrapped().replace(f"{chr(10).join(wrap('101.1. ' + LONG, 76))}\n", f"101.1. {tail}\n")
    assert tail in text
    rulebook, problems = read(text)
    assert by_number(rulebook)["101.1"].text == tail.replace("\n", " ")
    assert by_number(rulebook)["101.1"].examples == ()
    assert problems == ()


def test_an_example_below_a_wrapped_rule_is_an_example():
    end = wrap(f"100.8a {LONG}", 76)[-1]
    example = "\n".join(wrap(f"Example: {LONG}", 76))
    rulebook, problems = read(wrapped().replace(f"{end}\n\n101", f"{end}\n{example}\n\n101"))
    assert [found.text for found in by_number(rulebook)["100.8a"].examples] == [LONG]
    assert by_number(rulebook)["100.8a"].text == LONG
    assert problems == ()


def test_a_text_with_long_lines_is_not_taken_for_a_wrapped_one():
    canvas = source_of(SMALL).canvas
    assert unwrap(canvas, divide(canvas)) == canvas


@pytest.mark.parametrize("text", [wrapped(), ruled(), SMALL, SMALL.replace(" a ", "\u2028")])
def test_joining_lines_keeps_every_offset(text):
    canvas = source_of(text).canvas
    joined = unwrap(canvas, divide(canvas))
    assert len(joined) == len(canvas)
    assert joined.split() == canvas.split()


@pytest.mark.parametrize("text", [wrapped(), ruled(), SMALL, "Nothing of that kind.\n"])
def test_the_parts_follow_each_other_and_cover_the_text(text):
    parts = divide(text)
    in_order = (parts.front, parts.body, parts.glossary, parts.back)
    assert "".join(part.of(text) for part in in_order) == text


def test_rulers_and_indents_of_1999_are_read():
    rulebook, problems = read(ruled())
    assert problems == ()
    assert losses(rulebook, source_of(ruled())) == []
    assert rulebook.release.effective == date(1999, 4, 23)
    assert [section.title for section in rulebook.sections] == ["The Game"]
    rules = by_number(rulebook)
    assert rules["100.8"].text == LONG
    assert [example.text for example in rules["100.8"].examples] == ["Ann moves a pebble."]
    assert rules["101.1a"].text == "A gray one is slow."


def test_a_glossary_that_is_indented_has_its_terms_and_senses():
    board, move = read(ruled())[0].terms
    assert (board.name, board.text) == ("Board", f"{LONG}\nIt has nine fields.")
    assert [sense.number for sense in move.senses] == [1, 2]
    assert [sense.text for sense in move.senses] == [
        "To put a pebble on a field.",
        "To take one off.",
    ]


def test_rulers_are_kept_apart():
    blocks = [b for b in read(ruled())[0].blocks if b.kind == "ruler"]
    assert len(blocks) == sum(line.startswith(("---", "===")) for line in ruled().split("\n"))
    assert all(set(block.paragraph.text) <= {"-", "="} for block in blocks)


def test_a_line_separator_inside_a_paragraph_is_a_space():
    rulebook, problems = read(changed("sits at one", "sits\u2028at one"))
    assert by_number(rulebook)["100.1a"].text == "Each player sits at one side of the board."
    assert problems == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("begins.\nExample: Ann", "begins.\u2028Example: Ann"),
        ("field.\n2.", "field.\u20282."),
        ("players.\n\n100.1a", "players.\u2028100.1a"),
    ],
)
def test_a_line_separator_before_something_new_is_a_line_end(old, new):
    def texts(rulebook):
        return (
            [(r.text, [e.text for e in r.examples]) for r in rulebook.rules],
            [term.text for term in rulebook.terms],
        )

    text = changed(old, new)
    assert texts(read(text)[0]) == texts(read(SMALL)[0])
    assert losses(read(text)[0], source_of(text)) == []


@pytest.mark.parametrize("blank", ["\u00a0", " ", "\t", "\u00a0 \u00a0"])
def test_a_blank_line_may_hold_spaces(blank):
    text = SMALL.replace("\n\n", f"\n{blank}\n")
    rulebook, problems = read(text)
    assert problems == ()
    assert [rule.text for rule in rulebook.rules] == [r.text for r in read(SMALL)[0].rules]
    assert [term.text for term in rulebook.terms] == [t.text for t in read(SMALL)[0].terms]


@pytest.mark.parametrize("heading", ["Credits", "CREDITS", "Index", "Copyrights", "  Credits "])
def test_the_glossary_ends_at_any_heading_of_what_follows(heading):
    rulebook, problems = read(changed("\nCredits\n", f"\n{heading}\n"))
    assert rulebook.terms[-1].text == "See Move."
    assert problems == ()


def test_problems_of_a_wrapped_text_stand_in_the_line_as_printed():
    text, line, column = marked(wrapped().replace("100.8a The", "¦100.8a. The"))
    (problem,) = read(text)[1]
    assert (problem.kind, problem.line, problem.column) == ("extra-dot", line, column)
