"""The pages that take a pasted text: what it quotes, and whether its citations are right."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import wraps
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from kb.errors import MtgkbError, UsageError
from kb.knowledge.spelling import Speller
from kb.web.pages.linked import marked
from kb.web.pages.rendering import failed, page, wants_json
from kb.web.pages.site import links_of, site_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from markupsafe import Markup
    from starlette.requests import Request
    from starlette.responses import Response

    from kb.identify import Match, ParagraphMatches
    from kb.knowledge.spelling import Checked
    from kb.web.pages.links import Links

_LARGEST = 1_000_000  # bytes of a form
_CARDS = 3  # named, of those that share a ruling
SAID = {
    "fine": "as it should be",
    "missing": "there is no such rule",
    "moved": "this rule has another number now",
    "edited": "this rule has been edited since",
    "gone": "this rule is gone",
    "suspect": "the words or title beside it fit another rule",
}
_TO_LOOK_AT = ("missing", "moved", "gone", "suspect")


def _posted(
    handler: Callable[[Request, Mapping[str, str]], Response],
) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler that reads a form's fields (of its body, or of the address)."""

    def answered(request: Request, fields: Mapping[str, str]) -> Response:
        try:
            return handler(request, fields)
        except MtgkbError as error:
            return failed(request, error)

    @wraps(handler)
    async def read(request: Request) -> Response:
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > _LARGEST:
                error = UsageError("the text is too long", hint="give a megabyte at the most")
                return await run_in_threadpool(failed, request, error)
        sent = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
        fields = {**request.query_params, **{name: some[-1] for name, some in sent.items()}}
        return await run_in_threadpool(answered, request, fields)

    return read


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """Something that a paragraph quotes: its name, its page, how it is quoted, what is known."""

    name: str
    address: str | None
    how: str
    about: tuple[str, ...]
    difference: Markup | None


@dataclass(frozen=True, slots=True)
class ShownParagraph:
    """A paragraph with what it quotes."""

    text: str
    matches: tuple[ShownMatch, ...]


@_posted
def identify_page(request: Request, fields: Mapping[str, str]) -> Response:
    """Show a box for a text, and what its paragraphs quote."""
    site = site_of(request)
    text = fields.get("text", "").replace("\r\n", "\n")
    shown: dict[str, Any] = {"found": None, "quoted": 0, "whole": None}
    if text.strip():
        paragraphs, whole = site.kb.identify(text)
        if wants_json(request):
            return JSONResponse({"release": whole, "paragraphs": [_as_json(p) for p in paragraphs]})
        links = links_of(request, site)
        found = [
            ShownParagraph(one.text, tuple(_matches(one.matches, one.more, links)))
            for one in paragraphs
        ]
        shown = {"found": found, "quoted": sum(bool(p.matches) for p in found), "whole": whole}
    return page(request, "identify.html", text=text, **shown)


def _as_json(paragraph: ParagraphMatches) -> dict[str, object]:
    """Return a paragraph as `mtgkb identify --format json` has it, spans as two numbers."""
    matches = [
        {**asdict(match), "span": [match.span.start, match.span.end]} for match in paragraph.matches
    ]
    line, text = paragraph.line, paragraph.text
    return {"line": line, "text": text, "matches": matches, "more": paragraph.more}


def _matches(matches: tuple[Match, ...], more: int, links: Links) -> Iterator[ShownMatch]:
    """Yield each thing quoted; cards that share a ruling are one."""
    for _, several in groupby(matches, _same):
        match, *others = several
        about = list(_about(match))
        if match.kind == "ruling" and others:
            names = [one.id.rpartition(", ")[0] for one in others]
            left = len(names) + more - _CARDS
            about.append(
                f"also on {'; '.join(names[:_CARDS])}" + (f" and {left} more" if left > 0 else "")
            )
        difference = marked(match.difference) if match.difference else None
        yield ShownMatch(
            _name(match), _address(match, links), match.match, tuple(about), difference
        )


def _same(match: Match) -> tuple[object, ...]:
    return match.kind, "" if match.kind == "ruling" else match.id, match.span, match.match


def _name(match: Match) -> str:
    if match.kind == "ruling":
        return f"ruling on {match.id.rpartition(', ')[0]}"
    return f"{match.kind} {match.id}"


def _address(match: Match, links: Links) -> str | None:
    if match.kind == "ruling":
        return links.page("card", name=match.id.rpartition(", ")[0])
    if match.kind == "term":
        return links.label(match.release, f"glossary:{match.id}")
    return links.rule(match.release, match.id.partition(" ")[0])


def _about(match: Match) -> Iterator[str]:
    if match.kind == "ruling":
        yield f"of {match.since}"
        return
    if match.since:
        until = match.until or "this day"
        is_one = match.since == until
        yield f"worded so in {until}" if is_one else f"worded so {match.since} to {until}"
    if match.now is None:
        yield "gone now"
    elif match.now[0] != match.id:
        yield f"numbered so until {match.release}, now {match.now[0]}"
    if match.now and match.until:
        yield "worded otherwise now"
    if match.printed_fits is False:
        yield f"printed as {match.printed}"
    for old, new in match.astray:
        yield f"its reference {old} means {new} now"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the text: a citation, or what stands between two."""

    text: str
    one: Checked | None


@_posted
def citations_page(request: Request, fields: Mapping[str, str]) -> Response:
    """Show a box for code or text, and how its citations are."""
    site = site_of(request)
    names = site.past.releases[::-1] or (site.newest,)
    text = fields.get("text", "").replace("\r\n", "\n")
    old, new = fields.get("from") or names[0], fields.get("to") or names[0]
    shown: dict[str, Any] = {"found": None}
    if text.strip():
        checked = list(Speller.of(site.kb, old, new).check(text))
        if wants_json(request):
            return JSONResponse({"citations": [asdict(one) for one in checked]})
        shown = {
            "found": checked,
            "off": sum(one.status in _TO_LOOK_AT for one in checked),
            "marked": list(_parts(text, checked)),
            "corrected": "".join(_corrected(text, checked)),
            "said": SAID,
        }
    return page(request, "citations.html", text=text, names=names, old=old, new=new, **shown)


def _parts(text: str, checked: list[Checked]) -> Iterator[Part]:
    done = 0
    for one in checked:
        yield Part(text[done : one.start], None)
        yield Part(text[one.start : one.end], one)
        done = one.end
    yield Part(text[done:], None)


def _corrected(text: str, checked: list[Checked]) -> Iterator[str]:
    for part in _parts(text, checked):
        yield (part.one.suggestion or part.text) if part.one and part.one.certain else part.text
