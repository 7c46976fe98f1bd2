"""How much of all oracle texts is typed, and how the keywords found agree with the file's.

Run as ``python -m tests.measure_oracle [FILE] [RELEASE]``.
"""

from __future__ import annotations

import collections
import json
import lzma
import sys
import time
from pathlib import Path

from kb.cards.oracle_lexicon import folded
from kb.cards.oracle import KeywordLexicon, keywords_in, read_abilities
from kb.rulebook import read_rulebook
from kb.source import read_source

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def faces(path):
    with lzma.open(path) as file:
        for found in json.load(file)["data"].values():
            yield from found


def kind_of(name, lexicon, listed):
    """Return the class of a name: what the file never lists as a keyword is not compared."""
    if name in lexicon.words:
        return "ability word"
    if name in lexicon.abilities or lexicon.heading(name):
        return "keyword ability"
    if name in lexicon.actions:
        return "keyword action" if name in listed else None
    return None


def compare(face, abilities, lexicon, listed, counts):
    """Count names agreed, missing and extra, by class.

    A variant found counts for its heading, too, where the file lists it; names that the
    release does not have are compared with the words before a dash.
    """
    theirs = {folded(name) for name in face.get("keywords", ())}
    ours = set(keywords_in(abilities))
    ours |= {h for name in ours if (h := lexicon.heading(name)) and h in theirs}
    labels = {folded(ability.word) for ability in abilities if ability.word}
    for name in theirs | ours:
        kind = kind_of(name, lexicon, listed)
        if kind is None and name in theirs:
            kind = "flavor word" if name in labels else "no name of the release"
            counts["agreed" if name in labels else "missing", kind][name] += 1
        elif kind is not None:
            verdict = "agreed" if name in theirs & ours else "missing"
            counts[verdict if name in theirs else "extra", kind][name] += 1


def report(counts):
    kinds = sorted({kind for _, kind in counts})
    for kind in kinds:
        numbers = [counts[verdict, kind].total() for verdict in ("agreed", "missing", "extra")]
        share = numbers[0] / sum(numbers)
        print(f"{kind}: agreed {numbers[0]}, missing {numbers[1]}, extra {numbers[2]}: {share:.2%}")
        for verdict in ("missing", "extra"):
            most = counts[verdict, kind].most_common(25)
            print(f"  {verdict}:", ", ".join(f"{name} {count}" for name, count in most))
    named = [kind for kind in kinds if kind != "no name of the release"]
    agreed = sum(counts["agreed", kind].total() for kind in named)
    every = sum(
        counts[verdict, kind].total() for kind in named for verdict in ("agreed", "missing", "extra")
    )
    print(f"keyword uses: {agreed} of {every} agree: {agreed / every:.2%}")


def main(arguments):
    show = "--plain" in arguments
    given = [argument for argument in arguments if not argument.startswith("--")]
    cards = Path(given[0]) if given else SHARED / "cards" / "AtomicCards.json.xz"
    releases = sorted((SHARED / "releases").glob("CR-*.txt"))
    release = Path(given[1]) if len(given) > 1 else releases[-1]
    lexicon = KeywordLexicon.of(read_rulebook(read_source(release))[0])
    read = list(faces(cards))
    listed = {folded(name) for face in read for name in face.get("keywords", ())}
    started = time.perf_counter()
    results = [read_abilities(face.get("text", ""), tuple(face["types"]), lexicon) for face in read]
    seconds = time.perf_counter() - started
    kinds = collections.Counter(ability.kind for abilities in results for ability in abilities)
    total = kinds.total()
    print(f"{len(read)} faces, {total} paragraphs, {seconds:.1f} s, {release.name}")
    for kind, count in kinds.most_common():
        print(f"  {kind:10} {count:6} {count / total:7.2%}")
    print(f"typed: {1 - kinds['plain'] / total:.2%}")
    counts = collections.defaultdict(collections.Counter)
    for face, abilities in zip(read, results, strict=True):
        compare(face, abilities, lexicon, listed, counts)
    report(counts)
    if show:
        plain = {a.text for abilities in results for a in abilities if a.kind == "plain"}
        print(*sorted(plain), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
