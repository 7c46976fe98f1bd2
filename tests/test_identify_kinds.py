"""Rules are found however pages and posts set them down; what is like a quote, and none, isn't."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest
from conftest import official, shared
from known_texts import OTHER, STONE, known_of, rulings_of
from quote_kinds import AFTER, BEFORE, KINDS

from kb import resources
from kb.identify import Index, Known, identify
from kb.identify.tokens import keys
from kb.rulebook import read_rulebook
from kb.source import read_source

RECALL = 0.97


def long_rules(book, least=20):
    return [
        rule
        for rule in book.rules
        if len(rule.paragraphs) == 1 and least <= len(rule.text.split()) < 150
    ]


@cache
def concise():
    book = read_rulebook(read_source(resources.path("rules/concise-edition.txt")))[0]
    return Index.of(known_of([book])), tuple(long_rules(book)[::25])


@pytest.fixture(scope="module")
def releases():
    """Four official releases, indexed, and thirty rules of theirs drawn at random."""
    names = [path.name for path in sorted(shared("releases").glob("CR-*.txt"))]
    chosen = [names[len(names) * n // 4] for n in range(1, 4)] + [names[-1]]
    books = [read_rulebook(read_source(official(name)))[0] for name in chosen]
    drawn = random.Random(7)  # noqa: S311 - a sample, no secret
    rules = [rule for book in books for rule in drawn.sample(long_rules(book), 8)]
    return Index.of(known_of(books)), rules


def missed(kind, rules, index):
    """Return the rules that are not found when they are set down so."""
    found = []
    for rule in rules:
        wanted = index.exact(index.encode(keys(rule.text)))
        page = KINDS[kind](str(rule.number), rule.text)
        matches = [match for result in identify(page, index) for match in result.matches]
        if not any(wanted in index.named(match.id) for match in matches):
            found.append(f"{rule.number} {rule.text}")
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_rule_is_found_however_it_is_set_down(kind):
    index, rules = concise()
    assert len(rules) > 20
    assert len(missed(kind, rules, index)) <= (1 - RECALL) * len(rules)


@pytest.mark.exhaustive
def test_official_rules_of_four_releases_are_found_however_they_are_set_down(releases):
    index, rules = releases
    lost = {kind: missed(kind, rules, index) for kind in KINDS}
    assert sum(map(len, lost.values())) <= (1 - RECALL) * len(KINDS) * len(rules), lost
    assert max(map(len, lost.values())) <= 0.13 * len(rules), "no kind is much worse than others"


EXACT = [
    "Markdown quote",
    "Markdown links",
    "HTML paragraph",
    "HTML links",
    "HTML spaces",
    "wikitext links",
    "wikitext reference",
    "characters not seen",
    "own numbering",
    "own letters",
    "footnote",
]


@pytest.mark.parametrize("kind", EXACT)
def test_markup_is_no_difference(kind):
    index, rules = concise()
    for rule in rules:
        (result,) = [r for r in identify(KINDS[kind]("", rule.text), index) if r.matches]
        assert result.matches[0].match == "exact", result


NUMBERED = [
    "Markdown, number bold",
    "HTML list",
    "HTML table",
    "wikitext, number bold",
    "wikitext template",
    "wikitext template of all",
    "number in brackets",
    "number with a section sign",
    "wrapped at 72",
    "comment",
    "comment with stars",
    "Markdown table",
    "CSV",
]


@pytest.mark.parametrize("kind", NUMBERED)
def test_a_number_is_read_in_all_its_dress(kind):
    index, rules = concise()
    for rule in rules:
        results = identify(KINDS[kind](str(rule.number), rule.text), index)
        assert str(rule.number) in [result.printed for result in results], results


def test_a_post_that_quotes_two_rules_amid_prose():
    index, rules = concise()
    one, other = rules[2], rules[7]
    post = (
        f"{BEFORE}\n\n> {other.number}. {other.text}\n\nThat I see. But what of this one?\n\n"
        f"“{one.text}”\n\n{AFTER}\n"
    )
    quoting = {r.line: r.matches[0].id for r in identify(post, index) if r.matches}
    assert quoting == {3: str(other.number), 7: str(one.number)}


def test_a_chapter_pasted_in_one_line_is_taken_apart():
    index, _ = concise()
    book = read_rulebook(read_source(resources.path("rules/concise-edition.txt")))[0]
    rules = long_rules(book)[:80]
    (result,) = identify(" ".join(f"{rule.number}. {rule.text}" for rule in rules), index)
    found = {match.id for match in result.matches}
    assert len(found & {str(rule.number) for rule in rules}) > 0.95 * len(rules)


@pytest.mark.parametrize(
    "page",
    [
        "",
        "\n\n \t \n",
        "12 7 340 91\n100 200 300\n",
        "704.5g\n704.5h\n",
        "Wenn ein Spieler keine Karte mehr ziehen kann, so hat er das Spiel verloren.\n",
        "プレイヤーはカードを引くことができない。\n",
        "Islands",
        "See rule 704.",
        "<p></p><ul><li></li></ul>",
        "[[" * 500 + "{{" * 500 + "<a " * 500 + "> " * 500,
    ],
)
def test_what_says_nothing_of_rules_quotes_none(page):
    index, _ = concise()
    assert [result for result in identify(page, index) if result.matches] == []


# Cards: their own texts are like rules and rulings that speak of them.

OWN = "Each player who moved a pebble this turn turns it over."
RULING = f"“{OWN}” means that each of them does, even one whose pebbles all lie in the heap."


def of_card(card, text):
    return Known("ruling", f"{card}, 2020-01-01", "2020-01-01", "2020-01-01", None, text)


def test_a_cards_own_text_is_no_quote_of_a_ruling_that_quotes_it():
    known = [of_card("Ash Crag", RULING)]
    alone, beside = Index.of(known), Index.of(known, [OWN, "Ash Crag"])
    assert identify(OWN, alone)[0].matches, "without the card it would be"
    assert identify(OWN, beside)[0].matches == ()
    assert identify(f"Ash Crag\nArtifact\n{OWN}", beside)[0].matches == ()
    assert identify(f"Its text: {OWN} I like it much.", beside)[0].matches == ()
    assert identify(RULING, beside)[0].matches[0].match == "exact"


def test_a_text_that_is_a_cards_and_a_rules_is_the_rules():
    index = Index.of([of_card("Ash Crag", OWN)], [OWN])
    assert identify(OWN, index)[0].matches[0].match == "exact"


def test_a_ruling_of_many_cards_goes_first_to_the_card_that_the_page_names():
    cards = [f"{name} Crag" for name in ("Ash", "Birch", "Cedar", "Elm // Fir")]
    index = Index.of([of_card(card, STONE) for card in cards])
    for named, card in (("cedar crag", "Cedar Crag"), ("Fir Crag", "Elm // Fir Crag")):
        _, result = identify(f"All about {named}\n\n{STONE}", index)
        assert result.matches[0].id == f"{card}, 2020-01-01"


def test_of_a_ruling_of_very_many_cards_some_are_named_and_the_others_counted():
    index = Index.of([of_card(f"Crag {n}", STONE) for n in range(40)])
    (result,) = identify(STONE, index)
    assert (len(result.matches), result.more) == (12, 28)
    (result,) = identify(f"{STONE} {OTHER}", index)
    assert result.matches[0].match == "part"


def test_the_texts_of_our_own_cards_quote_no_ruling():
    cards = json.loads(resources.text("rules/concise-cards.json"))
    names = {card["oracle_id"]: card["name"] for card in cards}
    rulings = json.loads(resources.text("rules/concise-rulings.json"))
    known = [of_card(names[ruling["oracle_id"]], ruling["comment"]) for ruling in rulings]
    texts = [card["oracle_text"] for card in cards if card.get("oracle_text")]
    index = Index.of(known, [*names.values(), *(line for t in texts for line in t.split("\n"))])
    assert [r.text for text in texts for r in identify(text, index) if r.matches] == []
    found = [identify(ruling["comment"], index)[0].matches for ruling in rulings]
    assert [best[0].match for best in found if best] == ["exact"] * len(rulings)


def test_texts_of_official_cards_quote_nothing():
    path = shared("cards/AtomicCards.sample.json")
    cards = json.loads(path.read_text(encoding="utf-8"))["data"]
    texts = [face["text"] for faces in cards.values() for face in faces if face.get("text")]
    lines = [line for text in texts for line in text.split("\n")]
    book = read_rulebook(read_source(official()))[0]
    index = Index.of([*known_of([book]), *rulings_of(cards)], [*lines, *cards])
    quoting = [r.text for text in texts for r in identify(text, index) if r.matches]
    assert len(texts) > 50
    assert quoting == []
