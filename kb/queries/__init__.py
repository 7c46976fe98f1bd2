"""The catalogue of questions: `.rq` files with a header, checked parameters, typed rows."""

from kb.queries.catalogue import Parameter, Question, catalogue, question
from kb.queries.guard import has_dataset_clause, refuse_unsafe
from kb.queries.run import Answer, fill_in, run

__all__ = [
    "Answer",
    "Parameter",
    "Question",
    "catalogue",
    "fill_in",
    "has_dataset_clause",
    "question",
    "refuse_unsafe",
    "run",
]
