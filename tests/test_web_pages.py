"""One address answers people and machines: where pages come in, and what they find there."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse
from starlette.routing import Route

from kb.errors import NotFoundError
from kb.web.app import Settings, create_app
from kb.web.limits import Limits

_BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


async def rule(request):
    view = request.state.knowledge.rule(request.path_params["number"])
    return HTMLResponse(f"<p>page of {view.rule}</p>")


async def plain(request):
    return HTMLResponse(f"<p>page at {request.url.path}</p>")


async def lost(_):
    raise NotFoundError("no <such> page", hint="look elsewhere")


async def refused(_):
    raise HTTPException(418, "no coffee")


PAGES = [
    Route("/", plain),
    Route("/search", plain),
    Route("/sparql", plain),
    Route("/lost", lost),
    Route("/refused", refused),
    Route("/cr/{release}/rule/{number}", rule),
]
RULE = "/cr/2026-06-19-concise/rule/704.5g"


@pytest.fixture(scope="module")
def answers(served_folder):
    """Ask an application with pages, without a socket."""
    bounds = Limits(workers=1, slow=0, reading=1)
    app = create_app(Settings(served_folder, bounds), PAGES)

    async def all_of_them():
        generations = app._app._generations
        await generations.start()
        transport = httpx.ASGITransport(app)
        try:
            async with httpx.AsyncClient(transport=transport, base_url="http://a") as client:
                return {
                    (path, accept): await client.get(path, headers={"Accept": accept})
                    for path in PATHS
                    for accept in (_BROWSER, "*/*", "application/json", "text/turtle", "text/css")
                }
        finally:
            await generations.stop()

    return asyncio.run(all_of_them())


PATHS = (
    *("/", "/search", "/lost", "/refused", "/sparql", "/sparql?query=ASK%7B%7D"),
    *(RULE, f"{RULE}.html", f"{RULE}.json", "/cr/2026-06-19-concise"),
)


def test_people_get_the_page_and_machines_the_thing(answers):
    page = answers[RULE, _BROWSER]
    assert page.text == "<p>page of 704.5g</p>"
    assert "content-security-policy" in page.headers
    for accept, media in (("*/*", "text/turtle"), ("application/json", "application/json")):
        assert answers[RULE, accept].headers["content-type"].startswith(media)


def test_a_suffix_chooses_the_page_too(answers):
    for accept in (_BROWSER, "text/turtle"):
        assert answers[f"{RULE}.html", accept].text == "<p>page of 704.5g</p>"
        assert answers[f"{RULE}.json", accept].json()["rule"] == "704.5g"


def test_what_is_for_people_alone_is_shown_to_anyone(answers):
    for accept in (_BROWSER, "*/*", "text/css"):
        assert answers["/search", accept].text == "<p>page at /search</p>"


def test_home_and_the_endpoint_answer_both(answers):
    assert answers["/", _BROWSER].text == "<p>page at /</p>"
    assert answers["/", "*/*"].json()["name"] == "mtgkb"
    assert answers["/sparql", _BROWSER].text == "<p>page at /sparql</p>"
    assert "sd:Service" in answers["/sparql", "text/turtle"].text
    assert "boolean" in answers["/sparql?query=ASK%7B%7D", _BROWSER].text


def test_where_there_is_no_page_a_plain_one_is_shown(answers):
    assert "<table>" in answers["/cr/2026-06-19-concise", _BROWSER].text


def test_errors_of_pages_are_shown_like_all_others(answers):
    page = answers["/lost", _BROWSER]
    assert page.status_code == 404
    assert "no &lt;such&gt; page" in page.text
    assert answers["/lost", "*/*"].json()["hint"] == "look elsewhere"
    assert answers["/refused", "*/*"].status_code == 418
