"""`mtgkb ask --explain` and `mtgkb why`: every answer explains itself, down to the sentences."""

from __future__ import annotations

import json
import re

import pytest
from restart_rulebook import CARD, RULES, RULINGS, restart_files
from tools import mtgkb

from kb.errors import ExitCode

KB = "https://mtgkb.example/cr/2031-05-01"
SENTENCES = {line.split(" ", 1)[0].rstrip("."): line.split(" ", 1)[1] for line in RULES.split("\n")}
SAID = {f"{CARD}, {day}": text for day, text in RULINGS}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a knowledge base of the small rulebook with its card and rulings."""
    top = tmp_path_factory.mktemp("explain")
    text, cards, rulings = restart_files(top)
    done = mtgkb("build", text, "--cards", cards, "--rulings", rulings, "--kb", top / "kb")
    assert (done.returncode, done.stderr) == (ExitCode.OK, "")
    return top / "kb"


@pytest.fixture(scope="module")
def good(folder):
    """Return a function that runs a command, which must end well, and returns what it printed."""

    def run(*arguments):
        done = mtgkb(*arguments, "--kb", folder)
        assert (done.returncode, done.stderr) == (ExitCode.OK, "")
        return done.stdout

    return run


@pytest.fixture(scope="module")
def explained(good):
    """The answer of the restart with its explanations, as data."""
    return json.loads(good("ask", "restart-state", "--explain", "--format", "json"))


def unwrapped(printed):
    return " ".join(printed.split())


def with_premises(fact):
    yield fact
    for premise in fact.get("premises", []):
        yield from with_premises(premise)


# ---------------------------------------------------------------- ask --explain


def test_explained_rows_are_the_rows_of_the_answer_with_their_reasons(good, explained):
    plain = json.loads(good("ask", "restart-state", "--format", "json"))
    rows = [dict(row) for row in explained["rows"]]
    assert all(row.pop("explanation") for row in rows)
    assert {**explained, "rows": rows} == plain


def test_every_explanation_ends_in_sentences_of_the_text(explained):
    for row in explained["rows"]:
        facts = [f for fact in row["explanation"] for f in with_premises(fact)]
        for fact in facts:
            assert ("inferred_by" in fact) == ("because" in fact) == ("premises" in fact)
            if "premises" not in fact:
                said = SAID.get(fact["source"]) or SENTENCES[fact["source"]]
                assert fact["quote"] in said
        assert row["quote"] in {fact["quote"] for fact in facts}
        assert (row["rule"] or row["ruling"]) in {fact["source"] for fact in facts}


def test_a_row_is_explained_by_its_rule_and_the_procedure(explained):
    (row,) = [row for row in explained["rows"] if row["state"] == "king"]
    (fact,) = row["explanation"]
    assert (fact["kind"], fact["inferred_by"]) == ("restart-ends", "restart-without")
    below = {(p["kind"], p["source"], p.get("inferred_by")) for p in fact["premises"]}
    assert below == {
        ("starts-without", "125.1", None),
        ("restart-procedure", "127.1", "restart-procedure"),
    }
    kinds = [f["kind"] for f in with_premises(fact)]
    assert sorted(kinds[2:]) == sorted(set(kinds[2:]))
    assert {"ends", "follows"} < set(kinds)


def test_a_row_of_a_ruling_names_card_day_and_why_that_card(explained):
    (row,) = [row for row in explained["rows"] if row["state"] == "clock wound count"]
    (fact,) = row["explanation"]
    kinds = {p["kind"]: p for p in fact["premises"]}
    assert set(kinds) == {"resets", "restart-procedure", "single-card"}
    assert kinds["resets"]["source"] == row["ruling"] == f"{CARD}, {RULINGS[0][0]}"
    assert kinds["single-card"]["quote"] == f"One card ({CARD}) restarts the game."


def test_what_was_inferred_of_what_was_inferred_is_explained_all_the_way(explained):
    (row,) = [row for row in explained["rows"] if row["state"] == "odd counter"]
    rules = [f.get("inferred_by") for fact in row["explanation"] for f in with_premises(fact)]
    assert [r for r in rules if r] == ["restart-kinds", "restart-ruled", "restart-procedure"]


def test_explained_as_text_each_row_is_a_heading_with_its_chain(good):
    printed = good("ask", "restart-state", "--explain")
    lines = printed.splitlines()
    heads = [line for line in lines if line and not line.startswith(" ")]
    assert heads[0] == "state life total · outcome reset · value 20 · rule 103.1"
    assert heads[-1].startswith("13 rows · release 2031-05-01")
    assert len(heads) == 14
    whole = unwrapped(printed)
    assert "103.1: Each player begins the game with 20 life." in whole
    assert "inferred by restart-started: what the starting procedure sets" in whole
    assert f"{CARD}, {RULINGS[0][0]}: {RULINGS[0][1]}" in whole
    depth = {len(re.match(" *", line)[0]) for line in lines if line.lstrip().startswith("•")}
    assert len(depth) == 4  # a counter's kind, the counter, the procedure, its sentences


def test_a_row_without_a_value_has_none_in_its_heading(good):
    printed = good("ask", "exceptions", "--explain")
    assert printed.splitlines()[0].startswith("rule 129.2 · to 129.1 · ")
    assert "None" not in printed


def test_an_empty_answer_is_explained_by_saying_so(good):
    asked = ("ask", "cites", "--rule", "103.1", "--explain")
    assert good(*asked) == "The text of release 2031-05-01 has no answer to this.\n"
    assert json.loads(good(*asked, "--format", "json"))["rows"] == []


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_a_chain_is_no_table(folder, form):
    done = mtgkb("ask", "restart-state", "--explain", "--format", form, "--kb", folder)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert "--format text or json" in done.stderr


def test_later_rulings_are_a_flag(good):
    told = json.loads(good("ask", "restart-state", "--later-rulings", "--format", "json"))
    assert {row["ruling"] for row in told["rows"]} >= {f"{CARD}, 2032-01-01"}
    plain = json.loads(good("ask", "restart-state", "--format", "json"))
    assert f"{CARD}, 2032-01-01" not in {row["ruling"] for row in plain["rows"]}


# ---------------------------------------------------------------- why


def why(good, *triple):
    return json.loads(good("why", *triple, "--format", "json"))["reasons"]


def test_a_short_cut_is_explained_by_the_statement_behind_it(good):
    reason = why(good, "129.2", "mtg:exceptionTo", "129.1")[0]
    assert (reason["how"], reason["fact"]["kind"]) == ("stated", "exception")
    assert reason["fact"]["quote"] == "This is an exception to rule 129.1."
    printed = good("why", "129.2", "mtg:exceptionTo", "129.1")
    assert printed.startswith("the short cut of a statement\n")
    assert "129.2: This is an exception to rule 129.1." in printed


def test_a_reference_is_explained_by_the_citation_behind_it(good):
    reasons = why(good, "127.1", "dcterms:references", "103")
    cited = [reason for reason in reasons if reason["how"] == "cited"]
    assert [reason["fact"]["kind"] for reason in cited] == ["citation"]
    assert cited[0]["fact"]["source"] == "127.1"
    assert cited[0]["fact"]["value"] == "rule 103"


@pytest.mark.parametrize(
    ("predicate", "how"), [("mtg:exceptionTo", "stated"), ("dcterms:references", "cited")]
)
def test_a_short_cut_is_explained_by_nothing_else(good, predicate, how):
    assert [r["how"] for r in why(good, "129.2", predicate, "129.1")] == [how]


def test_a_value_may_be_words(good):
    (reason,) = why(good, "127.1", "mtg:onlyCard", CARD)
    assert (reason["how"], reason["fact"]["kind"]) == ("stated", "single-card")


def test_a_triple_of_the_text_itself_is_asserted(good):
    (reason,) = why(good, "129.2", "mtg:number", "129.2") or [{}]
    assert reason["how"] == "asserted"
    assert good("why", "103", "mtg:level", "chapter").startswith("read off the text itself\n")


def test_an_edge_that_a_rule_infers_names_the_rule(good):
    (reason,) = why(good, "127.2", "mtg:within", "127")
    assert (reason["how"], reason["rule"]) == ("inferred", "within")
    assert reason["because"]
    assert good("why", "127.2", "mtg:within", "127").startswith(
        "inferred by within: what a rule is"
    )


def test_a_property_of_an_inferred_statement_is_explained_by_its_derivation(good, explained):
    node = next(r for r in explained["rows"] if r["state"] == "king")["explanation"][0]["node"]
    for predicate, value in (("mtg:kind", "restart-ends"), ("mtg:subject", "king")):
        (reason,) = why(good, node, predicate, value)
        assert reason["how"] == "inferred"
        assert reason["fact"]["inferred_by"] == "restart-without"
        assert "There is no king in a game" in reason["fact"]["quote"]
    printed = good("why", f"<{node}>", "mtg:kind", "restart-ends")
    assert "inferred by restart-without: a state that a game is without" in unwrapped(printed)
    assert "125.1: There is no king in a game until an effect crowns one." in printed


@pytest.mark.parametrize(
    "triple",
    [
        ("129.2", "dcterms:references", "129.9"),
        ("129.1", "mtg:exceptionTo", "129.2"),
        ("129.2", "mtg:nothing", "129.1"),
        (f"{KB}/rule/999.9", "mtg:number", "999.9"),
    ],
)
def test_a_triple_that_is_not_there_is_not_found(folder, triple):
    done = mtgkb("why", *triple, "--kb", folder)
    assert (done.returncode, done.stdout) == (ExitCode.NOT_FOUND, "")
    assert "there is no such triple" in done.stderr
    told = json.loads(mtgkb("why", *triple, "--kb", folder, "--format", "json").stderr)
    assert (told["error"], told["exit_code"]) == ("NotFoundError", 4)


@pytest.mark.parametrize(
    "triple",
    [
        ("129.2", "nothing", "129.1"),
        ("129.2", "foo:bar", "129.1"),
        ("999.9", "mtg:number", "999.9"),
        ("129.2", "mtg:number"),
        ("129.2", "mtg:a b", "129.1"),
        ("http://a b/", "mtg:number", "1"),
        ("odd words", "mtg:number", "1"),
    ],
)
def test_what_is_no_triple_is_a_usage_error(folder, triple):
    done = mtgkb("why", *triple, "--kb", folder)
    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert "Traceback" not in done.stderr


def test_a_release_that_is_not_there_is_not_found(folder):
    done = mtgkb("why", "129.2", "mtg:number", "129.2", "--release", "1999-01-01", "--kb", folder)
    assert done.returncode == ExitCode.NOT_FOUND
