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


@dataclass(frozen=True, slots=True)
class Masked:
    """A paragraph as written, its masked text, the names under masks, the actions in it."""

    written: str
    text: str
    names: dict[int, str] = field(default_factory=dict)
    actions: tuple[str, ...] = ()

    @property
    def starts_with_keyword(self) -> bool:
        """Whether a keyword stands where a list of them may begin."""
        return KEYWORD in self.text

    def name_at(self, offset: int) -> str:
        """Return the folded name under the mask that begins at an offset."""
        return self.names[offset]


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
    actions: list[str] = []

    def hidden(match: re.Match[str]) -> str:
        before = listed.text[: match.start()].rstrip()[-1:]
        if match[0][0].isupper() and before.isalnum():
            return match[0]  # a word of a name
        name, is_past = verbs.names[folded(match[0])]
        actions.append(name)
        return match[0] if is_past else ACTION * len(match[0])

    text = verbs.pattern.sub(hidden, listed.text)
    return Masked(listed.written, text, listed.names, tuple(dict.fromkeys(actions)))


@dataclass(frozen=True, slots=True)
class _Verbs:
    """The forms of all actions: each with its action, and whether it is a participle."""

    pattern: re.Pattern[str]
    names: dict[str, tuple[str, bool]]


@cache
def _verbs(keywords: KeywordLexicon) -> _Verbs:
    names: dict[str, tuple[str, bool]] = {}
    for name in sorted(keywords.actions):
        first, space, rest = name.partition(" ")
        for form, is_past in _forms(first):
            names[form + space + rest] = (name, is_past)
    words = _alternatives(names) or r"(?!)"
    return _Verbs(re.compile(rf"(?<![\w+/'’-])(?:{words})(?![\w'’-])", re.IGNORECASE), names)


def _forms(verb: str) -> Iterator[tuple[str, bool]]:
    """Yield a verb as an order, in the third person, and as a regular participle."""
    for ending, forms in _ENDINGS.items():
        if verb.endswith(ending):
            yield from ((verb.removesuffix(ending) + form, False) for form in forms)
            break
    for ending, past in _PAST.items():
        if verb.endswith(ending):
            yield verb.removesuffix(ending) + past, True
            break


def _hidden(match: re.Match[str]) -> str:
    if match[0].startswith("("):
        mask = REMINDER
    else:
        mask = FULL_QUOTE if match[0][-2:-1] in (".", "!", "?", ")") else QUOTE
    return mask * len(match[0])


def _alternatives(names: Iterable[str]) -> str:
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(re.escape(name).replace("'", "['’]").replace(r"\ ", " ") for name in ordered)


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
        rf"(?:^|(?<=[,;] )|(?<=— )|(?<=\| )|(?<=• ))"
        rf"(?:(?P<word>{words})(?= — )|(?:{names})(?![\w'’-]))",
        re.IGNORECASE,
    )
