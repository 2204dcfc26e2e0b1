"""The way in from Slack, over HTTP and by socket, with a real Bolt app against the workspace."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from sliceway.core.turns import PlaceKind
from tests.contract.workspace_client import APP
from tests.e2e.slack_side import Side, slack_side
from tests.e2e.slack_ways import Transport
from tests.fakes.waiting import until
from tests.unit.slack.given import payload


async def test_r1_r4_a_mention_said_once_is_kept_once(side: Side) -> None:
    """R1, R4: a mention arrives as two events, and duplicated as four; one turn is kept."""
    await side.slack.control("faults", plan=[{"match": {"event": "app_mention"}, "do": "duplicate"}])
    ts = await side.slack.say("UADA", "CDEPLOYS", f"{APP} remember that build 2301 is the rollback target")
    await side.kept.until(lambda: len(side.kept.offered) == 3)
    (turn,) = side.kept.turns.values()
    assert turn.text == "remember that build 2301 is the rollback target"
    assert (turn.place.channel, turn.place.thread, turn.place.kind) == ("CDEPLOYS", ts, PlaceKind.CHANNEL)
    assert side.kept.queues[turn.key] == f"THARBOR/CDEPLOYS/{ts}"


async def test_r5_both_orders_of_message_and_mention_end_in_one_turn(side: Side) -> None:
    """R5: whichever of the two comes first, exactly one turn is kept, and it is the addressed one."""
    for order in ("as sent", "reordered"):
        if order == "reordered":
            await side.slack.control("faults", plan=[{"match": {"event": "message"}, "do": "reorder"}])
        before = len(side.kept.turns)
        await side.slack.say("UBEN", "COPS", f"{APP} undo")
        await side.slack.workspace.settled()
        assert len(side.kept.turns) == before + 1


async def test_t4_t14_what_cannot_be_kept_is_not_acknowledged_and_comes_again(
    side: Side, caplog: pytest.LogCaptureFixture
) -> None:
    """T4, T14: when the desk fails the event is not acknowledged, and the same one that then comes again is kept."""
    side.kept.failing = 1
    with caplog.at_level(logging.CRITICAL, logger="sliceway.slack"):
        await side.slack.say("UADA", "DADA", "remember this")

        async def tried() -> bool:
            return not side.kept.failing

        await until(tried)
        await side.slack.control("clock", advance="3s")  # by socket, nothing says at once that it failed
        await side.kept.until(lambda: bool(side.kept.turns))

    async def answered() -> bool:  # a delivery that comes again is waited for by nobody
        return all(one["response"] is not None for one in (await side.slack.look("deliveries"))["deliveries"][1:])

    await until(answered)
    first, again = (await side.slack.look("deliveries"))["deliveries"]
    assert first["payload"]["event_id"] == again["payload"]["event_id"]
    assert first["response"]["status"] in {None, 500}
    assert again["response"]["status"] == 200


async def test_t10_r2_a_repetition_is_told_by_its_key(side: Side) -> None:
    """T10, R2: a first delivery that is numbered 0 is kept; the second repetition of what is kept is acknowledged and
    changes nothing."""
    body = payload("message_in_dm")
    for number in (0, 2):
        answer = await side.slack.control("deliver", type="event", payload=body, retry_num=number)
        assert answer["acked"] is True
    assert len(side.kept.offered) == 2
    assert len(side.kept.turns) == 1


async def test_t1_r30_a_command_may_say_payload(side: Side) -> None:
    """T1, R30: `/1on1 what is the payload limit` arrives whole, and its answer is shown."""
    answer = await side.slack.control(
        "command", user="UADA", channel="COPS", command="/1on1", text="what is the payload limit"
    )
    assert answer["acked"] is True
    (command,) = side.kept.commands
    assert (command.name, command.text, command.by.user) == ("1on1", "what is the payload limit", "UADA")
    assert command.by.key == ("THARBOR", "UADA")
    (message,) = await side.slack.messages("COPS", **{"as": "UADA"})
    assert (message["text"], message["is_ephemeral"]) == ("heard: what is the payload limit", True)


async def test_t3_everything_is_acknowledged(side: Side) -> None:
    """T3: an event, a press, a view and a shortcut that nobody expects are acknowledged; an odd press is handed on."""
    unknown = payload("app_mention")
    for event in ({"type": "emoji_changed", "subtype": "add"}, {}):
        unknown["event"] = event
        assert (await side.slack.control("deliver", type="event", payload=unknown))["acked"] is True
    press = payload("block_actions", actions=[{"type": "button", "action_id": "other", "value": "v1.01J.1"}])
    closed = payload("view_submission", type="view_closed")
    shortcut = {"type": "shortcut", "callback_id": "x", "user": {"id": "U1"}, "team": {"id": "T1"}, "trigger_id": "1"}
    for interactive in (press, closed, shortcut, {"type": "something_new", "team": {"id": "T1"}}):
        assert (await side.slack.control("deliver", type="interactive", payload=interactive))["acked"] is True
    (click,) = side.kept.clicks
    assert (click.action, click.proposal, click.revision) == ("unknown", "", 0)


async def test_t5_withheld_events_and_empty_texts_are_acknowledged(side: Side) -> None:
    """T5: `app_rate_limited` has no event in it and a text may be null; both are acknowledged."""
    for name in ("app_rate_limited", "text_null"):
        assert (await side.slack.control("deliver", type="event", payload=payload(name)))["acked"] is True
    assert side.kept.held_back == ["T0TEAM"]
    assert side.kept.turns == {}


async def test_t9_names_in_the_environment_change_nothing(
    monkeypatch: pytest.MonkeyPatch, transport: Transport
) -> None:
    """T9: with OAuth's names and another token in the environment the given token serves, and a mention is kept."""
    for name in ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"):
        monkeypatch.setenv(name, "from-the-environment")
    async with slack_side(transport) as side:
        await side.slack.say("UADA", "CDEPLOYS", f"{APP} hello")
        await side.kept.until(lambda: bool(side.kept.turns))


async def test_t15_no_proxy_stands_before_this_machine(monkeypatch: pytest.MonkeyPatch, transport: Transport) -> None:
    """T15: with a proxy in the environment a workspace on this machine is reached all the same."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with slack_side(transport) as side:
        await side.slack.say("UADA", "COPS", f"{APP} hello")
        await side.kept.until(lambda: bool(side.kept.turns))


async def test_t17_a_foreign_click_is_of_the_clickers_team_at_our_card(side: Side) -> None:
    """T17: a click from another team is taken and handed on: by its own team, in the agent's place."""
    press = {"type": "interactive", "payload": payload("block_actions_foreign")}
    assert (await side.slack.control("deliver", **press))["acked"] is True
    (click,) = side.kept.clicks
    assert click.by.key == ("T0EXT", "U0EXT")
    assert (click.place.team, click.place.channel, click.message) == ("THARBOR", "C0DEPLOY", "1767225800.000100")


async def test_a_form_that_cannot_be_taken_stays_open_and_says_why(side: Side) -> None:
    """What is wrong with a field is shown at it; a refusal of the whole takes the form's place."""
    filled = {"type": "interactive", "payload": payload("view_submission")}
    answer = await side.slack.control("deliver", **filled)
    assert (answer["acked"], answer["body"]) == (True, "")
    assert side.kept.clicks[0].values == {"reason": "needs_edits", "note": "say which week"}
    side.kept.wrong = {"note": "Say a little more."}
    said: dict[str, Any] = json.loads((await side.slack.control("deliver", **filled))["body"])
    assert said == {"response_action": "errors", "errors": {"field:note": "Say a little more."}}
    side.kept.wrong = {"": "Only UMIA can decide."}
    said = json.loads((await side.slack.control("deliver", **filled))["body"])
    assert said["response_action"] == "update"
    assert "Only UMIA can decide." in json.dumps(said["view"])


async def test_sc7_a_speaker_in_a_channel_is_observed_once(side: Side) -> None:
    """SC7: that somebody speaks in a channel is told once, addressed or not, so that a guest is noticed."""
    for text in ("lunch?", "lunch!"):
        await side.slack.say("UADA", "COPS", text)
    await side.slack.say("UBEN", "COPS", "yes")
    await side.slack.workspace.settled()
    assert [(one.what, one.person and one.person.user) for one in side.kept.observed] == [
        ("spoke", "UADA"),
        ("spoke", "UBEN"),
    ]
    assert side.kept.turns == {}


async def test_becoming_external_and_leaving_are_observed(side: Side) -> None:
    """SC7, AP17: a channel that is shared and a person who is deactivated are told as the workspace sends it."""
    await side.slack.control("channel", channel="CDEPLOYS", kind="external")
    await side.slack.control("person", user="UADA", deleted=True)
    await side.kept.until(lambda: {"external", "person"} <= {one.what for one in side.kept.observed})


async def test_r16_an_edit_and_a_deletion_are_no_turns(side: Side) -> None:
    """R16: editing and deleting a message that was handled leads to no second turn."""
    ts = await side.slack.say("UADA", "COPS", f"{APP} undo")
    await side.slack.control("edit", user="UADA", channel="COPS", ts=ts, text=f"{APP} undo it")
    await side.slack.control("delete", user="UADA", channel="COPS", ts=ts)
    await side.slack.workspace.settled()
    assert len(side.kept.turns) == 1
