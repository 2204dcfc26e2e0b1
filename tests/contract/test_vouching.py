"""Whom a gateway may speak for, wherever a person is named (BR2, SC9)."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.core.principals import Origin, Principal
from sliceway.core.turns import Person, Place, Standing
from sliceway.errors import NotEligible, NotFound, NotPermitted
from sliceway.ports import Brain, BrainDoor
from tests.contract.office import ANN, TEAM, alone, ask, at, gateway, page, settle

XEN = {"team": "T2", "user": "UX"}
"""Of the second workspace; the first one has a person of the same id."""


def in_t2(**more: Any) -> dict[str, Any]:
    """Return the origin of Xen's own private turn, in their workspace."""
    place = {"surface": "slack", "team": "T2", "channel": "DX", "thread": "1.1", "private": True}
    return {"person": XEN, "place": place, **more}


def as_enterprise(user: str = "UX") -> dict[str, Any]:
    """Return a private turn of somebody of the first workspace that names the second one as their enterprise."""
    return alone({"team": TEAM, "user": user, "enterprise": "T2"})


@pytest.fixture
async def theirs(door: BrainDoor) -> Brain:
    """The gateway of `ada` in the second workspace, where Xen has a secret page and a draft."""
    await settle(door, teams=[TEAM, "T2"])
    brain = gateway(door, teams=("T2",))
    await brain.write_pages(slice="user", pages=[page("secret", "blue")], origin=in_t2(turn="k1"))
    await brain.propose(op="write", slice="shared", pages=[page("d", "drafted")], origin=in_t2(turn="k1"))
    return brain


async def test_sc9_a_workspace_named_as_an_enterprise_opens_no_corner(door: BrainDoor, theirs: Brain) -> None:
    """SC9: a gateway of one workspace reaches nobody of another by naming that workspace as an enterprise: it is
    answered as for a person who never was."""
    ours = gateway(door, decides=False)

    async def answers(origin: dict[str, Any]) -> list[object]:
        found: list[object] = [
            await ours.recall(query="blue", slices=["user"], origin=origin),
            await ours.list_pages(slices=["user"], origin=origin),
            await ours.proposals(origin=origin),
            (await ours.changes(origin=origin)).items,
            await ours.done_in(turn="k1", origin=origin),
        ]
        for call in (ours.read_page, ours.versions):
            with pytest.raises(NotFound) as missing:
                await call(slice="user", slug="secret", slices=["user"], origin=origin)
            found.append(str(missing.value))
        return found

    assert await answers(as_enterprise()) == await answers(as_enterprise("U-NEVER"))
    with pytest.raises(NotPermitted):
        await ours.write_pages(slice="user", pages=[page("secret", "red")], origin=as_enterprise())


async def test_sc9_an_enterprise_of_its_own_still_joins_its_workspaces(door: BrainDoor) -> None:
    """ID11: one person of an enterprise has one corner in all of its workspaces."""
    await settle(door, teams=[TEAM, "T2"])
    first, second = in_t2(), alone({"team": TEAM, "user": "UX", "enterprise": "E1"})
    first["person"] = {**XEN, "enterprise": "E1"}
    await gateway(door, teams=("T2",)).write_pages(slice="user", pages=[page("n", "one")], origin=first)
    found = await gateway(door).read_page(slice="user", slug="n", slices=["user"], origin=second)
    assert found.content == "one"


@pytest.mark.parametrize("rights", [{"teams": [TEAM]}, {"teams": [TEAM], "acts_for": True}])
async def test_br2_what_a_turn_did_in_a_corner_is_told_to_who_speaks_for_its_owner(
    door: BrainDoor, theirs: Brain, rights: dict[str, Any]
) -> None:
    """BR2: `done_in` names no receipt of a person's corner to a gateway without `acts_for`, or of other teams."""
    other = door.enter(Principal.gateway("ada", **rights))
    assert await other.done_in(turn="k1", origin=in_t2()) == await other.done_in(turn="never", origin=in_t2())
    assert len((await theirs.done_in(turn="k1", origin=in_t2())).receipts) == 1


async def test_br2_nobody_takes_back_in_the_name_of_a_person_they_may_not_speak_for(door: BrainDoor) -> None:
    """BR2: without `acts_for` a gateway withdraws nothing as the person who asked."""
    await settle(door)
    asked = await gateway(door).propose(op="write", slice="shared", pages=[page()], origin=at(ANN))
    mute = door.enter(Principal.gateway("ada", teams=[TEAM]))
    with pytest.raises(NotEligible):
        await mute.withdraw(id=asked.id, revision=1, origin=at(ANN))
    assert (await gateway(door).withdraw(id=asked.id, revision=1, origin=at(ANN))).state == "withdrawn"


async def test_ap15_a_click_that_names_no_enterprise_is_still_the_writers(door: BrainDoor) -> None:
    """AP15: the writer of a grant ends it by a click that names team and user alone, as clicks do."""
    await settle(door)
    ours, ann = gateway(door), {**ANN, "enterprise": "E1"}
    asked = await ours.propose(op="write", slice="shared", pages=[page()], origin=at(ann))
    mia = {"team": TEAM, "user": "UMIA"}
    decided = await ours.decide(id=asked.id, decision="approve", revision=1, decided_by=mia, grant_seconds=60)
    assert decided.grant is not None
    assert (await ours.revoke_grant(id=decided.grant.id, by=ANN)).ended_at is not None


async def test_br6_the_same_id_for_somebody_else_is_another_request(door: BrainDoor) -> None:
    """BR6: a request id that was used for one person is a conflict for the next, not that person's receipt."""
    await settle(door)
    ours = gateway(door)
    await ours.write_pages(slice="agent-ada", pages=[page()], origin=at(ANN), request_id="r1")
    with pytest.raises(Exception, match="request id was used"):
        await ours.write_pages(
            slice="agent-ada", pages=[page()], origin=at({"team": TEAM, "user": "UBEN"}), request_id="r1"
        )
    again = await ours.write_pages(slice="agent-ada", pages=[page()], origin=at(ANN), request_id="r1")
    assert again.receipts[0].replayed


async def test_br6_a_retry_of_a_draft_is_given_that_draft_whatever_came_of_it(door: BrainDoor) -> None:
    """BR6: a write that became a draft, was sent and approved, is answered with that proposal again when retried."""
    await settle(door)
    ours = gateway(door)

    async def save() -> str:
        pages = [page("plan", "the text", if_version=0)]
        done = await ours.write_pages(slice="shared", pages=pages, origin=alone(ANN), request_id="r1")
        assert done.outcome == "pending"
        assert done.proposal is not None
        return f"{done.proposal.id} {done.proposal.state}"

    drafted = await save()
    id = drafted.split()[0]
    sent = await ours.send_draft(id=id, revision=1, origin=alone(ANN))
    await ours.decide(id=id, decision="approve", revision=sent.revision, decided_by={"team": TEAM, "user": "UMIA"})
    assert (drafted, await save()) == (f"{id} draft", f"{id} applied")


@pytest.mark.parametrize("standing", [Standing.GUEST, Standing.STRANGER, Standing.BOT, Standing.GONE])
async def test_br1_sc1_what_chat_knows_of_a_person_counts_at_every_brain(door: BrainDoor, standing: Standing) -> None:
    """BR1, SC1, AP7: a person whom a gateway names as no full member writes nothing and decides nothing, also where the
    brain is elsewhere: the wire says what chat knows."""
    await settle(door)
    brain = gateway(door)
    place = Place("slack", TEAM, "C1", thread="1.1")
    said = Origin(person=Person(TEAM, "UMIA", standing=standing), place=place)
    with pytest.raises(NotPermitted):
        await brain.write_pages(slice="agent-ada", pages=[page()], origin=said)
    asked = await ask(brain)
    with pytest.raises(NotEligible):
        await brain.decide(
            id=asked.id, decision="approve", revision=1, decided_by=Person(TEAM, "UMIA", standing=standing)
        )  # fmt: skip
    member = Origin(person=Person(TEAM, "UMIA"), place=place)
    assert (await brain.write_pages(slice="agent-ada", pages=[page()], origin=member)).outcome == "written"
