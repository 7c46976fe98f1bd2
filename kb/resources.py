"""The only place that knows where ``grammar/``, ``queries/`` and ``rules/`` lie.

In a wheel they stand in ``kb/_data``; in a checkout (and so in an editable install)
beside the package.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kb.errors import ShippedFileError

_PACKAGE = Path(__file__).resolve().parent
_PLACES = (_PACKAGE / "_data", _PACKAGE.parent)


@cache
def folder(name: str) -> Path:
    """Return the shipped folder ``name`` (``grammar``, ``queries`` or ``rules``).

    Raises:
        ShippedFileError: neither place has it.
    """
    for place in _PLACES:
        if (place / name).is_dir():
            return place / name
    tried = " nor ".join(str(place / name) for place in _PLACES)
    raise ShippedFileError(
        f"mtgkb's own folder {name}/ is missing",
        why=f"neither {tried} exists",
        hint="install mtgkb again",
    )


def path(name: str) -> Path:
    """Return the path of a shipped file, named from the project's top (``rules/vocabulary.ttl``).

    Raises:
        ShippedFileError: there is no such file.
    """
    top, _, rest = name.partition("/")
    found = folder(top) / rest
    if not found.is_file():
        raise ShippedFileError(
            f"mtgkb's own file {name} is missing", where=str(found), hint="install mtgkb again"
        )
    return found


def text(name: str) -> str:
    """Return the text of a shipped UTF-8 file.

    Raises:
        ShippedFileError: there is no such file.
    """
    return path(name).read_text(encoding="utf-8")


def own_files() -> tuple[Path, ...]:
    """Return mtgkb's own files that a graph depends on: its code, grammars and catalogues."""
    patterns = (
        (_PACKAGE, "**/*.py"),
        (folder("grammar"), "*.lark"),
        (folder("rules"), "*.tsv"),
        (folder("rules"), "*.bin"),
        (folder("queries") / "infer", "*.rq"),
    )
    return tuple(sorted(path for place, pattern in patterns for path in place.glob(pattern)))
