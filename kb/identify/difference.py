"""What a paragraph says otherwise than the text that it quotes, word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from kb.identify.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kb.identify.tokens import Tokens

KEPT, LEFT_OUT, PUT_IN = "=", "-", "+"


def difference(known: str, quoted: str) -> tuple[tuple[str, str], ...]:
    """Return the words that both texts have, or one of them, in order, as they are written.

    Typography and the numbers of references are no difference; where words are replaced,
    those of the known text come first.
    """
    old, new = tokens(known), tokens(quoted)
    letters: dict[str, str] = {}
    steps = Indel.opcodes(_encoded(old.keys, letters), _encoded(new.keys, letters))
    found: list[tuple[str, str]] = []
    put_in: list[str] = []
    for step in steps:
        if step.tag == "insert":
            put_in.append(_written(quoted, new, step.dest_start, step.dest_end))
        elif step.tag == "delete":
            found.append((LEFT_OUT, _written(known, old, step.src_start, step.src_end)))
        else:
            found += [(PUT_IN, words) for words in put_in]
            found.append((KEPT, _written(quoted, new, step.dest_start, step.dest_end)))
            put_in = []
    return (*found, *((PUT_IN, words) for words in put_in))


def _encoded(keys: Iterable[str], letters: dict[str, str]) -> str:
    return "".join(letters.setdefault(key, chr(0xE000 + len(letters))) for key in keys)


def _written(text: str, words: Tokens, start: int, end: int) -> str:
    return text[words.starts[start] : words.ends[end - 1]]
