"""A text → its sentences with what they name masked, so that the grammar sees it as one token.

A citation becomes REF characters, "this rule" THIS_RULE characters and, where titles count, a
chapter's title HEADING characters: as many as it was long, so that offsets stay true.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.citations import find_citations
from kb.statements.sentences import sentences
from kb.syntax import end_of, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token

    from kb.records import Span
    from kb.statements.lexicon import Lexicon

REF, THIS_RULE, HEADING = "\ue000", "\ue001", "\ue002"


@dataclass(frozen=True, slots=True)
class Masked:
    """A sentence: ``text`` with citations masked, ``titled`` with chapters' titles masked too.

    ``names`` has, by the offset of a masked spot, the numbers that it names; ``titles`` the
    titles that citations quote.
    """

    quote: str
    span: Span
    text: str
    titled: str
    names: dict[int, tuple[str, ...]]
    titles: tuple[str, ...] = ()

    def words(self, token: Token) -> str:
        """Return a token's words as the sentence has them, unmasked."""
        return self.quote[start_of(token) : end_of(token)].strip()


def masked_sentences(text: str, lexicon: Lexicon, number: str) -> Iterator[Masked]:
    """Yield the sentences of a text; ``number`` is the rule that "this rule" means."""
    citations = find_citations(text)
    for span in sentences(text):
        masked = list(span.of(text))
        names: dict[int, tuple[str, ...]] = {}
        titles = []
        for citation in citations:
            if span.start <= citation.span.start < span.end:
                start = citation.span.start - span.start
                end = min(citation.span.end, span.end) - span.start
                is_self = citation.form == "self"
                masked[start:end] = (THIS_RULE if is_self else REF) * (end - start)
                names[start] = (number,) if is_self else citation.numbers
                titles += [citation.title] if citation.title else []
        plain = "".join(masked)
        for start, end, chapter in lexicon.heading_spans(plain):
            masked[start:end] = HEADING * (end - start)
            names[start] = (chapter,)
        yield Masked(span.of(text), span, plain, "".join(masked), names, tuple(titles))
