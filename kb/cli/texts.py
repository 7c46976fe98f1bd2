"""The files that a command goes through: which they are, their text, and writing it back.

What holds: a file that is written keeps every byte that is not changed, its line ends, its
encoding and its permissions, and is whole at any moment.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from kb.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable

STANDARD_INPUT = "-"
_HEAD = 4096
_MARK = "\ufeff"
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_STRAY = re.compile("[\udc80-\udcff]")
_NON_ASCII = re.compile("[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file's text without its byte order mark, and how its bytes are made from it.

    Bytes that the encoding does not have are lone surrogates in the text (PEP 383).
    """

    name: str
    text: str
    encoding: str
    mark: str


def files_of(paths: Iterable[str]) -> list[str]:
    """Return the files that paths name, each once; a folder stands for those below it.

    Below a folder, links are not followed, and what git ignores is left out.

    Raises:
        SourceError: a path is not there, or git cannot tell what it ignores.
    """
    found: dict[str, str] = {}
    for given in paths:
        if given == STANDARD_INPUT:
            found[given] = given
            continue
        path = Path(given)
        if not path.exists():
            raise SourceError("there is no such file", where=given)
        for file in _below(path) if path.is_dir() else (path,):
            found.setdefault(str(file.resolve()), str(file))
    return list(found.values())


def _below(folder: Path) -> list[Path]:
    names = _of_git(folder)
    if names is None:
        every = (folder / below for below in folder.rglob("*"))
        paths = [path for path in every if ".git" not in path.relative_to(folder).parts]
    else:
        paths = [folder / name for name in names]
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())


def _of_git(folder: Path) -> list[str] | None:
    """Return what git knows or does not ignore below a folder; None outside of a work tree."""
    # A hook of git runs with the variables of its own repository, which need not be this one.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | {
        "LC_ALL": "C"
    }
    try:
        listed = subprocess.run(  # noqa: S603 - no shell; the folder is one argument
            ["git", "-C", str(folder), "ls-files", "-z", "-co", "--exclude-standard"],  # noqa: S607 - git, wherever it is
            capture_output=True,
            check=False,
            env=environment,
        )
    except FileNotFoundError:
        return None
    if listed.returncode == 0:
        return [name for name in os.fsdecode(listed.stdout).split("\0") if name]
    said = listed.stderr.decode("utf-8", "replace")
    if "not a git repository" in said or "must be run in a work tree" in said:
        return None
    raise SourceError(
        "git does not say which files it ignores", where=str(folder), why=said.split("\n")[0]
    )


def read(name: str) -> TextFile | None:
    """Return a file's text, None if it is no text.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        content = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
    except OSError as error:
        raise _fault("the file cannot be read", name, error) from error
    decoded = _decoded(content)
    if decoded is None:
        return None
    text, encoding = decoded
    mark = _MARK if text.startswith(_MARK) else ""
    return TextFile(name, text.removeprefix(mark), encoding, mark)


def _decoded(content: bytes) -> tuple[str, str] | None:
    """Return text and encoding: UTF-16 by its mark, UTF-8, or cp1252 where that fits better."""
    if encoding := _WIDE.get(content[:2]):
        with suppress(UnicodeDecodeError):
            text = content.decode(encoding)
            return None if "\0" in text[:_HEAD] else (text, encoding)
        return None
    if b"\0" in content[:_HEAD]:
        return None
    text = content.decode("utf-8", "surrogateescape")
    stray = len(_STRAY.findall(text))
    if stray and 2 * stray > len(_NON_ASCII.findall(text)):
        return content.decode("cp1252", "surrogateescape"), "cp1252"
    return text, "utf-8"


def write(file: TextFile, text: str) -> None:
    """Put another text into a file, at once and whole.

    Raises:
        SourceError: it cannot be written.
    """
    path = Path(file.name).resolve()  # a link goes on being one
    content = (file.mark + text).encode(file.encoding, "surrogateescape")
    new: Path | None = None
    try:
        if not os.access(path, os.W_OK):
            raise PermissionError(None, "it is read-only")
        status = path.stat()
        with NamedTemporaryFile(dir=path.parent, prefix=".mtgkb-", delete=False) as written:
            new = Path(written.name)
            written.write(content)
        if (status.st_uid, status.st_gid) != (new.stat().st_uid, new.stat().st_gid):
            with suppress(PermissionError):
                os.chown(new, status.st_uid, status.st_gid)
        new.chmod(stat.S_IMODE(status.st_mode))
        new.replace(path)
    except OSError as error:
        raise _fault("the file cannot be written", file.name, error) from error
    finally:
        if new is not None:
            new.unlink(missing_ok=True)


def _fault(what: str, name: str, error: OSError) -> SourceError:
    return SourceError(what, where=printable(name), why=error.strerror or str(error))


def escaped(text: str) -> str:
    r"""Return a text that any output can hold: bytes that are no text as ``\udcff``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def printable(text: str) -> str:
    """Return a text as one line that any output can hold."""
    return " ".join(escaped(text).split())
