"""A plain page of a thing's triples, for people, where there is no better one; and of an error."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pyoxigraph import NamedNode, Triple

from kb.web.twins import SUFFIXED, prefixed

if TYPE_CHECKING:
    from collections.abc import Iterable

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>{title}</h1>
{body}
</main></body></html>
"""


def page(base: str, node: NamedNode, triples: Iterable[Triple]) -> str:
    """Return a table of triples, those of the thing itself first, every text escaped."""
    ordered = sorted(triples, key=lambda t: (t.subject != node, str(t)))
    rows = "\n".join(
        f"<tr><td>{_term(base, t.subject)}</td><td>{_term(base, t.predicate)}</td>"
        f"<td>{_term(base, t.object)}</td></tr>"
        for t in ordered
    )
    path = "/" + node.value.removeprefix(base)
    links = " · ".join(f'<a href="{escape(quote(path))}.{n}">{n}</a>' for n, _ in SUFFIXED)
    table = f"<table><tr><th>subject</th><th>predicate</th><th>object</th></tr>\n{rows}</table>"
    return _PAGE.format(title=escape(node.value), body=f"<p>{links}</p>\n{table}")


def _term(base: str, term: Any) -> str:  # noqa: ANN401 - any of pyoxigraph's terms
    if isinstance(term, NamedNode):
        if term.value.startswith(base):
            path = term.value.removeprefix(base)
            return f'<a href="/{escape(path)}">{escape(path)}</a>'
        # Only a link that leads to a web page is one: no javascript: or data: from the graph.
        if term.value.startswith(("https://", "http://")):
            return f'<a href="{escape(term.value)}">{escape(prefixed(term))}</a>'
        return escape(term.value)
    return escape(str(term) if isinstance(term, Triple) else term.value)


def problem(status: int, fields: dict[str, Any]) -> str:
    """Return a page that says what went wrong, and what to do."""
    place = [str(fields[name]) for name in ("where", "line", "column") if fields.get(name)]
    texts = [":".join(place), fields.get("why"), fields.get("hint")]
    body = "\n".join(f"<p>{escape(str(text))}</p>" for text in texts if text)
    return _PAGE.format(title=f"{status}: {escape(str(fields['what']))}", body=body)
