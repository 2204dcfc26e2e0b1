"""Every text column says whether it holds content, and says it truly."""

from __future__ import annotations

from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Text, select

from sliceway.brain.local import LocalDoor
from sliceway.core.principals import Principal
from sliceway.store.tables import metadata
from tests.contract.people import ANN, MANAGER, in_channel, in_private, put_shared

MARK = "zanzibar"


def test_br10_every_text_column_is_flagged() -> None:
    """BR10: a text column that does not say whether it holds content fails here."""
    unflagged = [
        f"{table.name}.{column.name}"
        for table in metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, Text) and not isinstance(column.info.get("content"), bool)
    ]
    assert unflagged == []


async def test_br10_content_stands_in_flagged_columns_alone(door: LocalDoor) -> None:
    """BR10: what people and agents wrote, marked with one word, is found in no column that an erasure would skip."""
    gateway = door.enter(Principal.gateway("ada", teams=["T1"], acts_for=True, decides=True))
    page: dict[str, Any] = {
        "slug": "n", "content": f"{MARK} and more", "title": f"about {MARK}", "summary": MARK, "tags": [MARK],
        "kind": MARK,
    }  # fmt: skip
    await gateway.write_pages(slice="agent-ada", pages=[page], origin=in_channel(ANN, turn="t1"), request_id="r1")
    await gateway.write_pages(slice="user", pages=[page], origin=in_private(ANN))
    await gateway.delete(slice="agent-ada", slug="n", reason=MARK, origin=in_channel(ANN), request_id="r2")
    await put_shared(gateway, "plan", MARK, title=MARK)
    await gateway.write_pages(slice="shared", pages=[page], origin=in_private(ANN), request_id="r3")
    denied = await gateway.write_pages(slice="shared", pages=[page], origin=in_channel(ANN))
    assert denied.proposal is not None
    await gateway.decide(
        id=denied.proposal.id, decision="deny", revision=1, decided_by=MANAGER, reason=f"not {MARK}"
    )  # fmt: skip
    found = await door.database.reading(_marked)
    assert {name for name, flagged in found.items() if not flagged} == set()
    assert {"events.payload", "pages.content", "page_versions.content", "terms.term", "proposals.pages"} <= set(found)


def _marked(connection: Connection) -> dict[str, bool]:
    """Return the columns that hold the mark, and whether they are flagged as content."""
    found = {}
    for table in metadata.tables.values():
        for row in connection.execute(select(table)).mappings():
            for column in table.columns:
                if MARK in str(row[column.name]):
                    found[f"{table.name}.{column.name}"] = bool(column.info.get("content"))
    return found


async def test_br12_the_migrations_make_the_tables_that_are_declared(door: LocalDoor) -> None:
    """BR12: a store that took every step has exactly the tables, columns and indexes of the metadata."""
    differences = await door.database.reading(
        lambda connection: compare_metadata(MigrationContext.configure(connection), metadata)
    )
    assert differences == []
