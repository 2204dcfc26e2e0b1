"""What the keeper forgets by itself: what was deleted or came to nothing, and whose person left (BR10, OO8)."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.brain.keeper import Keeper
from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.ports import Brain, BrainDoor, NewId
from sliceway.ports.outcomes import ErasedIn
from sliceway.store.erasing import Chosen, erase_in
from sliceway.store.ledger import SliceTransaction
from tests.contract.conftest import store_of
from tests.contract.office import ANN, ANNS, MIA, alone, ask, gateway, page, settle, written
from tests.contract.test_erase import SLUG, marked, refused, secret
from tests.fakes.clock import HandClock


@pytest.fixture
def keeper(door: BrainDoor, clock: HandClock, new_id: NewId) -> Keeper:
    """A keeper of the open store, which keeps what was deleted for thirty days."""
    return Keeper(store_of(door).database, clock=clock, new_id=new_id, holder="one")


async def test_br10_what_was_deleted_is_erased_after_thirty_days(
    door: BrainDoor, ada: Brain, operator: Brain, keeper: Keeper, clock: HandClock
) -> None:
    """BR10: until then restoring gives back text, tags, links and history; then the page is as if it never was."""
    said = secret(content="Quetzals nest beneath [[kept]] ERR-4711")
    await ada.write_pages(slice="mine", pages=[page("kept", "stays"), said])
    before = await ada.read_page(slice="mine", slug=SLUG)
    await ada.delete(slice="mine", slug=SLUG)
    clock.advance("29d")
    assert (await keeper.run_once()).erased == 0
    await ada.restore(slice="mine", slug=SLUG)
    back = await ada.read_page(slice="mine", slug=SLUG)
    assert (back.content, back.tags, back.links) == (before.content, before.tags, before.links)
    assert len((await ada.versions(slice="mine", slug=SLUG)).items) == 3
    clock.advance("2d")
    assert (await keeper.run_once()).erased == 0
    await ada.delete(slice="mine", slug=SLUG)
    clock.advance("30d")
    done = await keeper.run_once()
    assert done.erased == 1
    assert marked(door) == set()
    assert await refused(ada.restore(slice="mine", slug=SLUG)) == "not_found"
    assert await refused(ada.versions(slice="mine", slug=SLUG)) == "not_found"
    assert (await ada.read_page(slice="mine", slug="kept")).content == "stays"
    assert (await operator.verify()).ok


async def test_br10_texts_that_came_to_nothing_are_erased_after_thirty_days(
    door: BrainDoor, operator: Brain, keeper: Keeper, clock: HandClock
) -> None:
    """BR10: of what was denied, taken back or expired, and of a sent draft; what was approved keeps its text."""
    await settle(door)
    brain = gateway(door)
    denied, expired = await ask(brain, secret()), await ask(brain, secret("n/2"), origin=alone(ANN))
    await brain.decide(id=denied.id, decision="deny", revision=1, decided_by=MIA, reason="Quetzals, no")
    sent = await ask(brain, secret("n/3"), origin=alone(ANN))
    await brain.send_draft(id=sent.id, revision=1, origin=alone(ANN))
    await written(brain)
    clock.advance("4d")
    assert (await keeper.run_once()).expired == 2
    clock.advance("30d")
    assert (await keeper.run_once()).erased == 1
    assert marked(door) == set()
    for one, state in ((denied, State.DENIED), (expired, State.EXPIRED), (sent, State.EXPIRED)):
        now = await brain.proposal(id=one.id, origin=alone(ANN))
        assert (now.state, now.pages, now.reason) == (state, (), None)
    approved = (await operator.proposals(state="applied")).items[0]
    assert approved.pages[0].draft is not None
    assert (await operator.verify()).ok
    await operator.rebuild()
    assert (await operator.verify()).ok


async def test_oo8_a_leavers_corner_waits_thirty_days_read_by_nobody(
    door: BrainDoor, operator: Brain, keeper: Keeper, clock: HandClock
) -> None:
    """OO8: meanwhile nobody reads it, drafts included; who returns has it again; else it is erased, once."""
    await settle(door)
    brain = gateway(door)
    who = {"team": ANN["team"], "user": ANN["user"]}
    await brain.write_pages(slice="user", pages=[secret()], origin=alone(ANN))
    draft = await ask(brain, secret("n/2"), origin=alone(ANN))
    await brain.observe(person={**who, "deactivated": True})
    assert await refused(brain.read_page(slice=ANNS, slug=SLUG, slices=[ANNS], origin=alone(ANN))) == "not_found"
    assert await refused(brain.proposal(id=draft.id, origin=alone(ANN))) == "not_found"
    assert await refused(operator.read_page(slice=ANNS, slug=SLUG)) == "not_found"
    clock.advance("29d")
    assert (await keeper.run_once()).expired == 1
    await brain.observe(person={**who, "deactivated": False})
    assert (await brain.read_page(slice=ANNS, slug=SLUG, slices=[ANNS], origin=alone(ANN))).slug == SLUG
    clock.advance("2d")
    assert (await keeper.run_once()).erased == 0
    await brain.observe(person={**who, "deactivated": True})
    clock.advance("30d")
    assert (await keeper.run_once()).erased >= 1
    assert marked(door) == set()
    clock.advance("2h")
    assert (await keeper.run_once()).erased == 0
    assert (await operator.verify()).ok


async def test_br10_the_keeper_finishes_an_erasure_that_a_crash_cut_short(
    door: BrainDoor, ada: Brain, operator: Brain, keeper: Keeper, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BR10 BR15: an erasure of several slices is several transactions; what a crash leaves is finished, by the keeper
    or by the same call again, and is on record without a word of it."""
    await settle(door)
    brain = gateway(door)
    await written(brain, SLUG, "first")
    await ask(brain, secret(), origin=alone(ANN))
    local = store_of(door).enter(Principal.operator("root"))

    def dies(tx: SliceTransaction, chosen: Chosen, **more: Any) -> ErasedIn:
        if tx.slice == ANNS:
            raise KeyboardInterrupt
        return erase_in(tx, chosen, **more)

    with monkeypatch.context() as patched:
        patched.setattr("sliceway.brain.eraser.erase_in", dies)
        with pytest.raises(KeyboardInterrupt):
            await local.erase(slice="shared", slug=SLUG, request_id="e1")
    assert await refused(operator.read_page(slice="shared", slug=SLUG)) == "not_found"
    assert "proposals.pages" in marked(door)
    assert (await keeper.run_once()).erased == 0
    clock.advance("31s")
    assert (await keeper.run_once()).erased == 1
    assert marked(door) == set()
    assert [each.slice for each in (await local.erase(slice="shared", slug=SLUG, request_id="e1")).slices] == [ANNS]
    assert (await operator.verify()).ok
