"""Clients that ask a server as fast as it answers: `python -m benchmarks.load`, one JSON object.

Each client keeps one connection and sends its next request when the answer to the last is there.
Plain sockets, so that the clients take as little as possible of the machine that they share with
the server.
"""

from __future__ import annotations

import asyncio
import json
import sys
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Request = tuple[str, str]
"""A path and what is accepted."""


async def _client(
    port: int, requests: Sequence[Request], begin: int, end: float, told: list[tuple[int, float]]
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    number = begin
    try:
        while (start := perf_counter()) < end:
            path, accept = requests[number % len(requests)]
            number += 1
            head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: {accept}\r\n\r\n"
            writer.write(head.encode())
            answer = await reader.readuntil(b"\r\n\r\n")
            lowered = answer.lower()
            length = int(lowered.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
            await reader.readexactly(length)
            told.append((int(answer.split(b" ", 2)[1]), perf_counter() - start))
    finally:
        writer.close()


async def load(
    port: int, requests: Sequence[Request], clients: int, seconds: float
) -> dict[str, float]:
    """Ask for some seconds; return requests a second, p50 and p99 in ms, and failures."""
    told: list[tuple[int, float]] = []
    start = perf_counter()
    end = start + seconds
    asking = (_client(port, requests, i * 7, end, told) for i in range(clients))
    broken = sum(isinstance(e, Exception) for e in await _all(asking))
    took = perf_counter() - start
    times = sorted(time for _, time in told) or [took]
    return {
        "rate": len(told) / took,
        "p50": times[len(times) // 2] * 1e3,
        "p99": times[min(len(times) - 1, int(len(times) * 0.99))] * 1e3,
        "failures": broken + sum(code != 200 for code, _ in told),  # noqa: PLR2004 - OK
    }


async def _all(asking: object) -> list[object]:
    return await asyncio.gather(*asking, return_exceptions=True)  # type: ignore[misc]


if __name__ == "__main__":
    port, clients, seconds, requests = json.loads(sys.argv[1])
    print(json.dumps(asyncio.run(load(port, [tuple(r) for r in requests], clients, seconds))))
