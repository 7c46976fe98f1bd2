"""The page that asks: the catalogue, a question, its answer with reasons, a query of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape
from starlette.responses import JSONResponse

from kb.errors import MtgkbError, NotFoundError, UsageError
from kb.queries import catalogue, question
from kb.web.pages.reading import Reading
from kb.web.pages.rendering import guarded, page, twin, wants_json
from kb.web.pages.site import site_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from kb.asking import Choice
    from kb.inference import Premise
    from kb.queries import Answer, Question
    from kb.queries.run import Cell

_MOST = 500  # rows on a page
_REASONS = 60  # rows that all show their reasons
_SURE, _FAIRLY = 0.75, 0.5


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell: what kind of thing it holds, and how it is shown."""

    kind: str
    shown: Markup


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row: its cells, whether it rests on anything, and the reasons if they are asked for."""

    cells: tuple[ShownCell, ...]
    because: bool
    facts: tuple[Premise, ...] = ()


@guarded
def ask_page(request: Request) -> Response:
    """Show the catalogue, or the answer of a question, named or meant by free words."""
    given = dict(request.query_params)
    words, why = given.pop("q", "").strip(), given.pop("why", "")
    identifier = request.path_params.get("question", "")
    release = given.pop("release", None) or None
    given.pop("format", None)
    given = {name: value for name, value in given.items() if value.strip()}
    site = site_of(request)
    choice: Choice | None = None
    if words and not identifier:
        choice = site.kb.understand(words, release)
        if choice.meant:
            identifier, given = choice.meant.question, choice.meant.parameters
            release = release or choice.meant.release
    asked = question(identifier) if identifier else None
    reading = Reading.of(request, release or "latest")
    answer, problem = _answer(reading, asked, given, release)
    if wants_json(request):
        return JSONResponse(_as_json(choice, answer, problem))
    return page(
        request,
        "ask.html",
        reading=reading,
        release=reading.release,
        question=asked,
        given=given,
        words=words,
        choice=choice,
        sure=_how_sure(choice.confidence) if choice else "",
        answer=answer,
        problem=problem,
        columns=_columns(asked) if asked else (),
        shown=_rows(reading, asked, answer, why) if asked and answer else (),
        why=why,
        here=partial(_here, reading, identifier, given, release),
        catalogue=tuple(catalogue().values()),
        twin=_here(reading, identifier, given, release, format="json") if asked else twin(request),
    )


def _as_json(
    choice: Choice | None, answer: Answer | None, problem: MtgkbError | None
) -> dict[str, object]:
    """Return what the page shows as `mtgkb ask --format json` has it."""
    if problem is not None:
        return dict(problem.as_json())
    about: dict[str, object] = {}
    if choice is not None:
        about = {
            "asked": choice.asked,
            "parameters": choice.meant.parameters if choice.meant else {},
            "confidence": choice.confidence,
            "nearest": [meant.as_json() for meant in choice.nearest],
        }
    if answer is None:
        listed = [{"id": one.id, "summary": one.summary} for one in catalogue().values()]
        return {"question": None, **about} if about else {"questions": listed}
    return {**answer.as_json(), **about}


def _answer(
    reading: Reading, asked: Question | None, given: dict[str, str], release: str | None
) -> tuple[Answer | None, MtgkbError | None]:
    """Return the answer, or what is off with what was given; neither while something is lacking."""
    if asked is None:
        return None, None
    lacks = [p.name for p in asked.parameters if p.default is None and p.name not in given]
    if lacks and not given:
        return None, None
    try:
        return reading.site.kb.ask(asked.id, given, release), None
    except (UsageError, NotFoundError) as error:
        return None, error


def _here(
    reading: Reading, identifier: str, given: dict[str, str], release: str | None, **more: str
) -> str:
    return reading.links.page(f"ask/{identifier}", release=release, **given, **more)


def _how_sure(confidence: float) -> str:
    if confidence >= _SURE:
        return "surely"
    return "fairly surely" if confidence >= _FAIRLY else "not quite surely"


def _columns(asked: Question) -> tuple[str, ...]:
    """Return the columns, the widest ones last."""
    names = [name for name, _ in asked.columns]
    return tuple(sorted(names, key=lambda name: name in ("quote", "text")))


def _rows(reading: Reading, asked: Question, answer: Answer, why: str) -> tuple[ShownRow, ...]:
    kinds = dict(asked.columns)
    found = []
    for place, row in enumerate(answer.rows[:_MOST], 1):
        nodes = answer.because[place - 1] if answer.because else ()
        is_asked = why == str(place) or (why == "all" and place <= _REASONS)
        cells = (_cell(reading, name, kinds[name], row[name]) for name in _columns(asked))
        facts = _facts(reading, nodes, answer.release) if is_asked else ()
        found.append(ShownRow(tuple(cells), bool(nodes), facts))
    return tuple(found)


def _facts(reading: Reading, nodes: Sequence[str], release: str) -> tuple[Premise, ...]:
    explained = (reading.site.kb.explain(node, release) for node in nodes)
    return tuple(fact for fact in explained if fact is not None)


def _cell(reading: Reading, name: str, kind: str, value: Cell) -> ShownCell:
    if value is None:
        return ShownCell(kind, Markup(""))
    if isinstance(value, tuple):
        return ShownCell(kind, Markup(", ").join(_named(reading, one) for one in value))
    if kind == "number":
        return ShownCell(kind, _named(reading, str(value)))
    if name == "card":
        address = reading.links.page("card", name=str(value))
        return ShownCell(kind, Markup('<a href="{}">{}</a>').format(address, value))
    if kind == "text":
        return ShownCell("quote", reading.linked.text(str(value)))
    return ShownCell(kind, escape(value))


def _named(reading: Reading, label: str) -> Markup:
    """Return a rule or glossary entry as a link, if the release has it."""
    if label.startswith("glossary:") or reading.book.get(label):
        address = reading.links.label(reading.release, label)
        return Markup('<a class="cite" href="{}">{}</a>').format(address, label)
    return escape(label)


@guarded
def why_page(request: Request) -> Response:
    """Show what a statement, citation or rule rests on, down to the sentences."""
    node = request.query_params.get("node", "")
    site = site_of(request)
    release = request.query_params.get("release")
    try:
        fact = site.kb.explain(node, release)
    except ValueError:
        raise UsageError(f"{node!r} is no IRI") from None
    if fact is None:
        raise NotFoundError(
            f"there is nothing called {node} in release {site.kb.release_name(release)}"
        )
    if wants_json(request):
        return JSONResponse(fact.as_json())
    return page(request, "why.html", fact=fact, release=site.kb.release_name(release))


@guarded
def query_page(request: Request) -> Response:
    """Show an editor for SPARQL, with the questions of the catalogue as examples."""
    asked: Any = catalogue().get(request.query_params.get("example", ""))
    text = request.query_params.get("query")
    if text is None:
        text = _example(asked or next(iter(catalogue().values())))
    return page(
        request,
        "query.html",
        catalogue=tuple(catalogue().values()),
        example=asked.id if asked else "",
        twin=None,
        text=text,
    )


def _example(asked: Question) -> str:
    """Return a question's query below what it asks, without the rest of its header."""
    lines = (line for line in asked.sparql.splitlines() if not line.startswith("#+"))
    return "\n".join([f"# {asked.summary}", *lines])
