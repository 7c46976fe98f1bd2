"""The past of a rule or term as a page tells it: newest first, with what each change changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from markupsafe import Markup

from kb.errors import NotFoundError
from kb.web.pages.linked import differing
from kb.web.pages.rendering import guarded, page
from kb.web.pages.site import links_of, site_of
from kb.web.pages.symbols import symbols

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from kb.knowledge.past import Past, Stretch


@dataclass(frozen=True, slots=True)
class Step:
    """A stretch of a past: when it stood, under which number, how it came, what it said."""

    number: str
    since: str
    until: str
    change: str
    text: Markup

    @property
    def shown(self) -> str:
        """From when to when it stood."""
        return self.since if self.since == self.until else f"{self.since} to {self.until}"


def told(past: Past) -> tuple[Step, ...]:
    """Return the steps of a rule's past, newest first."""
    return steps(past.stretches)


def steps(stretches: Sequence[Stretch]) -> tuple[Step, ...]:
    """Return the steps, newest first; stretches that differ in references alone are one."""
    found: list[Step] = []
    before: Stretch | None = None
    for one in _joined(stretches):
        found.append(
            Step(one.number, one.since, one.until, _change(one, before), _text(one, before))
        )
        before = one
    return tuple(reversed(found))


def _joined(stretches: Sequence[Stretch]) -> list[Stretch]:
    found: list[Stretch] = []
    for one in stretches:
        last = found[-1] if found else None
        if last and (last.number, last.text, last.last + 1) == (one.number, one.text, one.first):
            found[-1] = type(one)(one.number, one.text, last.since, one.until, last.first, one.last)
        else:
            found.append(one)
    return found


def _change(one: Stretch, before: Stretch | None) -> str:
    if before is None:
        return "first known" if one.first == 0 else "added"
    moved = f"moved from {before.number}" if before.number != one.number else ""
    edited = "edited" if before.text != one.text else ""
    gap = "back again" if before.last + 1 < one.first else ""
    return ", ".join(filter(None, (gap, moved, edited))) or "unchanged"


def _text(one: Stretch, before: Stretch | None) -> Markup:
    if before is None:
        return symbols(one.text)
    return differing(before.text, one.text) if before.text != one.text else Markup("")


@guarded
def identity_page(request: Request) -> Response:
    """Show a rule over all releases: the numbers and wordings that it had."""
    site = site_of(request)
    links = links_of(request, site)
    key = quote(request.path_params["key"], safe="~")
    past = site.past.of_identity(f"{site.base}id/rule/{key}")
    if past is None:
        raise NotFoundError(
            f"the history has no rule {request.path_params['key']}",
            hint="it follows the rules of two or more official releases",
        )
    return page(
        request,
        "identity.html",
        past=told(past),
        heirs=past.heirs,
        last=past.stretches[-1],
        links=links,
    )
