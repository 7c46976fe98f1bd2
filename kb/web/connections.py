"""Connections that cannot be held open or stuffed: uvicorn's protocol with bounds.

uvicorn bounds neither how long a client may take to send a request's head, nor how long that head
may be, nor how long it may let an answer lie; each is a cheap way to bring a server down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    import asyncio

    from kb.web.limits import Limits

_TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain\r\n"
    b"content-length: 21\r\nconnection: close\r\n\r\nThe head is too long\n"
)


class TooLongHeadError(Exception):
    """A request's address and headers are longer than they may be."""


class Bounded(HttpToolsProtocol):
    """A connection whose client must send and take in time, and no more than is allowed."""

    limits: Limits

    _head_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _counted = 0
    _unread = 0
    _too_long = False
    _in_message = False
    _ended = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give the client its time for the first head."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Call all timers off."""
        self._cancel_head()
        self._cancel_write()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.limits.head_seconds, self._cut)

    def _cancel_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _cancel_write(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _cut(self) -> None:
        """End the connection, whatever still lies in its buffers."""
        if self.transport is not None:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request, unless its head grows too long."""
        if self._too_long:
            return
        if not self._in_message:
            self._await_head()
        self._ended = False
        super().data_received(data)
        if not self._in_message and not self._ended and not self._too_long:
            # The parser keeps a header that has no end: it is counted here.
            self._unread += len(data)
            if self._unread > self.limits.head_bytes:
                self._too_long = True
                self.send_400_response("")

    def send_400_response(self, msg: str) -> None:
        """Say what is wrong and end the connection."""
        self._cancel_head()
        if not self._too_long:
            super().send_400_response(msg)
        elif not self.transport.is_closing():
            self.transport.write(_TOO_LONG)
            self.transport.close()

    def on_message_begin(self) -> None:
        """Begin to count."""
        super().on_message_begin()
        self._counted = 0

    def on_url(self, url: bytes) -> None:
        """Count a piece of the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header."""
        self._count(len(name) + len(value))
        if len(self.headers) >= self.limits.head_fields:
            self._too_long = True
            raise TooLongHeadError
        super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._counted += size
        if self._counted > self.limits.head_bytes:
            self._too_long = True
            raise TooLongHeadError

    def on_headers_complete(self) -> None:
        """Call the timer off: the body has one of its own."""
        self._cancel_head()
        self._in_message, self._unread = True, 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Be ready for the next request."""
        self._in_message, self._ended = False, True
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Give the client its time to take what was written."""
        super().pause_writing()
        self._cancel_write()
        self._write_timer = self.loop.call_later(self.limits.write_seconds, self._cut)

    def resume_writing(self) -> None:
        """Call the timer off: the client has taken some."""
        self._cancel_write()
        super().resume_writing()


def bounded(limits: Limits) -> type[HttpToolsProtocol]:
    """Return a protocol class for uvicorn with these bounds."""
    return type("BoundedHere", (Bounded,), {"limits": limits})
