"""What a query may not do: write, or reach outside.

pyoxigraph really opens the URLs of SERVICE and LOAD and cannot be told not to, so a query
is looked at before it runs: its strings, IRIs and comments are taken out first, so that the
words inside them do not count.
"""

from __future__ import annotations

import re

from kb.errors import QueryError

_OPAQUE = re.compile(
    r"\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|<[^<>\"{}|^`\\\s]*>|#[^\n]*",
    re.DOTALL,
)
# A keyword is no variable, no part of a prefixed name and no language tag.
_SERVICE = re.compile(r"(?<![\w?$:@.-])SERVICE(?![\w:-])", re.IGNORECASE)
_UPDATE = re.compile(
    r"(?<![\w?$:@.-])(INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|COPY|MOVE|ADD)(?![\w:-])", re.IGNORECASE
)


def refuse_unsafe(text: str) -> None:
    """Check that a query only reads, and only what is here.

    Raises:
        QueryError: it is an update, or calls another service.
    """
    bare = _OPAQUE.sub(lambda match: " " * len(match.group()), text)
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
