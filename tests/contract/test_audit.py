"""The audit: every act that is no plain read, told without values, to those it concerns (OP1)."""

from __future__ import annotations

from typing import Any

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


RIGHTS: list[tuple[Principal, str, dict[str, Any], dict[str, Any]]] = [
    (Principal.agent("ada"), "tokens", {}, {"limit": 0}),
    (Principal.reader(["shared"]), "create_token", {"kind": "admin"}, {"kind": "nonsense"}),
    (Principal.agent("ada"), "rotate_token", {"id": "x"}, {"id": ""}),
    (Principal.agent("ada"), "revoke_token", {"id": "x"}, {"id": 7}),
    (Principal.agent("ada"), "set_policy", {"dm": "off"}, {"dm": "sometimes"}),
    (Principal.gateway("ada", teams=["T1"]), "verify", {}, {"since": {"shared": "no hash"}}),
    (Principal.reader(["shared"]), "head", {}, {}),
    (Principal.agent("ada"), "claim_card", {"id": "x", "place": "p", "holder": "h", "lease_s": 1.0}, {"lease_s": -1.0}),
    (Principal.agent("ada"), "card_posted", {"id": "x", "place": "p", "holder": "h", "ref": "r"}, {"ref": ""}),
    (
        Principal.agent("ada"),
        "claim_card",
        {"id": "x", "place": "p", "holder": "h", "lease_s": 1.0},
        {"origin": {"nobody": 1}},
    ),
    (Principal.agent("ada"), "recall", {"query": "x", "origin": at(ANN)}, {"query": ""}),
    (Principal.admin(), "read_page", {"slice": "shared", "slug": "x", "origin": at(ANN)}, {"slug": "X"}),
    (Principal.agent("ada"), "list_pages", {"origin": at(ANN)}, {"limit": 0}),
    (Principal.agent("ada"), "proposals", {"origin": at(ANN)}, {"origin": {"nobody": 1}}),
    (Principal.agent("ada"), "done_in", {"turn": "t", "origin": at(ANN)}, {"turn": ""}),
    (Principal.agent("ada"), "write_pages", {"slice": "mine", "pages": [page()], "origin": at(ANN)}, {"pages": []}),
]
"""Who has no such right, and the call: well made, and what is wrong with its form in another try."""


@pytest.mark.parametrize(("who", "name", "well", "wrong"), RIGHTS, ids=[row[1] for row in RIGHTS])
async def test_op1_whoever_lacks_the_right_is_recorded_and_a_call_of_no_form_is_no_act(
    door: BrainDoor, who: Principal, name: str, well: dict[str, Any], wrong: dict[str, Any]
) -> None:
    """OP1 BR1: with or without a wire the form of a call is judged first, the same for everybody, and is no event; then
    the right, and a refusal is one event, reads of those without it included."""
    operator = await settle(door)
    brain = door.enter(who)
    before = len((await operator.audit(limit=200)).items)
    if wrong:
        with pytest.raises(InvalidRequest):
            await getattr(brain, name)(**{**well, **wrong})
        assert len((await operator.audit(limit=200)).items) == before
    with pytest.raises(NotPermitted):
        await getattr(brain, name)(**well)
    acts = (await operator.audit(limit=200)).items
    assert len(acts) == before + 1
    assert (acts[0].act, acts[0].about["code"], acts[0].author["agent"]) == ("refused", "not_permitted", who.agent_id)
