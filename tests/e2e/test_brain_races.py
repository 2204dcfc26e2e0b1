"""Two server processes of one store and kept connections: what may happen once happens once, what ended has ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from sliceway.core.principals import Principal
from sliceway.wiring import open_brain
from tests.e2e.brain_server import call, make_tokens
from tests.e2e.killing import House

CLICKS = 100
PEOPLE = ({"team": "T1", "user": "U-MAN"}, {"team": "T1", "user": "U-MAX"})
ASKED = {"op": "write", "slice": "shared", "pages": [{"slug": "oncall", "content": "On-call moves to Mondays."}]}


@dataclass
class Kept:
    """A client of two servers that keeps its connections, and how many it ever opened."""

    urls: list[str]
    session: aiohttp.ClientSession
    opened: list[int] = field(default_factory=lambda: [0])

    async def __call__(self, at: int, method: str, path: str, token: str, body: Any = None) -> tuple[int, Any]:
        """Ask the server `at`; return the status and the body."""
        answer = await call(self.session, method, self.urls[at] + path, token=token, body=body)
        return answer.status, answer.body

    async def warm(self, token: str, count: int) -> None:
        """Open so many connections to each server, and keep them."""
        await asyncio.gather(*(self(at % 2, "GET", "/v1/whoami", token) for at in range(2 * count)))


@asynccontextmanager
async def kept(house: House, each: int) -> AsyncIterator[Kept]:
    """Serve a store twice, to a client with so many connections to each."""
    trace, opened = aiohttp.TraceConfig(), [0]

    async def opens(*_about: object) -> None:
        opened[0] += 1

    trace.on_connection_create_end.append(opens)
    with house.server("first") as first, house.server("second") as second:
        connector = aiohttp.TCPConnector(limit=0, limit_per_host=each)
        async with aiohttp.ClientSession(connector=connector, trace_configs=[trace]) as session:
            yield Kept([first.url, second.url], session, opened)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("house", ["sqlite", "postgres"], indirect=True)
async def test_ap9_of_a_hundred_decisions_over_two_servers_one_applies(house: House) -> None:
    """AP9: a hundred clicks of two managers, yes and no, through two processes on kept connections: one decides, and
    each of the others is told the state, who decided, and when."""
    tokens = await make_tokens(house.folder, house.url)
    async with open_brain(house.url, embed="none") as store:
        await store.enter(Principal.operator("op")).set_policy(managers=["U-MAN", "U-MAX"])
    async with kept(house, 20) as ask:
        _, asked = await ask(0, "POST", "/v1/proposals", tokens["ada"], ASKED)
        await ask.warm(tokens["gateway"], 20)
        before = ask.opened[0]

        async def click(at: int) -> tuple[int, Any]:
            said = {"decision": ("approve", "deny")[at // 2 % 2], "revision": 1, "decided_by": PEOPLE[at // 4 % 2]}
            return await ask(at % 2, "POST", f"/v1/proposals/{asked['id']}/decision", tokens["gateway"], said)

        came = await asyncio.gather(*(click(at) for at in range(CLICKS)))
        assert ask.opened[0] == before
        (won,) = [body for status, body in came if status == 200]
        told = [body for status, body in came if status == 409]
        assert len(told) == CLICKS - 1
        assert {body["code"] for body in told} == {"not_pending"}
        assert {body["state"] for body in told} == {won["state"]}
        whose = {(body["decided_by"]["user"], body["decided_at"]) for body in told}
        assert whose == {(won["decided_by"]["user"], won["decided_at"])}
        status, page = await ask(1, "GET", "/v1/pages/shared/oncall", tokens["ada"])
        assert (status, page.get("version")) == ((200, 1) if won["state"] == "applied" else (404, None))
    async with open_brain(house.url, embed="none") as store:
        operator = store.enter(Principal.operator("op"))
        acts = (await operator.audit(slice="shared")).items
        assert [act.act for act in acts if act.about.get("revision") == 2] == [
            "proposal.approve" if won["state"] == "applied" else "proposal.deny"
        ]
        assert (await operator.verify()).ok


async def test_br2_a_revoked_token_is_refused_at_once_on_kept_connections_of_two_servers(tmp_path: Path) -> None:
    """BR2: rotated, then revoked through one process, a token is refused on the very next request on the connection it
    was good on a moment before, of that process and of the other; no connection was opened anew."""
    tokens = await make_tokens(tmp_path)
    async with kept(House(tmp_path), 1) as ask:

        async def seen(token: str) -> list[int]:
            return [(await ask(at, "GET", "/v1/whoami", token))[0] for at in (0, 1)]

        _, who = await ask(0, "GET", "/v1/whoami", tokens["ada"])
        at = f"/v1/tokens/{who['principal']['token_id']}"
        for _ in range(3):
            assert await seen(tokens["ada"]) == [200, 200]
        _, made = await ask(0, "POST", f"{at}/rotate", tokens["admin"])
        assert await seen(tokens["ada"]) == [401, 401]
        assert await seen(made["token"]) == [200, 200]
        assert (await ask(1, "DELETE", at, tokens["admin"]))[0] == 200
        assert await seen(made["token"]) == [401, 401]
        assert ask.opened == [2]
