"""Files → a knowledge base on disk.

Files are read one at a time into a new generation; if one is no rulebook or card file, the
generation is thrown away and the old knowledge base stays. A build of what is there already,
by the same mtgkb, does nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from kb import resources
from kb.cards.files import uncollected
from kb.errors import SourceError, UsageError
from kb.knowledge.growing import Growth
from kb.knowledge.indexing import FOLDER
from kb.knowledge.work import Recipe, Work
from kb.store import Change, building, clean, fill, grow, manifest_of, open_store
from kb.vocab import BASE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date
    from pathlib import Path

    from kb.cards.page import RulingPage
    from kb.store import OpenStore


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build wrote: a summary of each release, and which were kept or left out."""

    folder: Path
    releases: tuple[dict[str, Any], ...]
    cards: dict[str, Any] | None = None
    kept: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    unchanged: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the report as ``--format json`` prints it."""
        return {
            "knowledge_base": str(self.folder),
            "releases": list(self.releases),
            "cards": self.cards,
            "kept": list(self.kept),
            "repeated": list(self.repeated),
            "unchanged": self.unchanged,
        }


def build(  # noqa: PLR0913 - each is a setting of the command
    files: Iterable[Path],
    folder: Path,
    *,
    cards: Iterable[Path] = (),
    add: bool = False,
    damaged: bool = False,
    effective: date | None = None,
    base: str | None = None,
    force: bool = False,
    pages: Iterable[RulingPage] = (),
    history: Iterable[Path] = (),
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> BuildReport:
    """Build a knowledge base from release files, and card and ruling files.

    Args:
        files: the texts, in any order; a text given twice is read once.
        folder: the knowledge base's folder.
        cards: card and ruling files, in any order.
        add: keep the releases, and without ``cards`` the cards, that are there already.
        damaged: accept a truncated text for what can be read of it.
        effective: the date of a text that states none.
        base: the base of all IRIs, ending with a slash; with ``add``, that of what is there.
        pages: texts of rulings as bullets, each with its card and date; they need ``cards``.
        history: texts that only the history of rules is to know, not read in full.
        force: build even if what is there was made from the same files.
        progress: called with what is done, how much, and of how much.

    Raises:
        UsageError: there is nothing to build from, or to add to with this base.
        SourceError: a file is not what it should be. The old knowledge base is as it was.
        StoreError: the folder cannot be written, or another build is at work.
    """
    before = manifest_of(folder)
    chosen = _base(base, before if add else None)
    recipe = Recipe(
        tuple(files), tuple(cards), chosen, add, damaged, effective, tuple(pages), tuple(history)
    )
    if recipe.pages and not recipe.cards:
        raise UsageError("a page's card is in no file", hint="name a card file: --cards FILE")
    if not recipe.files and not (add and before):
        raise UsageError("no release to build from", hint="name a text of the rules")
    digest = _digest(recipe)
    if before and not force and not add and before.get("recipe") == digest:
        clean(folder)
        releases = tuple(before["releases"])
        return BuildReport(folder, releases, before["cards"], unchanged=True)
    with building(folder) as generation:
        old = open_store(folder) if add and before else None
        try:
            with uncollected():
                work = _worked(recipe, old, generation, digest, progress)
        finally:
            if old:
                old.close()
    progress("done", 1, 1)
    new = [summary for summary in work.manifest["releases"] if summary["name"] in work.written]
    return BuildReport(
        folder,
        tuple(new),
        work.manifest["cards"],
        tuple(work.kept),
        tuple(work.repeated),
    )


def _worked(
    recipe: Recipe,
    old: OpenStore | None,
    generation: Path,
    digest: str,
    progress: Callable[[str, int, int], None],
) -> Work:
    """Fill a generation: with all there is, or with an old one and what changes in it."""
    if old is None or recipe.cards:
        work = Work(recipe, old, progress, generation / FOLDER)
        work.manifest["recipe"] = digest
        fill(generation, work.quads(), work.manifest, work.inferred)
        return work
    growth = Growth(recipe, old, progress, generation / FOLDER)
    growth.manifest["recipe"] = digest
    growth.read()
    change = Change(growth.gone(), growth.removed(), growth.quads())
    grow(generation, old, change, growth.manifest, growth.inferred)
    return growth


def _base(given: str | None, kept: dict[str, Any] | None) -> str:
    """Return the base of all IRIs: of what is kept, else the one given, else ours.

    Raises:
        UsageError: what is kept has another base than the one given.
    """
    if kept is None:
        return given or BASE
    base: str = kept.get("base", BASE)
    if given not in (None, base):
        raise UsageError(
            f"the knowledge base has the base {base}", hint="build it anew for another base"
        )
    return base


def _digest(recipe: Recipe) -> str:
    """Return a digest of all that a build depends on: files, settings, mtgkb's own files."""
    digest = sha256(repr((recipe.base, recipe.damaged, recipe.effective)).encode())
    sizes = len(recipe.files), len(recipe.cards), len(recipe.history)
    told = [sizes, *((page.card, page.published) for page in recipe.pages)]
    digest.update(repr(told).encode())
    pages = [*(page.path for page in recipe.pages), *sorted(recipe.history)]
    for path in (*sorted(recipe.files), *sorted(recipe.cards), *pages, *resources.own_files()):
        try:
            digest.update(sha256(path.read_bytes()).digest())
        except OSError as error:
            raise SourceError(
                "the file cannot be read", where=str(path), why=error.strerror or str(error)
            ) from error
    return digest.hexdigest()
