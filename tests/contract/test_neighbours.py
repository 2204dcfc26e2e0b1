"""A page's neighbours in a conversation help to find it, and leave with their words."""

from __future__ import annotations

from sliceway.core.principals import Principal
from sliceway.ports import Brain, BrainDoor


async def _found(brain: Brain, query: str, **more: object) -> dict[str, tuple[str, ...]]:
    return {hit.slug: hit.matched for hit in (await brain.recall(query=query, **more)).hits}  # type: ignore[arg-type]


async def test_fr6_a_note_is_found_by_what_the_note_before_it_asked(ada: Brain) -> None:
    """FR6 FR1: neighbours are found after the page with the words, and `matched` says why; the snippet is the page's
    own; a page with the very name stays first; another folder's is no neighbour."""
    talk = [
        ("d/1", "which warehouse keeps the turbines?"), ("d/2", "the one in Porto"), ("d/3", "thanks"),
        ("e/1", "lunch is late"),
    ]  # fmt: skip
    await ada.write_pages(slice="mine", pages=[{"slug": slug, "content": text} for slug, text in talk])
    await ada.write_pages(slice="mine", pages=[{"slug": "x", "content": "noted apart", "after": "d/2"}])
    hits = (await ada.recall(query="turbines")).hits
    assert {hit.slug: hit.matched for hit in hits} == {
        "d/1": ("keyword",), "d/2": ("neighbour",), "d/3": ("neighbour",), "x": ("neighbour",)
    }  # fmt: skip
    assert [(hit.slug, hit.snippet) for hit in hits[:2]] == [
        ("d/1", "which warehouse keeps the turbines?"), ("d/2", "the one in Porto")
    ]  # fmt: skip
    assert next(iter(await _found(ada, "warehouse porto"))) == "d/2"


async def test_br10_a_page_that_left_lends_nothing_more(ada: Brain, door: BrainDoor) -> None:
    """BR10 BR11: deleted, moved or rewritten, a page's words are gone from its neighbours at once, and come back with
    it; the record verifies."""
    await ada.write_pages(slice="mine", pages=[{"slug": "q", "content": "turbines?"}])
    await ada.write_pages(slice="mine", pages=[{"slug": "a", "content": "in Porto", "after": "q"}])
    assert "a" in await _found(ada, "turbines")
    await ada.delete(slice="mine", slug="q")
    assert await _found(ada, "turbines") == {}
    await ada.restore(slice="mine", slug="q")
    assert "a" in await _found(ada, "turbines")
    await ada.write_pages(slice="mine", pages=[{"slug": "a", "content": "in Porto"}])
    assert "a" not in await _found(ada, "turbines")
    assert (await door.enter(Principal.operator()).verify()).ok


async def test_fr4_a_filter_is_hard_on_neighbours_too(ada: Brain) -> None:
    """FR4 FR11: a neighbour that passes is found only by words of pages that pass."""
    await ada.write_pages(slice="mine", pages=[{"slug": "d/1", "content": "turbines?"}])
    await ada.write_pages(slice="mine", pages=[{"slug": "d/2", "content": "in Porto", "tags": ["ops"]}])
    assert await _found(ada, "turbines", tags=["ops"]) == {}
    assert await _found(ada, "turbines", tags=[]) == {"d/1": ("keyword",), "d/2": ("neighbour",)}
