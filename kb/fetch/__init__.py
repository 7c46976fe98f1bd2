"""Official texts and card data, downloaded at the user's command and only then.

What holds afterwards: a file under its final name is whole, and beside it a note says where it
came from, when, and its sha256. An interrupted download leaves a ``.part`` that the next one
goes on with, if the file on the server is still the same.
"""

from kb.fetch.download import Fetched
from kb.fetch.limits import Limits
from kb.fetch.official import RULES_PAGE, fetch_rules, known_release
from kb.fetch.scryfall import BULK, SCRYFALL, fetch_bulk
from kb.fetch.web import Web

__all__ = [
    "BULK",
    "RULES_PAGE",
    "SCRYFALL",
    "Fetched",
    "Limits",
    "Web",
    "fetch_bulk",
    "fetch_rules",
    "known_release",
]
