"""The index of one release: its rules, examples and glossary, in a folder of their own.

entries.json     the texts, by kind, in the rulebook's order
KIND.words       an index of the words of each kind's texts
rule.meanings    the vectors of the rules
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.errors import StoreError
from kb.search.folding import telling
from kb.search.meanings import NearTexts, near_texts
from kb.search.results import PARTS_OF_HEADING, Entry
from kb.search.word_index import WordIndex

if TYPE_CHECKING:
    from pathlib import Path

    from kb.records import Reading, Rule, RuleNumber

_KINDS = ("rule", "example", "term")
# What the words around a rule count beside its own: titles, the rule of a subrule, examples.
_HEADINGS, _ABOVE, _EXAMPLES = 1.5, 0.2, 0.5


@dataclass(frozen=True, slots=True)
class ReleaseIndex:
    """The index of a release, read."""

    entries: dict[str, tuple[Entry, ...]]
    words: dict[str, WordIndex]
    meanings: NearTexts


def write_release_index(folder: Path, reading: Reading) -> None:
    """Index a release in a new folder."""
    folder.mkdir(parents=True)
    rulebook = reading.rulebook
    cited = _cited(reading)
    numbered = [(rule, str(rule.number)) for rule in rulebook.rules]
    above = {number: rule for rule, number in numbered}
    entries = {
        "rule": [
            Entry("rule", number, rule.text, _heading(rule, above), number, cited[number])
            for rule, number in numbered
        ],
        "example": [
            Entry("example", f"{number} example {at}", one.text, _heading(rule, above), number)
            for rule, number in numbered
            for at, one in enumerate(rule.examples, 1)
        ],
        "term": [Entry("term", term.name, term.text) for term in rulebook.terms],
    }
    fields = {kind: [*map(_fields, some)] for kind, some in entries.items()}
    held = json.dumps(fields, ensure_ascii=False)
    (folder / "entries.json").write_text(held, encoding="utf-8")
    words = {
        "rule": WordIndex.of(_parts(rule, above) for rule in rulebook.rules),
        "example": WordIndex.of([(1.0, telling(one.text))] for one in entries["example"]),
        "term": WordIndex.of(
            [(1.0, telling(one.text)), (_HEADINGS, telling(one.id))] for one in entries["term"]
        ),
    }
    for kind, index in words.items():
        (folder / f"{kind}.words").write_bytes(index.as_bytes())
    near = near_texts([f"{entry.heading} {entry.text}" for entry in entries["rule"]])
    (folder / "rule.meanings").write_bytes(near)


def read_release_index(folder: Path) -> ReleaseIndex:
    """Read the index of a release.

    Raises:
        StoreError: there is none, or it cannot be read.
    """
    try:
        held = json.loads((folder / "entries.json").read_text(encoding="utf-8"))
        return ReleaseIndex(
            {kind: tuple(Entry(*fields) for fields in held[kind]) for kind in _KINDS},
            {
                kind: WordIndex.from_bytes((folder / f"{kind}.words").read_bytes())
                for kind in _KINDS
            },
            NearTexts.from_bytes((folder / "rule.meanings").read_bytes()),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(
            "this knowledge base cannot be searched",
            where=str(folder),
            why="it was built without an index, or the index is damaged",
            hint="build it again: mtgkb build --force …",
        ) from error


def _fields(entry: Entry) -> list[str | int]:
    return [entry.kind, entry.id, entry.text, entry.heading, entry.number, entry.cited]


def _cited(reading: Reading) -> Counter[str]:
    """Return how many places cite each rule."""
    return Counter(number for _, citation in reading.citations for number in citation.numbers)


def _above(number: RuleNumber, above: dict[str, Rule]) -> list[Rule]:
    """Return what a rule is part of, the nearest last."""
    names = [str(number.chapter)]
    if number.kind == "subrule":
        names.append(f"{number.chapter}.{number.rule}")
    return [above[name] for name in names if name in above and name != str(number)]


def _heading(rule: Rule, above: dict[str, Rule]) -> str:
    """Return the titles above a rule: of its chapter, and of the rule it is part of."""
    return PARTS_OF_HEADING.join(one.title for one in _above(rule.number, above) if one.title)


def _parts(rule: Rule, above: dict[str, Rule]) -> list[tuple[float, tuple[str, ...]]]:
    """Return the words of a rule and of what stands around it, each with its weight."""
    parents = _above(rule.number, above)
    titles = " ".join(one.title for one in (*parents, rule) if one.title)
    parts = [(1.0, telling(rule.text)), (_HEADINGS, telling(titles))]
    if rule.number.kind == "subrule" and parents and not parents[-1].title:
        parts.append((_ABOVE, telling(parents[-1].text)))
    parts += [(_EXAMPLES, telling(example.text)) for example in rule.examples]
    return parts


__all__ = ["ReleaseIndex", "read_release_index", "write_release_index"]
