"""Runs a function in a process of its own, and says how long it took and how much it held.

Every figure comes from a fresh process, so that what one measurement imported or cached
cannot help or burden another. A measured function returns what it wants to report as a dict;
the process adds the peak of its memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

TOP = Path(__file__).resolve().parent.parent
RELEASES = TOP.parent / "shared" / "releases"
_PEAK = """
def peak():
    try:
        with open("/proc/self/status") as status:
            return next(int(l.split()[1]) for l in status if l.startswith("VmHWM")) * 1024 / 1e6
    except OSError:
        import resource, sys
        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return size * (1 if sys.platform == "darwin" else 1024) / 1e6
"""
# The largest resident memory of a process, in MB. Linux carries ``ru_maxrss`` over from the
# process that started this one, so the kernel's own high-water mark is read where there is one.

_FUNCTION = """
import importlib, json, sys
module, function, arguments = sys.argv[1:]
result = getattr(importlib.import_module(module), function)(*json.loads(arguments))
print(json.dumps({**result, "peak": peak()}))
"""

_PROGRAM = """
import atexit, sys
atexit.register(lambda: print(peak(), file=sys.stderr))
"""


@dataclass(frozen=True, slots=True)
class Subject:
    """The text that is measured."""

    path: Path
    name: str

    @property
    def megabytes(self) -> float:
        """The size of the file in MB."""
        return self.path.stat().st_size / 1e6


class Clock:
    """How long the block took, in seconds."""

    seconds = 0.0


@contextmanager
def clock() -> Iterator[Clock]:
    """Time a block."""
    result, start = Clock(), perf_counter()
    yield result
    result.seconds = perf_counter() - start


def subject() -> Subject:
    """Return the newest official release beside the project, else the concise edition."""
    official = official_releases()
    if official:
        day = official[-1].stem.removeprefix("CR-")[:8]
        return Subject(official[-1], f"the official release {day[:4]}-{day[4:6]}-{day[6:]}")
    return Subject(TOP / "rules" / "concise-edition.txt", "the concise edition")


def official_releases() -> list[Path]:
    """Return the official releases beside the project, oldest first; none is shipped."""
    return sorted(RELEASES.glob("CR-*.txt"))


def measured(
    module: str, function: str, *arguments: object, limit: float | None = None
) -> dict[str, Any]:
    """Call a function of a benchmark in a fresh process and return what it reports.

    Raises:
        subprocess.TimeoutExpired: it took longer than ``limit`` seconds.
    """
    done = subprocess.run(
        [sys.executable, "-c", _PEAK + _FUNCTION, module, function, json.dumps(arguments)],
        cwd=TOP,
        stdout=subprocess.PIPE,
        timeout=limit,
        check=True,
    )
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


def program(code: str, *arguments: str) -> dict[str, float]:
    """Run a Python program and return its seconds, from start to end, and its peak memory.

    Raises:
        subprocess.CalledProcessError: it failed; what it said is printed.
    """
    with clock() as time:
        done = subprocess.run(
            [sys.executable, "-c", _PEAK + _PROGRAM + code, *arguments],
            cwd=TOP,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    return {"seconds": time.seconds, "peak": float(done.stderr.splitlines()[-1])}


def medians(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the median of each number in the reports, and of the rest the first."""
    return {
        name: median(run[name] for run in runs) if isinstance(value, int | float) else value
        for name, value in runs[0].items()
    }


def alternately(times: int, module: str, *functions: str, arguments: list[object]) -> list[Any]:
    """Measure several functions in turn, so that noise falls on all; return their medians."""
    runs: dict[str, list[dict[str, Any]]] = {function: [] for function in functions}
    for _ in range(times):
        for function in functions:
            runs[function].append(measured(module, function, *arguments))
    return [medians(runs[function]) for function in functions]


def folder_size(folder: Path) -> float:
    """Return the size of all files below a folder, in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
