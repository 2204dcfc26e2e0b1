"""Cards: one for each proposal and place, whatever dies when; routing; expiry; what is asked again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.core.turns import PlaceKind, Standing
from sliceway.flows.notices import HEARD, NOTICE
from sliceway.flows.parts import GatewayConfig
from sliceway.ports import PlaceFacts
from tests.fakes.chat import ROOM, TEAM, Said, dm_of, room
from tests.fakes.rig import AGENT, Rig, make_rig
from tests.fakes.scripts import by_words
from tests.fakes.waiting import until


async def share(rig: Rig, text: str = "the rotation moved to Mondays", user: str = "U1") -> None:
    """Have somebody ask to share."""
    rig.agent.script = by_words
    await rig.say(user, f"share {text}")


def open_cards(rig: Rig) -> list[Said]:
    """Return the cards that still have buttons."""
    return [said for said in rig.chat.cards() if said.card is not None and said.card.buttons]


async def test_ap1_the_tool_answers_pending_at_once_and_nothing_waits(rig: Rig) -> None:
    """AP1: the turn ends with `pending`, who can decide and until when; the proposal is stored whatever chat does."""
    rig.chat.fail("post_card", "internal_error", retry_after=3600.0)
    await share(rig)
    (reply,) = [said for said in rig.chat.said if said.message is not None]
    assert reply.text.startswith("pending: ")
    assert "Max or Mia can decide" in reply.text or "Mia or Max can decide" in reply.text
    (proposal,) = (await rig.brain.proposals()).items
    assert proposal.state is State.PENDING
    assert rig.chat.cards() == []


async def test_ap2_the_same_asked_again_is_one_card(rig: Rig) -> None:
    """AP2: three identical calls in one thread make one proposal and one card."""
    rig.agent.script = by_words
    first = await rig.say("U1", "share the same words")
    for _ in range(2):
        await rig.say("U1", "share the same words", place=first.place)
    assert len(rig.chat.cards()) == 1


@pytest.mark.parametrize("method", ["post_card", "say", "update_card"])
async def test_ap3_t11_a_lost_answer_is_looked_up_before_any_second_post(rig: Rig, method: str) -> None:
    """AP3, T11: where a post happened and its answer was lost, its key is looked up; nothing is posted twice."""
    rig.chat.lose_answer(method)
    await share(rig)
    await rig.wait(seconds=2)
    (card,) = rig.chat.cards()
    await rig.press("UM1", card, "Approve")
    await rig.wait(seconds=2)
    assert len(rig.chat.cards()) == 1
    assert open_cards(rig) == []
    replies = [said.text for said in rig.chat.said if said.message is not None]
    assert len(replies) == len(set(replies)) == 2


async def test_ap3_news_that_comes_late_is_not_told_as_the_decision_again(rig: Rig) -> None:
    """AP3: what was owed of the pending proposal, and is taken up only after the decision, tells nobody of it twice."""
    await share(rig)
    await rig.press("UM1", rig.chat.cards()[0], "Approve")
    (proposal,) = (await rig.brain.proposals()).items
    told, heard, seen = len(rig.chat.said), len(rig.agent.heard), len(rig.hooks.changed)
    assert (proposal.revision, heard) == (2, 1)
    for kind in (NOTICE, HEARD):
        await rig.desk.owe(key=f"{kind}/late", kind=kind, payload={"id": proposal.id, "revision": 1})
    await rig.wait(seconds=2)
    assert (len(rig.chat.said), len(rig.agent.heard), len(rig.hooks.changed)) == (told, heard, seen)


async def test_r52_one_approval_is_of_one_text_and_the_next_is_asked_for_again(rig: Rig) -> None:
    """R52: Approve is of the text on that card; other words in the same thread, asked by the same person, get a card
    of their own and wait."""
    rig.agent.script = by_words
    first = await rig.say("U1", "share Mondays")
    await rig.press("UM1", rig.chat.cards()[0], "Approve")
    await rig.say("U1", "share Tuesdays", place=first.place)
    (card,) = open_cards(rig)
    assert "Tuesdays" in card.text
    page = await rig.brain.read_page(
        slice="shared", slug="team/oncall", slices=["shared"], origin={"place": {"surface": "background"}}
    )
    assert page.content == "Mondays"


async def test_r55_an_outcome_is_never_shown_to_one_person_for_a_moment(rig: Rig) -> None:
    """R55: the record and the notice of a decision stand in the thread for all, as does the answer that it waits."""
    await share(rig)
    await rig.press("UM1", rig.chat.cards()[0], "Approve")
    assert [(said.only, said.place.channel) for said in rig.chat.said] == [(None, ROOM)] * 3


async def test_ap3_a_gateway_that_died_after_posting_finds_its_card(rig: Rig) -> None:
    """AP3: the process dies after the card was posted and before that was noted: the next one finds it and goes on."""
    rig.chat.lose_answer("post_card")
    rig.chat.fail("find", "internal_error", retry_after=3600.0)
    await share(rig)
    await rig.wait(seconds=1)
    await rig.restart()
    await rig.wait(hours=2)
    (card,) = rig.chat.cards()
    (proposal,) = (await rig.brain.proposals()).items
    assert [copy.ref for copy in proposal.cards] == [card.ref.text]
    await rig.press("UM1", card, "Approve")
    assert open_cards(rig) == []


async def test_ap3_what_is_owed_is_derived_again_from_the_changes(rig: Rig) -> None:
    """AP3: a desk that forgot how far it read owes nothing twice."""
    await share(rig)
    (card,) = rig.chat.cards()
    await rig.press("UM1", card, "Approve")
    before = len(rig.chat.said)
    await rig.gateway.stop(1.0)
    await rig.desk.move_cursor("changes", (await rig.brain.changes()).cursor)
    await rig.restart()
    await rig.quiet()
    assert len(rig.chat.said) == before


async def test_ap3_a_place_in_the_feed_that_the_brain_never_gave_is_forgotten(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    """AP3: with a brain that was restored or replaced the feed is read from its beginning: nothing is told twice, and
    what comes then has its card."""
    await share(rig)
    (card,) = rig.chat.cards()
    await rig.press("UM1", card, "Approve")
    before = len(rig.chat.said)
    await rig.gateway.stop(1.0)
    await rig.desk.move_cursor("changes", "of-another-brain")

    async def found_its_place() -> bool:
        return await rig.desk.cursor("changes") not in {"of-another-brain", ""}

    await rig.restart()
    await until(found_its_place)
    await rig.quiet()
    assert len(rig.chat.said) == before
    assert "read from their beginning" in caplog.text
    await share(rig, "what is new")
    assert len(rig.chat.cards()) == 2


async def test_a_desk_tells_nobody_old_news_and_knows_from_its_start_what_is_new(tmp_path: Path) -> None:
    """What was decided before a desk was first used is nobody's notice; what comes after its start is, from the first
    moment on."""
    rig = await make_rig(tmp_path)

    async def began() -> bool:
        return await rig.desk.cursor("began") is not None

    await until(began)
    await share(rig, "old news")
    await rig.press("UM1", rig.chat.cards()[0], "Approve")
    await rig.gateway.stop(1.0)
    await rig.desk.close()
    (tmp_path / "desk.db").unlink()
    said = len(rig.chat.said)
    await rig.start_again(later=60.0)
    await rig.quiet()
    assert len(rig.chat.said) == said
    await rig.close()


async def test_ap14_an_expired_proposal_says_so_and_its_requester_is_told(rig: Rig) -> None:
    """AP14: past its time the card becomes a record that says expired, never denied; the requester may ask again."""
    await share(rig)
    await rig.wait(hours=73)
    (record,) = rig.chat.cards()
    assert record.card is not None
    assert record.card.outcome is not None
    assert record.card.outcome.label == "Expired"
    assert open_cards(rig) == []
    assert any("Nobody decided" in said.text and "resubmit" in said.text for said in rig.chat.said)


async def test_ap18_what_was_denied_and_is_asked_again_gets_no_card_for_a_week(rig: Rig) -> None:
    """AP18: the same content within seven days of a denial is kept without a card and the requester is told; later it
    gets one."""
    await share(rig)
    click = await rig.press("UM1", rig.chat.cards()[0], "Deny")
    await rig.submit(click, "deny", "deny", reason="duplicate")
    await share(rig)
    assert len(rig.chat.cards()) == 1
    assert "no card is shown" in [said.text for said in rig.chat.said if said.text.startswith("pending")][-1]
    await rig.wait(days=8)
    await share(rig)
    assert len(open_cards(rig)) == 1


async def test_ap22_the_proposal_of_a_coding_agent_becomes_a_card_in_the_approvals_channel(tmp_path: Path) -> None:
    """AP22: what an agent without chat proposes is carded in `approvals.channel` by a gateway that decides; its
    decision is nobody's notice here."""
    rig = await make_rig(tmp_path, config=GatewayConfig(approvals_channel="CP", tick_s=0.01))
    bob = rig.door.enter(Principal.agent("bob"))
    await bob.write_pages(slice="shared", pages=[{"slug": "from/bob", "content": "words of bob"}])
    await rig.quiet()
    (card,) = rig.chat.cards()
    assert card.place.channel == "CP"
    assert "words of bob" in card.text
    await rig.press("UM1", card, "Approve")
    assert open_cards(rig) == []
    assert [said for said in rig.chat.said if said.message is not None] == []
    assert rig.agent.heard == []
    await rig.close()


async def test_ap22_without_an_approvals_channel_it_waits_in_the_list(rig: Rig) -> None:
    """AP22: with no channel for approvals, a coding agent's proposal is carded nowhere."""
    bob = rig.door.enter(Principal.agent("bob"))
    await bob.write_pages(slice="shared", pages=[{"slug": "from/bob", "content": "words of bob"}])
    await rig.quiet()
    assert rig.chat.cards() == []


async def test_ap26_what_another_agent_asks_for_its_own_mind_is_shown_nowhere_here(tmp_path: Path) -> None:
    """AP26: a proposal for another agent's mind is no card of this gateway's."""
    rig = await make_rig(tmp_path, config=GatewayConfig(approvals_channel="CP", tick_s=0.01))
    bob = rig.door.enter(Principal.agent("bob"))
    await bob.propose(op="write", slice="mine", pages=[{"slug": "own/note", "content": "bob's own"}])
    await rig.quiet()
    assert rig.chat.cards() == []
    await rig.close()


async def test_ap27_the_card_stands_in_the_thread_where_someone_decides(rig: Rig) -> None:
    """AP27: where an approver is a member of the channel, the card stands in the thread it was asked in."""
    rig.agent.script = by_words
    turn = await rig.say("U1", "share in the open")
    (card,) = rig.chat.cards()
    assert (card.place.channel, card.place.thread) == (ROOM, turn.place.thread)


async def test_ap27_where_no_approver_reads_each_gets_a_direct_message(rig: Rig) -> None:
    """AP27: where no approver is a member, each gets a copy; all share one decision and all become the record."""
    rig.chat.places[ROOM] = room("deploys", ("U1", "U2"))
    await share(rig)
    assert sorted(card.place.channel for card in rig.chat.cards()) == ["DUM1", "DUM2"]
    await rig.press("UM2", open_cards(rig)[0], "Approve")
    assert open_cards(rig) == []
    assert {card.card.outcome.label for card in rig.chat.cards() if card.card and card.card.outcome} == {"Approved"}


async def test_ap27_who_left_gets_no_copy(rig: Rig) -> None:
    """AP27, R38: an approver whom chat knows to be gone gets no card."""
    rig.chat.places[ROOM] = room("deploys", ("U1", "U2"))
    rig.chat.person("UM2", "Max", Standing.GONE)
    await share(rig)
    assert [card.place for card in rig.chat.cards()] == [dm_of("UM1")]


async def test_a_record_survives_the_loss_of_one_copy(rig: Rig) -> None:
    """Where one copy cannot be changed any more, the others still become the record."""
    rig.chat.places[ROOM] = room("deploys", ("U1", "U2"))
    await share(rig)
    first, second = rig.chat.cards()
    rig.chat.said.remove(first)
    await rig.press("UM2", second, "Approve")
    assert open_cards(rig) == []


async def test_sc10_a_notice_is_not_said_in_a_place_that_fell(rig: Rig) -> None:
    """SC10: the channel became shared with another organisation before the decision: the requester is told alone."""
    await share(rig)
    rig.chat.places[ROOM] = PlaceFacts(
        PlaceKind.CHANNEL, external=True, guests=False, name="deploys", member=True, members=("U1", "UM1")
    )
    (card,) = rig.chat.cards()
    await rig.press("UM1", card, "Approve")
    (notice,) = [said for said in rig.chat.said if "approved it" in said.text]
    assert notice.only == "U1"


async def test_a_cards_only_agent_is_its_own(rig: Rig) -> None:
    """The card names the agent that asks and the person it asks for."""
    await share(rig)
    (card,) = rig.chat.cards()
    assert card.card is not None
    facts = {fact.label: fact for fact in card.card.facts}
    assert facts["Agent"].words == AGENT
    assert facts["Asked by"].people == ("U1",)
    assert card.place.team == TEAM


async def test_ap3_news_that_a_crash_held_up_is_not_told_after_newer_news(rig: Rig) -> None:
    """AP3: what is owed for a step that the proposal has left behind says nothing: one notice, one hearing."""
    await share(rig)
    (card,) = rig.chat.cards()
    await rig.press("UM1", card, "Approve")
    told, heard = len(rig.chat.said), len(rig.agent.heard)
    assert card.card is not None
    held_up = {"id": card.card.proposal, "revision": 1, "state": "pending"}
    for kind in ("notice", "heard"):
        await rig.desk.owe(key=f"{kind}/held-up", kind=kind, payload=held_up)
    await rig.wait(seconds=2)
    assert await rig.desk.owed_depth() == 0
    assert (len(rig.chat.said), len(rig.agent.heard)) == (told, heard)
