"""The fault plan: what is accepted, and when it strikes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sliceway.errors import InvalidRequest
from sliceway.workspace.faults import Fault, FaultPlan, faults_from, faults_in


def plan(*faults: dict[str, Any]) -> FaultPlan:
    """Return a plan of these faults."""
    return FaultPlan(faults_from({"plan": list(faults)}))


def deeds(faults: list[Fault]) -> list[str]:
    """Return what goes wrong."""
    return [fault.do for fault in faults]


def test_a_fault_strikes_its_method_only() -> None:
    """A fault for one method leaves the others, and all deliveries, alone."""
    faults = plan({"match": {"method": "chat.postMessage"}, "do": "drop_reply"})
    assert deeds(faults.for_call("chat.postMessage")) == ["drop_reply"]
    assert deeds(faults.for_call("chat.update")) == []
    assert deeds(faults.for_delivery(("event", "message"))) == []


def test_nth_counts_the_matches() -> None:
    """With `nth` only that match is struck, counted from when the plan was set."""
    faults = plan({"match": {"event": "app_mention", "nth": 2}, "do": "duplicate"})
    labels = ("event", "event_callback", "app_mention")
    struck = [deeds(faults.for_delivery(labels)) for _ in range(3)]
    assert struck == [[], ["duplicate"], []]
    faults.replace([*faults.faults, *plan({"match": {"event": "app_mention", "nth": 2}, "do": "duplicate"}).faults])
    assert [deeds(faults.for_delivery(labels)) for _ in range(2)] == [[], ["duplicate"]]


def test_a_fault_for_one_match_is_over_after_it() -> None:
    """What was for the next match alone is in force no more once it struck, and who watches is told at that moment."""
    faults = plan({"match": {"method": "auth.test", "nth": 1}, "do": "drop_reply"}, {"do": "delay", "seconds": 1})
    told: list[tuple[str, ...]] = []
    faults.watch(lambda: told.append(tuple(fault.do for fault in faults.faults)))
    faults.for_call("chat.postMessage")
    assert told == []
    faults.for_call("auth.test")
    faults.for_call("auth.test")
    assert told == [("delay",)]


def test_several_faults_strike_together() -> None:
    """All faults that match apply, in the order of the plan."""
    faults = plan({"do": "delay", "seconds": 1}, {"match": {"event": "message"}, "do": "reorder"})
    assert deeds(faults.for_delivery(("event", "message"))) == ["delay", "reorder"]
    assert deeds(faults.for_call("auth.test")) == ["delay"]


def test_a_deed_without_a_match_happens_where_it_can() -> None:
    """`duplicate` happens to deliveries and `error` to calls, also when nothing says so."""
    faults = plan({"do": "duplicate"}, {"do": "error", "error": "fatal_error"})
    assert deeds(faults.for_call("auth.test")) == ["error"]
    assert deeds(faults.for_delivery(("command", "/1on1"))) == ["duplicate"]


def test_a_dropped_reply_is_one_to_the_app_unless_an_event_is_named() -> None:
    """Without a match `drop_reply` loses the answers to the app's calls, not the app's acknowledgements."""
    faults = plan({"do": "drop_reply"}, {"do": "drop_reply", "match": {"event": "message"}})
    assert deeds(faults.for_call("auth.test")) == ["drop_reply"]
    assert [fault.match.event for fault in faults.for_delivery(("event", "message"))] == ["message"]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"do": "explode"}, "drop_reply"),
        ({"do": "error"}, "which error"),
        ({"do": "delay"}, "how many seconds"),
        ({"do": "disconnect", "match": {"method": "chat.update"}}, "match an event"),
        ({"do": "disconnect", "reason": "boredom"}, "refresh_requested"),
        ({"do": "duplicate", "match": {"method": "chat.update"}}, "match an event"),
        ({"do": "rate_limit", "match": {"event": "message"}}, "match a method"),
        ({"do": "delay", "seconds": 1, "match": {"event": "message", "method": "chat.update"}}, "not both"),
        ({"do": "drop_reply", "match": {"nth": 0}}, "at least 1"),
        ({"do": "drop_reply", "match": {"methode": "chat.update"}}, "there is no such field"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(fault: dict[str, Any], words: str) -> None:
    """Every mistake in a plan is named, and nothing of the plan is taken."""
    with pytest.raises(InvalidRequest, match=words):
        faults_from({"plan": [{"do": "drop_reply"}, fault]})


def test_a_plan_is_read_from_a_file(tmp_path: Path) -> None:
    """A file holds the same object as the control API takes, or the list alone."""
    file = tmp_path / "plan.json"
    fault = {"match": {"method": "chat.update"}, "do": "rate_limit", "retry_after": 3}
    for content in ({"plan": [fault]}, [fault]):
        file.write_text(json.dumps(content), encoding="utf-8")
        assert [f.retry_after for f in faults_in(file)] == [3]


@pytest.mark.parametrize("content", ["", "nonsense", "7", '{"plan": 7}'])
def test_a_file_that_is_no_plan_is_refused(tmp_path: Path, content: str) -> None:
    """A file that cannot be read as a plan is a refusal, a missing one too."""
    file = tmp_path / "plan.json"
    with pytest.raises(InvalidRequest, match=r"plan\.json"):
        faults_in(file)
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidRequest):
        faults_in(file)
