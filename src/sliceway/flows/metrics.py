"""What a server counts and times since its start, as Prometheus reads it (OP2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

EDGES = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The edges of a histogram, in seconds."""


class Metrics:
    """Counts and times, by name and labels. It holds names, states and kinds, never an id or a word of anyone's."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.counts: Counter[str] = Counter()
        self._times: dict[str, tuple[int, float]] = {}
        self._spread: dict[tuple[str, str], Counter[float]] = {}
        self._sums: defaultdict[tuple[str, str], float] = defaultdict(float)

    def count(self, name: str, **labels: str) -> None:
        """Count one more; labels are of a few values each."""
        self.counts[_labelled(name, labels)] += 1

    def took(self, name: str, seconds: float) -> None:
        """Note how long something took."""
        times, total = self._times.get(name, (0, 0.0))
        self._times[name] = (times + 1, total + max(0.0, seconds))

    def spread(self, name: str, seconds: float, **labels: str) -> None:
        """Note how long something took, among the others of its name and labels: a histogram."""
        key = (name, _inner(labels))
        seen = self._spread.setdefault(key, Counter())
        seen[next((edge for edge in EDGES if seconds <= edge), float("inf"))] += 1
        self._sums[key] += max(0.0, seconds)

    def text(self, gauges: Mapping[str, int]) -> str:
        """Return all of it, with what stands at a number now, one metric a line.

        :param gauges: by name, with labels in braces where there are some.
        """
        lines: list[str] = []
        for key, value in sorted(self.counts.items()):
            name, brace, labels = key.partition("{")
            lines += [f"# TYPE sliceway_{name}_total counter", f"sliceway_{name}_total{brace}{labels} {value}"]
        for name, (times, total) in sorted(self._times.items()):
            stem = f"sliceway_{name}_seconds"
            lines += [f"# TYPE {stem} summary", f"{stem}_count {times}", f"{stem}_sum {total:.6f}"]
        for (name, inner), seen in sorted(self._spread.items()):
            lines += _histogram(f"sliceway_{name}_seconds", inner, seen, self._sums[name, inner])
        for name, value in sorted(gauges.items()):
            lines += [f"# TYPE sliceway_{name.partition('{')[0]} gauge", f"sliceway_{name} {value}"]
        return "\n".join(dict.fromkeys(lines)) + "\n"


def _labelled(name: str, labels: Mapping[str, str]) -> str:
    """Return a name with its labels, always in the same order."""
    return f"{name}{{{inner}}}" if (inner := _inner(labels)) else name


def _inner(labels: Mapping[str, str]) -> str:
    return ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))


def _histogram(stem: str, inner: str, seen: Mapping[float, int], total: float) -> list[str]:
    """Return the lines of one histogram: how many took at most so long, all of them, and their time together."""
    lines, count = [f"# TYPE {stem} histogram"], 0
    comma = f"{inner}," if inner else ""
    for edge in EDGES:
        count += seen.get(edge, 0)
        lines.append(f'{stem}_bucket{{{comma}le="{edge:g}"}} {count}')
    count = sum(seen.values())
    labels = f"{{{inner}}}" if inner else ""
    return [
        *lines, f'{stem}_bucket{{{comma}le="+Inf"}} {count}', f"{stem}_count{labels} {count}",
        f"{stem}_sum{labels} {total:.6f}",
    ]  # fmt: skip
