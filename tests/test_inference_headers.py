"""What an inference rule's header says, its text does: what it makes, uses, and must not find."""

from __future__ import annotations

import re

import pytest

from kb.inference import inference_rules

RULES = {rule.id: rule for rule in inference_rules()}
EVERY_MADE = frozenset().union(*(rule.makes for rule in RULES.values()))
each_rule = pytest.mark.parametrize("identifier", RULES)


def closing(text, opening):
    """Return the index behind the brace that closes the one at an index."""
    depth = 0
    for match in re.finditer(r"[{}]", text[opening:]):
        depth += 1 if match.group() == "{" else -1
        if not depth:
            return opening + match.end()
    raise AssertionError("a brace is left open")


def template_body_absences(text):
    """Return a CONSTRUCT's template, its WHERE clause and, cut out of that, what must be absent."""
    plain = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    start = plain.index("{", plain.index("CONSTRUCT"))
    template = plain[start : closing(plain, start)]
    body, absences = plain[closing(plain, start) :], ""
    while match := re.search(r"(?:NOT EXISTS|MINUS)\s*\{", body):
        end = closing(body, match.end() - 1)
        absences += body[match.end() - 1 : end]
        body = body[: match.start()] + body[end:]
    return template, body, absences


def named_in(part, where):
    """Return the kinds, and properties that only rules make, of which a part of a query speaks."""
    found = set(re.findall(r'mtg:kind "([^"]+)"', part))
    for variable in re.findall(r"mtg:kind \?(\w+)", part):
        for names, rows in re.findall(r"VALUES \(?((?:\?\w+\s*)+)\)?\s*\{([^}]*)\}", where):
            columns = names.replace("?", "").split()
            if variable in columns:
                words = re.findall(r'"([^"]*)"', rows)
                found |= set(words[columns.index(variable) :: len(columns)])
    return found | set(re.findall(r"mtg:(within)\b", part))


@each_rule
def test_a_rule_makes_what_its_header_says(identifier):
    rule = RULES[identifier]
    template, body, _ = template_body_absences(rule.sparql)
    assert named_in(template, body) == rule.makes
    if rule.makes != {"within"}:
        assert f'mtg:inferredBy "{identifier}"' in template


@each_rule
def test_a_rule_uses_what_its_header_says(identifier):
    rule = RULES[identifier]
    _, body, _ = template_body_absences(rule.sparql)
    assert named_in(body, body) & EVERY_MADE == rule.uses


@each_rule
def test_a_rule_asks_the_absence_of_what_its_header_says(identifier):
    rule = RULES[identifier]
    _, body, absences = template_body_absences(rule.sparql)
    assert named_in(absences, body) & EVERY_MADE == rule.unless


@each_rule
def test_a_header_has_no_line_that_is_not_read(identifier):
    names = re.findall(r"^#\+ *(\w+)", RULES[identifier].sparql, re.MULTILINE)
    assert len(names) == len(set(names))
    assert set(names) <= {"summary", "makes", "uses", "unless"}
    assert RULES[identifier].summary[0].islower()
