"""Cards and concepts that a query names, and the rules to which they lead through the graph."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode

from kb.cards.values import name_key
from kb.cards.wordforms import stems
from kb.search.folding import telling
from kb.vocab import C, CardMinter, P

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kb.store import OpenStore

_WRITTEN = re.compile(r"[^\s]+")
_AROUND = "\"'“”‘’.,:;?!()[]"
_POSSESSIVE = re.compile(r"['’]s?$")
_LONGEST = 8
_OPENING = "\"'“‘("
_BEFORE_SENTENCE = ("", ".", "?", "!", ":")
# Keys of concepts that no one writes by their name.
_UNNAMED = frozenset({"wording", "symbol"})


@dataclass(frozen=True, slots=True)
class NamedCard:
    """A card that a query names: its name as it is, its node, and where in the query it stands."""

    name: str
    node: NamedNode
    start: int
    end: int


class GraphNames:
    """Looks up the names of cards and concepts in the graph."""

    def __init__(self, store: OpenStore, release: NamedNode, base: str) -> None:
        """Take the graph of a release, and that of the cards below a base of IRIs."""
        self._graph, self._release = store.graph, release
        self._cards = CardMinter(base).graph
        self._concepts = self._names_of_concepts()

    def _names_of_concepts(self) -> dict[tuple[str, ...], list[str]]:
        """Return the keys of the concepts that a release's rules govern, by folded name."""
        names: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._governing: dict[str, list[str]] = defaultdict(list)
        numbers: dict[NamedNode, str] = {}
        for quad in self._graph.quads_for_pattern(None, P.GOVERNS.node, None, self._release):
            rule = quad.subject
            if rule not in numbers:
                numbers[rule] = self._value(rule, P.NUMBER, self._release) or ""  # type: ignore[arg-type,index]
            self._governing[quad.object.value].append(numbers[rule])  # type: ignore[union-attr,index]
        for key in self._governing:
            kind, _, name = key.partition(":")
            if kind == "counter":
                names[(*stems(name), *stems("counter"))].append(key)
            elif kind not in _UNNAMED:
                names[stems(name)].append(key)
        return names

    def _value(self, node: NamedNode, prop: P, graph: NamedNode) -> str | None:
        found = self._graph.quads_for_pattern(node, prop.node, None, graph)
        return next((quad.object.value for quad in found), None)  # type: ignore[union-attr]

    def rules_of(self, key: str) -> list[str]:
        """Return the numbers of the rules that govern a concept."""
        return self._governing.get(key, [])

    def concepts_in(self, text: str) -> dict[str, str]:
        """Return the keys of concepts that a text names, each with the name; the longest count."""
        words = stems(text)
        found: dict[str, str] = {}
        at = 0
        while at < len(words):
            for end in range(min(len(words), at + _LONGEST), at, -1):
                keys = self._concepts.get(words[at:end])
                if keys:
                    found |= {key: key.partition(":")[2] for key in keys}
                    at = end - 1
                    break
            at += 1
        return found

    def cards_in(self, text: str) -> list[NamedCard]:
        """Return the cards that a text names, in order.

        A name of one word counts only with a capital that the sentence does not give it, and
        where it is no concept's name; one that begins with words of a longer one, behind that.
        """
        places = [match.span() for match in _WRITTEN.finditer(text)]
        found: list[NamedCard] = []
        at = 0
        while at < len(places):
            card = next(self._cards_at(text, places, at), None)
            if card is not None:
                found.append(card)
                while at < len(places) and places[at][0] < card.end:
                    at += 1
            else:
                at += 1
        return found

    def _cards_at(self, text: str, places: list[tuple[int, int]], at: int) -> Iterator[NamedCard]:
        start, end = places[at]
        while start < end and text[start] in _AROUND:
            start += 1
        small = text.islower()
        if start == end or (text[start].islower() and not small):
            return
        for last in range(min(len(places), at + _LONGEST) - 1, at - 1, -1):
            begin, end = places[last]
            if not small and text[begin].islower():
                continue
            for name in self._spellings(text[start:end]):
                if not name or not _may_be_card(text, start, name):
                    continue
                for node in self._with_key(name_key(name)):
                    if stems(name) not in self._concepts:
                        own = self._value(node, P.NAME, self._cards) or name
                        yield NamedCard(own, node, start, start + len(name))

    @staticmethod
    def _spellings(written: str) -> list[str]:
        bare = written.rstrip(_AROUND)
        return [*dict.fromkeys((written, bare, _POSSESSIVE.sub("", bare)))]

    def _with_key(self, key: str) -> list[NamedNode]:
        found = self._graph.quads_for_pattern(None, P.NAME_KEY.node, Literal(key), self._cards)
        nodes = {quad.subject for quad in found if isinstance(quad.subject, NamedNode)}
        return sorted(nodes, key=lambda node: node.value)[:1]

    def card(self, name: str) -> NamedNode | None:
        """Return the card of a name, or None."""
        return next(iter(self._with_key(name_key(name))), None)

    def rulings_on(self, card: NamedNode) -> list[tuple[str, str]]:
        """Return the rulings on a card: the text of each, and its newest date."""
        found = []
        for quad in self._graph.quads_for_pattern(None, P.RULING_ON.node, card, self._cards):
            ruling: NamedNode = quad.subject  # type: ignore[assignment]
            text = self._value(ruling, P.CLEANED, self._cards) or ""
            found.append((text, self._value(ruling, P.DATE, self._cards) or ""))
        return sorted(found)

    def spoken_by(self, card: NamedNode) -> dict[str, int]:
        """Return the keys of what a card's faces and their abilities speak of, and how often."""
        faces = [node for node in self._below(card) if C.FACE.node in self._types(node)]
        keys: dict[str, int] = defaultdict(int)
        for face in faces:
            for place in (face, *self._below(face)):
                for quad in self._graph.quads_for_pattern(
                    place, P.SPEAKS_OF.node, None, self._cards
                ):
                    keys[quad.object.value] += 1  # type: ignore[union-attr]
        return keys

    def _below(self, node: NamedNode) -> list[NamedNode]:
        found = self._graph.quads_for_pattern(None, P.PART_OF.node, node, self._cards)
        return [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]

    def _types(self, node: NamedNode) -> list[object]:
        found = self._graph.quads_for_pattern(node, P.TYPE.node, None, self._cards)
        return [quad.object for quad in found]


def _may_be_card(text: str, start: int, name: str) -> bool:
    """Tell whether words may be a card's name, and are no words of the sentence.

    The first and the last word have capitals, unless nothing has; a single word stands inside
    the sentence, where it has no capital of its own.
    """
    first, *others = name.split()
    if not others:
        before = text[:start].rstrip().rstrip(_OPENING)
        return len(name) > 1 and first[0].isupper() and before[-1:] not in _BEFORE_SENTENCE
    if text.islower():
        return len(telling(name)) > 1
    return not (first[0].islower() or others[-1][0].islower())


def without(text: str, cards: list[NamedCard]) -> str:
    """Return a text without the names of cards, and without the first words of these."""
    for card in sorted(cards, key=lambda card: -card.start):
        text = f"{text[: card.start]} {text[card.end :]}"
    for start in {card.name.split(",")[0] for card in cards if "," in card.name}:
        text = text.replace(start, " ")
    return text


def shares(rules: Mapping[str, float]) -> dict[str, float]:
    """Return evidence for rules as shares of the greatest."""
    most = max(rules.values(), default=0.0)
    return {number: value / most for number, value in rules.items()} if most else {}
