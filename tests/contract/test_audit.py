"""The audit: every act that is no plain read, told without values, to those it concerns (OP1)."""

from __future__ import annotations

import pytest

from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, NotPermitted
from sliceway.ports import BrainDoor
from tests.contract.office import ANN, ANNS, BEN, alone, ask, at, gateway, page, settle


async def test_op1_a_denial_of_a_gateway_is_recorded_once_per_turn(door: BrainDoor) -> None:
    """OP1: the same (turn, op, slice) again is no second act; another turn, op or slice is."""
    operator = await settle(door)
    brain = gateway(door)
    for turn in ("t1", "t1", "t2"):
        for op in ("write", "write", "delete"):
            await brain.report_denial(op=op, slice="agent-bob", origin={**at(ANN), "turn": turn}, reason="not its own")
    acts = [act for act in (await operator.audit()).items if act.act == "refused.in_gateway"]
    assert [(act.about["turn"], act.about["op"]) for act in reversed(acts)] == [
        ("t1", "write"), ("t1", "delete"), ("t2", "write"), ("t2", "delete"),
    ]  # fmt: skip
    assert (acts[0].author["on_behalf_of"]["user"], acts[0].about["why"]) == ("UANN", "not its own")
    with pytest.raises(NotPermitted):
        await door.enter(Principal.agent("ada")).report_denial(op="write", slice="shared")
    for op, slice_name in (("drop table", "shared"), ("write", "no such")):
        with pytest.raises(InvalidRequest):
            await brain.report_denial(op=op, slice=slice_name)
    assert (await operator.slices()).items == ()


async def test_op1_a_refused_write_is_recorded_by_the_brain(door: BrainDoor) -> None:
    """OP1: who, on whose behalf, what, where and why; the refused text is nowhere in it."""
    operator = await settle(door)
    with pytest.raises(NotPermitted):
        await gateway(door).write_pages(slice="agent-bob", pages=[page(content="secret")], origin=at(ANN))
    act = (await operator.audit()).items[0]
    assert (act.act, act.slice, act.about["op"], act.about["slice"]) == ("refused", "_system", "write", "agent-bob")
    assert (act.author["agent"], act.author["on_behalf_of"]["user"]) == ("ada", "UANN")
    assert "secret" not in repr(act)


async def test_op1_values_and_private_names_are_not_told(door: BrainDoor) -> None:
    """OP1, SC9: acts in a corner or in another's mind show ids, and neither text nor what pages are called."""
    operator = await settle(door)
    brain = gateway(door)
    await brain.write_pages(slice=ANNS, pages=[page("salary", "secret")], origin=alone(ANN))
    await brain.write_pages(slice="agent-ada", pages=[page("plans", "secret")], origin=at(ANN))
    await ask(brain, page("handbook", "secret"))
    for seer in (operator, door.enter(Principal.admin())):
        told = repr((await seer.audit()).items)
        assert not any(word in told for word in ("secret", "salary", "plans"))
        assert {ANNS, "agent-ada", "shared"} <= {act.slice for act in (await seer.audit()).items}
    own = (await brain.audit(slice="agent-ada")).items
    assert [act.about["slug"] for act in own] == ["plans"]


async def test_br4_another_principal_sees_its_own_acts_alone(door: BrainDoor) -> None:
    """BR4: what other agents did is not told, nor counted, nor different from a slice that never was."""
    await settle(door)
    await ask(gateway(door, "bob"), page("theirs"), origin=at(BEN))
    await door.enter(Principal.agent("bob")).write_pages(slice="mine", pages=[page()])
    brain = gateway(door)
    await ask(brain)
    assert [(act.act, act.slice) for act in (await brain.audit()).items] == [("proposal.asked", "shared")]
    assert (await brain.audit(slice="agent-bob")) == (await brain.audit(slice="agent-never"))
    assert (await door.enter(Principal.reader(["shared"])).audit()).items == ()


async def test_br13_the_audit_pages_newest_first(door: BrainDoor) -> None:
    """BR13: parts join without gap or repeat."""
    operator = await settle(door)
    for number in range(5):
        await ask(gateway(door), page(f"p/{number}"))
    whole = (await operator.audit(limit=200)).items
    seen, cursor = [], None
    while True:
        part = await operator.audit(limit=2, cursor=cursor)
        seen += list(part.items)
        cursor = part.next_cursor
        if cursor is None:
            break
    assert tuple(seen) == whole
    assert [act.at for act in whole] == sorted((act.at for act in whole), reverse=True)


async def test_br13_slices_are_listed_to_those_who_may_know_of_them(door: BrainDoor) -> None:
    """BR13, AP23: one's own and the team's; all by name, count and time to the operator; a corner that holds only a
    draft is not there."""
    operator = await settle(door)
    brain = gateway(door)
    await ask(brain, origin=alone(ANN))
    await door.enter(Principal.agent("bob")).write_pages(slice="mine", pages=[page()])
    assert [one.slice for one in await operator.slices()] == ["agent-bob"]
    await brain.write_pages(slice=ANNS, pages=[page()], origin=alone(ANN))
    assert [(one.slice, one.pages) for one in await operator.slices()] == [("agent-bob", 1), (ANNS, 1)]
    assert (await brain.slices()).items == ()
    assert [one.slice for one in await door.enter(Principal.agent("bob")).slices()] == ["agent-bob"]
