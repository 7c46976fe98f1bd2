"""The concepts that a release's rules govern → quads, and what cards speak of → quads.

A rule and a face, an ability or a ruling meet in the key of a concept.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pyoxigraph import Literal, Quad

from kb.cards.card_names import names_in
from kb.cards.mentions import names_of
from kb.cards.wordforms import stem
from kb.vocab import BASE, CardMinter, P

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from kb.cards.concepts import ConceptBook
    from kb.cards.mentions import Mentions
    from kb.records import Ability, Card, Face
    from kb.triples.writer import ReleaseWriter

# A wording on more than one card in thirty, and on more than a few, says nothing of a card.
_COMMON, _FEW = 30, 100


def concept_quads(w: ReleaseWriter, book: ConceptBook) -> Iterator[Quad]:
    """Yield the quads that join rules with the concepts that they govern, and with names in them.

    A single word that names a concept is no card's name.
    """
    for concept in book.concepts:
        for number in concept.rules:
            if (target := w.targets.get(number)) is not None:  # a text may cite what it lacks
                yield from w.quads(target, (P.GOVERNS, concept.key))
    known = {" ".join(name) for _, name in book.names}
    for rule, key in zip(w.book.rules, w.rule_keys, strict=True):
        node = w.mint.rule(key)
        texts = [(node, "" if rule.title else rule.text)] + [
            (w.mint.below(node, "example", ordinal), example.text)
            for ordinal, example in enumerate(rule.examples, 1)
        ]
        for place, text in texts:
            names = (name for name in sorted(names_in(text)) if stem(name) not in known)
            yield from w.quads(place, *((P.MENTIONS_NAME, name) for name in names))


def mention_quads(
    cards: Collection[Card],
    abilities: Callable[[Face], tuple[Ability, ...]],
    mentions: Mentions,
    base: str = BASE,
) -> Iterator[Quad]:
    """Yield the quads that join faces, abilities and rulings with what they speak of.

    Args:
        cards: the cards, as ``card_quads`` has them.
        abilities: reads a face's oracle text.
        mentions: tells what each speaks of.
        base: the base of all IRIs.
    """
    mint = CardMinter(base)
    graph, speaks_of = mint.graph, P.SPEAKS_OF.node
    keys: dict[str, Literal | None] = dict.fromkeys(_common(cards, abilities, mentions))
    for card in cards:
        node, names = mint.card(card.oracle_id, card.name), names_of(card)
        spoken = [
            (mint.below(node, "ruling", ordinal), mentions.in_ruling(ruling.text, names))
            for ordinal, ruling in enumerate(card.rulings, 1)
        ]
        for ordinal, face in enumerate(card.faces, 1):
            place = mint.below(node, "face", ordinal)
            spoken.append((place, mentions.on_face(card, face)))
            spoken += [
                (mint.below(place, "ability", at), mentions.in_ability(ability, names))
                for at, ability in enumerate(abilities(face), 1)
            ]
        for subject, found in spoken:
            for key in found:
                if key not in keys:
                    keys[key] = Literal(key)
                if (literal := keys[key]) is not None:
                    yield Quad(subject, speaks_of, literal, graph)


def _common(
    cards: Collection[Card],
    abilities: Callable[[Face], tuple[Ability, ...]],
    mentions: Mentions,
) -> list[str]:
    """Return the wordings that so many cards have that they say nothing of one."""
    times: Counter[str] = Counter()
    for card in cards:
        names = names_of(card)
        for face in card.faces:
            for ability in abilities(face):
                times.update(mentions.in_ability(ability, names))
    most = max(_FEW, len(cards) // _COMMON)
    return [key for key, n in times.items() if n > most and key.startswith("wording:")]
