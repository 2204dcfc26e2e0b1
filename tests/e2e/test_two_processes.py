"""Two gateways of one agent on one desk, as real processes: one outcome each, whichever hears of it or dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sliceway.cli.play.people import buttons_of
from sliceway.cli.play.processes import GatewayProcess
from sliceway.cli.play.stage import Stage, open_stage
from tests.e2e.desk_hands import leases_end
from tests.e2e.doctoring import examine, wrong
from tests.e2e.remote_stage import stage_elsewhere
from tests.e2e.slack_ways import ELSEWHERE, REMOTE, SOCKET_REMOTE, Transport
from tests.e2e.test_kills import FACT, Share, writers_held

SHARES_DESK = "another gateway of this agent works on the same desk"
SHARES_TOKEN = "2 connections use this SLACK_APP_TOKEN"
DESK_THERE = "postgres"
"""Both on the store, and their desk on PostgreSQL, as where they run on two machines."""
LONG = 60.0
"""Seconds for what takes a dead process's leases to end."""


@dataclass(frozen=True)
class Pair:
    """A stage with two gateways, and their logs."""

    stage: Stage
    second: GatewayProcess
    folder: Path

    @property
    def share(self) -> Share:
        """Journey three on this stage."""
        return Share(self.stage)

    async def heard_by(self, gateway: GatewayProcess) -> None:
        """Have the workspace reach this one from now on, as what stands before several may choose."""
        await self.stage.people.point_at(f"{gateway.url}/slack/events")

    async def start(self) -> None:
        """Start both."""
        await asyncio.gather(self.stage.begin(), self.second.start())

    def warnings(self, words: str) -> list[str]:
        """Return the names of the logs that hold these words, once for each time."""
        logs = ("gateway.log", "second.log")
        return [name for name in logs for _ in range((self.folder / name).read_text().count(words))]

    async def port_of(self, gateway: GatewayProcess) -> str:
        """Return the port of a gateway."""
        return gateway.url.rpartition(":")[2]

    async def press(self, share: Share, card: Mapping[str, Any]) -> bool:
        """Press Approve as the manager, and return whether any gateway took it."""
        body = {
            "user": share.mia, "channel": share.ops, "ts": card["ts"],
            "action_id": buttons_of(card)["Approve"]["action_id"],
        }  # fmt: skip
        return bool((await self.stage.people._post("click", body))["acked"])


@asynccontextmanager
async def _with_a_desk_there(folder: Path, request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    """Open a stage whose gateways find an empty desk on PostgreSQL."""
    request.getfixturevalue("_postgres_server")
    from tests.fakes.postgres import desk_home, drop_desk  # which need the driver

    async with open_stage(folder, settings={"SLICEWAY_STATE__URL": desk_home().url}, begin=False) as stage:
        drop_desk(desk_home(), stage.people.bot)
        await stage.begin()
        yield stage


@pytest.fixture(params=["http", REMOTE])
async def pair(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Pair]:
    """Two gateways that run, over HTTP unless a test says otherwise, on the store or with the brain elsewhere."""
    folder = tmp_path / "data"
    transport: Transport = "socket" if request.param in {"socket", SOCKET_REMOTE} else "http"
    if request.param == DESK_THERE:
        opened = _with_a_desk_there(folder, request)
    elif request.param in ELSEWHERE:
        opened = stage_elsewhere(folder, transport=transport)
    else:
        opened = open_stage(folder, transport=transport)
    async with opened as stage:
        second = GatewayProcess(stage.gateway._environment, folder / "second.log")
        await second.start()
        try:
            yield Pair(stage, second, folder)
        finally:
            await second.stop()


async def test_r57_r11_what_both_hear_is_done_once_and_each_is_told_of(pair: Pair) -> None:
    """R57, R11, AP9, AP10: a message that reaches both is one turn with one card; presses through both are one
    decision; one of them warns, once, and the doctor names it with its cure."""
    share, people = pair.share, pair.stage.people
    await share.ask()
    card = await share.card()
    await pair.heard_by(pair.second)
    for event in await people.deliveries("event"):
        await people.deliver("event", event["payload"])
    await pair.press(share, card)
    for pressed in await people.deliveries("interactive"):
        await pair.heard_by(pair.stage.gateway)
        await people.deliver("interactive", pressed["payload"])
    await share.ended_well()

    async def warned() -> bool:
        return bool(pair.warnings(SHARES_DESK))

    await people.until("the warning", warned, patience=LONG)
    _, checks = await examine(pair.stage.environment, SLICEWAY_SERVER__PORT=await pair.port_of(pair.second))
    assert wrong(checks) == {"processes"}
    assert "Stop one" in checks["processes"]["cure"]
    assert len(pair.warnings(SHARES_DESK)) == 1


async def test_r57_the_second_takes_over_what_the_first_was_killed_with(pair: Pair) -> None:
    """R57, T4: the first is killed by SIGKILL with a message accepted; the second finishes it, once, decides its card,
    and is alone on the desk afterwards, warned of nobody."""
    share, people = pair.share, pair.stage.people
    with writers_held(pair.stage):
        await share.ask()
        await people.until("the accepted delivery", share.accepted)
        await share.killed()
        await pair.heard_by(pair.second)
    card = await share.card()
    await pair.press(share, card)
    await share.ended_well()

    async def alone() -> bool:
        _, checks = await examine(pair.stage.environment, SLICEWAY_SERVER__PORT=await pair.port_of(pair.second))
        return not wrong(checks)

    await people.until("the end of the dead one's lease", alone, patience=LONG)
    assert pair.warnings(SHARES_DESK) == []


@pytest.mark.parametrize("pair", [DESK_THERE], indirect=True)
async def test_r57_two_processes_share_a_desk_on_postgresql(pair: Pair) -> None:
    """R57, R11, T4, AP9: what both hear is one turn; the first is killed with a press accepted, and the second, which
    shares nothing with it but the database, decides it, once. No desk is made on this machine."""
    share, people = pair.share, pair.stage.people
    await share.ask()
    card = await share.card()
    await pair.heard_by(pair.second)
    for event in await people.deliveries("event"):
        await people.deliver("event", event["payload"])
    await pair.heard_by(pair.stage.gateway)
    with writers_held(pair.stage):
        assert await pair.press(share, card)
        await pair.stage.gateway.kill()
    await share.ended_well()
    _, checks = await examine(pair.stage.environment, SLICEWAY_SERVER__PORT=await pair.port_of(pair.second))
    assert checks["desk"]["says"].startswith(f"It is reached: the desk of agent {people.bot} in the PostgreSQL")
    assert checks["desk_schema"]["ok"]
    assert checks["processes"]["ok"]
    assert not [*pair.folder.glob("*.desk-*")]


@pytest.mark.parametrize(
    ("pair", "taken"),
    [("http", True), ("http", False), (REMOTE, True), (REMOTE, False), (DESK_THERE, True)],
    ids=["http-taken", "http-gap", f"{REMOTE}-taken", f"{REMOTE}-gap", f"{DESK_THERE}-taken"],
    indirect=["pair"],
)
async def test_r59_all_restarted_together_lose_no_press(pair: Pair, taken: bool) -> None:
    """R59, AP10: a press that was acknowledged before all gateways died is counted by those that start next, alone; one
    in the gap is taken by nobody, which Slack shows the person, and works when pressed again."""
    share, people = pair.share, pair.stage.people
    await share.ask()
    card = await share.card()
    if taken:
        with writers_held(pair.stage):
            assert await pair.press(share, card)
            await asyncio.gather(pair.stage.gateway.kill(), pair.second.kill())
        leases_end(pair.stage)
    else:
        await asyncio.gather(pair.stage.gateway.stop(), pair.second.stop())
    assert not await pair.press(share, card)
    assert await share.state() == "pending"
    await pair.start()
    if not taken:
        assert await pair.press(share, card)
    await share.ended_well()
    assert not await people.views(share.mia)


@pytest.mark.parametrize("pair", ["socket", SOCKET_REMOTE], indirect=True)
async def test_r57_two_sockets_of_one_token_share_what_comes_and_are_warned_of(pair: Pair) -> None:
    """R57, R11: of two connections each gets a part; every message is answered once all the same, and what the hello
    said is in the log and in the doctor's words, with the cure."""
    people, ada, ops = pair.stage.people, pair.share.ada, pair.share.ops
    roots = [await people.say(ada, ops, f"<@{people.bot}> remember that {FACT} {number}") for number in range(4)]
    for root in roots:
        await people.answer(ops, root, seen_by=ada, after=root)
    for root in roots:
        said = await people.messages(ops, thread=root, seen_by=ada)
        assert len([one for one in said if one.get("user") == people.bot]) == 1
    assert pair.warnings(SHARES_TOKEN) == ["second.log"]
    _, checks = await examine(pair.stage.environment, SLICEWAY_SERVER__PORT=await pair.port_of(pair.second))
    assert "connections" in wrong(checks)
    assert checks["connections"]["says"].startswith(SHARES_TOKEN)
    assert "Stop the others" in checks["connections"]["cure"]
    assert checks["socket"]["ok"]
