"""Polite requests: a name, a pause, a time-out, a few tries, and errors that say what to do."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Self, TypeVar
from urllib.parse import urlsplit

from kb.errors import SourceError
from kb.fetch.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import httpx

_Answer = TypeVar("_Answer")

OK, PARTIAL, UNCHANGED, NO_SUCH_RANGE = 200, 206, 304, 416
_TOO_MANY = 429
_LATER = frozenset({_TOO_MANY, 500, 502, 503, 504})
_ACCEPT = "application/json, text/html;q=0.9, text/plain;q=0.9, */*;q=0.8"
_AGAIN = "run the same command again: what has arrived is kept"


class Web:
    """A session: every request of mtgkb goes through ``ask``."""

    def __init__(self, limits: Limits | None = None) -> None:
        import httpx  # noqa: PLC0415 - slow to import

        self.limits = limits or Limits()
        self._last = float("-inf")
        self._reached = False  # by any request: without that, trying again is idle
        try:
            self._client = httpx.Client(
                headers={
                    "User-Agent": f"mtgkb/{_version()}",
                    "Accept": _ACCEPT,
                    "Accept-Encoding": "gzip",
                },
                timeout=self.limits.timeout,
                follow_redirects=True,
                max_redirects=self.limits.redirects,
            )
        except (ImportError, ValueError, OSError, httpx.InvalidURL) as error:
            raise SourceError(
                "no connection can be set up",
                why=str(error),
                hint="check the proxy and certificate settings of your environment",
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def page(self, url: str) -> tuple[bytes, str]:
        """Return a small page and the address it came from in the end.

        Raises:
            SourceError: it cannot be had, or is larger than a page may be.
        """

        def read(response: httpx.Response) -> tuple[bytes, str]:
            content = bytearray()
            for piece in response.iter_bytes():
                content += piece
                if len(content) > self.limits.largest_page:
                    raise SourceError("the page is too large", where=url)
            return bytes(content), str(response.url)

        return self.ask(url, dict, read, frozenset({OK}))

    def ask(
        self,
        url: str,
        headers: Callable[[], Mapping[str, str]],
        use: Callable[[httpx.Response], _Answer | None],
        statuses: frozenset[int],
    ) -> _Answer:
        """Ask for an address until ``use`` returns an answer, a few times at most.

        Args:
            url: the address, http or https.
            headers: called before each try.
            use: reads a response with one of the ``statuses``; None means to ask again.
            statuses: those that ``use`` understands; another one is an error.

        Raises:
            SourceError: no answer, or the server refuses.
        """
        import httpx  # noqa: PLC0415 - slow to import

        if not _is_address(url):
            hint = "an address begins with http:// or https:// and names a host"
            raise SourceError("no answer", where=url, why="this is no address", hint=hint)
        passing = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError)
        why = ""
        wait = self.limits.wait
        for number in range(self.limits.tries):
            if number:
                time.sleep(wait)
            wait = self.limits.wait * 2**number
            self._pause()
            try:
                with self._client.stream("GET", url, headers=headers()) as response:
                    self._reached = True
                    status = response.status_code
                    if status in _LATER:
                        why = _named(response)
                        wait = self._asked_wait(response, wait)
                    elif status not in statuses:
                        raise _refused(url, response)
                    elif (answer := use(response)) is not None:
                        return answer
                    else:
                        why = "the file on the server differs from what the server says of it"
            except passing as error:
                why = str(error) or type(error).__name__
                if isinstance(error, httpx.ConnectError) and not self._reached:
                    hint = "check your connection to the internet, and the address"
                    what = "the server cannot be reached"
                    raise SourceError(what, where=url, why=why, hint=hint) from None
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                hint = "check the address; only http and https, and few redirects, are followed"
                raise SourceError("no answer", where=url, why=str(error), hint=hint) from None
        raise SourceError(
            f"no whole answer in {self.limits.tries} tries", where=url, why=why, hint=_AGAIN
        )

    def _pause(self) -> None:
        """Wait until the last request is far enough away."""
        left = self._last + self.limits.pause - time.monotonic()
        if left > 0:
            time.sleep(left)
        self._last = time.monotonic()

    def _asked_wait(self, response: httpx.Response, wait: float) -> float:
        """Return how long to wait: what the server asks for, at least our own wait.

        Raises:
            SourceError: it asks for too long.
        """
        asked = retry_after(response.headers.get("Retry-After"), datetime.now(UTC))
        if asked is None:
            return max(wait, self.limits.crowded) if response.status_code == _TOO_MANY else wait
        if asked > self.limits.longest_wait:
            raise SourceError(
                f"the server asks to wait for {asked:.0f} seconds",
                where=str(response.url),
                why=_named(response),
                hint="run the same command again then",
            )
        return max(asked, wait)


def retry_after(written: str | None, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header names, as a number or a date, or None."""
    if not written:
        return None
    if written.isascii() and written.isdigit():
        return float(written)
    try:
        when = parsedate_to_datetime(written)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _refused(url: str, response: httpx.Response) -> SourceError:
    where = url if str(response.url) == url else f"{url} → {response.url}"
    hint = "the address may have changed: mtgkb fetch --help shows how to give another"
    return SourceError("the server refuses", where=where, why=_named(response), hint=hint)


def _named(response: httpx.Response) -> str:
    return f"{response.status_code} {response.reason_phrase}".strip()


def _version() -> str:
    try:
        return version("mtgkb")
    except PackageNotFoundError:
        return "0"
