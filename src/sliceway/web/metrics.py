"""What is watched, in Prometheus' text format (OP2). A registry of its own for each gateway, none for the process."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from sliceway.ports.meters import Meters

_QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_SLOW = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0)
GAUGES = {
    "ready": "1 where the gateway is ready, else 0.",
    "inbox_depth": "Deliveries that wait or are being worked on.",
    "owed_depth": "Messages that are owed to people and could be posted now.",
    "dead_letters": "Deliveries that failed too often, as the desk keeps them.",
}
"""What is looked up when it is asked for: names after `sliceway_`, and what each is."""


class PrometheusMeters(Meters):
    """Counters and histograms, and gauges that are set right before they are read."""

    def __init__(self) -> None:
        """Begin at zero."""
        self._registry = CollectorRegistry()
        registry = self._registry
        self._turns = Counter("sliceway_turns", "Turns, by row of the scope table.", ["case"], registry=registry)
        self._writes = Counter(
            "sliceway_writes", "Changes judged, by op, kind of slice and verdict.", ["op", "kind", "verdict"],
            registry=registry,
        )  # fmt: skip
        self._proposals = Counter("sliceway_proposals", "Proposals that reached a state.", ["state"], registry=registry)
        self._cards = Histogram(
            "sliceway_card_seconds", "From the proposal to its card.", buckets=_SLOW, registry=registry
        )
        self._recalls = Histogram(
            "sliceway_recall_seconds", "How long a recall took.", buckets=_QUICK, registry=registry
        )
        self._degraded = Counter(
            "sliceway_degraded_reads", "Recalls answered without a part of the search.", ["part"], registry=registry
        )
        self._events = Counter("sliceway_events", "What else was counted.", ["what"], registry=registry)
        self._counted: dict[str, int] = {}
        self._gauges = {name: Gauge(f"sliceway_{name}", about, registry=registry) for name, about in GAUGES.items()}

    def turn(self, case: str) -> None:
        self._turns.labels(case).inc()

    def write(self, op: str, kind: str, verdict: str) -> None:
        self._writes.labels(op, kind, verdict).inc()

    def proposal(self, state: str) -> None:
        self._proposals.labels(state).inc()

    def card(self, seconds: float) -> None:
        self._cards.observe(max(0.0, seconds))

    def recall(self, seconds: float, degraded: tuple[str, ...]) -> None:
        self._recalls.observe(seconds)
        for part in degraded:
            self._degraded.labels(part).inc()

    def text(self, gauges: Mapping[str, float], counts: Mapping[str, int]) -> bytes:
        """Return everything as Prometheus reads it.

        :param gauges: values of now, by the names of `GAUGES`. :param counts: totals since the start, by a fixed word.
        """
        for name, value in gauges.items():
            self._gauges[name].set(value)
        for what, total in counts.items():
            self._events.labels(what).inc(max(0, total - self._counted.get(what, 0)))
            self._counted[what] = total
        return generate_latest(self._registry)
