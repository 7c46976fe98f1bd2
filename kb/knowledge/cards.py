"""Cards of the graph: finding one by what people write, and what there is to see of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode

from kb.cards.values import name_key
from kb.errors import NotFoundError, UsageError
from kb.knowledge.graph import GraphReader
from kb.vocab import C, CardMinter, P

if TYPE_CHECKING:
    from kb.store import OpenStore

_NEAREST = 3
_LIKENESS = 60
# A card has a name in each of some ten languages, and several may be near: those are one card.
_NAMES_OF_ONE = 10
_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class FaceView:
    """A face as it is shown."""

    name: str
    mana_cost: str | None
    type_line: str
    text: str
    power: str | None
    toughness: str | None
    loyalty: str | None
    defense: str | None
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RulingView:
    """A ruling as it is shown: all its dates, and its text to the letter."""

    dates: tuple[str, ...]
    text: str
    source: str | None


@dataclass(frozen=True, slots=True)
class CardView:
    """A card with its faces, and its rulings, newest first."""

    card: str
    oracle_id: str | None
    layout: str
    mana_value: str | None
    color_identity: tuple[str, ...]
    legal_in: tuple[str, ...]
    faces: tuple[FaceView, ...]
    names: tuple[tuple[str, str], ...]
    rulings: tuple[RulingView, ...]
    iri: str

    def as_json(self) -> dict[str, object]:
        """Return the view as ``--format json`` prints it."""
        return asdict(self)


class CardIndex(GraphReader):
    """Looks cards up in the graph of cards."""

    def __init__(self, store: OpenStore, base: str) -> None:
        """Look in the graph of cards below a base of IRIs."""
        super().__init__(store, CardMinter(base).graph)
        self._opened = store

    def find(self, written: str) -> NamedNode:
        """Return the card that is meant by a name, an oracle id, or the start of one name.

        A name is that of the card or of a face, in any language, without regard to case and
        accents.

        Raises:
            NotFoundError: there is none; the hint names the nearest.
            UsageError: several cards have the name, or begin so.
        """
        by_id = [*self.subjects(P.ORACLE_ID, Literal(written.strip().lower()))]
        key = name_key(written)
        found = by_id or self.named(key) or self._nearly(written, key)
        if len(found) > 1:
            # The name of a card itself goes before that of a face or in another language.
            named = [node for node in found if name_key(self.text(node, P.NAME) or "") == key]
            found = named or found
        if len(found) > 1:
            listed = ", ".join(
                f"{self.text(n, P.NAME)} ({self.text(n, P.ORACLE_ID)})" for n in found[:_MOST_SHOWN]
            )
            raise UsageError(
                f"{len(found)} cards are meant by {written!r}",
                hint=f"write more of the name, or an oracle id: {listed}",
            )
        return found[0]

    def _nearly(self, written: str, key: str) -> list[NamedNode]:
        """Return the cards whose names begin so.

        Raises:
            NotFoundError: none does; the hint names the nearest.
        """
        keys = self._name_keys()
        begun = [other for other in keys if key and other.startswith(key)]
        if not begun:
            raise self._unknown(written, key, keys)
        nodes = {node for other in begun for node in self.named(other)}
        return sorted(nodes, key=lambda node: self.text(node, P.NAME) or "")

    def named(self, key: str) -> list[NamedNode]:
        """Return the cards that have a name, sorted."""
        nodes = set(self.subjects(P.NAME_KEY, Literal(key)))
        return sorted(nodes, key=lambda node: node.value)

    def _name_keys(self) -> list[str]:
        """Return the folded names of all cards.

        There are a quarter of a million: joined to one value, they come in a quarter of the time
        that as many quads take. A folded name has no line break in it.
        """
        joined = 'GROUP_CONCAT(?key; separator="\\n")'
        query = f"SELECT ({joined} AS ?keys) {{ ?card {P.NAME_KEY.node} ?key }}"
        (row,) = self._opened.query(query, default=[self.graph])  # type: ignore[misc]
        return [*filter(None, row["keys"].value.split("\n"))]

    def _unknown(self, written: str, key: str, keys: list[str]) -> NotFoundError:
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - only a misspelt name needs it

        if not keys:
            return NotFoundError(
                "this knowledge base has no cards",
                hint="build it with some: mtgkb build … --cards FILE --rulings FILE",
            )
        near = process.extract(
            key,
            keys,
            scorer=fuzz.ratio,
            score_cutoff=_LIKENESS,
            limit=_NEAREST * _NAMES_OF_ONE,
        )
        found = dict.fromkeys(node for other, _, _ in near for node in self.named(other))
        names = dict.fromkeys(self.text(node, P.NAME) or "" for node in found)
        listed = ", ".join([*names][:_NEAREST])
        return NotFoundError(
            f"no card {written!r} here", hint=f"did you mean {listed}?" if listed else None
        )

    def view(self, written: str) -> CardView:
        """Return what there is to see of a card.

        Raises:
            NotFoundError: there is none; the hint names the nearest.
            UsageError: several cards are meant.
        """
        node = self.find(written)
        names = [
            (value.language or "", value.value)
            for value in self.values(node, P.PRINTED_NAME)
            if isinstance(value, Literal)
        ]
        return CardView(
            self.text(node, P.NAME) or "",
            self.text(node, P.ORACLE_ID),
            self.text(node, P.LAYOUT) or "",
            self.text(node, P.MANA_VALUE),
            self.texts(node, P.COLOR_IDENTITY),
            self.texts(node, P.LEGAL_IN),
            tuple(self._face(face) for face in self.parts(node, C.FACE)),
            tuple(sorted(names)),
            tuple(self._ruling(one) for one in self._newest_first(node)),
            node.value,
        )

    def _newest_first(self, node: NamedNode) -> list[NamedNode]:
        rulings = self.parts(node, C.RULING, P.RULING_ON)
        return sorted(rulings, key=lambda one: self.texts(one, P.DATE)[-1:], reverse=True)

    def _face(self, node: NamedNode) -> FaceView:
        return FaceView(
            self.text(node, P.NAME) or "",
            self.text(node, P.MANA_COST),
            self.text(node, P.TYPE_LINE) or "",
            self.text(node, P.TEXT) or "",
            self.text(node, P.POWER),
            self.text(node, P.TOUGHNESS),
            self.text(node, P.LOYALTY),
            self.text(node, P.DEFENSE),
            self.texts(node, P.KEYWORD),
        )

    def _ruling(self, node: NamedNode) -> RulingView:
        return RulingView(
            self.texts(node, P.DATE), self.text(node, P.TEXT) or "", self.text(node, P.SOURCE)
        )

    def keyword(self, written: str) -> str:
        """Return a keyword as faces have it.

        Raises:
            NotFoundError: no card has it; the hint names the nearest.
        """
        import difflib  # noqa: PLC0415 - only a misspelt keyword needs it

        wanted = " ".join(written.lower().split())
        if next(self.subjects(P.KEYWORD, Literal(wanted)), None) is not None:
            return wanted
        known = set(self.texts(None, P.KEYWORD))
        near = difflib.get_close_matches(wanted, known, n=_NEAREST)
        raise NotFoundError(
            f"no card here has the keyword {written!r}",
            hint=f"did you mean {', '.join(near)}?" if near else None,
        )
