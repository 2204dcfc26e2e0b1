"""A gateway's process that connects by Socket Mode: as a person starts it, sees it and ends it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest

from sliceway.cli.play.processes import ProcessFailed
from sliceway.cli.play.stage import Stage, open_stage
from tests.e2e.remote_stage import OpenStage
from tests.e2e.slack_ways import SOCKET_REMOTE
from tests.fakes.manual import unexplained_fields

Facts = dict[str, object]


async def readiness(stage: Stage) -> tuple[int, Facts]:
    """Return what `/readyz` answers."""
    async with aiohttp.ClientSession() as session, session.get(f"{stage.gateway.url}/readyz") as answer:
        facts: Facts = await answer.json()
        return answer.status, facts


@pytest.mark.parametrize("arrangement", ["socket", SOCKET_REMOTE], indirect=True)
async def test_op2_a_process_is_ready_while_its_socket_is(open_any_stage: OpenStage) -> None:
    """OP2, R58: `/readyz` is 200 with the socket's facts, without any address of the gateway's; a killed gateway leaves
    none, the next one connects, and what was said in between comes through its socket."""
    async with open_any_stage() as stage:
        status, facts = await readiness(stage)
        assert (status, facts["ready"]) == (200, True)
        socket = facts["socket"]
        assert isinstance(socket, dict)
        assert (socket["connected"], socket["connections"]) == (True, 1)
        assert not unexplained_fields(facts)
        await stage.gateway.kill()

        async def nobody() -> bool:
            await stage.people.meet()
            return bool(stage.people.state["sockets"] == 0)

        await stage.people.until("the end of the socket", nobody)
        ada, ops = stage.people.one("member"), stage.people.channel("ops")
        root = await stage.people.say(ada, ops, f"<@{stage.people.bot}> remember that the door is green")
        await stage.begin()
        await stage.people.answer(ops, root, seen_by=ada, after=root, has="door is green")
        assert stage.people.state["app"]["request_url"] is None
        assert {one["via"] for one in await stage.people.deliveries("event")} == {"socket"}


async def test_id5_a_process_with_a_wrong_app_token_ends_and_says_why(tmp_path: Path) -> None:
    """ID5: an app token that Slack refuses ends the boot at once, with the setting and its cure."""
    wrong = {"SLACK_APP_TOKEN": "xapp-1-not-this-one"}
    with pytest.raises(ProcessFailed, match="SLACK_APP_TOKEN: make a new app-level token"):
        async with asyncio.timeout(60), open_stage(tmp_path / "data", transport="socket", settings=wrong):
            raise AssertionError("it started")
