"""Words are folded by their forms, and phrases are found in texts."""

from __future__ import annotations

import pytest

from kb.cards.phrases import Phrase, PhraseBook
from kb.cards.wordforms import SELF, Words, stem, stems


@pytest.mark.parametrize(
    "forms",
    [
        "restart restarts restarted restarting",
        "copy copies copied copying",
        "die dies died dying",
        "tap taps tapped tapping",
        "exile exiles exiled exiling",
        "control controls controlled controlling",
        "mill mills milled milling",
        "choose chooses chose chosen choosing",
        "lose loses lost losing",
        "pass passes passed passing",
        "token tokens token's tokens'",
        "ability abilities",
        "extra additional",
    ],
)
def test_the_forms_of_a_word_are_one(forms):
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("life", "lives"), ("role", "roll"), ("kick", "kicker"), ("need", "nee"), ("tap", "untap")],
)
def test_other_words_stay_apart(one, other):
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Restarting the Game", ("restart", "gam")),
        ("double-faced cards", ("doubl", "fac", "card")),
        ("intervening “if” clause", ("interven", "if", "claus")),
        ("a {W/U} symbol, and +1/+1 counters", ("symbol", "and", "counter")),
        ("", ()),
    ],
)
def test_a_phrase_is_its_folded_words_without_articles(text, folded):
    assert stems(text) == folded


def test_sizes_and_symbols_are_words():
    assert Words("{W/U}, −1/−1 or +1/X").small == ["{w/u}", ",", "-1/-1", "or", "+1/x"]


def test_a_word_knows_its_place():
    text = "The Song—sung “twice.”"
    some = Words(text)
    assert [text[slice(*some.span(at))] for at in range(len(some))] == [
        *("The", "Song", "—", "sung", "twice", "."),
    ]
    assert [some.is_capital(at) for at in (1, 3)] == [True, False]


def found(text, *phrases):
    book = PhraseBook([(" ".join(p.parts), p) for p in phrases], {})
    return [one.key for one in book.find(Words(text))]


SONG, SONG_OF_DAY = Phrase(("song",)), Phrase(("song", "of", "day"))
SING = Phrase(("sing", "_", "song"), is_wording=True)
WITH_IT = Phrase(("sung", "with", "@"), is_wording=True)
ONE_FORM = Phrase(("=sang",))
EXTRA = Phrase(("extra", "~", "song"), is_wording=True)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Two songs of the day.", ["song of day"]),
        ("Songs of night", ["song"]),
        ("Sing a song.", ["sing _ song", "song"]),
        ("Sing one very long and sad song.", ["sing _ song", "song"]),
        ("Sing one very long and sad and old song.", ["song"]),
        ("Sing. A song.", ["song"]),
        ("Sing the end of songs.", ["song"]),
        (f"A thing sung with {SELF * 4}.", ["sung with @"]),
        ("A thing sung with this bird.", ["sung with @"]),
        ("A thing sung with a bird.", []),
        ("They sang and sing.", ["=sang"]),
        ("Additional loud songs", ["extra ~ song", "song"]),
        ("An additional land, for songs", ["song"]),
    ],
)
def test_phrases_are_found(text, keys):
    assert found(text, SONG, SONG_OF_DAY, SING, WITH_IT, ONE_FORM, EXTRA) == keys
