"""Payloads that Slack would hardly send: each is acknowledged, none changes anything, none stops what comes after."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from sliceway.core.proposals import State
from tests.contract.workspace_client import APP
from tests.e2e.slack_gateway import TEAM, Whole

HALF = "\ud800"
EVENTS: tuple[Mapping[str, Any], ...] = (
    {"text": None}, {"text": 5}, {"text": ["a"]}, {"text": "x" * 40_000}, {"blocks": "no"}, {"blocks": [None, {}, 7]},
    {"ts": None}, {"ts": HALF}, {"ts": 17}, {"channel": f"C{HALF}"}, {"channel": "CNOPE"}, {"channel": {"id": "C1"}},
    {"user": None}, {"user": {"id": "UADA"}}, {"user": "USLACKBOT"}, {"user": f"U{HALF}", "channel": "CNOPE"},
    {"subtype": "message_changed", "message": {}}, {"subtype": "message_deleted"}, {"subtype": 5},
    {"subtype": "bot_message"}, {"bot_id": "BX"}, {"bot_profile": {"app_id": "AX"}}, {"hidden": True},
    {"edited": {"user": "UADA", "ts": "1.2"}}, {"type": None}, {"team": 4, "user_team": None}, {"channel_type": 7},
    {"attachments": "x"}, {"attachments": [{"is_share": True, "message_blocks": [{"message": {"blocks": [[[]]]}}]}]},
    {"thread_ts": "not-a-ts"}, {"thread_ts": 3},
)  # fmt: skip
APPROVE = {"type": "button", "action_id": "sliceway:approve", "block_id": "b", "value": "v1.{id}.1"}
MIA, BEN = ({"id": user, "username": user, "team_id": TEAM} for user in ("UMIA", "UBEN"))
VIEW = {"id": "V1", "type": "modal", "callback_id": "sliceway:review", "private_metadata": '{{"value": "v1.{id}.1"}}'}
CLICKS: tuple[Mapping[str, Any], ...] = (
    {"actions": []}, {"actions": None}, {"actions": [{}]}, {"actions": [None]}, {"actions": [{**APPROVE, "value": 1}]},
    {"actions": [{**APPROVE, "value": "v1.NOPE.1"}]}, {"actions": [{**APPROVE, "value": "v1.{id}.0"}]},
    {"actions": [{**APPROVE, "value": "v1.{id}.2"}]}, {"actions": [{**APPROVE, "value": "v1.{id}.1.1"}]},
    {"actions": [{**APPROVE, "action_id": "evil:approve"}]}, {"actions": [{**APPROVE, "action_id": "sliceway:nuke"}]},
    {"actions": [{**APPROVE, "action_id": "sliceway:send"}]}, {"actions": [{**APPROVE, "action_id": "sliceway:keep"}]},
    {"user": None}, {"user": BEN}, {"user": {**MIA, "team_id": "TEVIL"}}, {"user": {**MIA, "id": "UGUS"}},
    {"user": {**MIA, "id": f"U{HALF}"}}, {"type": "nope"}, {"type": None},
    {"type": "view_submission", "view": None}, {"type": "view_submission", "view": {**VIEW, "type": None}},
    {"type": "view_submission", "view": {**VIEW, "private_metadata": "[]", "state": None}},
    {"type": "view_submission", "view": {**VIEW, "blocks": [None, 3], "state": {"values": 7}}, "user": BEN},
    {"type": "view_submission", "view": {**VIEW, "callback_id": "sliceway:deny", "state": {"values": {}}}},
    {"type": "view_submission", "view": {**VIEW, "callback_id": "evil"}}, {"type": "view_closed", "view": {}},
)  # fmt: skip


def filled(part: Any, id: str) -> Any:
    """Return a payload with the proposal's id where it says `{id}`."""
    if isinstance(part, str):
        return part.replace("{id}", id).replace("{{", "{").replace("}}", "}")
    if isinstance(part, Mapping):
        return {name: filled(value, id) for name, value in part.items()}
    return [filled(value, id) for value in part] if isinstance(part, list) else part


async def test_t5_r20_odd_events_are_acknowledged_and_written_nowhere(whole: Whole) -> None:
    """T5, R17, R18, R20, T3: whatever fields an event lacks or twists, it is acknowledged; nothing is saved, nothing is
    left half done, and the next message is handled."""
    for number, odd in enumerate(EVENTS):
        ts = f"900.{number:06d}"
        event = {"type": "message", "user": "UADA", "text": "hi", "ts": ts, "channel": "CDEPLOYS", "team": TEAM, **odd}
        payload = {
            "type": "event_callback", "team_id": TEAM, "api_app_id": "A1", "event_id": f"EvODD{number}",
            "event_time": 1, "authorizations": [{"team_id": TEAM, "is_bot": True}], "event": event,
        }  # fmt: skip
        done = await whole.slack.control("deliver", type="event", payload=payload)
        assert (done["status"], odd) == (200, odd)
    await whole.quiet()
    assert await whole.desk.dead_letters() == ()
    assert not [entry for entry in await whole.operator.slices() if entry.pages]
    await whole.say("UADA", "CDEPLOYS", f"{APP} save build 2301")
    assert [entry.pages for entry in await whole.operator.slices() if entry.slice.startswith("agent-")] == [1]


async def test_t3_ap6_odd_and_forged_presses_change_nothing(whole: Whole) -> None:
    """T3, AP6, AP11, R47: presses and forms that are twisted, forged, for something else, of another revision or by who
    may not are each acknowledged, and the proposal waits as before for the one right press."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share the rotation moved")
    (card,) = await whole.cards("CDEPLOYS", root)
    (asked,) = (await whole.operator.proposals()).items
    base = {
        "type": "block_actions", "user": MIA, "team": {"id": TEAM}, "trigger_id": "1.2.3", "api_app_id": "A1",
        "container": {"type": "message", "message_ts": card["ts"], "channel_id": "CDEPLOYS", "thread_ts": root},
        "channel": {"id": "CDEPLOYS"}, "message": {"ts": card["ts"]}, "actions": [APPROVE],
    }  # fmt: skip
    for number, odd in enumerate(CLICKS):
        payload = filled({**copy.deepcopy(base), **odd}, asked.id)
        for action in payload["actions"] or ():
            if isinstance(action, dict) and action:
                action["action_ts"] = f"{number}.1"
        done = await whole.slack.control("deliver", type="interactive", payload=payload)
        assert (done["status"], odd) == (200, odd)
    await whole.quiet()
    assert await whole.desk.dead_letters() == ()
    (still,) = (await whole.operator.proposals()).items
    assert (still.state, still.revision) == (State.PENDING, 1)
    assert len(await whole.cards("CDEPLOYS", root)) == 1
    await whole.press("UMIA", card, "Approve")
    (decided,) = (await whole.operator.proposals()).items
    assert decided.state is State.APPLIED
