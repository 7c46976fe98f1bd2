"""`python -m benchmarks [NAME…]`: runs the benchmarks; `--write` puts them into the docs.

One that is run by itself takes the place of its own table there, or stands behind the others,
with the machine it was run on.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

from benchmarks.measure import TOP

if TYPE_CHECKING:
    from benchmarks.tables import Table

NAMES = (
    "parsing",
    "inferring",
    "storing",
    "querying",
    "starting",
    "building",
    "cards",
    "spelling",
    "identifying",
    "searching",
    "serving",
)
PAGE = TOP / "docs" / "benchmarks.md"
_FIGURES = re.compile(r"(<!-- figures -->\n).*(<!-- end of the figures -->)", re.DOTALL)


def machine() -> str:
    """Return what the figures depend on, without naming the machine."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("lark", "pyoxigraph", "rdflib"))
    load = f", load {os.getloadavg()[0]:.1f} as the run began" if hasattr(os, "getloadavg") else ""
    return (
        f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}{load}; "
        f"{platform.python_implementation()} {platform.python_version()}, "
        f"mtgkb {version('mtgkb')}, {versions}."
    )


def write(figures: str) -> None:
    """Put the figures where the page has them."""
    page, count = _FIGURES.subn(
        lambda match: f"{match[1]}\n{figures}\n\n{match[2]}", PAGE.read_text(encoding="utf-8")
    )
    if count != 1:
        sys.exit("docs/benchmarks.md has no place for the figures")
    PAGE.write_text(page, encoding="utf-8")


def write_one(table: str) -> None:
    """Put one table where the page has it, or behind the others."""
    page = PAGE.read_text(encoding="utf-8")
    heading = table.split("\n", 1)[0]
    alone = f"{table}\n\nRun by itself: {machine()}"
    old = re.compile(rf"{re.escape(heading)}\n.*?(?=\n## |\n<!-- end of the figures)", re.DOTALL)
    if old.search(page):
        page = old.sub(lambda _: f"{alone}\n", page, count=1)
    else:
        end = "<!-- end of the figures -->"
        page = page.replace(end, f"{alone}\n\n{end}")
    PAGE.write_text(page, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    parts = [f"Machine: {machine()}"]
    print(parts[0], flush=True)
    for name in asked.names or NAMES:
        table: Table = import_module(f"benchmarks.{name}").run()
        parts.append(table.markdown())
        print(f"\n{parts[-1]}", flush=True)
        if asked.write and asked.names:
            write_one(parts[-1])
    if asked.write and not asked.names:
        write("\n\n".join(parts))


if __name__ == "__main__":
    main()
