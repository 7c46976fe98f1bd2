"""The running server: its addresses for machines, its headers, its errors."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from pyoxigraph import RdfFormat, parse

from kb.vocab import BASE
from kb.web.app import Settings, create_app
from kb.web.formats import GRAPHS, PAGES
from kb.web.headers import SECURITY
from kb.web.openapi import ENDPOINTS

RULE = "/cr/2026-06-19-concise/rule/704.5g"
IRI = BASE + RULE[1:]
NUMBERS = "SELECT ?n { ?rule a mtg:Rule ; mtg:number ?n } ORDER BY ?n LIMIT 3"


def asked(client, query, accept=None, **more):
    headers = {"Accept": accept} if accept else {}
    return client.get("/sparql", params={"query": query, **more}, headers=headers)


# linked data


@pytest.mark.parametrize("media", GRAPHS)
def test_a_rule_answers_in_each_form_of_a_graph(client, served, media):
    answer = client.get(RULE, headers={"Accept": media})
    assert answer.headers["content-type"].partition(";")[0] == media
    triples = list(parse(answer.content, GRAPHS[media]))
    texts = [
        t.object.value for t in triples if t.subject.value == IRI and "#text" in t.predicate.value
    ]
    assert texts == [served.rule("704.5g").text]


@pytest.mark.parametrize(
    ("suffix", "media"),
    [("ttl", "text/turtle"), ("json", "application/json"), ("html", "text/html")],
)
def test_a_suffix_goes_before_accept(client, suffix, media):
    answer = client.get(f"{RULE}.{suffix}", headers={"Accept": "application/n-triples"})
    assert answer.headers["content-type"].partition(";")[0] == media


def test_a_browser_gets_a_page(client):
    answer = client.get(RULE, headers={"Accept": "text/html,application/xml;q=0.9,*/*;q=0.8"})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "704.5g" in answer.text
    assert "<h1" in answer.text


def test_the_twin_of_a_rule_is_what_the_command_prints(client, served):
    answer = client.get(RULE, headers={"Accept": "application/json"})
    assert answer.json() == json.loads(json.dumps(served.rule("704.5g").as_json()))
    section = client.get("/cr/2026-06-19-concise/section/7.json").json()
    assert section == json.loads(json.dumps(served.rule("7").as_json()))


def test_the_twins_of_a_term_and_a_card(client, served):
    term = client.get("/cr/2026-06-19-concise/term/flying.json").json()
    assert term == json.loads(json.dumps(served.term("flying").as_json()))
    named = client.get("/card?limit=1").json()["rows"][0]["name"]
    card = client.get(f"/card/{named}.json", follow_redirects=True).json()
    assert card == json.loads(json.dumps(served.card(named).as_json()))


@pytest.mark.parametrize(
    ("path", "status", "to"),
    [
        ("/cr/latest/rule/704.5g", 302, RULE),
        ("/cr/latest/rule/704.5g.ttl", 302, f"{RULE}.ttl"),
        ("/cr/latest", 302, "/cr/2026-06-19-concise"),
        ("/cr/2026-06-19-concise/rule/CR%20704.5G.", 302, RULE),
        ("/id/term/flying", 303, "/cr/2026-06-19-concise/term/flying"),
    ],
)
def test_other_names_lead_to_the_thing(client, path, status, to):
    answer = client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (status, to)


def test_the_identity_of_a_card_leads_to_its_page(client):
    iri = client.get("/card?limit=1").json()["rows"][0]["iri"]
    answer = client.get("/" + iri.removeprefix(BASE))
    assert answer.status_code == 303
    page = client.get(answer.headers["location"], headers={"Accept": "application/n-triples"})
    subjects = {t.subject.value for t in parse(page.content, RdfFormat.N_TRIPLES)}
    assert iri in subjects
    assert any(subject.startswith(f"{iri}/face/") for subject in subjects)
    assert client.get(f"/{iri.removeprefix(BASE)}/face/1").status_code == 200


def test_every_kind_of_thing_of_the_graph_answers(client):
    query = "SELECT ?kind (SAMPLE(?thing) AS ?one) { GRAPH ?g { ?thing a ?kind } } GROUP BY ?kind"
    kinds = asked(client, query).json()["results"]["bindings"]
    assert len(kinds) > 10
    for row in kinds:
        if row["one"]["type"] == "uri":
            path = "/" + row["one"]["value"].removeprefix(BASE)
            answer = client.get(path, follow_redirects=True)
            assert answer.status_code == 200, path
            assert answer.text


def test_what_leads_to_a_thing_comes_in_pages(client):
    first = client.get("/cr/2026-06-19-concise.nt")
    following = re.search(r'<([^>]+)>; rel="next"', first.headers["link"])
    assert following[1] == "/cr/2026-06-19-concise.nt?offset=500"
    second = client.get(following[1])
    assert second.status_code == 200
    assert second.content != first.content


def test_the_vocabulary_is_served_under_its_namespace(client):
    triples = list(parse(client.get("/ns").content, RdfFormat.TURTLE))
    assert any(t.subject.value.endswith("ns#number") for t in triples)


def test_void_describes_the_data(client):
    answer = client.get("/.well-known/void", headers={"Accept": "application/n-triples"})
    triples = list(parse(answer.content, RdfFormat.N_TRIPLES))
    found = {t.predicate.value.rpartition("#")[2]: t.object.value for t in triples}
    assert found["sparqlEndpoint"] == str(client.base_url.join("/sparql"))
    counted = asked(client, "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }").json()
    total = counted["results"]["bindings"][0]["n"]["value"]
    dataset = [t for t in triples if t.subject.value.endswith("#dataset")]
    assert [t.object.value for t in dataset if t.predicate.value.endswith("#triples")] == [total]
    for triple in dataset:
        if triple.predicate.value.endswith("#exampleResource"):
            path = "/" + triple.object.value.removeprefix(BASE)
            assert client.get(path, follow_redirects=True).status_code == 200


# JSON


def test_a_question_answers_as_the_command_does_a_page_at_a_time(client, served):
    whole = json.loads(json.dumps(served.ask("cited-by", {"rule": "704"}).as_json()))
    first = client.get("/ask/cited-by", params={"rule": "704", "limit": 1}).json()
    assert first["rows"] == whole["rows"][:1]
    assert first["total"] == len(whole["rows"])
    rows, offset = [], 0
    while offset is not None:
        params = {"rule": "704", "limit": 2, "offset": offset}
        page = client.get("/ask/cited-by", params=params).json()
        rows += page["rows"]
        offset = page["next_offset"]
    assert rows == whole["rows"]


@pytest.mark.parametrize("path", ["/cr", "/ask", "/card", "/cr/latest/rule", "/cr/latest/term"])
def test_lists_come_in_pages(client, path):
    page = client.get(path, params={"limit": 1}).json()
    assert page["total"] >= len(page["rows"]) == 1
    assert page["next_offset"] == (1 if page["total"] > 1 else None)


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/ask/cited-by", 400, "UsageError"),
        ("/ask/cited-by?rule=704&limit=x", 400, "ProtocolError"),
        ("/ask/cited-by?rule=704&limit=0", 400, "ProtocolError"),
        ("/ask/cited-by?rule=704&offset=-1", 400, "ProtocolError"),
        ("/ask/no-such-question", 404, "NotFoundError"),
        ("/cr/1066-10-14/rule/704.5g", 404, "NotFoundError"),
        ("/cr/latest/rule", 200, None),
        ("/cr/2026-06-19-concise/rule/704.99z", 404, "NotFoundError"),
        ("/card/no%20such%20card%20at%20all", 404, "NotFoundError"),
        ("/no/such/thing", 404, "NotFoundError"),
        ("/sparql?release=1066-10-14&query=ASK%7B%7D", 404, "NotFoundError"),
        ("/sparql?query=ASK%7B%7D&default-graph-uri=a%20b", 400, "UsageError"),
    ],
)
def test_errors_have_fields(client, path, status, error):
    answer = client.get(path)
    assert answer.status_code == status
    if error:
        fields = answer.json()
        assert (fields["error"], fields["status"]) == (error, status)
        assert fields["what"]
        assert "exit_code" not in fields


def test_an_unknown_rule_names_the_nearest(client):
    assert "704.5g" in client.get("/cr/2026-06-19-concise/rule/704.5gg").json()["hint"]


def test_openapi_agrees_with_the_routes(client, served_folder):
    app = create_app(Settings(served_folder))._app._app
    served = {route.path.replace(":path}", "}"): route.methods - {"HEAD"} for route in app.routes}
    told = client.get("/openapi.json").json()
    assert told["openapi"] == "3.1.0"
    assert {path: {m.upper() for m in item} for path, item in told["paths"].items()} == served
    for path, item in told["paths"].items():
        for operation in item.values():
            placed = {p["name"] for p in operation["parameters"] if p["in"] == "path"}
            assert placed == set(re.findall(r"{(\w+)}", path))
            assert all(p["required"] for p in operation["parameters"] if p["in"] == "path")
    names = [
        operation["operationId"] for item in told["paths"].values() for operation in item.values()
    ]
    assert len(names) == len(set(names))


_SHOWN = {"release": "2026-06-19-concise", "number": "704.5g", "name": "flying", "kind": "term"}


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: e.name)
def test_every_address_of_openapi_answers_as_it_says(client, endpoint):
    values = {**_SHOWN, "question": "cited-by", "path": "ns"}
    values["card"] = client.get("/card?limit=1").json()["rows"][0]["name"]
    if endpoint.name == "section":
        values["number"] = "7"
    params = {"rule": "704"} if endpoint.name == "answer" else {}
    answer = client.get(endpoint.path.format(**values), params=params, follow_redirects=True)
    assert answer.status_code == 200
    forms = (*endpoint.forms, *GRAPHS, *PAGES)
    assert answer.headers["content-type"].partition(";")[0] in forms
    schema = client.get("/openapi.json").json()["components"]["schemas"][endpoint.schema]
    if "application/json" in endpoint.forms:
        headers = {"Accept": "application/json"}
        path = endpoint.path.format(**values)
        content = client.get(path, params=params, headers=headers, follow_redirects=True).json()
        assert set(schema.get("required", [])) <= set(content)


# HTTP


def test_every_answer_has_the_security_headers(client):
    for path in ("/", RULE, "/no/such", "/sparql?query=ASK", "/metrics"):
        headers = client.get(path).headers
        assert {name: headers.get(name) for name in SECURITY} == SECURITY
        assert headers["access-control-allow-origin"] == "*"
        assert "server" not in headers


def test_any_page_may_ask_preflighted(client):
    headers = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    answer = client.options("/sparql", headers=headers)
    assert answer.status_code == 204
    assert "POST" in answer.headers["access-control-allow-methods"]
    assert "Content-Type" in answer.headers["access-control-allow-headers"]


@pytest.mark.parametrize(
    "path", [RULE, "/sparql?query=" + "SELECT%20*%20%7B%3Fs%20%3Fp%20%3Fo%7D%20LIMIT%2090"]
)
def test_a_long_answer_is_packed_for_those_who_take_it(client, path):
    with client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as packed:
        assert packed.headers["content-encoding"] == "gzip"
        body = b"".join(packed.iter_raw())
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(body) == plain.content


@pytest.mark.parametrize("path", [RULE, "/sparql?query=ASK%7B%7D", "/ask/cited-by?rule=704"])
def test_an_unchanged_answer_is_not_sent_again(client, path):
    etag = client.get(path).headers["etag"]
    again = client.get(path, headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_an_etag_hangs_on_the_query_and_the_form(client):
    def etag(query, accept):
        return asked(client, query, accept).headers.get("etag")

    found = {etag(q, a) for q in ("ASK {}", "ASK { }") for a in ("text/csv", "application/json")}
    assert len(found) == 4
    assert etag("SELECT (NOW() AS ?now) {}", "text/csv") is None


def test_head_says_what_get_would(client):
    got, headed = client.get(RULE), client.head(RULE)
    assert headed.content == b""
    assert headed.headers["content-length"] == got.headers["content-length"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "POST"])
def test_other_methods_are_refused(client, method):
    answer = client.request(method, RULE)
    assert answer.status_code == 405
    assert answer.json()["what"]


def test_nothing_acceptable_is_406(client):
    assert client.get(RULE, headers={"Accept": "image/png"}).status_code == 406
    assert asked(client, "ASK {}", "image/png").status_code == 406
    assert asked(client, "CONSTRUCT WHERE { ?s ?p ?o }", "text/csv").status_code == 406


def test_a_malformed_query_says_where(client):
    fields = asked(client, "SELECT ?x\nWHERE { ?x ?y }").json()
    assert (fields["error"], fields["line"]) == ("QueryError", 2)
    assert fields["column"]


@pytest.mark.parametrize(
    ("accept", "media"),
    [("text/plain", "text/plain"), ("text/html", "text/html"), ("a/b", "application/json")],
)
def test_an_error_comes_in_a_form_that_is_read(client, accept, media):
    answer = asked(client, "SELECT", accept)
    assert answer.status_code == 400
    assert answer.headers["content-type"].partition(";")[0] == media


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("application/sparql-results+json", "application/sparql-results+json"),
        ("application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/csv", "text/csv"),
        ("text/tab-separated-values", "text/tab-separated-values"),
        ("text/csv;q=0.1, application/sparql-results+xml;q=0.2", "application/sparql-results+xml"),
        (None, "application/sparql-results+json"),
    ],
)
def test_rows_come_in_the_form_asked_for(client, accept, media):
    answer = asked(client, NUMBERS, accept)
    assert answer.headers["content-type"].partition(";")[0] == media
    assert "100" in answer.text


def test_format_goes_before_accept(client):
    answer = asked(client, NUMBERS, "text/csv", format="xml")
    assert answer.text.startswith("<?xml")
    graph = asked(client, "CONSTRUCT WHERE { ?s mtg:number ?n }", format="nt")
    assert graph.headers["content-type"] == "application/n-triples"


def test_a_release_may_be_named_beside_the_query(client):
    named = asked(client, NUMBERS, release="concise")
    assert named.json() == asked(client, NUMBERS).json()


def test_the_graphs_of_the_protocol_may_be_relative_to_the_base(client):
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    own = asked(client, count, **{"default-graph-uri": "cards"}).json()
    full = asked(client, count, **{"default-graph-uri": f"{BASE}cards"}).json()
    assert own == full
    assert int(own["results"]["bindings"][0]["n"]["value"]) > 100


def test_health_and_metrics(client):
    health = client.get("/health").json()
    assert health["status"] == "ok"
    assert health["pools"]["queries"]["workers"] >= 2
    lines = client.get("/metrics").text.splitlines()
    assert all(
        re.fullmatch(r"# (HELP|TYPE) .*|mtgkb_\w+(\{.*\})? [\d.e+-]+", line) for line in lines
    )
    assert any(line.startswith("mtgkb_queries_total{") for line in lines)
    typed = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert {"mtgkb_requests_total", "mtgkb_request_seconds", "mtgkb_workers"} <= typed


def test_each_request_is_one_line_of_the_log(client, server):
    client.get("/cr/no%0Asuch", headers={"User-Agent": "x"})
    last = [e for e in server.events() if e["event"] == "request"][-1]
    assert (last["path"], last["status"], last["route"]) == ("/cr/no\nsuch", 404, "release")


def test_the_host_header_is_checked_where_it_is_shown(client):
    answer = client.get("/openapi.json", headers={"Host": "a.example/<script>"})
    assert answer.status_code == 400
    told = client.get("/openapi.json", headers={"Host": "rules.example:8080"}).json()
    assert told["servers"] == [{"url": "http://rules.example:8080"}]
