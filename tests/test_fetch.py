"""Downloads: fresh, unchanged, taken up, packed, broken, and what is left on the disk."""

from __future__ import annotations

import errno
import gzip
import json
from hashlib import sha256

import pytest
from test_fetch_web import TEXT, Site, change, cut, fails, get, names, stay_home

from kb.errors import SourceError
from kb.fetch import Limits
from kb.fetch.part import Part


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
