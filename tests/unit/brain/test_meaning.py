"""Recall by meaning beside words: found, filtered, isolated, and honest about what it lacks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sliceway.brain.embedding import EmbeddingWorker
from sliceway.brain.local import LocalBrain, LocalDoor, open_local
from sliceway.brain.meaning import Meaning
from sliceway.core.pages import RecallResult
from sliceway.core.principals import Principal
from sliceway.ports import NewId
from tests.contract.people import ANN, in_channel, put_shared
from tests.fakes.clock import HandClock
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.postgres import Made
from tests.fakes.trace import Trace, traced


@pytest.fixture
async def door(tmp_path: Path, clock: HandClock, new_id: NewId, model: FakeEmbedder) -> AsyncIterator[LocalDoor]:
    """A store with a model."""
    url = f"sqlite:///{tmp_path}/s.db"
    async with await open_local(url, sync="normal", clock=clock, new_id=new_id, embedder=model) as opened:
        yield opened


@pytest.fixture
def worker(door: LocalDoor) -> EmbeddingWorker:
    """Who embeds."""
    made = door.embedding_worker("one")
    assert made is not None
    return made


async def put(brain: LocalBrain, **texts: str) -> None:
    """Write pages to the agent's mind, twenty at a time."""
    pages = [{"slug": slug, "content": text} for slug, text in texts.items()]
    for at in range(0, len(pages), 20):
        await brain.write_pages(slice="mine", pages=pages[at : at + 20])


async def embedded(worker: EmbeddingWorker) -> None:
    """Embed all there is."""
    while await worker.pending():
        await worker.run_once()


async def test_fr3_meaning_finds_what_words_do_not(ada: LocalBrain, worker: EmbeddingWorker) -> None:
    """FR1 FR3 FR6: a page that means what is asked is found without a word of it, and the hit says so; a page with the
    very words comes first, and says both; what means nothing is not found."""
    await put(ada, away="holiday", car="parking", both="vacation days")
    await embedded(worker)
    found = await ada.recall(query="vacation")
    assert [(hit.slug, hit.matched) for hit in found.hits] == [
        ("both", ("keyword", "meaning")), ("away", ("meaning",))
    ]  # fmt: skip
    assert (found.degraded, found.hits[0].score >= found.hits[1].score > 0) == ((), True)
    nothing = await ada.recall(query="astronomy")
    assert (nothing.hits, nothing.degraded) == ((), ())
    assert "means" in (nothing.reason or "")


async def test_fr5_an_exact_title_stays_first(ada: LocalBrain, worker: EmbeddingWorker) -> None:
    """FR5: the page of that very slug or with the quoted phrase comes before whatever means more."""
    await put(ada, holiday="nothing of that", leave="holiday holiday holiday", other="a holiday in May")
    await embedded(worker)
    assert (await ada.recall(query="holiday")).hits[0].slug == "holiday"
    assert (await ada.recall(query='"in May" holiday')).hits[0].slug == "other"


async def test_fr1_the_passage_that_means_most_is_shown(ada: LocalBrain, worker: EmbeddingWorker) -> None:
    """FR1 FR3: of a long page that was found by meaning alone the snippet is of the passage that means most."""
    others = ["\n\n".join(f"price and cost {at}" for at in range(start, start + 120)) for start in (0, 200)]
    await put(ada, long="\n\n".join([others[0], "holiday " * 90, others[1]]), short="car")
    await embedded(worker)
    [hit] = (await ada.recall(query="vacation")).hits
    assert (hit.slug, hit.matched, hit.snippet.split()[:2]) == ("long", ("meaning",), ["holiday", "holiday"])


async def test_fr7_what_vectors_lack_is_said(
    ada: LocalBrain, door: LocalDoor, worker: EmbeddingWorker, model: FakeEmbedder
) -> None:
    """FR3 FR7: `degraded` names vectors while a page that is read waits, while the model does not answer or is another,
    and for what was; else it is empty. Keywords answer all the while."""
    await put(ada, away="holiday")

    async def degraded(brain: LocalBrain = ada, **more: Any) -> tuple[str, ...]:
        found = await brain.recall(query="holiday", **more)
        assert [hit.slug for hit in found.hits] == ["away"]
        return found.degraded

    assert await degraded() == ("vectors",)
    await embedded(worker)
    assert await degraded() == ()
    assert await degraded(as_of="2030-01-01T00:00:00Z") == ("vectors",)
    await put(ada, away="holiday again")
    assert await degraded() == ("vectors",)
    await embedded(worker)
    assert await degraded() == ()
    other = LocalBrain(
        door.store, Principal.agent("ada"), clock=ada._clock, new_id=ada._new_id, new_secret=ada._new_secret,
        meaning=Meaning(FakeEmbedder("fake-2"), waits=True),
    )  # fmt: skip
    assert await degraded(other) == ("vectors",)
    model.broken = True
    assert await degraded() == ("vectors",)
    model.broken, asked = False, len(model.asked)
    assert (await degraded(), len(model.asked)) == (("vectors",), asked)  # it is left alone for a while


async def test_fr7_a_server_answers_while_its_model_loads(
    door: LocalDoor, ada: LocalBrain, model: FakeEmbedder
) -> None:
    """FR7: where nobody waits for the model, keywords answer until it is loaded, and asking loads it."""
    slow = FakeEmbedder(loaded=False)
    meaning = Meaning(slow, waits=False)
    assert await meaning.vector_of("holiday") is None
    await meaning.close()
    assert slow.loaded
    assert await meaning.vector_of("holiday") is not None
    rests = Meaning(FakeEmbedder(), waits=True, monotonic=iter([0.0, 1.0, 11.0]).__next__)
    assert isinstance(rests.embedder, FakeEmbedder)
    rests.embedder.broken = True
    assert await rests.vector_of("x") is None
    rests.embedder.broken = False
    assert [await rests.vector_of("x") is None, await rests.vector_of("x") is None] == [True, False]


async def test_fr4_filters_come_before_the_limit(door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker) -> None:
    """FR4: a filter finds its page behind any number of better matches by meaning; a longer answer begins with the
    shorter."""
    await put(ada, **{f"away-{at}": "holiday " * (at + 1) for at in range(30)})
    page = {"slug": "tagged", "content": "vacation and a car and an outage", "tags": ["t"], "kind": "note"}
    await ada.write_pages(slice="mine", pages=[page])
    await embedded(worker)
    for filters in ({"tags": ["t"]}, {"kind": "note"}, {"saved_by": "ada", "kind": "note"}):
        found = await ada.recall(query="leave", limit=1, **filters)
        assert [(hit.slug, hit.matched) for hit in found.hits] == [("tagged", ("meaning",))], filters
    assert (await ada.recall(query="leave", kind="other")).hits == ()
    listed = [(await ada.recall(query="leave days", limit=limit)).hits for limit in (1, 2, 5, 17, 40)]
    assert all(long[: len(short)] == short for short, long in pairwise(listed))


async def test_fr11_what_others_wait_for_shows_nowhere(
    door: LocalDoor, ada: LocalBrain, worker: EmbeddingWorker
) -> None:
    """FR10 FR11 BR4: pages of others, embedded or not, move no score, order or `degraded` and make no more work; a
    slice of theirs that is named answers as one never written, by the same work."""
    await put(ada, away="holiday", car="parking a car")
    await embedded(worker)

    async def asked(*more: str) -> tuple[RecallResult, Trace]:
        with traced(door.database) as trace:
            named = ["agent-ada", *more] if more else None
            return await ada.recall(query="leave", slices=named), trace

    await asked()  # what is read once and kept is read before
    before, work = await asked()
    bob = door.enter(Principal.agent("bob"))
    for _ in range(2):
        await put(bob, **{f"b-{at}": "leave and vacation" for at in range(25)})
        after, more_work = await asked()
        assert (after, more_work.statements) == (before, work.statements)
        assert more_work.steps <= work.steps * 1.05  # looking behind the last row of an index finds one or none
        (foreign, one), (missing, two) = await asked("agent-bob"), await asked("agent-nobody")
        assert (foreign, one.work, foreign.degraded) == (missing, two.work, ())
        await embedded(worker)


async def test_fr2_a_bulk_slice_does_not_crowd_out_what_means_as_much(door: LocalDoor, worker: EmbeddingWorker) -> None:
    """FR2: by meaning too, a slice's best page that answers as well as the rest has one page of each other slice before
    it at most."""
    await door.enter(Principal.operator("op")).set_policy(teams=["T1"], managers=["U-MAN"])
    ada = door.enter(Principal.agent("ada"))
    gateway = door.enter(Principal.gateway("ada", teams=["T1"], acts_for=True, decides=True))
    for start in range(0, 60, 20):
        bulk = [{"slug": f"bulk-{at:03}", "content": "holiday"} for at in range(start, start + 20)]
        await gateway.write_pages(slice="agent-ada", pages=bulk, origin=in_channel(ANN))
    await put_shared(gateway, "curated", "vacation")
    await embedded(worker)
    found = await ada.recall(query="leave", limit=5)
    assert ("shared", "curated") in [(hit.slice, hit.slug) for hit in found.hits][:2]
    assert found.hits[0].matched == ("meaning",)


async def test_br12_both_engines_answer_alike(door: LocalDoor, postgres: Made, clock: HandClock, new_id: NewId) -> None:
    """BR12 FR3: vectors are kept, dropped and ranked by on PostgreSQL as on SQLite."""
    answers = []
    async with await open_local(postgres.url, clock=clock, new_id=new_id, embedder=FakeEmbedder()) as other:
        for store in (door, other):
            ada, worker = store.enter(Principal.agent("ada")), store.embedding_worker("one")
            assert worker is not None
            await put(
                ada, **{f"n-{at}": text for at, text in enumerate(("holiday", "vacation " * 400, "car", "price"))}
            )
            found = [await ada.recall(query="leave price")]
            await embedded(worker)
            await put(ada, **{"n-0": "parking"})
            await ada.delete(slice="mine", slug="n-3")
            found.append(await ada.recall(query="leave price"))
            await embedded(worker)
            found += [await ada.recall(query="leave price", saved_by=named) for named in (None, "ada")]
            found.append(await ada.recall(query="leave price", kind="k"))
            answers.append([(one.degraded, [(hit.slug, hit.score, hit.matched) for hit in one.hits]) for one in found])
    assert answers[0] == answers[1]
    assert [degraded for degraded, _ in answers[0]] == [("vectors",), ("vectors",), (), (), ()]
