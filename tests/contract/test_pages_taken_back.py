"""Deleting, restoring and undoing: soft, by new versions, and only what one caused."""

from __future__ import annotations

import pytest

from sliceway.errors import InvalidRequest, NotFound, NotPermitted, StaleEvent, VersionConflict
from sliceway.ports import Brain
from tests.contract.people import ANN, BEN, in_channel, in_private


async def _written(brain: Brain, *contents: str) -> list[str]:
    """Write versions of the page `n` and return their event ids."""
    events = []
    for content in contents:
        outcome = await brain.write_pages(slice="mine", pages=[{"slug": "n", "content": content, "tags": ["t"]}])
        events.append(outcome.receipts[0].event_id)
    return events


async def test_br10_delete_is_soft_and_restore_gives_everything_back(ada: Brain) -> None:
    """BR10 GT7: a deleted page is gone from reads; restore brings back text, tags, links and history."""
    await ada.write_pages(
        slice="mine", pages=[{"slug": "n", "content": "see [[m]]", "tags": ["t"]}, {"slug": "m", "content": "m"}]
    )
    deleted = await ada.delete(slice="mine", slug="n", reason="no longer true")
    assert (deleted.receipts[0].action, deleted.receipts[0].version) == ("delete", 2)
    with pytest.raises(NotFound):
        await ada.read_page(slice="mine", slug="n")
    assert (await ada.recall(query="see")).hits == ()
    assert (await ada.read_page(slice="mine", slug="m")).backlinks == ()
    restored = await ada.restore(slice="mine", slug="n")
    assert (restored.receipts[0].action, restored.receipts[0].version) == ("restore", 3)
    page = await ada.read_page(slice="mine", slug="n")
    assert (page.content, page.tags, page.links[0].slug) == ("see [[m]]", ("t",), "m")
    assert [entry.action for entry in await ada.versions(slice="mine", slug="n")] == ["restore", "delete", "store"]


async def test_br7_versions_never_restart(ada: Brain) -> None:
    """BR7: a page written after its deletion goes on counting, and its earlier versions can be read."""
    await _written(ada, "one")
    await ada.delete(slice="mine", slug="n")
    again = await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "two"}])
    assert (again.receipts[0].version, again.receipts[0].action) == (3, "store")
    assert (await ada.read_page(slice="mine", slug="n", version=1)).content == "one"
    with pytest.raises(NotFound):
        await ada.read_page(slice="mine", slug="n", version=2)


async def test_br7_restoring_over_a_live_page_names_the_version(ada: Brain) -> None:
    """BR7: over a live page a restore needs the version to bring back."""
    await _written(ada, "one", "two")
    with pytest.raises(InvalidRequest):
        await ada.restore(slice="mine", slug="n")
    restored = await ada.restore(slice="mine", slug="n", version=1)
    assert restored.receipts[0].replaced is not None
    assert restored.receipts[0].replaced.version == 2
    assert (await ada.read_page(slice="mine", slug="n")).content == "one"
    assert (await ada.restore(slice="mine", slug="n", version=1)).receipts[0].action == "nochange"
    with pytest.raises(NotFound):
        await ada.restore(slice="mine", slug="n", version=9)


async def test_gt7_undo_takes_back_the_change_of_a_receipt(ada: Brain) -> None:
    """GT7: undo is a new event that brings back what was before: text, absence, or a deleted page."""
    first, second = await _written(ada, "one", "two")
    with pytest.raises(StaleEvent) as refused:
        await ada.undo(slice="mine", slug="n", expected_event=first)
    assert refused.value.facts["current"] == second
    undone = await ada.undo(slice="mine", slug="n", expected_event=second)
    assert (undone.receipts[0].action, undone.receipts[0].version) == ("undo", 3)
    assert (await ada.read_page(slice="mine", slug="n")).content == "one"
    await ada.undo(slice="mine", slug="n", expected_event=undone.receipts[0].event_id)
    assert (await ada.read_page(slice="mine", slug="n")).content == "two"
    deleted = await ada.delete(slice="mine", slug="n")
    await ada.undo(slice="mine", slug="n", expected_event=deleted.receipts[0].event_id)
    assert (await ada.read_page(slice="mine", slug="n")).content == "two"


async def test_gt7_undo_of_the_first_write_leaves_no_page(ada: Brain) -> None:
    """GT7: before its first write there was no page, and after the undo there is none."""
    (first,) = await _written(ada, "one")
    await ada.undo(slice="mine", slug="n", expected_event=first)
    with pytest.raises(NotFound):
        await ada.read_page(slice="mine", slug="n")


async def test_br7_a_stale_delete_is_refused(ada: Brain) -> None:
    """BR7: `if_version` guards a deletion too; a page that is not there is `not_found`."""
    await _written(ada, "one", "two")
    with pytest.raises(VersionConflict):
        await ada.delete(slice="mine", slug="n", if_version=1)
    await ada.delete(slice="mine", slug="n", if_version=2)
    with pytest.raises(NotFound):
        await ada.delete(slice="mine", slug="n")


async def test_gt7_a_person_takes_back_only_what_they_caused(gateway: Brain, ada: Brain) -> None:
    """GT7: of an agent's mind a person removes what they had saved, from private sessions too, and nothing else."""
    page = [{"slug": "n", "content": "Ann's"}]
    written = await gateway.write_pages(slice="agent-ada", pages=page, origin=in_channel(ANN))
    await ada.write_pages(slice="mine", pages=[{"slug": "own", "content": "the agent's own"}])
    for origin in (in_channel(BEN), in_private(BEN)):
        with pytest.raises(NotPermitted):
            await gateway.delete(slice="agent-ada", slug="n", origin=origin)
        with pytest.raises(NotPermitted):
            await gateway.undo(
                slice="agent-ada", slug="n", expected_event=written.receipts[0].event_id, origin=origin
            )  # fmt: skip
    with pytest.raises(NotPermitted) as refused:
        await gateway.delete(slice="agent-ada", slug="own", origin=in_channel(ANN))
    assert "only what you had me save" in refused.value.detail
    deleted = await gateway.delete(slice="agent-ada", slug="n", origin=in_private(ANN))
    undo = {"slice": "agent-ada", "slug": "n", "expected_event": deleted.receipts[0].event_id}
    await gateway.undo(**undo, origin=in_channel(ANN))
    assert (await ada.read_page(slice="mine", slug="n")).content == "Ann's"
