"""What a reader should be told of a release: order of numbers, contents, completeness."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from kb.records import Problem, RuleNumber

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.records import Rulebook
    from kb.rulebook.layout import Parts
    from kb.source import Source

_ENTRY = re.compile(r"([1-9]\d\d)\.\s*(.*)")
_FEWEST_RULES = 5


def audit(rulebook: Rulebook, source: Source, parts: Parts) -> Iterator[Problem]:
    """Yield the problems that show only in the whole."""
    if len(rulebook.rules) < _FEWEST_RULES:
        yield source.problem("no-rules", "this is no rulebook: it has no numbered rules", 0)
        return
    yield from _order(rulebook, source)
    yield from _contents(rulebook, source)
    if parts.glossary.start == parts.glossary.end:
        end = rulebook.rules[-1].paragraphs[-1].span.start
        yield source.problem("truncated", "the text ends before its glossary", end)
    elif parts.back.start == parts.back.end:
        yield source.problem("no-credits", "the text ends without credits", parts.glossary.end - 1)


def _order(rulebook: Rulebook, source: Source) -> Iterator[Problem]:
    """Report duplicates, numbers out of place, jumps, and parents that are missing."""
    complete = rulebook.release.edition == "official"
    count = Counter(rule.number for rule in rulebook.rules)
    seen: set[RuleNumber] = set()
    last_of: dict[RuleNumber | None, RuleNumber] = {}
    before: RuleNumber | None = None
    for rule in rulebook.rules:
        number, offset = rule.number, rule.paragraphs[0].span.start
        last = last_of.get(number.parent)
        expected = (last.position if last and last.section == number.section else 0) + 1
        if number in seen:
            yield source.problem("duplicate", f"a second {number}", offset)
        elif number.parent is not None and number.parent not in count:
            yield source.problem("no-parent", f"{number} has no {number.parent} above it", offset)
        elif number.position == 0:
            yield source.problem("letter", f"{number} uses a letter that is skipped", offset)
        elif before is not None and number < before:
            yield source.problem("out-of-place", f"{number} stands after {before}", offset)
        elif complete and number.kind != "chapter" and number.position != expected:
            where = f"after {last}" if last else f"first in {number.parent}"
            yield source.problem("jump", f"{number} stands {where}", offset)
        seen.add(number)
        before = number
        last_of[number.parent] = number


def _contents(rulebook: Rulebook, source: Source) -> Iterator[Problem]:
    """Compare the chapters that the contents announce with those of the body."""
    titles = {rule.number: rule.title or "" for rule in rulebook.rules if rule.title}
    announced = []
    for block in rulebook.blocks:
        match = _ENTRY.fullmatch(block.paragraph.text)
        if block.kind == "contents_entry" and match:
            announced.append((RuleNumber(int(match[1])), match[2], block.paragraph.span.start))
    missing = [entry for entry in announced if entry[0] not in titles]
    last = max((rule.number.chapter for rule in rulebook.rules), default=0)
    for number, title, offset in announced:
        if number in titles and _folded(title) != _folded(titles[number]):
            message = f"the contents call {number} “{title}”, the body “{titles[number]}”"
            yield source.problem("contents", message, offset)
    cut = [entry for entry in missing if entry[0].chapter > last]
    if cut:
        end = rulebook.rules[-1].paragraphs[-1].span.start
        message = f"the text ends in chapter {last}, {len(cut)} chapters short of its contents"
        yield source.problem("truncated", message, end)
    for number, title, offset in missing:
        if number.chapter <= last:
            message = f"chapter {number}, “{title}”, is announced and is not there"
            yield source.problem("missing-chapter", message, offset)


def _folded(title: str) -> str:
    return "".join(character for character in title.casefold() if character.isalnum())
