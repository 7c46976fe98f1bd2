"""The plain alternative: the regular-expression splitter that a reader would write."""

from __future__ import annotations

import re

_RULE = re.compile(r"(\d{3}(?:\.\d+[a-z]*)?)\.? (.+)")
_EXAMPLE = re.compile(r"Example: (.+)")

Split = tuple[dict[str, str], list[tuple[str, str]], dict[str, str]]


def split(content: bytes) -> Split:
    """Return the rules by number, the examples with their rule, and the glossary."""
    lines = [line.strip() for line in content.decode("utf-8-sig").splitlines()]
    last = len(lines) - 1
    glossary = last - lines[::-1].index("Glossary")
    back = last - lines[::-1].index("Credits")
    rules: dict[str, str] = {}
    examples: list[tuple[str, str]] = []
    number = ""
    for line in lines[:glossary]:
        if match := _RULE.match(line):
            number = match[1]
            rules[number] = match[2]
        elif match := _EXAMPLE.match(line):
            examples.append((number, match[1]))
        elif line and number and not re.match(r"\d\. ", line):
            rules[number] += "\n" + line
    terms: dict[str, str] = {}
    term = ""
    for line in lines[glossary + 1 : back]:
        if not line:
            term = ""
        elif not term:
            term = line
            terms[term] = ""
        else:
            terms[term] = f"{terms[term]}\n{line}".strip()
    return rules, examples, terms
