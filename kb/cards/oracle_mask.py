"""A paragraph of oracle text with its brackets, quotes and names masked for the grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from kb.cards.oracle_lexicon import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kb.cards.oracle_lexicon import KeywordLexicon

REMINDER, QUOTE, KEYWORD, WORD, ACTION, FULL_QUOTE = map(chr, range(0xE000, 0xE006))
# What may follow a name made of a quality and a suffix: elsewhere it is a word of a sentence.
_LIST_GOES_ON = rf"(?=\s*(?:$|[,;{{—{REMINDER}]))"
_BRACKETS = re.compile(r"\((?:[^()]|\([^()]*\))*\)|\"[^\"]*\"|“[^”]*”")
_ENDINGS = {"y": ("y", "ies"), "": ("", "s", "es")}
_PAST = {"e": "ed", "y": "ied", "": "ed"}
# A verb's form is a noun directly behind these (“in exile”, “the +1/+1 counters”), and with one
# word between (“a charge counter”) where the number shows it: a verb behind “a creature” ends in
# s, one behind “two creatures” does not.
_NUMBER = r"\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|x|more|many|all|any"
_MANY = re.compile(rf"{_NUMBER}|those|of|additional")
_ONE = re.compile(r"an?|no|another|one|any|that|additional|each")
_BEFORE_NOUN = re.compile(
    rf"{_NUMBER}|an?|the|no|another|one|last|additional|most|those|these|its|their"
    r"|of|from|in|into|with|without|[-+]\w+/[-+]\w+"
)
_OBJECT = re.compile(
    r" (?:an?|the|this|that|it|its|their|your|up|all|one|two|three|another|target|enchanted|each"
    r"|\d+|X)\b"
)


@dataclass(frozen=True, slots=True)
class Masked:
    """A paragraph as written, its masked text, and by their places names and actions in it."""

    written: str
    text: str
    names: dict[int, str] = field(default_factory=dict)
    actions: dict[int, str] = field(default_factory=dict)

    @property
    def starts_with_keyword(self) -> bool:
        """Whether a keyword stands where a list of them may begin."""
        return KEYWORD in self.text

    def name_at(self, offset: int) -> str:
        """Return the folded name under the mask that begins at an offset."""
        return self.names[offset]

    def actions_in(self, start: int, end: int) -> tuple[str, ...]:
        """Return the actions that begin between two offsets, each once, in their order."""
        return tuple(dict.fromkeys(n for at, n in self.actions.items() if start <= at < end))


def reminders(paragraph: str) -> tuple[str, ...]:
    """Return the texts in brackets, without their brackets; what is quoted is left out."""
    return tuple(
        match[0][1:-1] for match in _BRACKETS.finditer(paragraph) if match[0].startswith("(")
    )


def masked_list(paragraph: str, keywords: KeywordLexicon) -> Masked:
    """Mask brackets, quotes, and the names that stand where a list of keywords has them."""
    text = _BRACKETS.sub(_hidden, paragraph)
    names: dict[int, str] = {}
    pieces, last = [], 0
    for match in _listed(keywords).finditer(text):
        is_word = match["word"] is not None
        names[match.start()] = folded(match[0])
        pieces += [text[last : match.start()], (WORD if is_word else KEYWORD) * len(match[0])]
        last = match.end()
    return Masked(paragraph, "".join((*pieces, text[last:])), names)


def masked(listed: Masked, keywords: KeywordLexicon) -> Masked:
    """Mask the actions, too; a participle (“goaded”) is noted as its action and not masked."""
    verbs = _verbs(keywords)
    actions: dict[int, str] = {}

    def hidden(match: re.Match[str]) -> str:
        known = verbs.names[folded(match[0])]
        if known is None or _is_of_name(match) or (not known[1] and _is_noun(match, known[0])):
            return match[0]
        actions[match.start()] = known[0]
        return match[0] if known[1] else ACTION * len(match[0])

    text = verbs.pattern.sub(hidden, listed.text)
    return Masked(listed.written, text, listed.names, actions)


def _is_of_name(match: re.Match[str]) -> bool:
    """Tell a word of a name: it begins with a capital and begins no sentence."""
    before = match.string[: match.start()].rstrip()[-1:]
    return match[0][0].isupper() and (before.isalnum() or before == KEYWORD)


def _is_noun(match: re.Match[str], verb: str) -> bool:
    """Tell “in exile” and “a charge counter” from verbs, by what stands around them."""
    words = match.string[: match.start()].rsplit(maxsplit=2)
    if not words or match.string[match.start() - 1] != " ":
        return False
    *_, first, last = ["", *(word.lower() for word in words)]
    if _BEFORE_NOUN.fullmatch(last) or match.string.startswith(" on ", match.end()):
        return True
    has_s = folded(match[0]).partition(" ")[0] != verb.partition(" ")[0]
    counted = (_MANY if has_s else _ONE).fullmatch(first) and last.strip("!'’-").isalpha()
    return bool(counted) and not _OBJECT.match(match.string, match.end())


@dataclass(frozen=True, slots=True)
class _Verbs:
    """The forms of all actions: each with its action, and whether it is a participle.

    Longer names that have a verb in them (“double strike”) stand among them with None.
    """

    pattern: re.Pattern[str]
    names: dict[str, tuple[str, bool] | None]


@cache
def _verbs(keywords: KeywordLexicon) -> _Verbs:
    longer = keywords.terms.union(name for name in keywords.abilities if " " in name)
    names: dict[str, tuple[str, bool] | None] = {
        form: None for name in longer for form in _plurals(name)
    }
    for name in sorted(keywords.actions):
        first, space, rest = name.partition(" ")
        for form, is_past in _forms(first):
            names[form + space + rest] = (name, is_past)
    words = _alternatives(names) or r"(?!)"
    return _Verbs(re.compile(rf"(?<![\w+/'’-])(?:{words})(?![\w'’-])", re.IGNORECASE), names)


def _forms(verb: str) -> Iterator[tuple[str, bool]]:
    """Yield a verb as an order, in the third person, and as a regular participle."""
    yield from ((form, False) for form in _plurals(verb))
    for ending, past in _PAST.items():
        if verb.endswith(ending):
            yield verb.removesuffix(ending) + past, True
            break


def _plurals(word: str) -> Iterator[str]:
    """Yield a word as it is and with the endings of a plural, or of a verb's third person."""
    ending = next(ending for ending in _ENDINGS if word.endswith(ending))
    yield from (word.removesuffix(ending) + form for form in _ENDINGS[ending])


def _hidden(match: re.Match[str]) -> str:
    if match[0].startswith("("):
        mask = REMINDER
    else:
        mask = FULL_QUOTE if match[0][-2:-1] in (".", "!", "?", ")") else QUOTE
    return mask * len(match[0])


def _alternatives(names: Iterable[str]) -> str:
    """Return a pattern of names, the longest first, by first letters: that is much faster."""
    by_letter: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        rest = re.escape(name[1:]).replace("'", "['’]").replace(r"\ ", " ")
        by_letter.setdefault(re.escape(name[0]), []).append(rest)
    return "|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in by_letter.items())


@cache
def _listed(keywords: KeywordLexicon) -> re.Pattern[str]:
    endings = _alternatives(keywords.suffixes) or r"(?!)"
    verbs = _alternatives(keywords.actions) or r"(?!)"
    quality = rf"(?:(?:[a-z-]+ )?(?!(?:{verbs})\b)[\w-]*[a-z])"
    names = "|".join(
        filter(None, [_alternatives(keywords.abilities), rf"{quality}(?:{endings}){_LIST_GOES_ON}"])
    )
    words = _alternatives(keywords.words) or r"(?!)"
    return re.compile(
        rf"(?:^|(?<=[,;] )(?-i:(?![A-Z]))|(?<=— )|(?<=\| )|(?<=• ))"
        rf"(?:(?P<word>{words})(?= — )|(?:{names})(?![\w'’-]))",
        re.IGNORECASE,
    )
