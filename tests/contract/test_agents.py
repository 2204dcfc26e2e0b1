"""The agents of a brain: registered once, without a slice, found by who may see them (ID3, ID8)."""

from __future__ import annotations

import pytest

from sliceway.brain.local import LocalBrain
from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, NotPermitted
from sliceway.ports import BrainDoor
from tests.contract.office import gateway, page, settle


async def test_id3_registering_again_is_the_same_answer_and_makes_no_slice(door: BrainDoor) -> None:
    """ID3, SC12: twice is one agent with the first time; its mind is made by its first write alone."""
    operator = await settle(door)
    brain = gateway(door)
    first = await brain.register(display="Ada", source="env")
    assert (first.id, first.display, first.slice, first.source) == ("ada", "Ada", "agent-ada", "env")
    assert await brain.register(display="Ada", source="env") == first
    assert await door.enter(Principal.agent("ada")).register() == first
    assert (await operator.slices()).items == ()
    assert [act.act for act in (await operator.audit()).items].count("agent.registered") == 1


async def test_id8_a_display_name_is_cleaned(door: BrainDoor) -> None:
    """ID8: no control characters, no escapes, at most 64 characters; a name of nothing else is no name."""
    await settle(door)
    brain = gateway(door)
    assert (await brain.register(display="\x1b[31mAda\n\u202eX" + "y" * 90)).display == "[31mAda X" + "y" * 55
    assert (await door.enter(Principal.agent("bob")).register(display="\u202e\n")).display is None


async def test_br2_who_sees_which_agents(door: BrainDoor) -> None:
    """BR2: one's own entry; all of them to those who decide, administer or operate; only agents register."""
    operator = await settle(door)
    for name in ("bob", "ada"):
        await gateway(door, name).register()
    for seer in (gateway(door), operator, door.enter(Principal.admin())):
        assert [one.id for one in await seer.agents()] == ["ada", "bob"]
    for seer in (gateway(door, decides=False), door.enter(Principal.agent("ada"))):
        assert [one.id for one in await seer.agents()] == ["ada"]
    reader = door.enter(Principal.reader(["shared"]))
    assert (await reader.agents()).items == ()
    for caller in (operator, reader):
        with pytest.raises(NotPermitted):
            await caller.register()


async def test_id3_the_agent_of_a_command_that_names_none(door: BrainDoor) -> None:
    """ID3: `default` in an empty store, the only registered one, and refused where there are several or a past."""
    operator = await settle(door)
    assert isinstance(operator, LocalBrain)
    assert await operator.only_agent() == "default"
    await door.enter(Principal.agent("coder")).write_pages(slice="mine", pages=[page()])
    with pytest.raises(InvalidRequest):
        await operator.only_agent()
    await gateway(door, "bob").register()
    assert await operator.only_agent() == "bob"
    await gateway(door, "ada").register()
    with pytest.raises(InvalidRequest, match="ada, bob"):
        await operator.only_agent()
