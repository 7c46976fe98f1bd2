"""What people write → the rule, node or release that it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode

from kb import vocab
from kb.errors import NotFoundError, UsageError
from kb.knowledge import views
from kb.records import RuleNumber

if TYPE_CHECKING:
    from kb.store import OpenStore
    from kb.vocab import Minter


def number(store: OpenStore, minter: Minter, written: str) -> str:
    """Return the number of a rule or section that a release has.

    Raises:
        UsageError: it is no rule number.
        NotFoundError: the release has no such rule; the hint names the nearest.
    """
    digit = written.strip().rstrip(".")
    if len(digit) == 1 and digit.isdigit() and digit != "0":
        return digit
    parsed = RuleNumber.parse(written_number(written))
    if not views.exists(store, minter, str(parsed)):
        near = views.nearest(store, minter, parsed)
        raise NotFoundError(
            f"release {minter.release_name} has no rule {parsed}",
            hint=f"near it: {', '.join(near)}" if near else None,
        )
    return str(parsed)


def rule_or_entry(store: OpenStore, minter: Minter, value: str) -> str:
    """Return a rule's number, or ``glossary:Term`` with the term as the glossary writes it."""
    kind, _, name = value.partition(":")
    if kind == "glossary":
        return f"glossary:{views.term_view(store, minter, name).heading}"
    return number(store, minter, value)


def node(store: OpenStore, minter: Minter, written: str) -> NamedNode | Literal:
    """Return the IRI that someone writes: a number, a prefixed name, an IRI; or words."""
    prefix, colon, name = written.partition(":")
    try:
        if colon and prefix in vocab.PREFIXES:
            return NamedNode(vocab.PREFIXES[prefix] + name)
        if "://" in written:
            return NamedNode(written.strip("<>"))
    except ValueError as error:
        raise UsageError(f"{written!r} is no IRI", why=str(error)) from None
    if " " in written:
        return Literal(written)
    if views.exists(store, minter, written):
        return minter.rule(written)
    return Literal(written)


def in_history(store: OpenStore, value: str) -> str:
    """Return the name of a release of the history, by its name or date.

    Raises:
        NotFoundError: the history has no such release.
    """
    names: list[str] = store.manifest.get("history", [])
    if value == "latest" and names:
        return names[-1]
    found = [name for name in names if value in (name, name[:10])]
    if not found:
        raise NotFoundError(
            f"no release {value} in the history",
            where=str(store.folder),
            hint=f"it has {listed(names)}"
            if names
            else "a history needs two releases: mtgkb build FILE… --history FILE…",
        )
    return found[0]


def written_number(value: str) -> str:
    """Return a rule number as the rulebook writes it, whether a release has it or not.

    Raises:
        UsageError: it is no rule number.
    """
    try:
        return str(RuleNumber.understand(value))
    except ValueError:
        raise UsageError(
            f"{value!r} is no rule number", hint="rules are written 704, 704.5 or 704.5g"
        ) from None


def listed(names: list[str]) -> str:
    """Return names with commas, those in the middle left out where there are many."""
    shown = names if len(names) <= 6 else [*names[:2], "…", *names[-3:]]  # noqa: PLR2004
    return ", ".join(shown)
