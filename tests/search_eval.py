"""How well search finds the rules that people cite: ``python -m tests.search_eval``.

Reads ``../shared/eval/search.jsonl`` (questions, the rules cited for each, a tier) and builds, or
takes by ``--kb``, a knowledge base of the release that the numbers belong to. A question counts as
answered at k if any of its rules is among the first k hits; ``family`` leaves the letter of a
subrule out. Plain BM25 over the rules' texts is measured in the same run. ``--ablations`` leaves
out one source of evidence at a time, ``--halves`` measures on random halves of the questions.
"""

# ruff: noqa: T201 - a report is printed

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
from collections import defaultdict
from dataclasses import fields, replace
from pathlib import Path

from kb.knowledge import KnowledgeBase, build
from kb.search import Weights
from kb.search.folding import folded
from kb.search.ranking import best_places
from kb.search.word_index import WordIndex

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
RELEASE = "2026-06-19"
DEPTH = 10
MEASURES = ("recall@1", "recall@5", "recall@10", "family@10", "MRR", "nDCG@10")


def questions(path=SHARED / "eval" / "search.jsonl"):
    """Return the questions, and how many cited numbers the release does not have."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def family(number):
    """Return a rule's number without a subrule's letter."""
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")


def measured(hits, cited):
    """Return the measures of one question: its hits in order, and the rules cited for it."""
    right = [hit in cited for hit in hits[:DEPTH]]
    first = right.index(True) + 1 if any(right) else 0
    gain = sum(1 / math.log2(place + 2) for place, is_right in enumerate(right) if is_right)
    most = sum(1 / math.log2(place + 2) for place in range(min(DEPTH, len(cited))))
    families = {family(number) for number in cited}
    return {
        "recall@1": any(right[:1]),
        "recall@5": any(right[:5]),
        "recall@10": any(right),
        "family@10": any(family(hit) in families for hit in hits[:DEPTH]),
        "MRR": 1 / first if first else 0.0,
        "nDCG@10": gain / most,
    }


def by_tier(search, rows):
    """Return the mean of each measure by tier, and over all (``all``)."""
    every = defaultdict(list)
    for row in rows:
        one = measured(search(row["question"]), set(row["rules"]))
        every[row["tier"]].append(one)
        every["all"].append(one)
    return {
        tier: {name: sum(one[name] for one in some) / len(some) for name in MEASURES}
        for tier, some in sorted(every.items())
    }


def searching(base, weights=None):
    """Return a function that gives the numbers of the rules found for a question."""
    searcher = base.searcher(RELEASE)

    def search(question):
        return [hit.id for hit in searcher.search(question, weights=weights, limit=DEPTH).hits]

    return search


def plain(base):
    """Return the same for BM25 over the rules' own texts, nothing else."""
    entries = base.searcher(RELEASE).index.entries["rule"]
    index = WordIndex.of([(1.0, folded(entry.text))] for entry in entries)

    def search(question):
        scores = index.scores(dict.fromkeys(folded(question), 1.0))
        return [entries[at].id for at in best_places(scores, DEPTH)]

    return search


def show(name, tiers):
    for tier, means in tiers.items():
        cells = " | ".join(f"{means[measure]:.2f}" for measure in MEASURES)
        print(f"| {name} | {tier} | {cells} |", flush=True)


def head():
    print(f"| | tier | {' | '.join(MEASURES)} |")
    print(f"|---|---|{'---|' * len(MEASURES)}")


def missing(base, rows):
    """Return the cited numbers that the release does not have, with their questions."""
    there = {entry.id for entry in base.searcher(RELEASE).index.entries["rule"]}
    return [(row["id"], n) for row in rows for n in row["rules"] if n not in there]


def ablations(base, rows):
    """Show what recall@10 and nDCG@10 become without each source of evidence."""
    print("| without | A | B | C | D | all | nDCG@10 |\n|---|---|---|---|---|---|---|")
    variants = {"nothing left out": Weights()} | {
        one.name: replace(Weights(), **{one.name: 0.0}) for one in fields(Weights)
    }
    for name, weights in variants.items():
        tiers = by_tier(searching(base, weights), rows)
        cells = " | ".join(f"{means['recall@10']:.3f}" for means in sorted_tiers(tiers))
        print(f"| {name} | {cells} | {tiers['all']['nDCG@10']:.3f} |", flush=True)


def sorted_tiers(tiers):
    return [means for tier, means in tiers.items() if tier != "all"] + [tiers["all"]]


def halves(base, rows, times=20):
    """Show how far the measures of random halves of the questions lie apart."""
    search = searching(base)
    hits = {row["question"]: search(row["question"]) for row in rows}
    draw, apart = random.Random(1), []  # noqa: S311 - no secret
    for _ in range(times):
        mixed = draw.sample(rows, len(rows))
        two = (mixed[: len(rows) // 2], mixed[len(rows) // 2 :])
        one, other = (by_tier(hits.get, half)["all"]["recall@10"] for half in two)
        apart.append(abs(one - other))
    print(f"recall@10 of two random halves: {sum(apart) / times:.3f} apart on the average")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", type=Path, help="a knowledge base of the release, with all cards")
    parser.add_argument("--ablations", action="store_true")
    parser.add_argument("--halves", action="store_true")
    parser.add_argument("--misses", action="store_true", help="list the questions not answered")
    given = parser.parse_args()
    folder = given.kb or Path(tempfile.mkdtemp()) / "kb"
    if not given.kb:
        text = SHARED / "releases" / "CR-20260619.txt"
        build([text], folder, cards=[SHARED / "cards" / "AtomicCards.json.xz"])
    base, rows = KnowledgeBase.open(folder), questions()
    print(f"{len(rows)} questions; cited but not in {RELEASE}: {missing(base, rows) or 'none'}\n")
    head()
    show("plain BM25", by_tier(plain(base), rows))
    show("search", by_tier(searching(base), rows))
    if given.ablations:
        ablations(base, rows)
    if given.halves:
        halves(base, rows)
    if given.misses:
        search = searching(base)
        for row in rows:
            hits = search(row["question"])
            if not set(hits) & set(row["rules"]):
                print(row["tier"], row["question"][:100], row["rules"], hits[:5])


if __name__ == "__main__":
    main()
