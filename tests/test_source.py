"""Bytes become the text that was written, whatever their encoding and line ends."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_rulebook import SMALL, found_in, read, source_of

from kb import resources
from kb.errors import ExitCode, SourceError
from kb.rulebook import read_rulebook
from kb.source import decode, read_source

# What cp1252 and MacRoman both have; «Ann’s» stands for the letters and quotes of real releases.
FOREIGN = "Æther Café – “Señor Niño’s Übermaß” © Déjà Vu®\n"
ENDS = ("\n", "\r\n", "\r", "\r\r\n")


def with_ends(text, end):
    return text.replace("\n", end).encode()


def once_more(text):
    """Return a text's UTF-8 bytes, read once as cp1252 and saved as UTF-8."""
    return text.encode().decode("cp1252").encode()


@pytest.mark.parametrize(
    ("codec", "told"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16-le"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("cp1252", "cp1252"),
        ("mac-roman", "mac-roman"),
    ],
)
def test_the_encoding_is_told_from_the_content(codec, told):
    source = decode((SMALL + FOREIGN).encode(codec), "text")
    assert (source.encoding, source.text) == (told, SMALL + FOREIGN)
    assert source.problems == ()


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read_with_its_mark_and_without(codec, mark):
    source = decode((mark + FOREIGN).encode(codec), "text")
    assert (source.encoding, source.text) == (codec, FOREIGN)


def test_gb_18030_is_read():
    source = decode(SMALL.encode("gb18030"), "text")
    assert (source.encoding, source.text) == ("gb18030", SMALL)


def test_ascii_is_read_as_utf_8():
    text = SMALL.replace("’", "'").replace("“", '"').replace("”", '"')
    assert decode(text.encode("ascii"), "text").encoding == "utf-8"


def test_a_byte_order_mark_is_no_part_of_the_text():
    assert decode(b"\xef\xbb\xbf" + SMALL.encode(), "text").text[0] == SMALL[0]


def test_utf_8_that_was_read_once_as_cp1252_is_set_right():
    text = SMALL.replace("”", "’") + "Ann’s “Café – Déjà Vu\n" * 20
    source = decode(once_more(text), "text")
    assert (source.encoding, source.text) == ("utf-8+cp1252", text)


def test_a_few_wrongly_decoded_letters_are_no_reason_to_change_a_text():
    text = SMALL + "The sign â€™ was once an apostrophe.\n"
    assert decode(text.encode(), "text").text == text


def test_one_damaged_byte_does_not_make_utf_8_another_encoding():
    content = (SMALL + FOREIGN).encode().replace(b"pebble game", b"peb\xffle game", 1)
    source = decode(content, "text")
    assert source.encoding == "utf-8"
    assert "Ann’s" in source.text
    assert found_in(source.problems) == [("mojibake", 25, 13)]


@pytest.mark.parametrize("word", ["Dandƒn", "Hajj‰je", "na\ufffdve"])
def test_a_letter_of_another_code_page_is_kept_and_reported(word):
    text = f"First line.\nHere is {word}, a name.\n"
    source = decode(text.encode(), "text")
    assert source.text == text
    column = 9 + next(i for i, letter in enumerate(word) if ord(letter) > 126)
    assert found_in(source.problems) == [("mojibake", 2, column)]
    assert source.problems[0].excerpt == f"Here is {word}, a name."


@pytest.mark.parametrize(
    "content",
    [b"", b" \n", b"\r\n\t", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0" * 99, b"\n\0 \0"],
)
def test_an_empty_file_is_refused(content):
    with pytest.raises(SourceError, match="the file is empty") as caught:
        decode(content, "empty.txt")
    assert caught.value.where == "empty.txt"
    assert caught.value.exit_code == ExitCode.INPUT


@pytest.mark.parametrize(
    "head", [b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"\x1f\x8b\x08\0", b"%PDF-1"]
)
def test_a_binary_file_is_refused(head):
    noise = random.Random(1).randbytes(5000)  # noqa: S311 - no secret, only noise
    with pytest.raises(SourceError, match="binary, not a text"):
        decode(head + noise, "image")


def test_a_file_that_is_not_there_is_an_error_with_its_name(tmp_path):
    with pytest.raises(SourceError, match="cannot be read") as caught:
        read_source(tmp_path / "nothing.txt")
    assert caught.value.where == str(tmp_path / "nothing.txt")
    with pytest.raises(SourceError, match="cannot be read"):
        read_source(tmp_path)


def test_a_file_too_large_for_a_rulebook_is_not_read(tmp_path):
    file = tmp_path / "large.txt"
    with file.open("wb") as stream:
        stream.truncate(65 * 1024 * 1024)
    with pytest.raises(SourceError, match="too large"):
        read_source(file)


def test_the_digest_is_that_of_the_content(tmp_path):
    content = SMALL.encode("utf-16")
    for name in ("a.txt", "b.dat"):
        (tmp_path / name).write_bytes(content)
        assert read_source(tmp_path / name).sha256 == sha256(content).hexdigest()
    assert decode(SMALL.encode(), "a.txt").sha256 != sha256(content).hexdigest()


@pytest.mark.parametrize("end", ENDS)
def test_line_ends_of_one_kind_give_the_same_lines(end):
    source = decode(with_ends(SMALL, end), "text")
    assert source.text == SMALL.replace("\n", end)
    assert [line.of(source.text).rstrip("\r") for line in source.lines()] == SMALL.split("\n")


def test_cr_cr_lf_among_bare_crs_is_a_line_end_and_a_blank_line():
    source = decode(b"One.\r\rTwo.\r\r\n\rThree.\r", "text")
    assert source.canvas == "One.\n\nTwo.\n \n\nThree.\n"


def test_line_ends_may_be_mixed():
    source = decode(b"One.\r\nTwo.\nThree.\rFour.\n\rFive.", "text")
    assert source.canvas == "One. \nTwo.\nThree.\nFour.\n\nFive."


def test_a_line_separator_is_no_line_end():
    text = "One\u2028still one.\x0c\x85\nTwo."
    assert len(decode(text.encode(), "text").lines()) == 2


@pytest.mark.parametrize("end", ENDS)
def test_a_rulebook_reads_the_same_with_any_line_ends(end):
    def texts(rulebook):
        return [[r.text for r in rulebook.rules], [t.text for t in rulebook.terms]]

    rulebook, problems = read_rulebook(decode(with_ends(SMALL, end), "text"))
    assert texts(rulebook) == texts(read(SMALL)[0])
    assert problems == ()


pieces = st.lists(st.sampled_from(["A", "word.", " ", "’", "\u2028", *ENDS, "\n\n"]), min_size=1)


@given(pieces.map("".join))
def test_the_canvas_keeps_length_and_offsets(text):
    source = decode(f"A{text}".encode(), "text")
    canvas = source.canvas
    assert len(canvas) == len(source.text)
    assert "\r" not in canvas
    for written, shown in zip(source.text, canvas, strict=True):
        assert shown == written or (written in "\r\n" and shown in " \n")


@given(pieces.map("".join))
def test_lines_and_places_agree(text):
    source = decode(f"A{text}".encode(), "text")
    for number, line in enumerate(source.lines(), 1):
        assert source.place(line.start) == (number, 1)
        assert source.place(line.end) == (number, line.end - line.start + 1)
        assert "\n" not in line.of(source.canvas)
    assert "\n".join(line.of(source.canvas) for line in source.lines()) == source.canvas


def test_a_problem_carries_the_line_it_stands_in():
    source = decode(b"One.\r\nTwo three.\r\n", "text")
    problem = source.problem("slip", "a slip", source.text.index("three"))
    assert (problem.line, problem.column, problem.excerpt) == (2, 5, "Two three.")
    assert source.problem("slip", "a slip", len(source.text)).excerpt == ""
    assert len(decode(b"x" * 999, "text").problem("slip", "a slip", 5).excerpt) == 160


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "mac-roman", "gb18030"])
@pytest.mark.parametrize("end", ENDS)
def test_the_concise_edition_survives_encodings_and_line_ends(codec, end):
    text = resources.text("rules/concise-edition.txt")
    source = decode(text.replace("\n", end).encode(codec), "text")
    assert source.text.replace(end, "\n") == text
    assert source.canvas.split("\n")[10].strip() == text.split("\n")[10]


def test_the_name_is_only_for_messages():
    one, other = decode(SMALL.encode(), "2001.txt"), source_of(SMALL)
    assert read_rulebook(one)[0] == read_rulebook(other)[0]


@pytest.mark.parametrize("strict", [True, False])
def test_every_character_of_a_text_encoded_twice_is_put_back(strict):
    text = "A “quoted” word, Café’s – and ‘more’. " * 30
    raw = text.encode()
    if strict:
        twice = "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in raw)
    else:
        twice = raw.decode("cp1252", "replace")
    assert decode(twice.encode(), "twice").text == text
    assert decode(b"\xef\xbb\xbf" + twice.encode(), "twice, with a mark").text == text


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
def test_noise_behind_a_byte_order_mark_is_no_text(mark):
    with pytest.raises(SourceError, match="binary"):
        decode(mark + bytes(range(256)) * 8, "noise")
