"""Which files `mtgkb citations` goes through, what it keeps of them, and how it prints places."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from history_rulebook import MIDDLE, NEW, OLD, release_file
from tools import mtgkb, written

from kb.cli import texts
from kb.cli.findings import as_annotation, as_sarif
from kb.errors import SourceError
from kb.knowledge import build
from kb.knowledge.spelling import Checked


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base of three releases, in which rule 101.1 became 101.2."""
    place = tmp_path_factory.mktemp("files")
    files = [release_file(place, name) for name in (OLD, MIDDLE, NEW)]
    build(files[-1:], place / "kb", history=files[:-1])
    return place / "kb"


def rewritten(folder: Path, *paths: Path) -> subprocess.CompletedProcess[str]:
    return mtgkb("--kb", folder, "citations", *paths, "--from", OLD, "--write")


CONTENTS = {
    "CRLF and no end": "§ CR 101.1\r\n – CR 101.1".encode(),
    "UTF-8 with a mark": "\ufeffCR 101.1 – x\n".encode(),
    "UTF-16, little end first": "\ufeffCR 101.1 – x\r\n".encode("utf-16-le"),
    "UTF-16, big end first": "\ufeffCR 101.1 – x\n".encode("utf-16-be"),
    "cp1252": "é §101.1 – CR 101.1\r".encode("cp1252"),
    "UTF-8 with a stray byte": "– – – CR 101.1 ".encode() + b"\xff\n",
    "every byte but zero": bytes(range(1, 256)) + b" CR 101.1",
}


@pytest.mark.parametrize("name", CONTENTS)
def test_every_other_byte_of_a_file_is_kept(folder: Path, tmp_path: Path, name: str) -> None:
    page, content = tmp_path / "page.txt", CONTENTS[name]
    page.write_bytes(content)
    ran = rewritten(folder, page)
    old, new = b"101.1", b"101.2"
    if name.startswith("UTF-16"):
        old, new = (number.decode().encode(name_of(name)) for number in (old, new))
    assert (ran.returncode, page.read_bytes()) == (0, content.replace(old, new)), ran.stdout


def name_of(name: str) -> str:
    return "utf-16-le" if "little" in name else "utf-16-be"


@pytest.mark.parametrize(
    "content", [b"\0 CR 101.1", "\ufeff CR 101.1".encode("utf-32-le"), b"\xff\xfeCR 101.1 \xd8"]
)
def test_what_is_no_text_is_left_out(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "page").write_bytes(content)
    assert texts.read(str(tmp_path / "page")) is None


def test_a_mark_takes_no_column(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_bytes("\ufeffCR 100.9\rCR 100.9".encode())
    found = mtgkb("--kb", folder, "citations", page, "--from", OLD).stdout.splitlines()
    assert [line.split(" ")[0] for line in found[:2]] == [f"{page}:1:1:", f"{page}:2:1:"]


def test_a_file_named_twice_is_renumbered_once(folder: Path, tmp_path: Path) -> None:
    page = written(tmp_path, "page.md", "CR 101.1\n")
    ran = rewritten(folder, page, tmp_path, tmp_path / "." / "page.md")
    assert page.read_text(encoding="utf-8") == "CR 101.2\n"
    assert "1 renumbered; 0 citations" in ran.stdout


def test_a_link_is_followed_where_it_is_named_and_stays_one(folder: Path, tmp_path: Path) -> None:
    page = written(tmp_path, "page.md", "CR 101.1\n")
    (tmp_path / "tree").mkdir()
    link = tmp_path / "tree" / "link.md"
    link.symlink_to(page)
    assert "0 citations" in rewritten(folder, tmp_path / "tree").stdout
    assert "1 renumbered" in rewritten(folder, link).stdout
    assert link.is_symlink()
    assert page.read_text(encoding="utf-8") == "CR 101.2\n"


def test_permissions_are_kept_and_nothing_is_left_beside(folder: Path, tmp_path: Path) -> None:
    page = written(tmp_path, "run.sh", "# CR 101.1\n")
    page.chmod(0o750)
    rewritten(folder, page)
    assert stat.S_IMODE(page.stat().st_mode) == 0o750
    assert [path.name for path in tmp_path.iterdir()] == ["run.sh"]


def test_a_file_that_cannot_be_replaced_is_kept_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = written(tmp_path, "page.md", "CR 101.1\n")
    file = texts.read(str(page))
    assert file is not None

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(SourceError, match="cannot be written") as caught:
        texts.write(file, "CR 101.2\n")
    assert caught.value.why == "No space left on device"
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["CR 101.1\n"]


UNREADABLE = Path("/proc/self/mem")


@pytest.mark.skipif(not UNREADABLE.exists(), reason="needs /proc, which is not here")
def test_what_cannot_be_read_stops_no_other_file(folder: Path, tmp_path: Path) -> None:
    page = written(tmp_path, "page.md", "CR 101.1\n")
    ran = mtgkb("--kb", folder, "citations", UNREADABLE, page, "--from", OLD)
    assert ran.returncode == 3
    assert f"{page}:1:1: moved" in ran.stdout
    assert f"{UNREADABLE}: the file cannot be read" in ran.stderr


def test_a_path_that_is_not_there_is_said_before_anything_is_written(
    folder: Path, tmp_path: Path
) -> None:
    page = written(tmp_path, "page.md", "CR 101.1\n")
    ran = rewritten(folder, page, tmp_path / "no")
    assert (ran.returncode, page.read_text(encoding="utf-8")) == (3, "CR 101.1\n")


def test_standard_input_is_checked_and_never_written(folder: Path) -> None:
    ask = ("--kb", folder, "citations", "-", "--from", OLD)
    assert mtgkb(*ask, given="CR 101.1").stdout.startswith("-:1:1: moved: CR 101.1 → CR 101.2")
    ran = mtgkb(*ask, "--write", given="CR 101.1")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "standard input cannot be written to" in ran.stderr


def test_the_variables_of_a_git_hook_lead_to_no_other_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        subprocess.run(["git", "init", "-q", str(tmp_path / name)], check=True)  # noqa: S607 - git, wherever it is
        written(tmp_path / name, f"{name}.md", "CR 101.1")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
    assert texts.files_of([str(tmp_path / "one")]) == [str(tmp_path / "one" / "one.md")]


def test_a_folder_without_git_is_gone_through_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    kept = {str(written(tmp_path / "src", "a.md", "a")), str(written(tmp_path, "b.md", "b"))}
    written(tmp_path / ".git", "HEAD", "no text of ours")
    assert set(texts.files_of([str(tmp_path)])) == kept  # .git there is no repository
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("git") is None
    assert set(texts.files_of([str(tmp_path)])) == kept


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell, which is not here")
def test_a_folder_that_git_refuses_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = written(tmp_path, "git", "#!/bin/sh\necho 'fatal: dubious ownership' >&2; exit 128\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(SourceError, match="which files it ignores") as caught:
        texts.files_of([str(tmp_path)])
    assert caught.value.why == "fatal: dubious ownership"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_and_titles_that_are_no_text_are_printed_escaped(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9 %.md")).write_bytes(
        "– – – – CR 100.9, “a".encode() + b"\xff" + "”\n".encode()
    )
    ask = ("--kb", folder, "citations", tmp_path, "--from", OLD, "--format")
    assert "caf\\udce9 %.md:1:9: missing: CR 100.9, “a\\udcff”" in mtgkb(*ask, "text").stdout
    (found,) = json.loads(mtgkb(*ask, "json").stdout)["citations"]
    assert found["string"] == "CR 100.9, “a\\udcff”"
    (result,) = json.loads(mtgkb(*ask, "sarif").stdout)["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == f"{tmp_path.as_uri()}/caf%E9%20%25.md"


FOUND = Checked(3, 5, 10, 22, "rule\n100.9", ("100.9",), "missing", (None,))


def test_annotations_are_escaped_as_githubs_runner_unescapes_them() -> None:
    line = as_annotation("src/a,b:c 100%.py", FOUND)
    place = "file=src/a%2Cb%3Ac 100%25.py,line=3,col=5,title=rule number"
    assert line == f"::warning {place}::rule 100.9: there is no such rule"
    edited = Checked(1, 1, 0, 8, "CR 100.2", ("100.2",), "edited", ("100.2",))
    assert as_annotation("a", edited).startswith("::notice ")


def test_a_sarif_log_has_what_the_standard_demands() -> None:
    log = as_sarif([("src/a b.py", FOUND)])
    (run,) = log["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    (result,) = run["results"]
    assert (log["version"], run["columnKind"]) == ("2.1.0", "unicodeCodePoints")
    assert result["ruleId"] in rules
    assert result["level"] in {"none", "note", "warning", "error"}
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/a%20b.py"
    assert place["region"] == {"startLine": 3, "startColumn": 5}
    assert result["message"]["text"] == "rule 100.9: there is no such rule"
