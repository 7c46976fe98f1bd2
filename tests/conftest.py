"""What the tests stand on: the concise edition and, where they are there, official texts."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pytest
from served import BOUNDS, PLAIN, running, wait_until

from kb import resources
from kb.knowledge import KnowledgeBase, build, read_release
from kb.source import read_source

os.environ.pop("COLUMNS", None)  # pytest-xdist sets it; a command's width is its own affair

TOP = Path(__file__).resolve().parent.parent
SHARED = TOP.parent / "shared"
NEWEST = "CR-20260619.txt"


def shared(name: str) -> Path:
    """Return a path under ../shared, or skip the test where it is not there."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs ../shared/{name}, which is not here")
    return path


def official(name: str = NEWEST) -> Path:
    """Return an official text, or skip the test."""
    return shared(f"releases/{name}")


@pytest.fixture(scope="session")
def concise_reading():
    """The concise edition, read in full."""
    return read_release(read_source(resources.path("rules/concise-edition.txt")))


@pytest.fixture(scope="session")
def concise_folder(tmp_path_factory):
    """The folder of a knowledge base of the concise edition."""
    folder = tmp_path_factory.mktemp("concise") / "kb"
    build([resources.path("rules/concise-edition.txt")], folder)
    return folder


@pytest.fixture(scope="session")
def concise(concise_folder):
    """A knowledge base of the concise edition, open."""
    return KnowledgeBase.open(concise_folder)


@pytest.fixture(scope="session")
def concise_cards_folder(tmp_path_factory):
    """The folder of a knowledge base of the concise edition with its cards and rulings."""
    folder = tmp_path_factory.mktemp("concise-cards") / "kb"
    files = [resources.path(f"rules/concise-{what}.json") for what in ("cards", "rulings")]
    build([resources.path("rules/concise-edition.txt")], folder, cards=files)
    return folder


@pytest.fixture(scope="session")
def concise_cards(concise_cards_folder):
    """A knowledge base of the concise edition with its cards and rulings, open."""
    kb = KnowledgeBase.open(concise_cards_folder)
    yield kb
    kb.close()


@pytest.fixture(scope="session")
def newest_reading():
    """The newest official release in ../shared, read in full."""
    return read_release(read_source(official()))


@pytest.fixture(scope="session")
def newest_folder(tmp_path_factory):
    """The folder of a knowledge base of the newest official release in ../shared, some cards."""
    folder = tmp_path_factory.mktemp("newest") / "kb"
    build([official()], folder, cards=[shared("cards/AtomicCards.sample.json")])
    return folder


@pytest.fixture(scope="session")
def newest(newest_folder):
    """A knowledge base of the newest official release, open."""
    return KnowledgeBase.open(newest_folder)


@pytest.fixture(scope="session")
def served_folder(tmp_path_factory):
    """The folder of a knowledge base of the concise edition with its cards."""
    folder = tmp_path_factory.mktemp("served") / "kb"
    files = [resources.path(f"rules/concise-{what}.json") for what in ("cards", "rulings")]
    build([resources.path("rules/concise-edition.txt")], folder, cards=files)
    return folder


@pytest.fixture(scope="session")
def served(served_folder):
    """The knowledge base that is served, open."""
    return KnowledgeBase.open(served_folder)


@pytest.fixture(scope="session")
def server(served_folder, tmp_path_factory):
    """A server of that knowledge base, running."""
    with running(served_folder, tmp_path_factory.mktemp("server") / "log") as server:
        yield server


@pytest.fixture(scope="session")
def client(server):
    """A client of that server."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def guarded(served_folder, tmp_path_factory):
    """A server with narrow bounds."""
    log = tmp_path_factory.mktemp("guarded") / "log"
    with running(served_folder, log, **BOUNDS) as server:
        yield server


@pytest.fixture
def narrow(guarded):
    """A client of that server."""
    with httpx.Client(base_url=guarded.url, timeout=30) as client:
        yield client
        # Whatever a test did, the next one finds a server that answers.
        wait_until(lambda: client.get("/sparql", params=PLAIN).status_code == 200, guarded.process)
