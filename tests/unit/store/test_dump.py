"""A store on PostgreSQL is dumped and restored with PostgreSQL's own programs, as docs/operate.md says."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("psycopg")  # the contracts fail in CI where it is missing

import psycopg

from sliceway.brain.local import migrate_postgres, open_local
from sliceway.core.principals import Principal
from sliceway.ports import Brain, NewId
from tests.contract.office import MIA, ask, gateway, page, settle
from tests.fakes.clock import HandClock
from tests.fakes.postgres import PASSWORD, Made, Server, binaries, own_server, owned_database

OWNER = "brain_owner"
MANUAL = Path(__file__).parents[3] / "docs" / "operate.md"


@pytest.fixture
def made(_postgres_server: None) -> Iterator[Made]:
    """A store of an owner who is no superuser."""
    with owned_database(OWNER) as found:
        migrate_postgres(found.owner_url, found.url)
        yield found


@pytest.fixture
def elsewhere() -> Iterator[Server]:
    """Another server, which knows no role of the first."""
    with own_server() as running:
        yield running


def steps(heading: str) -> list[tuple[str, str]]:
    """Return the blocks of the manual under a heading: the language and the text, of commands without their prompts."""
    part = MANUAL.read_text(encoding="utf-8").partition(f"### {heading}\n")[2].partition("\n#")[0]
    found = re.findall(r"```(sql|console)\n(.*?)```", part, re.DOTALL)
    return [(kind, re.sub(r"^\$ ", "", block, flags=re.MULTILINE)) for kind, block in found]


def run(lines: str, folder: Path, owner_url: str, *, refused: str = "") -> list[str]:
    """Run PostgreSQL's programs as the manual's lines say, and return the lines that are ours.

    :param refused: what they say where they are to fail.
    """
    env = {"PATH": f"{binaries()}:{os.environ['PATH']}", "HOME": str(folder), "SLICEWAY_STORE__OWNER_URL": owner_url}
    theirs = [line for line in lines.splitlines() if line.startswith("pg_")]
    done = subprocess.run(
        ["/bin/sh", "-euc", "\n".join(theirs)], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, refused in done.stderr) == (1 if refused else 0, True), done.stderr
    return [line for line in lines.splitlines() if line not in theirs]


async def reads(brain: Brain) -> dict[str, object]:
    """Return what an agent reads of all it may."""
    listed = await brain.list_pages(limit=200)
    found = await brain.recall(query="rollback on-call", limit=50)
    whole = [await brain.read_page(slice=one.slice, slug=one.slug) for one in listed.items]
    versions = [await brain.versions(slice=one.slice, slug=one.slug) for one in listed.items]
    return {"pages": whole, "versions": versions, "hits": found.hits}


def untold(url: str) -> int:
    """Return how many rows the app's login sees in all tables where nothing was told."""
    with psycopg.connect(url) as app:
        tables = app.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        names = [name for (name,) in tables.fetchall() if name != "alembic_version"]
        assert len(names) > 15
        return sum((app.execute(f"SELECT count(*) FROM {name}".encode()).fetchone() or (0,))[0] for name in names)


async def test_br12_a_dump_is_restored_into_another_server(
    made: Made, elsewhere: Server, tmp_path: Path, clock: HandClock, new_id: NewId
) -> None:
    """BR12 BR11 BR4: the manual's own lines dump a store as its owner and restore it on a server that knew nothing of
    it: the record verifies against the head of then, every read is the same, whoever has told nothing sees no row, and
    the app goes on writing."""
    async with await open_local(made.owner_url, clock=clock, new_id=new_id) as owner:
        await settle(owner)
    async with await open_local(made.url, clock=clock, new_id=new_id) as door:
        ada = door.enter(Principal.agent("ada"))
        for content in ("Build 2300.", "Build 2301 is the rollback target."):
            await ada.write_pages(slice="mine", pages=[page("deploy/rollback", content)])
        asked = await ask(gateway(door))
        await gateway(door).decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
        before, head = await reads(ada), await door.enter(Principal.operator("op")).head()
    (_, dumps), (_, logins), (_, roles), (_, restores) = steps("Dump and restore")
    run(dumps.replace(" --enable-row-security", ""), tmp_path, made.owner_url, refused="row-level security")
    assert run(dumps, tmp_path, made.owner_url) == ["sliceway ledger head --json > head.json"]
    elsewhere.run(*logins.replace("…", PASSWORD).strip().splitlines())
    owner_url, url = elsewhere.at("brain", OWNER), elsewhere.at("brain", "brain")
    with psycopg.connect(owner_url, autocommit=True) as owner_there:
        owner_there.execute(roles.encode())
    assert run(restores, tmp_path, owner_url) == [
        "sliceway brain migrate", "sliceway ledger verify --since head.json",
    ]  # fmt: skip
    assert migrate_postgres(owner_url, url) is False
    async with await open_local(owner_url, clock=clock, new_id=new_id) as door:
        report = await door.enter(Principal.operator("op")).verify(since=dict(head))
        assert (report.ok, report.errors) == (True, ())
    assert untold(url) == 0
    async with await open_local(url, clock=clock, new_id=new_id) as door:
        ada = door.enter(Principal.agent("ada"))
        assert await reads(ada) == before
        (receipt,) = (await ada.write_pages(slice="mine", pages=[page("deploy/rollback", "Build 2302.")])).receipts
        assert receipt.version == 3
        assert (await door.enter(Principal.operator("op")).verify()).ok
