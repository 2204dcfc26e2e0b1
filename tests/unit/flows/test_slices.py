"""`/slices`: what a place reads and writes and why, the inbox of those who decide, standing yeses, and trust."""

from __future__ import annotations

import pytest

from sliceway.core.policy import trust_of
from sliceway.core.principals import Origin
from sliceway.core.turns import Click, Person, Place, PlaceKind, Trust
from sliceway.ports.inbound import Observed
from sliceway.slack.blocks import message_body
from tests.fakes.chat import ROOM, TEAM, Said
from tests.fakes.rig import Rig, principal_of, someone
from tests.fakes.scripts import by_words, note

THREAD = Place("slack", TEAM, ROOM, "7.5")
INBOX, OWN, GRANTS = "*Waiting for your decision*", "*You asked for", "*Standing yeses*"


async def slices(rig: Rig, user: str, text: str = "", *, channel: str = ROOM) -> list[Said]:
    """Type `/slices`; return what was shown, all of it to that person alone."""
    before = len(rig.chat.said)
    await rig.type(user, text, channel=channel, name="slices")
    shown = rig.chat.said[before:]
    assert all(said.only == user for said in shown if not said.text.endswith("every trusted channel."))
    return shown


def part(shown: list[Said], heading: str) -> Said | None:
    """Return the message under a heading, None where there is none."""
    return next((said for said in shown if said.text.startswith(heading)), None)


def labels(said: Said | None) -> list[list[str]]:
    """Return the labels of the buttons of each entry."""
    assert said is not None
    assert said.message is not None
    return [[button.label for button in item.buttons] for item in said.message.items]


def texts(said: Said) -> list[str]:
    """Return what each entry would write."""
    assert said.message is not None
    return [item.texts[0].text for item in said.message.items]


async def shares(rig: Rig, text: str, user: str = "U1", place: Place = THREAD) -> None:
    """Have somebody ask to share."""
    rig.agent.script = by_words
    await rig.say(user, f"share {text}", place=place)


@pytest.mark.parametrize(
    ("user", "channel", "saves", "reads", "why"),
    [
        ("U1", ROOM, "my own notes, without a card", "the team's knowledge base", "this channel is trusted"),
        ("U1", "CP", "I save: nothing", "I read: `public`", "not one that the team trusts"),
        ("U1", "DU1", "your private corner", "my own notes", "your private session"),
        ("U1", "CX", "I save: nothing", "I read: `public`", "shared with another organisation"),
        ("UG", ROOM, "I save: nothing", "I read: `public`", "full members"),
        ("UM1", "CP", "I save: nothing", "the team's knowledge base", "To you, as a manager"),
    ],
)
async def test_a_place_says_what_it_reads_and_writes_and_why(
    rig: Rig, user: str, channel: str, saves: str, reads: str, why: str
) -> None:
    """SC1, SC2, SC5, SC6: in words, to the asker alone."""
    shown = (await slices(rig, user, channel=channel))[0].text
    for words in (saves, reads, why):
        assert words in shown


async def test_ap18_who_decides_has_an_inbox(rig: Rig) -> None:
    """AP18, AP26: who may decide sees each pending item with Review, Approve and Deny, one without a card too; a
    decision there is told there and counts like the card's."""
    await shares(rig, "the moon is cheese")
    card = rig.chat.cards()[-1]
    click = await rig.press("UM1", card, "Deny")
    await rig.submit(click, "deny", "deny", reason="not_true")
    await shares(rig, "the moon is cheese")
    inbox = part(await slices(rig, "UM2"), INBOX)
    assert labels(inbox) == [["Review", "Approve", "Deny"]]
    assert inbox is not None
    assert inbox.message is not None
    (item,) = inbox.message.items
    assert "the moon is cheese" in item.texts[0].text
    assert any("got no card" in line for line in item.warnings)
    await rig.press("UM2", inbox, "Review")
    assert rig.chat.forms[-1][1].name == "review"
    await rig.press("UM2", inbox, "Approve")
    told = [said.text for said in rig.chat.said if said.only == "UM2"][-1]
    assert told.startswith("Approved: “Oncall” is in the team's knowledge base")
    (page,) = (await rig.operator.list_pages(slice="shared")).items
    assert page.version == 1


async def test_ap4_an_entry_that_hides_a_part_is_not_approved_unseen(rig: Rig) -> None:
    """AP4: what an entry cannot show whole is reviewed first."""
    await shares(rig, "long words " * 200)
    assert labels(part(await slices(rig, "UM1"), INBOX)) == [["Review", "Deny"]]


async def test_ap26_others_see_their_own_requests_alone(rig: Rig) -> None:
    """AP26: a requester sees what they asked for, a bystander and an outsider nothing: no item, no count, no name."""
    await shares(rig, "the secret plan")
    own = await slices(rig, "U1")
    assert part(own, INBOX) is None
    assert labels(part(own, OWN)) == [[]]
    for user in ("U2", "UG", "UX"):
        shown = await slices(rig, user)
        assert len(shown) == 1
        assert not any(word in shown[0].text for word in ("secret", "Waiting", "Oncall"))


async def test_sc1_a_place_shared_outside_shows_no_inbox(rig: Rig) -> None:
    """SC1: in a place shared with another organisation a manager too is shown the place alone."""
    await shares(rig, "the secret plan")
    assert len(await slices(rig, "UM1", channel="CX")) == 1


async def test_ap23_drafts_are_shown_in_private_alone(rig: Rig) -> None:
    """AP23, AP26: a draft is listed in its owner's direct message with its choice, in no channel, for no manager."""
    rig.agent.script = by_words
    await rig.type("U1", "share my idea")
    assert part(await slices(rig, "U1"), OWN) is None
    assert part(await slices(rig, "UM1"), INBOX) is None
    own = part(await slices(rig, "U1", channel="DU1"), OWN)
    assert labels(own) == [["Send to approvers", "Keep private"]]
    assert own is not None
    await rig.press("U1", own, "Keep private")
    assert any(said.text.startswith("Kept private") for said in rig.chat.said)
    assert (await rig.operator.proposals()).items == ()


async def test_r42_sixty_items_are_paged_within_slacks_limits(rig: Rig) -> None:
    """R42, BR13: sixty pending items of three agents are all reached, page after page, each page within fifty blocks,
    none twice, the oldest first."""
    for number in range(60):  # five a person and twenty an agent may wait (AP25)
        await rig.door.enter(principal_of(f"bot-{number // 20}")).propose(
            op="write",
            slice="shared",
            pages=[note(f"text {number}", f"team/n{number:02}")],
            origin=Origin(person=Person(TEAM, f"UP{number // 5}"), place=Place("slack", TEAM, ROOM, f"{number}.1")),
        )
    page, found = part(await slices(rig, "UM1"), INBOX), []
    while page is not None:
        assert page.message is not None
        body = message_body(page.message)
        assert len(body["blocks"]) <= 50
        assert len(body["text"]) <= 4000
        found += [item.texts[0].slug for item in page.message.items]
        more = next((button for button in page.message.buttons if button.action == "more"), None)
        if more is None:
            break
        before = len(rig.chat.said)
        await rig.press("UM1", page, more.label)
        page = part(rig.chat.said[before:], INBOX)
    assert found == [f"team/n{number:02}" for number in range(60)]


async def test_ap15_standing_yeses_are_listed_for_who_may_end_them(rig: Rig) -> None:
    """AP15, AP26: granter, writer and managers see a grant with Revoke; others see none."""
    await shares(rig, "one")
    await rig.press("UM1", rig.chat.cards()[-1], "Approve for this thread")
    for user in ("UM1", "U1", "UM2"):
        assert labels(part(await slices(rig, user), GRANTS)) == [["Revoke"]]
    assert part(await slices(rig, "U2"), GRANTS) is None
    listed = part(await slices(rig, "U1"), GRANTS)
    assert listed is not None
    await rig.press("U1", listed, "Revoke")
    assert (await rig.brain.grants()).items == ()
    assert part(await slices(rig, "UM2"), GRANTS) is None


async def test_ap11_the_list_that_was_pressed_shows_what_still_waits(rig: Rig) -> None:
    """AP11: after a decision in the inbox its message is put anew without the entry, in place; a form that only opened
    changes nothing, its submission does; the last one leaves words; another's list stays as it is until it is pressed,
    and then says what happened and is put right too."""
    for text in ("one", "two"):
        await shares(rig, text, place=Place("slack", TEAM, ROOM, f"{rig.count()}.5"))
    mine, others = part(await slices(rig, "UM1"), INBOX), part(await slices(rig, "UM2"), INBOX)
    assert mine is not None
    assert others is not None
    await rig.press("UM1", mine, "Approve")
    assert (mine.text, texts(mine)) == (f"{INBOX} (1)", ["two"])
    assert texts(others) == ["one", "two"]
    await rig.press("UM2", others, "Approve")
    assert "already approved by Mia" in rig.chat.said[-1].text
    assert texts(others) == ["two"]
    click = await rig.press("UM1", mine, "Deny")
    assert texts(mine) == ["two"]
    ((_, form),) = rig.chat.forms
    assert form.shown == click.shown
    await rig.submit(click, "deny", "deny", reason="not_true")
    assert (mine.text, labels(mine)) == ("Nothing waits for your decision.", [])
    assert (await rig.operator.proposals(state="pending")).items == ()


async def test_ap11_ones_own_list_and_the_standing_yeses_are_put_anew_too(rig: Rig) -> None:
    """AP11, AP15, AP23: a draft that was sent has no buttons in its list any more; a grant that was taken back is gone
    from its list."""
    rig.agent.script = by_words
    await rig.type("U1", "share my idea")
    own = part(await slices(rig, "U1", channel="DU1"), OWN)
    assert own is not None
    await rig.press("U1", own, "Send to approvers")
    assert labels(own) == [[]]
    await shares(rig, "one")
    await rig.press("UM1", rig.chat.cards()[-1], "Approve for this thread")
    granted = part(await slices(rig, "UM1"), GRANTS)
    assert granted is not None
    await rig.press("UM1", granted, "Revoke")
    assert "no standing yes any more" in granted.text


async def test_a_list_that_cannot_be_put_anew_undoes_nothing(rig: Rig) -> None:
    """The decision stands, and its person was told, where chat takes no answer for the list any more."""
    await shares(rig, "one")
    inbox = part(await slices(rig, "UM1"), INBOX)
    assert inbox is not None
    rig.chat.fail("put_anew", "http_404")
    await rig.press("UM1", inbox, "Approve")
    assert any(said.only == "UM1" and said.text.startswith("Approved: ") for said in rig.chat.said)
    assert (await rig.operator.proposals(state="pending")).items == ()
    assert await rig.desk.dead_letters() == ()


async def trusting(rig: Rig, user: str, channel: str) -> None:
    """Type `/slices trust`, and submit the form if one opens."""
    before = len(rig.chat.forms)
    await slices(rig, user, "trust", channel=channel)
    for _, form in rig.chat.forms[before:]:
        assert "recalled in every trusted channel" in " ".join(form.texts)
        assert form.place is not None
        await rig.gateway.click(Click(f"form-{rig.count()}", "trust", someone(user), form.place, form=form.name))
        await rig.quiet()


async def trust(rig: Rig, channel: str) -> Trust:
    """Return the trust of a channel now."""
    facts = rig.chat.places[channel]
    place = Place("slack", TEAM, channel, kind=facts.kind, external=facts.external, guests=facts.guests)
    return trust_of(await rig.brain.policy(), place)


async def test_sc7_a_manager_trusts_and_untrusts_a_channel(rig: Rig) -> None:
    """SC7: the form says what trust means; submitted, the channel is trusted, on record, and told so; untrusting takes
    it back at once."""
    rig.agent.script = by_words
    await trusting(rig, "UM1", "CP")
    assert await trust(rig, "CP") is Trust.TRUSTED
    assert any(said.only is None and "Mia trusts this channel" in said.text for said in rig.chat.said)
    assert "channel.trust" in [entry.act for entry in await rig.operator.audit(limit=5)]
    inside = Place("slack", TEAM, "CP", "3.5", kind=PlaceKind.PRIVATE)
    await rig.say("U1", "save a note", place=inside)
    assert rig.chat.said[-1].text.startswith("written:")
    await slices(rig, "UM2", "untrust", channel="CP")
    assert await trust(rig, "CP") is Trust.UNKNOWN
    await rig.say("U1", "save another", place=inside)
    assert rig.chat.said[-1].text.startswith("denied:")


@pytest.mark.parametrize(
    ("user", "channel", "why"),
    [("U1", "CP", "Only a manager"), ("UM1", "CX", "another organisation"), ("UM1", "DUM1", "nothing to trust")],
)
async def test_sc7_trust_is_refused_to_others_and_for_places_shared_outside(
    rig: Rig, user: str, channel: str, why: str
) -> None:
    """SC7, SC1: not a manager, a place shared with another organisation, a direct message: no form, no change; a
    refusal of right is on record. Nor does a form from before change anything."""
    shown = await slices(rig, user, "trust", channel=channel)
    assert rig.chat.forms == []
    assert why in shown[0].text
    kind = PlaceKind.IM if channel.startswith("D") else PlaceKind.CHANNEL
    stale = Place("slack", TEAM, channel, kind=kind)
    await rig.gateway.click(Click("stale", "trust", someone(user), stale, form="trust"))
    await rig.quiet()
    assert why in rig.chat.said[-1].text
    assert "channel.trust" not in [entry.act for entry in await rig.operator.audit(limit=20)]
    if channel != "DUM1":
        assert "refused.in_gateway" in [entry.act for entry in await rig.operator.audit(limit=5)]


async def test_sc7_a_channel_that_is_shared_no_more_may_be_trusted_anew(rig: Rig) -> None:
    """SC7: shared outside it fell at once; when chat says that this ended, it stays down until a manager trusts it."""
    await rig.gateway.observe(Observed("out", "external", place=Place("slack", TEAM, ROOM, external=True)))
    await rig.quiet()
    assert await trust(rig, ROOM) is Trust.PUBLIC
    await trusting(rig, "UM1", ROOM)
    assert await trust(rig, ROOM) is Trust.TRUSTED


async def test_other_words_get_the_help(rig: Rig) -> None:
    """What `/slices` does not know is answered with what there is."""
    (shown,) = await slices(rig, "U1", "what?")
    assert "/slices untrust" in shown.text


@pytest.mark.parametrize("reason", ["not_in_channel", "channel_not_found"])
@pytest.mark.parametrize(("text", "said"), [("", "no member of"), ("help", "/slices"), ("trust", "manager")])
async def test_where_the_agent_is_no_member_it_answers_in_direct_messages(
    rig: Rig, reason: str, text: str, said: str
) -> None:
    """What chat does not let it show where a command was typed is told once, to that person, in their direct messages:
    typing is never met with silence."""
    rig.chat.fail("say_privately", reason=reason)
    (told,) = await slices(rig, "U1", text)
    assert (told.place.kind, told.only) == (PlaceKind.IM, "U1")
    assert said in told.text


async def test_what_chat_refuses_for_another_reason_is_not_told_elsewhere(rig: Rig) -> None:
    """A failure that is not about membership says nothing in direct messages: the place may still be told later."""
    rig.chat.fail("say_privately", reason="internal_error")
    shown = await slices(rig, "U1", "help")
    assert shown == []
