"""The catalogue of questions: `.rq` files with a header, checked parameters, typed rows."""

from kb.queries.catalogue import Parameter, Question, catalogue, question
from kb.queries.guard import refuse_unsafe
from kb.queries.run import Answer, fill_in, run

__all__ = [
    "Answer",
    "Parameter",
    "Question",
    "catalogue",
    "fill_in",
    "question",
    "refuse_unsafe",
    "run",
]
