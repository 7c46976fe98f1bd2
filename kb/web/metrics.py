"""Counts and durations in Prometheus's text format.

https://prometheus.io/docs/instrumenting/exposition_formats/ Labels have few values: a route's
name, never an address that a client made up.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

HELP = {
    "mtgkb_requests_total": ("counter", "Requests answered, by route, method and status."),
    "mtgkb_request_seconds": ("histogram", "How long requests took, by route."),
    "mtgkb_answer_bytes_total": ("counter", "Bytes of answers, by route."),
    "mtgkb_queries_total": ("counter", "SPARQL queries by how they ended."),
    "mtgkb_cut_answers_total": ("counter", "Answers cut at a limit."),
    "mtgkb_worker_start_failures_total": ("counter", "Workers that did not start."),
    "mtgkb_generations_total": ("counter", "Knowledge bases picked up since the start."),
    "mtgkb_cached_answers_total": ("counter", "Answers given again without any work, by how."),
    "mtgkb_workers": ("gauge", "Worker processes, by pool and state."),
    "mtgkb_waiting": ("gauge", "Requests that wait for a worker, by pool."),
    "mtgkb_open": ("gauge", "Whether a knowledge base is open; its label names it."),
}

Labels = tuple[tuple[str, str], ...]


class Metrics:
    """The counts of one server."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self._counts: dict[tuple[str, Labels], float] = {}
        self._histograms: dict[tuple[str, Labels], list[float]] = {}

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add to a count."""
        key = (name, tuple(sorted(labels.items())))
        self._counts[key] = self._counts.get(key, 0) + amount

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        """Add a duration to a histogram."""
        key = (name, tuple(sorted(labels.items())))
        row = self._histograms.setdefault(key, [0.0] * (len(BUCKETS) + 2))
        row[bisect_left(BUCKETS, seconds)] += 1
        row[-1] += seconds

    def value(self, name: str, **labels: str) -> float:
        """Return a count."""
        return self._counts.get((name, tuple(sorted(labels.items()))), 0)

    def text(self, gauges: Mapping[tuple[str, Labels], float]) -> str:
        """Return everything as Prometheus reads it, with what is measured at this moment."""
        lines: list[str] = []
        written: set[str] = set()
        for (name, labels), number in sorted({**self._counts, **gauges}.items()):
            _head(name, written, lines)
            lines.append(f"{name}{_labelled(labels)} {number:g}")
        for (name, labels), row in sorted(self._histograms.items()):
            _head(name, written, lines)
            total = 0.0
            for bound, number in zip((*BUCKETS, "+Inf"), row, strict=False):
                total += number
                lines.append(f"{name}_bucket{_labelled((*labels, ('le', str(bound))))} {total:g}")
            lines.append(f"{name}_sum{_labelled(labels)} {row[-1]:.6f}")
            lines.append(f"{name}_count{_labelled(labels)} {total:g}")
        return "\n".join(lines) + "\n"


def _head(name: str, written: set[str], lines: list[str]) -> None:
    if name not in written:
        written.add(name)
        kind, told = HELP[name]
        lines += [f"# HELP {name} {told}", f"# TYPE {name} {kind}"]


def _labelled(labels: Labels) -> str:
    if not labels:
        return ""
    pairs = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{pairs}}}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
