"""What the store keeps of tokens, and what it does when one is shown: no secret, one look, the same work."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import select

from sliceway.brain.local import LocalBrain, LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.core.tokens import secret_hash, token_parts, token_text
from sliceway.errors import Unauthorized
from sliceway.ports import NewId
from sliceway.store.engine import Connection
from sliceway.store.tables import metadata
from tests.fakes.clock import HandClock
from tests.fakes.trace import traced

SECRET = "s3cret-" + "k" * 36


async def test_br2_only_the_hash_of_a_secret_is_stored(file: Path, clock: HandClock, new_id: NewId) -> None:
    """BR2 CF3: after creating and rotating, the secret stands in no column of no table and in no byte of the files, and
    its hash in nothing that the audit or the list tells."""
    async with await open_local(
        f"sqlite:///{file}", clock=clock, new_id=new_id, new_secret=lambda: SECRET
    ) as door:  # fmt: skip
        operator = door.enter(Principal.operator("op"))
        made = await operator.create_token(kind="admin")
        assert (await operator.rotate_token(id=made.entry.id)).token == made.token == token_text(made.entry.id, SECRET)

        def rows(connection: Connection) -> str:
            return repr([connection.execute(select(table)).all() for table in metadata.tables.values()])

        stored = await door.database.reading(rows)
        files = b"".join(each.read_bytes() for each in file.parent.iterdir())
        told = repr([(await operator.audit()).items, (await operator.tokens()).items])
    assert secret_hash(SECRET) in stored
    assert SECRET not in stored
    assert SECRET.encode() not in files
    assert SECRET not in told
    assert secret_hash(SECRET) not in told


async def test_br2_a_token_that_is_refused_takes_the_work_of_one_that_is_not_there(
    door: LocalDoor, operator: LocalBrain, clock: HandClock
) -> None:
    """BR2 BR4: a wrong secret, a revoked and an expired token run the statement that an unknown id runs, one, and so
    does a good one: what is wrong shows in no work."""
    made = [await operator.create_token(kind="admin", expires=expires) for expires in (None, "4s", None)]
    await operator.revoke_token(id=made[0].entry.id)
    clock.advance("4s")
    id, secret = token_parts(made[2].token)
    bad = [token_text("0" * 26, secret), token_text(id, "A" * 43), made[0].token, made[1].token]
    seen = []
    for token in bad:
        with traced(door.database) as trace, pytest.raises(Unauthorized):
            await door.principal_of(token)
        seen.append(trace.statements)
    with traced(door.database) as trace:
        await door.principal_of(made[2].token)
    assert [statements == trace.statements for statements in seen] == [True] * len(bad)
    assert [statement.split()[0] for statement in trace.statements] == ["SELECT"]


async def test_br2_showing_a_token_costs_the_same_however_many_there_are(
    door: LocalDoor, operator: LocalBrain
) -> None:  # fmt: skip
    """BR2: the row is found by its key; forty more tokens cost not one step of the engine more."""
    made = await operator.create_token(kind="agent", agent="ada")
    steps = []
    for _ in range(2):
        await door.principal_of(made.token)
        with traced(door.database) as trace:
            await door.principal_of(made.token)
        steps.append(trace.steps)
        for _ in range(40):
            await operator.create_token(kind="admin")
    assert steps[0] == steps[1] > 0


async def test_br2_the_list_reads_the_acts_of_its_tokens_alone(door: LocalDoor, operator: LocalBrain) -> None:
    """BR2: what others wrote makes the view of a token's acts no dearer: it is found by the token, in one statement."""
    mine = await operator.create_token(kind="agent", agent="ada")
    brain = door.enter(await door.principal_of(mine.token))
    await brain.write_pages(slice="mine", pages=[{"slug": "n", "content": "one"}])
    other = await operator.create_token(kind="agent", agent="bob")
    bob = door.enter(await door.principal_of(other.token))
    await bob.write_pages(slice="mine", pages=[{"slug": "n", "content": "two"}])
    steps = []
    for _ in range(2):
        await operator.tokens(limit=1)
        with traced(door.database) as trace:
            found = await operator.tokens(limit=1)
        steps.append(trace.steps)
        assert sum("sum(" in statement.lower() for statement in trace.statements) == 1
        assert [(one.id, one.writes) for one in found] == [(mine.entry.id, 1)]
        for at in range(40):
            await bob.write_pages(slice="mine", pages=[{"slug": f"n{at}", "content": "more"}])
    assert steps[1] <= steps[0] * 1.02 + 8


async def test_br12_a_store_from_before_tokens_is_brought_on(file: Path, clock: HandClock, new_id: NewId) -> None:
    """BR12: a store of the first schema gets the tables, each event the token that its author names,
    and each page its place in the index as it is made today; it verifies."""
    url = f"sqlite:///{file}"
    async with await open_local(url, clock=clock, new_id=new_id) as door:
        early = door.enter(Principal.agent("ada", token_id="01EARLY"))
        await early.write_pages(slice="mine", pages=[{"slug": "n", "content": 'says "token_id":"x"'}])
        await door.enter(Principal.agent("bob")).write_pages(slice="mine", pages=[{"slug": "n", "content": "x"}])
    with sqlite3.connect(file) as raw:
        raw.executescript(
            "DROP TABLE erased; DROP TABLE erasures; DROP INDEX pages_deleted; DROP INDEX proposals_with_text;"
            "DROP TABLE agent_acts; DROP TABLE mounts;"
            "DROP TABLE tokens; DROP INDEX events_by_token; ALTER TABLE events DROP COLUMN token;"
            "DROP INDEX proposals_by_agent; DROP INDEX proposals_by_requester; DROP INDEX grants_by_agent;"
            "DROP INDEX proposals_by_turn; CREATE INDEX proposals_by_turn ON proposals (slice, turn);"
            "DROP INDEX idempotency_by_turn; CREATE INDEX idempotency_by_turn ON idempotency (slice, turn);"
            "DROP TABLE vectors; DROP INDEX pages_to_embed; ALTER TABLE pages DROP COLUMN embedded;"
            "ALTER TABLE slices DROP COLUMN embedder; ALTER TABLE slices DROP COLUMN vectors;"
            "DROP TABLE neighbours; DELETE FROM terms; UPDATE pages SET terms = 0; UPDATE slices SET length = 0;"
            "UPDATE alembic_version SET version_num = '0001';"
        )
    raw.close()
    async with await open_local(url, clock=clock, new_id=new_id) as door:
        operator = door.enter(Principal.operator("op"))
        assert (await operator.verify()).ok
        made = await operator.create_token(kind="agent", agent="ada")
        assert (await door.principal_of(made.token)).agent_id == "ada"
    with sqlite3.connect(file) as raw:
        told = raw.execute("SELECT token FROM events WHERE slice LIKE 'agent-%' ORDER BY slice").fetchall()
        led = raw.execute("SELECT name FROM pragma_index_info('proposals_by_turn')").fetchall()
    raw.close()
    assert told == [("01EARLY",), (None,)]
    assert led == [("slice",), ("agent",), ("turn",)]
