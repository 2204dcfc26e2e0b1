"""What is counted and timed, for whoever watches the gateway. Labels are words of a fixed set, never ids or texts."""

from __future__ import annotations

from abc import ABC, abstractmethod

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The content type of Prometheus' text format."""


class Meters(ABC):
    """Where the flows report. A report never fails and never waits."""

    @abstractmethod
    def turn(self, case: str) -> None:
        """A turn was handled; `case` is the row of the scope table that it fell under, `SC1` to `SC6`."""

    @abstractmethod
    def write(self, op: str, kind: str, verdict: str) -> None:
        """A change was judged: the op, the kind of the destination's slice, and the final verdict."""

    @abstractmethod
    def proposal(self, state: str) -> None:
        """A proposal reached a state."""

    @abstractmethod
    def card(self, seconds: float) -> None:
        """A card was posted, so long after it was asked for."""

    @abstractmethod
    def recall(self, seconds: float, degraded: tuple[str, ...]) -> None:
        """A recall was answered after so long, without the parts named in `degraded`."""


class NoMeters(Meters):
    """Watches nothing."""

    def turn(self, case: str) -> None:
        """Do nothing."""

    def write(self, op: str, kind: str, verdict: str) -> None:
        """Do nothing."""

    def proposal(self, state: str) -> None:
        """Do nothing."""

    def card(self, seconds: float) -> None:
        """Do nothing."""

    def recall(self, seconds: float, degraded: tuple[str, ...]) -> None:
        """Do nothing."""
