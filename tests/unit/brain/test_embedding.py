"""The queue of what is to be embedded: what is in it, who works on it, what becomes of pages meanwhile."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Sequence

import pytest

from sliceway.brain.embedding import EmbeddingWorker, Round
from sliceway.brain.local import LocalBrain, LocalDoor
from sliceway.core.access import OutsideAccess, embedding, opening
from sliceway.core.principals import Principal
from sliceway.core.turns import Person
from sliceway.errors import Unavailable
from sliceway.ports import NewId
from sliceway.ports.embedder import Vector
from sliceway.store import vectors
from sliceway.store.matrix import Matrices
from sliceway.store.session import Session
from tests.contract.people import in_channel
from tests.fakes.clock import HandClock
from tests.fakes.embedder import FakeEmbedder

MINE = "agent-ada"


async def put(brain: LocalBrain, **texts: str) -> None:
    """Write pages to the agent's mind."""
    await brain.write_pages(slice="mine", pages=[{"slug": slug, "content": text} for slug, text in texts.items()])


def rows(door: LocalDoor, statement: str) -> list[tuple[object, ...]]:
    """Look at the file."""
    assert door.database.file is not None
    with sqlite3.connect(door.database.file) as raw:
        found = raw.execute(statement).fetchall()
    raw.close()
    return found


async def test_fr3_what_is_written_waits_until_it_is_embedded(
    door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker, model: FakeEmbedder
) -> None:
    """FR3 BR11: live pages without vectors are the queue; a round takes it, then nothing is left and nothing is
    written; the record verifies at each step."""
    await put(ada, a="holiday", b="budget", c="gone")
    await ada.delete(slice="mine", slug="c")
    operator = door.enter(Principal.operator("op"))
    assert (await worker.pending(), (await operator.verify()).ok) == (2, True)
    assert await worker.run_once() == Round(2)
    assert (await worker.pending(), (await operator.verify()).ok) == (0, True)
    assert sorted(model.seen) == ["budget", "holiday"]
    before = rows(door, "SELECT vectors FROM slices")
    assert await worker.run_once() == Round(0)
    assert rows(door, "SELECT vectors FROM slices") == before


async def test_br10_a_page_that_changes_or_leaves_loses_its_vectors_at_once(
    door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker
) -> None:
    """BR10 FR3: no vector of an older version is left after a write, a deletion, a restore or an undo, and what lives
    is in the queue again."""
    await put(ada, a="one", b="two")
    await worker.run_once()
    await put(ada, a="one and more")
    assert rows(door, "SELECT doc FROM vectors") == rows(door, "SELECT doc FROM pages WHERE slug = 'b'")
    [receipt] = (await ada.delete(slice="mine", slug="b")).receipts
    assert (rows(door, "SELECT * FROM vectors"), await worker.pending()) == ([], 1)
    await ada.undo(slice="mine", slug="b", expected_event=receipt.event_id)
    assert await worker.run_once() == Round(2)
    await ada.restore(slice="mine", slug="a", version=1)
    assert (len(rows(door, "SELECT * FROM vectors")), await worker.pending()) == (1, 1)


async def test_fr3_a_page_that_changes_while_it_is_embedded_keeps_no_vector(
    door: LocalDoor, ada: LocalBrain, clock: HandClock, new_id: NewId
) -> None:
    """FR3: what the model was given is held against what stands; the page stays in the queue."""

    class Slow(FakeEmbedder):
        async def embed_pages(self, texts: Sequence[str]) -> Sequence[Vector]:
            if not self.seen:
                await put(ada, a="newer")
            return await super().embed_pages(texts)

    await put(ada, a="older", b="same")
    worker = EmbeddingWorker(door.store, Slow(), clock=clock, new_id=new_id, holder="one")
    assert (await worker.run_once(), await worker.pending()) == (Round(1), 1)
    assert await worker.run_once() == Round(1)


async def test_fr3_another_model_embeds_everything_anew(
    door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker, clock: HandClock, new_id: NewId
) -> None:
    """FR3 BR11: after the model changed every page waits, no vector of the old one is left, and rebuilding leaves none
    at all."""
    await put(ada, **{f"p{at}": f"note {at}" for at in range(20)})
    await worker.run_once()
    clock.advance("2m")
    other = EmbeddingWorker(door.store, FakeEmbedder("fake-2"), clock=clock, new_id=new_id, holder="two")
    assert await other.pending() == 20
    while await other.pending():
        await other.run_once()
    assert rows(door, "SELECT DISTINCT model FROM vectors") == [("fake-2",)]
    operator = door.enter(Principal.operator("op"))
    assert (await operator.verify()).ok
    await operator.rebuild()
    assert (rows(door, "SELECT * FROM vectors"), await other.pending(), (await operator.verify()).ok) == ([], 20, True)


async def test_fr3_two_models_do_not_undo_each_other(
    door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker, clock: HandClock, new_id: NewId
) -> None:
    """FR3 FR7 BR11: while a process embeds with one model, one with another makes nothing, says why, and `/readyz` can;
    once the first is gone it takes all over, and the first stands back in turn. No slice has vectors of both."""
    other = EmbeddingWorker(door.store, FakeEmbedder("fake-2"), clock=clock, new_id=new_id, holder="two")
    await put(ada, a="one")
    assert await worker.run_once() == Round(1)
    clock.advance("90s")
    assert await worker.run_once() == Round()  # idle, and there
    clock.advance("90s")
    with pytest.raises(Unavailable, match="fake-1"):
        await other.run_once()
    assert (await worker.other(), await other.other()) == (None, "fake-1")
    clock.advance("30s")
    assert await other.run_once() == Round()
    assert await other.run_once() == Round(1)
    await put(ada, b="two")
    with pytest.raises(Unavailable, match="fake-2"):
        await worker.run_once()

    def waiting(session: Session) -> vectors.Waiting:
        session.enter(embedding())
        return vectors.waiting(session, after=None, limit=1)[0]

    page = await door.store.reading(waiting)

    def late(session: Session) -> int:
        session.enter(embedding(MINE))
        return vectors.put(session, MINE, "fake-1", [(page, [b"1234"])], "late")

    assert await door.store.writing(late) == 0  # what it had under way when its time was over
    assert rows(door, "SELECT DISTINCT model FROM vectors") == [("fake-2",)]
    assert (await door.enter(Principal.operator("op")).verify()).ok


async def test_fr3_long_pages_are_embedded_by_passages_after_who_said_them(
    door: LocalDoor, worker: EmbeddingWorker, model: FakeEmbedder
) -> None:
    """FR3: each passage of a long page has a vector, and each is told with the name of its person and the title."""
    gateway = door.enter(Principal.gateway("ada", teams=["T1"], acts_for=True))
    said = "Ann likes long walks in the evening. " * 60
    await door.enter(Principal.operator("op")).set_policy(teams=["T1"])
    ann = in_channel(Person("T1", "U-ANN", name="Ann"))
    page = {"slug": "long", "title": "Walks", "content": said}
    await gateway.write_pages(slice="agent-ada", pages=[page], origin=ann)
    await worker.run_once()
    assert len(model.seen) > 1
    assert all(text.startswith("Ann: Walks\n") for text in model.seen)
    assert rows(door, "SELECT embedded FROM pages") == [(len(model.seen),)]


async def test_fr7_a_page_that_the_model_refuses_holds_up_no_other(
    door: LocalDoor, ada: LocalBrain, clock: HandClock, new_id: NewId
) -> None:
    """FR7: an outage leaves the queue as it is; a single page that is refused is passed by."""

    class Picky(FakeEmbedder):
        async def embed_pages(self, texts: Sequence[str]) -> Sequence[Vector]:
            if "poison" in texts:
                raise Unavailable("refused")
            return await super().embed_pages(texts)

    await put(ada, a="fine", b="poison", c="good")
    model = Picky()
    worker = EmbeddingWorker(door.store, model, clock=clock, new_id=new_id, holder="one")
    for _ in range(6):
        try:
            await worker.run_once()
        except Unavailable:
            continue
    assert rows(door, "SELECT slug FROM pages WHERE embedded IS NULL") == [("b",)]


async def test_fr7_an_outage_is_told_once_and_waited_out(
    door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker, model: FakeEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    """FR7 OP3: while the model does not answer the pauses grow, the log says it once and quotes nobody; then the queue
    is taken."""
    caplog.set_level(logging.INFO)
    await put(ada, a="holiday")
    model.broken = True
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        model.broken = len(pauses) < 4
        if len(pauses) == 7:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await worker.run(sleep=sleep)
    assert pauses == [0.5, 1.0, 2.0, 4.0, 0, 0.5, 0.5]
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    assert "holiday" not in caplog.text
    assert model.seen == ["holiday"]


async def test_fr3_one_process_embeds_at_a_time(
    door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker, clock: HandClock, new_id: NewId
) -> None:
    """FR3: whoever has the lease works; another takes it over once it ran out."""
    other = EmbeddingWorker(door.store, FakeEmbedder(), clock=clock, new_id=new_id, holder="two")
    await put(ada, a="one")
    assert await worker.run_once() == Round(1)
    await put(ada, b="two")
    assert await other.run_once() == Round(0, held=False)
    clock.advance("2m")
    assert await other.run_once() == Round(1)


async def test_fr10_the_queue_is_found_by_its_index(door: LocalDoor, ada: LocalBrain) -> None:
    """FR10: looking for what waits, or whether anything does, goes through the index of just that."""
    seen: list[str] = []

    def work(session: Session) -> None:
        session.enter(embedding())
        raw = session._connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        raw.set_trace_callback(seen.append)
        vectors.waiting(session, after=(MINE, 3), limit=5)
        vectors.standing(session, [MINE, "shared"])
        vectors.count_waiting(session, "fake-1")
        raw.set_trace_callback(None)

    await put(ada, a="one")
    await door.store.reading(work)
    plans = [row[3] for each in seen for row in rows(door, f"EXPLAIN QUERY PLAN {each}")]
    assert len(seen) == 4
    assert [plan for plan in plans if str(plan).startswith(("SCAN pages", "SEARCH pages"))]
    assert all("INDEX pages_to_embed" in str(plan) for plan in plans if "pages" in str(plan).split()[1])


async def test_br4_a_matrix_is_that_of_the_rows_and_of_the_session_alone(
    door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker, model: FakeEmbedder
) -> None:
    """BR4 FR3: a matrix brought on is the one read anew, after each kind of change; it is not given to a session that
    may not read the slice, nor of another model; what is over the bound is not kept."""
    kept, small = Matrices(model.key), Matrices(model.key, most_bytes=1)

    def both(session: Session) -> None:
        session.enter(embedding())
        stands = vectors.standing(session, [MINE, "shared"])
        brought, anew = (one.of(session, stands)[MINE] for one in (kept, Matrices(model.key)))
        query = model.vector("holiday money")
        told = dict(zip(brought.docs.tolist(), brought.cosines(query)[1].tolist(), strict=True))
        assert told == pytest.approx(dict(zip(anew.docs.tolist(), anew.cosines(query)[1].tolist(), strict=True)))
        assert brought.versions == anew.versions
        assert small.of(session, stands)[MINE].docs.tolist() == sorted(told)
        assert (len(small._kept), Matrices("other").of(session, stands)) == (0, {})
        assert session.enter(embedding()).covers([MINE])

    await put(ada, a="holiday", b="money " * 900, c="car")
    for change in ("put", "change", "delete", "nothing"):
        if change == "put":
            await put(ada, d="vacation " * 500, e="cost")
        elif change == "change":
            await put(ada, b="price", d="leave " * 700)
        elif change == "delete":
            await ada.delete(slice="mine", slug="a")
        await worker.run_once()
        await door.store.reading(both)

    def outside(session: Session) -> None:
        stands = {MINE: vectors.Standing(model.key, kept._kept[MINE].state, 3, False)}
        session.enter(opening())
        kept.of(session, stands)

    with pytest.raises(OutsideAccess):
        await door.store.reading(outside)


async def test_fr3_the_page_before_counts_in_what_a_page_means(
    door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker, model: FakeEmbedder
) -> None:
    """FR3: a page follows the one it names, else the last one of its folder, whatever is written in between; what left
    counts no more."""
    listed = [("d1/1", "holiday"), ("d2/1", "money"), ("d1/2", "yes"), ("d2/2", "no"), ("d1/3", "yes"), ("e/1", "z")]
    pages = [{"slug": slug, "content": text} for slug, text in listed]
    pages[-1]["after"] = "d1/1"
    await ada.write_pages(slice="mine", pages=pages)
    await worker.run_once()
    slugs = {one[0]: str(one[1]) for one in rows(door, "SELECT doc, slug FROM pages")}
    followed = {slugs[doc]: slugs.get(to) for doc, to in rows(door, "SELECT doc, before FROM vectors")}
    assert followed == {"d1/1": None, "d2/1": None, "d1/2": "d1/1", "d2/2": "d2/1", "d1/3": "d1/2", "e/1": "d1/1"}

    kept = Matrices(model.key)

    def meaning(session: Session) -> dict[object, float]:
        session.enter(embedding())
        matrix = kept.of(session, vectors.standing(session, [MINE]))[MINE]
        meant = matrix.meant(model.vector("vacation"), 0.0)
        assert dict(meant.nearest(99, None)) == dict(
            zip(meant.docs.tolist(), meant.of(meant.docs.tolist()), strict=True)
        )
        return {slugs[doc]: value for doc, value in meant.nearest(99, None)}

    together = await door.store.reading(meaning)
    await ada.delete(slice="mine", slug="d1/1")
    apart = await door.store.reading(meaning)
    assert together["d1/1"] == pytest.approx(1)
    assert together["d1/2"] == pytest.approx(0.3 + 0.7 * apart["d1/2"], abs=1e-4)
    assert together["d2/2"] == apart["d2/2"]
    await ada.restore(slice="mine", slug="d1/1")
    await worker.run_once()
    await ada.delete(slice="mine", slug="d1/2")
    assert (await door.store.reading(meaning))["d1/3"] == pytest.approx(together["d1/2"])  # it says the same


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        ("UPDATE vectors SET event_id = 'another'", "not those of its version"),
        ("UPDATE vectors SET doc = doc - 1", "a page that has none"),
        ("UPDATE vectors SET model = 'other'", "not of the model"),
        ("DELETE FROM vectors", "not those of its version"),
        ("UPDATE pages SET embedded = NULL", "a page that has none"),
        ("UPDATE vectors SET slice = 'agent-bob'", "follow from no event"),
    ],
)
async def test_br11_vectors_may_be_missing_but_never_foreign_or_stale(
    door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker, damage: str, what: str
) -> None:
    """BR11: verifying names vectors of another version, page, model or slice."""
    await put(ada, a="one")
    await worker.run_once()
    assert door.database.file is not None
    with sqlite3.connect(door.database.file) as raw:
        raw.execute(damage)
    raw.close()
    report = await door.enter(Principal.operator("op")).verify()
    assert what in " ".join(error.what for error in report.errors)
