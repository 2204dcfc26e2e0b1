"""What is only asked for shows nowhere to who may not see it (AP26, BR4)."""

from __future__ import annotations

import pytest

from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, NotPermitted
from sliceway.ports import Brain, BrainDoor
from sliceway.wire.codec import to_json
from tests.contract.office import ANN, alone, ask, at, gateway, page, settle, written


async def _seen(brain: Brain) -> str:
    """Return all that an agent is told of the team's slices, but for the ids of its own acts."""
    answers = [
        await brain.slices(), await brain.recall(query="on-call"), await brain.recall(query="x", slices=["shared"]),
        await brain.recall(query="x", slices=["shared"], as_of="2030-01-01"), await brain.list_pages(),
        await brain.proposals(), (await brain.changes()).items, await brain.grants(), await brain.audit(),
        await brain.whoami(), await brain.policy(),
    ]  # fmt: skip
    return str(to_json(answers))


async def test_ap26_a_foreign_proposal_moves_nothing_that_an_agent_sees(door: BrainDoor, bob: Brain) -> None:
    """AP26: before there is a page, and after, what another agent asks for changes no list, time, count or reason."""
    await settle(door)
    ours = gateway(door)
    for before in (None, "written"):
        if before is not None:
            await written(ours)
        was = await _seen(bob)
        asked = await ask(ours, page("next", "On-call moves."), origin=at(ANN, thread=str(before)))
        await ours.propose(op="write", slice="shared", pages=[page("drafted")], origin=alone(ANN))
        assert await _seen(bob) == was
        await ours.withdraw(id=asked.id, revision=1, origin=at(ANN))
        assert await _seen(bob) == was


async def test_br4_an_agents_audit_counts_nobody_elses_acts(door: BrainDoor, bob: Brain, operator: Brain) -> None:
    """BR4: an agent's own acts in the brain's record carry no number that counts those of others."""
    await settle(door)
    await bob.register()
    first = to_json((await bob.audit()).items)[0]
    await door.enter(Principal.agent("cyd")).register()
    await bob.register(display="Bob")
    acts = to_json((await bob.audit()).items)
    assert {act["seq"] for act in (first, *acts)} == {0}
    latest, before, *_ = [entry.seq for entry in await operator.audit(slice="_system")]
    assert latest == before + 1 > 1


async def test_br4_a_cursor_is_good_for_whom_it_was_given(door: BrainDoor, ada: Brain, bob: Brain) -> None:
    """BR4 BR13: another agent's cursor is refused in the same words as one that is made up; one's own goes on."""
    for brain in (ada, bob):
        await brain.write_pages(slice="mine", pages=[page("a"), page("b")])
    cursor = (await ada.list_pages(slice="mine", limit=1)).next_cursor
    assert cursor is not None
    assert [entry.slug for entry in await ada.list_pages(slice="mine", cursor=cursor)] == ["b"]
    refused = []
    for given in (cursor, cursor[:-4] + "AAAA", (await ada.changes()).cursor):
        with pytest.raises(InvalidRequest) as error:
            await bob.list_pages(slice="mine", cursor=given)
        refused.append((error.value.detail, error.value.errors))
    assert refused[0] == refused[1] == refused[2]


async def test_br4_the_version_of_the_policy_counts_nobodys_acts(door: BrainDoor, bob: Brain, operator: Brain) -> None:
    """BR4: what others do in between, refusals too, moves the version that everybody is shown by nothing."""
    await settle(door)
    before = (await bob.policy()).version
    await door.enter(Principal.agent("cyd")).register()
    with pytest.raises(NotPermitted):
        await door.enter(Principal.agent("cyd")).write_pages(slice="agent-bob", pages=[page()])
    assert (await bob.policy()).version == before
    await operator.set_policy(raised=["U9"])
    assert (await bob.policy()).version == before + 1
