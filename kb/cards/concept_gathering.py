"""Gathers the concepts of a release from its headings, its rules' sentences and its glossary."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from kb.cards.concept_forms import about
from kb.cards.concept_glossary import act_of, alternatives, chosen, is_type, of_keyword
from kb.cards.concept_words import RuleWords
from kb.cards.oracle_lexicon import folded
from kb.cards.phrases import GAP, ITSELF, Phrase
from kb.cards.spoken_words import spoken_words
from kb.cards.wordforms import smalls, stems
from kb.citations import find_citations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.cards.concept_forms import About, Wording
    from kb.cards.rulings_text import Act
    from kb.records import Rule, Rulebook, Term

_AND = re.compile(r"\s+and\s+")
_MARK = re.compile(r"\s*\([^()]*\)$")
_PARTICLES = frozenset({"in", "into", "up", "down", "out", "off", "on"})
_OF_KEYWORDS = {"keyword abilities": "keyword", "keyword actions": "keyword-action"}
# Symbols of one shape are of one kind: colors are alike, and so are the halves without one.
_PLAIN_SYMBOL = re.compile(r"\{(?:[WUBRG]|\d+)\}")
_COLOR, _NO_COLOR, _TWO_COLORS = re.compile(r"[WUBRG]"), re.compile(r"[C\d]+(?=/)"), "?/?/"


class Gathered:
    """What has been gathered of a release.

    ``rules``: key → numbers; ``phrases`` → key; ``names``, ``acts``, ``verbs`` as a
    ``ConceptBook`` has them; ``headed``: number of a keyword's heading → kind.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self.book = rulebook
        self.words = RuleWords.of(rulebook)
        self.rules: dict[str, dict[str, None]] = defaultdict(dict)
        self.phrases: dict[Phrase, str] = {}
        self.names: dict[tuple[str, tuple[str, ...]], str] = {}
        self.acts: dict[str, Act] = {}
        self.verbs: set[str] = set()
        self.headed: dict[str, str] = {}

    def everything(self) -> None:
        """Gather all there is; the order tells which concept a word names."""
        self.headings()
        self.sentences()
        self.glossary()
        self.chapters()
        self.unite_endings()
        self.mechanics()

    def add(self, kind: str, name: str, rules: Iterable[str], *, spoken: bool = True) -> str:
        """Add rules to a concept; ``spoken`` if its name in a text speaks of it."""
        key = self.names.setdefault((kind, stems(name)), f"{kind}:{folded(name)}")
        self.rules[key].update(dict.fromkeys(rules))
        if spoken and (parts := self._parts(kind, name)):
            phrase = Phrase(parts)
            if kind == "keyword-action":  # before a zone of the same name
                self.phrases[phrase] = key
                if parts[1:2] and parts[1] in _PARTICLES:  # “set it in motion”
                    self.phrases[Phrase((parts[0], GAP, *parts[1:]))] = key
            self.phrases.setdefault(phrase, key)
        return key

    def _parts(self, kind: str, name: str) -> tuple[str, ...]:
        """Return the parts of a name: keywords and participles are named by one form alone."""
        folded_words = stems(name)
        is_participle = len(folded_words) == 1 and folded(name).endswith("ed")
        if is_participle and ("keyword-action", folded_words) in self.names:
            return ()
        if kind == "keyword" or is_participle:
            return tuple(f"={word}" for word in smalls(name))
        return folded_words

    def headings(self) -> None:
        """Gather keywords, zones and types by the titles of chapters and rules."""
        for rule in self.book.rules:
            if not rule.title:
                continue
            number, title = str(rule.number), _MARK.sub("", rule.title)
            above = self.words.title_above(rule)
            if kind := _OF_KEYWORDS.get(folded(above)):
                self.headed[number] = kind
                for name in _AND.split(title):
                    general = kind == "keyword-action" and self.words.is_general(
                        stems(name), is_much_said=True
                    )
                    self.add(kind, name, () if general else (number,), spoken=not general)
            elif stems(above) == stems("zones"):
                general = self.words.is_general(stems(title), is_much_said=True)
                self.add("zone", title, (number,), spoken=not general)
            elif len(stems(title)) == 1 or stems(title)[-1:] == stems("card"):
                self.add("type", title, (number,), spoken=False)
                if stems(title) == stems("counters"):
                    self.add("counter", "counter", (number,), spoken=False)

    def sentences(self) -> None:
        """Gather types, symbols, counters and wordings by what the rules say."""
        symbols: dict[str, list[Rule]] = defaultdict(list)
        for rule in self.book.rules:
            if rule.title:
                continue
            found, number = about(rule.text), str(rule.number)
            self._types(found, number)
            chapter = stems(self.words.chapter_title(rule))
            if "symbol" in chapter:
                for name in found.card_kinds:
                    self.add("symbol", name, (number,), spoken=False)
                for symbol in found.symbols:
                    symbols[symbol].append(rule)
            if "counter" in chapter:
                for name in found.counters:
                    self.rules[f"counter:{name}"][number] = None
            if self.words.is_worded(rule):
                for wording in found.wordings:
                    self._wording(wording, rule)
        self._symbols(symbols)

    def _types(self, found: About, number: str) -> None:
        for name in found.subtypes:
            self.add("type", name, (number,), spoken=False)
        for name, holder in found.supertypes:
            held = [
                word
                for word in holder.split()
                if ("type", stems(word)) in self.names and not self.words.is_general(stems(word))
            ]
            for name_held in [f"{name} {word}" for word in held] or [name]:
                self.add("type", name_held, (number,), spoken=False)

    def _symbols(self, found: dict[str, list[Rule]]) -> None:
        """Add to each symbol the rules on its kind, and not those that list every symbol."""
        lists = {
            str(rule.number)
            for symbol, rules in found.items()
            if _PLAIN_SYMBOL.fullmatch(symbol)
            for rule in rules
        }
        by_shape: dict[str, dict[str, None]] = defaultdict(dict)
        for symbol, rules in found.items():
            numbers = [str(rule.number) for rule in rules if str(rule.number) not in lists]
            by_shape[_shape(symbol)].update(dict.fromkeys(numbers))
        for symbol in found:
            shape = _shape(symbol)
            rules_of_kind = by_shape[shape] or by_shape[shape.replace(_TWO_COLORS, "?/")]
            if rules_of_kind and not _PLAIN_SYMBOL.fullmatch(symbol):
                self.rules[f"symbol:{symbol}"].update(rules_of_kind)

    def _wording(self, wording: Wording, rule: Rule) -> None:
        if wording.class_name and len(wording.parts) == 1:
            rules = self.words.chapters_titled(stems(wording.class_name))
        elif wording.class_name or self.words.is_telling(wording):
            # The first rule of a chapter says what the chapter is about.
            is_first = rule.number.rule == 1 and not rule.number.letters
            rules = (str(rule.number.chapter if is_first else rule.number),)
        else:
            return
        phrase = Phrase(wording.parts, is_wording=True)
        key = self.phrases.setdefault(phrase, f"wording:{' '.join(wording.parts)}")
        self.rules[key].update(dict.fromkeys(rules))

    def mechanics(self) -> None:
        """Let a chapter govern the one keyword ability that its first rule points to."""
        for rule in self.book.rules:
            if rule.number.rule != 1 or rule.number.letters or not self.words.is_worded(rule):
                continue
            cited = {n for citation in find_citations(rule.text) for n in citation.numbers}
            headed = cited & self.headed.keys()
            if len(headed) == 1 and self.headed[min(headed)] == "keyword":
                for key, rules in self.rules.items():
                    if key.startswith("keyword:") and min(headed) in rules:
                        rules[str(rule.number.chapter)] = None

    def unite_endings(self) -> None:
        """Let “a card sung with [this object]” be “sung with [this object]”, which is in it."""
        of_itself = [phrase for phrase in self.phrases if phrase.parts[-1] == ITSELF]
        for phrase in sorted(of_itself, key=lambda one: len(one.parts), reverse=True):
            for other in of_itself:
                ending = phrase.parts[-len(other.parts) :]
                if other != phrase and ending == other.parts and phrase in self.phrases:
                    self.rules[self.phrases[other]].update(self.rules.pop(self.phrases.pop(phrase)))

    def glossary(self) -> None:
        """Gather the terms, by the rules that their entries cite."""
        general = {
            number
            for term in self.book.terms
            for name in alternatives(term.name)
            if self.words.is_general(stems(name)) and ("zone", stems(name)) not in self.names
            for number in chosen(term, self.words)
            if "." not in number
        }
        for of_whole in (True, False):
            for term in self.book.terms:
                whole, *others = alternatives(term.name)
                for name in [whole] if of_whole else others:
                    self._term(term, name, general)

    def _term(self, term: Term, name: str, general: set[str]) -> None:
        for kind in ("keyword", "keyword-action"):
            if (kind, stems(name)) in self.names:
                if folded(name) == self.names[kind, stems(name)].partition(":")[2]:
                    self.add(
                        kind,
                        name,
                        of_keyword(term, self.rules[f"{kind}:{folded(name)}"]),
                        spoken=False,
                    )
                return
        rules = chosen(term, self.words, of_type=is_type(term))
        if is_type(term):
            known = self.rules.get(self.names.get(("type", stems(name)), ""), {})
            finer = [n for n in rules if not any(k.startswith(n) for k in known)]
            self.add("type", name, finer, spoken=False)
            return
        if ("zone", stems(name)) in self.names or self.words.is_general(stems(name)):
            return
        ruled = tuple(
            number
            for number in rules
            if number.partition(".")[0] not in general or self.words.is_topic(number)
        )
        key = self.add("term", name, ruled)
        if term.text.startswith(("To ", "1. To ")):
            self.verbs.add(key)
        if len(name) == 1:
            self.rules[f"symbol:{{{name}}}"].update(dict.fromkeys(ruled))
        if act := act_of(name, self.words):
            self.acts[key] = act

    def chapters(self) -> None:
        """Gather what chapters are about by their titles, and what is said for a term."""
        claimed = {phrase.parts for phrase in self.phrases}
        for rule in self.book.rules:
            title = rule.title or ""
            if rule.number.rule is not None:
                continue
            is_new = len(stems(title)) > 1 and stems(title) not in claimed
            if is_new or ("term", stems(title)) in self.names:
                key = self.add("term", title, (str(rule.number),))
                if act := act_of(title, self.words):
                    self.acts[key] = act
        for term, said in spoken_words():
            if ("term", stems(term)) in self.names:
                self.phrases.setdefault(Phrase(stems(said)), self.names["term", stems(term)])


def _shape(symbol: str) -> str:
    return _NO_COLOR.sub("#", _COLOR.sub("?", symbol))
