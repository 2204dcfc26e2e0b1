"""Look-ups where only some rows of a slice are seen begin with whose they are (BR4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import event

from sliceway.brain.local import LocalDoor
from sliceway.core.principals import Principal
from sliceway.errors import NotFound
from tests.contract.office import TEAM, settle
from tests.contract.people import ANN, in_channel, in_private


@pytest.fixture
def heard(door: LocalDoor) -> Iterator[list[tuple[str, Any]]]:
    """The statements that the store is sent, with their values."""
    said: list[tuple[str, Any]] = []

    def hear(_connection: Any, _cursor: Any, statement: str, values: Any, *_more: Any) -> None:
        said.append((statement, values))

    event.listen(door.database.engine, "before_cursor_execute", hear)
    yield said
    event.remove(door.database.engine, "before_cursor_execute", hear)


@pytest.mark.parametrize("origin", [in_channel(ANN), in_private(ANN)], ids=["channel", "private"])
async def test_br4_a_row_is_looked_up_by_whose_it_is_where_others_are_beside_it(
    door: LocalDoor, heard: list[tuple[str, Any]], origin: dict[str, Any]
) -> None:
    """BR4: for who sees only some proposals and grants of a slice, each look-up of one by its id is led by an index
    that begins with its agent or requester, in one slice as in several: no foreign row is touched on the way."""
    await settle(door)
    far = door.enter(Principal.gateway("ada", teams=[TEAM], acts_for=True))
    heard.clear()
    with pytest.raises(NotFound):
        await far.proposal(id="01NONE", origin=origin)
    with pytest.raises(NotFound):
        await far.revoke_grant(id="01NONE", by=ANN)
    looked = [(said, values) for said, values in heard if ".id = ?" in said]
    assert len(looked) >= 2
    plans = []
    with door.database.read() as connection:
        for said, values in looked:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", values)
            plans += [row[3] for row in plan if row[3].startswith(("SEARCH", "SCAN"))]
    led = [plan for plan in plans if "_by_agent" in plan or "_by_requester" in plan]
    own = [plan for plan in plans if plan not in led]
    assert led
    assert len(own) <= 1, own  # its own mind: all of it is seen
