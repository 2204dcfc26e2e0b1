"""Posting and looking up through Slack's Web API, against the workspace."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import aiohttp
import pytest

from sliceway.core.card_making import card_for, record_for
from sliceway.core.cards import Message
from sliceway.core.forms import deny_form, review_form
from sliceway.core.pages import ApprovedBy
from sliceway.core.proposals import State
from sliceway.core.turns import Click, Person, Place, PlaceKind, Standing
from sliceway.errors import ChatError
from sliceway.ports.chat import CardRef
from sliceway.slack.calls import client_for
from sliceway.slack.chat import SlackChat
from tests.e2e.slack_side import Side
from tests.unit.core.proposing import NOW, POLICY, proposal

TEAM = "THARBOR"
OPS = Place("slack", TEAM, "COPS")
CARD = card_for(proposal(), POLICY, NOW)


async def test_t7_me_holds_every_id(side: Side) -> None:
    """T7: the account is known by user, bot and app id, and by those of its other tokens."""
    assert (side.me.team, side.me.user, side.me.bot, side.me.app) == (TEAM, "USLICEWAY", "BSLICEWAY", "ASLICEWAY")
    assert not side.me.posts_as_user
    workspace = side.slack.workspace
    as_user = client_for(workspace.tokens.user, workspace.api_url, side.http)
    both = await SlackChat(as_user, others=[client_for(workspace.tokens.bot, workspace.api_url, side.http)]).me()
    assert both.user == "UCLEO"
    assert {"USLICEWAY", "BSLICEWAY"} <= set(both.also)


async def test_a_message_is_found_by_its_key_in_its_place_alone(side: Side) -> None:
    """What was said is found again by its metadata: in its thread, not in another place, not under another key."""
    root = await side.slack.say("UADA", "COPS", "hello")
    thread = replace(OPS, thread=root)
    ref = await side.chat.say(thread, Message("Saved <b> & done."), key="reply/1")
    assert await side.chat.find(thread, key="reply/1") == ref
    assert await side.chat.find(thread, key="reply/1", since=root) == ref
    assert await side.chat.find(thread, key="reply/2") is None
    assert await side.chat.find(OPS, key="reply/1") is None
    (_, said) = await side.slack.messages("COPS", thread_ts=root)
    assert said["text"] == "Saved &lt;b&gt; &amp; done."


async def test_t11_a_lost_answer_is_ambiguous_and_the_message_is_found(side: Side) -> None:
    """T11, AP3: a dropped reply raises once, posts once, says that it may have happened, and the card is found."""
    plan = [{"match": {"method": "chat.postMessage"}, "do": "drop_reply"}]
    await side.slack.control("faults", plan=plan)
    with pytest.raises(ChatError) as caught:
        await side.chat.post_card(OPS, CARD)
    assert caught.value.ambiguous
    (message,) = await side.slack.messages("COPS")
    assert await side.chat.find(OPS, key=CARD.key) == CardRef("COPS", message["ts"])


async def test_t12_a_rate_limit_says_how_long_to_wait(side: Side) -> None:
    """T12: a 429 raises at once, certain not to have happened, with the seconds that Slack gave."""
    plan = [{"match": {"method": "chat.postMessage"}, "do": "rate_limit", "retry_after": 7}]
    await side.slack.control("faults", plan=plan)
    with pytest.raises(ChatError) as caught:
        await side.chat.say(OPS, Message("hi"), key="k")
    assert (caught.value.reason, caught.value.retry_after, caught.value.ambiguous) == ("ratelimited", 7.0, False)


async def test_what_slack_refuses_is_an_error_in_words(side: Side) -> None:
    """A refusal carries Slack's code and a cure in words; what could not be reached has certainly not acted."""
    with pytest.raises(ChatError, match="no such channel") as caught:
        await side.chat.say(replace(OPS, channel="CNOWHERE"), Message("hi"), key="k")
    assert (caught.value.reason, caught.value.ambiguous) == ("channel_not_found", False)
    nobody = SlackChat(client_for("xoxb-x", "http://127.0.0.1:9/api/", side.http))
    with pytest.raises(ChatError) as unreached:
        await nobody.say(OPS, Message("hi"), key="k")
    assert (unreached.value.reason, unreached.value.ambiguous) == ("unreachable", False)


async def test_t18_all_calls_go_through_the_one_shared_session(side: Side) -> None:
    """T18: every request of the client's is one of the given session's."""
    seen = []

    async def note(_session: object, _context: object, params: aiohttp.TraceRequestStartParams) -> None:
        seen.append(params.url.path)

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(note)
    before = len((await side.slack.look("calls"))["calls"])
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        chat = SlackChat(client_for(side.slack.workspace.tokens.bot, side.slack.workspace.api_url, session))
        await chat.me()
        await chat.say(OPS, Message("hi"), key="k")
        await chat.place(TEAM, "COPS")
    assert len(seen) == len((await side.slack.look("calls"))["calls"]) - before > 3


async def test_ap5_a_card_becomes_a_record(side: Side) -> None:
    """AP5: the message of a decided card shows the outcome and no button any more."""
    ref = await side.chat.post_card(OPS, CARD)
    done = proposal(
        state=State.APPLIED, revision=2, decided_by=ApprovedBy(TEAM, "UMIA"), decided_at="2026-05-04T10:00:00.000000Z"
    )
    await side.chat.update_card(ref, record_for(done, POLICY, NOW))
    (message,) = await side.slack.messages("COPS")
    assert message["ts"] == ref.message
    assert "Approved" in message["text"]
    assert "actions" not in [block["type"] for block in message["blocks"]]


async def test_ap12_a_click_opens_a_form_and_its_submission_comes_back(side: Side) -> None:
    """AP12: Deny opens the form by the click's own trigger; what is filled in arrives with the card's place."""

    async def open_it(click: Click) -> None:
        if click.action == "deny" and click.form is None and click.trigger is not None:
            await side.chat.open_form(click.trigger, deny_form(proposal(), click=click))

    side.kept.on_click = open_it
    ref = await side.chat.post_card(OPS, CARD)
    await side.slack.control("click", user="UMIA", channel="COPS", ts=ref.message, action_id="sliceway:deny")
    (view,) = (await side.slack.look("state"))["views"]
    reason = {"type": "radio_buttons", "selected_option": {"value": "duplicate"}}
    values = {"field:reason": {"sliceway:reason": reason}}
    answer = await side.slack.control("submit", user="UMIA", view_id=view["id"], values=values)
    assert answer["ok"] is True
    press, form = side.kept.clicks
    assert (press.action, press.proposal, press.revision) == ("deny", proposal().id, 1)
    assert (form.action, form.form, form.proposal, form.values) == (
        "deny",
        "deny",
        proposal().id,
        {"reason": "duplicate"},
    )
    assert (form.place.channel, form.message, form.by.user) == ("COPS", ref.message, "UMIA")


async def test_ap4_the_review_form_approves_by_its_submit_button(side: Side) -> None:
    """AP4: Review shows the whole text; submitting it is the click that approves."""
    long = proposal("word " * 4000)

    async def open_it(click: Click) -> None:
        if click.form is None and click.trigger is not None:
            await side.chat.open_form(click.trigger, review_form(long, click=click))

    side.kept.on_click = open_it
    ref = await side.chat.post_card(OPS, card_for(long, POLICY, NOW))
    await side.slack.control("click", user="UMIA", channel="COPS", ts=ref.message, action_id="sliceway:review")
    (view,) = (await side.slack.look("state"))["views"]
    assert view["view"]["submit"]["text"] == "Approve"
    await side.slack.control("submit", user="UMIA", view_id=view["id"], values={})
    assert [(click.action, click.form) for click in side.kept.clicks] == [("review", None), ("approve", "review")]


async def test_an_old_trigger_opens_nothing_and_says_so(side: Side) -> None:
    """A trigger that is used up is refused with words that tell the person to click again."""
    with pytest.raises(ChatError) as caught:
        await side.chat.open_form("1.2.nonsense", deny_form(proposal()))
    assert "trigger" in caught.value.reason


async def test_what_is_said_privately_is_seen_by_one(side: Side) -> None:
    """In a channel only the person sees it; in their direct message it simply stands there."""
    ben = Person(TEAM, "UBEN")
    await side.chat.say_privately(OPS, ben, Message("only you"))
    assert [m["text"] for m in await side.slack.messages("COPS", **{"as": "UBEN"})] == ["only you"]
    assert await side.slack.messages("COPS", **{"as": "UADA"}) == []
    dm = await side.chat.open_dm(ben)
    assert (dm.kind, dm.team) == (PlaceKind.IM, TEAM)
    await side.chat.say_privately(dm, ben, Message("here too"))
    assert [m["text"] for m in await side.slack.messages(dm.channel, **{"as": "UBEN"})] == ["here too"]


@pytest.mark.parametrize(
    ("user", "standing", "team"),
    [
        ("UADA", Standing.MEMBER, TEAM),
        ("UGUS", Standing.GUEST, TEAM),
        ("USASHA", Standing.STRANGER, "TMERIDIAN"),
        ("UDORA", Standing.GONE, TEAM),
        ("UALERTS", Standing.BOT, TEAM),
        ("UNOBODY", Standing.STRANGER, TEAM),
    ],
)
async def test_r37_r38_everyone_is_what_slack_says_and_the_unknown_are_strangers(
    side: Side, user: str, standing: Standing, team: str
) -> None:
    """R37, R38: members, guests, strangers, the deactivated, bots and unknown ids are told apart, on the safe side."""
    facts = await side.chat.who(TEAM, user)
    assert (facts.standing, facts.person.standing, facts.person.team) == (standing, standing, team)
    assert facts.is_bot is (standing is Standing.BOT)


async def test_r37_when_slack_does_not_say_nobody_is_taken_for_a_member(side: Side) -> None:
    """R37: a failing look-up is an error, not an answer, and is asked again the next time."""
    await side.slack.control(
        "faults", plan=[{"match": {"method": "users.info"}, "do": "error", "error": "fatal_error"}]
    )
    with pytest.raises(ChatError):
        await side.chat.who(TEAM, "UADA")
    await side.slack.control("faults", plan=[])
    assert (await side.chat.who(TEAM, "UADA")).standing is Standing.MEMBER


async def test_sc7_a_look_that_failed_marks_no_channel(side: Side) -> None:
    """SC7: places only fall, so a members list that Slack withholds just now is an error, and no guest is assumed."""
    await side.slack.control("faults", plan=[{"match": {"method": "conversations.members"}, "do": "rate_limit"}])
    with pytest.raises(ChatError):
        await side.chat.place(TEAM, "COPS")
    refused = {"match": {"method": "conversations.members"}, "do": "error", "error": "missing_scope"}
    await side.slack.control("faults", plan=[refused])
    facts = await side.chat.place(TEAM, "COPS")
    assert (facts.guests, facts.members) == (False, None)


@pytest.mark.parametrize(
    ("channel", "kind", "external", "guests"),
    [
        ("COPS", PlaceKind.CHANNEL, False, False),
        ("CLAUNCH", PlaceKind.PRIVATE, False, False),
        ("CPARTNERS", PlaceKind.CHANNEL, True, True),
        ("DADA", PlaceKind.IM, False, False),
        ("CNOWHERE", PlaceKind.PRIVATE, True, False),
    ],
)
async def test_sc7_a_place_is_what_slack_says(
    side: Side, channel: str, kind: PlaceKind, external: bool, guests: bool
) -> None:
    """SC7: kind, outside sharing and a guest's presence are looked up; an unknown channel is external."""
    facts = await side.chat.place(TEAM, channel)
    assert (facts.kind, facts.external, facts.guests) == (kind, external, guests)


async def test_sc7_a_guest_who_joins_is_noticed_at_the_next_look(side: Side) -> None:
    """SC7: what was observed of a channel drops the cached look, so that its new guest counts at once."""
    assert not (await side.chat.place(TEAM, "COPS")).guests
    await side.slack.control("channel", channel="COPS", invite=["UGUS"])
    await side.kept.until(lambda: any(one.what == "joined" for one in side.kept.observed))
    facts = await side.chat.place(TEAM, "COPS")
    assert facts.guests
    assert facts.members is not None
    assert "UGUS" in facts.members


async def test_r39_those_who_ask_at_once_share_one_call(side: Side) -> None:
    """R39: twenty look-ups of one person, unknown ones too, are one call."""
    for user in ("UADA", "UNOBODY"):
        await asyncio.gather(*(side.chat.who(TEAM, user) for _ in range(20)))
        await side.chat.who(TEAM, user)
    calls = [
        call["args"]["user"] for call in (await side.slack.look("calls"))["calls"] if call["method"] == "users.info"
    ]
    assert sorted(calls) == ["UADA", "UNOBODY"]


async def test_t8_health_asks_the_token_and_links_are_permanent(side: Side) -> None:
    """T8: health asks `auth.test` each time, for a revoked token makes events vanish silently; it tells the last
    event's age. A message has a permanent link, a missing one none."""
    assert await side.chat.health() == {"ok": True, "event_age_s": None, "messages_tab": "unknown"}
    ref = await side.chat.say(OPS, Message("hi"), key="k")
    link = await side.chat.link(ref)
    assert link is not None
    assert link.startswith("http")
    assert await side.chat.link(CardRef("COPS", "1.000001")) is None
    await side.slack.say("UADA", "COPS", "hello")
    await side.slack.workspace.settled()
    assert (await side.chat.health())["event_age_s"] is not None
    await side.slack.control("faults", plan=[{"match": {"method": "auth.test"}, "do": "revoke"}])
    assert (await side.chat.health())["error"] == "token_revoked"
