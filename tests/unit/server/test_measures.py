"""What the server counts, as Prometheus reads it (OP2)."""

from __future__ import annotations

from sliceway.core.pages import RecallResult
from sliceway.errors import SliceForbidden
from sliceway.flows.metrics import Metrics
from sliceway.ports import Outcome
from sliceway.server.measures import note_answer, note_refusal
from sliceway.wire.routes import ROUTES

_BY_CALL = {route.call: route for route in ROUTES}


def test_op2_a_histogram_counts_what_took_at_most_so_long() -> None:
    """OP2: the buckets add up, the last holds all, and each metric says once what it is."""
    metrics = Metrics()
    for seconds in (0.005, 0.02, 0.02, 99.0):
        metrics.spread("request", seconds, call="recall")
    metrics.spread("request", 0.001, call="whoami")
    lines = metrics.text({}).splitlines()
    assert lines.count("# TYPE sliceway_request_seconds histogram") == 1
    for line in ('le="0.005"} 1', 'le="0.01"} 1', 'le="0.025"} 3', 'le="10"} 3', 'le="+Inf"} 4'):
        assert f'sliceway_request_seconds_bucket{{call="recall",{line}' in lines
    assert 'sliceway_request_seconds_count{call="recall"} 4' in lines
    assert 'sliceway_request_seconds_sum{call="recall"} 99.045000' in lines


def test_op2_a_gauge_may_have_labels() -> None:
    """OP2: what stands at a number now, each with its labels under one name."""
    text = Metrics().text({'proposals{state="pending"}': 2, 'proposals{state="denied"}': 0, "open_polls": 1})
    assert text.count("# TYPE sliceway_proposals gauge") == 1
    assert 'sliceway_proposals{state="pending"} 2' in text


def test_op2_writes_are_counted_by_the_kind_of_their_slice() -> None:
    """OP2: the kind and what it came to, never the slice; what is no slice is `none`."""
    metrics, write = Metrics(), _BY_CALL["write_pages"]
    note_answer(metrics, write, {"slice": "mine"}, Outcome("written"), 0.1)
    note_answer(metrics, write, {"slice": "user-u1--x"}, Outcome("pending"), 0.1)
    note_answer(metrics, _BY_CALL["recall"], {}, RecallResult((), (), ("vectors",)), 0.1)
    note_refusal(metrics, write, {"slice": "kb-x"}, SliceForbidden())
    note_refusal(metrics, write, {"slice": "a secret word"}, SliceForbidden())
    note_refusal(metrics, _BY_CALL["recall"], {"slice": "kb-x"}, SliceForbidden())
    assert dict(metrics.counts) == {
        'writes{destination="agent",outcome="written"}': 1,
        'writes{destination="user",outcome="pending"}': 1,
        'writes{destination="kb",outcome="slice_forbidden"}': 1,
        'writes{destination="none",outcome="slice_forbidden"}': 1,
        'degraded_reads{what="vectors"}': 1,
    }
