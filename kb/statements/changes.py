"""Changes of state: what begins, becomes, ends, stays, is set, drawn or left out.

A clause's cue tells the kind; the state is what the words before or after the cue name. Each
reader below takes a cue and yields (kind, state, value).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.statements.forms import cues_of, parse, stated
from kb.statements.lexicon import Lexicon, folded
from kb.statements.phrases import names_in
from kb.statements.states import variant_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kb.records import Statement
    from kb.statements.forms import Cue
    from kb.statements.masked import Masked

# What stands before the cue is the subject: terminal → kind of statement.
_SUBJECT_FIRST = {
    "ENDS": "ends",
    "CARRIES_NOT": "ends",
    "RESETS": "resets",
    "UNCHANGED": "persists",
    "INVOLVED": "persists",
    "BEGINS_NEW": "persists",
    "FINISHES": "persists",
    "STARTS_OUT": "starts-with",
    "STARTING": "starts-with",
    "BECOMES": "becomes",
    "IN_NEW_GAME_IS": "assigned",
}
# Where what stands after the cue says nothing without the cue's own words.
_WHOLE = frozenset({"ENDS", "CARRIES_NOT", "UNCHANGED", "INVOLVED", "BEGINS_NEW", "FINISHES"})
# What stands after the cue is: terminal → kind of statement.
_SUBJECT_AFTER = {
    "HAS_NO_LONGER": "ends",
    "NONE_UNTIL": "starts-without",
    "NOT_UNTIL": "starts-without",
    "INCLUDING": "includes",
    "SETS": "starts-with",
    "BEGINS_WITH": "starts-with",
    "PUTS": "puts",
    "IS_IN_NEW_GAME": "assigned",
}
# Where a name and a value stand after the cue, what stands between the two.
_LINKS = {"SETS": " to ", "BEGINS_WITH": " of "}
# What there is none of, there is none of until something makes it.
_UNTIL = ("NOT_UNTIL", "NONE_UNTIL")
_POSSESSIVES = ("their ", "his or her ", "that player’s ", "that player's ")
_PRONOUNS = frozenset({"it", "they", "which", "there", "he", "she", "this", "one", "and", "that"})

Change = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Clause:
    """A cue with what is needed to read it: the other cues, the words, what came before."""

    cue: Cue
    cues: list[Cue]
    lexicon: Lexicon
    earlier: str

    @property
    def value(self) -> str:
        """The words after the cue."""
        return self.cue.after.removesuffix(" and").removesuffix(" as well").rstrip(" .")

    def names(self, phrase: str) -> tuple[str, ...]:
        """Return what a phrase names."""
        return names_in(phrase, self.lexicon)


def change_statements(sentence: Masked, lexicon: Lexicon, earlier: str = "") -> Iterator[Statement]:
    """Yield the changes of state that a sentence of a rule or ruling states.

    ``earlier`` is what the sentence before is about: "neither designation" means that.
    """
    tree = parse(sentence, "change")
    cues = cues_of(tree, "change", sentence) if tree is not None else []
    scope = variant_of(sentence) if cues else ""
    for cue in cues:
        read = _SPECIAL.get(cue.type, _subject_first if cue.type in _SUBJECT_FIRST else _after)
        for kind, name, value in read(_Clause(cue, cues, lexicon, earlier)):
            yield stated(kind, name, value, cue.token, sentence, scope=scope)


def _subject_first(clause: _Clause) -> Iterator[Change]:
    cue, value = clause.cue, clause.value
    whole = f"{str(cue.token).strip()} {value}".strip() if cue.type in _WHOLE else value
    for name in _subjects(clause):
        yield _SUBJECT_FIRST[cue.type], name, whole.removesuffix(" instead")
    if cue.type == "BECOMES" and value.startswith(_POSSESSIVES):
        for name in clause.names(value):
            yield "formed", name, folded(cue.before)


def _subjects(clause: _Clause) -> tuple[str, ...]:
    """Return what a cue is said of.

    "It remains the commander" says of the commander that it stays one.
    """
    cue = clause.cue
    names = clause.names(cue.before or cue.opening)
    if set(names) <= _PRONOUNS and cue.type == "UNCHANGED" and cue.after.startswith("that "):
        names = clause.names(cue.after)
    in_relative_clause = cue.before.endswith((" that", " which", " who"))
    return () if in_relative_clause else tuple(n for n in names if n not in _PRONOUNS)


def _after(clause: _Clause) -> Iterator[Change]:
    cue, value = clause.cue, clause.value
    if link := _LINKS.get(cue.type):
        value = value.partition(link)[2].removesuffix(" instead")
    if cue.type in _SUBJECT_AFTER and (cue.type not in _UNTIL or " until " in f" {value} "):
        for name in clause.names(cue.after):
            yield _SUBJECT_AFTER[cue.type], name, value


def _finishes(clause: _Clause) -> Iterator[Change]:
    """Read what finishes resolving; it is named by all its words, as there are many effects."""
    whole = folded(clause.cue.before).removeprefix("the ")
    if clause.names(clause.cue.before) and whole.split()[0] not in _PRONOUNS:
        yield "persists", whole, f"{clause.cue.token} {clause.value}".strip()


def _starts_at(clause: _Clause) -> Iterator[Change]:
    for name in clause.names(clause.value)[:1]:
        total = f"{name} total"  # "20 life" is the amount, where the release has a word for it
        whole = total if clause.lexicon.knows(total) else name
        yield "starts-with", whole, clause.value.split()[0]


def _neither(clause: _Clause) -> Iterator[Change]:
    yield "starts-without", clause.earlier or folded(clause.value), ""


def _for_the_game(clause: _Clause) -> Iterator[Change]:
    if clause.cue.previous == "GETS":
        for name in clause.names(clause.cue.before):
            yield "lasts-game", name, ""


def _exempted(clause: _Clause) -> Iterator[Change]:
    for name in clause.names(clause.cue.before):
        yield "exempt", f"exempted {name.split()[-1]}", f"{clause.cue.token} {clause.value}".strip()


def _exempts(clause: _Clause) -> Iterator[Change]:
    for name in clause.names(clause.value):
        yield "exempt", f"exempted {name}", f"{clause.cue.token}{clause.value}"


def _even_if(clause: _Clause) -> Iterator[Change]:
    """Read what is involved "even if those cards were not originally involved"."""
    state = folded(clause.value)
    if any(other.type == "INVOLVED" for other in clause.cues):
        for name in clause.names(str(clause.cue.token).removeprefix("even if ")):
            yield "persists", f"{name.split()[0]} {state.partition(' in ')[0]}", state


def _draws(clause: _Clause) -> Iterator[Change]:
    yield "draws", "hand", clause.value


def _never_moved(clause: _Clause) -> Iterator[Change]:
    yield "persists", " and ".join(clause.names(clause.value)), str(clause.cue.token)


_SPECIAL: dict[str, Callable[[_Clause], Iterator[Change]]] = {
    "FINISHES": _finishes,
    "STARTS_AT": _starts_at,
    "NEITHER": _neither,
    "FOR_THE_GAME": _for_the_game,
    "EXEMPTED": _exempted,
    "STAYS_OUT": _exempted,
    "EXEMPTS": _exempts,
    "EVEN_IF": _even_if,
    "DRAWS": _draws,
    "NEVER_MOVED": _never_moved,
}
