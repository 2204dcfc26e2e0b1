"""A brain put back from its backup, while chat and the gateway's desk are newer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copyfile

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.flows.click_words import INACTIVE
from sliceway.store.backup import copied
from tests.fakes.chat import Said
from tests.fakes.rig import AGENT, Rig
from tests.fakes.scripts import by_words


async def put_back(rig: Rig, backup: Path) -> None:
    """Stop everything, put a backup in the place of the brain's file, and start again on the same desk."""
    await rig.gateway.stop(0.0)
    await rig.desk.close()
    await rig.door.close()
    store = rig.folder / "brain.db"
    for ending in ("-wal", "-shm"):
        store.with_name(store.name + ending).unlink(missing_ok=True)
    copyfile(backup, store)
    rig.door = await open_local(f"sqlite:///{store}", sync="normal", clock=rig.clock, new_id=rig.new_id)
    await rig.start_again(later=rig.config.lease_s + 1)
    await rig.quiet()


def with_buttons(rig: Rig) -> list[Said]:
    """Return the cards that can be pressed."""
    return [said for said in rig.chat.cards() if said.card is not None and said.card.buttons]


async def test_ap3_ap11_a_restored_brain_and_a_newer_desk_go_on(rig: Rig, tmp_path: Path) -> None:
    """AP3, AP11: what waits by the backup can be decided in chat, what it does not know says so when pressed, nothing
    is posted twice, and what was saved before it is there."""
    rig.agent.script = by_words
    await rig.say("U1", "save build 2301")
    first = await rig.say("U1", "share the rotation moved to Mondays")
    (card,) = rig.chat.cards()
    with copied(rig.folder / "brain.db", tmp_path / "backup.db"):
        pass
    earlier = await rig.operator.head()
    await rig.press("UM1", card, "Approve")
    await rig.say("U1", "share the second thing", place=replace(first.place, thread="77.1"))
    unknown = with_buttons(rig)[0]
    younger = await rig.operator.head()

    await put_back(rig, tmp_path / "backup.db")

    assert (await rig.operator.verify(since=earlier)).ok
    behind = await rig.operator.verify(since=younger)
    assert not behind.ok
    assert {fault.slice for fault in behind.errors} >= {"shared"}
    (waits,) = (await rig.brain.proposals()).items
    assert waits.state is State.PENDING
    found = await rig.door.enter(Principal.agent(AGENT)).recall(query="2301")
    assert [hit.slug for hit in found.hits] == ["notes/rollback"]
    await rig.press("UM1", unknown, "Approve")
    assert INACTIVE in [said.text for said in rig.chat.seen_by("UM1")]
    assert len((await rig.brain.proposals()).items) == 1
    open_now = [said for said in with_buttons(rig) if said.buttons[0].value.split(".")[1] == waits.id]
    assert len(open_now) == 1
    await rig.press("UM1", open_now[0], "Approve")
    assert (await rig.brain.proposal(id=waits.id)).state is State.APPLIED
    assert with_buttons(rig) == []
    assert len(rig.chat.cards()) == 2
