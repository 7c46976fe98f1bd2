"""The page of what changed from one release to another, word by word."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import JSONResponse

from kb.web.pages.linked import differing
from kb.web.pages.rendering import guarded, page, wants_json
from kb.web.pages.site import site_of
from kb.web.pages.symbols import symbols

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from kb.queries.run import Row

_ON_A_PAGE = 60


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a rule: the numbers that it had and has, and its words."""

    change: str
    was: str | None
    is_: str | None
    text: Markup


@guarded
def diff_page(request: Request) -> Response:
    """Show what changed from one release to another; without releases, the form alone."""
    site = site_of(request)
    names = site.past.releases
    asked = request.query_params
    shown: dict[str, Any] = {"names": names[::-1], "old": None, "new": None}
    if names and asked.get("from"):
        old, new = (
            site.kb.in_history(asked["from"]),
            site.kb.in_history(asked.get("to") or "latest"),
        )
        answer = site.changes(old, new)
        every = answer.rows
        if wants_json(request):
            return JSONResponse(answer.as_json())
        kind = asked.get("change") or None
        rows = [row for row in every if kind is None or row["change"] == kind]
        pages = max(1, -(-len(rows) // _ON_A_PAGE))
        at = min(max(1, _number(asked.get("page"))), pages)
        shown |= {
            "old": old,
            "new": new,
            "total": len(every),
            "counts": Counter(str(row["change"]) for row in every).most_common(),
            "change": kind,
            "rows": [_change(row) for row in rows[(at - 1) * _ON_A_PAGE : at * _ON_A_PAGE]],
            "at": at,
            "pages": pages,
        }
    elif len(names) > 1:
        shown |= {"new": names[-1]}
    return page(request, "diff.html", **shown)


def _number(written: str | None) -> int:
    return int(written) if written and written.isascii() and written.isdigit() else 1


def _change(row: Row) -> Change:
    change, old, new = str(row["change"]), str(row["old"] or ""), str(row["new"] or "")
    if "edited" in change:
        text = differing(old, new)
    elif change == "moved":
        text = Markup("")
    else:
        text = symbols(new or old)
    was, is_ = (None if row[name] is None else str(row[name]) for name in ("from", "to"))
    return Change(change, was, is_, text)
