"""The index of cards and rulings, for all releases: tantivy's, in a folder of its own.

A ruling that stands on many cards is one entry, named by the first card and its newest date.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.cards.values import name_key
from kb.errors import StoreError
from kb.search.folding import COMMON
from kb.search.results import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from kb.records import Card

_STEMMED, _RAW = "en_stem", "raw"
_MEMORY = 64_000_000
_NAME_COUNTS = 2.0


def _schema() -> Any:  # noqa: ANN401 - tantivy's own
    import tantivy  # noqa: PLC0415 - only what reads or writes the index needs it

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("kind", stored=True, tokenizer_name=_RAW)
    builder.add_text_field("id", stored=True, tokenizer_name=_RAW)
    builder.add_text_field("heading", stored=True, tokenizer_name=_RAW)
    builder.add_text_field("of", tokenizer_name=_RAW)
    builder.add_text_field("name", tokenizer_name=_STEMMED)
    builder.add_text_field("text", stored=True, tokenizer_name=_STEMMED)
    return builder.build()


def write_card_index(folder: Path, cards: Iterable[Card]) -> None:
    """Index cards and their rulings in a new folder."""
    import tantivy  # noqa: PLC0415 - as above

    folder.mkdir(parents=True)
    index = tantivy.Index(_schema(), path=str(folder))
    # One thread: the order of the texts, and so that of equal hits, is always the same.
    writer = index.writer(_MEMORY, 1)
    rulings: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for card in cards:
        lines = [f"{face.name}: {face.type_line}\n{face.text}" for face in card.faces]
        names = sorted({card.name, *(face.name for face in card.faces)})
        writer.add_document(
            tantivy.Document(
                kind="card",
                id=card.name,
                heading=" // ".join(face.type_line for face in card.faces),
                of=[*map(name_key, names)],
                name=" ".join(names),
                text="\n".join(lines),
            )
        )
        for ruling in card.rulings:
            if ruling.text and ruling.dates:
                rulings[ruling.text].append((card.name, ruling.dates[-1].isoformat()))
    for text, places in rulings.items():
        card_name, day = places[0]
        others = len(places) - 1
        writer.add_document(
            tantivy.Document(
                kind="ruling",
                id=f"{card_name}, {day}",
                heading=f"and on {others} more cards" if others else "",
                of=[*dict.fromkeys(name_key(name) for name, _ in places)],
                text=text,
            )
        )
    writer.commit()
    writer.wait_merging_threads()


@dataclass(frozen=True, slots=True)
class CardIndex:
    """The index of cards and rulings, open."""

    index: Any
    schema: Any

    @classmethod
    def open(cls, folder: Path) -> CardIndex:
        """Open the index.

        Raises:
            StoreError: it cannot be read.
        """
        import tantivy  # noqa: PLC0415 - as above

        try:
            index = tantivy.Index.open(str(folder))
            index.reload()
        except (OSError, ValueError) as error:
            raise StoreError(
                "this knowledge base's cards cannot be searched",
                where=str(folder),
                why=str(error),
                hint="build it again: mtgkb build --force …",
            ) from error
        return cls(index, index.schema)

    def hits(
        self, kind: str, query: Mapping[str, float], limit: int, card: str | None = None
    ) -> list[tuple[Entry, float]]:
        """Return entries of a kind that hold words of a query, each with a weight, best first."""
        import tantivy  # noqa: PLC0415 - as above

        should, must = tantivy.Occur.Should, tantivy.Occur.Must
        fields = ("name", "text") if kind == "card" else ("text",)
        analyzer = (
            tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
            .filter(tantivy.Filter.lowercase())
            .filter(tantivy.Filter.stemmer("english"))
            .build()
        )
        words = [
            (field, word, weight * (_NAME_COUNTS if field == "name" else 1.0))
            for text, weight in query.items()
            for word in analyzer.analyze(text)
            if word not in COMMON
            for field in fields
        ]
        term = tantivy.Query.term_query
        parts = [
            (should, tantivy.Query.boost_query(term(self.schema, field, word), weight))
            for field, word, weight in words
        ]
        chosen = [(must, tantivy.Query.const_score_query(term(self.schema, "kind", kind), 0.0))]
        if card is not None:
            of = term(self.schema, "of", name_key(card))
            chosen.append((must, tantivy.Query.const_score_query(of, 0.0)))
        if parts:
            chosen.append((must, tantivy.Query.boolean_query(parts)))
        searcher = self.index.searcher()
        found = searcher.search(tantivy.Query.boolean_query(chosen), limit).hits
        entries = []
        for score, address in found:
            held = searcher.doc(address).to_dict()
            name, text, above = (held.get(one, [""])[0] for one in ("id", "text", "heading"))
            entries.append((Entry(kind, name, text, above), float(score)))
        return sorted(entries, key=lambda one: (-one[1], one[0].id))
