"""Retries: the first answer again, and a turn that runs again is given what it did."""

from __future__ import annotations

import pytest

from sliceway.errors import IdempotencyConflict, NotFound
from sliceway.ports import Brain
from tests.contract.people import ANN, in_channel, in_private
from tests.fakes.clock import HandClock


async def test_br6_a_retry_returns_the_first_receipt(ada: Brain) -> None:
    """BR6: the same id with the same content is answered once more, marked `replayed`, and writes nothing."""
    page = {"slug": "n", "content": "one"}
    first = await ada.write_pages(slice="mine", pages=[page], request_id="r1")
    await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "two"}])
    again = await ada.write_pages(slice="mine", pages=[page], request_id="r1")
    assert again.receipts[0].replayed is True
    assert again.receipts[0].event_id == first.receipts[0].event_id
    assert (await ada.read_page(slice="mine", slug="n")).content == "two"


async def test_br6_the_same_id_with_other_content_conflicts(ada: Brain, bob: Brain) -> None:
    """BR6: an id is of one content, for one principal and slice."""
    await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "one"}], request_id="r1")
    with pytest.raises(IdempotencyConflict):
        await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "two"}], request_id="r1")
    with pytest.raises(IdempotencyConflict):
        await ada.delete(slice="mine", slug="n", request_id="r1")
    other = await bob.write_pages(slice="mine", pages=[{"slug": "n", "content": "two"}], request_id="r1")
    assert other.receipts[0].replayed is None


async def test_br6_a_retried_delete_is_no_missing_page(ada: Brain) -> None:
    """BR6: the retry of a deletion is given its receipt although the page is gone."""
    await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "one"}])
    first = await ada.delete(slice="mine", slug="n", request_id="d1")
    again = await ada.delete(slice="mine", slug="n", request_id="d1")
    assert again.receipts[0].event_id == first.receipts[0].event_id
    with pytest.raises(NotFound):
        await ada.delete(slice="mine", slug="n", request_id="d2")


async def test_br6_first_answers_are_kept_seven_days(ada: Brain, clock: HandClock) -> None:
    """BR6: after seven days an id is new again."""
    page = {"slug": "n", "content": "one"}
    await ada.write_pages(slice="mine", pages=[page], request_id="r1")
    clock.advance("7d")
    assert (await ada.write_pages(slice="mine", pages=[page], request_id="r1")).receipts[0].replayed is True
    clock.advance("1s")
    assert (await ada.write_pages(slice="mine", pages=[page], request_id="r1")).receipts[0].replayed is None


async def test_br6_a_retried_request_for_a_yes_is_the_same_proposal(ada: Brain) -> None:
    """BR6 AP2: the retry of a write that asks is given the proposal of the first."""
    page = {"slug": "n", "content": "one"}
    first = await ada.write_pages(slice="shared", pages=[page], request_id="r1")
    again = await ada.write_pages(slice="shared", pages=[page], request_id="r1")
    assert first.proposal is not None
    assert again.proposal is not None
    assert again.proposal.id == first.proposal.id


async def test_br6_a_turn_is_told_what_it_already_did(gateway: Brain) -> None:
    """BR6: `done_in` lists the receipts of a turn; what was done in a corner is seen with its person alone."""
    page = {"slug": "n", "content": "one"}
    await gateway.write_pages(slice="agent-ada", pages=[page], origin=in_channel(ANN, turn="t1"))
    await gateway.write_pages(slice="user", pages=[page], origin=in_private(ANN, turn="t2"))
    done = await gateway.done_in(turn="t1", origin=in_channel(ANN, turn="t1"))
    assert [receipt.slice for receipt in done.receipts] == ["agent-ada"]
    assert (await gateway.done_in(turn="t2", origin=in_private(ANN))).receipts[0].slice == ANN.slice
    assert (await gateway.done_in(turn="t2")).receipts == ()
    assert (await gateway.done_in(turn="t3")).receipts == ()


async def test_br6_a_turn_that_asked_finds_its_proposal(gateway: Brain) -> None:
    """BR6: `done_in` lists the proposals of a turn too."""
    asked = await gateway.write_pages(
        slice="shared", pages=[{"slug": "n", "content": "one"}], origin=in_channel(ANN, turn="t1")
    )
    done = await gateway.done_in(turn="t1", origin=in_channel(ANN, turn="t1"))
    assert asked.proposal is not None
    assert [proposal.id for proposal in done.proposals] == [asked.proposal.id]
