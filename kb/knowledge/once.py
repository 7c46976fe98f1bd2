"""A value that is made at its first use, by one thread, and kept."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Once(Generic[T]):
    """Holds what is made once; threads that ask meanwhile wait for it."""

    __slots__ = ("_lock", "made")

    def __init__(self) -> None:
        """Hold nothing yet: ``made`` is None until the first ``get``."""
        self._lock = Lock()
        self.made: T | None = None

    def get(self, make: Callable[[], T]) -> T:
        """Return the value; ``make`` makes it if it is not there. What it raises is not kept."""
        with self._lock:
            if self.made is None:
                self.made = make()
            return self.made
