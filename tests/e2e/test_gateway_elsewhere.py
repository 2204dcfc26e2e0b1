"""A gateway whose brain is elsewhere: it starts as the token's agent or not at all, and the brain's absence costs
nothing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from sliceway.cli.play.processes import clean_environment
from sliceway.core.principals import Principal
from sliceway.errors import BootError, IdentityError, SettingsError
from sliceway.plugins import load_all
from tests.contract.workspace_client import APP
from tests.e2e.elsewhere import ADA, BOT, Office, ended, free_port, office
from tests.fakes.waiting import until

SAY = f"{APP} remember that build 2301 is the rollback target"
AN_AGENTS = {"kind": "agent", "teams": None, "acts_for": None, "decides": None}


async def figure(office: Office, name: str) -> float:
    """Return a figure of the brain's server."""
    async with office.slack.http.get(f"{office.url}/metrics") as answer:
        lines = (await answer.text()).splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(name))


@pytest.fixture
async def desk_away(tmp_path: Path) -> AsyncIterator[Office]:
    """An office whose brain is not served yet."""
    async with office(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("rights", "agent", "kind", "words"),
    [
        ({"agent": "bob"}, ADA, IdentityError, ["agent is ada", "of agent bob", "SLICEWAY_AGENT_ID=bob"]),
        ({"agent": "bob"}, "", IdentityError, [f"agent is {BOT}", "of agent bob", f"--agent {BOT}"]),
        ({"teams": ["T-ELSE"]}, ADA, BootError, ["THARBOR", "T-ELSE", "--teams THARBOR"]),
        (AN_AGENTS, ADA, BootError, ["kind agent", "gateway"]),
        ("revoked", ADA, BootError, ["token", "SLICEWAY_BRAIN__TOKEN"]),
    ],
)  # fmt: skip
async def test_id1_br2_a_token_that_is_not_this_gateways_stops_the_boot(
    desk_away: Office, rights: dict[str, Any] | str, agent: str, kind: type[BootError], words: list[str]
) -> None:
    """ID1, ID2, BR2: the token of another agent, workspace or kind, or one that is refused, stops the boot with both
    names and the cure; nobody is registered and no desk is made."""
    id, token = await desk_away.token(**(rights if isinstance(rights, dict) else {}))
    if rights == "revoked":
        await desk_away.operator.revoke_token(id=id)
    async with desk_away.served():
        with pytest.raises(kind) as refused:
            async with desk_away.gateway(token, agent):
                pass
    assert all(word in refused.value.detail for word in words), refused.value.detail
    assert token not in refused.value.detail
    assert (await desk_away.operator.agents()).items == ()
    assert not list(desk_away.folder.glob("desk-*"))


@pytest.mark.parametrize(
    "key", ["POLICY__MANAGERS", "POLICY__TEAMS", "APPROVALS__EXPIRE_AFTER", "APPROVALS__GRANT_FOR"]
)
async def test_ap7_what_belongs_to_the_brain_is_not_set_at_its_gateways(desk_away: Office, key: str) -> None:
    """AP7, CF2: a setting of the policy beside `brain.url` stops the boot, and is named."""
    value = {"POLICY__MANAGERS": "U1", "POLICY__TEAMS": "T1"}.get(key, "1h")
    with pytest.raises(SettingsError, match=f"SLICEWAY_{key}"):
        load_all(env=desk_away.environment("slw_x_y", **{f"SLICEWAY_{key}": value}), on_slack=True)


async def test_id4_a_brain_that_is_down_at_boot_is_waited_for(desk_away: Office) -> None:
    """ID4, ID7, OP2: while the brain does not answer the gateway is not ready, says which brain, takes no message and
    writes nowhere; once it answers it is ready, by the brain's own policy and without a store of its own."""
    _, token = await desk_away.token()
    port = free_port()
    async with AsyncExitStack() as stack:
        starting = asyncio.create_task(stack.enter_async_context(desk_away.gateway(token, port=port)))
        async with ended(starting):
            at = f"http://127.0.0.1:{port}"

            async def says_why() -> bool:
                status, facts = await desk_away.ready(at)
                return status == 503 and desk_away.url in facts["why"]

            await until(says_why)
            async with desk_away.slack.http.post(f"{at}/slack/events", data=b"{}") as answer:
                assert answer.status == 503
            assert not list(desk_away.folder.glob("desk-*"))
            async with desk_away.served():
                await starting
                status, facts = await desk_away.ready(at)
                assert (status, facts["brain"]) == (200, {"ok": True, "url": desk_away.url})
                assert (facts["agent"], "migrations" in facts) == (ADA, False)
                policy = await desk_away.operator.policy()
                assert policy.managers == {"UMIA", "UMAX"}
                await stack.aclose()
    assert {file.name for file in desk_away.folder.glob("*.db")} == {"brain.db", f"desk-{ADA}.db"}


async def test_id4_a_brain_that_never_answers_ends_the_boot(desk_away: Office) -> None:
    """ID4: after `identity.boot_timeout` the gateway gives up and says which brain it could not reach."""
    with pytest.raises(Exception, match=desk_away.url) as given_up:
        async with desk_away.gateway("slw_x_y", SLICEWAY_IDENTITY__BOOT_TIMEOUT="1s"):
            pass
    assert getattr(given_up.value, "code", "") == "unavailable"
    assert not list(desk_away.folder.glob("desk-*"))


async def test_id4_br2_how_a_process_ends_says_whether_another_start_may_help(desk_away: Office) -> None:
    """ID4, BR2: as a process of its own a gateway whose brain never answers ends with 3, and one whose token is refused
    with 1, each with its reason on stderr, nothing on stdout and no token anywhere."""
    _, token = await desk_away.token(agent="bob")
    patience = {"SLICEWAY_IDENTITY__BOOT_TIMEOUT": "1s"}
    away = {**desk_away.environment(token), **patience, "SLICEWAY_BRAIN__URL": f"http://127.0.0.1:{free_port()}"}
    async with desk_away.served():
        silent, another = await asyncio.gather(_ended(away), _ended({**desk_away.environment(token), **patience}))
    assert (silent[0], another[0]) == (3, 1)
    assert away["SLICEWAY_BRAIN__URL"] in silent[2]
    assert "of agent bob" in another[2]
    assert (silent[1], another[1]) == ("", "")
    assert token not in silent[2] + another[2]


async def _ended(environment: Mapping[str, str]) -> tuple[int | None, str, str]:
    """Run a gateway's process that does not start; return its exit code, stdout and stderr."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sliceway", "gateway", "--port", "0", "--json", "--with-parent",
        env=clean_environment(environment), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_op4_a_brain_that_goes_down_costs_no_message(desk_away: Office) -> None:
    """OP2, OP4: what is said while the brain is away is taken in, waits, and is done once when it is back; `/readyz`
    names the brain meanwhile."""
    _, token = await desk_away.token()
    async with AsyncExitStack() as first:
        await first.enter_async_context(desk_away.served())
        async with desk_away.gateway(token) as gateway:
            await first.aclose()
            root = await desk_away.slack.say("UADA", "CDEPLOYS", SAY)
            await desk_away.slack.workspace.settled()
            status, facts = await desk_away.ready(gateway.url)
            assert (status, facts["brain"]["ok"], facts["brain"]["url"]) == (503, False, desk_away.url)
            assert facts["inbox_depth"] > 0
            async with desk_away.served():
                (said,) = await desk_away.answered("CDEPLOYS", root)
                assert said.startswith("Saved")
                assert (await desk_away.ready(gateway.url))[0] == 200
    pages = (await desk_away.store.enter(Principal.agent(ADA)).list_pages(slice="mine")).items
    assert [page.version for page in pages] == [1]


async def test_br2_a_revoked_token_holds_everything_until_there_is_another(
    desk_away: Office, caplog: pytest.LogCaptureFixture
) -> None:
    """BR2, OP2, OP3, R62: a gateway whose token is revoked is not ready and says why with the cure; what was said to it
    stays on its desk, no dead letter, and is done once after a restart with another token."""
    id, token = await desk_away.token()
    async with desk_away.served():
        async with desk_away.gateway(token) as gateway:
            await desk_away.operator.revoke_token(id=id)
            root = await desk_away.slack.say("UADA", "CDEPLOYS", SAY)
            await desk_away.slack.workspace.settled()

            async def is_told() -> bool:
                return "SLICEWAY_BRAIN__TOKEN" in caplog.text and "failed at try 2: unauthorized" in caplog.text

            await until(is_told)
            status, facts = await desk_away.ready(gateway.url)
            assert (status, facts["brain"]["ok"], facts["brain"]["code"]) == (503, False, "unauthorized")
            assert "SLICEWAY_BRAIN__TOKEN" in facts["brain"]["why"]
            assert facts["inbox_depth"] > 0
            assert await figure(desk_away, "sliceway_tokens_refused_total") < 30, "it hammers on a closed door"
            async with desk_away.slack.http.get(f"{gateway.url}/metrics") as counted:
                assert "sliceway_dead_letters 0" in await counted.text()
        assert await desk_away.answers("CDEPLOYS", root) == []
        _, another = await desk_away.token()
        async with desk_away.gateway(another):
            (said,) = await desk_away.answered("CDEPLOYS", root)
            assert said.startswith("Saved")


async def test_br2_a_token_with_fewer_rights_works_as_far_as_it_goes(
    desk_away: Office, caplog: pytest.LogCaptureFixture
) -> None:
    """BR2: without `decides` and `acts_for` a gateway starts, says what it will not do, and goes on with the rest."""
    _, token = await desk_away.token(acts_for=None, decides=None)
    async with desk_away.served(), desk_away.gateway(token) as gateway:
        assert "--decides" in caplog.text
        assert "--acts-for" in caplog.text
        assert (await desk_away.ready(gateway.url))[0] == 200
        await desk_away.store.enter(Principal.agent(ADA)).write_pages(
            slice="mine", pages=[{"slug": "a/1", "content": "ships sail on Mondays"}]
        )
        for said, in_it in ((SAY, "Nothing changed"), (f"{APP} what do we know about ships?", "ships")):
            root = await desk_away.slack.say("UADA", "CDEPLOYS", said)
            (heard,) = await desk_away.answered("CDEPLOYS", root)
            assert in_it in heard
            assert "Mondays" not in heard
    assert [page.slug for page in (await desk_away.store.enter(Principal.agent(ADA)).list_pages(slice="mine"))] == [
        "a/1"
    ]


async def test_br16_one_poll_is_open_while_nothing_happens_and_ends_with_the_gateway(desk_away: Office) -> None:
    """BR16: a gateway follows the changes by one long poll that waits, and leaves none behind when it stops."""
    _, token = await desk_away.token()

    async def open_polls(count: int) -> None:
        async def are_so_many() -> bool:
            return await figure(desk_away, "sliceway_open_polls") == count

        await until(are_so_many)

    async with desk_away.served():
        async with desk_away.gateway(token) as gateway:
            await open_polls(1)
            for _ in range(20):
                assert (await desk_away.ready(gateway.url))[0] == 200
            assert await figure(desk_away, 'sliceway_requests_total{call="changes"') <= 2, "it asks without waiting"
        await open_polls(0)
