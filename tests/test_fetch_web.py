"""A real HTTP server on this machine that errs in every way we could think of, and our patience."""

from __future__ import annotations

import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise

import pytest

from kb.errors import SourceError
from kb.fetch import Limits, Web
from kb.fetch.download import Order, download

QUICK = Limits(timeout=5, tries=3, wait=0.01, crowded=0.02, longest_wait=5, pause=0)
TEXT = b"".join(b"%d. A line of our own.\n" % n for n in range(4000))
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass
class File:
    """What a server has under one path; each mishap happens once, in order, to a request."""

    content: bytes
    etag: str | None = '"one"'
    modified: str | None = None
    encoding: str | None = None
    ranges: bool = True
    mishaps: list = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    """Serves files as RFC 9110 asks."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        site = self.server.site
        site.requests.append((self.path, dict(self.headers), time.monotonic()))
        file = site.files.get(self.path)
        if file is None:
            self.plain(404)
        elif file.mishaps:
            file.mishaps.pop(0)(self, file)
        else:
            self.serve(file)

    def plain(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def serve(self, file, cut=None, length=None):
        given = {
            "ETag": file.etag,
            "Last-Modified": file.modified,
            "Content-Encoding": file.encoding,
        }
        if (file.etag and self.headers.get("If-None-Match") == file.etag) or (
            file.modified and self.headers.get("If-Modified-Since") == file.modified
        ):
            self.send_response(304)
            self.end_headers()
            return
        start, total = 0, len(file.content)
        wanted = self.headers.get("Range")
        same = self.headers.get("If-Range") in (file.etag or file.modified, None)
        if wanted and file.ranges and same:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= total:
                self.plain(416, Content_Range=f"bytes */{total}")
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{total - 1}/{total}")
        else:
            self.send_response(200)
        for name, value in given.items():
            if value:
                self.send_header(name, value)
        self.send_header("Content-Length", str(total - start if length is None else length))
        self.end_headers()
        self.wfile.write(file.content[start : total if cut is None else cut])
        if cut is not None or length is not None:
            self.close_connection = True

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    """Quiet about clients that hang up."""

    daemon_threads = True

    def handle_error(self, *_):
        pass


class Site:
    """A server on a free port of this machine: its files, and the requests it got."""

    def __init__(self):
        self.files = {}
        self.requests = []

    def __enter__(self):
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.site = self
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def url(self, path="/file"):
        return self.base + path

    def put(self, content=TEXT, path="/file", **about):
        self.files[path] = File(content, **about)
        return self.files[path]

    def headers(self, number):
        return self.requests[number][1]


def cut(after):
    """Hang up after so many bytes of the file."""
    return lambda handler, file: handler.serve(file, cut=after)


def status(code, **headers):
    """Answer with a status and headers (``Retry_After``)."""
    return lambda handler, _: handler.plain(code, **headers)


def stall(handler, file):
    """Send half of the file, then nothing for longer than the client waits."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(file.content)))
    handler.send_header("ETag", file.etag)
    handler.end_headers()
    handler.wfile.write(file.content[: len(file.content) // 2])
    handler.wfile.flush()
    time.sleep(0.6)
    handler.close_connection = True


def change(content, etag):
    """Put another file in the place of the one that is there, then answer properly."""

    def answer(handler, file):
        file.content, file.etag = content, etag
        handler.serve(file)

    return answer


def gone(site):
    """Answer once that the server is busy, and take no connection after that."""

    def answer(handler, _):
        site.server.socket.close()
        handler.close_connection = True
        handler.plain(503, Connection="close")

    return answer


def stay_home(monkeypatch):
    """Refuse every connection that leaves this machine, and forget proxies."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    connect, look_up = socket.create_connection, socket.getaddrinfo

    def only_here(address, *args, **kwargs):
        assert address[0] in LOOPBACK, f"a request left the machine: {address}"
        return connect(address, *args, **kwargs)

    def name_only_here(host, *args, **kwargs):
        assert host in LOOPBACK, f"a request left the machine: {host}"
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket, "create_connection", only_here)
    monkeypatch.setattr(socket, "getaddrinfo", name_only_here)


@pytest.fixture(autouse=True)
def _at_home(monkeypatch):
    stay_home(monkeypatch)


@pytest.fixture
def site():
    with Site() as running:
        yield running


@pytest.fixture
def target(tmp_path):
    return tmp_path / "down" / "text.txt"


def get(  # noqa: PLR0913 - each has its default
    site, target, limits=QUICK, *, check=lambda _: "", url=None, progress=lambda *_: None
):
    with Web(limits) as web:
        return download(web, Order("text", url or site.url(), target, check, progress))


def names(target):
    return sorted(path.name for path in target.parent.iterdir())


def fails(site, target, limits=QUICK, **about):
    with pytest.raises(SourceError) as caught:
        get(site, target, limits, **about)
    assert not target.exists()
    return caught.value


@pytest.mark.parametrize("code", [400, 401, 403, 404, 410, 501])
def test_a_refusal_is_an_error_at_once(site, target, code):
    site.put(mishaps=[status(code)])
    error = fails(site, target)
    assert error.why.startswith(str(code))
    assert error.where == site.url()
    assert len(site.requests) == 1
    assert names(target) == []


def test_a_waiting_time_is_honoured(site, target):
    site.put(mishaps=[status(429, Retry_After="1")])
    get(site, target)
    assert site.requests[1][2] - site.requests[0][2] >= 1
    assert target.read_bytes() == TEXT


def test_too_many_requests_without_a_time_wait_longer_than_a_cut(site, target):
    site.put(mishaps=[status(429)])
    get(site, target, Limits(wait=0, crowded=0.3, pause=0))
    assert site.requests[1][2] - site.requests[0][2] >= 0.3


def test_a_waiting_time_beyond_patience_is_told(site, target):
    site.put(mishaps=[status(503, Retry_After="3600")])
    assert "3600 seconds" in fails(site, target).what
    assert len(site.requests) == 1


@pytest.mark.parametrize("code", [500, 502, 503, 504])
def test_a_passing_fault_of_the_server_is_asked_again(site, target, code):
    site.put(mishaps=[status(code), status(code)])
    get(site, target)
    assert target.read_bytes() == TEXT
    assert len(site.requests) == 3


def test_a_lasting_fault_of_the_server_ends_after_a_few_tries(site, target):
    site.put(mishaps=[status(503)] * 9)
    assert fails(site, target).why.startswith("503")
    assert len(site.requests) == 3


def test_waits_grow(site, target):
    site.put(mishaps=[status(503)] * 3)
    get(site, target, Limits(tries=4, wait=0.1, pause=0))
    times = [when for _, _, when in site.requests]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps[0] >= 0.1
    assert gaps[1] >= 0.2
    assert gaps[2] >= 0.4


def test_requests_keep_their_distance(site, target):
    site.put(mishaps=[status(503)] * 2)
    get(site, target, Limits(tries=3, wait=0, pause=0.2))
    times = [when for _, _, when in site.requests]
    assert times[1] - times[0] >= 0.19
    assert times[2] - times[1] >= 0.19


def test_silence_ends_at_the_time_out(site, target):
    site.put(mishaps=[stall])
    started = time.monotonic()
    error = fails(site, target, Limits(timeout=0.2, tries=1, pause=0))
    assert time.monotonic() - started < 2
    assert "timed out" in error.why.lower()
    assert (target.parent / "text.txt.part").stat().st_size == len(TEXT) // 2


def test_silence_is_followed_by_the_rest(site, target):
    site.put(mishaps=[stall])
    assert get(site, target, Limits(timeout=0.2, wait=0.01, pause=0)).state == "resumed"
    assert target.read_bytes() == TEXT


def test_a_redirect_is_followed(site, target):
    site.put(b"", path="/old", mishaps=[status(302, Location="/file")])
    site.put()
    get(site, target, url=site.url("/old"))
    assert target.read_bytes() == TEXT


def test_redirects_without_end_are_not_followed(site, target):
    site.put(mishaps=[status(302, Location="/file")] * 50)
    fails(site, target)
    assert len(site.requests) <= QUICK.redirects + 1


@pytest.mark.parametrize("place", ["file:///etc/hostname", "ftp://127.0.0.1/x", "gopher:x"])
def test_a_redirect_to_anything_but_http_is_refused(site, target, place):
    site.put(mishaps=[status(302, Location=place)])
    assert "http" in fails(site, target).hint


@pytest.mark.parametrize(
    "url", ["file:///etc/hostname", "ftp://127.0.0.1/", "no address", "", "http://", "http://[x"]
)
def test_an_address_that_is_none_is_an_error(site, target, url):
    with Web(QUICK) as web, pytest.raises(SourceError):
        download(web, Order("text", url, target, lambda _: "", lambda *_: None))
    assert names(target) == []
    assert site.requests == []


def test_a_server_that_is_not_there_is_an_error_at_once(site, target):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        error = fails(site, target, Limits(wait=60), url=f"http://127.0.0.1:{port}/file")
    assert "reached" in error.what
    assert "connection" in error.hint


def test_a_server_that_goes_away_is_tried_again(site, target):
    site.put(mishaps=[gone(site)])
    assert "3 tries" in fails(site, target).what
