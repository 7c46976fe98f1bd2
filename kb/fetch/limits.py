"""How long to wait, how often to ask, how much to take: what a server's owner and a disk bear."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a session; times are in seconds, sizes in bytes.

    ``timeout`` is the longest silence of a server. ``tries`` counts the first one. ``wait`` is
    the first wait between tries, doubled each time; ``crowded`` the least wait after "too many
    requests" where the server names none; ``longest_wait`` what a server may ask for before
    the command gives up. ``pause`` lies between any two requests.
    """

    timeout: float = 30.0
    tries: int = 5
    wait: float = 1.0
    crowded: float = 30.0
    longest_wait: float = 120.0
    pause: float = 0.1
    redirects: int = 5
    largest_page: int = 8 * 1024 * 1024
    largest_file: int = 1024 * 1024 * 1024
