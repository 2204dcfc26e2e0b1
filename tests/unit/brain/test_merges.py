"""A merge that is broken off anywhere, done by two at once, or taken back in the middle (ID12, BR12, BR15)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from sliceway.brain.local import LocalBrain, LocalDoor, open_local
from sliceway.core.pages import Author, PageDraft
from sliceway.core.principals import Principal
from sliceway.core.proposals import ProposedPage
from sliceway.errors import Conflict
from sliceway.ports import NewId
from sliceway.store import merges, pages
from sliceway.store.ledger import slice_transaction
from tests.contract.people import ANN
from tests.fakes import stores
from tests.fakes.clock import HandClock
from tests.fakes.trace import traced

COUNT = 7


class Killed(Exception):
    """The process ended here."""


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a step of every two events, so that a merge has several."""
    monkeypatch.setattr(merges, "IN_ONE", 2)


async def minds(door: LocalDoor) -> LocalBrain:
    """Have two minds with pages of the same and of other names; return the operator's brain."""
    for agent in ("old", "new"):
        brain = door.enter(Principal.agent(agent))
        for number in range(COUNT if agent == "old" else 2):
            await brain.write_pages(
                slice="mine", pages=[{"slug": f"n/{number}", "content": f"note {number} of {agent}"}]
            )
    await door.enter(Principal.agent("old")).write_pages(slice="mine", pages=[{"slug": "n/5", "content": "note anew"}])
    return door.enter(Principal.operator("op"))


async def texts(door: LocalDoor, agent: str) -> list[str]:
    """Return all that an agent finds."""
    brain = door.enter(Principal.agent(agent))
    found = (await brain.list_pages(limit=200)).items
    return sorted([(await brain.read_page(slice=one.slice, slug=one.slug)).content for one in found])


async def merged(door: LocalDoor) -> None:
    """Hold a store against what a whole merge leaves: each text once, in the one mind, and a record that verifies."""
    wanted = [f"note {number} of old" for number in range(COUNT) if number != 5]
    assert await texts(door, "new") == sorted([*wanted, "note anew", "note 0 of new", "note 1 of new"])
    assert {one.slice for one in (await door.enter(Principal.agent("new")).list_pages()).items} == {"agent-new"}
    history = await door.enter(Principal.agent("new")).versions(slice="agent-new", slug="n/5")
    assert [entry.version for entry in history] == [2, 1]
    assert (await door.enter(Principal.operator("op")).verify()).ok


@pytest.mark.parametrize("after", range(1, 7))
async def test_id12_a_merge_that_was_killed_goes_on(
    door: LocalDoor, clock: HandClock, new_id: NewId, monkeypatch: pytest.MonkeyPatch, after: int, tmp_path: Path
) -> None:
    """ID12 BR12: killed before any of its transactions, a merge leaves every page readable, and the same call ends it:
    no page is lost and none is there twice."""
    operator = await minds(door)
    writing, left = door.store.writing, after

    async def dies(work: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        return await writing(work)  # type: ignore[arg-type]

    monkeypatch.setattr(door.store, "writing", dies)
    with pytest.raises(Killed):
        await operator.merge_agent(id="new", mind="old")
    async with await open_local(f"sqlite:///{tmp_path}/s.db", sync="normal", clock=clock, new_id=new_id) as again:
        assert set(await texts(again, "new")) >= {"note 0 of old", "note 0 of new", "note anew"}
        assert await texts(again, "old") == []
        done = await again.enter(Principal.operator("op")).merge_agent(id="new", mind="old")
        assert done.outcome == "changed"
        await merged(again)


async def test_br12_two_who_merge_at_once_merge_once(door: LocalDoor) -> None:
    """BR12 BR15: two calls at the same time come to one merge; every transaction writes one slice."""
    operator = await minds(door)
    with traced(door.database) as trace:
        await asyncio.gather(*(operator.merge_agent(id="new", mind="agent-old") for _ in range(2)))
    assert all(len(written) <= 1 for written in trace.written)
    await merged(door)


async def test_id12_of_two_that_want_one_mind_one_gets_it(door: LocalDoor) -> None:
    """ID12 SC9: an alias and a merge to different agents, asked for at once: one is done, the other refused."""
    operator = await minds(door)
    done = await asyncio.gather(
        operator.merge_agent(id="new", mind="old"), operator.alias_agent(id="third", alias="old"),
        operator.rename_agent(id="old", to="fourth"), return_exceptions=True,
    )  # fmt: skip
    assert sorted(isinstance(one, Conflict) for one in done) == [False, True, True]
    readers = [agent for agent in ("new", "third", "fourth") if "note 3 of old" in await texts(door, agent)]
    assert len(readers) == 1


async def test_id12_a_merge_taken_back_meanwhile_is_gone(door: LocalDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    """ID12: taken back while it runs, a merge ends with a refusal, and both minds are as they were."""
    operator = await minds(door)
    before = [await texts(door, agent) for agent in ("old", "new")]
    taken = merges.take_events
    backs: list[asyncio.Task[object]] = []
    loop = asyncio.get_running_loop()

    async def back() -> object:
        return await operator.merge_agent(id="new", mind="old", undo=True)

    def takes(*arguments: object) -> object:
        if not backs:
            loop.call_soon_threadsafe(lambda: backs.append(asyncio.create_task(back())))
        return taken(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(merges, "take_events", takes)
    with suppress(Conflict):
        await operator.merge_agent(id="new", mind="old")
    await backs[0]
    assert [await texts(door, agent) for agent in ("old", "new")] == before
    assert (await operator.merge_agent(id="new", mind="old", undo=True)).outcome == "nochange"
    assert (await operator.verify()).ok


async def test_br11_what_became_of_agents_is_rebuilt_from_the_ledger(door: LocalDoor) -> None:
    """BR11 ID12: aliases, tokens, acts and merged pages are made again from the events alone, and verify."""
    operator = await minds(door)
    await operator.merge_agent(id="new", mind="old")
    await operator.rename_agent(id="new", to="newer")
    await operator.retire_agent(id="newer")
    await operator.retire_agent(id="newer", undo=True)
    before = await texts(door, "newer"), (await operator.agents()).items, await operator.policy()
    assert (await operator.rebuild()).ok
    assert (await texts(door, "newer"), (await operator.agents()).items, await operator.policy()) == before
    assert (await operator.verify()).ok


async def test_sc15_the_mind_of_a_single_agent_brain_is_taken_over(
    door: LocalDoor, clock: HandClock, new_id: NewId
) -> None:
    """SC15 ID12: the reserved slice `agent`, which nobody may write, is taken into an agent's own by one call, after a
    dry run that says how much it is; until then it is read as an alias, and afterwards by nobody."""
    operator, ada = door.enter(Principal.operator("op")), door.enter(Principal.agent("ada"))
    with (
        stores.written(door.database, "agent") as session,
        slice_transaction(session, "agent", clock=clock, new_id=new_id) as tx,
    ):
        draft = PageDraft("n", "the rollback target", title="Rollback")
        pages.apply(tx, "write", ProposedPage("n", None, draft), pages.Signature(Author("bot", None, ANN, "slack")))
    await operator.alias_agent(id="ada", alias="agent")
    assert [hit.slice for hit in (await ada.recall(query="rollback")).hits] == ["agent"]
    told = await operator.merge_agent(id="ada", mind="agent", dry_run=True)
    assert (told.outcome, told.pages, told.agent) == ("would_change", 1, None)
    await operator.merge_agent(id="ada", mind="agent")
    (hit,) = (await ada.recall(query="rollback")).hits
    assert (hit.slice, hit.author.shown) == ("agent-ada", "bot (imported)")
    await operator.merge_agent(id="ada", mind="agent", undo=True)
    assert [hit.slice for hit in (await ada.recall(query="rollback")).hits] == ["agent"]
    assert (await operator.verify()).ok
