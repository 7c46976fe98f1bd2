"""Running the application on a port, and stopping it without cutting a request off."""

from __future__ import annotations

import ipaddress
import signal
import socket
from typing import TYPE_CHECKING

import uvicorn

from kb.errors import UsageError
from kb.web.app import Settings, create_app
from kb.web.connections import bounded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from starlette.routing import BaseRoute

    from kb.web.logs import Log


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach a server that listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one.

    Raises:
        UsageError: the address cannot be had.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.socket(family)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(1024)
    except (OSError, OverflowError) as error:
        raise UsageError(
            f"cannot listen on {host}:{port}", why=str(error), hint="choose another: --port N"
        ) from error
    return made


class _Server(uvicorn.Server):
    """Stops on a signal without raising it again: a stop that was asked for is no failure."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - uvicorn's
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def serve(
    settings: Settings, listener: socket.socket, log: Log, pages: Sequence[BaseRoute] = ()
) -> bool:
    """Serve until SIGINT or SIGTERM; then end what runs, and return whether it had started."""
    limits = settings.limits
    config = uvicorn.Config(
        create_app(settings, pages, log),
        http=bounded(limits),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=int(limits.head_seconds),
        timeout_graceful_shutdown=int(limits.stop_seconds),
    )
    server = _Server(config)
    server.run(sockets=[listener])
    log.event("stopped")
    return server.started
