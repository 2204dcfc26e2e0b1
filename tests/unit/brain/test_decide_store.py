"""Deciding when the store itself misbehaves: nothing is half done, and the text approved is the text written."""

from __future__ import annotations

import sqlite3

import pytest

from sliceway.brain.local import LocalDoor
from sliceway.core.proposals import State
from sliceway.errors import Conflict, NotFound, StoreUnavailable
from tests.contract.office import ANN, MIA, ask, at, gateway, page, settle


def _by_hand(door: LocalDoor, statement: str) -> None:
    """Change the file behind the brain's back."""
    assert door.database.file is not None
    connection = sqlite3.connect(door.database.file)
    with connection:
        connection.execute(statement)
    connection.close()


async def test_ap5_a_failing_apply_changes_nothing(door: LocalDoor) -> None:
    """AP5: the page cannot be written: the proposal is still pending, no event is left, and the clicker is told."""
    operator = await settle(door)
    brain = gateway(door)
    asked = await ask(brain, page("a"), page("b"))
    _by_hand(
        door,
        "CREATE TRIGGER fails BEFORE INSERT ON page_versions WHEN NEW.slug = 'b'"
        " BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    )
    head = await operator.head()
    with pytest.raises(StoreUnavailable, match="full"):
        await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    assert await operator.head() == head
    assert await brain.proposal(id=asked.id) == asked
    with pytest.raises(NotFound):
        await brain.read_page(slice="shared", slug="a", slices=["shared"], origin=at(ANN))
    _by_hand(door, "DROP TRIGGER fails")
    done = await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    assert done.state is State.APPLIED


async def test_ap21_another_text_than_the_one_shown_is_never_written(door: LocalDoor) -> None:
    """AP21: an approval is of the keyed digest; a text changed behind the brain's back is refused and found out."""
    operator = await settle(door)
    brain = gateway(door)
    asked = await ask(brain, page(content="Pay Ann."))
    _by_hand(door, "UPDATE proposals SET pages = replace(pages, 'Pay Ann.', 'Pay Eve.')")
    with pytest.raises(Conflict):
        await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    assert (await brain.proposal(id=asked.id)).state is State.PENDING
    report = await operator.verify()
    assert "a row of proposals is not as its events tell it" in [fault.what for fault in report.errors]
