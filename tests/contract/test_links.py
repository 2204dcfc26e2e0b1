"""Links and backlinks end inside what the reader may read."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.errors import InvalidRequest, NotFound
from sliceway.ports import Brain
from tests.contract.people import ANN, in_channel, in_private, put_shared


async def test_br9_links_end_in_the_readers_scope(gateway: Brain, ada: Brain, bob: Brain) -> None:
    """BR9 BR8: a link ends at each readable page of its slug; a page nobody readable has is a link without an end."""
    await put_shared(gateway, "plan", "the plan", title="Plan")
    await ada.write_pages(
        slice="mine",
        pages=[
            {"slug": "n", "content": "see [[plan]], [[secret|that]] and [[plan]]"},
            {"slug": "plan", "content": "p"},
        ],
    )
    await bob.write_pages(slice="mine", pages=[{"slug": "secret", "content": "hidden"}])
    ends = (await ada.read_page(slice="mine", slug="n")).links
    assert [(link.slug, link.slice, link.title) for link in ends] == [
        ("plan", "agent-ada", "plan"),
        ("plan", "shared", "Plan"),
        ("secret", None, None),
    ]


async def test_br9_backlinks_from_elsewhere_do_not_exist(gateway: Brain, ada: Brain, bob: Brain) -> None:
    """BR9: backlinks from slices that the reader cannot see are not there, not even as a count."""
    await put_shared(gateway, "plan", "the plan")
    await bob.write_pages(slice="mine", pages=[{"slug": "b", "content": "[[plan]]"}])
    await gateway.write_pages(
        slice="user", pages=[{"slug": "p", "content": "my [[plan]]"}], origin=in_private(ANN)
    )  # fmt: skip
    assert (await ada.read_page(slice="shared", slug="plan")).backlinks == ()
    await ada.write_pages(slice="mine", pages=[{"slug": "a", "content": "[[plan]]"}])
    assert [(link.slice, link.slug) for link in (await ada.read_page(slice="shared", slug="plan")).backlinks] == [
        ("agent-ada", "a")
    ]
    private = await gateway.read_page(
        slice="shared", slug="plan", slices=["shared", ANN.slice], origin=in_private(ANN)
    )  # fmt: skip
    assert [(link.slice, link.slug) for link in private.backlinks] == [(ANN.slice, "p")]
    channel = await gateway.read_page(
        slice="shared", slug="plan", slices=["shared", ANN.slice], origin=in_channel(ANN)
    )  # fmt: skip
    assert channel.backlinks == ()


async def test_br9_links_follow_the_text(ada: Brain) -> None:
    """BR9: links of an earlier text, and of a deleted page, are gone."""
    await ada.write_pages(slice="mine", pages=[{"slug": "m", "content": "m"}, {"slug": "n", "content": "[[m]]"}])
    assert len((await ada.read_page(slice="mine", slug="m")).backlinks) == 1
    await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "no more"}])
    assert (await ada.read_page(slice="mine", slug="m")).backlinks == ()
    assert [link.slug for link in (await ada.read_page(slice="mine", slug="n", version=1)).links] == ["m"]


async def test_br4_a_foreign_page_is_not_found_like_a_missing_one(ada: Brain, bob: Brain) -> None:
    """BR4: reading, and the history of, a foreign page answer exactly as a page that never was."""
    await bob.write_pages(slice="mine", pages=[{"slug": "n", "content": "x"}])
    said = set()
    for name, slug in (("agent-bob", "n"), ("agent-nobody", "n"), ("mine", "n"), ("shared", "n")):
        for read in (ada.read_page, ada.versions):
            with pytest.raises(NotFound) as refused:
                await read(slice=name, slug=slug)
            said.add((refused.value.detail, tuple(refused.value.facts)))
    assert len(said) == 1


async def test_br13_lists_page_by_slice_and_slug(gateway: Brain, ada: Brain) -> None:
    """BR13 BR8: a list comes in parts, in order, without gaps; a cursor is of its own list."""
    await put_shared(gateway, "a", "x", tags=["t"], kind="k")
    await ada.write_pages(slice="mine", pages=[{"slug": slug, "content": "x"} for slug in "abc"])
    seen, cursor = [], None
    while True:
        part = await ada.list_pages(limit=2, cursor=cursor)
        seen += [(entry.slice, entry.slug) for entry in part]
        if (cursor := part.next_cursor) is None:
            break
    assert seen == [("agent-ada", "a"), ("agent-ada", "b"), ("agent-ada", "c"), ("shared", "a")]
    assert [entry.slug for entry in await ada.list_pages(slice="mine")] == ["a", "b", "c"]
    listed: list[dict[str, Any]] = [{"tag": "t"}, {"kind": "k"}, {"slice": "shared"}]
    for filters in listed:
        assert [entry.slice for entry in await ada.list_pages(**filters)] == ["shared"]
    assert len((await ada.list_pages(saved_by="ADA")).items) == 4
    assert (await ada.list_pages(saved_by="bob")).items == ()
    with pytest.raises(InvalidRequest):
        await ada.list_pages(cursor="made-up")


async def test_br7_a_history_comes_newest_first_in_parts(ada: Brain) -> None:
    """BR7 BR13: versions are listed newest first, and each names its author."""
    for at in range(5):
        await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": f"text {at}"}])
    first = await ada.versions(slice="mine", slug="n", limit=3)
    rest = await ada.versions(slice="mine", slug="n", limit=3, cursor=first.next_cursor)
    assert [entry.version for entry in (*first, *rest)] == [5, 4, 3, 2, 1]
    assert {entry.author.agent for entry in (*first, *rest)} == {"ada"}
    assert rest.next_cursor is None
