"""What goes through the pipe between the server and a worker: bytes with their length.

A request is one frame of JSON. A reply is a frame of JSON (status, media type, headers) and a
frame of bytes (the body).
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    from typing import BinaryIO

_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, before HTTP: a status, a body of a media type, and headers.

    ``problem`` has the fields of an error; its body is then made in the form the client reads.
    """

    status: int = 200
    media: str = ""
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    problem: dict[str, Any] | None = None

    @property
    def packed(self) -> bool:
        """Tell whether the body is gzip already."""
        return self.headers.get("Content-Encoding") == "gzip"


def frame(content: bytes) -> bytes:
    """Return bytes with their length before them."""
    return _LENGTH.pack(len(content)) + content


def reply_frames(reply: Reply) -> bytes:
    """Return a reply as it goes through the pipe."""
    head = {
        "status": reply.status,
        "media": reply.media,
        "headers": reply.headers,
        "problem": reply.problem,
    }
    return frame(json.dumps(head).encode()) + frame(reply.body)


def read_frame(pipe: BinaryIO) -> bytes | None:
    """Read a frame, waiting for it; None when the other side has closed."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    content = pipe.read(length)
    return content if len(content) == length else None


async def receive_frame(pipe: asyncio.StreamReader) -> bytes:
    """Receive a frame.

    Raises:
        asyncio.IncompleteReadError: the other side has closed.
    """
    (length,) = _LENGTH.unpack(await pipe.readexactly(_LENGTH.size))
    return await pipe.readexactly(length)


async def receive_reply(pipe: asyncio.StreamReader) -> Reply:
    """Receive a reply.

    Raises:
        asyncio.IncompleteReadError: the other side has closed.
    """
    head = json.loads(await receive_frame(pipe))
    body = await receive_frame(pipe)
    return Reply(head["status"], head["media"], body, head["headers"], head["problem"])
