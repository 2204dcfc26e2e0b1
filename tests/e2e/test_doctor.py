"""`sliceway doctor` against a workspace that is well, and one with every fault it has a name for."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.cli.play.stage import Stage, open_stage
from tests.e2e.doctoring import examine, wrong
from tests.e2e.slack_ways import Transport


@pytest.fixture
async def quiet_stage(tmp_path: Path, transport: Transport) -> AsyncIterator[Stage]:
    """A workspace whose gateway is not started, over HTTP and by Socket Mode; the doctor looks for one where nothing
    listens."""
    nowhere = {"SLICEWAY_SERVER__PORT": "1"}
    async with open_stage(tmp_path / "data", settings=nowhere, begin=False, transport=transport) as stage:
        yield stage


async def test_all_is_well_before_and_after_the_first_start(quiet_stage: Stage) -> None:
    """CF3: a workspace as the manifest makes it is well, with exit 0, before there is any store and after; what is only
    noted has a hint."""
    store = quiet_stage.store_url.replace("brain.db", "none-yet.db")
    code, checks = await examine(quiet_stage.environment, SLACK_CLIENT_ID="1.2", SLICEWAY_STORE__URL=store)
    assert (code, wrong(checks)) == (0, set())
    assert "not there yet" in checks["store"]["says"]
    assert not await asyncio.to_thread(Path(store.removeprefix("sqlite:///")).exists)
    assert "SLACK_CLIENT_ID" in checks["client_id"]["says"]
    assert "not enabled" in checks["plugin quiet_hours"]["says"]
    await quiet_stage.gateway.start()
    code, checks = await examine(
        quiet_stage.environment, SLICEWAY_SERVER__PORT=quiet_stage.gateway.url.rpartition(":")[2]
    )
    assert (code, wrong(checks)) == (0, set())
    assert "is ready" in checks["gateway"]["says"]
    assert {"scopes", "clock", "approvers", "identity", "store_schema", "desk_schema", "processes"} <= set(checks)


@pytest.mark.parametrize("transport", ["http"])
async def test_id5_a_revoked_token_and_an_unreachable_slack_are_named(quiet_stage: Stage) -> None:
    """ID5, T8: a revoked, a wrong and a missing token, and a Slack that is not there, each have their own cure; the
    store is looked at all the same."""
    env = quiet_stage.environment
    _, checks = await examine(env, SLACK_BOT_TOKEN=None)
    assert (wrong(checks), "SLACK_BOT_TOKEN" in checks["token"]["cure"]) == ({"token"}, True)
    _, checks = await examine(env, SLACK_BOT_TOKEN="xoxb-somebody-elses")
    assert (wrong(checks), "not valid" in checks["token"]["says"]) == ({"token"}, True)
    _, checks = await examine(env, SLACK_API_URL="http://127.0.0.1:1/api/")
    assert (wrong(checks), "network" in checks["token"]["cure"]) == ({"token"}, True)
    assert checks["store"]["ok"] is True
    await quiet_stage.people.faults({"match": {"method": "auth.test"}, "do": "revoke"})
    code, checks = await examine(env)
    assert (code, wrong(checks)) == (1, {"token"})
    assert "install" in checks["token"]["cure"]


@pytest.mark.parametrize("transport", ["http"])
async def test_r38_who_may_decide_and_where_cards_go(quiet_stage: Stage) -> None:
    """R38, AP27: approvers who are all deactivated, guests or unknown, and a channel without the agent, are named."""
    env, people = quiet_stage.environment, quiet_stage.people
    _, checks = await examine(env, SLICEWAY_POLICY__MANAGERS=None)
    assert "Nobody is named" in checks["approvers"]["says"]
    guest, manager = people.one("guest"), people.one("manager")
    _, checks = await examine(env, SLICEWAY_POLICY__MANAGERS=f"{guest},UNOBODY")
    assert f"{guest} is a guest" in checks["approvers"]["says"]
    assert "UNOBODY is not known" in checks["approvers"]["says"]
    await people._post("person", {"user": manager, "deleted": True})
    code, checks = await examine(env, SLICEWAY_POLICY__MANAGERS=manager, SLICEWAY_APPROVALS__CHANNEL="CNOWHERE")
    assert (code, wrong(checks)) == (1, {"approvers", "managers", "approvals_channel"})
    assert f"{manager} is deactivated" in checks["approvers"]["says"]
    other = people.all("manager")[1]
    _, checks = await examine(env, SLICEWAY_POLICY__MANAGERS=manager, SLICEWAY_POLICY__APPROVERS=other)
    assert wrong(checks) == {"managers"}
    assert "`public`" in checks["managers"]["says"]
    assert "1 can decide about what is for `shared`" in checks["approvers"]["says"]


@pytest.mark.parametrize("transport", ["http"])
async def test_cf2_unknown_settings_wrong_tokens_and_a_brain_elsewhere(quiet_stage: Stage) -> None:
    """CF2: each unknown setting and each token of the wrong kind is a check of its own, under the name it was given."""
    env = quiet_stage.environment
    code, checks = await examine(env, SLICEWAY_POLICY__MANGERS="U1", SLACK_BOT_TOKEN="xapp-1-not-a-bot")
    assert (code, wrong(checks)) == (1, {"settings"})
    code, checks = await examine(
        {**env, "SLICEWAY_BRAIN__URL": "http://127.0.0.1:1", "SLICEWAY_BRAIN__TOKEN": "slw_a_b"},
        SLICEWAY_POLICY__MANAGERS=None,
    )
    assert "brain" in wrong(checks)


@pytest.mark.parametrize("transport", ["http"])
async def test_br12_a_store_that_is_newer_or_no_store_is_named_and_left_alone(quiet_stage: Stage) -> None:
    """BR12: a schema of a newer version, a file of another kind and a folder that is a file are named; nothing in them
    changes."""
    env, file = quiet_stage.environment, Path(quiet_stage.store_url.removeprefix("sqlite:///"))
    await quiet_stage.command_line("slices", "list")
    with sqlite3.connect(file) as store:
        store.execute("UPDATE alembic_version SET version_num = '9999'")
    store.close()
    code, checks = await examine(env)
    assert (code, wrong(checks)) == (1, {"store_schema"})
    assert "newer" in checks["store_schema"]["says"]
    other = file.with_name("other.db")
    other.write_bytes(b"something that is no database at all, and long enough to be looked at" * 20)
    before = other.read_bytes()
    _, checks = await examine(env, SLICEWAY_STORE__URL=f"sqlite:///{other}")
    assert "store" in wrong(checks)
    assert other.read_bytes() == before
    _, checks = await examine(env, SLICEWAY_STORE__URL=f"sqlite:///{other}/inside/brain.db")
    assert "store" in wrong(checks)


@pytest.mark.parametrize("transport", ["http"])
async def test_id12_an_id_that_changed_since_the_last_run(quiet_stage: Stage) -> None:
    """ID12: the agent ran under the bot's id; under another name the doctor says which mind it leaves behind."""
    await quiet_stage.gateway.start()
    await quiet_stage.gateway.stop()
    code, checks = await examine(quiet_stage.environment, SLICEWAY_AGENT_ID="scout")
    assert (code, wrong(checks)) == (1, {"identity"})
    assert f"SLICEWAY_AGENT_ID={quiet_stage.people.bot}" in checks["identity"]["cure"]


async def test_a_wrong_signing_secret_is_seen_by_the_gateway_that_hears_it(tmp_path: Path) -> None:
    """T6: no call of Slack's tells the secret, so the running gateway counts what was signed with another one, and the
    doctor asks it."""
    settings = {"SLACK_SIGNING_SECRET": "0123456789abcdef0123456789abcdef"}
    async with open_stage(tmp_path / "data", settings=settings) as stage:
        people = stage.people
        await people.say(people.one("member"), people.channel("ops"), f"<@{people.bot}> remember that it rains")

        async def heard() -> bool:
            return bool(await people.deliveries("event"))

        await people.until("the delivery", heard)
        _, checks = await examine(stage.environment, SLICEWAY_SERVER__PORT=stage.gateway.url.rpartition(":")[2])
        assert "Signing Secret" in checks["signing_secret"]["cure"]
        assert wrong(checks) == {"signing_secret"}
