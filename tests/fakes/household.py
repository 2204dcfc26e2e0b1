"""A store with a row in every table: minds, a corner, `shared`, reference, and what can happen there."""

from __future__ import annotations

from pathlib import Path

from sliceway.brain.embedding import EmbeddingWorker
from sliceway.brain.local import LocalDoor
from sliceway.core.principals import Principal
from sliceway.ports import NewId
from tests.contract.office import ANN, BEN, MIA, alone, ask, at, gateway, page, settle, written
from tests.fakes.clock import HandClock
from tests.fakes.embedder import FakeEmbedder


async def fill(door: LocalDoor, clock: HandClock, new_id: NewId, folder: Path) -> None:
    """Live in a store until every table has a row, and each of two minds, a corner and `shared` have some.

    :param folder: is mounted as reference; it need not hold anything.
    """
    operator = await settle(door)
    ours = gateway(door)
    await ours.register(display="Ada")
    for agent in ("ada", "bob"):
        brain = door.enter(Principal.agent(agent))
        pages = [page(f"t/{number}", f"what {agent} knows é日本, see [[other]]", tags=["t", "ü"]) for number in (1, 2)]
        await brain.write_pages(slice="mine", pages=pages, request_id=f"r-{agent}")
        await brain.write_pages(slice="mine", pages=[page("lost", "soon forgotten")])
        await operator.erase(slice=f"agent-{agent}", slug="lost")
    await written(ours)
    await written(ours, "next", "After [[oncall]] \t comes 2301.5 «zwei»\n")
    await written(ours, "lost", "soon forgotten")
    await operator.erase(slice="shared", slug="lost")
    granted = await ask(ours, page("t/1", "under a grant"), origin=at(BEN, thread="3.3"))
    await ours.decide(id=granted.id, decision="approve", revision=1, decided_by=MIA, grant_seconds=600)
    waits = await ask(ours, page("oncall", "Tuesdays!"), origin=at(ANN, turn="t1"))
    await ours.claim_card(id=waits.id, place="C1", holder="one", lease_s=30)
    denied = await ask(ours, page("no"), origin=at(BEN))
    await ours.decide(id=denied.id, decision="deny", revision=1, decided_by=MIA, reason="not «this»")
    await ours.write_pages(slice="user", pages=[page("p/1", "private"), page("p/2")], origin=alone(ANN), request_id="r")
    await ours.propose(op="write", slice="shared", pages=[page("d", "drafted")], origin=alone(ANN))
    await ours.set_trust(team="T1", channel="C7", trust="trusted", by=MIA)
    await ours.observe(place={"team": "T1", "channel": "C8", "guests": True})
    await ours.observe(person={"team": "T1", "user": "UGONE", "deactivated": True})
    made = await operator.create_token(kind="gateway", agent="ada", teams=["T1"])
    await operator.rotate_token(id=made.entry.id)
    await operator.create_token(kind="reader", slices=["shared"])
    for agent in ("old", "zoe"):
        await door.enter(Principal.agent(agent)).write_pages(
            slice="mine", pages=[page("o/1", "of [[o/2]]"), page("o/2")]
        )
    await operator.alias_agent(id="ada", alias="old")
    await operator.mount(label="book", folder=str(folder))
    await EmbeddingWorker(door.store, FakeEmbedder(), clock=clock, new_id=new_id, holder="one").run_once()
