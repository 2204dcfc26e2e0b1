"""Every act of approval is written in transactions of one slice each (BR15)."""

from __future__ import annotations

import pytest

from sliceway.brain.embedding import EmbeddingWorker
from sliceway.brain.keeper import Keeper
from sliceway.brain.local import LocalDoor
from sliceway.errors import NotEligible, NotPending
from sliceway.ports import NewId
from tests.contract.office import ANN, ANNS, BEN, MIA, TEAM, alone, ask, at, gateway, page, settle, written
from tests.fakes.clock import HandClock
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.trace import traced


async def test_br15_every_act_writes_rows_of_one_slice_a_transaction(
    door: LocalDoor, clock: HandClock, new_id: NewId
) -> None:
    """BR15: asking, drafting, sending, deciding, superseding, granting, claiming, refusing, keeping, embedding: one
    slice each; a send is two transactions, the owner's first."""
    with traced(door.database) as trace:
        operator = await settle(door)
        brain = gateway(door)
        await brain.register(display="Ada")
        draft = await ask(brain, page("d"), origin=alone(ANN))
        before = len(trace.written)
        await brain.send_draft(id=draft.id, revision=1, origin=alone(ANN))
        assert trace.written[before:] == [{ANNS}, {"shared"}]
        asked = await ask(brain)
        await brain.claim_card(id=asked.id, place="p", holder="g", lease_s=5)
        await brain.card_posted(id=asked.id, place="p", holder="g", ref="1")
        with pytest.raises(NotEligible):
            await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=BEN)
        await written(gateway(door, "bob"))
        with pytest.raises(NotPending):
            await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
        other = await ask(brain, page("o"))
        done = await brain.decide(id=other.id, decision="approve", revision=1, decided_by=MIA, grant_seconds=60)
        await brain.write_pages(slice="shared", pages=[page("under-a-grant")], origin=at(ANN))
        assert done.grant is not None
        await brain.revoke_grant(id=done.grant.id, by=ANN)
        await brain.set_trust(team=TEAM, channel="C1", trust="unknown", by=MIA)
        await brain.observe(place={"team": TEAM, "channel": "C2", "external": True})
        await brain.report_denial(op="write", slice="agent-bob", origin={**at(BEN), "turn": "t"})
        await ask(brain, page("late"), origin=alone(ANN))
        clock.advance("72h")
        keeper = Keeper(door.database, clock=clock, new_id=new_id, holder="k")
        assert (await keeper.run_once()).expired == 3
        worker = EmbeddingWorker(door.store, FakeEmbedder(), clock=clock, new_id=new_id, holder="w")
        assert (await worker.run_once()).embedded > 1
    assert trace.unkeyed == []
    assert all(len(slices) <= 1 for slices in trace.written), trace.written
    assert (await operator.verify()).ok
