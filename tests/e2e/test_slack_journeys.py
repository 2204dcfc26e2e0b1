"""What people live through in Slack: the whole gateway on the real wire, in one process."""

from __future__ import annotations

import asyncio

from sliceway.core.proposals import State
from tests.contract.workspace_client import APP, Json
from tests.e2e.slack_gateway import Whole, is_card
from tests.e2e.slack_ways import Transport
from tests.unit.slack.rich_text_check import words


async def only_state(whole: Whole) -> State:
    """Return the state of the only proposal there is."""
    (proposal,) = (await whole.operator.proposals()).items
    return proposal.state


async def presses(whole: Whole) -> list[Json]:
    """Return how presses were delivered."""
    return [one for one in await whole.deliveries() if one["payload"].get("type") == "block_actions"]


async def test_a_note_in_a_channel_is_saved_without_a_card(whole: Whole) -> None:
    """Memoize: the answer stands in the thread, there is no card, and the note is found from another channel."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} save build 2301 is the rollback target")
    (answer,) = await whole.thread("CDEPLOYS", root)
    assert answer["text"].startswith("written:")
    asked = await whole.say("UBEN", "COPS", f"{APP} find rollback target")
    (found,) = await whole.thread("COPS", asked)
    assert found["text"].startswith("found:")


async def test_r45_r47_sharing_is_decided_once_by_who_may(whole: Whole) -> None:
    """R47, R45, AP5, AP6: a member is refused alone, two managers' clicks apply once, a record stays."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share the on-call rotation moved to Mondays")
    (card,) = await whole.cards("CDEPLOYS", root)
    assert "the on-call rotation moved to Mondays" in words(card["blocks"])
    await whole.press("UBEN", card, "Approve")
    assert await only_state(whole) is State.PENDING
    refused = [m for m in await whole.thread("CDEPLOYS", root, **{"as": "UBEN"}) if m.get("is_ephemeral")]
    assert len(refused) == 1
    await asyncio.gather(whole.click("UMIA", card, "Approve"), whole.click("UMAX", card, "Approve"))
    await whole.quiet()
    assert await only_state(whole) is State.APPLIED
    (record,) = await whole.cards("CDEPLOYS", root)
    assert "Approved" in words(record["blocks"])
    assert "actions" not in [block["type"] for block in record["blocks"]]
    told = [
        message
        for who in ("UMIA", "UMAX")
        for message in await whole.thread("CDEPLOYS", root, **{"as": who})
        if message.get("is_ephemeral")
    ]
    assert len(told) == 1
    notices = [m for m in await whole.thread("CDEPLOYS", root) if "approved it" in m["text"]]
    assert len(notices) == 1
    (page,) = (await whole.operator.list_pages(slice="shared")).items
    assert page.slug == "team/oncall"


async def test_r46_a_restart_between_card_and_click_changes_nothing(whole: Whole) -> None:
    """R46, AP10: a card of the process before is decided by the next one."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share the office is closed on Friday")
    (card,) = await whole.cards("CDEPLOYS", root)
    await whole.restart()
    await whole.press("UMIA", card, "Approve")
    assert await only_state(whole) is State.APPLIED
    assert len(await whole.cards("CDEPLOYS", root)) == 1


async def test_ap3_a_lost_answer_to_the_cards_post_leaves_one_card(whole: Whole) -> None:
    """AP3, T11, R6: posts are done and their answers lost; the card is found, not posted again, and can be decided."""
    plan = [{"match": {"method": "chat.postMessage", "nth": nth}, "do": "drop_reply"} for nth in (1, 2)]
    await whole.slack.control("faults", plan=plan)
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share lunch is at noon")
    (card,) = await whole.cards("CDEPLOYS", root)
    await whole.press("UMIA", card, "Approve")
    assert await only_state(whole) is State.APPLIED
    assert len(await whole.cards("CDEPLOYS", root)) == 1
    assert len([m for m in await whole.thread("CDEPLOYS", root) if m["text"].startswith("pending:")]) == 1


def unheard(*labels: str) -> list[Json]:
    """Return a plan by which the first acknowledgement of each is lost, by either way, and it comes again."""
    first = [{"match": {"event": label, "nth": 1}} for label in labels]
    lost = [{**each, "do": deed} for each in first for deed in ("drop_reply", "disconnect")]
    return [*lost, {"do": "redeliver"}]


async def test_t13_a_press_that_comes_again_decides_once(whole: Whole, transport: Transport) -> None:
    """T13, AP9: a press whose acknowledgement is lost, with its socket if it came by one, comes again: as another
    delivery, with one outcome, told once."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share lunch is at noon")
    (card,) = await whole.cards("CDEPLOYS", root)
    await whole.slack.control("faults", plan=unheard("block_actions"))
    await whole.press("UMIA", card, "Approve")
    first, again = await presses(whole)
    assert first["payload"] == again["payload"]
    assert (first["response"]["status"], again["response"]["status"]) == (None, 200)
    assert first["via"] == again["via"] == transport
    assert (first["envelope_id"] != again["envelope_id"]) is (transport == "socket")
    assert await only_state(whole) is State.APPLIED
    assert len(await whole.cards("CDEPLOYS", root)) == 1
    assert len([m for m in await whole.thread("CDEPLOYS", root) if "approved it" in m["text"]]) == 1
    told = await whole.thread("CDEPLOYS", root, **{"as": "UMIA"})
    assert not [message for message in told if message.get("is_ephemeral")]


async def test_t13_a_command_that_comes_again_opens_one_session(whole: Whole) -> None:
    """T13, OO1: `/1on1` whose acknowledgement is lost comes again, and one session begins, with its text taken once."""
    await whole.slack.control("faults", plan=unheard("command"))
    await whole.slack.control("command", user="UADA", channel="COPS", command="/1on1", text="corner my desk is new")
    await whole.quiet()
    assert len([one for one in await whole.deliveries() if one["kind"] == "command"]) == 2
    (root,) = await whole.slack.messages("DADA", **{"as": "UADA"})
    (saved,) = await whole.thread("DADA", root["ts"], **{"as": "UADA"})
    assert saved["text"].startswith("written:")


async def test_t13_a_form_that_comes_again_is_taken_once(whole: Whole) -> None:
    """T13, AP12: a submitted form whose acknowledgement is lost comes again; it closes, and one denial stands."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share the earth is flat")
    (card,) = await whole.cards("CDEPLOYS", root)
    await whole.press("UMIA", card, "Deny")
    (view,) = (await whole.slack.look("state"))["views"]
    await whole.slack.control("faults", plan=unheard("view_submission"))
    chosen = {"type": "radio_buttons", "selected_option": {"value": "not_true"}}
    values = {"field:reason": {"sliceway:reason": chosen}}
    done = await whole.slack.control("submit", user="UMIA", view_id=view["id"], values=values)
    await whole.quiet()
    assert done["acked"] is True
    assert (await whole.slack.look("state"))["views"] == []
    assert await only_state(whole) is State.DENIED
    assert len([m for m in await whole.thread("CDEPLOYS", root) if "Not true" in m["text"] and not is_card(m)]) == 1


async def test_ap12_a_denial_has_a_reason_that_reaches_the_requester(whole: Whole) -> None:
    """AP12: Deny opens the form, which asks why; the record and the requester's thread carry the reason."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share the earth is flat")
    (card,) = await whole.cards("CDEPLOYS", root)
    await whole.press("UMIA", card, "Deny")
    (view,) = (await whole.slack.look("state"))["views"]
    chosen = {"type": "radio_buttons", "selected_option": {"value": "not_true"}}
    values = {"field:reason": {"sliceway:reason": chosen}}
    await whole.slack.control("submit", user="UMIA", view_id=view["id"], values=values)
    await whole.quiet()
    assert await only_state(whole) is State.DENIED
    (record,) = await whole.cards("CDEPLOYS", root)
    assert "Not true" in words(record["blocks"])
    assert [m for m in await whole.thread("CDEPLOYS", root) if "Not true" in m["text"] and not is_card(m)]


async def test_ap4_a_long_proposal_is_approved_in_its_review(whole: Whole) -> None:
    """AP4: the card of a long text offers Review alone; the form shows all of it, and its Approve decides."""
    long = " ".join(f"step {number} of the runbook" for number in range(500))
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share {long}")
    (card,) = await whole.cards("CDEPLOYS", root)
    await whole.press("UMIA", card, "Review")
    (view,) = (await whole.slack.look("state"))["views"]
    assert long in words(view["view"]["blocks"])
    await whole.slack.control("submit", user="UMIA", view_id=view["id"], values={})
    await whole.quiet()
    assert await only_state(whole) is State.APPLIED


async def test_oo1_ap23_what_is_told_in_private_is_shared_by_its_owner_alone(whole: Whole) -> None:
    """OO1, AP23: `/1on1` opens a private thread; what is to be shared from there its owner sees first, and sends."""
    await whole.slack.control("command", user="UADA", channel="COPS", command="/1on1", text="corner my salary is low")
    await whole.quiet()
    seen = await whole.slack.messages("COPS", **{"as": "UADA"})
    assert [m for m in seen if m.get("is_ephemeral")]
    assert "salary" not in str(await whole.slack.messages("COPS", **{"as": "UADA"}))
    (root,) = await whole.slack.messages("DADA", **{"as": "UADA"})
    await whole.say("UADA", "DADA", "share the office moves in May", thread_ts=root["ts"])
    (draft,) = await whole.cards("DADA", root["ts"], **{"as": "UADA"})
    assert (await whole.operator.proposals()).items == ()
    await whole.press("UADA", draft, "Send to approvers")
    assert await only_state(whole) is State.PENDING
    (sent,) = await whole.cards("DADA", root["ts"], **{"as": "UADA"})
    assert "Sent to approvers" in words(sent["blocks"])
    for manager in ("MIA", "MAX"):
        (copy,) = await whole.slack.messages(f"D{manager}", **{"as": f"U{manager}"})
        assert "the office moves in May" in words(copy["blocks"])
        assert "DADA" not in str(copy["blocks"])
    await whole.press("UMAX", {**copy, "channel": "DMAX"}, "Approve")
    for manager in ("MIA", "MAX"):
        (copy,) = await whole.slack.messages(f"D{manager}", **{"as": f"U{manager}"})
        assert "Approved" in words(copy["blocks"])


async def test_r22_r23_a_direct_message_is_one_session_answered_in_threads(whole: Whole) -> None:
    """R22, R23, R25: a root's answer stands in its thread; what is said there, or at the next root, knows of it; no
    status is set, which would begin a thread of its own."""
    first = await whole.say("UADA", "DADA", "corner my desk is by the window")
    (answer,) = await whole.thread("DADA", first, **{"as": "UADA"})
    assert answer["text"].startswith("written:")
    second = await whole.say("UADA", "DADA", "undo")
    (undone,) = await whole.thread("DADA", second, **{"as": "UADA"})
    assert undone["text"].startswith("written:")
    await whole.say("UADA", "DADA", "find window", thread_ts=first)
    found = (await whole.thread("DADA", first, **{"as": "UADA"}))[-1]
    assert found["text"].startswith("nothing:")
    called = {call["method"] for call in (await whole.slack.look("calls"))["calls"]}
    assert not {method for method in called if method.startswith("assistant.")}
