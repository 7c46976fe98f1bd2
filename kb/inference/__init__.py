"""Inference: CONSTRUCT rules of ``queries/infer``, run to a fixpoint over one release."""

from kb.inference.fixpoint import Inferred, infer
from kb.inference.past import explain_past
from kb.inference.rules import InferenceRule, inference_rules, read_inference_rule, strata
from kb.inference.why import Premise, Reason, explain, reasons

__all__ = [
    "InferenceRule",
    "Inferred",
    "Premise",
    "Reason",
    "explain",
    "explain_past",
    "infer",
    "inference_rules",
    "read_inference_rule",
    "reasons",
    "strata",
]
