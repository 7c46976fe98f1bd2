"""The rules page, the list of bulk files, the catalogue, and `mtgkb fetch` itself."""

from __future__ import annotations

import gzip
import json
import re
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from test_fetch_web import QUICK, Site, cut, status, stay_home

from kb import resources
from kb.cli.fetch import command
from kb.errors import SourceError, UsageError
from kb.fetch import Web, fetch_bulk, fetch_rules, known_release
from kb.fetch import official as official_module
from kb.fetch.official import text_link
from kb.fetch.web import retry_after

NOW = datetime(2031, 5, 1, 12, 0, tzinfo=UTC)
AT = "https://example.org/en/rules"
TEXT = b"\xef\xbb\xbfRules of our own\n\nThese rules are effective as of May 1, 2031.\n"
CARDS = json.dumps([{"object": "card", "name": "Made Up"}]).encode()
RULINGS = json.dumps([{"object": "ruling", "comment": "It is made up."}]).encode()


@pytest.fixture(autouse=True)
def _at_home(monkeypatch):
    stay_home(monkeypatch)


@pytest.fixture
def site(monkeypatch):
    """A site with everything that is fetched, at the address of our settings."""
    with Site() as running:
        link = "/2031/downloads/MagicCompRules%2020310501.txt"
        running.put(TEXT, path=link)
        running.put(f'<a href="{link}">TXT</a>'.encode(), path="/en/rules")
        running.put(CARDS, path="/oracle-cards-1.json")
        running.put(gzip.compress(RULINGS), path="/rulings-1.json", encoding="gzip")
        running.put(bulk_list(running.base), path="/bulk-data")
        monkeypatch.setenv("MTGKB_RULES_PAGE", running.url("/en/rules"))
        monkeypatch.setenv("MTGKB_SCRYFALL", running.base)
        yield running


def bulk_list(base):
    entries = [
        {
            "object": "bulk_data",
            "type": sort,
            "updated_at": "2031-05-01T09:00:00.000+00:00",
            "download_uri": f"{base}/{name}",
            "size": 10,
            "content_encoding": "gzip",
        }
        for sort, name in (("oracle_cards", "oracle-cards-1.json"), ("rulings", "rulings-1.json"))
    ]
    return json.dumps({"object": "list", "has_more": False, "data": entries}).encode()


def rules(site, folder):
    with Web(QUICK) as web:
        return fetch_rules(web, folder, lambda *_: None, site.url("/en/rules"))


def bulk(site, folder, kinds=("cards", "rulings")):
    with Web(QUICK) as web:
        return list(fetch_bulk(web, kinds, folder, lambda *_: None, site.base))


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ('<a href="/d/MagicCompRules%2020310501.txt">', "/d/MagicCompRules%2020310501.txt"),
        ("<a href='/d/MagicCompRules 20310501.txt'>", "/d/MagicCompRules 20310501.txt"),
        ('<a href="/d/MagicCompRules.TXT?v=1&amp;w=2">', "/d/MagicCompRules.TXT?v=1&w=2"),
        (
            '<a href="/MagicCompRules_20300101.txt"><a href="/MagicCompRules_20310501.txt">',
            "/MagicCompRules_20310501.txt",
        ),
        ('<a href="/one/CompRules.txt"><a href="/two/CompRules.txt">', "/one/CompRules.txt"),
        (r'{"url":"https:\/\/example.org\/CompRules.txt"}', "/CompRules.txt"),
        (r'{"it\'s":"https:\u002F\u002Fexample.org\u002FCompRules.txt"}', "/CompRules.txt"),
        ('<p>it\'s <a href="/CompRules.txt">CompRules 2.txt</a>', "/CompRules.txt"),
    ],
)
def test_the_newest_text_of_a_page_is_found(page, link):
    assert text_link(page, AT) == f"https://example.org{link}"


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<a>MagicCompRules.txt</a>",
        '<a href="/d/MagicCompRules.pdf">',
        '<a href="/d/TournamentRules.txt">',
        '<a href="/robots.txt">',
        '<a href="file:///MagicCompRules.txt">',
        '<a href="http://[/MagicCompRules.txt">',
        '<a href="/CompRules.txt/other">',
    ],
)
def test_a_page_without_a_text_has_no_link(page):
    assert text_link(page, AT) is None


@given(st.text(alphabet="\"'<> ./?%[]&;:htpsCompRules\\x20"))
def test_any_page_at_all_has_a_link_or_none(page):
    link = text_link(page, AT)
    assert link is None or link.startswith(("http://", "https://"))


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        ("Thu, 01 May 2031 12:00:30 GMT", 30),
        ("Thu, 01 May 2031 12:00:30 -0000", 30),
        ("Thu, 01 May 2031 11:00:00 GMT", 0),
        ("-5", None),
        ("1.5", None),
        ("²", None),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_a_waiting_time_is_read(written, seconds):
    assert retry_after(written, NOW) == seconds


@given(st.text())
def test_any_waiting_time_is_read_or_not(written):
    assert (retry_after(written, NOW) or 0) >= 0


def test_the_text_lies_under_its_own_name(site, tmp_path):
    fetched = rules(site, tmp_path)
    assert fetched.path == tmp_path / "MagicCompRules-20310501.txt"
    assert fetched.path.read_bytes() == TEXT
    assert fetched.release is None


def test_a_text_of_the_catalogue_is_named(site, tmp_path, monkeypatch):
    digest = sha256(TEXT).hexdigest()
    catalogue = f"effective\tvariant\tpublished\tbytes\tsha256\n2031-05-01\tb\t\t9\t{digest}\n"
    monkeypatch.setattr(official_module.resources, "text", lambda _: catalogue)
    assert rules(site, tmp_path).release == "2031-05-01-b"


def test_every_text_of_the_shipped_catalogue_is_known():
    lines = resources.text("rules/releases.tsv").splitlines()[1:]
    assert len(lines) > 100
    for line in lines:
        effective, variant, *_, digest = line.split("\t")
        assert known_release(digest) == (f"{effective}-{variant}" if variant else effective)


@pytest.mark.parametrize(
    ("content", "why"), [(b"", "empty"), (b"\n<!DOCTYPE html><p>sorry", "web page")]
)
def test_what_cannot_be_the_rules_is_refused(site, tmp_path, content, why):
    site.put(content, path="/2031/downloads/MagicCompRules%2020310501.txt")
    with pytest.raises(SourceError) as caught:
        rules(site, tmp_path)
    assert why in caught.value.why
    assert list(tmp_path.iterdir()) == []


def test_a_rules_page_without_a_link_is_an_error(site, tmp_path):
    site.put(b"<html><a href='/rules.pdf'>PDF</a></html>", path="/en/rules")
    with pytest.raises(SourceError, match="no link") as caught:
        rules(site, tmp_path)
    assert "browser" in caught.value.hint


def test_a_page_too_large_for_a_page_is_refused(site, tmp_path, monkeypatch):
    monkeypatch.setenv("MTGKB_RULES_PAGE", "unused")
    site.put(gzip.compress(b" " * 20_000_000), path="/en/rules", encoding="gzip")
    with pytest.raises(SourceError, match="too large"):
        rules(site, tmp_path)


def test_a_page_packed_wrongly_is_an_error(site, tmp_path):
    site.put(b"no gzip", path="/en/rules", encoding="gzip")
    with pytest.raises(SourceError):
        rules(site, tmp_path)


def test_cards_and_rulings_come_after_one_look_at_the_list(site, tmp_path):
    cards, rulings = bulk(site, tmp_path)
    assert (cards.what, cards.path.read_bytes()) == ("cards", CARDS)
    assert (rulings.what, rulings.path.read_bytes()) == ("rulings", RULINGS)
    assert cards.updated == "2031-05-01T09:00:00.000+00:00"
    paths = [path for path, _, _ in site.requests]
    assert paths == ["/bulk-data", "/oracle-cards-1.json", "/rulings-1.json"]


def test_bulk_files_that_are_there_are_not_sent_again(site, tmp_path):
    bulk(site, tmp_path)
    assert [fetched.state for fetched in bulk(site, tmp_path)] == ["unchanged", "unchanged"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>",
        b"{",
        b"[]",
        b"null",
        b'{"data": 5}',
        b'{"data": null}',
        b'{"object": "error"}',
        b"\xff\xfe\xff",
        b"[" * 100_000,
    ],
)
def test_a_list_that_cannot_be_read_is_an_error(site, tmp_path, content):
    site.put(content, path="/bulk-data")
    with pytest.raises(SourceError, match="cannot be read"):
        bulk(site, tmp_path)


@pytest.mark.parametrize(
    "entry",
    [
        "text",
        {"type": "all_cards", "download_uri": "/x"},
        {"type": "oracle_cards"},
        {"type": "oracle_cards", "download_uri": ""},
        {"type": "oracle_cards", "download_uri": 5},
    ],
)
def test_a_list_without_the_file_is_an_error(site, tmp_path, entry):
    site.put(json.dumps({"data": [entry]}).encode(), path="/bulk-data")
    with pytest.raises(SourceError, match="oracle_cards"):
        bulk(site, tmp_path)


@pytest.mark.parametrize("link", ["file:///etc/hostname", "http://[", "ftp://127.0.0.1/x"])
def test_a_list_with_a_strange_address_is_an_error(site, tmp_path, link):
    entry = {"type": "oracle_cards", "download_uri": link}
    site.put(json.dumps({"data": [entry]}).encode(), path="/bulk-data")
    with pytest.raises(SourceError, match="no answer"):
        bulk(site, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "empty"), (b"<html>", "no JSON"), (CARDS[:-1], "end"), (CARDS[:-1] + b" \n", "end")],
)
def test_card_data_that_is_not_whole_json_is_refused(site, tmp_path, content, why):
    site.put(content, path="/oracle-cards-1.json")
    with pytest.raises(SourceError) as caught:
        bulk(site, tmp_path, ("cards",))
    assert why in caught.value.why


def test_json_lines_are_card_data_too(site, tmp_path):
    site.put(b'{"name": "A"}\n{"name": "B"}\n', path="/oracle-cards-1.json")
    assert bulk(site, tmp_path, ("cards",))[0].bytes == 28


def run(*arguments):
    return CliRunner().invoke(command, arguments, obj={}, catch_exceptions=False)


def test_the_command_prints_where_each_file_lies(site, tmp_path):
    done = run("all", "--to", str(tmp_path))
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["rules", "cards", "rulings"]
    for line in lines:
        path = re.fullmatch(r"\w+: (.+?) \(.*\)", line)[1]
        assert path in map(str, tmp_path.iterdir())
    assert "does not know" in lines[0]
    assert len(site.requests) == 5


@pytest.mark.parametrize("what", ["rules", "cards", "rulings"])
def test_the_command_fetches_one_thing(site, tmp_path, what):
    done = run(what, "--to", str(tmp_path), "--format", "json")
    (file,) = json.loads(done.stdout)["files"]
    assert file["what"] == what
    assert file["state"] == "downloaded"
    assert len(site.requests) == 2


@pytest.mark.usefixtures("site")
def test_files_go_to_the_home_by_default(tmp_path, monkeypatch):
    monkeypatch.setenv("MTGKB_HOME", str(tmp_path))
    run("cards")
    assert (tmp_path / "downloads" / "oracle-cards.json").read_bytes() == CARDS


def test_options_say_more_than_the_environment(site, tmp_path, monkeypatch):
    monkeypatch.setenv("MTGKB_SCRYFALL", "http://127.0.0.1:1")
    done = run("cards", "--to", str(tmp_path), "--scryfall", site.base + "/")
    assert done.exit_code == 0


def test_the_command_goes_on_where_it_was_cut(site, tmp_path):
    site.files["/oracle-cards-1.json"].mishaps.append(cut(7))
    done = run("cards", "--to", str(tmp_path))
    assert "resumed" in done.output
    assert (tmp_path / "oracle-cards.json").read_bytes() == CARDS


@pytest.mark.parametrize(("path", "came"), [("/bulk-data", 1), ("/rulings-1.json", 2)])
def test_what_came_before_an_error_is_kept_and_printed(site, tmp_path, path, came):
    site.files[path].mishaps.append(status(403))
    done = CliRunner().invoke(command, ("all", "--to", str(tmp_path)), obj={})
    assert isinstance(done.exception, SourceError)
    assert len(done.output.splitlines()) == came
    assert (tmp_path / "MagicCompRules-20310501.txt").read_bytes() == TEXT


@pytest.mark.parametrize(
    "arguments", [("prices",), ("rules", "--timeout", "0"), ("rules", "--timeout", "nan")]
)
def test_wrong_words_are_an_error_of_usage(site, arguments):
    with pytest.raises(UsageError):
        run(*arguments)
    assert site.requests == []


def test_an_unusable_proxy_is_an_error(monkeypatch):
    monkeypatch.setenv("http_proxy", "what://127.0.0.1")
    with pytest.raises(SourceError, match="connection") as caught, Web(QUICK):
        pytest.fail("there is no such proxy")
    assert "proxy" in caught.value.hint
