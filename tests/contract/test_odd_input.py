"""Whatever a caller gives is done, or refused with a code; nothing is ever half-written (BR5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.principals import Origin, Principal
from sliceway.core.turns import Person, Place
from sliceway.errors import InvalidRequest, SlicewayError, Unavailable
from sliceway.ports import Brain, BrainDoor
from tests.contract.odd_calls import HUGE, made, odd_call
from tests.contract.office import ANN, at, gateway, page, settle
from tests.fakes.clock import HandClock, ids


async def _code_of(call: Awaitable[object]) -> str | None:
    """Return the code that a call is refused with, None where it is done."""
    try:
        await call
    except SlicewayError as error:
        return error.code
    return None


@pytest.mark.timeout(120)
@settings(max_examples=40)
@given(calls=st.lists(odd_call(), min_size=4, max_size=8))
def test_br5_whatever_is_given_is_done_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    """BR5: no call of the port ends otherwise than with its answer or an error of ours, with a code; each leaves a
    record that verifies, and none of them a word of what was refused."""

    async def through(folder: Path) -> None:
        clock = HandClock()
        async with await open_local(f"sqlite:///{folder / 's.db'}", sync="normal", clock=clock, new_id=ids()) as door:
            operator = await settle(door)
            for brain in (gateway(door), door.enter(Principal.agent("ada")), operator):
                for name, fields in calls:
                    assert await _code_of(made(brain, name, fields)) != SlicewayError.code
            assert (await operator.verify()).ok

    asyncio.run(through(tmp_path_factory.mktemp("odd")))


def _numbered(field: str) -> dict[str, Any]:
    return {"slice": "mine", "slug": "n", field: HUGE}


@pytest.mark.parametrize("field", ["version", "if_version"])
async def test_br5_a_number_that_no_column_holds_is_refused(ada: Brain, field: str) -> None:
    """BR5: a version beyond what a store can number is refused with its field."""
    await ada.write_pages(slice="mine", pages=[page("n")])
    for call in (ada.restore, ada.read_page) if field == "version" else (ada.restore, ada.delete):
        with pytest.raises(InvalidRequest) as refused:
            await call(**_numbered(field))
        assert [error.field for error in refused.value.errors] == [field]


ODD_ORIGINS: list[Callable[[], Any]] = [
    lambda: Origin(person="x", place=Place("slack", "T1", "C1")),  # type: ignore[arg-type]
    lambda: Origin(place="C1"),  # type: ignore[arg-type]
    lambda: Origin(place=Place("slack", "T1", "C1"), turn=5),  # type: ignore[arg-type]
    lambda: Origin(person=Person("T1", "U1", name="\ud800"), place=Place("slack", "T1", "C1")),
    lambda: Origin(person=Person("T1", "U1\0"), place=Place("slack", "T1", "C1")),
    lambda: Origin(place=Place("slack", "T1", "C1", link="\ud800")),
    lambda: Origin(place=Place("slack", "", "")),
]


@pytest.mark.parametrize("origin", ODD_ORIGINS)
async def test_br5_an_origin_given_as_a_dataclass_is_checked_alike(
    gateway: Brain, operator: Brain, origin: Callable[[], Any]
) -> None:
    """BR5: what a mapping may not say of person, place and turn, the dataclass may not either."""
    with pytest.raises(InvalidRequest):
        await gateway.write_pages(slice="agent-ada", pages=[page("n")], origin=origin())
    assert (await operator.slices()).items == ()


async def test_br5_any_mapping_is_a_page_a_place_or_a_person(gateway: Brain) -> None:
    """BR1: the port takes mappings, whichever class they are of."""
    origin = MappingProxyType({**at(ANN), "place": MappingProxyType(at(ANN)["place"])})
    done = await gateway.write_pages(slice="agent-ada", pages=[MappingProxyType(page("n"))], origin=origin)
    assert done.receipts[0].author.on_behalf_of == Person("T1", "UANN")
    await gateway.observe(place=MappingProxyType({"team": "T1", "channel": "C9", "guests": True}))


async def test_br5_a_field_of_any_length_is_named_in_a_short_error(ada: Brain) -> None:
    """BR5: a name that is no field comes back cut, without control characters."""
    with pytest.raises(InvalidRequest) as refused:
        await ada.write_pages(slice="mine", pages=[{**page("n"), "\x1b[31m" + "x" * 100_000: 1}])
    assert len(refused.value.detail) < 300
    assert refused.value.detail.isprintable()


async def test_br5_a_closed_door_says_so(door: BrainDoor, ada: Brain) -> None:
    """BR5: after it was closed, a brain answers `unavailable`, not with an error of a library."""
    await door.close()
    for call in (ada.recall(query="x"), ada.write_pages(slice="mine", pages=[page("n")])):
        with pytest.raises(Unavailable, match="closed"):
            await call


@pytest.mark.parametrize("names", [5, [5], [None], [""], "shared", ["shared", "user-x"]])
def test_br2_a_principal_is_made_of_names_alone(names: Any) -> None:
    """BR2: a reader's slices and a gateway's teams are a list of texts, and an agent's id is one."""
    with pytest.raises(InvalidRequest):
        Principal.reader(names)
    with pytest.raises(InvalidRequest):
        Principal.agent(names if not isinstance(names, str) else "a b")


def test_br5_a_store_is_opened_in_one_of_two_ways(tmp_path: Path) -> None:
    """BR12: another word for how a store is synced is refused, and no file is made."""
    with pytest.raises(InvalidRequest, match="full or normal"):
        asyncio.run(_opened(tmp_path))
    assert list(tmp_path.iterdir()) == []


async def _opened(folder: Path) -> LocalDoor:
    return await open_local(f"sqlite:///{folder / 's.db'}", sync="fast", clock=HandClock(), new_id=ids())


@pytest.mark.parametrize("query", ["!!!", "‽", '"', '"""', "«»", "%"])
async def test_fr7_a_query_without_words_is_told_so(ada: Brain, query: str) -> None:
    """FR7: a query that holds nothing to look for finds nothing and says why, now and as of a time."""
    await ada.write_pages(slice="mine", pages=[page("n")])
    for found in (await ada.recall(query=query), await ada.recall(query=query, as_of="2030-01-01")):
        assert (found.hits, found.reason) == ((), "the query has no words to look for; write some letters or digits")
