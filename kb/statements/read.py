"""Sentences → statements, by the forms of ``grammar/statement.lark``.

Each statement keeps the sentence that says it, to the letter, with its span. What a
sentence announces for the subrules below it is stated of the list's head; an inference rule
joins the items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.statements.changes import change_statements
from kb.statements.keywords import keyword_statements
from kb.statements.lists import list_statements
from kb.statements.masked import masked_sentences
from kb.statements.plain import plain_statements
from kb.statements.references import reference_statements
from kb.statements.states import (
    counter_statements,
    outcome_statements,
    variant_statements,
)
from kb.statements.turns import turn_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.records import Rule, Statement
    from kb.statements.lexicon import Lexicon
    from kb.statements.masked import Masked


def read_rule_statements(rule: Rule, lexicon: Lexicon) -> tuple[Statement, ...]:
    """Return the statements of a rule's own sentences (its examples state nothing)."""
    number = str(rule.number)
    found: list[Statement] = []
    earlier = ""
    for sentence in masked_sentences(rule.text, lexicon, number):
        new = list(_of_sentence(sentence, number, lexicon, earlier))
        classed = [s.subject for s in new if s.kind == "is-a"]
        earlier = " and ".join(classed)
        found += new
    return tuple(found)


def _of_sentence(
    sentence: Masked, number: str, lexicon: Lexicon, earlier: str
) -> Iterator[Statement]:
    yield from reference_statements(sentence, number)
    yield from list_statements(sentence, number, lexicon)
    yield from keyword_statements(sentence, number)
    yield from turn_statements(sentence, number)
    yield from outcome_statements(sentence, number)
    yield from counter_statements(sentence, number)
    yield from variant_statements(sentence, number)
    yield from change_statements(sentence, lexicon, earlier)
    yield from plain_statements(sentence, number)


def read_ruling_statements(text: str, lexicon: Lexicon) -> tuple[Statement, ...]:
    """Return the changes of state that a ruling's sentences state."""
    return tuple(
        statement
        for sentence in masked_sentences(text, lexicon, "")
        for statement in change_statements(sentence, lexicon)
    )
