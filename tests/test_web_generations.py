"""A new knowledge base is picked up, and a server stops, without a request being lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import httpx
import pytest
from served import running, wait_until
from tools import RULES, mtgkb, rulebook, written

from kb.errors import ExitCode
from kb.knowledge import build

QUERY = {"query": "SELECT ?t { ?r mtg:number '100.1' ; mtg:text ?t }"}
SLOW = {"query": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c != ?f) }"}


def built(folder, text):
    rules = RULES.replace("A game has two players. See rule 101.1.", text)
    source = written(folder, "rules.txt", rulebook(rules))
    build([source], folder / "kb")


@pytest.fixture
def growing(tmp_path):
    """A folder with a knowledge base that is built anew."""
    built(tmp_path, "The first text.")
    return tmp_path


def generations(folder):
    return sorted(path.name for path in folder.glob("kb-*"))


def test_a_new_knowledge_base_is_picked_up_without_a_failed_request(growing):
    folder = growing / "kb"
    with running(folder, growing / "log", workers=2, look_seconds=0.1) as server:
        seen, codes, stop = [], [], threading.Event()

        def ask():
            with httpx.Client(base_url=server.url, timeout=30) as client:
                while not stop.is_set():
                    for path, params in (("/sparql", QUERY), ("/cr/latest", {}), ("/health", {})):
                        answer = client.get(path, params=params)
                        codes.append(answer.status_code)
                        if path == "/sparql":
                            rows = answer.json()["results"]["bindings"]
                            seen.append(rows[0]["t"]["value"])

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        etag = httpx.get(f"{server.url}/sparql", params=QUERY).headers["etag"]
        for number in ("second", "third"):
            built(growing, f"The {number} text.")
            wait_until(lambda n=number: f"The {n} text." in seen, server.process)
        stop.set()
        for thread in threads:
            thread.join()
        assert set(codes) == {200, 302}
        assert seen[0] == "The first text."
        assert seen[-1] == "The third text."
        again = httpx.get(f"{server.url}/sparql", params=QUERY, headers={"If-None-Match": etag})
        assert again.status_code == 200
        opened = [e for e in server.events() if e["event"] == "opened"]
        assert len(opened) == 3
        # Nobody holds the older ones any more: the next build takes them away.
        wait_until(lambda: not held(folder, opened[0]["generation"]), server.process)
        assert server.stop() == 0


def held(folder, name):
    """Tell whether a generation is there and somebody reads it."""
    import fcntl

    try:
        descriptor = os.open(folder / name / "manifest.json", os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def test_a_knowledge_base_that_cannot_be_opened_is_not_taken(growing):
    folder = growing / "kb"
    with running(folder, growing / "log", workers=1, look_seconds=0.1) as server:
        current = (folder / "CURRENT").read_text(encoding="utf-8")
        (folder / "kb-broken").mkdir()
        (folder / "kb-broken" / "manifest.json").write_text("{}", encoding="utf-8")
        (folder / "CURRENT").write_text("kb-broken\n", encoding="utf-8")
        wait_until(lambda: any(e["event"] == "not opened" for e in server.events()), server.process)
        time.sleep(0.4)
        assert sum(e["event"] == "not opened" for e in server.events()) == 1
        assert httpx.get(f"{server.url}/sparql", params=QUERY).status_code == 200
        (folder / "CURRENT").write_text(current, encoding="utf-8")


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_request_that_runs_is_answered_before_the_server_stops(growing, served_folder, sent):
    bounds = {"seconds": 1.5, "workers": 1, "slow": 1}
    with running(served_folder, growing / "log", **bounds) as server:
        answers = []
        thread = threading.Thread(
            target=lambda: answers.append(
                httpx.get(f"{server.url}/sparql", params=SLOW, timeout=30)
            )
        )
        thread.start()
        time.sleep(0.6)
        workers = children(server.process.pid)
        assert workers
        server.process.send_signal(sent)
        code = server.process.wait(20)
        thread.join()
        assert answers[0].status_code == 504
        assert code == 0
        assert server.events()[-1]["event"] == "stopped"
        assert [pid for pid in workers if alive(pid)] == []
        with pytest.raises(httpx.ConnectError):
            httpx.get(server.url)


def children(pid):
    """Return the processes that a process has started."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:  # noqa: PTH123
        return [int(child) for child in file.read().split()]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_workers_end_with_a_server_that_is_killed(growing):
    with running(growing / "kb", growing / "log", workers=1, slow=1) as server:
        workers = children(server.process.pid)
        assert len(workers) >= 3
        server.process.kill()
        server.process.wait()
        wait_until(lambda: not any(map(alive, workers)), seconds=10)


def test_a_worker_that_dies_is_replaced(growing):
    with running(growing / "kb", growing / "log", workers=1, slow=1) as server:
        for pid in children(server.process.pid):
            os.kill(pid, signal.SIGKILL)
        with httpx.Client(base_url=server.url, timeout=30) as client:
            wait_until(lambda: client.get("/sparql", params=QUERY).status_code == 200)
            wait_until(lambda: client.get("/cr/latest").status_code == 302)


def test_a_server_says_what_is_wrong_before_it_listens(tmp_path, growing):
    done = mtgkb("serve", "--kb", tmp_path / "none", "--format", "json")
    assert done.returncode == ExitCode.STORE
    assert json.loads(done.stderr)["error"] == "StoreError"
    with running(growing / "kb", growing / "log", "--workers", "1") as server:
        taken = mtgkb("serve", "--kb", growing / "kb", "--port", str(server.port))
        assert taken.returncode == ExitCode.USAGE
        assert "--port" in taken.stderr


def test_listening_wider_than_this_machine_is_warned_of(growing):
    with running(growing / "kb", growing / "log", "--host", "0.0.0.0") as server:  # noqa: S104
        warnings = [e for e in server.events() if e["level"] == "warning"]
        assert ["other machines" in warning["what"] for warning in warnings] == [True]


def test_without_the_extra_it_says_what_to_install(growing):
    code = (
        "import sys; sys.modules['starlette'] = None; sys.modules['uvicorn'] = None;"
        "from kb.cli import main; main()"
    )
    command = [sys.executable, "-c", code, "serve", "--kb", str(growing / "kb")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=60)
    assert done.returncode == ExitCode.USAGE
    assert "pip install 'mtgkb[server]'" in done.stderr
