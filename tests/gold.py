"""Answers of the catalogue measured against those that people checked by hand.

Run from the project's top: ``python -m tests.gold``. It builds the newest official release of
../shared, asks every question that has gold files there, and prints precision and recall.

``cards.json`` has for each card the rules that any judge would expect (must), rules that are
right but not required, and rules that must not appear; ``rulings-on.json`` has for each term
cards whose rulings surely speak of it, with all dates, and cards that only share a word.
"""

# ruff: noqa: T201 - a report is printed

from __future__ import annotations

import json
import lzma
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.knowledge import KnowledgeBase, build
from kb.queries import catalogue

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
RELEASE = "2026-06-19"
OFFICIAL = SHARED / "releases" / f"CR-{RELEASE.replace('-', '')}.txt"
CARDS, RULINGS_ON = SHARED / "gold" / "cards.json", SHARED / "gold" / "rulings-on.json"
CARD_FILE = SHARED / "cards" / "AtomicCards.json.xz"
FARTHEST = 2  # rows of a transitive question that are farther away do not count
_QUOTES = str.maketrans("’‘“”", "''\"\"")

Row = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """What an answer has right, what it lacks, what it has too much, and what nobody judged."""

    name: str
    right: int
    missing: tuple[Row, ...]
    extra: tuple[Row, ...]
    unlisted: tuple[Row, ...] = ()

    @property
    def precision(self) -> float:
        """The share of right rows; optional rows do not count, those not judged are wrong."""
        return share(self.right, len(self.extra) + len(self.unlisted))

    @property
    def recall(self) -> float:
        """The share of required rows that the answer has."""
        return share(self.right, len(self.missing))

    @property
    def perfect(self) -> bool:
        """Whether nothing is missing, and nothing that was judged is too much."""
        return not self.missing and not self.extra

    def __str__(self) -> str:
        lines = [measures(self.name, self.precision, self.recall)]
        lines += [f"    missing: {json.dumps(row, ensure_ascii=False)}" for row in self.missing]
        lines += [f"    extra:   {json.dumps(row, ensure_ascii=False)}" for row in self.extra]
        lines += [f"    unlisted: {json.dumps(row, ensure_ascii=False)}" for row in self.unlisted]
        return "\n".join(lines)


def share(right: int, wrong: int) -> float:
    """Return how much of all is right: 1 where there is nothing."""
    return right / (right + wrong) if right + wrong else 1.0


def measures(name: str, precision: float, recall: float) -> str:
    """Return a line of the report."""
    return f"{name:<50} precision {precision:.3f}  recall {recall:.3f}"


def gold_files() -> list[Path]:
    """Return the gold files of questions that the catalogue has; none where there are none."""
    files = sorted((SHARED / "gold" / RELEASE).glob("*.json"))
    return [path for path in files if path.stem.partition("--")[0] in catalogue()]


def load(path: Path) -> dict[str, Any]:
    """Return a gold file's content."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def parameters(gold: dict[str, Any]) -> dict[str, str]:
    """Return a gold file's parameters as the catalogue takes them."""
    given = gold.get("params") or {}
    return {n: str(v).lower() if isinstance(v, bool) else str(v) for n, v in given.items()}


def near(gold: dict[str, Any], rows: tuple[Row, ...]) -> list[Row]:
    """Return the rows that count: of a transitive question those that are near."""
    if parameters(gold).get("transitive") == "true":
        return [row for row in rows if row["distance"] <= FARTHEST]
    return list(rows)


def folded(value: object) -> object:
    """Return a name without regard to its case and the form of its quotes."""
    return value.translate(_QUOTES).casefold() if isinstance(value, str) else value


def accepts(gold: Row, key: tuple[str, ...], row: Row, *, optional: bool = False) -> bool:
    """Tell whether a row is the one that a gold row means.

    ``aka`` holds other spellings of the first key column, ``COLUMN_aka`` those of a column.
    An optional row may leave columns out, which then hold anything.
    """
    for position, column in enumerate(key):
        if column not in gold and optional:
            continue
        spellings = [gold.get(column), *gold.get(f"{column}_aka", [])]
        if position == 0:
            spellings += gold.get("aka", [])
        if folded(row.get(column)) not in map(folded, spellings):
            return False
    return True


def compare(name: str, gold: dict[str, Any], rows: tuple[Row, ...]) -> Result:
    """Compare an answer's rows with a gold file's."""
    key = catalogue()[gold["question"]].key
    distinct = {tuple(folded(row[column]) for column in key): row for row in near(gold, rows)}
    answer = [{column: row[column] for column in key} for row in distinct.values()]
    required = gold["rows"]
    missing = [r for r in required if not any(accepts(r, key, row) for row in answer)]
    extra = [
        row
        for row in answer
        if not any(accepts(r, key, row) for r in required)
        and not any(accepts(r, key, row, optional=True) for r in gold["optional"])
    ]
    return Result(name, len(required) - len(missing), tuple(missing), tuple(extra))


def measure(kb: KnowledgeBase, path: Path) -> Result:
    """Ask a gold file's question and compare the answer."""
    gold = load(path)
    answer = kb.ask(gold["question"], parameters(gold), gold["release"])
    return compare(path.stem, gold, answer.rows)


def named_in_gold() -> set[str]:
    """Return the names of all cards in the gold files on cards."""
    listed = {entry["card"] for entry in load(CARDS)["cards"]}
    for term in load(RULINGS_ON)["terms"]:
        listed.update(entry["card"] for entry in (*term["cards"], *term["not"]))
    return listed


def write_cards(target: Path) -> Path:
    """Write a card file that has the cards of the gold files alone."""
    with lzma.open(CARD_FILE, "rt", encoding="utf-8") as file:
        content = json.load(file)
    wanted = named_in_gold()
    content["data"] = {name: card for name, card in content["data"].items() if name in wanted}
    target.write_text(json.dumps(content), encoding="utf-8")
    return target


def stands_for(rule: str, gold: str) -> bool:
    """Tell whether a rule is the one of a gold row, or a subrule of it."""
    return rule == gold or (rule.startswith(gold) and rule[len(gold) :].isalpha())


def measure_card(kb: KnowledgeBase, gold: Row) -> Result:
    """Ask for the rules of a card: a row is right with its reason or another that is accepted."""
    rows = kb.ask("rules-for-card", {"card": gold["card"]}).rows
    missing = [
        wanted
        for wanted in gold["rows"]
        if wanted["must"] and not any(_is_right(row, wanted) for row in rows)
    ]
    known = [wanted["rule"] for wanted in gold["rows"]]
    wrong = [entry["rule"] for entry in gold["not"]]
    answer = [{"rule": row["rule"], "reasons": row["reasons"]} for row in rows]
    extra = [row for row in answer if any(stands_for(row["rule"], rule) for rule in wrong)]
    unlisted = [
        row for row in answer if not any(stands_for(row["rule"], rule) for rule in known + wrong)
    ]
    right = len(rows) - len(extra) - len(unlisted)
    name = f"rules-for-card {gold['card']}"
    return Result(name, right, tuple(missing), tuple(extra), tuple(unlisted))


def _is_right(row: Row, wanted: Row) -> bool:
    reasons = {wanted["reason"], *wanted.get("also", ())}
    return stands_for(row["rule"], wanted["rule"]) and bool(reasons & {*row["reasons"]})


def measure_term(kb: KnowledgeBase, gold: Row) -> Result:
    """Ask for the rulings on a term: only the cards of the gold count, with all their dates."""
    dates: dict[str, set[str]] = {}
    for row in kb.ask("rulings-on", {"term": gold["term"]}).rows:
        dates.setdefault(row["card"], set()).add(row["date"])
    wanted = {entry["card"]: {*entry["dates"]} for entry in gold["cards"]}
    missing = [
        {"card": card, "date": date}
        for card, days in wanted.items()
        for date in sorted(days - dates.get(card, set()))
    ]
    unwanted = {**wanted, **{entry["card"]: set() for entry in gold["not"]}}
    extra = [
        {"card": card, "date": date}
        for card, days in unwanted.items()
        for date in sorted(dates.get(card, set()) - days)
    ]
    right = sum(len(days & dates.get(card, set())) for card, days in wanted.items())
    return Result(f"rulings-on {gold['term']}", right, tuple(missing), tuple(extra))


def cards_report(folder: Path) -> list[Result]:
    """Return the results on cards, from a knowledge base of the gold's cards alone."""
    if not all(path.exists() for path in (CARDS, RULINGS_ON, CARD_FILE)):
        return []
    build([OFFICIAL], folder / "kb", cards=[write_cards(folder / "cards.json")])
    kb = KnowledgeBase.open(folder / "kb")
    results = [measure_card(kb, gold) for gold in load(CARDS)["cards"]]
    results += [measure_term(kb, gold) for gold in load(RULINGS_ON)["terms"]]
    kb.close()
    return results


def main() -> int:
    """Print a line a gold file and a total; return 1 if one lacks or has what it must not."""
    files = gold_files()
    if not files:
        print(f"no gold files for the catalogue's questions in ../shared/gold/{RELEASE}")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        cards = SHARED / "cards" / "AtomicCards.sample.json"
        build([OFFICIAL], Path(folder) / "kb", cards=[cards])
        kb = KnowledgeBase.open(Path(folder) / "kb")
        results = [measure(kb, path) for path in files]
        kb.close()
    with tempfile.TemporaryDirectory() as folder:
        results += cards_report(Path(folder))
    for result in results:
        print(result)
    right = sum(result.right for result in results)
    extra = sum(len(result.extra) + len(result.unlisted) for result in results)
    missing = sum(len(result.missing) for result in results)
    print(measures(f"{len(results)} answers", share(right, extra), share(right, missing)))
    return 0 if all(result.perfect for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
