"""What a query may not do: write, or reach outside.

pyoxigraph really opens the URLs of SERVICE and LOAD and cannot be told not to, so a query
is looked at before it runs: its strings, IRIs, comments and variables, and the local parts of
its prefixed names, are taken out first, so that the words inside them do not count. Its parser
needs no blank around a keyword, so whatever then still contains SERVICE is refused.
"""

from __future__ import annotations

import re

from kb.errors import QueryError

_OPAQUE = re.compile(
    r"\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r"|\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\\\r\n]|\\.)*'"
    r"|<[^<>\"{}|^`\\\x00-\x20]*>|#[^\r\n]*|[?$]\w+|:[\w%-]+",
    re.DOTALL,
)
_SERVICE = re.compile(r"SERVICE", re.IGNORECASE)
_UPDATE = re.compile(
    r"(?<![\w:@.-])(INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|COPY|MOVE|ADD)(?![\w:-])", re.IGNORECASE
)
_DATASET = re.compile(r"(?<![A-Za-z_:])FROM", re.IGNORECASE)


def _bare(text: str) -> str:
    """Return a query with what is no keyword blanked out, each offset kept."""
    # The colon of a prefixed name stays: what stands before it is a prefix.
    return _OPAQUE.sub(
        lambda found: (":" if found.group()[0] == ":" else " ").ljust(len(found.group())), text
    )


def has_dataset_clause(text: str) -> bool:
    """Tell whether a query names its own default graph by FROM."""
    return bool(_DATASET.search(_bare(text)))


def refuse_unsafe(text: str) -> None:
    """Check that a query only reads, and only what is here.

    Raises:
        QueryError: it is an update, or calls another service.
    """
    bare = _bare(text)
    for pattern, why in (
        (_SERVICE, "SERVICE calls another server, and a query here may not reach outside"),
        (_UPDATE, "a knowledge base is read-only; only mtgkb build writes one"),
    ):
        match = pattern.search(bare)
        if match:
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - (text.rfind("\n", 0, match.start()) + 1) + 1
            raise QueryError(
                f"{match.group().upper()} is refused",
                where="query",
                why=why,
                line=line,
                column=column,
                hint="ask with SELECT, CONSTRUCT, ASK or DESCRIBE",
            )
