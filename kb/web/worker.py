"""The program of a worker process: opens the knowledge base, reads requests, writes replies.

It is started by ``workers`` as ``python -m kb.web.worker``, talks through its standard input and
output, and ends when its input does. It bounds itself: its memory by RLIMIT_AS, its time by an
alarm that ends the process even where the server is gone and nobody is left to kill it.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.web.frames import Reply, read_frame, reply_frames

if TYPE_CHECKING:
    from typing import BinaryIO

try:
    import resource
except ImportError:  # not a POSIX system: memory is then not bounded
    resource = None  # type: ignore[assignment]

_WORTH_PACKING = 1024
_GZIP_LEVEL = 5
_GRACE = 2


def main() -> None:
    """Serve requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not write into the pipe
    requests = sys.stdin.buffer
    settings = _settings(requests)
    if settings is None:
        return
    _bound(settings["limits"])
    from kb.knowledge import KnowledgeBase  # noqa: PLC0415 - only after the bounds hold
    from kb.web.limits import Limits  # noqa: PLC0415
    from kb.web.operations import perform  # noqa: PLC0415

    limits = Limits(**settings["limits"])
    kb = KnowledgeBase.open(Path(settings["folder"]), settings["generation"])
    _write(replies, Reply())  # ready
    while (content := read_frame(requests)) is not None:
        _alarm(math.ceil(limits.seconds) + _GRACE)
        request = json.loads(content)
        reply = perform(kb, request, limits)
        _write(replies, _packed(reply) if request.get("gzip") else reply)
        _alarm(0)


def _settings(requests: BinaryIO) -> dict[str, Any] | None:
    content = read_frame(requests)
    return None if content is None else json.loads(content)


def _bound(limits: dict[str, Any]) -> None:
    if resource is not None:
        memory = int(limits["memory_bytes"])
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _alarm(seconds: int) -> None:
    """Have the system end this process after so many seconds; 0 calls it off."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _packed(reply: Reply) -> Reply:
    if reply.problem is not None or len(reply.body) < _WORTH_PACKING:
        return reply
    body = gzip.compress(reply.body, _GZIP_LEVEL, mtime=0)
    headers = {**reply.headers, "Content-Encoding": "gzip"}
    return Reply(reply.status, reply.media, body, headers)


def _write(pipe: BinaryIO, reply: Reply) -> None:
    pipe.write(reply_frames(reply))
    pipe.flush()


if __name__ == "__main__":
    main()
