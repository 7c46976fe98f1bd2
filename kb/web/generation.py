"""The open knowledge base of a server, and how a newer one takes its place unnoticed.

A build swaps ``CURRENT`` (``kb.store``). The server looks at it now and then, opens the new
generation beside the old one, with workers of its own, and gives it to every request that comes
from then on. The old one is closed when the last request that began with it has ended.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from kb.errors import MtgkbError, StoreError
from kb.knowledge import KnowledgeBase
from kb.store import current_generation
from kb.web.workers import Opening, Pool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from kb.web.frames import Reply
    from kb.web.limits import Limits
    from kb.web.logs import Log
    from kb.web.metrics import Metrics


class Generation:
    """One generation: the knowledge base, its workers, and answers that are kept for the next."""

    def __init__(self, kb: KnowledgeBase, limits: Limits, metrics: Metrics) -> None:
        """Describe a generation; ``start`` starts its workers."""
        self.knowledge = kb
        self.name = kb.store.generation.name
        told = json.dumps(kb.store.manifest, sort_keys=True)
        self.digest = hashlib.sha256(f"{self.name}{told}".encode()).hexdigest()[:16]
        opening = Opening(kb.store.folder, self.name, limits)
        self.queries = Pool(opening, metrics, size=limits.workers, slow=limits.slow)
        self.reading = Pool(opening, metrics, size=limits.reading, slow=limits.reading)
        self._kept: OrderedDict[str, Reply] = OrderedDict()
        self._most = self._room = limits.cache_bytes
        self.users = 0
        self.retired = False

    async def start(self) -> None:
        """Start the workers.

        Raises:
            StoreError: one did not start.
        """
        await asyncio.gather(self.queries.start(), self.reading.start())

    def kept(self, key: str) -> Reply | None:
        """Return an answer that was kept."""
        reply = self._kept.get(key)
        if reply is not None:
            self._kept.move_to_end(key)
        return reply

    def keep(self, key: str, reply: Reply) -> None:
        """Keep an answer, and forget the oldest where there is no room."""
        if key in self._kept or _size(key, reply) > self._most // 4:
            return
        self._kept[key] = reply
        self._room -= _size(key, reply)
        while self._room < 0:
            old = self._kept.popitem(last=False)
            self._room += _size(*old)

    async def close(self) -> None:
        """End the workers and give the files up."""
        await asyncio.gather(self.queries.kill(), self.reading.kill())
        self.knowledge.close()


def _size(key: str, reply: Reply) -> int:
    """Return about how much memory a kept answer takes."""
    return len(key) + len(reply.body) + 1000


class Generations:
    """The generation that requests get, and the watch for a newer one."""

    def __init__(self, folder: Path, limits: Limits, metrics: Metrics, log: Log) -> None:
        """Watch a knowledge base's folder."""
        self._folder, self._limits, self._metrics, self._log = folder, limits, metrics, log
        self._current: Generation | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._watch: asyncio.Task[None] | None = None
        self._refused: str | None = None

    @property
    def current(self) -> Generation:
        """The newest generation.

        Raises:
            StoreError: the server has not started, or has stopped.
        """
        if self._current is None:
            raise StoreError("the server is not running", where=str(self._folder))
        return self._current

    async def start(self) -> None:
        """Open the knowledge base and watch it.

        Raises:
            StoreError: there is none, or a worker did not start.
        """
        self._current = await self._opened()
        self._watch = asyncio.create_task(self._watching())

    async def _opened(self) -> Generation:
        kb = await asyncio.to_thread(KnowledgeBase.open, self._folder)
        generation = Generation(kb, self._limits, self._metrics)
        try:
            await generation.start()
        except BaseException:
            await generation.close()
            raise
        self._metrics.count("mtgkb_generations_total")
        self._log.event("opened", folder=self._folder, generation=generation.name)
        return generation

    async def _watching(self) -> None:
        while True:
            await asyncio.sleep(self._limits.look_seconds)
            await self.look()

    async def look(self) -> None:
        """Take a newer generation, if there is one; one that does not open is logged once."""
        name = current_generation(self._folder)
        if name in (None, self.current.name, self._refused):
            return
        try:
            newer = await self._opened()
        except (MtgkbError, OSError) as error:
            self._refused = name
            self._log.event("not opened", "error", generation=name, why=str(error))
            return
        older, self._current = self.current, newer
        older.retired = True
        self._close_unused(older)

    def _close_unused(self, generation: Generation) -> None:
        if generation.retired and generation.users == 0:
            task = asyncio.create_task(generation.close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    @asynccontextmanager
    async def used(self) -> AsyncIterator[Generation]:
        """Hold the newest generation for the time of one request."""
        generation = self.current
        generation.users += 1
        try:
            yield generation
        finally:
            generation.users -= 1
            self._close_unused(generation)

    async def stop(self) -> None:
        """Close everything."""
        if self._watch is not None:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch
        if self._current is not None:
            await self._current.close()
            self._current = None
        await asyncio.gather(*self._closing)
