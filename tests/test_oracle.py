"""Oracle texts of our own, one a form, and what they are read as."""

from __future__ import annotations

import pytest
from conftest import shared
from hypothesis import given
from hypothesis import strategies as st
from tools import rulebook

from kb.cards.oracle import KeywordLexicon, keywords_in, read_abilities
from kb.records import Ability, KeywordUse, Span
from kb.rulebook import read_rulebook
from kb.source import decode

RULES = """\
100. Card Text
100.1. An ability word stands in italics. The ability words are far song, near 4, and old.
101. Keyword Actions
101.1. Some verbs have meanings of their own.
101.2. Juggle
101.2a To juggle a card is to throw it.
101.3. Wrap and Unwrap
101.3a To wrap a card is to hide it.
101.4. Carry the Lamp
101.4a The lamp moves on.
102. Keyword Abilities
102.1. Some abilities have a name.
102.2. Glide
102.2a Glide is a static ability.
102.3. Warding
102.3a Warding is written “Warding from [quality].”
102.4. Shell
102.4a “Shell” means “This can’t be crushed.”
102.4b “Shell from [quality]” is a variant of the shell ability.
102.5. Polish
102.5a “Polish [cost]” means “[Cost]: Make this permanent shine.”
102.5b “Megapolish [cost]” means “[Cost]: Make this permanent shine twice.”
102.5c Double polish is a variant of the polish ability.
102.6. Landhop
102.6a Landhop is written in rules text as “[type]hop,” where [type] is a land type.
102.7. Dusk and Dawn
102.7a Both are static abilities.
102.8. Wait
102.8a “Wait N—[cost]” means “You may pay [cost] and wait N turns.”"""


@pytest.fixture(scope="module")
def lexicon():
    return KeywordLexicon.of(read_rulebook(decode(rulebook(RULES).encode(), "own.txt"))[0])


def read(text, lexicon, *types):
    return read_abilities(text, types or ("Creature",), lexicon)


def test_a_release_names_its_keywords(lexicon):
    assert lexicon.abilities == {
        *("glide", "warding", "shell", "shell from", "polish", "megapolish", "double polish"),
        *("landhop", "dusk", "dawn", "wait"),
    }
    assert lexicon.actions == {"juggle", "wrap", "unwrap", "carry the lamp"}
    assert lexicon.words == {"far song", "near 4", "old"}
    assert lexicon.suffixes == {"hop"}


def test_a_variant_knows_its_heading(lexicon):
    assert lexicon.heading("megapolish") == "polish"
    assert lexicon.heading("swamphop") == "landhop"
    assert lexicon.heading("glide") is None


def test_a_rulebook_without_keywords_gives_an_empty_lexicon():
    empty = KeywordLexicon.of(read_rulebook(decode(rulebook().encode(), "own.txt"))[0])
    assert empty == KeywordLexicon()
    assert read("Glide", empty)[0].kind == "plain"


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("Glide", [("glide", None)]),
        ("Glide, shell (It is hard.)", [("glide", None), ("shell", None)]),
        ("Glide; dawn", [("glide", None), ("dawn", None)]),
        ("Polish {2}", [("polish", "{2}")]),
        ("Polish {1} or {2}", [("polish", "{1} or {2}")]),
        ("Warding from red and from blue", [("warding", "from red"), ("warding", "from blue")]),
        (
            "Warding from cats, from dogs, and from green",
            [("warding", "from cats"), ("warding", "from dogs"), ("warding", "from green")],
        ),
        ("Shell from blue", [("shell from", "blue")]),
        ("Polish—Pay 3 life.", [("polish", "Pay 3 life.")]),
        ("Polish—{B}, Discard a card. (Rub it.)", [("polish", "{B}, Discard a card.")]),
        ("Wait 4—{1}{U}", [("wait", "4—{1}{U}")]),
        ("Wait X—{X}. X can't be 0.", [("wait", "X—{X}. X can't be 0.")]),
        ("Shell Anna, Old Friend", [("shell", "Anna, Old Friend")]),
        ("Swamphop, snow landhop", [("swamphop", None), ("snow landhop", None)]),
        ("Anvil Song — Polish {2}", [("polish", "{2}")]),
        ("8+ | Glide, dawn", [("glide", None), ("dawn", None)]),
    ],
)
def test_a_list_of_keywords_is_taken_apart(text, uses, lexicon):
    (ability,) = read(text, lexicon)
    assert ability.kind == "keywords"
    assert ability.keywords == tuple(KeywordUse(*use) for use in uses)


@pytest.mark.parametrize(
    "text",
    [
        "Glider Power — Creatures you control get +1/+1.",
        "Creatures with glide can't block.",
        "Target creature gains glide until end of turn.",
        'This has "Glide, shell."',
        "Draw a card. (It has glide.)",
    ],
)
def test_a_keyword_that_is_only_spoken_of_is_no_use(text, lexicon):
    assert keywords_in(read(text, lexicon)) == ()


KINDS = [
    ("Glide creatures can't block.", "Creature", "static"),
    ("Creatures you control get +1/+1.", "Enchantment", "static"),
    ("It's still a land.", "Land", "static"),
    ("If you would draw a card, draw two instead.", "Artifact", "static"),
    ("Draw a card.", "Sorcery", "spell"),
    ("Juggle two cards.", "Instant", "spell"),
    ("Each opponent juggles a card.", "Instant", "spell"),
    ("Until end of turn, target creature gains “Draw a card.”", "Instant", "spell"),
    ("This spell costs {1} less to cast.", "Instant", "static"),
    ("Choose one —", "Instant", "spell"),
    ("• Draw a card.", "Instant", "mode"),
    ("+ {1} — Draw a card.", "Instant", "mode"),
    ("1—9 | Draw a card.", "Creature", "mode"),
    ("20 | Draw a card.", "Creature", "mode"),
    ("{T}: Add {G}.", "Land", "activated"),
    ("Put away two cats you control: Draw a card.", "Creature", "activated"),
    ("Juggle this creature: Draw a card.", "Creature", "activated"),
    ("Juggle Hall — Whenever you sing, draw a card.", "Creature", "triggered"),
    ("Glide Wing — {T}: Draw a card.", "Creature", "activated"),
    ("Whenever Frosthop sings, draw a card.", "Creature", "triggered"),
    ("[+4]: Draw a card.", "Planeswalker", "loyalty"),
    ("[−3]: Draw a card.", "Planeswalker", "loyalty"),
    ("+4: Draw a card.", "Planeswalker", "loyalty"),
    ("−X: Draw X cards.", "Planeswalker", "loyalty"),
    ("0: Draw a card.", "Planeswalker", "loyalty"),
    ("Whenever you sing, draw a card. You gain 1 life.", "Creature", "triggered"),
    ("When this enters, choose one —", "Creature", "triggered"),
    ("At the beginning of combat, draw a card.", "Creature", "triggered"),
    ("To close — You control no cats. (At your end step.)", "Enchantment", "triggered"),
    ("When you set this scheme in motion, draw a card.", "Scheme", "triggered"),
    ("I, II — Draw a card.", "Enchantment", "chapter"),
    ("LEVEL 1-4", "Creature", "level"),
    ("5/5", "Creature", "level"),
    ("{1}{G}: Level 2", "Enchantment", "level"),
    ("(Sing to gain a level.)", "Enchantment", "reminder"),
    ("Old Growing Tree", "Creature", "plain"),
    ("4 — A cat", "Instant", "plain"),
    ("Whenever you sing,", "Creature", "plain"),
]


@pytest.mark.parametrize(("text", "card_type", "kind"), KINDS)
def test_a_paragraph_has_a_kind(text, card_type, kind, lexicon):
    assert [ability.kind for ability in read(text, lexicon, card_type)] == [kind]


@pytest.mark.parametrize(
    ("text", "word", "cost", "effect"),
    [
        ("{2}, {T}: Draw a card. (Look.)", None, "{2}, {T}", "Draw a card."),
        ("Far song — {T}: Draw a card.", "Far song", "{T}", "Draw a card."),
        ("Sea of Tears — Draw a card.", "Sea of Tears", None, "Draw a card."),
        ("Near 4 — When you sing, draw a card.", "Near 4", None, "When you sing, draw a card."),
        ("Dusk — {1}: Draw a card.", "Dusk", "{1}", "Draw a card."),
        ("[−3]: Draw a card.", None, "−3", "Draw a card."),
        ("I, II — Draw a card.", None, "I, II", "Draw a card."),
        ("1—9 | Draw a card.", None, "1—9", "Draw a card."),
        ("+ {1} — Draw a card.", None, "{1}", "Draw a card."),
        ("• Slow Dance — {2} — Draw a card.", "Slow Dance", "{2}", "Draw a card."),
        ("{1}{G}: Level 2", None, "{1}{G}", "Level 2"),
        ("LEVEL 5+", None, "LEVEL 5+", None),
        ("To close — You control no cats.", "To close", None, "You control no cats."),
    ],
)
def test_word_cost_and_effect_are_told_apart(text, word, cost, effect, lexicon):
    (ability,) = read(text, lexicon)
    assert (ability.word, ability.cost, ability.effect) == (word, cost, effect)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Juggle two cards.", ("juggle",)),
        ("You carry the lamp, then that player juggles.", ("carry the lamp", "juggle")),
        ("Target creature is juggled.", ("juggle",)),
        ("Anna Juggle draws a card.", ()),
        ("Far song — Draw a card.", ("far song",)),
        ("Dusk — {1}: Juggle.", ("dusk", "juggle")),
    ],
)
def test_actions_and_words_are_uses_too(text, names, lexicon):
    assert keywords_in(read(text, lexicon)) == names


def test_reminder_text_is_kept_without_its_brackets(lexicon):
    (ability,) = read('Glide (It floats (slowly).) Draw a card. (It has "Sing (low).")', lexicon)
    assert ability.reminder == ("It floats (slowly).", 'It has "Sing (low)."')


def test_a_span_tells_where_a_paragraph_stands(lexicon):
    text = "Glide\n\n {T}: Sing.\nDraw a card."
    abilities = read(text, lexicon)
    assert [ability.span.of(text) for ability in abilities] == [a.text for a in abilities]
    assert abilities[1].span == Span(8, 18)


def test_an_empty_text_has_no_ability(lexicon):
    assert read("", lexicon) == ()
    assert keywords_in((Ability("plain", "x", Span(0, 1)),)) == ()


@given(text=st.text(alphabet=" \nAa—•|:.,;()[]{}\"“”'+-−/19IXTGlide", max_size=60))
def test_any_text_is_read_and_no_line_is_lost(text):
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    lexicon = KeywordLexicon(frozenset({"glide"}))
    abilities = read_abilities(text, ("Creature",), lexicon)
    assert [ability.text for ability in abilities] == lines
    assert [ability.span.of(text) for ability in abilities] == lines


@pytest.mark.exhaustive
def test_nearly_every_paragraph_of_all_cards_is_typed(newest_reading):
    from measure_oracle import names

    lexicon = KeywordLexicon.of(newest_reading.rulebook)
    kinds = [
        ability.kind
        for faces in names(shared("cards/AtomicCards.json.xz"))
        for face in faces
        for ability in read_abilities(face.get("text", ""), tuple(face["types"]), lexicon)
    ]
    assert kinds.count("plain") < 0.005 * len(kinds)
