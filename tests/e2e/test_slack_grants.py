"""Grants, `/slices` and private sessions from threads: the whole gateway on the real wire, in one process."""

from __future__ import annotations

from sliceway.core.proposals import State
from sliceway.core.turns import Trust
from tests.contract.workspace_client import APP, Json
from tests.e2e.slack_gateway import TEAM, Whole
from tests.fakes.waiting import until
from tests.unit.slack.rich_text_check import words


async def shown(whole: Whole, user: str, channel: str, text: str = "", command: str = "/slices") -> list[Json]:
    """Type a command; return what its person alone is shown in that channel."""
    before = await alone(whole, user, channel)
    await whole.slack.control("command", user=user, channel=channel, command=command, text=text)
    await whole.quiet()
    return (await alone(whole, user, channel))[len(before) :]


async def alone(whole: Whole, user: str, channel: str) -> list[Json]:
    """Return what one person alone was shown at a channel's root."""
    seen = await whole.slack.messages(channel, **{"as": user})
    return [{**message, "channel": channel} for message in seen if message.get("is_ephemeral")]


def button(message: Json, label: str, nth: int = 0) -> dict[str, str]:
    """Return what names the nth button of a message with this label."""
    found = [
        {"action_id": element["action_id"], "block_id": block["block_id"]}
        for block in message["blocks"]
        if block["type"] == "actions"
        for element in block["elements"]
        if element["text"]["text"].startswith(label)
    ]
    return found[nth]


async def press(whole: Whole, user: str, message: Json, label: str, nth: int = 0) -> None:
    """Press a button, and wait for what follows."""
    where = {"channel": message["channel"], "ts": message["ts"], **button(message, label, nth)}
    assert (await whole.slack.control("click", user=user, **where))["acked"] is True
    await whole.quiet()


async def test_ap15_ap16_a_thread_is_granted_written_under_and_taken_back(whole: Whole) -> None:
    """AP15, AP16, AP17: Approve for this thread spares the next card, the answer names the granter with Revoke, and
    after Revoke the next write gets a card."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share the rotation moved to Mondays")
    (card,) = await whole.cards("CDEPLOYS", root)
    await whole.press("UMIA", card, "Approve for this thread")
    (record,) = await whole.cards("CDEPLOYS", root)
    assert "Granted until" in words(record["blocks"])
    await whole.say("UADA", "CDEPLOYS", f"{APP} share the rotation moved to Tuesdays", thread_ts=root)
    answer = (await whole.thread("CDEPLOYS", root))[-1]
    assert answer["text"].startswith("written:")
    assert "Under the standing yes of" in answer["text"]
    await press(whole, "UADA", answer, "Revoke")
    (record,) = await whole.cards("CDEPLOYS", root)
    assert "actions" not in [block["type"] for block in record["blocks"]]
    assert any("took back the standing yes" in message["text"] for message in await whole.thread("CDEPLOYS", root))
    await whole.say("UADA", "CDEPLOYS", f"{APP} share the rotation moved to Fridays", thread_ts=root)

    async def a_second_card() -> bool:  # the thread has had its burst of messages: this one is paced
        return len(await whole.cards("CDEPLOYS", root)) == 2

    await until(a_second_card)


async def test_ap17_a_channel_shared_outside_ends_the_grant_at_once(whole: Whole) -> None:
    """AP17, SC7: when Slack tells that the channel is shared with another organisation, no grant is left."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share the rotation moved to Mondays")
    (card,) = await whole.cards("CDEPLOYS", root)
    await whole.press("UMIA", card, "Approve for this thread")
    assert len((await whole.brain.grants()).items) == 1
    await whole.slack.control("channel", channel="CDEPLOYS", kind="external")
    await whole.quiet()
    assert (await whole.brain.grants()).items == ()


async def test_ap18_the_managers_inbox_decides_and_pages(whole: Whole) -> None:
    """AP18, R42: `/slices` shows a manager what waits, page after page, to them alone; Approve there applies, and the
    card in its thread becomes the record."""
    roots = {}
    for number in range(5):
        for user, channel in (("UADA", "CDEPLOYS"), ("UBEN", "COPS")):  # two, because each has its pace
            roots[user, number] = await whole.say(user, channel, f"{APP} share {user} says {number}")
    first = await shown(whole, "UMIA", "COPS")
    inbox = next(message for message in first if message["text"].startswith("*Waiting for your decision* (10)"))
    assert len(inbox["blocks"]) <= 50
    assert not await alone(whole, "UBEN", "COPS")
    await press(whole, "UMIA", inbox, "Show more")
    rest = (await alone(whole, "UMIA", "COPS"))[-1]
    assert "UBEN says 4" in words(rest["blocks"])
    await press(whole, "UMIA", inbox, "Approve", nth=1)
    assert (await alone(whole, "UMIA", "COPS"))[-1]["text"].startswith("Approved: ")
    (record,) = await whole.cards("COPS", roots["UBEN", 0])
    assert "Approved" in words(record["blocks"])
    states = [one.state for one in await whole.operator.proposals()]
    assert (states.count(State.APPLIED), states.count(State.PENDING)) == (1, 9)


async def test_ap11_the_pressed_inbox_is_put_anew_through_its_response_url(whole: Whole) -> None:
    """AP11: on the wire too the ephemeral list loses what was decided in it, by a button and by a form, in place, and
    nobody else sees any of it."""
    for number in range(2):
        await whole.say("UADA", "CDEPLOYS", f"{APP} share fact {number}")
    inbox = (await shown(whole, "UMIA", "COPS"))[-1]
    await press(whole, "UMIA", inbox, "Approve")
    now = next(one for one in await alone(whole, "UMIA", "COPS") if one["ts"] == inbox["ts"])
    assert (now["text"].partition("\n")[0], now["is_ephemeral"]) == ("*Waiting for your decision* (1)", True)
    assert "fact 1" in words(now["blocks"])
    await press(whole, "UMIA", now, "Deny")
    (view,) = (await whole.slack.look("state"))["views"]
    reason = {"type": "radio_buttons", "selected_option": {"value": "not_true"}}
    values = {"field:reason": {"sliceway:reason": reason}}
    await whole.slack.control("submit", user="UMIA", view_id=view["id"], values=values)
    await whole.quiet()
    now = next(one for one in await alone(whole, "UMIA", "COPS") if one["ts"] == inbox["ts"])
    assert now["text"] == "Nothing waits for your decision."
    assert await alone(whole, "UBEN", "COPS") == []


async def test_ap26_the_home_tab_says_what_waits_for_whom_and_shows_no_word_of_it(whole: Whole) -> None:
    """AP18, AP26: who opens the agent's home reads there what their direct messages read and write; a manager how much
    waits for them, a guest nothing of that; opened again it is made anew."""
    await whole.say("UADA", "CDEPLOYS", f"{APP} share the secret plan")
    homes = {}
    for user in ("UMIA", "UADA", "UGUS"):
        await whole.slack.control("open_home", user=user)
        await whole.quiet()
        views = (await whole.slack.look("state"))["views"]
        homes[user] = str(next(each["view"]["blocks"] for each in views if each["user"] == user))
    assert "1 waits for your decision" in homes["UMIA"]
    assert "1 that you asked for waits" in homes["UADA"]
    assert "I save: nothing" in homes["UGUS"]
    assert "waits" not in homes["UGUS"]
    assert not any("secret" in home for home in homes.values())
    await whole.say("UBEN", "CDEPLOYS", f"{APP} share another plan")
    await whole.slack.control("open_home", user="UMIA")
    await whole.quiet()
    (mia,) = [each for each in (await whole.slack.look("state"))["views"] if each["user"] == "UMIA"]
    assert "2 wait for your decision" in str(mia["view"]["blocks"])


async def test_sc7_a_manager_trusts_a_channel_by_the_form(whole: Whole) -> None:
    """SC7: `/slices trust` opens a form that says what trust means; submitted, the channel is trusted."""
    await whole.slack.control("channel", channel="COPS", kind="private")
    await whole.quiet()
    assert "not one that the team trusts" in (await shown(whole, "UMIA", "COPS"))[0]["text"]
    (refusal,) = await shown(whole, "UADA", "COPS", "trust")
    assert "Only a manager" in refusal["text"]
    await shown(whole, "UMIA", "COPS", "trust")
    (view,) = (await whole.slack.look("state"))["views"]
    assert "recalled in every trusted channel" in str(view["view"]["blocks"])
    await whole.slack.control("submit", user="UMIA", view_id=view["id"], values={})
    await whole.quiet()
    assert (await whole.brain.policy()).channels[TEAM, "COPS"].trust is Trust.TRUSTED


async def test_oo2_r29_a_session_is_opened_from_a_thread_and_released(whole: Whole) -> None:
    """OO2, OO5, R29: a slash command in a thread is refused by Slack; `!1on1` opens a session there, the thread sees a
    link alone; a manager releases it by naming its owner, who is told."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} save a note")
    asked = {"user": "UADA", "channel": "CDEPLOYS", "command": "/1on1", "text": "", "thread_ts": root}
    assert (await whole.slack.control("command", **asked)).get("error")
    await whole.say("UADA", "CDEPLOYS", "!1on1 corner my salary is low", thread_ts=root)
    seen = await whole.thread("CDEPLOYS", root, **{"as": "UADA"})
    assert [message["text"] for message in seen if "salary" in message["text"]] == ["!1on1 corner my salary is low"]
    assert seen[-1]["is_ephemeral"] is True
    (greeting,) = await whole.slack.messages("DADA", **{"as": "UADA"})
    (saved,) = await whole.thread("DADA", greeting["ts"], **{"as": "UADA"})
    assert "your private corner" in saved["text"]
    (done,) = await shown(whole, "UMAX", "COPS", "release <@UADA|ada>", command="/1on1")
    assert "no open private session" in done["text"]
    assert await whole.desk.locks() == ()
    told = (await whole.thread("DADA", greeting["ts"], **{"as": "UADA"}))[-1]
    assert "a manager, ended this private session" in told["text"]


async def test_oo8_a_deactivated_owner_has_no_session_left(whole: Whole) -> None:
    """OO8: Slack's `user_change` of a deactivated person ends their sessions."""
    await whole.slack.control("command", user="UADA", channel="COPS", command="/1on1", text="")
    await whole.quiet()
    assert len(await whole.desk.locks()) == 1
    await whole.slack.control("person", user="UADA", deleted=True)
    await whole.quiet()
    assert await whole.desk.locks() == ()
