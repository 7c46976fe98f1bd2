"""A knowledge base that grows by `build --add` is the one built of everything at once."""

from __future__ import annotations

import random
import signal
from concurrent.futures import ThreadPoolExecutor
from shutil import copytree
from threading import Event

import pytest
from card_objects import card, file, ruled
from history_rulebook import LEAVES, MIDDLE, NEW, OLD, SHOWS, STAYS, WAITS, asked, release_text
from test_kill import assert_clean, end, start
from tools import rulebook, written

from kb.knowledge import KnowledgeBase, build

LAST = "2032-05-01"
TWICE = "It is turned over at once."
"""Stands under two rules of the last release: which is which, the context says."""
FOURTH = rulebook(
    f"""\
100. Pebbles
100.1. A game has two players and one board of nine fields.
100.2. A player who touches a pebble must move it, as rule 101.2 tells.
100.2a {TWICE}
100.3. Each player begins the game with eight pebbles of one color. See rule 104.9.
101. Moving
101.1. {SHOWS}
101.1a {TWICE}
101.2. A gray pebble may be moved to any field that lies beside it.
101.3. {STAYS}
102. Leaving
102.1. {LEAVES}
102.2. {WAITS}""",
    date="May 1, 2032",
)
TEXTS = {**{name: release_text(name) for name in (OLD, MIDDLE, NEW)}, LAST: FOURTH}
VARYING = ("recipe",)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Four small releases, the last one with rules of one wording and a reference to nowhere."""
    folder = tmp_path_factory.mktemp("texts")
    return {name: written(folder, f"{name}.txt", text) for name, text in TEXTS.items()}


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cards")
    drawn = card("Loud Pebble", "p1", object="card", type_line="Stone", oracle_text="Jump.")
    said = ruled("A jump is a move.", oracle_id="p1", object="ruling", source="wotc")
    return [file(folder, [drawn], "cards.json"), file(folder, [said], "rulings.json")]


def content(folder):
    """Return all that a knowledge base holds: its quads, and what its manifest says."""
    kb = KnowledgeBase.open(folder)
    quads = {str(quad) for quad in kb.store.graph}
    manifest = {name: told for name, told in kb.store.manifest.items() if name not in VARYING}
    kb.close()
    return quads, manifest


def differing(one, other):
    """Return the quads that only one of two knowledge bases has, for a readable failure."""
    return sorted(one[0] ^ other[0])[:10], one[1] == other[1]


def grown(folder, files, steps):
    """Build step after step, each of releases in full and for the history alone."""
    for number, (full, past) in enumerate(steps):
        texts, history = ([files[name] for name in names] for names in (full, past))
        build(texts, folder, history=history, add=number > 0)
    return content(folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory, files):
    """What a knowledge base holds that is built at once of all that steps have; built once."""
    known = {}

    def built(steps):
        full = tuple(sorted({name for names, _ in steps for name in names}))
        past = tuple(sorted({name for _, names in steps for name in names} - {*full}))
        if (full, past) not in known:
            folder = tmp_path_factory.mktemp("whole")
            build([files[n] for n in full], folder, history=[files[n] for n in past])
            known[full, past] = content(folder)
        return known[full, past]

    return built


STEPS = {
    "the newest first": [([LAST], []), ([NEW], []), ([MIDDLE], []), ([OLD], [])],
    "for the history later": [([LAST], []), ([], [OLD]), ([], [NEW]), ([], [MIDDLE])],
    "two and two": [([MIDDLE], [LAST]), ([OLD], [NEW])],
    "what was history alone in full": [([LAST], [OLD, MIDDLE]), ([MIDDLE], [])],
    "what is in full for history": [([OLD, LAST], []), ([], [OLD, NEW])],
    "nothing new": [([OLD, LAST], [NEW]), ([LAST], [OLD]), ([], [NEW])],
}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_what_grew_is_what_is_built_at_once(tmp_path, files, whole, steps):
    assert differing(grown(tmp_path, files, steps), whole(steps)) == ([], True)


SEEDS = [*range(2), *(pytest.param(n, marks=pytest.mark.exhaustive) for n in range(2, 80))]


@pytest.mark.parametrize("seed", SEEDS)
def test_in_whatever_order_and_way_releases_come_the_result_is_the_same(
    tmp_path, files, whole, seed
):
    chance = random.Random(seed)  # noqa: S311 - orders, not secrets
    names = chance.sample([*TEXTS], chance.randint(2, 4))
    names += chance.choices(names, k=chance.randint(0, 2))
    steps = [([names.pop()], [])]
    while names:
        some = [names.pop() for _ in range(min(len(names), chance.randint(1, 2)))]
        full = [name for name in some if chance.random() < 0.5]
        steps.append((full, [name for name in some if name not in full]))
    assert differing(grown(tmp_path, files, steps), whole(steps)) == ([], True), steps


def test_a_changed_text_of_a_day_stands_beside_the_first_and_not_in_the_history(tmp_path, files):
    changed = written(tmp_path, "changed.txt", TEXTS[MIDDLE].replace("eight", "nine"))
    build([files[OLD], files[MIDDLE]], tmp_path / "kb")
    build([changed], tmp_path / "kb", add=True)
    build([files[OLD], files[MIDDLE], changed], tmp_path / "whole")
    told, expected = content(tmp_path / "kb"), content(tmp_path / "whole")
    assert differing(told, expected) == ([], True)
    names = [summary["name"] for summary in told[1]["releases"]]
    assert len(names) == 3
    assert names[:2] == told[1]["history"] == [OLD, MIDDLE]
    assert names[2].startswith(MIDDLE)


def test_a_changed_text_for_the_history_takes_the_place_of_the_one_for_it(tmp_path, files):
    changed = written(tmp_path, "changed.txt", TEXTS[MIDDLE].replace("eight", "nine"))
    build([files[NEW]], tmp_path / "kb", history=[files[MIDDLE]])
    build([], tmp_path / "kb", add=True, history=[changed])
    build([files[NEW]], tmp_path / "whole", history=[changed])
    assert differing(content(tmp_path / "kb"), content(tmp_path / "whole")) == ([], True)


def test_a_release_in_full_goes_before_a_text_of_its_day_for_the_history(tmp_path, files):
    changed = written(tmp_path, "changed.txt", TEXTS[MIDDLE].replace("eight", "nine"))
    build([files[NEW], files[MIDDLE]], tmp_path / "kb")
    build([], tmp_path / "kb", add=True, history=[changed])
    build([files[NEW], files[MIDDLE]], tmp_path / "whole", history=[changed])
    assert differing(content(tmp_path / "kb"), content(tmp_path / "whole")) == ([], True)


def test_cards_and_what_searches_them_stay(tmp_path, files, cards):
    build([files[NEW]], tmp_path / "kb", cards=cards, history=[files[MIDDLE]])
    before = content(tmp_path / "kb")
    build([files[OLD]], tmp_path / "kb", add=True)
    after = content(tmp_path / "kb")
    assert {q for q in before[0] if "/cards>" in q} == {q for q in after[0] if "/cards>" in q}
    assert after[1]["cards"] == before[1]["cards"]
    build([files[NEW], files[OLD]], tmp_path / "whole", cards=cards, history=[files[MIDDLE]])
    assert differing(after, content(tmp_path / "whole")) == ([], True)
    kb = KnowledgeBase.open(tmp_path / "kb")
    assert kb.card("Loud Pebble")
    found = [kb.search("jump", kinds=[kind]).hits for kind in ("card", "ruling")]
    assert all(found)
    for release in (OLD, NEW):
        assert kb.search("gray pebble", release=release).hits
    kb.close()


def test_the_files_of_the_old_generation_are_shared_and_not_written_to(tmp_path, files, whole):
    build([files[NEW]], tmp_path / "kb")
    reader = KnowledgeBase.open(tmp_path / "kb")
    before = {
        path: (path.stat().st_ino, path.read_bytes())
        for path in reader.store.generation.rglob("*.sst")
    }
    build([files[OLD]], tmp_path / "kb", add=True)
    assert {path: (path.stat().st_ino, path.read_bytes()) for path in before} == before
    (new,) = {*(tmp_path / "kb").glob("kb-*")} - {reader.store.generation}
    shared = {path.stat().st_ino for path in new.rglob("*.sst")}
    assert shared & {inode for inode, _ in before.values()}
    assert [summary["name"] for summary in reader.releases] == [NEW]
    reader.close()
    build([files[MIDDLE]], tmp_path / "kb", add=True)
    assert not new.exists()
    steps = [([NEW], []), ([OLD], []), ([MIDDLE], [])]
    assert differing(content(tmp_path / "kb"), whole(steps)) == ([], True)


def test_two_readers_see_the_old_or_the_new_while_it_grows(tmp_path, files):
    folder, stop = tmp_path / "kb", Event()
    build([files[OLD]], folder, history=[files[MIDDLE]])

    def read():
        seen = set()
        while not stop.is_set():
            kb = KnowledgeBase.open(folder)
            names = {summary["name"] for summary in kb.releases}
            rows = asked(kb, "rule-history", "release", rule="100.1")
            assert {release for (release,) in rows} == {*kb.store.manifest["history"]}
            assert all(kb.rule("100.1", name).text for name in names)
            kb.close()
            seen.add(frozenset(names))
        return seen

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        try:
            for name in (NEW, LAST, MIDDLE):
                build([files[name]], folder, add=True)
        finally:
            stop.set()
        seen = [reader.result() for reader in readers]
    steps = [{OLD}, {OLD, NEW}, {OLD, NEW, LAST}, {*TEXTS}]
    assert seen[0] | seen[1] <= {frozenset(names) for names in steps}
    assert content(folder)[1]["history"] == [*TEXTS]


GROW = """
from functools import partial
build = partial(build, add=True)
"""
WRITING = """
import kb.knowledge.growing as module
whole = module.reading_quads
def part(*given):
    for number, quad in enumerate(whole(*given)):
        yield quad if number < 50 else die()
module.reading_quads = part
"""
COPIED = """
from kb.knowledge.growing import Growth
def gone(self):
    yield die()
Growth.gone = gone
"""
INFERRING = "import kb.knowledge.growing as module; module.inferred_quads = die"
SWAPPED = "swap = store._swap; store._swap = lambda *given: (swap(*given), die())"
MOMENTS = {
    "when the old one is copied": (COPIED, 1),
    "as the new quads are written": (WRITING, 1),
    "as it infers": (INFERRING, 1),
    "after the swap": (SWAPPED, 2),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory, files):
    """A knowledge base that is copied to be grown, and what it holds."""
    folder = tmp_path_factory.mktemp("small") / "kb"
    build([files[NEW]], folder)
    return folder, content(folder)


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_as_it_grows(tmp_path, files, whole, small, moment):
    hook, expected = MOMENTS[moment]
    folder, before = small
    folder = copytree(folder, tmp_path / "kb")
    assert end(start(files[OLD], folder, GROW + hook)) == -signal.SIGKILL
    killed = content(folder)
    assert len(killed[1]["releases"]) == expected
    assert expected > 1 or killed == before
    build([files[OLD]], folder, add=True)
    assert differing(content(folder), whole([([NEW, OLD], [])])) == ([], True)
    assert_clean(folder)
