"""The house's own rules: layers, no answers in the code, sizes, docstrings, documents."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tokenize
import tomllib
from itertools import pairwise

import pytest
from conftest import TOP, shared

from kb import errors
from kb.cli.main import cli
from kb.errors import ExitCode, MtgkbError
from kb.queries import catalogue

MODULES = sorted((TOP / "kb").rglob("*.py"))
GRAMMARS = sorted((TOP / "grammar").glob("*.lark"))
QUERIES = sorted((TOP / "queries").rglob("*.rq"))
WRITTEN = (
    [
        path
        for folder in ("kb", "grammar", "queries", "rules", "tests", "docs", "benchmarks")
        for path in sorted((TOP / folder).rglob("*"))
        if path.suffix in {".py", ".lark", ".rq", ".ttl", ".md", ".tsv"}
    ]
    + sorted(TOP.glob("*.md"))
    + [TOP / "pyproject.toml"]
)
LONGEST = 400
# A hint shows how a number is written; that is the rulebook's form and no answer.
SHOWN = {"rules are written 704, 704.5 or 704.5g"}
_NUMBER = re.compile(r"(?<![\w.%-])[1-9]\d\d(?:\.[1-9]\d?[a-z]{0,2})?(?![\w%]|\.\d)")
_PATH = re.compile(r"(?<![\w.:/}>)])/(?:work|home|root|Users|tmp|var)/|\b[A-Z]:\\\\?Users")


def name(path):
    return path.relative_to(TOP).as_posix()


def every(paths):
    return pytest.mark.parametrize("path", paths, ids=name)


def docstrings(tree):
    """Yield a module's docstrings, and the strings after assignments, which document them."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, kinds):
            for before, line in pairwise([None, *node.body]):
                if isinstance(line, ast.Expr) and (
                    before is None or isinstance(before, ast.Assign | ast.AnnAssign)
                ):
                    yield line.value


def literals(path):
    """Yield the strings and fractions of a module that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = set(map(id, docstrings(tree)))
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    for node in constants:
        if isinstance(node.value, str) and id(node) not in documents:
            yield node.value
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.NUMBER and "." in token.string:
                yield token.string


def without_comments(path):
    """Return a grammar or query without its comments; a header line is none."""
    text = path.read_text(encoding="utf-8")
    mark = r"//" if path.suffix == ".lark" else r"#(?!\+)"
    return re.sub(rf"^\s*{mark}.*$", "", text, flags=re.MULTILINE)


def said(path):
    return list(literals(path)) if path.suffix == ".py" else [without_comments(path)]


def test_the_layers_hold():
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", command, "--no-cache"],
        cwd=TOP,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_a_room_stands_in_the_layers():
    settings = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    listed = {room.strip() for layer in layers for room in re.split(r"[|:]", layer)}
    places = {path.relative_to(TOP / "kb").parts[0].removesuffix(".py") for path in MODULES}
    assert places - {"__init__"} == {room.strip("() ") for room in listed}


@every([*MODULES, *GRAMMARS, *QUERIES])
def test_no_rule_number_stands_in_the_code(path):
    found = [t for text in said(path) if text not in SHOWN for t in _NUMBER.findall(text)]
    assert found == []


@pytest.fixture(scope="module")
def card_names():
    content = json.loads(shared("cards/AtomicCards.sample.json").read_text(encoding="utf-8"))
    return {card for card in content["data"] if len(card.split()) > 1}


@every([*MODULES, *GRAMMARS, *QUERIES])
def test_no_card_name_stands_in_the_code(path, card_names):
    assert [card for text in said(path) for card in card_names if card in text] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see 704.5g", ["704.5g"]),
        ("704", ["704"]),
        ("VALUES ?n { '113.6' }", ["113.6"]),
        ("cp1252 ISO-8859 2026-06-19 1999/02/22 0.125 120.0 [:160] w100", ["160"]),
    ],
)
def test_what_a_rule_number_looks_like(text, found):
    assert _NUMBER.findall(text) == found


@every(WRITTEN)
def test_no_path_of_one_machine_is_written_anywhere(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if _PATH.search(line)] == []


@pytest.mark.parametrize(
    ("text", "found"), [("see /home" + "/me/x", True), ("https://a.example/home/", False)]
)
def test_what_a_path_of_one_machine_looks_like(text, found):
    assert bool(_PATH.search(text)) == found


@every([*MODULES, *sorted((TOP / "tests").glob("*.py"))])
def test_no_module_is_too_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def undocumented(body, owner):
    """Yield the public classes and functions of a body that have no docstring."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in body:
        if isinstance(node, kinds) and not node.name.startswith("_"):
            if not ast.get_docstring(node):
                yield f"{owner}.{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from undocumented(node.body, f"{owner}.{node.name}")


@every(MODULES)
def test_every_public_name_has_a_docstring(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "the module"
    assert list(undocumented(tree.body, path.stem)) == []


def test_every_public_function_says_what_it_returns():
    lacking = [
        f"{name(path)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is None
    ]
    assert lacking == []


@pytest.fixture(scope="module")
def documents():
    """The README and all of docs/, as one text."""
    pages = [TOP / "README.md", *sorted((TOP / "docs").glob("*.md"))]
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("command", cli.list_commands(None))
def test_every_command_and_option_is_documented(command, documents):
    assert f"mtgkb {command}" in documents
    options = [p.opts for p in cli.get_command(None, command).params if p.opts[0].startswith("-")]
    assert options
    assert [o for o in options if not any(spelling in documents for spelling in o)] == []


@pytest.mark.parametrize("kind", [*MtgkbError.__subclasses__()], ids=lambda kind: kind.__name__)
def test_every_error_is_documented_beside_its_exit_code(kind, documents):
    row = rf"^\|\s*`?{int(kind.exit_code)}`?\s*\|.*\b{kind.__name__}\b"
    assert re.search(row, documents, re.MULTILINE)


@pytest.mark.parametrize("code", ExitCode)
def test_every_exit_code_is_documented(code, documents):
    assert re.search(rf"^\|\s*`?{int(code)}`?\s*\| ", documents, re.MULTILINE)


@pytest.mark.parametrize("identifier", catalogue())
def test_every_question_and_parameter_is_documented(identifier, documents):
    assert re.search(rf"(`|\bask ){re.escape(identifier)}\b", documents)
    parameters = [p.name for p in catalogue()[identifier].parameters]
    assert [p for p in parameters if f"--{p}" not in documents] == []


@pytest.mark.parametrize("identifier", catalogue())
def test_the_columns_of_every_question_are_documented_and_its_key_is_bold(identifier):
    page = (TOP / "docs" / "questions.md").read_text(encoding="utf-8")
    rows = re.findall(rf"^\| `{identifier}`([^|]*)\|([^|]*)\|(.+)\|$", page, re.MULTILINE)
    assert len(rows) == 1
    parameters, columns, what = rows[0]
    asked = catalogue()[identifier]
    key = [f"**{name}**" if name in asked.key else name for name, _ in asked.columns]
    assert columns.strip() == ", ".join(key)
    assert re.findall(r"`--([\w-]+)", parameters) == [p.name for p in asked.parameters]
    assert len(what.split()) >= 3


def test_every_error_has_a_code_of_the_list():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    found = {k for k in kinds if issubclass(k, MtgkbError)}
    assert all(kind.exit_code in ExitCode for kind in found)
    assert {kind.exit_code for kind in found} == set(ExitCode) - {
        ExitCode.OK,
        ExitCode.FOUND,
        ExitCode.INTERRUPTED,
    }
