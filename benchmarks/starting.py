"""`mtgkb rule 704.5g` from a cold start, against Python that does nothing."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.measure import clock, program, subject
from benchmarks.tables import Row, Table

TIMES = 15
RULE = "704.5g"
MAIN = "from kb.cli import main; main()"
"""What the command does, for ``measure.program``."""


def command() -> str:
    """Return the path of the command that belongs to this Python."""
    return str(Path(sysconfig.get_path("scripts")) / "mtgkb")


def seconds(arguments: list[str]) -> float:
    """Return how long a command takes, from start to end."""
    with clock() as time:
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    return time.seconds


def peak(code: str, *arguments: str) -> float:
    """Return the peak memory of a Python program, the median of a few runs."""
    return median(program(code, *arguments)["peak"] for _ in range(3))


def run() -> Table:
    text = subject()
    with tempfile.TemporaryDirectory() as folder:
        seconds([command(), "build", "--kb", folder, str(text.path)])
        options = ["rule", RULE, "--kb", folder]
        commands = {
            "mtgkb": [command(), *options],
            "pass": [sys.executable, "-c", "pass"],
            "rdflib": [sys.executable, "-c", "import rdflib"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(TIMES + 1):
            for name, arguments in commands.items():
                times[name].append(seconds(arguments) * 1e3)
        ours, nothing, rdflib = (median(times[name][1:]) for name in commands)
        memory = peak(MAIN, *options)
    return Table(
        "Starting",
        f"`mtgkb rule {RULE}` on {text.name}, from the start of the process to its end, against "
        f"`python -c pass`: what Python itself costs. Median of {TIMES}, taken in turn after one "
        "run that does not count, so that files and byte code are in the system's cache. "
        "`python -c 'import rdflib'` is what a script over rdflib costs before it has read "
        "anything.",
        "alternative",
        (
            Row("time, `python -c pass`", ours, nothing, "ms"),
            Row("time, `python -c 'import rdflib'`", ours, rdflib, "ms"),
            Row("peak memory, `python -c pass`", memory, peak("pass"), "MB"),
            Row("peak memory, `python -c 'import rdflib'`", memory, peak("import rdflib"), "MB"),
        ),
    )


if __name__ == "__main__":
    print(run().markdown())
