"""Structured logs: one JSON object a line, so that nothing a client sends can forge one."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

_LONGEST = 2000


class Log:
    """Writes events to a stream; with None, nowhere."""

    def __init__(self, stream: TextIO | None = sys.stderr) -> None:
        """Write to a stream."""
        self._stream = stream

    def event(self, event: str, level: str = "info", **fields: object) -> None:
        """Write one event; a long text is cut."""
        if self._stream is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        shown = {k: v[:_LONGEST] if isinstance(v, str) else v for k, v in fields.items()}
        line = {"time": now, "level": level, "event": event, **shown}
        self._stream.write(json.dumps(line, default=str) + "\n")
        self._stream.flush()
