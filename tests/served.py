"""A server run as a person runs it, and the application run without a socket."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

_TOP = Path(__file__).resolve().parent.parent
_MAIN = "from kb.cli import main; main()"
_BOUNDED = """
import json, sys
from pathlib import Path
from kb.web.app import Settings
from kb.web.limits import Limits
from kb.web.logs import Log
from kb.web.serving import listening, serve
listener = listening("127.0.0.1", 0)
print(f"at http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
serve(Settings(Path(sys.argv[1]), Limits(**json.loads(sys.argv[2]))), listener, Log())
"""

SECONDS = 1.5
BOUNDS = {
    "seconds": SECONDS,
    "slow_after": 0.1,
    "low_after": 0.5,
    "rows": 50,
    "answer_bytes": 200_000,
    "memory_bytes": 1200 * 2**20,
    "workers": 2,
    "slow": 2,
    "waiting": 8,
    "waiting_seconds": 0.5,
    "head_seconds": 1.0,
    "write_seconds": 1.0,
    "stop_seconds": 5.0,
}
"""Narrow bounds, so that an attack is over soon."""
LONG = (
    f"SELECT (CONCAT({','.join(['STR(?o)'] * 300)}) AS ?x) {{"
    " ?s mtg:text ?o FILTER(STRLEN(?o) > 60) }"
)
"""A query whose answer is long."""
PLAIN = {"query": "ASK { ?s ?p ?o }"}


class Running:
    """A server process: its address, its log."""

    def __init__(self, process, url, log):
        self.process, self.url, self.log = process, url, log

    @property
    def port(self):
        return int(self.url.rpartition(":")[2])

    def socket(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def events(self):
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


@contextmanager
def running(folder, log, *options, **limits):
    """Run ``mtgkb serve`` on a free port until the block ends; limits need no option of it."""
    command = [sys.executable, "-c", _MAIN, "serve", "--kb", str(folder), "--port", "0", *options]
    if limits:
        command = [sys.executable, "-c", _BOUNDED, str(folder), json.dumps(limits)]
    environment = {**os.environ, "PYTHONPATH": str(_TOP), "PYTHONUNBUFFERED": "1"}
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, env=environment, encoding="utf-8"
        )
    try:
        told = process.stdout.readline()
        found = re.search(r"at (http://[^/]+)/", told)
        assert found, told + log.read_text(encoding="utf-8")
        server = Running(process, found[1], log)
        wait_until(lambda: any(e["event"] == "opened" for e in server.events()), process)
        yield server
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()


def wait_until(holds, process=None, seconds=40):
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to hold"
        assert process is None or process.poll() is None, "the server has ended"
        time.sleep(0.05)
