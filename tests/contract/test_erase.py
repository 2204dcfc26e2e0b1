"""Forgetting for good, on every engine: a page, a slice, a person, and what is left that is true (BR10, GT9, BR11)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select

from sliceway.brain.local import open_local
from sliceway.core.analysis import page_terms
from sliceway.core.card_making import record_for
from sliceway.core.pages import Author
from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.errors import IdempotencyConflict, NotFound, NotPermitted, SlicewayError
from sliceway.ports import Brain, BrainDoor
from sliceway.store.tables import metadata
from tests.contract.conftest import store_of
from tests.contract.office import ANN, ANNS, BEN, MIA, alone, ask, at, gateway, page, settle, written
from tests.contract.test_record import cut, exported, file_of
from tests.fakes.clock import HandClock, ids
from tests.fakes.stores import looked_at

SECRET = "Quetzals nest beneath Crème-Brûlée ERR-4711"
SLUG = "quetzals-nest"
STEMS = ("quetzal", "nest", "beneath", "creme", "brule", "err-4711")
"""What is left of each distinctive word of it once it is folded and stemmed."""


def secret(slug: str = SLUG, **more: Any) -> dict[str, Any]:
    """Return a page with the text that is to be forgotten in every field of it."""
    return page(
        slug, **{"content": SECRET, "title": SECRET, "summary": SECRET, "tags": ["quetzals"], "kind": "nest", **more}
    )


def marked(door: BrainDoor) -> set[str]:
    """Return the columns of the store in whose rows any word of the secret stands."""
    found = set()
    with looked_at(store_of(door).database) as session:
        for table in metadata.sorted_tables:
            for row in session.execute(select(table), of="*").mappings():
                said = {column.name: str(row[column.name]).lower() for column in table.columns}
                found |= {f"{table.name}.{name}" for name, text in said.items() if any(one in text for one in STEMS)}
    return found


async def refused(work: Any) -> str:
    """Return the code that a call is refused with."""
    with pytest.raises(SlicewayError) as error:
        await work
    return error.value.code


@pytest.fixture
async def admin(door: BrainDoor) -> Brain:
    """The brain as an admin has it."""
    return door.enter(Principal.admin())


async def _told_everywhere(door: BrainDoor) -> Brain:
    """Have the secret in every kind of row there is; return the brain of the gateway."""
    brain = gateway(door)
    await written(brain)
    await written(brain, SLUG, "Something else first.")
    asked = await brain.write_pages(slice="shared", pages=[secret()], origin=at(ANN, turn="t1"), request_id="r1")
    assert asked.proposal is not None
    await brain.decide(id=asked.proposal.id, decision="approve", revision=1, decided_by=MIA)
    denied = await ask(brain, secret(content=f"{SECRET} again"), origin=at(BEN))
    await brain.decide(id=denied.id, decision="deny", revision=1, decided_by=MIA, reason=f"not {SECRET}")
    await brain.propose(
        op="delete", slice="shared", slug=SLUG, reason=f"no {SECRET}", origin=at(ANN, thread="4.4"), request_id="r2"
    )
    await brain.propose(op="write", slice="shared", pages=[secret(content=f"{SECRET}!")], origin=alone(ANN))
    sent = await brain.propose(op="write", slice="shared", pages=[secret(content=f"{SECRET}?")], origin=alone(BEN))
    await brain.send_draft(id=sent.id, revision=1, origin=alone(BEN))
    return brain


async def test_br10_an_erased_page_is_in_no_row_and_no_answer(door: BrainDoor, admin: Brain) -> None:
    """BR10 BR11: its versions, index, proposals, drafts, answers and diffs are gone from every column; what waited is
    withdrawn; other pages stand; the chain verifies, and a rebuild and a move give the same."""
    assert all(any(one in term for term in _terms()) for one in STEMS[:4])
    operator = await settle(door)
    brain = await _told_everywhere(door)
    assert {"events.payload", "pages.content", "terms.term", "proposals.diff"} <= marked(door)
    before = await operator.read_page(slice="shared", slug="oncall")
    waits = [one for one in (await operator.proposals(state="pending")).items if one.pages[0].slug == SLUG]
    assert len(waits) == 2

    planned = await admin.erase(slice="shared", slug=SLUG, dry_run=True)
    assert (planned.dry_run, [each.pages for each in planned.slices]) == (True, [1, 0, 0])
    assert (await admin.read_page(slice="shared", slug=SLUG)).version == 2
    done = await admin.erase(slice="shared", slug=SLUG, request_id="e1")
    assert done.slices == planned.slices

    assert marked(door) == set()
    assert await refused(admin.read_page(slice="shared", slug=SLUG)) == "not_found"
    assert await refused(admin.read_page(slice="shared", slug=SLUG, as_of="2999-01-01")) == "not_found"
    assert await refused(admin.read_page(slice="shared", slug=SLUG, version=1)) == "not_found"
    assert await refused(admin.versions(slice="shared", slug=SLUG)) == "not_found"
    assert (await admin.recall(query=SECRET)).hits == ()
    said = await exported(operator)
    told = [str(said), str((await operator.audit(limit=200)).items), str((await operator.proposals()).items)]
    told += [str(await brain.done_in(turn="t1", origin=at(ANN))), str((await brain.changes(origin=alone(ANN))).items)]
    assert not any(one in text.lower() for text in told for one in STEMS)
    for one in waits:
        now = await operator.proposal(id=one.id)
        assert (now.state, now.pages, now.diff, now.events[-1].act) == (State.WITHDRAWN, (), (), "erased")
        card = record_for(now, await operator.policy(), datetime.now(UTC))
        assert card.warnings == ("Its text was erased.",)
        assert not any(one in card.fallback.lower() for one in STEMS)
    assert await operator.read_page(slice="shared", slug="oncall") == before
    assert (await operator.verify()).ok
    seen = await operator.read_page(slice="shared", slug="oncall"), (await operator.proposals()).items
    assert (await operator.rebuild()).ok
    assert seen == (await operator.read_page(slice="shared", slug="oncall"), (await operator.proposals()).items)
    assert (await operator.verify()).ok
    assert marked(door) == set()


def _terms() -> set[str]:
    who = Author("ada", None, None, "api", None)
    return set(page_terms(slug=SLUG, title=SECRET, content=SECRET, summary=None, tags=(), author=who, at="2026-01-01"))


async def test_br10_what_was_erased_comes_back_by_no_retry_and_its_versions_never(
    door: BrainDoor, ada: Brain, operator: Brain, admin: Brain
) -> None:
    """BR10 BR6: a late retry of the write that made it is refused; a new page of that name goes on counting, after a
    rebuild too, and reads, restores and takes back like any other."""
    await ada.write_pages(slice="mine", pages=[secret()], request_id="w1")
    await ada.write_pages(slice="mine", pages=[page(SLUG, "harmless")])
    await admin.erase(slice="agent-ada", slug=SLUG)
    assert await refused(ada.write_pages(slice="mine", pages=[secret()], request_id="w1")) == "idempotency_conflict"
    assert (await ada.list_pages(slice="mine")).items == ()
    await operator.rebuild()
    again = await ada.write_pages(slice="mine", pages=[page(SLUG, "new")])
    assert (again.receipts[0].version, again.receipts[0].action.value) == (3, "store")
    assert (await ada.read_page(slice="mine", slug=SLUG, version=3)).content == "new"
    assert await refused(ada.read_page(slice="mine", slug=SLUG, version=2)) == "not_found"
    undone = await ada.undo(slice="mine", slug=SLUG, expected_event=again.receipts[0].event_id)
    assert undone.receipts[0].version == 4
    assert (await operator.verify()).ok


async def test_gt9_only_who_administers_erases(door: BrainDoor, ada: Brain, operator: Brain, admin: Brain) -> None:
    """GT9 BR4 OP1: others are refused alike, whether there is such a page or not, and that is on record; nothing is
    erased. For an admin a page that never was is not found; one that was erased is answered again."""
    await ada.write_pages(slice="mine", pages=[secret()])
    reader = door.enter(Principal.reader(["shared"]))
    for brain in (ada, gateway(door), reader):
        for name, slug in (("agent-ada", SLUG), ("agent-ada", "never"), ("agent-bob", "never")):
            with pytest.raises(NotPermitted):
                await brain.erase(slice=name, slug=slug)
        with pytest.raises(NotPermitted):
            await brain.erase_slice(slice="shared")
        with pytest.raises(NotPermitted):
            await brain.erase_person(person=ANN)
    assert sum(act.act == "refused" for act in (await operator.audit(limit=200)).items) == 15
    assert (await ada.read_page(slice="mine", slug=SLUG)).content == SECRET
    for name in ("agent-ada", "agent-bob", ANNS):
        with pytest.raises(NotFound):
            await admin.erase(slice=name, slug="never")
    assert await refused(operator.erase(slice="_system", slug="x")) == "invalid_request"
    first = await admin.erase(slice="agent-ada", slug=SLUG, request_id="e1")
    assert await admin.erase(slice="agent-ada", slug=SLUG, request_id="e1") == first
    await ada.write_pages(slice="mine", pages=[page("other-page")])
    with pytest.raises(IdempotencyConflict):
        await admin.erase(slice="agent-ada", slug="other-page", request_id="e1")
    assert (await admin.erase(slice="agent-ada", slug=SLUG)).slices == ()
    acts = [act for act in (await operator.audit(limit=200)).items if act.act.startswith(("erasure", "content"))]
    assert {act.act for act in acts} >= {"erasure.begun", "content.erased", "erasure.erased"}
    assert all(act.author["by"] == "admin" and "quetzal" not in str(act.about) for act in acts)


async def test_br10_a_whole_slice_is_erased(door: BrainDoor, ada: Brain, operator: Brain) -> None:
    """BR10: all that was ever written in it, and drafts that would have come there; it begins anew, and what was erased
    one by one before is no trouble."""
    await settle(door)
    brain = await _told_everywhere(door)
    await written(brain, "quetzal-two", SECRET)
    await ada.write_pages(slice="mine", pages=[page("kept", "stays here")])
    await operator.erase(slice="shared", slug="quetzal-two")
    done = await operator.erase_slice(slice="shared")
    assert {each.slice for each in done.slices} >= {"shared", ANNS}
    assert marked(door) == set()
    assert (await operator.list_pages(slice="shared")).items == ()
    assert (await ada.read_page(slice="mine", slug="kept")).content == "stays here"
    assert (await operator.verify()).ok
    await operator.rebuild()
    assert (await operator.verify()).ok
    await written(brain, "oncall", "anew")
    assert (await operator.read_page(slice="shared", slug="oncall")).version == 1
    assert (await operator.erase_slice(slice="agent-never")).slices == ()


async def test_br10_a_person_is_erased_with_what_agents_hold_for_them(door: BrainDoor, operator: Brain) -> None:
    """BR10: their corner, pages that agents keep on their behalf, the texts of their proposals. What the team
    approved stays and is named, and so is what somebody else wrote over; others lose nothing."""
    await settle(door)
    brain, other = gateway(door), gateway(door, "bob")
    await brain.write_pages(slice="user", pages=[secret()], origin=alone(ANN))
    await other.write_pages(slice="agent-bob", pages=[secret()], origin=at(ANN))
    await other.write_pages(slice="agent-bob", pages=[page("bens", "Ben's")], origin=at(BEN))
    await other.write_pages(slice="agent-bob", pages=[page("both", "by Ann")], origin=at(ANN))
    await other.write_pages(slice="agent-bob", pages=[page("both", "by Ben")], origin=at(BEN))
    await written(brain, "rotation", "approved for Ann")
    lost = await ask(brain, secret("n/2"))
    await brain.propose(op="write", slice="shared", pages=[secret("n/3")], origin=alone(ANN))
    kept = await ask(brain, page("bens"), origin=at(BEN))
    done = await operator.erase_person(person=ANN)
    assert {each.slice for each in done.slices} == {ANNS, "agent-bob", "shared"}
    assert [(each.slice, each.slug) for each in done.stays] == [("shared", "rotation"), ("agent-bob", "both")]
    assert marked(door) == set()
    assert (await operator.proposal(id=lost.id)).state is State.WITHDRAWN
    assert (await operator.proposal(id=kept.id)).state is State.PENDING
    assert (await operator.read_page(slice="shared", slug="rotation")).content == "approved for Ann"
    found = await other.read_page(slice="agent-bob", slug="bens", slices=["agent-bob"], origin=at(BEN))
    assert found.content == "Ben's"
    again = await door.enter(Principal.admin()).erase_person(person=ANN, dry_run=True)
    assert [(each.slice, each.slug) for each in again.stays] == [("shared", "rotation"), ("agent-bob", None)]
    assert again.slices == ()
    assert (await operator.verify()).ok
    await operator.rebuild()
    assert (await operator.verify()).ok


async def test_br10_a_person_is_erased_from_the_mind_that_took_another_in(
    door: BrainDoor, operator: Brain, tmp_path: Any
) -> None:
    """BR10: what a merge copied is erased where it stands by now, twice over; where Ben wrote over it, it is named, and
    so is what a file says is theirs: a file's word erases nothing."""
    await settle(door)
    bob = gateway(door, "bob")
    await bob.write_pages(slice="agent-bob", pages=[secret()], origin=at(ANN))
    await bob.write_pages(slice="agent-bob", pages=[page("both", "by Ann"), page("bens", "Ben's")], origin=at(ANN))
    await bob.write_pages(slice="agent-bob", pages=[page("bens", "Ben's now")], origin=at(BEN))
    data = file_of(await exported(operator))
    for id, mind in (("ada", "bob"), ("zoe", "ada")):
        await operator.merge_agent(id=id, mind=mind)
    await gateway(door, "zoe").write_pages(slice="agent-zoe", pages=[page("both", "by Ben")], origin=at(BEN))
    done = await operator.erase_person(person=ANN)
    assert {each.slice for each in done.slices} == {"agent-ada", "agent-bob", "agent-zoe"}
    assert marked(door) == set()
    named = {(each.slice, each.slug) for each in done.stays}
    assert named == {("agent-zoe", "both"), *((name, "bens") for name in ("agent-ada", "agent-bob", "agent-zoe"))}
    assert (await operator.verify()).ok
    await operator.rebuild()
    assert (await operator.verify()).ok
    url = f"sqlite:///{tmp_path}/used.db"
    async with await open_local(url, clock=HandClock(), new_id=ids(10**6), sync="normal") as used:
        await used.enter(Principal.agent("eve")).write_pages(slice="mine", pages=[page("n")])
        there = used.enter(Principal.operator("root"))
        await there.import_(cut(data))
        told = await there.erase_person(person=ANN)
        assert (told.slices, {each.slug for each in told.stays}) == ((), {SLUG, "both", "bens"})
        assert all("imported" in each.why for each in told.stays)


async def test_br10_a_record_moves_without_what_was_erased(door: BrainDoor, operator: Brain, tmp_path: Any) -> None:
    """BR10 BR11: an export holds no text of it, and goes into an empty store as it is, and into a used one as one's
    own."""
    await settle(door)
    await _told_everywhere(door)
    await operator.erase(slice="shared", slug=SLUG)
    data = file_of(await exported(operator))
    assert not any(one.encode() in data.lower() for one in STEMS)
    for used in (False, True):
        url = f"sqlite:///{tmp_path}/moved-{used}.db"
        async with await open_local(url, clock=HandClock(), new_id=ids(10**6), sync="normal") as moved:
            there = moved.enter(Principal.operator("root"))
            if used:
                await moved.enter(Principal.agent("zoe")).write_pages(slice="mine", pages=[page("n")])
            report = await there.import_(cut(data))
            assert (report.restored, report.refused) == (not used, 0)
            assert (await there.verify()).ok
            assert (await there.read_page(slice="shared", slug="oncall")).version == 1
            assert await refused(there.read_page(slice="shared", slug=SLUG)) == "not_found"
            if not used:
                await written(gateway(moved), SLUG, "new")
                assert (await there.read_page(slice="shared", slug=SLUG)).version == 3
