"""Numbers of old releases answer for ever, also of releases that are in the history alone."""

from __future__ import annotations

import httpx
import pytest
from history_rulebook import MIDDLE, NEW, OLD, RULES, built, release_text
from pyoxigraph import RdfFormat, parse
from served import running

from kb.vocab import BASE


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("old")
    built(folder, *map(release_text, RULES)).close()
    with (
        running(folder / "kb", folder / "log") as server,
        httpx.Client(base_url=server.url, timeout=60) as client,
    ):
        yield client


def test_a_number_answers_in_each_release_that_had_it(client):
    old = client.get(f"/cr/{OLD}/rule/101.2.json").json()
    assert old["text"] == "A white pebble may be moved over another pebble to the field behind."
    assert (old["release"], old["since"], old["until"]) == (OLD, OLD, OLD)
    assert old["now"] == {"release": NEW, "rule": "101.3"}
    middle = client.get(f"/cr/{MIDDLE}/rule/101.3.json").json()
    assert middle["identity"] == old["identity"]


def test_an_old_number_says_which_rule_it_is_in_rdf_too(client):
    answer = client.get(f"/cr/{OLD}/rule/101.2", headers={"Accept": "application/n-triples"})
    triples = list(parse(answer.content, RdfFormat.N_TRIPLES))
    identity = client.get(f"/cr/{OLD}/rule/101.2.json").json()["identity"]
    leads = {t.object.value for t in triples if t.predicate.value.endswith("isVersionOf")}
    assert leads == {identity}
    assert (
        client.get("/" + identity.removeprefix(BASE)).headers["location"] == f"/cr/{NEW}/rule/101.3"
    )


def test_a_rule_that_is_gone_leads_to_the_last_release_that_had_it(client):
    gone = client.get(f"/cr/{OLD}/rule/102.3.json").json()
    assert gone["now"] is None
    answer = client.get("/" + gone["identity"].removeprefix(BASE))
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/cr/{gone['until']}/rule/102.3"
    assert client.get(answer.headers["location"]).status_code == 200


def test_a_number_that_a_release_never_had_is_not_found(client):
    assert client.get(f"/cr/{OLD}/rule/999.9").status_code == 404
    assert (
        client.get("/cr/1066-10-14/rule/101.2").json()["hint"] == "the releases are listed at /cr"
    )


def test_all_releases_are_listed_and_answer(client):
    listed = client.get("/cr").json()["rows"]
    assert [row["name"] for row in listed] == [OLD, MIDDLE, NEW]
    assert all(client.get(f"/cr/{row['name']}").status_code == 200 for row in listed)


def test_a_version_answers_by_its_own_iri(client):
    version = client.get(f"/cr/{OLD}/rule/101.2.json").json()["version"]
    assert client.get("/" + version.removeprefix(BASE)).status_code == 200


def test_terms_of_old_releases_answer(client):
    of_old = "?term a mtg:TermVersion ; mtg:first 0 ; mtg:name ?name"
    query = f"SELECT ?term ?name {{ GRAPH <history> {{ {of_old} }} }}"
    rows = client.get("/sparql", params={"query": query}).json()["results"]["bindings"]
    assert rows
    for row in rows:
        key = row["term"]["value"].rpartition("/")[2]
        answer = client.get(f"/cr/{OLD}/term/{key}.json").json()
        assert answer["term"] == row["name"]["value"]
        led = client.get(f"/id/term/{key}")
        assert led.status_code == 303
        assert client.get(led.headers["location"]).status_code == 200
