"""Which rule a paragraph quotes, against rapidfuzz comparing it with every known text."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Any

from benchmarks.measure import clock, measured, subject
from benchmarks.tables import Row, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb.identify import Known
    from kb.knowledge import KnowledgeBase

SEED = 1
OURS, THEIRS = 400, 40
"""Paragraphs; fewer for the alternative, which compares each with every text."""
_LONG = 12  # words
_ENOUGH = 80  # what rapidfuzz takes for alike, of 100


def prepare(path: str, folder: str) -> dict[str, Any]:
    """Build a knowledge base, and make the index as its first use does."""
    from kb.knowledge import KnowledgeBase, build

    build([Path(path)], Path(folder))
    kb = KnowledgeBase.open(Path(folder))
    with clock() as time:
        kb.identify("")
    index = next(Path(folder).rglob("known.sqlite"))
    return {"seconds": time.seconds, "size": index.stat().st_size / 1e6}


def opened(folder: str) -> dict[str, Any]:
    """Open a knowledge base and identify one paragraph; the imports are timed as well."""
    with clock() as time:
        from kb.knowledge import KnowledgeBase

        KnowledgeBase.open(Path(folder)).identify("One paragraph that quotes nothing.")
    return {"seconds": time.seconds}


def identified(folder: str) -> dict[str, Any]:
    """Identify paragraphs one by one in a warm process."""
    kb, known = _opened(folder)
    kb.identify("")

    def find(page: str) -> str | None:
        found = [m for paragraph in kb.identify(page)[0] for m in paragraph.matches]
        return found[0].id if found else None

    return _timed(known, OURS, find)


def compared(folder: str) -> dict[str, Any]:
    """Compare paragraphs with every known text, and take the most alike."""
    from rapidfuzz import fuzz, process

    _, known = _opened(folder)
    texts = [one.text for one in known]

    def find(page: str) -> str | None:
        _, score, place = process.extract(page, texts, scorer=fuzz.ratio, limit=1)[0]
        return known[place].id if score >= _ENOUGH else None

    return _timed(known, THEIRS, find)


def _opened(folder: str) -> tuple[KnowledgeBase, list[Known]]:
    from kb.knowledge import KnowledgeBase
    from kb.knowledge.known import known_texts
    from kb.vocab import BASE

    kb = KnowledgeBase.open(Path(folder))
    return kb, list(known_texts(kb.store, BASE))


def _timed(known: list[Known], count: int, find: Callable[[str], str | None]) -> dict[str, Any]:
    """Time paragraphs made of texts drawn at random: each in turn whole, cut, amid other words."""
    drawn = random.Random(SEED)  # noqa: S311 - a sample, no secret
    long = [one for one in known if len(one.text.split()) >= _LONG and "\n" not in one.text]
    chosen = drawn.sample(long, min(count, len(long)))
    times, right = [], 0
    for n, one in enumerate(chosen):
        words = one.text.split()
        cut = " ".join(words[: max(_LONG, 2 * len(words) // 3)])
        amid = f"This is what we found, and wondered at: {one.text} Who of you knows more of it?"
        page = (one.text, f"{cut} …", amid)[n % 3]
        with clock() as time:
            found = find(page)
        times.append(time.seconds * 1e3)
        right += found == one.id
    cuts = quantiles(times, n=100, method="inclusive")
    return {"p50": cuts[49], "p95": cuts[94], "count": len(times), "right": right}


def run() -> Table:
    text = subject()
    module = "benchmarks.identifying"
    with tempfile.TemporaryDirectory() as temporary:
        folder = f"{temporary}/kb"
        made = measured(module, "prepare", str(text.path), folder)
        cold = measured(module, "opened", folder)
        ours = measured(module, "identified", folder)
        theirs = measured(module, "compared", folder)
    return Table(
        "Identifying",
        f"Paragraphs that quote a rule, term or example of {text.name}, drawn at random: a third "
        "of them the whole text, a third two thirds of it, a third the text amid other words. "
        f"`KnowledgeBase.identify` of one paragraph in a warm process, {ours['count']} of them, "
        "against `rapidfuzz.process.extract` (`fuzz.ratio`) over all texts, which gives the most "
        f"alike and nothing of what differs, where, or since when, {theirs['count']} of them. "
        f"The index is made at the first use in {made['seconds']:.1f} s and has "
        f"{made['size']:.1f} MB; a process that finds it answers in {cold['seconds']:.2f} s, "
        "imports counted.",
        "alternative",
        (
            Row("a paragraph, p50, against rapidfuzz", ours["p50"], theirs["p50"], "ms"),
            Row("a paragraph, p95, against rapidfuzz", ours["p95"], theirs["p95"], "ms"),
            Row(
                "of 100 paragraphs, named right",
                100 * ours["right"] / ours["count"],
                100 * theirs["right"] / theirs["count"],
            ),
            Row("peak memory, against rapidfuzz", ours["peak"], theirs["peak"], "MB"),
        ),
    )


if __name__ == "__main__":
    print(run().markdown())
