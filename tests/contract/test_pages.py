"""Writing pages: what lands, what the receipt says, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.core.principals import Principal
from sliceway.errors import (
    AuthorMismatch,
    InvalidRequest,
    InvalidSlug,
    NotFound,
    NotPermitted,
    SliceForbidden,
    SlicewayError,
    TooLarge,
    VersionConflict,
)
from sliceway.ports import Brain, BrainDoor
from tests.contract.people import ANN, BACKGROUND, BEN, DEPLOYS, in_channel, in_private
from tests.fakes.clock import HandClock


async def test_gt2_an_agent_writes_its_own_slice_and_reads_it_back(ada: Brain, clock: HandClock) -> None:
    """GT2 SC12: `mine` is the agent's slice, made by its first write; the receipt says what really happened."""
    written = await ada.write_pages(
        slice="mine", pages=[{"slug": "deploys/rollback", "content": "# Rollback\nbuild 2301", "tags": ["ops", "ops"]}]
    )
    (receipt,) = written.receipts
    assert (written.outcome, receipt.slice, receipt.version, receipt.action) == ("written", "agent-ada", 1, "store")
    assert (receipt.author.agent, receipt.at, receipt.replaced) == ("ada", clock.text, None)
    page = await ada.read_page(slice="mine", slug="deploys/rollback")
    assert (page.title, page.content, page.tags) == ("Rollback", "# Rollback\nbuild 2301", ("ops",))
    assert page["version"] == 1


async def test_br7_the_last_write_wins_and_names_what_it_replaced(ada: Brain) -> None:
    """BR7: without `if_version` the last write wins; the receipt names the version it replaced."""
    await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "one"}])
    again = await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "two"}])
    assert again.receipts[0].action == "replace"
    assert again.receipts[0].replaced is not None
    assert again.receipts[0].replaced.version == 1


async def test_br7_a_stale_if_version_is_refused_with_the_current_one(ada: Brain) -> None:
    """BR7: `if_version` of a version that is no longer current is `version_conflict` and writes nothing."""
    await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "one"}])
    await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "two", "if_version": 1}])
    with pytest.raises(VersionConflict) as refused:
        await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "three", "if_version": 1}])
    assert refused.value.facts["current"] == 2
    with pytest.raises(VersionConflict):
        await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "three", "if_version": 0}])
    assert (await ada.read_page(slice="mine", slug="n")).content == "two"


async def test_br7_the_same_page_again_changes_nothing(ada: Brain, operator: Brain) -> None:
    """BR7: a write that changes nothing is `nochange`: no event, the standing version's event id."""
    first = await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "one", "tags": ["a"]}])
    head = await operator.head()
    again = await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "one", "tags": ["a"]}])
    assert (again.receipts[0].action, again.receipts[0].event_id) == ("nochange", first.receipts[0].event_id)
    assert await operator.head() == head


async def test_ap19_a_batch_is_written_whole_or_not_at_all(ada: Brain) -> None:
    """AP19 BR5: when one page of a batch is refused none is written."""
    await ada.write_pages(slice="mine", pages=[{"slug": "old", "content": "x"}])
    pages: list[dict[str, Any]] = [{"slug": "new", "content": "y"}, {"slug": "old", "content": "z", "if_version": 7}]
    with pytest.raises(VersionConflict):
        await ada.write_pages(slice="mine", pages=pages)
    with pytest.raises(NotFound):
        await ada.read_page(slice="mine", slug="new")


async def test_br3_the_author_is_stamped_from_principal_and_origin(gateway: Brain) -> None:
    """BR3: author, person, surface and place come from the principal and the origin."""
    written = await gateway.write_pages(
        slice="agent-ada", pages=[{"slug": "n", "content": "x"}], origin=in_channel(ANN)
    )  # fmt: skip
    author = written.receipts[0].author
    assert (author.agent, author.on_behalf_of, author.surface) == ("ada", ANN, "slack")
    assert author.place is not None
    assert author.place.channel == DEPLOYS["channel"]


async def test_br3_an_agent_gives_no_origin(ada: Brain) -> None:
    """BR3: an agent's token has no people: an origin is `not_permitted`, and so is an author, as `author_mismatch`."""
    with pytest.raises(NotPermitted):
        await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "x"}], origin=in_channel(ANN))
    for page in (
        {"slug": "n", "content": "x", "author": {"agent": "bob"}},
        {"slug": "n", "content": "x", "author": "ada"},
    ):
        with pytest.raises(AuthorMismatch):
            await ada.write_pages(slice="mine", pages=[page])
        with pytest.raises(AuthorMismatch):
            await ada.propose(op="write", slice="mine", pages=[page])
    assert (await ada.list_pages()).items == ()


async def test_gt3_a_person_s_corner_is_written_in_their_turns_alone(gateway: Brain) -> None:
    """GT3: `user` is the person's own slice, from a private session and from a trusted channel."""
    page = {"slug": "n", "content": "x"}
    private = await gateway.write_pages(slice="user", pages=[page], origin=in_private(ANN))
    assert private.receipts[0].slice == ANN.slice
    channel = await gateway.write_pages(slice=BEN.slice, pages=[page], origin=in_channel(BEN))
    assert channel.receipts[0].slice == BEN.slice
    with pytest.raises(NotPermitted):
        await gateway.write_pages(slice=ANN.slice, pages=[page], origin=in_channel(BEN))
    with pytest.raises(NotPermitted):
        await gateway.write_pages(slice="agent-ada", pages=[page], origin=in_private(ANN))


async def test_sc4_background_work_writes_the_agent_s_own_slice(gateway: Brain) -> None:
    """SC4: background work without a person writes the agent's slice; a call without a place writes nothing (SC6)."""
    page = {"slug": "n", "content": "x"}
    written = await gateway.write_pages(slice="agent-ada", pages=[page], origin={"place": BACKGROUND})
    assert written.receipts[0].author.surface == "background"
    with pytest.raises(NotPermitted):
        await gateway.write_pages(slice="agent-ada", pages=[page])


FORBIDDEN: list[tuple[str, type[SlicewayError]]] = [
    ("kb-handbook", SliceForbidden),
    ("agent", SliceForbidden),
    (ANN.slice, SliceForbidden),
    ("agent-bob", NotPermitted),
    ("agent-nobody", NotPermitted),
    ("_system", InvalidRequest),
    ("team-x", InvalidRequest),
    ("user", SliceForbidden),
]


@pytest.mark.parametrize(("name", "error"), FORBIDDEN)
async def test_gt6_other_slices_are_refused_by_kind_or_by_right(
    ada: Brain, operator: Brain, name: str, error: type[SlicewayError]
) -> None:
    """GT6 SC12: a write to any other slice is refused, makes no slice, and leaves the ledger verified."""
    with pytest.raises(error):
        await ada.write_pages(slice=name, pages=[{"slug": "n", "content": "x"}])
    assert name not in {entry.slice for entry in await operator.slices()}
    assert (await operator.verify()).ok


@pytest.mark.parametrize("op", ["delete", "restore", "undo"])
async def test_br4_changing_a_foreign_page_is_one_answer_with_a_missing_slice(
    ada: Brain, bob: Brain, op: str
) -> None:  # fmt: skip
    """BR4 SC9: what exists in another's slice and what never did are refused in the same words."""
    await bob.write_pages(slice="mine", pages=[{"slug": "n", "content": "x"}])
    said = []
    for name in ("agent-bob", "agent-nobody"):
        more: dict[str, Any] = {"expected_event": "x"} if op == "undo" else {}
        with pytest.raises(NotPermitted) as refused:
            await getattr(ada, op)(slice=name, slug="n", **more)
        said.append(refused.value.detail)
    assert said[0] == said[1]


async def test_gt4_the_team_s_slice_asks(ada: Brain) -> None:
    """GT4 FA33: `shared` asks; a dry run of it stores nothing and says so."""
    page = {"slug": "n", "content": "x"}
    rehearsed = await ada.write_pages(slice="shared", pages=[page], dry_run=True)
    assert rehearsed.outcome == "would_ask"
    asked = await ada.write_pages(slice="shared", pages=[page])
    assert asked.outcome == "pending"
    assert asked.proposal is not None
    with pytest.raises(NotFound):
        await ada.read_page(slice="shared", slug="n")


async def test_fa33_a_dry_run_gives_the_receipt_and_writes_nothing(ada: Brain, operator: Brain) -> None:
    """BR5: `dry_run` answers what a write would, and leaves no page, no slice and no event."""
    rehearsed = await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "x"}], dry_run=True)
    assert (rehearsed.outcome, rehearsed.receipts[0].action, rehearsed.dry_run) == ("written", "store", True)
    assert (await operator.slices()).items == ()
    with pytest.raises(NotFound):
        await ada.read_page(slice="mine", slug="n")


BAD: list[tuple[dict[str, Any], type[SlicewayError], str]] = [
    ({"content": " \n\t"}, InvalidRequest, "blank"),
    ({"content": "\u200b\u2060"}, InvalidRequest, "blank"),
    ({"content": None}, InvalidRequest, "invalid_request"),
    ({"content": 7}, InvalidRequest, "invalid_request"),
    ({"content": "a\x00b"}, InvalidRequest, "control_character"),
    ({"content": "a\x85b"}, InvalidRequest, "control_character"),
    ({"content": "a\ud800b"}, InvalidRequest, "lone_surrogate"),
    ({"content": "é" * (128 * 1024 + 1)}, TooLarge, ""),
    ({"content": "x" * 300_000}, TooLarge, ""),
    ({"title": ""}, InvalidRequest, "blank"),
    ({"title": "a\nb"}, InvalidRequest, "control_character"),
    ({"title": "x" * 301}, InvalidRequest, "too_long"),
    ({"tags": ["x"] * 33}, InvalidRequest, "too_long"),
    ({"tags": ["x" * 65]}, InvalidRequest, "too_long"),
    ({"tags": [""]}, InvalidRequest, "blank"),
    ({"slug": "../etc"}, InvalidSlug, "invalid_slug"),
    ({"slug": "a//b"}, InvalidSlug, "invalid_slug"),
    ({"slug": ""}, InvalidSlug, "invalid_slug"),
    ({"slug": "A"}, InvalidSlug, "invalid_slug"),
    ({"slug": "x" * 201}, InvalidSlug, "invalid_slug"),
    ({"approved": True}, InvalidRequest, "unknown_field"),
    ({"if_version": -1}, InvalidRequest, "invalid_request"),
]


@pytest.mark.parametrize(("fields", "error", "code"), BAD)
async def test_br5_bad_input_is_refused_with_code_and_field_and_loses_nothing(
    ada: Brain, operator: Brain, fields: dict[str, Any], error: type[SlicewayError], code: str
) -> None:
    """BR5: what a page may not be is refused with a code and the field; nothing is cut, nothing half-written."""
    good = {"slug": "good", "content": "fine"}
    with pytest.raises(error) as refused:
        await ada.write_pages(slice="mine", pages=[good, {"slug": "n", "content": "x", **fields}])
    if isinstance(refused.value, InvalidRequest):
        assert {found.code for found in refused.value.errors} == {code}
        assert all(found.field.startswith("pages.1.") for found in refused.value.errors)
    assert (await operator.slices()).items == ()


@pytest.mark.parametrize("count", [0, 21])
async def test_br5_a_write_has_1_to_20_pages(ada: Brain, count: int) -> None:
    """BR5 AP19: no page, or more than twenty, is `invalid_request`."""
    with pytest.raises(InvalidRequest) as refused:
        await ada.write_pages(slice="mine", pages=[{"slug": f"n/{at}", "content": "x"} for at in range(count)])
    assert refused.value.errors[0].field == "pages"


async def test_br5_one_slug_twice_in_a_write_is_refused(ada: Brain) -> None:
    """BR5: which of two pages of one slug should win is not guessed."""
    with pytest.raises(InvalidRequest):
        await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "x"}, {"slug": "n", "content": "y"}])


async def test_br1_a_door_is_entered_by_a_principal(door: BrainDoor) -> None:
    """BR1: an embedded door takes a principal; `mine` is no word of a gateway's."""
    with pytest.raises(InvalidRequest):
        door.enter()
    gateway = door.enter(Principal.gateway("ada", teams=["T1"]))
    with pytest.raises(InvalidRequest):
        await gateway.write_pages(slice="mine", pages=[{"slug": "n", "content": "x"}], origin=in_channel(None))
