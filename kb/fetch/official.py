"""The official text: found on the rules page, and told by the catalogue of known releases."""

from __future__ import annotations

import csv
import html
import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from kb import resources
from kb.errors import SourceError
from kb.fetch.download import Fetched, Order, download

if TYPE_CHECKING:
    from pathlib import Path

    from kb.fetch.download import Progress
    from kb.fetch.web import Web

RULES_PAGE = "https://magic.wizards.com/en/rules"
_QUOTED = re.compile(r"""(?<=["'])[^"'<>]+(?=["'])""")
_DATE = re.compile(r"(\d{8})")
_HEAD = 4096


def fetch_rules(web: Web, folder: Path, progress: Progress, page: str = RULES_PAGE) -> Fetched:
    """Download the text that the rules page links to, under the name it has there.

    Raises:
        SourceError: no link on the page, or the text cannot be had or written.
    """
    content, address = web.page(page)
    url = text_link(content.decode("utf-8", "replace"), address)
    if url is None:
        raise SourceError(
            "the rules page has no link to a text of the rules",
            where=address,
            hint="open it in a browser, download the TXT, and build from the file",
        )
    target = folder / _file_name(url)
    fetched = download(web, Order("rules", url, target, _what_is_wrong, progress))
    return replace(fetched, release=known_release(fetched.sha256))


def text_link(page: str, address: str) -> str | None:
    """Return the address of the newest rules text that a page names in quotes, or None.

    >>> text_link('<a href="/d/MagicCompRules%2020310501.txt">TXT</a>', "https://example.org/en")
    'https://example.org/d/MagicCompRules%2020310501.txt'
    """
    plain = html.unescape(page.replace("\\u002F", "/").replace("\\/", "/"))
    found: list[tuple[str, int, str]] = []
    for match in _QUOTED.finditer(plain):
        try:
            url = urljoin(address, match[0].strip())
            name = _last_part(url).lower()
        except ValueError:  # no address at all
            continue
        is_text = name.endswith(".txt") and "comp" in name and "rules" in name
        if is_text and url.startswith(("http://", "https://")):
            found.append((max(_DATE.findall(name), default=""), -len(found), url))
    return max(found)[2] if found else None


def known_release(digest: str) -> str | None:
    """Return the name of the release whose text has this sha256, or None."""
    rows = csv.DictReader(resources.text("rules/releases.tsv").splitlines(), delimiter="\t")
    for row in rows:
        if row["sha256"] == digest:
            return "-".join(filter(None, (row["effective"], row["variant"])))
    return None


def _last_part(url: str) -> str:
    return unquote(urlsplit(url).path).rpartition("/")[2]


def _file_name(url: str) -> str:
    """Return the last part of an address as a file's name that is safe everywhere."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", _last_part(url)).lstrip(".-")


def _what_is_wrong(path: Path) -> str:
    """Return why a file cannot be a text of the rules, or nothing."""
    with path.open("rb") as file:
        head = file.read(_HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head:
        return "it is empty"
    return "it is a web page" if head.startswith(b"<") else ""
