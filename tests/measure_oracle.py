"""How much of all oracle texts is typed, and how the keywords found agree with the file's.

Run as ``python -m tests.measure_oracle [FILE] [RELEASE]``.
"""

# ruff: noqa: T201 - it reports on standard output
from __future__ import annotations

import collections
import json
import lzma
import re
import sys
import time
from pathlib import Path

from kb.cards.oracle import KeywordLexicon, keywords_in, read_abilities
from kb.cards.oracle_lexicon import folded
from kb.rulebook import read_rulebook
from kb.source import read_source

BRACKETS = re.compile(r"\((?:[^()]|\([^()]*\))*\)|\"[^\"]*\"|“[^”]*”")
QUOTES = re.compile(r"\"[^\"]*\"|“[^”]*”")
APART = ("in reminder text", "in quotes", "not in the text")
VERDICTS = ("agreed", "missing", "extra", *APART)
SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
RELEASES = SHARED / "releases"


def names(path):
    """Return the faces of each name."""
    with lzma.open(path) as file:
        return list(json.load(file)["data"].values())


def kind_of(name, lexicon, listed):
    """Return the class of a name: what the file never lists as a keyword is not compared."""
    if name in lexicon.words:
        return "ability word"
    if name in lexicon.abilities or lexicon.heading(name):
        return "keyword ability"
    if name in lexicon.actions:
        return "keyword action" if name in listed else None
    return None


def implied(name, lexicon, theirs):
    """Yield what a name found stands for in the file, which lists some forms and not others."""
    yield name
    if heading := lexicon.heading(name):
        yield heading
        yield name.rsplit(" ", 1)[-1]
    yield name.rstrip("0123456789 ")
    yield from (other for other in theirs if name.startswith(f"{other} "))


def missing(name, faces):
    """Tell where a name stands that the file lists and the reader does not find.

    The file counts words in reminder text and in quotes (what a token does), and lists some
    names whose word the text does not have at all.
    """
    text = folded(" ".join(face.get("text", "") for face in faces))
    stem = name.removesuffix("y").removesuffix("e")
    if stem not in text:
        return "not in the text"
    if stem in BRACKETS.sub(" ", text):
        return "missing"
    return "in quotes" if any(stem in quote for quote in QUOTES.findall(text)) else APART[0]


def compare(faces, abilities, lexicon, listed, counts):
    """Count names agreed, missing and extra, by class.

    The file gives each face the keywords of the whole card, so cards are compared. A name
    found also counts for its heading, its last word or its first words where the file lists
    those; a name of the file that the release lacks is compared with the words before a dash.
    """
    theirs = {folded(name) for face in faces for name in face.get("keywords", ())}
    found = set(keywords_in(abilities))
    ours = set()
    for name in found:
        stands_for = set(implied(name, lexicon, theirs)) & theirs
        ours |= stands_for or {name}
    labels = {folded(ability.word) for ability in abilities if ability.word}
    for name in theirs | ours:
        kind = kind_of(name, lexicon, listed)
        if name in theirs and name in labels and kind is None:
            counts["agreed", "flavor word"][name] += 1
        elif name in theirs and kind is None:
            agreed = name in ours
            counts["agreed" if agreed else "missing", "no name of the release"][name] += 1
        elif kind is not None:
            if name not in theirs:
                verdict = "extra"
            else:
                verdict = "agreed" if name in ours else missing(name, faces)
            counts[verdict, kind][name] += 1


def report(counts):
    """Print, for each class, what agrees and what differs; then the share over all."""
    kinds = sorted({kind for _, kind in counts})
    for kind in kinds:
        print(kind, ", ".join(f"{v} {counts[v, kind].total()}" for v in VERDICTS), sep=": ")
        for verdict in VERDICTS[1:]:
            if most := counts[verdict, kind].most_common(25):
                print(f"  {verdict}:", ", ".join(f"{name} {count}" for name, count in most))
    numbers = [
        sum(counts[verdict, kind].total() for kind in kinds if kind != "no name of the release")
        for verdict in VERDICTS
    ]
    print(f"keyword uses, all differences counted: {numbers[0] / sum(numbers):.2%}")
    print(f"without reminder text, quotes and what is absent: {numbers[0] / sum(numbers[:3]):.2%}")


def main(arguments):
    """Measure; ``--plain`` prints what is left plain."""
    given = [Path(argument) for argument in arguments if not argument.startswith("--")]
    defaults = [SHARED / "cards" / "AtomicCards.json.xz", *sorted(RELEASES.glob("CR-*.txt"))[-1:]]
    cards, release = given + defaults[len(given) :]
    lexicon = KeywordLexicon.of(read_rulebook(read_source(release))[0])
    groups = names(cards)
    listed = {folded(n) for faces in groups for face in faces for n in face.get("keywords", ())}
    started = time.perf_counter()
    results = [
        [a for face in faces for a in read_abilities(face.get("text", ""), face["types"], lexicon)]
        for faces in groups
    ]
    seconds = time.perf_counter() - started
    kinds = collections.Counter(ability.kind for abilities in results for ability in abilities)
    total = kinds.total()
    print(f"{sum(map(len, groups))} faces, {total} paragraphs, {seconds:.1f} s, {release.name}")
    for kind, count in kinds.most_common():
        print(f"  {kind:10} {count:6} {count / total:7.2%}")
    print(f"typed: {1 - kinds['plain'] / total:.2%}")
    counts = collections.defaultdict(collections.Counter)
    for faces, abilities in zip(groups, results, strict=True):
        compare(faces, abilities, lexicon, listed, counts)
    report(counts)
    if "--plain" in arguments:
        plain = {a.text for abilities in results for a in abilities if a.kind == "plain"}
        print(*sorted(plain), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
