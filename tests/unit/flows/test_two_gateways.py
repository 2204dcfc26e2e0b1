"""Two agents' gateways over one brain and one chat: one card, one decision, each its own notices."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.core.proposals import State
from sliceway.flows.parts import GatewayConfig
from tests.fakes.chat import dm_of
from tests.fakes.rig import Rig, make_rig
from tests.fakes.scripts import by_words


@pytest.fixture
async def both(tmp_path: Path) -> AsyncIterator[tuple[Rig, Rig]]:
    """Ada's gateway and Bob's, both of which post cards in one channel for approvals."""
    ada = await make_rig(tmp_path, config=GatewayConfig(approvals_channel="CP", tick_s=0.01))
    bob = await ada.beside("bob")
    yield ada, bob
    await bob.gateway.stop(5.0)
    await bob.desk.close()
    await ada.close()


async def quiet(*rigs: Rig) -> None:
    """Wait until everything is done in every gateway."""
    for _ in range(2):
        for rig in rigs:
            await rig.quiet()


async def test_ap3_ap22_two_gateways_post_one_card(both: tuple[Rig, Rig]) -> None:
    """AP3, AP22: both gateways see the proposal and either may post it; one card stands, whoever was first."""
    ada, bob = both
    ada.agent.script = by_words
    for number in range(5):
        await ada.say("U1", f"share words {number}")
        await quiet(ada, bob)
        assert len(ada.chat.cards()) == number + 1
    assert {card.place.channel for card in ada.chat.cards()} == {"CP"}


async def test_ap9_r45_clicks_through_two_gateways_make_one_decision(both: tuple[Rig, Rig]) -> None:
    """AP9, AP10, R45: two managers' clicks at once, each taken by another gateway: one applies, the other is told; the
    requester is told once, by the gateway of the agent that asked."""
    ada, bob = both
    ada.agent.script = by_words
    await ada.say("U1", "share words")
    await quiet(ada, bob)
    (card,) = ada.chat.cards()
    await asyncio.gather(ada.press("UM1", card, "Approve", wait=False), bob.press("UM2", card, "Approve", wait=False))
    await quiet(ada, bob)
    assert card.card is not None
    assert (await ada.brain.proposal(id=card.card.proposal)).state is State.APPLIED
    assert card.card.buttons == ()
    assert len([said for said in ada.chat.said if said.only in {"UM1", "UM2"}]) == 1
    assert len([said for said in ada.chat.said if "approved it" in said.text]) == 1
    assert [len(rig.agent.heard) for rig in both] == [1, 0]


async def test_minds_are_apart(both: tuple[Rig, Rig]) -> None:
    """SC9: what one agent notes for itself the other does not find; what is approved for `shared` both do."""
    ada, bob = both
    ada.agent.script = bob.agent.script = by_words
    await ada.say("U1", "save rollback target")
    await bob.say("U1", "find rollback")
    assert ada.chat.said[-1].text.startswith("nothing")
    await ada.say("U1", "share rotation on Mondays")
    await quiet(ada, bob)
    await bob.press("UM1", ada.chat.cards()[0], "Approve")
    await quiet(ada, bob)
    await bob.say("U1", "find rotation")
    assert "rotation on Mondays" in ada.chat.said[-1].text


async def test_sc9_a_person_has_one_corner_with_all_agents(both: tuple[Rig, Rig]) -> None:
    """SC9: what a person told one agent in private the other finds in that person's own private sessions, signed by
    the agent that saved it, and in nobody else's; the greeting of a session says so."""
    ada, bob = both
    ada.agent.script = bob.agent.script = by_words
    await ada.type("U1", "save my locker is 17")
    greeting = next(said for said in ada.chat.said if (said.key or "").endswith("/greeting"))
    assert "Any of the team's agents" in greeting.text
    assert "names the agent" in greeting.text
    await bob.say("U1", "find locker", place=dm_of("U1"))
    assert "my locker is 17" in ada.chat.said[-1].text
    assert "ada for Ann" in ada.chat.said[-1].text
    for user, place in (("U1", None), ("U2", dm_of("U2")), ("UM1", dm_of("UM1"))):
        await bob.say(user, "find locker", place=place)
        assert ada.chat.said[-1].text.startswith("nothing")
