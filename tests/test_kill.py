"""A build that is killed, at whatever moment, leaves the old knowledge base or the new."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time

import pytest
from test_store import NEW, OLD, count, folder, generations, texts  # noqa: F401 - fixtures

from kb.knowledge import build

START = """
import os, signal, sys
from pathlib import Path
from kb import store
from kb.knowledge import build
die = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
progress = lambda *_: None
"""
RUN = """
print("ready", flush=True)
build([Path(sys.argv[1])], Path(sys.argv[2]), progress=progress)
"""
READING = "progress = lambda what, *_: what.startswith('reading') and die()"
WRITING = """
module = sys.modules["kb.knowledge.work"]
whole = module.reading_quads
def part(*given):
    for number, quad in enumerate(whole(*given)):
        yield quad if number < 50 else die()
module.reading_quads = part
"""
SWAPPED = "swap = store._swap; store._swap = lambda *given: (swap(*given), die())"
MOMENTS = {
    "as the file is read": (READING, OLD),
    "as the graph is written": (WRITING, OLD),
    "between graph and manifest": ("store.json.dumps = die", OLD),
    "before the swap": ("store._swap = die", OLD),
    "in the midst of the swap": ("Path.replace = die", OLD),
    "after the swap": (SWAPPED, NEW),
}


def start(text, place, hook=""):
    """Start a build in a process of its own and return it as the build begins."""
    process = subprocess.Popen(
        [sys.executable, "-c", START + hook + RUN, str(text), str(place)], stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"ready\n"
    return process


def end(process):
    """Wait for a process's end and return its code."""
    process.stdout.close()
    return process.wait(timeout=60)


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_a_known_moment(folder, texts, moment):  # noqa: F811
    hook, expected = MOMENTS[moment]
    assert end(start(texts[NEW], folder, hook)) == -signal.SIGKILL
    assert count(folder) == expected
    build([texts[OLD]], folder)
    assert count(folder) == OLD
    assert_clean(folder)


@pytest.mark.parametrize("moments", [12, pytest.param(100, marks=pytest.mark.exhaustive)])
def test_killed_at_random_moments(folder, texts, moments):  # noqa: F811
    began = time.monotonic()
    assert end(start(texts[NEW], folder)) == 0
    whole = time.monotonic() - began  # with the start-up, so that some builds end in peace
    chance = random.Random(moments)  # noqa: S311 - moments, not secrets
    for _ in range(moments):
        build([texts[OLD]], folder)
        assert_clean(folder)
        process = start(texts[NEW], folder)
        moment = chance.uniform(0, whole / 2)
        time.sleep(moment)
        process.kill()
        code = end(process)
        found = count(folder)
        assert code in (-signal.SIGKILL, 0), f"killed after {moment} s"
        assert found in ((NEW,) if code == 0 else (OLD, NEW)), f"killed after {moment} s"


def assert_clean(folder):  # noqa: F811
    """Check that only the current generation is left."""
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted([".lock", "CURRENT", *generations(folder)])
    assert generations(folder) == [(folder / "CURRENT").read_text().strip()]
