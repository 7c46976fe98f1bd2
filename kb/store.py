"""Opens, fills and reads a store; the only holder of one.

A knowledge base is a folder:

    CURRENT          the name of the generation that readers open
    kb-…/graph/      a generation: an Oxigraph database
    kb-…/search/     the indexes that a search reads, one a release and one of the cards
    kb-…/manifest.json   what is in it (releases, counts, digests)
    kb-…/known.sqlite    the texts that a page may quote, indexed (kb/knowledge/kept.py)
    .lock            held by the builder

A build writes a new generation beside the old and swaps ``CURRENT`` by one rename, so that a
kill at any moment leaves the old or the new. A reader holds a shared lock on its generation;
the builder removes an older one only when nobody holds it.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyoxigraph import NamedNode, Quad, Store

from kb.errors import StoreError

try:
    import fcntl
except ImportError:  # not a POSIX system: generations are then kept until the next build
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pyoxigraph import QueryBoolean, QuerySolutions, QueryTriples

SCHEMA = 2
"""The version of the graph's shape; a store of another version is refused with a hint."""

_AT_ONCE = 250_000
_FEW = 50_000  # quads that are not worth files of their own

_CURRENT, _LOCK, _MANIFEST, _GRAPH, _PREFIX = "CURRENT", ".lock", "manifest.json", "graph", "kb-"


@dataclass(frozen=True, slots=True)
class OpenStore:
    """A store open for reading, with its manifest; ``generation`` is the folder it is in."""

    folder: Path
    manifest: dict[str, Any]
    graph: Store
    generation: Path
    _hold: int | None = None

    def beside(self, name: str) -> Path:
        """Return the path of what a build put beside the graph, whether it is there or not."""
        return self.generation / name

    def quads(self, graph: NamedNode) -> Iterator[Quad]:
        """Yield the quads of one named graph."""
        return self.graph.quads_for_pattern(None, None, None, graph)

    def query(
        self,
        text: str,
        *,
        default: Iterable[NamedNode] | None,
        named: Iterable[NamedNode] | None = None,
        base: str | None = None,
        prefixes: Mapping[str, str] | None = None,
    ) -> QuerySolutions | QueryTriples | QueryBoolean:
        """Run a SPARQL query, its default graph being the union of those given.

        With None, the query chooses its own default graph. ``named`` are the graphs that GRAPH
        sees; with None it is all of them.

        Raises:
            SyntaxError: the query is malformed.
        """
        return self.graph.query(
            text,
            base_iri=base,
            prefixes=dict(prefixes or {}),
            default_graph=None if default is None else list(default),
            named_graphs=None if named is None else list(named),
        )

    def close(self) -> None:
        """Give the generation up: a builder may now remove it."""
        _release(self._hold)


def current_generation(folder: Path) -> str | None:
    """Return the name of the generation that a reader would open now, or None."""
    generation = _current(folder)
    return generation.name if generation else None


def open_store(folder: Path, name: str | None = None) -> OpenStore:
    """Open the current generation of a knowledge base for reading, or one that is still held.

    Raises:
        StoreError: there is none, it is of another version, or it cannot be read.
    """
    for _ in range(3):  # a build may remove the generation between the two steps
        generation = folder / name if name else _current(folder)
        if generation is None:
            raise StoreError(
                "there is no knowledge base here",
                where=str(folder),
                hint="build one: mtgkb build [FILE…]",
            )
        hold = _hold(generation)
        try:
            manifest = _read_manifest(generation)
            _check_schema(manifest, folder)
            graph = Store.read_only(str(generation / _GRAPH))
            return OpenStore(folder, manifest, graph, generation, hold)
        except StoreError:
            _release(hold)
            raise
        except (OSError, ValueError) as error:
            _release(hold)
            if name or _current(folder) == generation:
                raise StoreError(
                    "the knowledge base cannot be opened",
                    where=str(generation),
                    why=str(error),
                    hint="build it again: mtgkb build [FILE…]",
                ) from error
    raise StoreError("the knowledge base changes too fast to be opened", where=str(folder))


def manifest_of(folder: Path) -> dict[str, Any] | None:
    """Return what a knowledge base says of itself, or None where there is none to be read."""
    generation = _current(folder)
    if generation is None:
        return None
    try:
        manifest = _read_manifest(generation)
    except (OSError, ValueError):
        return None
    return manifest if manifest["schema"] == SCHEMA else None


def _read_manifest(generation: Path) -> dict[str, Any]:
    """Read a manifest.

    Raises:
        OSError, ValueError: it is not there, or is no manifest.
    """
    manifest = json.loads((generation / _MANIFEST).read_text(encoding="utf-8"))
    if not isinstance(manifest, dict) or "schema" not in manifest:
        raise ValueError(f"{_MANIFEST} is no manifest")
    if manifest["schema"] == SCHEMA and not (
        isinstance(manifest.get("releases"), list) and manifest["releases"]
    ):
        raise ValueError(f"{_MANIFEST} lists no releases")
    return manifest


def _check_schema(manifest: dict[str, Any], folder: Path) -> None:
    if manifest["schema"] != SCHEMA:
        raise StoreError(
            f"the knowledge base has version {manifest['schema']}, this mtgkb reads {SCHEMA}",
            where=str(folder),
            hint="build it again: mtgkb build [FILE…]",
        )


def _current(folder: Path) -> Path | None:
    try:
        name = (folder / _CURRENT).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
    return folder / name if name.startswith(_PREFIX) and "/" not in name else None


def _hold(generation: Path) -> int | None:
    if fcntl is None:
        return None
    try:
        descriptor = os.open(generation / _MANIFEST, os.O_RDONLY)
    except OSError:
        return None
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def _release(hold: int | None) -> None:
    if hold is not None:
        os.close(hold)


@contextmanager
def building(folder: Path) -> Iterator[Path]:
    """Make a new generation to be filled, and swap it in when the block ends well.

    The block gets the generation's folder and calls ``fill`` on it. If the block raises, or
    the process is killed, the knowledge base stays as it was.

    Raises:
        StoreError: the folder cannot be written, or another build is at work in it.
    """
    lock = _lock(folder)
    try:
        _sweep(folder, keep=_current(folder))
        try:
            generation = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=folder))
        except OSError as error:
            raise _unwritable(folder, error) from error
        try:
            yield generation
            _swap(folder, generation)
        except BaseException as error:
            shutil.rmtree(generation, ignore_errors=True)
            if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
                raise _unwritable(folder, error) from error
            raise
        _sweep(folder, keep=generation)
    finally:
        os.close(lock)


def clean(folder: Path) -> None:
    """Remove what killed builds left, and old generations that nobody reads.

    Raises:
        StoreError: the folder cannot be written, or a build is at work in it.
    """
    lock = _lock(folder)
    try:
        _sweep(folder, keep=_current(folder))
    finally:
        os.close(lock)


def _lock(folder: Path) -> int:
    """Take the builder's lock; closing it gives it back."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise _unwritable(folder, error) from error
    if fcntl is not None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(lock)
            raise StoreError(
                "another build is at work here", where=str(folder), hint="wait for its end"
            ) from error
    return lock


def _unwritable(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        "the knowledge base cannot be written",
        where=str(folder),
        why=error.strerror or str(error),
        hint="choose another folder: --kb DIR, or MTGKB_HOME",
    )


def fill(
    generation: Path,
    quads: Iterable[Quad],
    manifest: dict[str, Any],
    follows: Callable[[Store], Iterable[Quad]] = lambda _: (),
) -> None:
    """Write the quads and the manifest of a new generation.

    ``follows`` is called when all quads are there: it gives what follows from them.
    """
    store = Store(str(generation / _GRAPH))
    # One load would hold all of it in memory; a hundred small ones would be slow.
    for chunk in _batched(quads, _AT_ONCE):
        store.bulk_extend(chunk)
    for chunk in _batched(follows(store), _AT_ONCE):
        store.bulk_extend(chunk)
    store.optimize()
    store.flush()
    del store
    _write_manifest(generation, manifest)


@dataclass(frozen=True, slots=True)
class Change:
    """What a new generation has other than an old one: graphs and quads gone, quads added."""

    gone: Iterable[NamedNode]
    removed: Iterable[Quad]
    added: Iterable[Quad]


def grow(
    generation: Path,
    old: OpenStore,
    change: Change,
    manifest: dict[str, Any],
    follows: Callable[[Store], Iterable[Quad]] = lambda _: (),
) -> None:
    """Write a new generation as a copy of an old one with a change, and its manifest.

    The copy shares the old one's files on disk, which neither of them ever writes to again.
    ``follows`` is called when all quads are there: it gives what follows from them.
    """
    old.graph.backup(str(generation / _GRAPH))
    store = Store(str(generation / _GRAPH))
    for graph in change.gone:
        store.remove_graph(graph)
    for quad in change.removed:
        store.remove(quad)
    for quads in (change.added, follows(store)):
        for chunk in _batched(quads, _AT_ONCE):
            (store.extend if len(chunk) < _FEW else store.bulk_extend)(chunk)
    store.flush()
    del store
    _write_manifest(generation, manifest)


def _write_manifest(generation: Path, manifest: dict[str, Any]) -> None:
    text = json.dumps({"schema": SCHEMA, **manifest}, indent=1, ensure_ascii=False)
    (generation / _MANIFEST).write_text(text + "\n", encoding="utf-8")


def _batched(quads: Iterable[Quad], size: int) -> Iterator[list[Quad]]:
    """Yield the quads in lists of a size, the last one shorter."""
    rest = iter(quads)
    while chunk := list(islice(rest, size)):
        yield chunk


def _swap(folder: Path, generation: Path) -> None:
    pending = folder / f"{_CURRENT}.{generation.name}"
    with pending.open("w", encoding="utf-8") as file:
        file.write(generation.name + "\n")
        file.flush()
        os.fsync(file.fileno())
    pending.replace(folder / _CURRENT)


def _sweep(folder: Path, keep: Path | None) -> None:
    """Remove what killed builds left, and old generations that nobody reads."""
    for leftover in folder.glob(f"{_CURRENT}.{_PREFIX}*"):
        leftover.unlink(missing_ok=True)
    for generation in folder.glob(f"{_PREFIX}*"):
        if generation != keep and _is_free(generation):
            shutil.rmtree(generation, ignore_errors=True)


def _is_free(generation: Path) -> bool:
    if fcntl is None:
        return True
    try:
        descriptor = os.open(generation / _MANIFEST, os.O_RDONLY)
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
