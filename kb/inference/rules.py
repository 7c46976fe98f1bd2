"""The `.rq` files of ``queries/infer``: one CONSTRUCT each, and in which order they run.

A header is the lines at a file's top that begin with ``#+``:

    #+ summary: what a list's head announces, each of its items is
    #+ makes: item                  the kinds of statements (or properties) that it makes
    #+ uses: announces              those that it reads, if another rule makes them
    #+ unless: exception            those whose absence it asks for

A rule runs after all rules that make what it uses; rules that use each other's results form
a stratum and run until none gives anything new. What a rule asks the absence of must come
from an earlier stratum: otherwise the answer would hang on the order (Apt, Blair and Walker,
"Towards a Theory of Declarative Knowledge", 1988).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from kb import resources
from kb.errors import ShippedFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_HEADER = re.compile(r"^#\+ *(\w+): *(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class InferenceRule:
    """A CONSTRUCT rule: what it makes, what it reads, and what must not be there."""

    id: str
    summary: str
    makes: frozenset[str]
    uses: frozenset[str]
    unless: frozenset[str]
    sparql: str


def inference_rules() -> tuple[InferenceRule, ...]:
    """Return the shipped rules, in the order of their names."""
    paths = sorted((resources.folder("queries") / "infer").glob("*.rq"))
    return tuple(read_inference_rule(path.stem, path.read_text(encoding="utf-8")) for path in paths)


def read_inference_rule(identifier: str, text: str) -> InferenceRule:
    """Read a `.rq` file.

    Raises:
        ShippedFileError: its header lacks a summary or what the rule makes.
    """
    fields = {match[1]: match[2].strip() for match in _HEADER.finditer(text)}
    if not fields.get("summary") or not fields.get("makes"):
        raise ShippedFileError(
            "an inference rule's header is wrong",
            where=f"queries/infer/{identifier}.rq",
            why="it needs summary and makes",
        )
    makes, uses, unless = (_words(fields.get(name, "")) for name in ("makes", "uses", "unless"))
    return InferenceRule(identifier, fields["summary"], makes, uses, unless, text)


def _words(text: str) -> frozenset[str]:
    return frozenset(filter(None, (word.strip() for word in text.split(","))))


def strata(rules: Iterable[InferenceRule]) -> tuple[tuple[InferenceRule, ...], ...]:
    """Return the rules in the order in which they run: groups that feed each other.

    Raises:
        ShippedFileError: a rule asks the absence of what its own stratum makes.
    """
    every = sorted(rules, key=lambda rule: rule.id)
    makers = {
        rule.id: {other.id for other in every if other.makes & (rule.uses | rule.unless)}
        for rule in every
    }
    groups = _components(makers)
    group_of = {name: number for number, group in enumerate(groups) for name in group}
    for rule in every:
        for other in every:
            if other.makes & rule.unless and group_of[other.id] == group_of[rule.id]:
                raise ShippedFileError(
                    "inference rules go round in a circle through an absence",
                    where=f"queries/infer/{rule.id}.rq",
                    why=f"it asks that nothing is there which {other.id} makes in the same round",
                )
    by_id = {rule.id: rule for rule in every}
    feeds = {
        number: {group_of[m] for name in group for m in makers[name]} - {number}
        for number, group in enumerate(groups)
    }
    try:
        order = list(TopologicalSorter(feeds).static_order())
    except CycleError as error:  # strongly connected groups cannot feed each other
        raise AssertionError(f"strata in a circle: {error}") from error
    return tuple(tuple(by_id[name] for name in sorted(groups[number])) for number in order)


def _components(edges: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the groups of names that reach each other."""
    reach = {name: _reached(name, edges) for name in edges}
    groups: list[set[str]] = []
    for name in edges:
        group = {other for other in reach[name] if name in reach[other]} | {name}
        if group not in groups:
            groups.append(group)
    return groups


def _reached(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    rest = [start]
    while rest:
        for name in edges[rest.pop()] - seen:
            seen.add(name)
            rest.append(name)
    return seen
