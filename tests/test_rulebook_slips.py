"""Each slip of a rulebook is read as it was meant, and reported with its kind and its place."""

from __future__ import annotations

import pytest
from small_rulebook import SMALL, changed, found_in, losses, marked, read, source_of

from kb.records import RuleNumber

A_GAME = "A game ends when no pebble is left on the board."

# What the small rulebook says, what it says instead (¦ is where the problem stands), the kind.
SLIPS = [
    ("100.2. A", "¦100.2 A", "missing-dot"),
    ("100.1a Each", "¦100.1a. Each", "extra-dot"),
    ("100.2. A", "¦100.2.A", "glued"),
    ("100.1a Each", "¦100.1aEach", "glued"),
    ("101. Pebbles", "¦101.Pebbles", "glued"),
    ("100.2. A", "¦100. 2. A", "space-in-number"),
    ("101.1b A", "¦101. 1b A", "space-in-number"),
    (f"100.2. {A_GAME}", "¦100.2.", "no-text"),
    ("100.1b The", "¦100.1a The", "duplicate"),
    ("100.2. A", "¦100.1. A", "duplicate"),
    ("100.2. A", "¦100.3. A", "jump"),
    ("100.1b The", "¦100.1c The", "jump"),
    ("100.1b The", "¦100.1aa The", "jump"),
    ("200.1. The", "¦200.2. The", "jump"),
    ("101.1a A gray pebble may be moved once a turn.\n\n101.1b", "¦101.1b", "jump"),
    ("101.2. A", "¦101.3a A", "no-parent"),
    ("200.1. The", "¦201.1. The", "no-parent"),
    ("100.1b The", "¦100.1l The", "letter"),
    ("100.1b The", "¦100.1o The", "letter"),
    ("100.2. A", "¦f\n\n100.2. A", "stray"),
    ("100.2. A", "¦Two words\n\n100.2. A", "stray"),
    ("100.2. A", "     ¦f\n\n100.2. A", "stray"),
    ("100.2. A", "¦Pebbles are small and round.\n\n100.2. A", "unnumbered"),
    ("Board\nWhat", "  ¦Far in, before any term.\n\nBoard\nWhat", "stray"),
    ("A word that", "\n¦A word that", "blank-line"),
    ("See rule 101.\n", "\n¦See rule 101.\n", "blank-line"),
    ("\nHeap", "¦Heap", "blank-line"),
    ("\nPebble, White", "¦Pebble, White", "blank-line"),
    ("Move\n1. To", "Move¦1. To", "glued"),
    ("These rules are effective as of June 19", "¦These rules are effective as of June 18", "date"),
]


@pytest.mark.parametrize(("old", "new", "kind"), SLIPS)
def test_a_slip_is_reported_where_it_stands(old, new, kind):
    text, line, column = marked(changed(old, new))
    rulebook, problems = read(text)
    assert found_in(problems) == [(kind, line, column)]
    assert problems[0].excerpt == text.split("\n")[line - 1].rstrip()
    assert losses(rulebook, source_of(text)) == []


@pytest.mark.parametrize(
    ("old", "new", "number", "text"),
    [
        ("100.2. A", "100.2 A", "100.2", A_GAME),
        ("100.2. A", "100.2.A", "100.2", A_GAME),
        ("100.2. A", "100. 2. A", "100.2", A_GAME),
        ("100.2. A", "100.2A", "100.2", A_GAME),
        ("100.1a Each", "100.1a. Each", "100.1a", "Each player sits at one side of the board."),
        ("100.1a Each", "100.1aEach", "100.1a", "Each player sits at one side of the board."),
        ("100.1a Each", "100. 1a Each", "100.1a", "Each player sits at one side of the board."),
    ],
)
def test_a_slip_in_a_number_does_not_hide_the_rule(old, new, number, text):
    (found,) = [r for r in read(changed(old, new))[0].rules if str(r.number) == number]
    assert found.text == text


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        ("100.2. A", "100.2A", ["missing-dot", "glued"]),
        ("100.2. A", "100. 2 A", ["space-in-number", "missing-dot"]),
        ("100.1a Each", "100.1a.Each", ["extra-dot", "glued"]),
        ("100.1a Each", "100. 1a.Each", ["space-in-number", "extra-dot", "glued"]),
    ],
)
def test_several_slips_in_one_number_are_all_reported(old, new, kinds):
    assert [problem.kind for problem in read(changed(old, new))[1]] == kinds


def test_a_rule_that_was_moved_is_out_of_place():
    moved = f"100.2. {A_GAME}\n\n"
    text = changed(moved, "")
    place = text.rindex("2. The Board")
    text, line, column = marked(f"{text[:place]}¦{moved}{text[place:]}")
    rulebook, problems = read(text)
    assert found_in(problems) == [("out-of-place", line, column)]
    assert "100.2 stands after 101.2" in problems[0].message
    assert RuleNumber(100, 2) in [r.number for r in rulebook.rules]


def test_gaps_in_the_concise_edition_are_no_slips():
    text = changed("100.2. A", "100.7. A").replace(
        "Pebble Game\n", "Pebble Game, Concise Edition\n"
    )
    assert read(text)[1] == ()


def test_both_rules_of_one_number_are_kept():
    rulebook, _ = read(changed("100.2. A", "100.1. A"))
    assert [r.text for r in rulebook.rules if r.number == RuleNumber(100, 1)] == [
        "A pebble game has two players.",
        A_GAME,
    ]


def test_a_paragraph_without_number_goes_on_with_the_rule_above():
    rulebook, _ = read(changed("100.2. A", "Pebbles are small and round.\n\n100.2. A"))
    assert rulebook.rules[3].paragraphs[-1].text == "Pebbles are small and round."


def test_a_stray_line_is_kept_apart_from_rules():
    rulebook, _ = read(changed("100.2. A", "f\n\n100.2. A"))
    assert [b.paragraph.text for b in rulebook.blocks if b.kind == "stray"] == ["f"]
    assert all("f" not in r.text.split("\n") for r in rulebook.rules)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A word that", "\nA word that"),
        ("See rule 101.\n", "\nSee rule 101.\n"),
        ("\nHeap", "Heap"),
        ("\nPebble, White", "Pebble, White"),
        ("Move\n1. To", "Move1. To"),
    ],
)
def test_a_slip_in_the_glossary_changes_no_term(old, new):
    def entries(text):
        return [(term.name, term.text) for term in read(text)[0].terms]

    assert entries(changed(old, new)) == entries(SMALL)


def test_contents_that_differ_from_the_body_are_reported_in_the_contents():
    text = SMALL.replace("101. Pebbles", "101. Stones", 1)
    (problem,) = read(text)[1]
    assert (problem.kind, problem.line, problem.column) == ("contents", 13, 1)
    assert "“Stones”" in problem.message
    assert "“Pebbles”" in problem.message


@pytest.mark.parametrize("title", ["PEBBLES", "Pebbles.", " Pebbles "])
def test_contents_that_differ_in_capitals_and_points_only_are_the_same(title):
    assert read(SMALL.replace("101. Pebbles", f"101. {title}", 1))[1] == ()


def test_a_chapter_that_is_announced_and_missing_in_between_is_reported():
    text = SMALL.replace("101. Pebbles\n", "101. Pebbles\n102. Cups\n", 1)
    (problem,) = read(text)[1]
    assert (problem.kind, problem.line, problem.fatal) == ("missing-chapter", 14, False)
    assert "Cups" in problem.message


@pytest.mark.parametrize("cut", ["\n2. The Board\n\n", "\n200. General\n", "\nGlossary\n\n"])
def test_a_text_that_ends_before_its_glossary_is_truncated(cut):
    text = SMALL[: SMALL.rindex(cut)]
    rulebook, problems = read(text)
    assert {problem.kind for problem in problems} == {"truncated"}
    assert all(problem.fatal for problem in problems)
    assert losses(rulebook, source_of(text)) == []


@pytest.mark.parametrize("cut", ["Heap (", "Credits"])
def test_a_text_that_ends_without_credits_is_reported_and_read(cut):
    rulebook, problems = read(SMALL[: SMALL.rindex(cut)])
    assert [problem.kind for problem in problems] == ["no-credits"]
    assert not problems[0].fatal
    assert rulebook.terms[0].name == "Board"


@pytest.mark.parametrize("words", ["hold", "are effective as of June 31, 2026", "are in force"])
def test_a_text_without_a_date_is_reported(words):
    text = SMALL.replace("are effective as of June 19, 2026", words)
    (problem,) = read(text)[1]
    assert (problem.kind, problem.fatal) == ("no-date", True)


@pytest.mark.parametrize(
    "text",
    [
        "Dear Ann,\n\n1. Eggs\n2. Milk\n",
        "a\n",
        SMALL[: SMALL.index("Contents")],
        "100.1. One.\n",
    ],
)
def test_a_text_that_is_no_rulebook_is_reported(text):
    rulebook, problems = read(text)
    assert "no-rules" in {problem.kind for problem in problems if problem.fatal}
    assert losses(rulebook, source_of(text)) == []


def test_problems_come_in_the_order_of_the_text():
    text = changed("See rule 101.\n", "\nSee rule 101.\n").replace("100.1a Each", "100.1a. Each")
    text = text.replace("101. Pebbles", "101. Stones", 1)
    problems = read(text)[1]
    assert [problem.kind for problem in problems] == ["contents", "extra-dot", "blank-line"]
    assert [p.line for p in problems] == sorted(p.line for p in problems)
