"""Every way in which an agent stays silent, as the doctor names it: the part, the cure, and nothing changed."""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from sliceway.cli.play.stage import Stage, open_stage
from sliceway.slack.doctor import SCOPES
from sliceway.web.serving import bound, port_of, served
from tests.e2e.doctoring import examine, kept, prose, wrong

Environment = Mapping[str, str]
Given = Callable[[Stage], Awaitable[Environment]]


@dataclass(frozen=True)
class Way:
    """One way: how it comes about, the check that names it, whether it is wrong or only noted, and its cure."""

    given: Given
    check: str
    cure: str
    ok: bool = False


@asynccontextmanager
async def between(stage: Stage, **headers: str) -> AsyncIterator[str]:
    """Stand between the doctor and the workspace's Web API, and change headers of its answers; yield the address."""

    async def forward(request: web.Request) -> web.Response:
        url = f"{stage.environment['SLACK_API_URL']}{request.match_info['method']}"
        sent = {name: request.headers[name] for name in ("Authorization", "Content-Type") if name in request.headers}
        async with aiohttp.ClientSession() as session, session.request(
            request.method, url, params=request.query, data=await request.read(), headers=sent
        ) as answer:  # fmt: skip
            told = {"x-oauth-scopes": answer.headers["x-oauth-scopes"], **headers}
            return web.json_response(await answer.json(), headers=told)

    app, listener = web.Application(), bound(0)
    app.router.add_route("*", "/api/{method}", forward)
    async with served(app, listener):
        yield f"http://127.0.0.1:{port_of(listener)}/api/"


def setting(**changed: str) -> Given:
    """Return a way that is only settings."""

    async def given(stage: Stage) -> Environment:
        return changed

    return given


async def not_in_the_channel(stage: Stage) -> Environment:
    """The agent was taken out of the channel that cards go to."""
    ops = stage.people.channel("ops")
    await stage.people._post("channel", {"channel": ops, "remove": [stage.people.bot]})
    return {"SLICEWAY_APPROVALS__CHANNEL": ops}


async def nobody_may_decide(stage: Stage) -> Environment:
    """The only manager is a guest."""
    return {"SLICEWAY_POLICY__MANAGERS": stage.people.one("guest")}


async def revoked(stage: Stage) -> Environment:
    """The token was revoked."""
    await stage.people.faults({"match": {"method": "auth.test"}, "do": "revoke"})
    return {}


async def another_agent(stage: Stage) -> Environment:
    """The agent ran under the bot's own id, and is given a name now."""
    await stage.gateway.start()
    await stage.gateway.stop()
    return {"SLICEWAY_AGENT_ID": "scout"}


async def no_store(stage: Stage) -> Environment:
    """The store is a file of another kind."""
    other = Path(stage.store_url.removeprefix("sqlite:///")).with_name("other.txt")
    other.write_text("something else, and long enough to be looked at" * 20)
    return {"SLICEWAY_STORE__URL": f"sqlite:///{other}"}


async def newer(stage: Stage) -> Environment:
    """The store is from a newer version."""
    await stage.command_line("slices", "list")
    with sqlite3.connect(stage.store_url.removeprefix("sqlite:///")) as store:
        store.execute("UPDATE alembic_version SET version_num = '9999'")
    store.close()
    return {}


async def no_connections_write(stage: Stage) -> Environment:
    """The app-level token lacks its scope."""
    plan = {"match": {"method": "apps.connections.open"}, "do": "error", "error": "missing_scope"}
    await stage.people.faults(plan)
    return {"SLACK_APP_TOKEN": stage.people.state["tokens"]["app"]}


async def no_socket_mode(stage: Stage) -> Environment:
    """Socket Mode is off in the app's settings."""
    plan = {"match": {"method": "apps.connections.open"}, "do": "error", "error": "socket_mode_disabled"}
    await stage.people.faults(plan)
    return {"SLACK_APP_TOKEN": stage.people.state["tokens"]["app"]}


WAYS = {
    "a bot's token of the wrong kind": Way(setting(SLACK_BOT_TOKEN="xoxp-1-2-3"), "settings", "Correct it"),
    "an app token of the wrong kind": Way(setting(SLACK_APP_TOKEN="xoxb-1-2-3"), "settings", "Correct it"),
    "an app token that is refused": Way(setting(SLACK_APP_TOKEN="xapp-1-A0-1-x"), "socket", "connections:write"),
    "an app token without its scope": Way(no_connections_write, "socket", "connections:write"),
    "Socket Mode off": Way(no_socket_mode, "socket", "turn on Socket Mode"),
    "not in the approvals channel": Way(not_in_the_channel, "approvals_channel", "/invite"),
    "no eligible approver": Way(nobody_may_decide, "approvers", "SLICEWAY_POLICY__MANAGERS"),
    "no eligible manager": Way(nobody_may_decide, "managers", "SLICEWAY_POLICY__MANAGERS"),
    "a revoked token": Way(revoked, "token", "install it to the workspace again"),
    "another id than at the last run": Way(another_agent, "identity", "SLICEWAY_AGENT_ID="),
    "an unknown setting": Way(setting(SLICEWAY_POLICY__MANGERS="U1"), "settings", "config/sliceway.toml"),
    "a store that cannot be written": Way(no_store, "store", "owner, mode"),
    "a newer schema": Way(newer, "store_schema", "Upgrade"),
    "a plugin that is not enabled": Way(setting(), "plugin quiet_hours", "SLICEWAY_PLUGINS__ENABLED", ok=True),
    "a plugin that is not installed": Way(setting(SLICEWAY_PLUGINS__ENABLED="notes,nope"), "plugins", "plugins check"),
    "SLACK_CLIENT_ID": Way(setting(SLACK_CLIENT_ID="1.2"), "client_id", "Unset SLACK_CLIENT_ID", ok=True),
    "no gateway": Way(setting(), "gateway", "sliceway gateway", ok=True),
    "what cannot be seen: the Messages tab": Way(setting(), "messages_tab", "Messages tab", ok=True),
    "what cannot be seen: the secret": Way(setting(), "signing_secret", "look again", ok=True),
    "the way in": Way(setting(), "way_in", "Turn off Socket Mode", ok=True),
}


@pytest.mark.parametrize("way", WAYS)
async def test_each_way_is_named_with_its_cure_and_nothing_is_changed(quiet_stage: Stage, way: str) -> None:
    """CF2, AP7, BR12, ID5, ID12: in JSON and in prose the doctor names each way and its cure; the folder of the store
    keeps the same rows, bytes and modes."""
    meant = WAYS[way]
    given = {**quiet_stage.environment, **await meant.given(quiet_stage)}
    folder = Path(quiet_stage.store_url.removeprefix("sqlite:///")).parent
    before = kept(folder)
    (code, checks), said = await asyncio.gather(examine(given), prose(given))
    assert kept(folder) == before
    assert (checks[meant.check]["ok"], code) == (meant.ok, 0 if meant.ok else 1)
    assert meant.cure in checks[meant.check]["cure"]
    assert f"{'ok   ' if meant.ok else 'WRONG'}  {meant.check}: {checks[meant.check]['says']}" in said
    assert checks[meant.check]["cure"] in said


async def test_a_missing_scope_and_a_clock_that_is_off_are_named(quiet_stage: Stage) -> None:
    """What Slack's own answer tells: a scope that the manifest has and the token lacks, and the time."""
    late = format_datetime(datetime.now(UTC) - timedelta(minutes=6), usegmt=True)
    scopes = ",".join(scope for scope in SCOPES if scope != "users:read")
    async with between(quiet_stage, **{"x-oauth-scopes": scopes, "Date": late}) as url:
        code, checks = await examine(quiet_stage.environment, SLACK_API_URL=url)
    assert (code, wrong(checks)) == (1, {"scopes", "clock"})
    assert "users:read" in checks["scopes"]["says"]
    assert "slack-manifest.yaml" in checks["scopes"]["cure"]
    assert "NTP" in checks["clock"]["cure"]


async def test_wrong_settings_hide_nothing_else(quiet_stage: Stage) -> None:
    """CF2: with some settings wrong, everything that hangs on the others is looked at, and what hangs on the wrong ones
    is left out rather than guessed."""
    env, people = quiet_stage.environment, quiet_stage.people
    code, checks = await examine(
        env, SLICEWAY_SERVER__DRAIN="soon", SLICEWAY_POLICY__MANGERS="U1", SLICEWAY_POLICY__MANAGERS=people.one("guest")
    )
    assert (code, wrong(checks)) == (1, {"settings", "approvers", "managers"})
    assert checks["token"]["ok"]
    _, checks = await examine(env, SLICEWAY_STORE__URL="mysql://x", SLICEWAY_POLICY__MANAGERS="max the manager")
    assert wrong(checks) == {"settings"}
    assert checks["token"]["ok"]
    assert not {"store", "desk", "identity", "approvers", "managers"} & set(checks)
    _, checks = await examine(env, SLACK_API_URL="http://slack.example/api/")
    assert wrong(checks) == {"settings"}
    assert "token" not in checks
    assert checks["store"]["ok"]


async def test_a_configuration_that_cannot_be_read_hides_what_it_would_set(quiet_stage: Stage, tmp_path: Path) -> None:
    """CF2: a file that is no TOML is named; the token of the environment is looked at, a store that the file may name
    is not guessed."""
    file = tmp_path / "broken.toml"
    file.write_text("[store\nurl=")
    code, checks = await examine(quiet_stage.environment, SLICEWAY_CONFIG=str(file), SLICEWAY_STORE__URL=None)
    assert (code, wrong(checks)) == (1, {"settings"})
    assert checks["token"]["ok"]
    assert "store" not in checks


async def test_a_store_that_is_held_is_named_as_held(quiet_stage: Stage) -> None:
    """BR12: where another program lets nobody write, the doctor says so after two seconds, and how to find it."""
    await quiet_stage.command_line("slices", "list")
    descriptor = os.open(quiet_stage.store_url.removeprefix("sqlite:///") + ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        _, checks = await examine(quiet_stage.environment)
    finally:
        os.close(descriptor)
    assert wrong(checks) == {"store"}
    assert "fuser" in checks["store"]["cure"]


async def test_leases_that_ran_out_are_left_as_they_are(quiet_stage: Stage) -> None:
    """R57: a killed gateway leaves its leases; the doctor reads over them, and not a row of store or desk changes."""
    await quiet_stage.gateway.start()
    await quiet_stage.gateway.kill()
    folder = Path(quiet_stage.store_url.removeprefix("sqlite:///")).parent
    (desk,) = folder.glob("*.desk-*.db")
    with sqlite3.connect(desk) as opened:
        opened.execute("UPDATE leases SET until = '2001-01-01T00:00:00.000000Z'")
        opened.execute("INSERT INTO leases VALUES ('another gateway', 'x', '2001-01-01T00:00:00.000000Z')")
    opened.close()
    before = kept(folder)
    _, checks = await examine(quiet_stage.environment)
    assert checks["processes"]["ok"]
    assert kept(folder) == before


async def test_r40_a_messages_tab_that_is_off_is_known_once_it_was_met(tmp_path: Path) -> None:
    """R40: nothing tells from outside; the gateway whose direct message was refused tells the doctor, and one whose
    message arrived too."""
    async with open_stage(tmp_path / "data") as stage:
        people, ada = stage.people, stage.people.one("member")
        dm = next(each["id"] for each in people.state["channels"] if each.get("user") == ada)
        port = stage.gateway.url.rpartition(":")[2]
        for fault, ok in (({"do": "error", "error": "messages_tab_disabled"}, False), (None, True)):
            plan = [{"match": {"method": "chat.postMessage"}, **fault}] if fault else []
            await people.faults(*plan)
            before = len(await people.calls("chat.postMessage"))
            await people.say(ada, dm, "remember that the door is green")

            async def answered(before: int = before) -> bool:
                return len(await people.calls("chat.postMessage")) > before

            await people.until("the answer", answered)
            _, checks = await examine(stage.environment, SLICEWAY_SERVER__PORT=port)
            assert (checks["messages_tab"]["ok"], wrong(checks)) == (ok, set() if ok else {"messages_tab"})
        assert "arrive" in checks["messages_tab"]["says"]
