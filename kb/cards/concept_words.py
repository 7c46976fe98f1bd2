"""How a release's rules use words: which are in all chapters, which have a capital, which title."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from kb.cards.oracle_lexicon import folded
from kb.cards.phrases import GAP, ITSELF, NARROW_GAP, WIDE_GAP
from kb.cards.wordforms import listed, roots, stem, stems

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kb.cards.concept_forms import Wording
    from kb.records import Rule, Rulebook

# A word that so large a part of all chapters use says nothing of a card.
_GENERAL, _MORE_GENERAL = 0.3, 0.33
# How rare the words of a wording are together, in powers of e, for it to tell something.
_CLAUSE_WEIGHT, _QUOTE_WEIGHT, _ITSELF_WEIGHT = 3.0, 3.6, 2.0
_LONG_CLAUSE, _LONG_CLAUSE_WEIGHT = 4, 2.5
# Words of English that name nothing by themselves.
_FUNCTION = listed(
    "if unless during while when whenever until as though you your it its they their"
    " he she his her who that this these those not no any all each other"
)
_CAPITAL = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")
_SMALL = re.compile(r"(?<=[a-z,;] )[a-z]+")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")
_SHORTEST_ROOT = 4
_MANY_SUBRULES, _NEARLY_ALL = 3, 0.8
# Sections of rules that hold for some ways to play only.
_VARIANTS = frozenset({"multiplayer", "variant"})


@dataclass(frozen=True)
class RuleWords:
    """How rules use words, and what they are called.

    ``frequency``: folded word → how many chapters use it. ``proper`` are folded words that are
    written with a capital inside a sentence. ``titles`` and ``sections``: number → title;
    ``subrules``: number of a rule → how many it has; ``used``: the words of each rule.
    """

    frequency: Mapping[str, int]
    proper: frozenset[str]
    titles: Mapping[str, str]
    sections: Mapping[int, str]
    chapters: int
    subrules: Mapping[str, int]
    used: tuple[frozenset[str], ...] = field(repr=False)

    @classmethod
    def of(cls, rulebook: Rulebook) -> RuleWords:
        """Return how a release uses words."""
        used: dict[str, set[int]] = defaultdict(set)
        capital: Counter[str] = Counter()
        small: Counter[str] = Counter()
        for rule in rulebook.rules:
            found, capitals, smalls = _words_of(rule.text)
            for word in found:
                used[word].add(rule.number.chapter)
            capital.update(capitals)
            small.update(smalls)
        return cls(
            {word: len(chapters) for word, chapters in used.items()},
            frozenset(word for word, times in capital.items() if times > small[word]),
            {str(rule.number): rule.title for rule in rulebook.rules if rule.title},
            {section.number: section.title for section in rulebook.sections},
            len({rule.number.chapter for rule in rulebook.rules}),
            Counter(str(rule.number.parent) for rule in rulebook.rules if rule.number.letters),
            tuple(_words_of(rule.text)[0] for rule in rulebook.rules),
        )

    def is_general(self, name: tuple[str, ...], *, is_much_said: bool = False) -> bool:
        """Tell whether a name is a word that everything speaks of.

        ``is_much_said``: it is the name of an action or a zone, which are used more.
        """
        if len(name) != 1:
            return not name
        part = _MORE_GENERAL if is_much_said else _GENERAL
        return name[0] in _FUNCTION or self.frequency.get(name[0], 0) > self.chapters * part

    def is_only(self, verb: str, thing: tuple[str, ...]) -> bool:
        """Tell whether nearly all rules that have a verb have its thing, too."""
        using = [words for words in self.used if verb in words]
        with_thing = [words for words in using if words.issuperset(thing)]
        return bool(using) and len(with_thing) >= len(using) * _NEARLY_ALL

    def is_topic(self, number: str) -> bool:
        """Tell whether a rule has so many subrules that it is a topic of its own."""
        return self.subrules.get(number, 0) >= _MANY_SUBRULES

    def title_above(self, rule: Rule) -> str:
        """Return the title of what a rule is directly below: its chapter or section."""
        if rule.number.rule is None:
            return self.sections.get(rule.number.section, "")
        return self.chapter_title(rule)

    def chapter_title(self, rule: Rule) -> str:
        """Return the title of a rule's chapter."""
        return self.titles.get(str(rule.number.chapter), "")

    def is_for_variants(self, number: str) -> bool:
        """Tell whether a rule holds for some ways to play only."""
        return bool(_VARIANTS & {*stems(self.sections.get(int(number[0]), ""))})

    def is_worded(self, rule: Rule) -> bool:
        """Tell whether a rule's wordings are those of cards: keywords are found by name."""
        return not (
            self.is_for_variants(str(rule.number))
            or folded(self.chapter_title(rule)).startswith("keyword ")
        )

    def is_telling(self, wording: Wording) -> bool:
        """Tell whether a wording is rare enough to say something of a card."""
        if (WIDE_GAP, ITSELF) in pairwise(wording.parts):
            return False
        parts = [part for part in wording.parts if part not in (NARROW_GAP, GAP, WIDE_GAP)]
        weight = sum(
            _ITSELF_WEIGHT
            if part == ITSELF
            else math.log(self.chapters / max(1, self.frequency.get(part, 1)))
            for part in parts
        )
        if wording.is_quoted:
            return len(parts) > 1 and weight >= _QUOTE_WEIGHT
        return weight >= (_LONG_CLAUSE_WEIGHT if len(parts) >= _LONG_CLAUSE else _CLAUSE_WEIGHT)

    def chapters_titled(self, title: tuple[str, ...]) -> tuple[str, ...]:
        """Return the numbers of the chapters or headings of a title, in any form."""
        return tuple(number for number, other in self.titles.items() if stems(other) == title)

    def shared(self, number: str, name: tuple[str, ...]) -> int:
        """Return how many words of a name, or roots, stand in a rule's or its chapter's title."""
        titles = (self.titles.get(n, "") for n in (number, number.partition(".")[0]))
        words = [word for title in titles for word in stems(title)]
        return sum(any(_akin(word, other) for word in words) for other in name)


def _akin(word: str, other: str) -> bool:
    root = min(word, other, key=len)
    return word == other or (
        len(root) >= _SHORTEST_ROOT and word.startswith(root) and other.startswith(root)
    )


@lru_cache(maxsize=16384)  # most rules stand alike in many releases
def _words_of(text: str) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]:
    """Return the folded words of a rule, those with a capital in it, and those without."""
    bare = _QUOTED.sub(" ", text)
    return (
        roots(text),
        tuple(map(stem, _CAPITAL.findall(bare))),
        tuple(map(stem, _SMALL.findall(bare))),
    )
