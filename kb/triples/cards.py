"""Cards, faces, abilities and rulings → the quads of the graph of cards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Quad

from kb.triples.found import described
from kb.triples.writer import GraphWriter, object_of
from kb.vocab import BASE, C, CardMinter, P

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kb.cards.rulings_text import RulingText
    from kb.records import Ability, Card, Face, Ruling, Statement
    from kb.triples.writer import Value

_SYMBOL = re.compile(r"\{[^{}]+\}")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")  # other digits than these are no decimal's
_XSD = "http://www.w3.org/2001/XMLSchema#"
_DATE, _DECIMAL = NamedNode(_XSD + "date"), NamedNode(_XSD + "decimal")
_LEGAL = {"legal": P.LEGAL_IN, "banned": P.BANNED_IN, "restricted": P.RESTRICTED_IN}


class _CardWriter(GraphWriter):
    """Writes into the one graph of cards."""

    def __init__(  # noqa: PLR0913, PLR0917 - each reads one thing off a card
        self,
        abilities: Callable[[Face], tuple[Ability, ...]],
        ruling: Callable[[str], RulingText],
        key: Callable[[str], str],
        heading: Callable[[str], str | None],
        base: str,
        statements: Callable[[str], tuple[Statement, ...]],
    ) -> None:
        self.mint = CardMinter(base)
        super().__init__(self.mint.graph)
        self.statements = statements
        self.abilities, self.ruling, self.key, self.heading = abilities, ruling, key, heading

    def quads(self, subject: NamedNode, *pairs: tuple[P, Value | C]) -> Iterator[Quad]:
        """Return a quad for each property that has a value, all made at once: two million are."""
        graph = self.graph
        return iter(
            [
                Quad(subject, prop.node, Literal(v) if type(v) is str else object_of(v), graph)
                for prop, v in pairs
                if v is not None
            ]
        )


def card_quads(  # noqa: PLR0913, PLR0917 - each reads one thing off a card
    cards: Iterable[Card],
    abilities: Callable[[Face], tuple[Ability, ...]],
    ruling: Callable[[str], RulingText],
    key: Callable[[str], str],
    heading: Callable[[str], str | None],
    base: str = BASE,
    statements: Callable[[str], tuple[Statement, ...]] = lambda _: (),
) -> Iterator[Quad]:
    """Yield the quads of cards.

    Args:
        cards: the cards; their oracle ids, or names where there is none, are their identity.
        abilities: reads a face's oracle text.
        ruling: reads a ruling's text.
        key: folds a name, so that it is found without case and accents.
        heading: tells the keyword of which another is a variant, if it is one.
        base: the base of all IRIs.
        statements: reads what a ruling's sentences state.
    """
    w = _CardWriter(abilities, ruling, key, heading, base, statements)
    for card in cards:
        node = w.mint.card(card.oracle_id, card.name)
        yield from _card(w, node, card)
        for ordinal, face in enumerate(card.faces, 1):
            yield from _face(w, node, face, ordinal)
        for ordinal, one in enumerate(card.rulings, 1):
            yield from _ruling(w, node, one, ordinal)


def _decimal(text: str | None) -> Literal | None:
    return Literal(text, datatype=_DECIMAL) if text and _NUMBER.fullmatch(text) else None


def _card(w: _CardWriter, node: NamedNode, card: Card) -> Iterator[Quad]:
    yield from w.quads(
        node,
        (P.TYPE, C.CARD),
        (P.NAME, card.name),
        (P.ORACLE_ID, card.oracle_id),
        (P.LAYOUT, card.layout),
        (P.MANA_VALUE, _decimal(card.mana_value)),
        *((P.COLOR_IDENTITY, color) for color in card.color_identity),
        *((P.LISTED_KEYWORD, keyword) for keyword in card.keywords),
        *((_LEGAL[how], name) for name, how in card.legalities if how in _LEGAL),
        *((P.PRINTED_NAME, Literal(name, language=tag)) for tag, name in card.names),
    )
    printed = {card.name, *(face.name for face in card.faces), *(name for _, name in card.names)}
    for folded in sorted({w.key(name) for name in printed}):
        yield from w.quads(node, (P.NAME_KEY, folded))


def _face(w: _CardWriter, card: NamedNode, face: Face, ordinal: int) -> Iterator[Quad]:
    node = w.mint.below(card, "face", ordinal)
    symbols = dict.fromkeys(_SYMBOL.findall(f"{face.mana_cost or ''} {face.text}"))
    abilities = w.abilities(face)
    yield from w.quads(
        node,
        (P.TYPE, C.FACE),
        (P.PART_OF, card),
        (P.POSITION, ordinal),
        (P.NAME, face.name),
        (P.TYPE_LINE, face.type_line),
        *((P.SUPERTYPE, word) for word in face.supertypes),
        *((P.CARD_TYPE, word) for word in face.types),
        *((P.SUBTYPE, word) for word in face.subtypes),
        (P.MANA_COST, face.mana_cost),
        (P.TEXT, face.text or None),
        *((P.SYMBOL, symbol) for symbol in symbols),
        *((P.COLOR, color) for color in face.colors),
        *((P.COLOR_INDICATOR, color) for color in face.color_indicator),
        (P.POWER, face.power),
        (P.POWER_NUMBER, _decimal(face.power)),
        (P.TOUGHNESS, face.toughness),
        (P.TOUGHNESS_NUMBER, _decimal(face.toughness)),
        (P.LOYALTY, face.loyalty),
        (P.DEFENSE, face.defense),
        (P.HAND_MODIFIER, face.hand),
        (P.LIFE_MODIFIER, face.life),
    )
    printed = {use.name for ability in abilities for use in ability.keywords}
    printed |= {heading for name in printed if (heading := w.heading(name))}
    yield from w.quads(node, *((P.KEYWORD, name) for name in sorted(printed)))
    for place, ability in enumerate(abilities, 1):
        yield from _ability(w, node, ability, place)


def _ability(w: _CardWriter, face: NamedNode, ability: Ability, ordinal: int) -> Iterator[Quad]:
    uses = (f"{use.name} {use.parameter or ''}".strip() for use in ability.keywords)
    return w.quads(
        w.mint.below(face, "ability", ordinal),
        (P.TYPE, C.ABILITY),
        (P.PART_OF, face),
        (P.POSITION, ordinal),
        (P.KIND, ability.kind),
        (P.TEXT, ability.text),
        (P.ABILITY_WORD, ability.word),
        (P.COST, ability.cost),
        (P.EFFECT, ability.effect),
        *((P.REMINDER, text) for text in ability.reminder),
        *((P.KEYWORD_USE, use) for use in uses),
    )


def _ruling(w: _CardWriter, card: NamedNode, ruling: Ruling, ordinal: int) -> Iterator[Quad]:
    read = w.ruling(ruling.text)
    numbers = dict.fromkeys(n for citation in read.citations for n in citation.numbers)
    node = w.mint.below(card, "ruling", ordinal)
    yield from w.quads(
        node,
        (P.TYPE, C.RULING),
        (P.RULING_ON, card),
        (P.POSITION, ordinal),
        (P.TEXT, ruling.text),
        (P.CLEANED, read.cleaned),
        *((P.SYMBOL, symbol) for symbol in dict.fromkeys(read.symbols)),
        *((P.CITED_NUMBER, number) for number in numbers),
        (P.SOURCE, ruling.source or None),
        *((P.DATE, Literal(day.isoformat(), datatype=_DATE)) for day in ruling.dates),
    )
    for place, statement in enumerate(w.statements(ruling.text), 1):
        yield from w.quads(
            w.mint.below(node, "statement", place),
            *described(statement),
            (P.SUBJECT, Literal(statement.subject)),
            (P.VALUE, Literal(statement.value)),
            (P.QUOTED_FROM, node),
            (P.POSITION, place),
        )
