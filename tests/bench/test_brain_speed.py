"""How fast the embedded brain is: prints numbers, never fails on time."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.access import keeping
from sliceway.core.pages import Author, PageDraft
from sliceway.core.principals import Principal
from sliceway.core.proposals import ProposedPage
from sliceway.ports import Brain
from sliceway.store.ledger import slice_transaction
from sliceway.store.pages import Signature, apply
from sliceway.store.session import Session
from tests.fakes.clock import ids

_HEADS = ("lan", "mor", "tel", "ras", "vin", "cor", "bel", "dun")
_TAILS = ("do", "ka", "mi", "su", "ter", "gal", "pen", "rix", "olm", "ath", "une", "ire", "ost", "ebb", "ark")
WORDS = [head + middle + tail for head in _HEADS for middle in ("", "i", "o", "u", "ar") for tail in _TAILS]
READ = ("agent-ada", "shared", "public", "kb-guide")
ROUNDS = 200
DRAWN = random.Random(5)


def note() -> str:
    """Return a note of 25 words."""
    return " ".join(DRAWN.choices(WORDS, k=25))


def _now() -> datetime:
    return datetime.now(UTC)


async def _open(folder: Path, sync: str) -> LocalDoor:
    return await open_local(f"sqlite:///{folder / f'{sync}.db'}", sync=sync, clock=_now, new_id=ids())


async def _timed(act: Callable[[int], Awaitable[object]]) -> tuple[float, float, float]:
    """Return the median, the 95th percentile and the CPU time of a call, in milliseconds."""
    spent = []
    cpu = time.process_time()
    for at in range(ROUNDS):
        began = time.perf_counter()
        await act(at)
        spent.append((time.perf_counter() - began) * 1e3)
    cpu = (time.process_time() - cpu) / ROUNDS * 1e3
    return statistics.median(spent), sorted(spent)[int(ROUNDS * 0.95)], cpu


@pytest.mark.bench
@pytest.mark.parametrize("sync", ["normal", "full"])
async def test_memoize_to_the_own_slice(tmp_path: Path, sync: str) -> None:
    """Target: p50 under 3 ms with `store.sync = "normal"`; beside it, one empty hop to a thread."""
    async with await _open(tmp_path, sync) as door:
        brain = door.enter(Principal.agent("ada"))
        median, late, cpu = await _timed(
            lambda at: brain.write_pages(slice="mine", pages=[{"slug": f"n/{at}", "content": note()}])
        )
        hop, _, _ = await _timed(lambda _: asyncio.to_thread(int))
    print(f"\nmemoize, sync {sync}: p50 {median:.2f} ms, p95 {late:.2f} ms, CPU {cpu:.2f} ms; a hop {hop:.2f} ms")


@pytest.mark.bench
@pytest.mark.timeout(300)
async def test_recall_over_four_slices_of_500_pages(tmp_path: Path) -> None:
    """Target: p50 under 2 ms in process with 10k pages in the store; beside it, the same with 2k."""
    async with await _open(tmp_path, "normal") as door:
        await door.enter(Principal.operator()).set_policy(kb={"ada": ["kb-guide"]})
        brain = door.enter(Principal.agent("ada"))
        for label, names in (("2k", READ), ("10k", [f"agent-x{at}" for at in range(16)])):
            for name in names:
                await door.store.writing(partial(fill, name=name))
            queries = [" ".join(DRAWN.sample(WORDS, k=3)) for _ in range(ROUNDS)]
            await brain.recall(query="lando")
            median, late, cpu = await _timed(partial(_recalled, brain, queries))
            print(f"\nrecall, {label} pages in the store: p50 {median:.2f} ms, p95 {late:.2f} ms, CPU {cpu:.2f} ms")


async def _recalled(brain: Brain, queries: list[str], at: int) -> None:
    await brain.recall(query=queries[at])


def fill(session: Session, name: str) -> None:
    """Write 500 notes into a slice, in one transaction."""
    session.enter(keeping(name))
    with slice_transaction(session, name, clock=_now, new_id=ids()) as transaction:
        for at in range(500):
            page = ProposedPage(f"n/{at}", None, PageDraft(f"n/{at}", note()))
            apply(transaction, "write", page, Signature(Author("ada", None, None, "local")))
