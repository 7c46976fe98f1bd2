"""The pages: what each shows, that nothing is let through unescaped, that links lead somewhere."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from urllib.parse import quote

import pytest
from history_rulebook import MIDDLE, NEW, OLD, RULES, built, release_text

pytest.importorskip("starlette", reason="needs starlette: pip install mtgkb[server]")
pytest.importorskip("jinja2", reason="needs jinja2: pip install mtgkb[server]")

from pages_app import Visitor, ids, links

from kb.queries import catalogue
from kb.web.pages import POLICY
from kb.web.pages.linked import differing
from kb.web.pages.symbols import called, symbols

EVIL = "<script>alert('x')</script>\"'><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def visitor(concise_cards):
    """A visitor of the concise edition's pages."""
    return Visitor(concise_cards)


@pytest.fixture(scope="module")
def past(tmp_path_factory):
    """A visitor of the pages of three small releases, the last one in full."""
    kb = built(tmp_path_factory.mktemp("pages"), *map(release_text, RULES))
    yield Visitor(kb)
    kb.close()


def text_of(html):
    """Return what a reader sees of a page's main part."""
    main = re.search(r"<main.*?</main>", html, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", main[0]).split())


# what each page shows


def test_home_has_one_box_and_leads_to_every_section(visitor):
    html = visitor.page("/")
    assert len(re.findall(r'type="search"', html)) == 1
    assert len(re.findall(r'href="/cr/[^"/]+/section/\d"', html)) == 9


def test_a_release_lists_all_its_chapters(visitor):
    html = visitor.page("/cr/latest")
    assert len(re.findall(r'href="/cr/[^"/]+/rule/\d\d\d"', html)) == 147
    assert "2026-06-19" in visitor.page("/cr")


def test_a_chapter_shows_its_rules_with_anchors_and_its_neighbours(visitor, concise_cards):
    html = visitor.page("/cr/latest/rule/704")
    view = concise_cards.rule("704")
    for rule in view.children:
        assert f'id="{rule.rule}"' in html
        for part in rule.children:
            assert f'id="{part.rule}"' in html
    assert re.search(r'rel="prev" href="[^"]+/rule/703"', html)
    assert re.search(r'rel="next" href="[^"]+/rule/705"', html)
    assert re.search(r'rel="up" href="[^"]+/section/7"', html)


def test_a_section_leads_to_the_section_before_and_after(visitor):
    html = visitor.page("/cr/latest/section/7")
    assert re.search(r'rel="prev" href="[^"]+/section/6"', html)
    assert re.search(r'rel="next" href="[^"]+/section/8"', html)
    assert 'rel="prev"' not in visitor.page("/cr/latest/section/1")


def test_a_rule_shows_its_text_references_and_statements(visitor, concise_cards):
    view = concise_cards.rule("704.5a")
    html = visitor.page("/cr/latest/rule/704.5a")
    assert view.text in text_of(html)
    for label in (*view.cites, *view.cited_by):
        assert label.removeprefix("glossary:") in text_of(html)
    assert "What it states" in html


def test_a_citation_in_a_text_is_a_link_and_the_bracket_behind_it_is_not(visitor, concise_cards):
    found = concise_cards.sparql(
        "SELECT ?rule WHERE { ?c mtg:citedIn ?r ; mtg:form 'rule' . ?r mtg:number ?rule ;"
        " mtg:text ?text FILTER(CONTAINS(?text, '(see rule')) } ORDER BY ?rule LIMIT 1"
    )
    number = next(iter(found))["rule"].value
    html = visitor.page(f"/cr/latest/rule/{number}")
    assert re.search(r'<a class="cite" href="/cr/[^"]+">rules? [^<)]+</a>', html)


def test_the_picture_of_references_has_a_link_for_each_rule(visitor, concise_cards):
    view = concise_cards.rule("601.2f")
    html = visitor.page("/cr/latest/rule/601.2f")
    drawn = re.search(r'<svg class="neighbourhood".*?</svg>', html, re.DOTALL)[0]
    assert "style=" not in drawn
    for label in view.cites[:8]:
        assert f">{label}<" in drawn


def test_a_number_that_is_written_otherwise_leads_to_the_rule(visitor):
    answer = visitor.get("/cr/latest/rule/704.5A.", accept="text/html")
    assert answer.url.path.endswith("/rule/704.5a")
    assert visitor.get("/search?q=CR 704.5a").url.path.endswith("/rule/704.5a")


def test_what_is_not_there_is_said_with_what_to_do(visitor):
    for path in ("/cr/latest/rule/704.99", "/cr/1900-01-01/rule/704", "/id/card/karm%20liberated"):
        answer = visitor.get(path, accept="text/html")
        assert answer.status_code == 404, path
        assert "What to do" in answer.text
    assert visitor.get("/cr/latest/rule/many").status_code == 400
    assert visitor.get("/cr/latest/rule/704.99", accept="application/json").json()["hint"]


def test_a_term_shows_its_senses_and_the_rules_that_govern_it(visitor, concise_cards):
    html = text_of(visitor.page("/cr/latest/term/flying"))
    for sense in concise_cards.term("flying").senses:
        assert sense in html
    assert "Rules that govern it" in html
    assert visitor.get("/cr/latest/term/Flying").url.path.endswith("/term/flying")
    assert visitor.get("/id/term/flying").url.path.endswith("/term/flying")


def test_a_card_shows_its_faces_symbols_rules_and_rulings(visitor, concise_cards):
    view = concise_cards.card("fire // ice")
    html = visitor.page(f"/id/card/{view.oracle_id}")
    for face in view.faces:
        assert f"<h2>{face.name}</h2>" in html
    assert 'aria-label="red mana"' in html
    for ruling in view.rulings:
        assert ruling.text.replace("'", "&#39;") in html
    for row in concise_cards.ask("rules-for-card", {"card": "fire // ice"}).rows:
        assert f">{row['rule']}</a>" in html
    assert visitor.get("/card?name=fire").url.path == f"/id/card/{view.oracle_id}"


def test_a_search_says_how_it_looked_and_finds_names_and_words(visitor):
    html = visitor.page("/search?q=flying")
    assert "Searched by words and meaning" in html
    assert 'href="/cr/2026-06-19-concise/term/flying"' in html
    found = visitor.get("/search?q=flying&kind=term&format=json").json()["hits"]
    assert {hit["kind"] for hit in found} == {"term"}
    assert "Nothing found" in visitor.page("/search?q=%22zzyzx%20qqq%22")


def test_a_search_of_the_knowledge_base_is_used_where_there_is_one(visitor, monkeypatch):
    class Hit:
        kind, id, score, heading, why = "rule", "704.5a", 1.0, "Above <b>", ("words",)
        text, snippet = "", "a **life** total <i>"

    search = lambda *_, **__: [Hit()]  # noqa: E731
    monkeypatch.setattr(type(visitor.app.state.kb()), "search", search, raising=False)
    html = visitor.page("/search?q=losing")
    assert "a <mark>life</mark> total &lt;i&gt;" in html
    assert "because of words" in html
    assert "Above &lt;b&gt;" in html


def test_suggestions_are_numbers_titles_terms_and_cards(visitor):
    def suggested(words):
        return visitor.get("/suggest?" + f"q={quote(words)}").json()

    assert [one["label"] for one in suggested("704.5a")] == ["704.5a"]
    assert ("term", "Flying") in [(one["kind"], one["label"]) for one in suggested("flyi")]
    assert ("card", "Karn Liberated") in [(one["kind"], one["label"]) for one in suggested("karn")]
    assert suggested("") == []
    for one in suggested("state"):
        visitor.page(one["address"])


def test_free_words_are_answered_with_the_question_that_was_understood(visitor):
    html = visitor.page("/ask?q=what+resets+when+the+game+restarts")
    assert "Understood as <b>restart-state</b>" in html
    assert html.count('<tr id="row-') > 10
    data = visitor.get("/ask?q=what+resets+when+the+game+restarts&format=json").json()
    assert data["question"] == "restart-state"


def test_a_row_is_explained_down_to_sentences(visitor):
    html = visitor.page("/ask/restart-state?why=1")
    assert 'id="why-1"' in html
    assert 'id="why-2"' not in html
    assert "<blockquote>" in html
    assert 'id="why-2"' in visitor.page("/ask/restart-state?why=all")


def test_every_question_has_a_page_and_says_what_it_lacks(visitor):
    for identifier, question in catalogue().items():
        html = visitor.page(f"/ask/{identifier}")
        for parameter in question.parameters:
            assert f'name="{parameter.name}"' in html
    assert "there is no such" not in visitor.page("/ask/cited-by?rule=601.2f")
    assert "has no rule" in visitor.page("/ask/cited-by?rule=999.9")


def test_a_text_is_identified_and_its_citations_are_checked(visitor, concise_cards):
    rule = concise_cards.rule("704.5a")
    html = visitor.post("/identify", text=f"Somebody wrote:\n\n{rule.text}").text
    assert "1 of 2 paragraphs quote something" in html
    assert ">rule 704.5a</a>" in html
    found = visitor.post("/identify?format=json", text=rule.text).json()
    assert found["paragraphs"][0]["matches"][0]["id"] == "704.5a"
    html = visitor.post("/citations", text="see rule 704.5a and CR 999.9").text
    assert "2 citations, 1 to look at" in html
    assert '<mark class="missing">CR 999.9</mark>' in html


def test_a_text_that_is_too_long_is_refused(visitor):
    assert visitor.post("/identify", text="x" * 1_100_000).status_code == 400


def test_the_editor_starts_from_a_question_and_keeps_a_query(visitor):
    assert "what cites a rule?" in visitor.page("/query?example=cited-by")
    assert "SELECT ?mine" in visitor.page("/query?query=SELECT+%3Fmine+%7B%7D")


# history


def test_a_rule_tells_its_history_with_the_words_that_came_and_went(past):
    html = past.page(f"/cr/{NEW}/rule/101.3")
    assert "<del>another</del>" in html
    assert "moved from 101.2" in html
    assert re.search(rf'href="/diff\?from={MIDDLE}&amp;to={NEW}"', html)


def test_a_release_that_is_known_by_its_history_has_pages_too(past):
    html = past.page(f"/cr/{OLD}/rule/101.2")
    assert "known by its history alone" in html
    assert "over another pebble" in text_of(html)
    assert "102" in past.page(f"/cr/{OLD}")


def test_the_release_switch_leads_to_the_same_rule_elsewhere(past):
    answer = past.get(f"/switch?from={NEW}&rule=101.3&to={OLD}")
    assert answer.url.path == f"/cr/{OLD}/rule/101.2"
    assert f"{OLD} · 101.2" in past.page(f"/cr/{NEW}/rule/101.3")


def test_a_switch_to_a_release_without_the_rule_says_so(past):
    gone = past.get(f"/switch?from={OLD}&rule=102.3&to={NEW}")
    assert gone.status_code == 404
    assert "is not in release" in gone.text


def test_two_releases_are_compared_word_by_word(past):
    html = past.page(f"/diff?from={OLD}&to={NEW}")
    assert "<ins>" in html
    assert "<del>" in html
    kinds = re.findall(r'<span class="kind (\w+)', html)
    only = past.page(f"/diff?from={OLD}&to={NEW}&change=removed")
    assert set(re.findall(r'<span class="kind (\w+)', only)) == {"removed"}
    assert len(kinds) > only.count('<span class="kind removed')
    rows = past.get(f"/diff?from={OLD}&to={NEW}&format=json").json()["rows"]
    assert len(rows) == len(kinds)


def test_a_rule_over_all_releases_has_a_page(past):
    address = re.search(r'href="(/id/rule/[^"]+)"', past.page(f"/cr/{NEW}/rule/101.3"))[1]
    assert MIDDLE in past.page(address)


def test_without_a_history_comparing_says_what_it_needs(visitor):
    assert "needs two official releases" in visitor.page("/diff")
    assert visitor.get("/diff?from=2020-01-01").status_code == 200


# every page


def test_nothing_that_is_asked_comes_back_unescaped(visitor, past):
    evil = quote(EVIL, safe="")
    asked = [
        *(f"/{path}?q={evil}" for path in ("search", "ask")),
        *(f"/ask?{name}={evil}" for name in ("release", "why", "format")),
        *(f"/ask/cited-by?{name}={evil}" for name in ("rule", "transitive", evil)),
        *(f"/ask/{identifier}?{p.name}={evil}" for identifier, question in catalogue().items()
          for p in question.parameters),
        *(f"/search?q=x&{name}={evil}" for name in ("kind", "release")),
        *(f"/diff?from={one}&to={other}" for one, other in ((evil, NEW), (NEW, evil))),
        *(f"/diff?from={OLD}&{name}={evil}" for name in ("change", "page")),
        *(f"/query?{name}={evil}" for name in ("query", "example")),
        *(f"/switch?{name}={evil}" for name in ("from", "to", "rule")),
        *(f"/{path}?text={evil}" for path in ("identify", "citations")),
        f"/citations?text=x&from={evil}",
        f"/card?name={evil}",
        f"/why?node={evil}",
        f"/why?node=https://x/&release={evil}",
        *(f"/cr/{path}" for path in (evil, f"{evil}/rule/704", f"latest/rule/{evil}")),
        *(f"/cr/latest/{kind}/{evil}" for kind in ("section", "term")),
        *(f"/id/{kind}/{evil}" for kind in ("card", "rule", "term")),
        f"/ask/{evil}",
    ]  # fmt: skip
    for path in asked:
        for one in (visitor, past):
            answer = one.get(path, accept="text/html")
            assert answer.status_code in (200, 400, 404), path
            if "html" in answer.headers["content-type"]:
                assert "<script>alert" not in answer.text, path
                assert "<img" not in answer.text, path


def test_every_link_leads_to_a_page_with_the_place_that_it_names(visitor):
    waiting = ["/", "/cr", "/cr/latest/rule/704.5a", "/ask/restart-state?why=1", "/card?name=karn",
               "/search?q=flying", "/cr/latest/term/flying", "/cr/latest/rule/702.9"]  # fmt: skip
    seen, kinds, places = {}, Counter(), []
    while waiting and len(seen) < 260:
        address = waiting.pop(0)
        kind = re.sub(r"[^/]*\d[^/]*|[?].*", "*", address)
        if address in seen or kinds[kind] > 40:
            continue
        kinds[kind] += 1
        if address.startswith("/sparql") or "format=json" in address:
            continue
        html = seen[address] = visitor.page(address)
        for page, place in links(html):
            waiting.append(page or address)
            if place:
                places.append((page or address, place))
    assert len(seen) > 200
    for page, place in places:
        if page in seen and place != "main":
            assert place in ids(seen[page]), (page, place)
    for address, html in seen.items():
        well_formed(address, html)


def well_formed(address, html):
    """Check what holds for every page."""
    assert html.count("<h1>") == 1, address
    repeated = [one for one, count in Counter(ids(html)).items() if count > 1]
    assert not repeated, (address, repeated)
    assert not re.search(r"<style|\sstyle=|<script>|\son\w+=|javascript:", html), address
    assert not re.search(r'(?:src|<link[^>]*href)="(?:https?:)?//', html), address
    levels = [int(level) for level in re.findall(r"<h([1-6])", html.partition("<dialog")[0])]
    steps = pairwise(levels)
    assert all(after - before <= 1 for before, after in steps), (address, levels)
    if address.partition("?")[0] != "/query":
        assert 'rel="alternate" type="application/json"' in html, address


def test_every_page_forbids_what_is_inline_or_foreign(visitor):
    answer = visitor.get("/", accept="text/html")
    assert answer.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY


def test_static_files_are_kept_for_good_under_their_digest(visitor):
    address = re.search(r'href="(/static/page\.css\?v=\w+)"', visitor.page("/"))[1]
    answer = visitor.get(address)
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert "immutable" not in visitor.get("/static/page.css?v=old").headers["cache-control"]
    etag = answer.headers["etag"]
    assert visitor.get(address, **{"if-none-match": etag}).status_code == 304
    assert visitor.get("/static/..%2F__init__.py").status_code == 404


def test_the_knowledge_base_that_a_request_holds_goes_before_the_open_one(visitor, past):
    inner = past.app

    async def holding(scope, receive, send):
        await inner({**scope, "state": {"knowledge": visitor.app.state.kb()}}, receive, send)

    held = Visitor(visitor.app.state.kb())
    held.app = holding
    assert "Concise Edition" in held.page("/cr/latest")
    assert "Concise Edition" not in past.page("/cr/latest")


# words and symbols


def test_symbols_are_drawn_with_a_name_and_everything_else_is_escaped():
    drawn = symbols("{2/W}{T}: <b> {CHAOS} {not a symbol!}")
    assert 'aria-label="2 or white mana"' in drawn
    assert 'aria-label="tap"' in drawn
    assert "&lt;b&gt;" in drawn
    assert "{not a symbol!}" in drawn
    assert [called(one) for one in ("G/P", "10", "X", "Q")] == [
        "green or Phyrexian mana",
        "10 generic mana",
        "X generic mana",
        "untap",
    ]


def test_a_difference_marks_words_and_escapes_them():
    shown = differing("one <b> two", "one <i> two")
    assert "<del>" in shown
    assert "<b>" not in shown
    assert "<i>" not in shown
