"""The command line: every command, its JSON form, its options, and how it ends."""

from __future__ import annotations

import json
from datetime import date

import pytest
from tools import RULES, good, good_json, mtgkb, rulebook, written

from kb import errors
from kb.errors import ExitCode
from kb.queries import catalogue

RELEASE = "2026-06-19-concise"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The folder of a knowledge base of a text with a slip and a broken reference."""
    top = tmp_path_factory.mktemp("small")
    text = rulebook(RULES.replace("100.1a ", "100.1a. ") + "\n101.4. More. See rule 101.9.")
    assert mtgkb("build", written(top, "a.txt", text), "--kb", top / "kb").returncode == 0
    return top / "kb"


def test_build_without_files_builds_the_concise_edition(tmp_path):
    report = good_json("build", "--kb", tmp_path / "kb")
    assert [release["name"] for release in report["releases"]] == [RELEASE]
    assert report["knowledge_base"] == str(tmp_path / "kb")
    assert (report["kept"], report["repeated"]) == ([], [])


def test_build_prints_a_table_of_what_was_built(tmp_path):
    text = written(tmp_path, "a.txt", rulebook())
    printed = good("build", text, text, "--kb", tmp_path / "kb")
    assert "2031-05-01" in printed
    assert "given twice, read once: a.txt" in printed
    june = written(tmp_path, "june.txt", rulebook(date="June 1, 2031"))
    assert "kept: 2031-05-01" in good("build", june, "--add", "--kb", tmp_path / "kb")


def test_build_takes_a_date_and_a_base(tmp_path):
    text = written(tmp_path, "a.txt", rulebook(date="some day"))
    refused = mtgkb("build", text, "--kb", tmp_path / "kb")
    assert refused.returncode == ExitCode.INPUT
    day = date(2031, 2, 3).isoformat()
    base = "https://rules.example/"
    good("build", text, "--effective", day, "--base", base, "--kb", tmp_path / "kb")
    assert good_json("rule", "100.1", "--kb", tmp_path / "kb")["iri"].startswith(f"{base}cr/{day}")


@pytest.mark.parametrize("wrong", [("--effective", "May"), ("--base", "https://a.example")])
def test_build_refuses_a_date_or_base_that_is_none(tmp_path, wrong):
    done = mtgkb("build", *wrong, "--kb", tmp_path / "kb")
    assert done.returncode == ExitCode.USAGE
    assert not (tmp_path / "kb").exists()


def test_info(small):
    told = good_json("info", "--kb", small)
    assert (told["knowledge_base"], told["default_release"]) == (str(small), "2031-05-01")
    assert told["releases"][0]["rules"] == 5
    assert "asked when no --release is given: 2031-05-01" in good("info", "--kb", small)


@pytest.mark.parametrize(
    "written", [["704.5g."], ["CR 704.5g"], ["rule 704.5G"], ["CR", "704.5g"], ["704.5g"]]
)
def test_rule_understands_a_number_as_people_write_it(concise_folder, written):
    assert good_json("rule", *written, "--kb", concise_folder)["rule"] == "704.5g"


def test_rule_shows_text_place_and_references(small):
    printed = good("rule", "101.2", "--kb", small)
    assert printed.startswith("101.2   (release 2031-05-01)\nin 101. Turning\n")
    assert "A step ends at some time." in printed
    assert "cites     100.1\n" in printed
    assert "cited by  100.1a, 101.1\n" in printed


def test_rule_shows_a_chapter_and_a_section(small):
    assert "101.3 Nothing else happens." in good("rule", "101", "--kb", small)
    assert good("rule", "1", "--kb", small).endswith("100. General\n101. Turning\n")


def test_term(small):
    assert good_json("term", "draw", "--kb", small)["cites"] == ["100.1a"]
    printed = good("term", "DRAW", "--kb", small)
    assert printed.startswith("Draw   (release 2031-05-01)\n  To take a card.")


def test_ask_without_a_question_lists_them():
    printed = good("ask")
    assert all(identifier in printed for identifier in catalogue())
    listed = good_json("ask")["questions"]
    assert [question["id"] for question in listed] == list(catalogue())


@pytest.mark.parametrize(
    "parameters",
    [
        ("--rule", "101.2"),
        ("--rule=101.2",),
        ("--rule", "CR 101.2."),
        ("--rule", "101.2", "--transitive=false"),
    ],
)
def test_ask_takes_parameters_in_both_forms(small, parameters):
    answer = good_json("ask", "cited-by", *parameters, "--kb", small)
    assert [row["rule"] for row in answer["rows"]] == ["100.1a", "101.1"]
    assert (answer["question"], answer["release"]) == ("cited-by", "2031-05-01")
    assert answer["columns"] == ["rule", "distance", "quote"]


def test_ask_takes_a_flag_anywhere(small):
    first = good("ask", "cited-by", "--transitive", "--rule", "101.2", "--kb", small)
    last = good("--kb", small, "ask", "cited-by", "--rule", "101.2", "--transitive")
    assert first == last
    assert "4 rows · release 2031-05-01" in first


def test_ask_prints_csv_and_tsv(small):
    asked = ("ask", "cites", "--rule", "100.1a", "--kb", small, "--format")
    quote = "A player draws one card (see rule 101.2)."
    assert good(*asked, "csv") == f"rule,distance,quote\n101.2,1,{quote}\n"
    assert good(*asked, "tsv") == f"rule\tdistance\tquote\n101.2\t1\t{quote}\n"


def test_ask_says_where_the_text_does_not_say(small):
    asked = ("ask", "cites", "--rule", "101.3", "--kb", small)
    assert good(*asked) == "The text of release 2031-05-01 has no answer to this.\n"
    assert good_json(*asked)["rows"] == []


def test_check_ends_with_one_where_there_is_something(small, concise_folder):
    found = mtgkb("check", "--kb", small)
    assert (found.returncode, found.stderr) == (ExitCode.FOUND, "")
    assert "extra-dot" in found.stdout
    assert "101.9" in found.stdout
    told = json.loads(mtgkb("check", "--kb", small, "--format", "json").stdout)
    assert [problem["kind"] for problem in told["problems"]] == ["extra-dot"]
    assert [row["cited"] for row in told["broken_references"]] == ["101.9"]
    assert good("check", "--kb", concise_folder) == f"release {RELEASE}: nothing to report\n"
    assert good_json("check", "--kb", concise_folder)["problems"] == []


@pytest.mark.parametrize("command", ["info", "rule 101.1", "ask cites --rule 101.1", "export"])
def test_options_stand_before_or_after_the_command(small, command):
    options = ("--kb", small, "--release", "2031-05-01")
    form = () if command == "export" else ("--format", "json")
    words = command.split()
    before, after = good(*options, *form, *words), good(*words, *options, *form)
    assert before == after != ""


def test_an_option_after_the_command_is_stronger(small):
    assert good("--kb", "nowhere", "rule", "101.1", "--kb", small)


def test_the_folder_is_that_of_mtgkb_home_unless_named(tmp_path, small):
    text = written(tmp_path, "a.txt", rulebook(date="June 1, 2031"))
    good("build", text, home=tmp_path)
    assert (tmp_path / "kb" / "CURRENT").exists()
    assert good_json("info", home=tmp_path)["default_release"] == "2031-06-01"
    assert good_json("info", "--kb", small, home=tmp_path)["default_release"] == "2031-05-01"


FAILURES = {
    "no such command": (["answer"], ExitCode.USAGE),
    "no such option": (["info", "--colour"], ExitCode.USAGE),
    "a word missing": (["rule"], ExitCode.USAGE),
    "no such format": (["info", "--format", "yaml"], ExitCode.USAGE),
    "no rule number": (["rule", "seven"], ExitCode.USAGE),
    "no such parameter": (["ask", "cites", "--rules", "101.1"], ExitCode.USAGE),
    "a parameter without value": (["ask", "cites", "--rule"], ExitCode.USAGE),
    "a parameter left out": (["ask", "cites"], ExitCode.USAGE),
    "a stray word": (["ask", "cites", "--transitive", "101.1"], ExitCode.USAGE),
    "no such file": (["build", "nowhere.txt"], ExitCode.INPUT),
    "no such query file": (["sparql", "nowhere.rq"], ExitCode.INPUT),
    "no such rule": (["rule", "999.9"], ExitCode.NOT_FOUND),
    "no such term": (["term", "Nothing"], ExitCode.NOT_FOUND),
    "no such question": (["ask", "cite"], ExitCode.NOT_FOUND),
    "no such release": (["info", "--release", "1999-01-01"], ExitCode.NOT_FOUND),
    "a malformed query": (["sparql", "SELECT {"], ExitCode.QUERY),
    "a refused query": (["sparql", "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }"], ExitCode.QUERY),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_an_error_is_a_line_on_stderr_and_a_documented_code(small, failure):
    arguments, code = FAILURES[failure]
    done = mtgkb("--kb", small, *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("mtgkb: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("failure", FAILURES)
def test_an_error_is_json_where_json_was_asked_for(small, failure):
    arguments, code = FAILURES[failure]
    form = [] if "--format" in arguments else ["--format", "json"]
    done = mtgkb("--kb", small, *form, *arguments)
    if not form:
        assert done.stderr.startswith("mtgkb: no format 'yaml' here")
        return
    told = json.loads(done.stderr)
    assert (done.returncode, told["exit_code"]) == (code, code)
    kinds = [getattr(errors, name) for name in dir(errors) if name.endswith("Error")]
    assert told["error"] in {kind.__name__ for kind in kinds if kind.exit_code == code}
    assert told["what"]


def test_without_a_knowledge_base_the_code_is_five(tmp_path):
    done = mtgkb("info", home=tmp_path)
    assert done.returncode == ExitCode.STORE
    assert "build one: mtgkb build" in done.stderr


def test_an_unwritable_folder_is_the_same_code(tmp_path):
    done = mtgkb("build", "--kb", written(tmp_path, "taken", "a file"))
    assert done.returncode == ExitCode.STORE


@pytest.mark.parametrize(
    "command", ["", "build", "info", "rule", "term", "ask", "sparql", "export", "check"]
)
def test_help_is_there_for_every_command(command):
    printed = good(*command.split(), "--help")
    assert printed.startswith(f"Usage: mtgkb {command}".rstrip())
    assert "--kb DIR" in printed


def test_help_lists_the_exit_codes():
    printed = " ".join(good("--help").split())
    codes = [code for code in ExitCode if code not in (ExitCode.OK, ExitCode.INTERRUPTED)]
    assert all(f"· {int(code)} " in printed for code in codes)


def test_version():
    assert good("--version").startswith("mtgkb, version ")
