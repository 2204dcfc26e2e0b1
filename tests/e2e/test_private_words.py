"""What somebody said in private, looked for everywhere else, while chat fails at every step (SC9, SC14, AP23, OP3)."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from sliceway.core.proposals import State
from sliceway_notes.agent import NotesAgent
from tests.contract.workspace_client import APP
from tests.e2e.slack_gateway import Whole

KEPT, DRAFTED, SENT = "xylophone", "quokka", "narwhal"
"""Words said in private: one kept, one drafted and kept private, one sent and denied."""
FAULTS = [
    {"match": {"method": method, "nth": nth}, "do": deed, **more}
    for method in ("chat.postMessage", "chat.update", "chat.postEphemeral")
    for nth, deed, more in (
        (2, "error", {"error": "internal_error"}),
        (4, "drop_reply", {}),
        (6, "rate_limit", {"seconds": 0}),
        (9, "error", {"error": "not_allowed_token_type"}),
    )
]


@pytest.fixture
async def whole(whole: Whole) -> Whole:
    """A whole gateway whose agent takes notes."""
    whole.agent.script = NotesAgent().respond
    return whole


async def session(whole: Whole, user: str, text: str) -> str:
    """Open a private session that begins with a text, from a channel, and return its root."""
    await whole.slack.control("command", user=user, channel="COPS", command="/1on1", text=text)
    await whole.quiet()
    return str((await whole.slack.messages(f"D{user[1:]}", **{"as": user}))[-1]["ts"])


async def draft(whole: Whole, root: str, text: str) -> dict[str, Any]:
    """Ask to share something from Ada's session, and return the draft's card."""
    await whole.say("UADA", "DADA", f"share with the team: {text}", thread_ts=root)
    return (await whole.cards("DADA", root, **{"as": "UADA"}))[-1]


async def heard(whole: Whole) -> str:
    """Return everything that the app said to anybody but Ada, in whatever call."""
    calls = (await whole.slack.look("calls"))["calls"]
    return str([call["args"] for call in calls if call["args"].get("channel") != "DADA"])


async def known(whole: Whole) -> str:
    """Return everything that the operator is told."""
    brain = whole.operator
    dead = await whole.desk.dead_letters()
    changes = await brain.changes()
    return str((await brain.proposals(), await brain.audit(limit=200), await brain.slices(), changes, dead))


async def test_oo1_sc14_ap23_private_words_reach_nobody_else(whole: Whole, caplog: pytest.LogCaptureFixture) -> None:
    """OO1, SC9, SC14, AP23, AP26, OP3: not a channel, a manager, the operator, the audit, the feed, a dead letter or
    the log has a word of a private session, its notes and drafts; what is sent from it, and denied, has that alone."""
    caplog.set_level(logging.INFO)
    await whole.slack.control("faults", plan=FAULTS)
    root = await session(whole, "UADA", f"remember that my {KEPT} is broken")
    card = await draft(whole, root, f"the {DRAFTED} is ill")
    asked = f"{KEPT} {DRAFTED}"
    for user, channel in (("UBEN", "CDEPLOYS"), ("UMIA", "COPS"), ("UADA", "CDEPLOYS"), ("UBEN", "DBEN")):
        mention = "" if channel.startswith("D") else f"{APP} "
        for words in (
            f"recall {asked}",
            f"who said {asked}?",
            f"forget {asked}",
            "what is pending?",
            "undo",
            "list notes",
        ):
            await whole.say(user, channel, mention + words)
        told = await heard(whole)
        assert "is broken" not in told
        assert "is ill" not in told
    theirs = await session(whole, "UMIA", f"recall {asked}")
    assert "is broken" not in str(await whole.thread("DMIA", theirs, **{"as": "UMIA"}))
    for button in ("Approve", "Deny", "Send to approvers", "Keep private"):
        forged = {"action_id": f"sliceway:{button.split()[0].lower()}", "type": "button", "action_ts": button}
        value = next(row for row in card["blocks"] if row["type"] == "actions")["elements"][0]["value"]
        press = {
            "type": "block_actions", "user": {"id": "UMIA", "team_id": "THARBOR"}, "team": {"id": "THARBOR"},
            "container": {"type": "message", "message_ts": "1.1", "channel_id": "COPS"}, "trigger_id": "1.2.3",
            "actions": [{**forged, "value": value}],
        }  # fmt: skip
        await whole.slack.control("deliver", type="interactive", payload=press)
    await whole.press("UADA", card, "Keep private")
    assert card["ts"] not in await known(whole)
    sent = await draft(whole, root, f"the {SENT} is well")
    await whole.press("UADA", sent, "Send to approvers")
    (proposal,) = (await whole.operator.proposals()).items
    await whole.operator.decide(id=proposal.id, decision="deny", revision=proposal.revision, reason="not now")
    await whole.quiet()
    assert (await whole.operator.proposal(id=proposal.id)).state is State.DENIED
    told = await heard(whole)
    assert "is broken" not in told
    assert "is ill" not in told
    assert f"the {SENT} is well" in told
    operator = await known(whole)
    assert SENT in operator
    for words in (KEPT, DRAFTED):
        assert words not in operator
    assert "is not posted yet" in caplog.text
    for words in (KEPT, DRAFTED, SENT):
        assert words not in caplog.text


async def test_op3_the_way_in_leaves_the_level_of_our_log_alone(whole: Whole) -> None:
    """OP3: with the gateway up, its warnings are logged: what Bolt does to the logger of its own name is done to no
    other."""
    assert whole.gateway is not None
    for name in ("sliceway", "sliceway.flows.posting", "sliceway.slack", "sliceway.brain.keeper"):
        assert logging.getLogger(name).level == logging.NOTSET
        assert logging.getLogger(name).isEnabledFor(logging.WARNING)
