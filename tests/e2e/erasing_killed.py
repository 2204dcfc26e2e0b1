"""Erasures in a process that is killed at any moment, finished by whoever comes after, and what may be left of a text:
nothing, anywhere."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta

from sqlalchemy import create_engine, select

from sliceway.brain.keeper import Keeper
from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from sliceway.store.tables import metadata
from sliceway.wiring.fresh import new_id, now
from tests.contract.office import ANN, BEN, alone, ask, at, gateway, page, settle
from tests.contract.test_record import exported
from tests.e2e.brain_server import environment
from tests.e2e.killing import House
from tests.unit.store.test_scrub import TEXT, WORDS, holds

MINDS = ("ada", "bob", "cyd")
_PAGES = 12
_MOST_S = 60.0
_LATER = timedelta(hours=1)
"""After that a keeper takes whoever began an erasure for gone."""
TARGETS: dict[str, Sequence[str]] = {
    "page": ("page", "erase", "quetzal/0", "--slice", "agent-ada"),
    "slice": ("slices", "erase", "agent-ada"),
    "person": ("person", "erase", f"{ANN['team']}:{ANN['user']}"),
}


def _command(target: str) -> list[str]:
    return [sys.executable, "-m", "sliceway", *TARGETS[target], "--yes", "--json"]


def _environment(house: House) -> Mapping[str, str]:
    return environment(house.folder, SLICEWAY_STORE__URL=house.url)


async def written(house: House, target: str) -> None:
    """Write what the target is to forget, and beside it what it is not."""
    async with await open_local(house.url, clock=now, new_id=new_id, sync="normal") as door:
        await settle(door)
        ada = gateway(door)
        said = page("quetzal/0", f"{TEXT}. " * 20, title=TEXT, summary=TEXT, tags=["quetzal"])
        await ada.write_pages(slice="agent-ada", pages=[page("kept", "stays")], origin=at(BEN))
        if target == "page":
            for _ in range(4):
                await ada.write_pages(
                    slice="agent-ada", pages=[{**said, "content": f"{new_id()} {TEXT}"}], origin=at(ANN)
                )
            return
        pages = [{**said, "slug": f"quetzal/{number}"} for number in range(_PAGES)]
        for mind in MINDS if target == "person" else MINDS[:1]:
            await gateway(door, mind).write_pages(slice=f"agent-{mind}", pages=pages, origin=at(ANN))
        if target == "person":
            await ada.write_pages(slice="user", pages=pages, origin=alone(ANN))
            await ask(ada, {**said, "slug": "quetzal/asked"}, origin=at(ANN))


def killed(house: House, target: str, drawn: random.Random) -> str:
    """Begin an erasure by its command and kill it after its first word in the store, or a little later; return how far
    it was by its own row."""
    begun = len(house.rows("SELECT id FROM erasures"))
    process = subprocess.Popen(
        _command(target), env=_environment(house),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    until = time.monotonic() + _MOST_S
    while len(house.rows("SELECT id FROM erasures")) == begun and process.poll() is None:
        assert time.monotonic() < until, "the erasure did not begin"
        time.sleep(0.001)
    time.sleep(drawn.random() * 0.1)
    process.kill()
    _, said = process.communicate()
    assert process.returncode in {0, -9}, said.decode()
    (newest, *_) = house.rows("SELECT state FROM erasures ORDER BY begun_at DESC, id DESC")
    return str(newest[0])


async def finished(house: House, target: str, *, by_keeper: bool) -> None:
    """Finish it: by the keeper of the next process, or by the same command again."""
    if not by_keeper:
        done = subprocess.run(  # noqa: ASYNC221 - nothing else is to run meanwhile
            _command(target), check=False,
            env=_environment(house), capture_output=True, text=True, timeout=_MOST_S,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return
    async with await open_local(house.url, clock=now, new_id=new_id, sync="normal") as door:
        await Keeper(door.database, clock=lambda: now() + _LATER, new_id=new_id, holder="next").run_once()


async def assert_nothing_is_left(house: House) -> None:
    """BR10 BR11: no row, file, answer or export holds a word of it; the rest stands and the record verifies."""
    left = _in_rows(house)
    assert not left, left
    async with await open_local(house.url, clock=now, new_id=new_id, sync="normal") as door:
        operator = door.enter(Principal.operator())
        assert (await operator.verify()).errors == ()
        told = str(await exported(operator)) + str((await operator.audit(limit=200)).items)
        assert not any(word.decode().lower() in told.lower() for word in WORDS)
    if house.made is None:
        assert holds(house.folder) == set()


def _in_rows(house: House) -> set[str]:
    address = house.made.owner_url.replace("postgresql://", "postgresql+psycopg://") if house.made else house.url
    engine = create_engine(address)
    found = set()
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            for row in connection.execute(select(table)):
                if any(word.decode().lower() in str(value).lower() for value in row for word in WORDS):
                    found.add(table.name)
    engine.dispose()
    return found
