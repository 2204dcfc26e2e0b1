"""What a gateway counts and times since its start, as Prometheus reads it (OP2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


class Metrics:
    """Counts and times, by name and labels. It holds names, states and kinds, never an id or a word of anyone's."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.counts: Counter[str] = Counter()
        self._times: dict[str, tuple[int, float]] = {}

    def count(self, name: str, **labels: str) -> None:
        """Count one more; labels are of a few values each."""
        self.counts[_labelled(name, labels)] += 1

    def took(self, name: str, seconds: float) -> None:
        """Note how long something took."""
        times, total = self._times.get(name, (0, 0.0))
        self._times[name] = (times + 1, total + max(0.0, seconds))

    def text(self, gauges: Mapping[str, int]) -> str:
        """Return all of it, with what stands at a number now, one metric a line."""
        lines: list[str] = []
        for key, value in sorted(self.counts.items()):
            name, brace, labels = key.partition("{")
            lines += [f"# TYPE sliceway_{name}_total counter", f"sliceway_{name}_total{brace}{labels} {value}"]
        for name, (times, total) in sorted(self._times.items()):
            stem = f"sliceway_{name}_seconds"
            lines += [f"# TYPE {stem} summary", f"{stem}_count {times}", f"{stem}_sum {total:.6f}"]
        for name, value in sorted(gauges.items()):
            lines += [f"# TYPE sliceway_{name} gauge", f"sliceway_{name} {value}"]
        return "\n".join(dict.fromkeys(lines)) + "\n"


def _labelled(name: str, labels: Mapping[str, str]) -> str:
    """Return a name with its labels, always in the same order."""
    inner = ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))
    return f"{name}{{{inner}}}" if inner else name
