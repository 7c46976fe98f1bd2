"""The pages in a real browser: by mouse, by keys, in the dark, on a phone, without a script.

Needs chromium and playwright (``pip install mtgkb[browser]``); the checks of accessibility need
axe-core as well (``npm install --no-save axe-core``). Without them the tests are skipped.
"""

from __future__ import annotations

import re
import shutil

import pytest
from conftest import TOP
from history_rulebook import MIDDLE, NEW, OLD, RULES, built, release_text

pytest.importorskip("starlette", reason="needs starlette: pip install mtgkb[server]")
pytest.importorskip("jinja2", reason="needs jinja2: pip install mtgkb[server]")
pytest.importorskip("uvicorn", reason="needs uvicorn: pip install mtgkb[server]")
api = pytest.importorskip(
    "playwright.sync_api", reason="needs playwright: pip install mtgkb[browser]"
)

from pages_app import serving  # noqa: E402 - needs what may be missing

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 844}
AXE = TOP / "node_modules" / "axe-core" / "axe.min.js"
EVERY = (
    "/",
    "/cr",
    "/cr/latest",
    "/cr/latest/section/7",
    "/cr/latest/rule/704",
    "/cr/latest/rule/601.2f",
    "/cr/latest/rule/702.9",
    "/cr/latest/rule/999.9",
    "/cr/latest/term",
    "/cr/latest/term/flying",
    "/card?name=fire",
    "/search?q=flying",
    "/ask",
    "/ask/restart-state?why=1",
    "/ask/cited-by?rule=601.2f",
    "/identify?text=If+a+player’s+life+total+is+down+to+0+or+below%2C+that+player+loses.",
    "/citations?text=see+rule+704.5a+and+CR+999.9",
    "/query",
)
OF_HISTORY = (f"/cr/{NEW}/rule/101.3", f"/cr/{OLD}/rule/101.2", f"/diff?from={OLD}&to={NEW}")


@pytest.fixture(scope="module")
def address(concise_cards):
    """The address of a server with the concise edition."""
    with serving(concise_cards) as address:
        yield address


@pytest.fixture(scope="module")
def past(tmp_path_factory):
    """The address of a server with three small releases."""
    kb = built(tmp_path_factory.mktemp("browsed"), *map(release_text, RULES))
    with serving(kb) as address:
        yield address
    kb.close()


@pytest.fixture(scope="module")
def browser():
    """A chromium."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"needs one of {', '.join(BROWSERS)}: apt-get install chromium")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def opened(browser):
    """Opens pages, and checks at the end that no script failed and nothing was forbidden."""
    contexts, wrong = [], []

    def tell(message):
        # That an address answers with an error is what some tests ask for.
        if message.type == "error" and "Failed to load resource" not in message.text:
            wrong.append(message.text)

    def opened(url, **given):
        context = browser.new_context(**given)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", tell)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


def test_from_home_over_a_citation_to_the_history_and_what_changed(opened, past):
    page = opened(past)
    page.click("nav[aria-label=Site] >> text=Rules")
    page.click("a:has-text('Moving')")
    page.click(".rule .number >> text=101.3")
    api.expect(page.locator("h1")).to_contain_text("101.3")
    page.go_back()
    page.goto(f"{past}/cr/{NEW}/rule/100")
    page.click(".said a.cite >> nth=0")
    api.expect(page).to_have_url(re.compile(r"/rule/\d"))
    page.goto(f"{past}/cr/{NEW}/rule/101.3")
    assert page.locator(".past del").count() > 0
    page.click("text=All that changed with")
    api.expect(page).to_have_url(re.compile(f"/diff\\?from={MIDDLE}&to={NEW}"))
    assert page.locator("ins").count() > 0


def test_the_release_switch_leads_to_the_rule_in_another_release(opened, past):
    page = opened(f"{past}/cr/{NEW}/rule/101.3")
    page.select_option("#to", OLD)
    api.expect(page).to_have_url(f"{past}/cr/{OLD}/rule/101.2")


def test_a_citation_shows_the_rule_when_pointed_at_and_leaves_at_escape(opened, address):
    page = opened(f"{address}/cr/latest/rule/704.5a")
    page.goto(f"{address}/cr/latest/term/flying")
    page.hover(".text a.cite")
    api.expect(page.locator(".hover")).to_contain_text("702.9")
    page.keyboard.press("Escape")
    api.expect(page.locator(".hover")).to_have_count(0)


def test_a_slash_leads_to_the_box_and_suggestions_are_chosen_by_keys(opened, address):
    page = opened(address)
    page.keyboard.press("/")
    page.keyboard.type("state-ba")
    option = page.locator("[role=option]").first
    api.expect(option).to_contain_text("State-Based Actions")
    page.keyboard.press("ArrowDown")
    api.expect(option).to_have_attribute("aria-selected", "true")
    api.expect(page.locator("#q")).to_have_attribute("aria-activedescendant", "q-list-0")
    page.keyboard.press("Enter")
    api.expect(page.locator("h1")).to_contain_text("State-Based Actions")


def test_a_search_leads_to_what_it_found(opened, address):
    page = opened(address)
    page.fill("#q", "flying")
    page.keyboard.press("Enter")
    page.click(".hits a >> nth=0")
    api.expect(page.locator("h1")).to_contain_text("Flying")


def test_an_answer_unfolds_its_reasons_in_place(opened, address):
    page = opened(f"{address}/ask")
    page.fill("#words", "what resets when the game restarts")
    page.keyboard.press("Enter")
    page.click("[data-why='2']")
    reasons = page.locator("#why-2")
    api.expect(reasons.locator("blockquote").first).to_be_visible()
    assert "why=" not in page.url
    page.click("[data-why='2']")
    api.expect(reasons).to_be_hidden()


def test_a_pasted_text_is_identified_and_its_citations_are_checked(opened, address):
    page = opened(f"{address}/cr/latest/rule/704.5a")
    said = page.inner_text(".text")
    page.click("text=Identify")
    page.fill("#text", said)
    page.click("main button")
    api.expect(page.locator(".matches a").first).to_have_text("rule 704.5a")
    page.click("text=Citations")
    page.fill("#text", "// CR 999.9 is none")
    page.click("main button")
    api.expect(page.locator("mark.missing")).to_have_text("CR 999.9")


def test_a_query_is_shown_as_table_and_picture_and_downloaded(opened, address):
    page = opened(f"{address}/query")
    counts = "SELECT ?level (COUNT(*) AS ?n) { ?r mtg:level ?level } GROUP BY ?level"
    page.fill("#query", counts)
    page.click("[data-run]")
    api.expect(page.locator("#status")).to_contain_text("3 rows")
    assert page.locator("#table tbody tr").count() == 3
    page.click("[data-show=picture]")
    api.expect(page.locator("#picture svg .bar-shape")).to_have_count(3)
    page.select_option("#form", "csv")
    with page.expect_download() as downloaded:
        page.click("[data-download]")
    assert downloaded.value.path().read_text(encoding="utf-8").startswith("level,n")
    page.fill("#query", "CONSTRUCT { ?r mtg:number ?n } WHERE { ?r mtg:number ?n } LIMIT 4")
    page.keyboard.press("Control+Enter")
    api.expect(page.locator("#status")).to_contain_text("4 rows")
    page.fill("#query", "SELECT nonsense")
    page.click("[data-run]")
    api.expect(page.locator("#status")).to_contain_text("malformed")


def test_dark_is_the_systems_choice_or_the_readers_and_stays(opened, address):
    def is_dark(page):
        color = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", color)[:3])) < 200

    assert is_dark(opened(address, color_scheme="dark"))
    page = opened(address, color_scheme="light")
    assert not is_dark(page)
    page.click("[data-theme-toggle]")
    assert is_dark(page)
    page.goto(f"{address}/cr/latest")
    assert is_dark(page)
    page.keyboard.press("t")
    assert not is_dark(page)


def test_no_page_is_wider_than_a_phone(opened, address, past):
    page = opened(address, viewport=PHONE)
    for url in [*(address + path for path in EVERY), *(past + path for path in OF_HISTORY)]:
        page.goto(url)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], url


def test_keys_alone_lead_through_the_rules(opened, address):
    page = opened(f"{address}/cr/latest/rule/704")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("!!document.activeElement.closest('main')")
    page.keyboard.press("j")
    api.expect(page).to_have_url(re.compile("/rule/705$"))
    page.keyboard.press("k")
    api.expect(page).to_have_url(re.compile("/rule/704$"))
    page.keyboard.press("u")
    api.expect(page).to_have_url(re.compile("/section/7$"))
    page.keyboard.press("?")
    api.expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    api.expect(page.locator("#keys")).to_be_hidden()


def test_all_of_it_works_without_a_script(opened, address, past):
    page = opened(f"{past}/cr/{NEW}/rule/101.3", java_script_enabled=False)
    page.select_option("#to", OLD)
    page.click(".switch button")
    api.expect(page).to_have_url(f"{past}/cr/{OLD}/rule/101.2")
    page.goto(f"{address}/ask/restart-state")
    page.click("tbody tr:nth-child(2) a[data-why]")
    api.expect(page.locator("#why-2 blockquote").first).to_be_visible()
    page.fill("#q", "704.5a")
    page.keyboard.press("Enter")
    api.expect(page.locator("h1")).to_have_text("704.5a")


def test_on_paper_there_are_only_the_rules(opened, address):
    page = opened(f"{address}/cr/latest/rule/704")
    page.emulate_media(media="print")
    for beside in (".top", "aside", "footer", ".switch"):
        assert not page.locator(beside).is_visible()
    assert page.locator("[id='704.1']").is_visible()


@pytest.mark.exhaustive
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, address, past, scheme):
    if not AXE.exists():
        pytest.skip("needs axe-core: npm install --no-save axe-core")
    found = []
    page = opened(address, color_scheme=scheme, reduced_motion="reduce")
    # In the dark only colors differ.
    only = "" if scheme == "light" else ", runOnly: ['color-contrast', 'link-in-text-block']"
    of_rules = EVERY[2 : None if scheme == "light" else 9]
    for url in [*(address + path for path in of_rules), *(past + path for path in OF_HISTORY)]:
        page.goto(url)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        result = page.evaluate(f"axe.run(document, {{ resultTypes: ['violations']{only} }})")
        found += [
            (url, one["id"], one["impact"], one["nodes"][0]["html"][:200])
            for one in result["violations"]
            if one["impact"] in ("serious", "critical", "moderate")
        ]
    assert not found
