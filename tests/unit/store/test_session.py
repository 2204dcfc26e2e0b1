"""The one way to the brain's rows: what is outside the access of a transaction fails in the store itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from sliceway.brain.local import LocalBrain, LocalDoor
from sliceway.core.access import OutsideAccess, handling, keeping, reading, recording
from sliceway.core.policy import Policy
from sliceway.core.principals import NO_ORIGIN, Principal
from sliceway.core.slices import SYSTEM
from sliceway.store.cards import claim
from sliceway.store.ledger import slice_transaction
from sliceway.store.reads import live_page
from sliceway.store.session import Session
from sliceway.store.tables import cards, pages

ADA = reading(Principal.agent("ada"), NO_ORIGIN, Policy())
HANDLES = handling(Principal.gateway("ada", decides=True), NO_ORIGIN, Policy())
CARD = {"proposal": "p", "place": "p", "holder": "h", "until": "u"}


async def test_br4_a_foreign_slice_is_not_read_whatever_is_asked_for(door: LocalDoor, ada: LocalBrain) -> None:
    """BR4 SC9: a store function that is handed a foreign slice by mistake reads nothing of it and answers nothing."""
    await door.enter(Principal.agent("bob")).write_pages(slice="mine", pages=[{"slug": "n", "content": "secret"}])
    await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "own"}])

    def look(session: Session) -> None:
        with pytest.raises(OutsideAccess):
            live_page(session, "agent-ada", "n")  # before the access of the call is known
        session.enter(ADA.only(["agent-ada", "agent-bob"]))
        own = live_page(session, "agent-ada", "n")
        assert own is not None
        assert own.content == "own"
        for name in ("agent-bob", "shared", SYSTEM, "*"):
            with pytest.raises(OutsideAccess):
                live_page(session, name, "n")
        assert session.within(["agent-bob", "agent-ada"]) == ("agent-ada",)

    await door.store.reading(look)


WRONG: dict[str, Callable[[Session], Any]] = {
    "insert into another": lambda session: session.insert(cards, CARD, into="public"),
    "insert a row of another": lambda session: session.insert(cards, {**CARD, "slice": "public"}, into="shared"),
    "insert a row of another among more": lambda session: session.insert(
        cards, [CARD, {**CARD, "slice": "public"}], into="shared"
    ),
    "update another": lambda session: session.update(cards, into="public", values={"holder": "x"}),
    "move a row to another": lambda session: session.update(cards, into="shared", values={"slice": "public"}),
    "delete in another": lambda session: session.delete(cards, into="public"),
    "land again": lambda session: session.land("public"),
    "enter more": lambda session: session.enter(keeping("public")),
    "enter another call's": lambda session: session.enter(ADA),
    "a statement that inserts": lambda session: session.execute(insert(cards), [CARD], of="shared"),  # type: ignore[arg-type]
    "a statement that updates": lambda session: session.execute(update(cards).values(holder="x"), of="shared"),
    "a statement that deletes": lambda session: session.execute(delete(cards), of="shared"),
    "a second slice's transaction": lambda session: slice_transaction(
        session, "public", clock=lambda: pytest.fail("never begun"), new_id=str
    ).__enter__(),
}


@pytest.mark.parametrize("wrong", WRONG)
async def test_br15_a_write_elsewhere_fails_in_the_store_and_leaves_nothing(door: LocalDoor, wrong: str) -> None:
    """BR15: once a transaction has its one slice, no way leads to a row of another, and the fault undoes it all."""

    def work(session: Session) -> None:
        session.enter(HANDLES)
        session.land("shared")
        claim(session, "shared", "p", "place", "holder", now="1", until="2")
        WRONG[wrong](session)

    with pytest.raises(OutsideAccess):
        await door.store.writing(work)
    left = await door.database.reading(lambda connection: connection.execute(select(cards)).all())
    assert left == []


async def test_br15_nothing_is_written_without_a_slice_or_by_a_reader(door: LocalDoor) -> None:
    """BR15: before it has its one slice a transaction writes nowhere, and a reading one never does."""

    def work(session: Session) -> None:
        with pytest.raises(OutsideAccess):
            session.insert(cards, CARD, into=SYSTEM)
        session.enter(recording())
        with pytest.raises(OutsideAccess):
            session.insert(cards, CARD, into=SYSTEM)
        session.land(SYSTEM)
        session.insert(cards, CARD, into=SYSTEM)

    await door.store.writing(work)
    with pytest.raises(OutsideAccess):
        await door.store.reading(work)


async def test_br4_the_watch_sees_a_statement_that_reaches_further_than_it_says(
    door: LocalDoor, within_access: list[str]
) -> None:  # fmt: skip
    """BR4: a statement that says one slice and names another, or none, is told of by the watch that every test is
    under: it can fail."""

    def work(session: Session) -> None:
        session.enter(ADA)
        session.execute(select(pages).where(pages.c.slice == "shared"), of="shared")
        assert within_access == []
        session.execute(select(pages).where(pages.c.slice == "agent-bob"), of="shared")
        session.execute(select(pages), of="shared")
        session.execute(select(pages).where(pages.c.slice.like("agent-%")), of="shared")
        session.execute(select(pages).where(pages.c.slice.in_([])), of=[])

    await door.store.reading(work)
    seen = list(within_access)
    within_access.clear()
    assert len(seen) == 3
