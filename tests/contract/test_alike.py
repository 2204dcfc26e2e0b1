"""BR1: with and without a wire a call comes to the same, and is refused with the same code and the same fields."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, SlicewayError
from sliceway.ports import Brain
from tests.contract.odd_calls import made, odd_call
from tests.contract.office import TEAM, settle
from tests.contract.over_http import Served, open_served
from tests.fakes.clock import HandClock, ids

CALLERS = [
    Principal.gateway("ada", teams=[TEAM], acts_for=True, decides=True),
    Principal.agent("ada"),
    Principal.reader(["shared"]),
    Principal.admin(),
]


async def _came_to(brain: Brain, name: str, fields: dict[str, Any]) -> tuple[Any, ...]:
    """Return what a call came to, as a caller can tell: the type of its answer, or all of its refusal."""
    try:
        return (type(await made(brain, name, fields)),)
    except InvalidRequest as error:
        return type(error), error.detail, error.errors, error.facts
    except SlicewayError as error:
        return type(error).code, error.detail, error.facts


@pytest.mark.timeout(180)
@settings(max_examples=25)
@given(calls=st.lists(odd_call(), min_size=6, max_size=10))
def test_br1_whatever_is_given_comes_to_the_same(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    """BR1 BR5 CL2: any arguments, any caller: the same answer or the same refusal, word for word and field by field."""

    async def through(folder: Path) -> None:
        async with await open_served(folder, HandClock(), ids()) as door:
            assert isinstance(door, Served)
            await settle(door)
            for principal in CALLERS:
                far, near = door.enter(principal), door.local.enter(principal)
                for name, fields in calls:
                    there, here = await _came_to(far, name, fields), await _came_to(near, name, fields)
                    assert there == here, (principal.kind, name)

    asyncio.run(through(tmp_path_factory.mktemp("alike")))


@pytest.mark.parametrize(
    "pages", [[], [{"slug": "a", "content": "x"}, {"slug": "a", "content": "y"}]], ids=["none", "twice"]
)
async def test_br1_of_two_wrong_parts_both_ends_name_the_same(tmp_path: Path, pages: list[dict[str, str]]) -> None:
    """BR1 CL2: where pages and origin are wrong together, the same one is named with and without a wire."""
    async with await open_served(tmp_path, HandClock(), ids()) as door:
        assert isinstance(door, Served)
        await settle(door)
        wrong = {"op": "write", "slice": "shared", "pages": pages, "origin": {"turn": ""}}
        far, near = door.enter(CALLERS[0]), door.local.enter(CALLERS[0])
        there, here = await _came_to(far, "propose", wrong), await _came_to(near, "propose", wrong)
        assert there == here
        assert there[0] is InvalidRequest
