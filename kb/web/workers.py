"""Worker processes: a query runs in one, and is really stopped by killing it.

A pool has a few workers and a bounded line of those who wait. Only so many work at once; but one
that is slow does not count, and a spare one works in its place, so that it holds nobody up; only
so many may be slow. What takes very long goes on at a low priority, and its worker, like one that
was killed, is not used again.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.errors import StoreError
from kb.web.frames import Reply, frame, receive_reply

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from kb.web.limits import Limits
    from kb.web.metrics import Metrics

_TOP = str(Path(__file__).resolve().parent.parent.parent)
_START_SECONDS = 60
_LOW_PRIORITY = 10
_GONE = (asyncio.IncompleteReadError, ConnectionError, BrokenPipeError)


class BusyError(Exception):
    """All workers are at work, and enough others wait already."""


class TimedOutError(Exception):
    """The query ran longer than it may, and was stopped."""


class BrokenError(Exception):
    """The query brought its worker down: it needed more memory or depth than it may have."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What a worker opens: a generation of a knowledge base, and its bounds."""

    folder: Path
    generation: str
    limits: Limits


class Worker:
    """A worker process and its pipe."""

    def __init__(self, process: Process) -> None:
        """Take over a started process."""
        self.process = process
        self.slow = self.lowered = False

    @classmethod
    async def start(cls, opening: Opening) -> Worker:
        """Start a worker and wait until it has opened the knowledge base.

        Raises:
            StoreError: it did not start.
        """
        kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "TMPDIR")}
        path = os.pathsep.join([_TOP, *filter(None, [os.environ.get("PYTHONPATH")])])
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "kb.web.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**kept, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        )
        worker = cls(process)
        settings = {
            "folder": str(opening.folder),
            "generation": opening.generation,
            "limits": opening.limits.as_json(),
        }
        try:
            await asyncio.wait_for(worker.call(settings), _START_SECONDS)
        except (*_GONE, TimeoutError) as error:
            await worker.stop()
            raise StoreError(
                "a worker process did not start", where=str(opening.folder), why=repr(error)
            ) from error
        except BaseException:
            await worker.stop()
            raise
        return worker

    async def call(self, request: dict[str, Any]) -> Reply:
        """Send a request and return the reply."""
        pipe_in, pipe_out = self.process.stdin, self.process.stdout
        assert pipe_in is not None
        assert pipe_out is not None
        pipe_in.write(frame(json.dumps(request).encode()))
        await pipe_in.drain()
        return await receive_reply(pipe_out)

    def lower(self) -> None:
        """Let others go first."""
        if hasattr(os, "setpriority"):
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self.process.pid, _LOW_PRIORITY)
        self.lowered = True

    @property
    def alive(self) -> bool:
        """Tell whether the process runs."""
        return self.process.returncode is None

    async def stop(self) -> None:
        """Kill the process and wait for its end."""
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


class Pool:
    """Workers on one generation of a knowledge base, and the line before them."""

    def __init__(self, opening: Opening, metrics: Metrics, *, size: int, slow: int) -> None:
        """Describe a pool of so many workers and so many spare ones; ``start`` starts it."""
        self._opening, self._limits, self._metrics = opening, opening.limits, metrics
        self._size, self._slow = size, slow
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._line: deque[tuple[str, asyncio.Future[Worker]]] = deque()
        self._running: Counter[str] = Counter()
        self._every: set[Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._closed = False

    async def start(self) -> None:
        """Start the workers.

        Raises:
            StoreError: one did not start.
        """
        try:
            await asyncio.gather(*(self._add() for _ in range(self._size + self._slow)))
        except BaseException:
            await self.close()
            raise

    async def _add(self) -> None:
        worker = await Worker.start(self._opening)
        self._every.add(worker)
        if self._closed:
            await self._drop(worker)
        else:
            self._offer(worker)

    def _offer(self, worker: Worker) -> None:
        """Take a worker that is free."""
        self._idle.append(worker)
        self._serve()

    def _serve(self) -> None:
        """Give free workers to those who wait, in turn; no client may have all of them."""
        fast = sum(not worker.slow for worker in self._busy)
        most = max(1, self._size + self._slow - 1)
        for client, waiting in list(self._line):
            if not self._idle or fast >= self._size:
                return
            if self._running[client] < most and not waiting.done():
                fast += 1
                self._running[client] += 1
                worker = self._idle.pop()
                self._busy.add(worker)
                waiting.set_result(worker)

    def _leave(self, client: str) -> None:
        """Count a client's worker as given back."""
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        self._serve()

    async def _drop(self, worker: Worker) -> None:
        self._every.discard(worker)
        await worker.stop()

    def _replace(self) -> None:
        """Have a new worker started, in the background."""
        if not self._closed:
            task = asyncio.create_task(self._add_again())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _add_again(self) -> None:
        while not self._closed:
            try:
                await self._add()
            except (StoreError, OSError):  # too little memory or too many processes: for now
                self._metrics.count("mtgkb_worker_start_failures_total")
                await asyncio.sleep(1)
            else:
                return

    async def _take(self, client: str) -> Worker:
        """Return a worker, waiting for one if need be.

        Raises:
            BusyError: too many wait already, or this one has waited too long.
        """
        self._forget_dead()
        own = sum(other == client for other, _ in self._line)
        if len(self._line) >= self._limits.waiting or own >= self._limits.waiting // 2:
            raise BusyError  # half of the line is for others
        waiting: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        place = (client, waiting)
        self._line.append(place)
        self._serve()
        done = False
        try:
            if not waiting.done():
                await asyncio.wait({waiting}, timeout=self._limits.waiting_seconds)
            if not waiting.done():
                raise BusyError
            done = True
            return waiting.result()
        finally:
            self._line.remove(place)
            if not done and not waiting.cancel():  # it came in the very moment of leaving
                self._busy.discard(waiting.result())
                self._offer(waiting.result())
                self._leave(client)

    def _forget_dead(self) -> None:
        """Replace workers that have died while they were idle."""
        for worker in [worker for worker in self._idle if not worker.alive]:
            self._idle.remove(worker)
            self._every.discard(worker)
            self._replace()

    async def ask(self, request: dict[str, Any], client: str = "") -> Reply:
        """Have a worker answer a request of a client.

        If the caller is cancelled, because its client has gone, the query is stopped.

        Raises:
            BusyError, TimedOutError, BrokenError: see there.
        """
        worker = await self._take(client)
        call = asyncio.create_task(worker.call(request))
        finished = False
        try:
            reply = await self._wait(worker, call)
            finished = True
        except _GONE:
            raise BrokenError from None
        finally:
            call.cancel()
            self._busy.discard(worker)
            worker.slow = False
            again = finished and not worker.lowered and not self._closed
            if again:
                self._offer(worker)
            else:
                self._replace()
            self._leave(client)
            if not again:
                await asyncio.shield(self._drop(worker))
        return reply

    async def _wait(self, worker: Worker, call: asyncio.Task[Reply]) -> Reply:
        """Wait for a reply, and make way for others the longer it takes.

        Raises:
            TimedOutError: it took too long.
        """
        limits, waited = self._limits, 0.0
        for until in (limits.slow_after, limits.low_after, limits.seconds):
            pause = max(0.0, min(until, limits.seconds) - waited)
            done, _ = await asyncio.wait({call}, timeout=pause)
            if done:
                return call.result()
            waited += pause
            if until == limits.low_after and worker.slow:
                worker.lower()
            elif sum(other.slow for other in self._busy) < self._slow:
                worker.slow = True
                self._serve()
        raise TimedOutError

    def counts(self) -> dict[str, int]:
        """Return how many workers there are, are idle and slow, and how many requests wait."""
        return {
            "workers": len(self._every),
            "idle": len(self._idle),
            "slow": sum(worker.slow for worker in self._busy),
            "waiting": len(self._line),
        }

    async def close(self) -> None:
        """Kill the workers that are idle; the others end with their request."""
        self._closed = True
        for task in self._starting:
            task.cancel()
        idle, self._idle = self._idle, []
        await asyncio.gather(*(self._drop(worker) for worker in idle))

    async def kill(self) -> None:
        """Kill all workers, at work or not."""
        await self.close()
        await asyncio.gather(*(self._drop(worker) for worker in list(self._every)))
