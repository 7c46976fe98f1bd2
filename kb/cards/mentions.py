"""What a face, an ability and a ruling speak of: the keys of a release's concepts.

What holds afterwards: reminder text speaks of nothing; the words of a name do not count, be it
the card's own or another's; a ruling speaks of no concept that it only denies or lists.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kb.cards.concept_forms import adds_mana
from kb.cards.rulings_text import acts, is_told
from kb.cards.wordforms import SELF, Words, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.cards.concepts import ConceptBook
    from kb.cards.oracle_lexicon import KeywordLexicon
    from kb.cards.phrases import Found
    from kb.records import Ability, Card, Face

# What card files call a layout, and what the rulebook calls such cards.
_LAYOUTS = {
    "adventure": ("adventurer card",),
    "aftermath": ("split card",),
    "flip": ("flip card",),
    "leveler": ("leveler card",),
    "meld": ("meld card", "double-faced card"),
    "modal_dfc": ("double-faced card",),
    "prototype": ("prototype card",),
    "split": ("split card",),
    "transform": ("double-faced card",),
}
# What the grammar of oracle texts calls an ability, and what the rulebook calls it.
_KINDS = {"loyalty": "loyalty ability"}
_SYMBOL = re.compile(r"\{[^{}\s]+\}")
_TARGET = re.compile(r"\btargets?\b")
_SIZE = re.compile(r"([+-])[\dx*]+/[+-]?[\dx*]+")
_LINKING = listed("of the and to in for a an from")
_SENTENCE_ENDS = frozenset(".!?:;—•\n()")
# What stands before a noun, and what before a verb.
_BEFORE_NOUN = listed(
    "a an the each another that this those these all any no one two three x from in into of on"
    " with its their your his her more many other"
)
_BEFORE_VERB = listed(
    "may can can't cannot must would will could don't doesn't to and then or you they who it"
    " instead player opponent controller"
)
_BE = listed("be been is are was were being gets")
_PARTICLES = frozenset({"in", "out", "on"})
_OF_VERBS = ("ed", "ing")
_SHORTEST_NAME = 4


class Mentions:
    """Tells what cards speak of, with the concepts of one release."""

    def __init__(self, book: ConceptBook, keywords: KeywordLexicon) -> None:
        """Take the concepts and the keywords of a release."""
        self.book, self.keywords = book, keywords
        self._abilities: dict[tuple[str, str, tuple[str, ...]], tuple[str, ...]] = {}
        self._rulings: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        # Actions whose names are nouns as well: “exile” is a zone, too.
        self._nouns = {
            key
            for (kind, name), key in book.names.items()
            if kind == "keyword-action"
            and any((other, name) in book.names for other in ("zone", "counter", "type"))
        }
        self._suffixes = tuple(sorted(keywords.suffixes)) or ("\0",)

    def on_face(self, card: Card, face: Face) -> tuple[str, ...]:
        """Return the keys of what is printed on a face outside its text."""
        kinds = (*face.types, *face.subtypes)
        named = [
            *kinds,
            *face.supertypes,
            *(f"{above} {kind}" for above in face.supertypes for kind in face.types),
            *_LAYOUTS.get(card.layout, ()),
        ]
        symbols = [*_SYMBOL.findall(face.mana_cost or ""), *kinds, card.layout]
        return self._known(
            *(self.book.key("type", name) for name in named),
            *(f"symbol:{symbol if symbol[0] == '{' else symbol.lower()}" for symbol in symbols),
        )

    def in_ability(self, ability: Ability, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the keys of what an ability speaks of: ``names`` are those of its card."""
        text = ability.text
        for reminder in ability.reminder:
            text = text.replace(f"({reminder})", " ")
        own = _own(text, names)
        known = (ability.text, ability.kind, own)
        if known not in self._abilities:
            symbols = dict.fromkeys(_SYMBOL.findall(text))
            self._abilities[known] = self._known(
                *self._keywords(use.name for use in ability.keywords),
                *(f"symbol:{symbol}" for symbol in symbols),
                *self._of_kind(ability, text),
                *self._spoken(_masked(text, own)),
            )
        return self._abilities[known]

    def in_ruling(self, text: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the keys of what a ruling speaks of: ``names`` are those of its card."""
        own = _own(text, names)
        if (text, own) not in self._rulings:
            self._rulings[text, own] = self.in_text(_masked(text, own))
        return self._rulings[text, own]

    def in_text(self, text: str) -> tuple[str, ...]:
        """Return the keys of what a text explains or applies, names in it masked."""
        some = Words(text)
        keys = [one.key for one in self._found(some) if is_told(some, one.first, one.last)]
        present = {*some.stems}
        keys += [
            key
            for key, act in self.book.acts.items()
            if act.verb in present
            and (act.is_only or present.issuperset(act.thing))
            and key not in keys
            and acts(some, act)
        ]
        return tuple(dict.fromkeys([*keys, *self._counters(some)]))

    def _known(self, *keys: str | None) -> tuple[str, ...]:
        return tuple(key for key in dict.fromkeys(keys) if key in self.book.keys)

    def _keywords(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            if name in self.keywords.words:
                yield "term:ability word"
            for known in filter(None, (name, self.keywords.heading(name))):
                yield f"keyword:{known}"

    def _of_kind(self, ability: Ability, text: str) -> Iterator[str]:
        if ability.kind in _KINDS:
            yield f"term:{_KINDS[ability.kind]}"
        if (
            ability.kind == "activated"
            and not _TARGET.search(text)
            and adds_mana(ability.effect or "")
        ):
            yield "term:mana ability"

    def _spoken(self, text: str) -> Iterator[str]:
        some = Words(text)
        for one in self._found(some):
            yield one.key
            kind, _, name = one.key.partition(":")
            if kind == "keyword-action" and (zone := self.book.key("zone", name)):
                yield zone
        for small in some.small:
            if small.endswith(self._suffixes):
                yield f"keyword:{self.keywords.heading(small)}"
        yield from self._counters(some)

    def _found(self, some: Words) -> Iterator[Found]:
        for one in self.book.finder.find(some):
            if one.phrase.is_wording:
                yield one
            elif (
                self._is_name(one, some) or self._is_verb_of_noun(one, some) or _leads_on(one, some)
            ):
                continue
            elif not one.key.startswith("keyword-action:") or self._is_done(one, some):
                yield one

    def _is_name(self, one: Found, some: Words) -> bool:
        """Tell whether words with capitals are a name's, and not a concept's."""
        if not some.is_capital(one.first) or len(some.small[one.first]) == 1:
            return False
        if not _begins(some, one.first):
            return not all(self._is_proper(at, some) for at in one.places)
        for at in range(one.last + 1, len(some)):
            if some.small[at] not in _LINKING:
                return some.is_capital(at) and not self._is_proper(at, some)
        return False

    def _is_proper(self, at: int, some: Words) -> bool:
        """Tell whether a word is written as the rules write it, with or without a capital."""
        return not some.is_capital(at) or some.stems[at] in self.book.words.proper

    def _is_verb_of_noun(self, one: Found, some: Words) -> bool:
        """Tell whether a noun's word is used as a verb (“named”), which is another concept."""
        return (
            len(one.places) == 1
            and one.key.startswith("term:")
            and one.key not in self.book.verbs
            and some.small[one.first].endswith(_OF_VERBS)
            and not one.key.endswith(_OF_VERBS)
        )

    def _is_done(self, one: Found, some: Words) -> bool:
        """Tell whether the word of an action is a verb here: no noun, no participle alone."""
        name = one.key.partition(":")[2]
        form = name.split(" ", 1)[0]
        before = some.small[one.first - 1] if one.first else "."
        if some.small[one.first] not in (form, f"{form}s", f"{form}es", f"{form[:-1]}ies"):
            return before in _BE
        if before in _SENTENCE_ENDS or before == ",":
            return True
        if one.key in self._nouns:
            return before in _BEFORE_VERB
        return not (before in _BEFORE_NOUN or before[0].isdigit() or _SIZE.fullmatch(before))

    def _counters(self, some: Words) -> Iterator[str]:
        for at, small in enumerate(some.small):
            if small not in ("counter", "counters") or not at:
                continue
            kind = some.small[at - 1]
            if size := _SIZE.fullmatch(kind):
                yield f"counter:{size[1]}x/{size[1]}y"
            elif f"counter:{kind}" in self.book.keys:
                yield f"counter:{kind}"
            elif kind in self.keywords.abilities:
                yield "counter:keyword"
            elif some.small[at + 1 : at + 2] in (["on"], ["from"]):
                yield "counter:counter"


def _begins(some: Words, at: int) -> bool:
    """Tell whether a word begins a sentence or a part of a cost, where it has a capital anyway."""
    before = some.small[at - 1] if at else "."
    if before == ",":
        rest = some.small[at:]
        end = rest.index(":") if ":" in rest else 0
        return "." not in rest[:end] and bool(end)
    return before in _SENTENCE_ENDS or before.startswith("{")


def _leads_on(one: Found, some: Words) -> bool:
    """Tell whether a name's last word belongs to what follows: “the phases in a turn”."""
    return some.small[one.last] in _PARTICLES and some.small[one.last + 1 : one.last + 2] in (
        ["a"],
        ["an"],
        ["the"],
        ["each"],
        ["which"],
    )


def names_of(card: Card) -> tuple[str, ...]:
    """Return what a card is called in its texts, longest first: its names, and their beginnings."""
    names = {card.name, *(face.name for face in card.faces)}
    names |= {name.split(",")[0] for name in names}
    names |= {name.split(" ")[0] for name in names if name.find(" ") >= _SHORTEST_NAME}
    return tuple(sorted(names, key=lambda name: (-len(name), name)))


def _own(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that stand in a text."""
    return tuple(name for name in names if name in text)


def _masked(text: str, names: tuple[str, ...]) -> str:
    """Return a text with the card's own names masked, each character by one that no text has.

    A single word counts inside a sentence and in the genitive: elsewhere it may be a verb.
    """
    for name in names:
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            if _is_whole(text, at, end) and (not name.isalpha() or _is_inside(text, at, end)):
                text = f"{text[:at]}{SELF * len(name)}{text[end:]}"
            at = text.find(name, end)
    return text


def _is_whole(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or (before in "-'’" and before)) and not (
        after.isalnum() or after == "-"
    )


def _is_inside(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 2) : start]
    return ((before[:1].islower() or before[:1] == ",") and before[1:] == " ") or text[
        end : end + 2
    ] in ("'s", "’s")
