"""What `/metrics` says (OP2)."""

from __future__ import annotations

import re
from pathlib import Path

from sliceway.web.metrics import GAUGES, PrometheusMeters

OPERATE = Path(__file__).parents[3] / "docs" / "operate.md"


def all_of_it() -> str:
    """Report one of everything, and return the text."""
    meters = PrometheusMeters()
    meters.turn("SC5")
    meters.write("write", "shared", "ask")
    meters.proposal("pending")
    meters.card(1.5)
    meters.recall(0.01, ("vectors",))
    meters.text({"inbox_depth": 3}, {"cards": 2})
    return meters.text(dict.fromkeys(GAUGES, 1.0), {"cards": 5}).decode()


def test_op2_everything_is_told_in_prometheus_own_words() -> None:
    """OP2: turns, writes by kind and verdict, proposals by state, card and recall latency, degraded reads and what
    waits are told; a total grows by what it grew."""
    text = all_of_it()
    for line in (
        'sliceway_turns_total{case="SC5"} 1.0',
        'sliceway_writes_total{kind="shared",op="write",verdict="ask"} 1.0',
        'sliceway_proposals_total{state="pending"} 1.0',
        "sliceway_card_seconds_count 1.0",
        "sliceway_recall_seconds_count 1.0",
        'sliceway_degraded_reads_total{part="vectors"} 1.0',
        "sliceway_inbox_depth 1.0",
        'sliceway_events_total{what="cards"} 5.0',
    ):
        assert line in text.splitlines()


def test_op2_two_gateways_in_one_process_count_apart() -> None:
    """OP2: nothing is kept for the whole process, so a second gateway begins at zero."""
    one, other = PrometheusMeters(), PrometheusMeters()
    one.turn("SC5")
    assert "SC5" not in other.text({}, {}).decode()


def test_every_metric_is_in_the_document() -> None:
    """Each metric has a row in docs/operate.md."""
    page = OPERATE.read_text()
    for name in re.findall(r"^# TYPE (sliceway_\w+) ", all_of_it(), re.MULTILINE):
        assert name.endswith("_created") or f"`{name}`" in page, name
