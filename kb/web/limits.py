"""The bounds of one server: how long, how much, how many."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query, a request and a connection may take. Seconds, bytes, rows."""

    seconds: float = 10.0
    """How long a query may run, after which its process is killed."""
    slow_after: float = 0.3
    """After this, a query frees its place for others."""
    low_after: float = 2.0
    """After this, it goes on at a low priority."""
    rows: int = 100_000
    """How many rows or triples an answer may have; it is cut there, and says so."""
    answer_bytes: int = 32 * 2**20
    """How long an answer may be, before it is packed; it is cut there, and says so."""
    memory_bytes: int = 2 * 2**30
    """The address space of a worker process; an open knowledge base takes about a third of it."""
    body_bytes: int = 2**20
    """How long the body of a request may be."""
    head_bytes: int = 64 * 2**10
    """How long a request's address and headers may be, all together."""
    head_fields: int = 100
    """How many headers a request may have."""
    workers: int = max(2, os.cpu_count() or 2)
    """How many queries run side by side."""
    slow: int = 2
    """How many more may run that have become slow; as many spare processes stand by."""
    reading: int = 1
    """How many processes, and as many spare ones, read pages of linked data, which no query of
    anyone's can hold up."""
    waiting: int = 256
    """How many may wait for a worker; the next is told to come back later."""
    waiting_seconds: float = 5.0
    """How long one waits for a worker before it is told to come back later."""
    connections: int = 1024
    """How many connections may be open."""
    head_seconds: float = 10.0
    """How long a client may take to send a request's head, or its body."""
    write_seconds: float = 30.0
    """How long a client may let an answer lie without taking any of it."""
    stop_seconds: float = 10.0
    """How long requests may take to end when the server stops."""
    cache_bytes: int = 32 * 2**20
    """How much memory answers to linked data may take that are kept for the next one."""
    look_seconds: float = 1.0
    """How often the server looks whether there is a newer knowledge base."""

    def as_json(self) -> dict[str, float]:
        """Return the bounds by name, as a worker process gets them."""
        return asdict(self)
