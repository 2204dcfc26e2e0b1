"""The three journeys through the flows: memoize in a channel, a private session, sharing deliberately."""

from __future__ import annotations

from sliceway.core.proposals import State
from sliceway.core.turns import Place
from tests.fakes.chat import TEAM, dm_of
from tests.fakes.rig import AGENT, Rig
from tests.fakes.scripts import by_words

OPS = Place("slack", TEAM, "C2", "99.5")


async def test_memoize_in_a_channel_and_recall_it_in_another(rig: Rig) -> None:
    """GT2, SC5: what is saved in a trusted channel lands in the agent's own slice, without a card, and is found again
    in another channel."""
    rig.agent.script = by_words
    await rig.say("U1", "save build 2301 is the rollback target")
    await rig.say("U2", "find rollback target", place=OPS)
    first, second = rig.chat.said
    assert first.text == "written: Saved notes/rollback in my own notes (agent-ada)."
    assert "build 2301 is the rollback target" in second.text
    assert f"{AGENT} for Ann" in second.text
    assert rig.chat.cards() == []


async def test_ap5_share_approve_record_notice_and_the_agent_hears(rig: Rig) -> None:
    """AP5: a proposal becomes one card in its thread; a manager's Approve writes it, the card becomes a record without
    buttons, the requester's thread and the agent are told."""
    rig.agent.script = by_words
    await rig.say("U1", "share the on-call rotation moved to Mondays")
    (card,) = rig.chat.cards()
    assert "the on-call rotation moved to Mondays" in card.text
    await rig.press("UM1", card, "Approve")
    page = await rig.brain.read_page(
        slice="shared", slug="team/oncall", slices=["shared"], origin={"place": {"surface": "background"}}
    )
    assert page.content == "the on-call rotation moved to Mondays"
    assert page.approver is not None
    assert page.approver.user == "UM1"
    (record,) = rig.chat.cards()
    assert record.card is not None
    assert record.card.buttons == ()
    assert record.card.outcome is not None
    notices = [said.text for said in rig.chat.said if "approved it" in said.text]
    assert len(notices) == 1
    assert [proposal.state for proposal in rig.agent.heard] == [State.APPLIED]
    assert State.APPLIED in [proposal.state for proposal in rig.hooks.changed]


async def test_oo1_a_private_session_begins_with_the_text_and_shows_the_channel_nothing(rig: Rig) -> None:
    """OO1, OO6: `/1on1 text` opens a thread in the direct message and handles the text there; the channel sees
    nothing, the person a link; what is saved lands in their corner and the answer says so."""
    rig.agent.script = by_words
    await rig.type("U1", "save my salary is a secret")
    assert [said for said in rig.chat.seen_by("U2") if "salary" in said.text or "private" in said.text.lower()] == []
    mine = rig.chat.seen_by("U1")
    greeting = next(said for said in mine if said.key is not None and said.key.endswith("greeting"))
    assert greeting.place == dm_of("U1")
    assert "agents" in greeting.text
    (link,) = [said for said in mine if said.only == "U1"]
    assert link.message is not None
    assert link.message.link is not None
    assert "salary" not in link.text
    answer = mine[-1] if mine[-1].only is None else mine[-2]
    assert "your private corner" in " ".join(said.text for said in mine)
    assert answer.place.thread == greeting.ref.message
    rig.agent.script = by_words
    await rig.say("U2", "find salary")
    assert "secret" not in rig.chat.said[-1].text
    await rig.say("UM1", "find salary")
    assert "secret" not in rig.chat.said[-1].text
