"""Clicks: one right outcome each, and the clicker hears, privately, of every one but the plain success."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from sliceway.core.proposals import State
from sliceway.core.turns import Standing
from tests.fakes.chat import Said
from tests.fakes.rig import Rig, make_rig
from tests.fakes.scripts import by_words
from tests.fakes.waiting import until


async def share(rig: Rig, text: str = "the rotation moved to Mondays", user: str = "U1") -> Said:
    """Have somebody ask to share, and return the card."""
    rig.agent.script = by_words
    await rig.say(user, f"share {text}")
    return rig.chat.cards()[-1]


def told(rig: Rig, user: str) -> list[Said]:
    """Return what one person alone was shown."""
    return [said for said in rig.chat.said if said.only == user]


async def state(rig: Rig, card: Said) -> State:
    """Return where a card's proposal stands."""
    assert card.card is not None
    return (await rig.brain.proposal(id=card.card.proposal)).state


@pytest.mark.parametrize("user", ["U2", "UG", "UX", "UGONE"])
async def test_ap6_r47_who_may_not_decide_is_refused_privately_and_told_who_can(rig: Rig, user: str) -> None:
    """AP6, AP7, R47: a member, a guest, a stranger and somebody who left change nothing by clicking, and are told
    alone who can decide."""
    card = await share(rig)
    await rig.press(user, card, "Approve")
    assert await state(rig, card) is State.PENDING
    (refusal,) = told(rig, user)
    assert "You cannot decide this" in refusal.text
    assert refusal.message is not None
    assert refusal.message.people == ("UM1", "UM2")
    assert "refused.in_gateway" in [entry.act for entry in await rig.operator.audit(limit=20)]


async def test_ap7_a_manager_who_was_deactivated_in_chat_cannot_decide(rig: Rig) -> None:
    """AP7: the brain lists the manager, chat says they are gone: both must say yes."""
    card = await share(rig)
    rig.chat.person("UM1", "Mia", Standing.GONE)
    await rig.press("UM1", card, "Approve")
    assert await state(rig, card) is State.PENDING


async def test_an_outage_decides_nothing_and_the_clicker_is_told(rig: Rig) -> None:
    """AP11, AP20: where the click cannot be carried out at all, its person is told that it did not count."""
    card = await share(rig)
    for _ in range(6):
        rig.chat.fail("who", "internal_error")
    await rig.press("UM1", card, "Approve", wait=False)
    await rig.retried()
    assert "did not count" in told(rig, "UM1")[0].text
    assert await state(rig, card) is State.PENDING
    assert card.card is not None
    assert card.card.buttons


async def test_ap7_with_nobody_eligible_nobody_decides_and_the_requester_is_told(tmp_path: Path) -> None:
    """AP7: with no approver at all there is no card, and the requester's thread says that nobody can decide."""
    rig = await make_rig(tmp_path, managers=[])
    rig.agent.script = by_words
    await rig.say("U1", "share something")
    assert rig.chat.cards() == []
    assert any("Nobody can decide" in said.text for said in rig.chat.said)
    await rig.close()


async def test_ap8_a_manager_may_approve_their_own_request(rig: Rig) -> None:
    """AP8: by default a manager's own request is theirs to approve, and marked as such."""
    card = await share(rig, user="UM1")
    await rig.press("UM1", card, "Approve")
    proposal = await rig.brain.proposal(id=card.card.proposal if card.card else "")
    assert proposal.state is State.APPLIED
    assert proposal.decided_by is not None
    assert proposal.decided_by.self_approval


async def test_ap8_where_it_is_never_theirs_the_other_manager_is_named(tmp_path: Path) -> None:
    """AP8: with `never`, the requester is refused and told who else can."""
    rig = await make_rig(tmp_path, self_approval="never")
    card = await share(rig, user="UM1")
    await rig.press("UM1", card, "Approve")
    assert await state(rig, card) is State.PENDING
    (refusal,) = told(rig, "UM1")
    assert refusal.message is not None
    assert refusal.message.people == ("UM2",)
    await rig.close()


async def test_ap9_r45_two_clicks_at_once_make_one_decision(rig: Rig) -> None:
    """AP9, R45: of two managers' clicks at the same moment one applies; the other is told who decided and when."""
    card = await share(rig)
    await asyncio.gather(rig.press("UM1", card, "Approve", wait=False), rig.press("UM2", card, "Approve", wait=False))
    await rig.quiet()
    assert await state(rig, card) is State.APPLIED
    losers = [said for said in rig.chat.said if said.only in {"UM1", "UM2"}]
    assert len(losers) == 1
    assert "already approved by" in losers[0].text
    assert len([said for said in rig.chat.said if "approved it" in said.text]) == 1


async def test_r45_the_winner_pressing_again_hears_nothing(rig: Rig) -> None:
    """R45: a repeated click by whoever decided is silent, and a deny after it is told the truth."""
    card = await share(rig)
    before = replace(card)
    await rig.press("UM1", before, "Approve")
    await rig.press("UM1", before, "Approve")
    assert told(rig, "UM1") == []
    await rig.press("UM1", before, "Deny")
    assert "already approved" in told(rig, "UM1")[0].text
    assert await state(rig, card) is State.APPLIED


async def test_ap10_r46_a_click_works_after_a_restart(rig: Rig) -> None:
    """AP10, R46: a card posted before a restart is decided by a click after it."""
    card = await share(rig)
    await rig.restart()
    await rig.press("UM1", card, "Approve")
    assert await state(rig, card) is State.APPLIED


async def test_ap11_an_unknown_card_is_said_to_be_inactive_and_loses_its_buttons(rig: Rig) -> None:
    """AP11: a button of a proposal that is not there says so; the message that carries it loses its buttons, no other
    message is touched."""
    card = await share(rig)
    assert card.card is not None
    stale = replace(
        card.card,
        proposal="01GONE",
        buttons=tuple(replace(button, value="v1.01GONE.1") for button in card.card.buttons),
    )
    forged = replace(card, card=stale)
    await rig.press("UM1", forged, "Approve")
    assert "no longer active" in told(rig, "UM1")[0].text
    assert card.card.buttons
    ref = await rig.chat.post_card(card.place, stale)
    posted = next(said for said in rig.chat.said if said.ref == ref)
    await rig.press("UM1", posted, "Approve")
    assert posted.card is not None
    assert posted.card.buttons == ()
    assert await state(rig, card) is State.PENDING


async def test_ap11_a_click_on_what_was_taken_back_says_so(rig: Rig) -> None:
    """AP11: after the requester took it back, a click says that, and applies nothing."""
    card = await share(rig)
    before = replace(card)
    assert card.card is not None
    await rig.say("U1", f"withdraw {card.card.proposal}")
    await rig.press("UM1", before, "Approve")
    assert "taken back" in told(rig, "UM1")[0].text
    assert card.card.buttons == ()


@pytest.mark.parametrize("became", [State.APPLIED, State.DENIED, State.EXPIRED, State.WITHDRAWN, State.SUPERSEDED])
async def test_ap11_a_late_click_is_told_what_became_of_it(rig: Rig, became: State) -> None:
    """AP11: on a decided, expired, withdrawn or superseded card a click says truthfully which, the card is repaired
    where it still had buttons, and nothing is applied."""
    card = await share(rig)
    assert card.card is not None
    asked, stale = card.card.proposal, card.card
    says = {
        State.APPLIED: "already approved by the operator op",
        State.DENIED: "already denied by the operator op",
        State.EXPIRED: "expired before anyone decided",
        State.WITHDRAWN: "taken back",
        State.SUPERSEDED: "superseded: the page changed meanwhile",
    }
    match became:
        case State.APPLIED | State.DENIED:
            decision = "approve" if became is State.APPLIED else "deny"
            await rig.operator.decide(id=asked, decision=decision, revision=1)
        case State.EXPIRED:
            await rig.wait(hours=73)
        case State.WITHDRAWN:
            await rig.say("U1", f"withdraw {asked}")
        case _:
            second = await share(rig, "Tuesdays", user="U2")
            await rig.press("UM2", second, "Approve")
            await rig.press("UM2", card, "Approve")
    await rig.quiet()
    pages = await rig.operator.list_pages(slice="shared")
    card.card = stale  # a client, or a post that came late, still shows the buttons
    await rig.press("UM1", card, "Approve")
    assert says[became] in told(rig, "UM1")[-1].text
    assert card.card.buttons == ()
    assert (await state(rig, card), await rig.operator.list_pages(slice="shared")) == (became, pages)


async def test_r49_the_card_shows_what_was_done_and_never_what_was_only_pressed(rig: Rig) -> None:
    """R49: the decision is written before the card says so; where the card cannot be changed just now the agent and the
    requester hear of it all the same, and the card follows."""
    card = await share(rig)
    assert card.card is not None
    rig.chat.fail("update_card", "ratelimited", retry_after=30)
    await rig.press("UM1", card, "Approve", wait=False)

    async def heard() -> bool:
        return bool(rig.agent.heard) and any("approved it" in said.text for said in rig.chat.said)

    await until(heard)
    assert await state(rig, card) is State.APPLIED
    assert card.card.buttons

    async def followed() -> bool:
        rig.clock.forward(seconds=5)
        return card.card is not None and card.card.buttons == ()

    await until(followed)


@pytest.mark.parametrize("label", ["Deny", "Review"])
async def test_r56_a_form_that_did_not_open_asks_for_another_press(rig: Rig, label: str) -> None:
    """R56: where the trigger ran out before the form opened, the clicker alone is asked to press again."""
    card = await share(rig, "long words " * 900)
    rig.chat.fail("open_form", "expired_trigger_id")
    await rig.press("UM1", card, label)
    assert "press the button once more" in told(rig, "UM1")[-1].text
    assert rig.chat.forms == []
    await rig.press("UM1", card, label)
    assert len(rig.chat.forms) == 1
    assert await state(rig, card) is State.PENDING


async def test_ap12_a_denial_takes_a_reason_to_requester_and_agent(rig: Rig) -> None:
    """AP12: Deny opens a form and decides nothing by itself; the reason reaches the thread and the agent as data."""
    card = await share(rig)
    click = await rig.press("UM1", card, "Deny")
    assert await state(rig, card) is State.PENDING
    assert [form.name for _, form in rig.chat.forms] == ["deny"]
    assert await rig.submit(click, "deny", "deny", reason="not_true", note="it is Tuesdays") == {}
    assert await state(rig, card) is State.DENIED
    assert any("Not true: it is Tuesdays" in said.text for said in rig.chat.said if said.message is not None)
    assert rig.agent.heard[-1].reason == "Not true: it is Tuesdays"


async def test_ap24_a_moved_page_is_asked_about_again(rig: Rig) -> None:
    """AP24: where the page changed between card and click nothing is written; the clicker is told, and a new card with
    the new text waits."""
    first = await share(rig, "Mondays")
    second = await share(rig, "Tuesdays", user="U2")
    await rig.press("UM1", first, "Approve")
    before = replace(second)
    await rig.press("UM1", before, "Approve")
    assert "the page changed" in told(rig, "UM1")[0].text
    open_cards = [said for said in rig.chat.cards() if said.card is not None and said.card.buttons]
    assert len(open_cards) == 1
    assert await state(rig, before) is State.SUPERSEDED


async def test_a_review_opens_the_whole_text_and_approves(rig: Rig) -> None:
    """AP4: a card too long to show whole offers Review in place of Approve, and the form's submission approves."""
    card = await share(rig, "long words " * 900)
    assert card.card is not None
    assert "Approve" not in [button.label for button in card.card.buttons]
    click = await rig.press("UM1", card, "Review")
    ((_, form),) = rig.chat.forms
    assert form.submit == "Approve"
    await rig.submit(click, "approve", "review")
    assert await state(rig, card) is State.APPLIED
