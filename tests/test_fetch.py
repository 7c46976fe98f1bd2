"""Downloads from a real HTTP server on this machine, which errs in every way we could think of."""

from __future__ import annotations

import errno
import gzip
import json
import socket
import threading
import time
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise

import pytest

from kb.errors import SourceError
from kb.fetch import Limits, Web
from kb.fetch.download import Order, download
from kb.fetch.part import Part

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


def test_a_fresh_file_is_whole_and_has_its_note(site, target):
    site.put(modified="Fri, 01 May 2026 10:00:00 GMT")
    fetched = get(site, target)
    assert target.read_bytes() == TEXT
    assert (fetched.state, fetched.bytes, fetched.path) == ("downloaded", len(TEXT), target)
    assert fetched.sha256 == sha256(TEXT).hexdigest()
    note = json.loads((target.parent / "text.txt.fetched.json").read_text())
    assert note["sha256"] == fetched.sha256
    assert note["url"] == site.url()
    assert note["etag"] == '"one"'
    assert note["last_modified"] == "Fri, 01 May 2026 10:00:00 GMT"
    assert names(target) == ["text.txt", "text.txt.fetched.json"]


def test_every_request_names_mtgkb_and_what_it_accepts(site, target):
    site.put()
    get(site, target)
    assert site.headers(0)["User-Agent"].startswith("mtgkb/")
    assert "*/*" in site.headers(0)["Accept"]


@pytest.mark.parametrize(
    "about", [{"etag": '"one"'}, {"etag": 'W/"one"'}, {"etag": None, "modified": "yesterday"}]
)
def test_an_unchanged_file_is_not_sent_again(site, target, about):
    site.put(**about)
    get(site, target)
    before = target.stat().st_mtime_ns
    again = get(site, target)
    assert again.state == "unchanged"
    assert again.sha256 == sha256(TEXT).hexdigest()
    assert target.stat().st_mtime_ns == before
    assert len(site.requests) == 2


def test_a_changed_file_takes_the_place_of_the_old_one(site, target):
    file = site.put()
    get(site, target)
    file.content, file.etag = b"newer", '"two"'
    assert get(site, target).state == "downloaded"
    assert target.read_bytes() == b"newer"


def test_a_file_that_somebody_edited_is_downloaded_again(site, target):
    site.put()
    get(site, target)
    target.write_bytes(TEXT.replace(b"own", b"OWN"))
    assert get(site, target).state == "downloaded"
    assert target.read_bytes() == TEXT
    assert "If-None-Match" not in site.headers(1)


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"url": 1}', '{"url": "x", "bytes": "many"}'])
def test_a_note_that_cannot_be_read_is_no_note(site, target, note):
    site.put()
    get(site, target)
    (target.parent / "text.txt.fetched.json").write_text(note)
    assert get(site, target).state == "downloaded"


def test_a_note_for_another_address_is_no_note(site, target):
    site.put()
    site.put(b"other", path="/other", etag='"one"')
    get(site, target)
    get(site, target, url=site.url("/other"))
    assert target.read_bytes() == b"other"


def test_a_cut_connection_is_taken_up_in_the_same_run(site, target):
    site.put(mishaps=[cut(50_000)])
    assert get(site, target).state == "resumed"
    assert target.read_bytes() == TEXT
    assert site.headers(1)["Range"] == "bytes=50000-"
    assert site.headers(1)["If-Range"] == '"one"'


def test_a_cut_connection_is_taken_up_in_the_next_run(site, target):
    site.put(mishaps=[cut(30_000)])
    once = Limits(tries=1, pause=0)
    error = fails(site, target, once)
    assert "again" in error.hint
    assert (target.parent / "text.txt.part").stat().st_size == 30_000
    assert get(site, target, once).state == "resumed"
    assert site.headers(1)["Range"] == "bytes=30000-"
    assert target.read_bytes() == TEXT
    assert names(target) == ["text.txt", "text.txt.fetched.json"]


def test_the_date_serves_where_the_server_has_no_tag(site, target):
    site.put(etag=None, modified="Fri, 01 May 2026 10:00:00 GMT", mishaps=[cut(30_000)])
    get(site, target)
    assert site.headers(1)["If-Range"] == "Fri, 01 May 2026 10:00:00 GMT"
    assert target.read_bytes() == TEXT


@pytest.mark.parametrize("etag", ['W/"one"', None])
def test_nothing_is_taken_up_without_proof_of_the_same_bytes(site, target, etag):
    site.put(etag=etag, mishaps=[cut(30_000)])
    assert get(site, target).state == "downloaded"
    assert "Range" not in site.headers(1)
    assert target.read_bytes() == TEXT


def test_a_file_changed_in_between_starts_anew(site, target):
    newer = TEXT.replace(b"line", b"word")
    site.put(mishaps=[cut(30_000), change(newer, '"two"')])
    assert get(site, target).state == "downloaded"
    assert site.headers(1)["If-Range"] == '"one"'
    assert target.read_bytes() == newer


def test_a_server_without_ranges_starts_anew(site, target):
    site.put(ranges=False, mishaps=[cut(30_000)])
    get(site, target)
    assert target.read_bytes() == TEXT


def test_a_part_of_another_file_is_refused_though_the_server_sends_it(site, target):
    def careless(handler, file):
        rest = TEXT[30_000:].replace(b"line", b"word")
        file.content, file.etag = TEXT.replace(b"line", b"word"), '"two"'
        about = f"bytes 30000-{len(TEXT) - 1}/{len(TEXT)}"
        handler.plain(206, rest, Content_Range=about, ETag='"two"')

    file = site.put(mishaps=[cut(30_000), careless])
    get(site, target)
    assert target.read_bytes() == file.content


@pytest.mark.parametrize("given", ["bytes 5-9/10", "bytes what", ""])
def test_a_range_that_was_not_asked_for_is_refused(site, target, given):
    def wrong(handler, _):
        handler.plain(206, b"wrong", Content_Range=given, ETag='"one"')

    site.put(mishaps=[cut(30_000), wrong])
    assert get(site, target).state == "downloaded"
    assert target.read_bytes() == TEXT


def test_a_length_that_is_too_large_ends_in_an_error(site, target):
    def too_long(handler, file):
        handler.serve(file, length=len(file.content) + 100)

    site.put(mishaps=[too_long] * 3)
    assert "3 tries" in fails(site, target).what


def test_a_length_that_is_too_small_fails_the_check(site, target):
    def too_short(handler, file):
        handler.serve(file, length=1000)

    site.put(mishaps=[too_short])

    def whole(path):
        return "" if path.read_bytes() == TEXT else "its end is missing"

    error = fails(site, target, check=whole)
    assert error.why == "its end is missing"
    assert names(target) == []


def test_a_failed_check_keeps_the_old_file(site, target):
    file = site.put()
    get(site, target)
    file.content, file.etag = b"<html>", '"two"'
    with pytest.raises(SourceError):
        get(site, target, check=lambda _: "it is a web page")
    assert target.read_bytes() == TEXT
    assert names(target) == ["text.txt", "text.txt.fetched.json"]
    assert get(site, target, check=lambda _: "").state == "downloaded"


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


def test_a_server_that_is_not_there_is_an_error(site, target):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        fails(site, target, url=f"http://127.0.0.1:{port}/file")


@pytest.mark.parametrize("told", ["gzip", None])
def test_packed_bytes_are_unpacked_whether_or_not_the_server_says_so(site, target, told):
    site.put(gzip.compress(TEXT), encoding=told)
    fetched = get(site, target)
    assert target.read_bytes() == TEXT
    assert fetched.sha256 == sha256(TEXT).hexdigest()


def test_packed_bytes_are_taken_up_where_they_were_cut(site, target):
    packed = gzip.compress(TEXT)
    site.put(packed, encoding="gzip", mishaps=[cut(len(packed) // 2)])
    assert get(site, target).state == "resumed"
    assert target.read_bytes() == TEXT


def test_packed_bytes_in_several_members_are_unpacked(site, target):
    site.put(gzip.compress(TEXT) + gzip.compress(b"end"), encoding="gzip")
    get(site, target)
    assert target.read_bytes() == TEXT + b"end"


@pytest.mark.parametrize(
    "packed", [gzip.compress(TEXT)[:-9], gzip.compress(TEXT) + b"x", b"\x1f\x8b" + b"\xff" * 99]
)
def test_broken_packing_is_an_error(site, target, packed):
    site.put(packed, encoding="gzip")
    assert "packing" in fails(site, target).why
    assert names(target) == []


def test_a_packing_that_nobody_asked_for_is_an_error(site, target):
    site.put(encoding="br")
    assert fails(site, target).why == "br"


@pytest.mark.parametrize("content", [TEXT, gzip.compress(b"0" * 200_000)])
def test_a_file_beyond_the_limit_is_refused(site, target, content):
    site.put(content)
    fails(site, target, Limits(largest_file=50_000, pause=0))
    assert names(target) == []


def test_progress_is_told_up_to_the_end(site, target):
    site.put(mishaps=[cut(30_000)])
    told = []
    get(site, target, progress=lambda *step: told.append(step))
    assert all(what == "text" and total == len(TEXT) for what, _, total in told)
    done = [step[1] for step in told]
    assert done == sorted(done)
    assert done[-1] == len(TEXT)


def test_a_disk_without_room_is_an_error_and_what_arrived_is_kept(site, target):
    resource = pytest.importorskip("resource", reason="limits need a POSIX system")
    site.put()
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, old[1]))
    try:
        error = fails(site, target)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert "large" in error.why
    assert "room" in error.hint
    assert get(site, target).state == "resumed"
    assert target.read_bytes() == TEXT


def test_an_error_of_the_disk_is_told_in_its_own_words(site, target, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Part, "write", full)
    site.put()
    assert fails(site, target).why == "No space left on device"


def test_a_place_that_cannot_be_a_folder_is_an_error(site, target):
    target.parent.write_text("in the way")
    site.put()
    assert fails(site, target).where == str(target.parent)


def test_two_processes_do_not_write_one_part(site, target):
    pytest.importorskip("fcntl", reason="locks need a POSIX system")
    site.put()

    def meanwhile(*_):
        if not seen:
            seen.append(True)
            with pytest.raises(SourceError, match="another process"):
                get(site, target)

    seen = []
    get(site, target, progress=meanwhile)
    assert seen
    assert target.read_bytes() == TEXT
