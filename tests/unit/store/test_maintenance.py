"""Who maintains the record on PostgreSQL: verifies and rebuilds it, owns no table, and changes none (BR11, BR12)."""

from __future__ import annotations

import pytest

pytest.importorskip("psycopg")  # the fixture `postgres` fails in CI where it is missing

import psycopg

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from sliceway.ports import NewId
from sliceway.store.tables import metadata
from tests.fakes.clock import HandClock
from tests.fakes.postgres import KEEPER, Made
from tests.unit.store.test_rebuild import PROJECTED, lived, reads_of


async def test_br11_maintenance_finds_what_was_changed_and_makes_it_again(
    postgres: Made, clock: HandClock, new_id: NewId
) -> None:
    """BR11: rows lost and forged behind the ledger's back are found by a login of maintenance and made again by it, and
    every read is as it was."""
    async with await open_local(postgres.url, clock=clock, new_id=new_id) as app:
        ada, operator = app.enter(Principal.agent("ada")), app.enter(Principal.operator("op"))
        await lived(app, ada)
        before = await reads_of(app, ada, operator)
        with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
            for table in PROJECTED:
                owner.execute(f"DELETE FROM {table}".encode())
        async with await open_local(postgres.as_login(KEEPER), clock=clock, new_id=new_id) as door:
            keeper = door.enter(Principal.operator("keeper"))
            assert {fault.slice for fault in (await keeper.verify()).errors} >= {"_system", "agent-ada", "shared"}
            assert (await keeper.rebuild()).errors == ()
            assert (await keeper.verify()).ok
        assert await reads_of(app, ada, operator) == before


def test_br12_maintenance_changes_no_table(postgres: Made) -> None:
    """BR12: the login of maintenance sees every row there is and owns nothing: no table is altered, emptied past the
    row-level security, or dropped by it, and it makes nobody a member of anything."""
    with psycopg.connect(postgres.as_login(KEEPER)) as hand:
        for table in metadata.sorted_tables:
            hand.execute(f"SELECT count(*) FROM {table.name}".encode())
        for statement in (
            "ALTER TABLE pages ADD COLUMN more text", "ALTER TABLE pages NO FORCE ROW LEVEL SECURITY",
            "DROP POLICY app_reads ON pages", "TRUNCATE events", "DROP TABLE links", "CREATE ROLE more",
            "GRANT sliceway_maintenance TO sliceway_app",
        ):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                hand.execute(statement.encode())
            hand.rollback()
