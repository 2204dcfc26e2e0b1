"""Deciding: one transaction, one outcome, told truthfully to everyone who comes after (AP5-AP12, AP21, AP24)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.errors import (
    InvalidRequest,
    NotFound,
    NotPending,
    NotPermitted,
    StaleRevision,
)
from sliceway.ports import BrainDoor
from tests.contract.office import ANN, BEN, MAX, MIA, ask, at, gateway, page, settle, written
from tests.fakes.clock import HandClock


async def test_ap5_approve_writes_the_page_in_the_same_transaction(door: BrainDoor) -> None:
    """AP5, AP19: every page of the batch is written by the agent for the person, approved by the manager."""
    operator = await settle(door)
    brain = gateway(door)
    asked = await ask(brain, page("a", "A"), page("b", "B"))
    done = await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    assert (done.state, done.revision, done.decided_by is not None) == (State.APPLIED, 2, True)
    assert await brain.proposal(id=asked.id) == done
    for slug, text in (("a", "A"), ("b", "B")):
        found = await gateway(door, "bob").read_page(slice="shared", slug=slug, slices=["shared"], origin=at(BEN))
        assert (found.content, found.author.agent, found.version) == (text, "ada", 1)
        assert found.author.on_behalf_of is not None
        assert found.author.on_behalf_of.user == "UANN"
        assert found.approver is not None
        assert (found.approver.team, found.approver.user, found.approver.name) == ("T1", "UMIA", "Mia")
    assert (await operator.verify()).ok


async def test_ap9_the_second_click_is_told_who_decided_and_when(door: BrainDoor, clock: HandClock) -> None:
    """AP9, AP11: `not_pending` wins over a stale revision and names state, decider and time."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain)
    await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    decided_at = clock.text
    clock.advance("1m")
    for revision in (1, 2, 9):
        with pytest.raises(NotPending) as told:
            await gateway(door, "bob").decide(id=asked.id, decision="deny", revision=revision, decided_by=MAX)
        facts = told.value.facts
        assert (facts["state"], facts["decided_by"]["user"], facts["decided_at"]) == ("applied", "UMIA", decided_at)
    with pytest.raises(NotFound):
        await brain.decide(id="01" + "0" * 24, decision="approve", revision=1, decided_by=MIA)


async def test_ap9_twenty_clicks_at_once_apply_once(door: BrainDoor) -> None:
    """AP9: of twenty clicks by two managers through two gateways exactly one decides; the page has one version."""
    await settle(door)
    asked = await ask(gateway(door))
    clicks = [
        gateway(door, "ada" if number % 2 else "bob").decide(
            id=asked.id, decision="approve", revision=1, decided_by=MIA if number % 3 else MAX
        )
        for number in range(20)
    ]
    answers = await asyncio.gather(*clicks, return_exceptions=True)
    assert sum(not isinstance(answer, BaseException) for answer in answers) == 1
    assert all(isinstance(answer, NotPending) for answer in answers if isinstance(answer, BaseException))
    history = await gateway(door).versions(slice="shared", slug="oncall", slices=["shared"], origin=at(ANN))
    assert len(history.items) == 1


async def test_ap11_a_stale_card_is_refused(door: BrainDoor) -> None:
    """AP11: a click on another revision than the one shown decides nothing."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain)
    with pytest.raises(StaleRevision):
        await brain.decide(id=asked.id, decision="approve", revision=2, decided_by=MIA)
    assert (await brain.proposal(id=asked.id)).state is State.PENDING


async def test_ap12_a_denial_keeps_its_reason(door: BrainDoor) -> None:
    """AP12: the reason reaches requester and agent as data; nothing is written."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain)
    done = await brain.decide(id=asked.id, decision="deny", revision=1, decided_by=MIA, reason="not <sure>")
    assert (done.state, done.reason, done.events[-1].reason) == (State.DENIED, "not <sure>", "not <sure>")
    with pytest.raises(NotFound):
        await brain.read_page(slice="shared", slug="oncall", slices=["shared"], origin=at(ANN))


async def test_br5_a_denial_gives_no_grant(door: BrainDoor) -> None:
    """BR5 AP15: a grant beside a denial is refused by its field, and nothing is decided."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain)
    with pytest.raises(InvalidRequest) as told:
        await brain.decide(id=asked.id, decision="deny", revision=1, decided_by=MIA, grant_seconds=60)
    assert [error.field for error in told.value.errors] == ["grant_seconds"]
    assert (await brain.proposal(id=asked.id)).state is State.PENDING


async def test_ap14_nobody_decides_after_its_time(door: BrainDoor, clock: HandClock) -> None:
    """AP14: at the very moment it expires a click is told `expired`; never denied, never approved."""
    await settle(door, expire_after="1h")
    brain = gateway(door)
    asked = await ask(brain)
    clock.advance("1h")
    for decision in ("approve", "deny"):
        with pytest.raises(NotPending) as told:
            await brain.decide(id=asked.id, decision=decision, revision=1, decided_by=MIA)
        assert told.value.facts["state"] == "expired"


async def test_ap20_the_operator_decides_what_is_pending_as_the_operator(door: BrainDoor) -> None:
    """AP20: recorded by its own name, never as a person, without AP7's check."""
    operator = await settle(door, managers=[])
    asked = await ask(gateway(door))
    with pytest.raises(InvalidRequest):
        await operator.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    with pytest.raises(NotPermitted):
        await operator.decide(id=asked.id, decision="approve", revision=1, grant_seconds=60)
    done = await operator.decide(id=asked.id, decision="approve", revision=1)
    assert done.decided_by is not None
    assert (done.decided_by.operator, done.decided_by.user) == ("root", None)
    found = await gateway(door).read_page(slice="shared", slug="oncall", slices=["shared"], origin=at(ANN))
    assert found.approver is not None
    assert found.approver.operator == "root"


@pytest.mark.parametrize(
    "principal",
    [
        Principal.admin(),
        Principal.agent("ada"),
        Principal.reader(["shared"]),
        Principal.gateway("ada", teams=["T1"], acts_for=True),
    ],
    ids=["admin", "agent", "reader", "gateway without decides"],
)
async def test_ap7_callers_without_the_right_decide_nothing(door: BrainDoor, principal: Principal) -> None:
    """AP7, GT11: `not_permitted`, the same for a proposal that is there and one that is not."""
    await settle(door)
    asked = await ask(gateway(door))
    for id in (asked.id, "01" + "0" * 24):
        with pytest.raises(NotPermitted):
            await door.enter(principal).decide(id=id, decision="approve", revision=1, decided_by=MIA)
    assert (await gateway(door).proposal(id=asked.id)).state is State.PENDING


async def test_ap24_a_moved_base_supersedes_and_asks_anew_at_once(door: BrainDoor) -> None:
    """AP24: the click is told `superseded` with the new id; the new proposal has the new base and difference."""
    operator = await settle(door)
    brain = gateway(door)
    asked = await ask(brain, page(content="On-call moves to Mondays."))
    await written(gateway(door, "bob"))
    with pytest.raises(NotPending) as told:
        await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    facts = told.value.facts
    assert facts["state"] == "superseded"
    old, new = await brain.proposal(id=asked.id), await brain.proposal(id=facts["superseded_by"])
    assert (old.state, old.revision, old.superseded_by) == (State.SUPERSEDED, 2, new.id)
    assert (new.state, new.revision, new.pages[0].base_version) == (State.PENDING, 1, 1)
    assert (new.diff[0].before, new.requested_by, new.origin) == (
        "On-call is on Fridays.", old.requested_by, old.origin,
    )  # fmt: skip
    changes = {one.id: one for one in (await brain.changes()).items}
    assert changes[old.id].superseded_by == new.id
    with pytest.raises(NotPending) as again:
        await brain.decide(id=asked.id, decision="approve", revision=2, decided_by=MIA)
    assert again.value.facts["superseded_by"] == new.id
    done = await brain.decide(id=new.id, decision="approve", revision=1, decided_by=MIA)
    assert done.state is State.APPLIED
    assert (await brain.read_page(slice="shared", slug="oncall", slices=["shared"], origin=at(ANN))).version == 2
    assert (await operator.verify()).ok


async def test_ap19_a_batch_of_which_one_page_moved_is_written_not_at_all(door: BrainDoor) -> None:
    """AP19, AP24: one moved page supersedes the whole batch; none of it is written until the new whole is approved."""
    operator = await settle(door)
    brain = gateway(door)
    asked = await ask(brain, page("a"), page(), page("z"))
    await written(gateway(door, "bob"))
    with pytest.raises(NotPending) as told:
        await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    assert [one.slug for one in await operator.list_pages(slice="shared")] == ["oncall"]
    new = await brain.proposal(id=told.value.facts["superseded_by"])
    assert [(one.slug, one.base_version) for one in new.pages] == [("a", None), ("oncall", 1), ("z", None)]
    await brain.decide(id=new.id, decision="approve", revision=1, decided_by=MIA)
    assert [one.slug for one in await operator.list_pages(slice="shared")] == ["a", "oncall", "z"]


async def test_ap24_a_denial_needs_no_base(door: BrainDoor) -> None:
    """AP24: what moved does not keep anyone from saying no."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain)
    await written(gateway(door, "bob"))
    done = await brain.decide(id=asked.id, decision="deny", revision=1, decided_by=MIA)
    assert done.state is State.DENIED


async def test_ap24_where_nothing_is_left_to_ask_there_is_no_new_proposal(door: BrainDoor) -> None:
    """AP24: of two deletions of one page the second is superseded, with nothing to ask again."""
    await settle(door)
    brain = gateway(door)
    await written(brain)
    said: dict[str, Any] = {"op": "delete", "slice": "shared", "slug": "oncall"}
    first = await brain.propose(**said, origin=at(ANN))
    second = await gateway(door, "bob").propose(**said, origin=at(BEN))
    await brain.decide(id=first.id, decision="approve", revision=1, decided_by=MIA)
    with pytest.raises(NotPending) as told:
        await brain.decide(id=second.id, decision="approve", revision=1, decided_by=MIA)
    assert (told.value.facts["state"], told.value.facts.get("superseded_by")) == ("superseded", None)


async def test_ap24_what_is_there_already_is_not_asked_for_again(door: BrainDoor) -> None:
    """AP24: two threads ask for the same text; after the first is written, nothing is left of the second."""
    await settle(door)
    brain = gateway(door)
    first, second = await ask(brain), await ask(brain, origin=at(BEN, thread="2.2"))
    await brain.decide(id=first.id, decision="approve", revision=1, decided_by=MIA)
    with pytest.raises(NotPending) as told:
        await brain.decide(id=second.id, decision="approve", revision=1, decided_by=MIA)
    assert (told.value.facts["state"], told.value.facts.get("superseded_by")) == ("superseded", None)


async def test_gt8_delete_restore_and_undo_are_applied_as_they_were_shown(door: BrainDoor) -> None:
    """GT8, AP21: what was approved is what happens: the version shown is the version restored."""
    operator = await settle(door)
    brain = gateway(door)
    await written(brain, content="first")
    await written(brain, content="second")

    async def approved(**said: Any) -> None:
        asked = await brain.propose(slice="shared", slug="oncall", origin=at(ANN), **said)
        await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)

    async def text() -> str:
        return (await brain.read_page(slice="shared", slug="oncall", slices=["shared"], origin=at(ANN))).content

    await approved(op="delete")
    with pytest.raises(NotFound):
        await text()
    asked = await brain.propose(op="restore", slice="shared", slug="oncall", origin=at(ANN))
    assert asked.pages[0].draft is not None
    assert (asked.pages[0].draft.content, asked.pages[0].version) == ("second", 2)
    await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    assert await text() == "second"
    await approved(op="restore", version=1)
    assert await text() == "first"
    standing = await brain.read_page(slice="shared", slug="oncall", slices=["shared"], origin=at(ANN))
    await approved(op="undo", expected_event=standing.event_id)
    assert await text() == "second"
    assert (await operator.verify()).ok


async def test_br5_a_decision_says_what_it_means(door: BrainDoor) -> None:
    """BR5: another word, no person, a wrong revision and a strange id are refused with the field."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain)
    said: dict[str, Any] = {"id": asked.id, "decision": "approve", "revision": 1, "decided_by": MIA}
    for field, value in (
        ("decision", "yes"), ("revision", 0), ("revision", "1"), ("decided_by", None), ("reason", "\0"), ("id", ""),
        ("decided_by", {"team": "T1"}), ("grant_seconds", 0), ("grant_seconds", 7 * 86_400 + 1),
    ):  # fmt: skip
        with pytest.raises(InvalidRequest) as told:
            await brain.decide(**{**said, field: value})
        assert told.value.errors[0].field.split(".")[0] == field
    assert (await brain.proposal(id=asked.id)).state is State.PENDING
