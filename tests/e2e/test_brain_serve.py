"""The life of a brain's server: boot, tokens across processes, limits, drain, what machines look at."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from tests.e2e.brain_server import END_S, brain_server, call, environment, make_tokens
from tests.fakes.waiting import until

PAGE = {"slice": "mine", "pages": [{"slug": "d/1", "content": "Build 2301 is the rollback target."}]}


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    """A client that keeps one connection alive."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1)) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for one store."""
    return tmp_path


def refused(folder: Path, *options: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a server that does not come to serve."""
    command = [sys.executable, "-m", "sliceway", "brain", "serve", *options]
    return subprocess.run(
        command, env=environment(folder, **settings), capture_output=True, text=True, timeout=60, check=False
    )


def test_a_brain_elsewhere_is_not_served(folder: Path) -> None:
    """With `brain.url` there is no store to serve: exit 2, in words, and nothing was made."""
    done = refused(folder, SLICEWAY_BRAIN__URL="http://127.0.0.1:1", SLICEWAY_BRAIN__TOKEN="slw_x")
    assert done.returncode == 2
    assert "brain.url" in done.stderr
    assert not (folder / "brain.db").exists()


def test_a_port_that_is_taken_is_said(folder: Path) -> None:
    """Another program listens there: exit 1, with the cure."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = refused(folder, "--port", str(taken.getsockname()[1]), "--json")
    assert done.returncode == 1
    assert json.loads(done.stderr.splitlines()[-1])["code"] == "port_in_use"


async def test_a_server_boots_is_ready_and_stops(folder: Path, session: aiohttp.ClientSession) -> None:
    """It answers on loopback, makes the store, copies the settings' policy, and a SIGTERM ends it with 0."""
    with brain_server(folder, SLICEWAY_POLICY__MANAGERS="T1:U-MAN") as served:
        assert served.url.startswith("http://127.0.0.1:")
        assert (await call(session, "GET", f"{served.url}/healthz")).body == {"alive": True}
        ready = await call(session, "GET", f"{served.url}/readyz")
        assert ready.status == 200
        assert ready.body.items() >= {"ready": True, "readable": True, "writable": True, "keeper": True}.items()
        admin = make_admin(folder)
        policy = await call(session, "GET", f"{served.url}/v1/policy", token=admin)
        assert policy.body["managers"] == ["T1:U-MAN"]
        taken = await call(session, "PUT", f"{served.url}/v1/policy", token=admin, body={"managers": ["U2"]})
        assert (taken.status, taken.body["code"]) == (403, "not_permitted")
        assert served.stop() == 0


def make_admin(folder: Path) -> str:
    """Make an admin's token beside a server that runs, as an operator does."""
    made = subprocess.run(
        [sys.executable, "-m", "sliceway", "token", "create", "--kind", "admin", "--json"],
        env=environment(folder), capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return str(json.loads(made.stdout)["token"])


async def test_br2_a_revoked_token_is_refused_on_the_next_request_everywhere(
    folder: Path, session: aiohttp.ClientSession
) -> None:
    """BR2: on the same kept-alive connection, and on a second server process on the same store; rotation likewise."""
    tokens = await make_tokens(folder)
    with brain_server(folder) as first, brain_server(folder, "second") as second:
        urls = [f"{served.url}/v1/whoami" for served in (first, second)]
        told = [(await call(session, "GET", url, token=tokens["ada"])).body for url in urls]
        assert told[0] == told[1]
        known = told[0]["principal"]["token_id"]
        at = f"{first.url}/v1/tokens/{known}"
        rotated = (await call(session, "POST", f"{at}/rotate", token=tokens["admin"])).body
        assert [(await call(session, "GET", url, token=tokens["ada"])).status for url in urls] == [401, 401]
        assert [(await call(session, "GET", url, token=rotated["token"])).status for url in urls] == [200, 200]
        assert (await call(session, "DELETE", at, token=tokens["admin"])).status == 200
        assert [(await call(session, "GET", url, token=rotated["token"])).status for url in urls] == [401, 401]
        mine = [await call(session, "POST", f"{served.url}/v1/pages", token=tokens["bob"],
                           body={**PAGE, "request_id": "r1"}) for served in (first, second)]  # fmt: skip
        assert [answer.body["receipts"][0].get("replayed") for answer in mine] == [None, True]


async def test_br2_an_open_long_poll_ends_when_its_token_is_revoked(
    folder: Path, session: aiohttp.ClientSession
) -> None:
    """BR2: open streams look again at their token, and end as `unauthorized` long before their time."""
    tokens = await make_tokens(folder)
    async with aiohttp.ClientSession() as other:
        with brain_server(folder) as served:
            who = (await call(session, "GET", f"{served.url}/v1/whoami", token=tokens["bob"])).body
            poll = asyncio.ensure_future(
                call(session, "GET", f"{served.url}/v1/changes?wait=60", token=tokens["bob"])
            )  # fmt: skip
            at = f"{served.url}/v1/tokens/{who['principal']['token_id']}"
            assert (await call(other, "DELETE", at, token=tokens["admin"])).status == 200
            ended = await asyncio.wait_for(poll, 30)
            assert (ended.status, ended.body["code"]) == (401, "unauthorized")


async def test_too_many_calls_wait_for_their_own_token_alone(folder: Path, session: aiohttp.ClientSession) -> None:
    """A token over its limit gets 429 with `Retry-After`; guesses are slowed too, and a good token passes all of it."""
    tokens = await make_tokens(folder)
    with brain_server(folder, SLICEWAY_SERVER__RATE_LIMIT="1") as served:
        url = f"{served.url}/v1/whoami"

        async def many(token: str) -> list[int]:
            return [(await call(session, "GET", url, token=token)).status for _ in range(12)]

        seen = await many(tokens["ada"])
        assert seen[:2] == [200, 200]
        assert set(seen) == {200, 429}
        limited = next(answer for answer in [await call(session, "GET", url, token=tokens["ada"]) for _ in range(3)]
                       if answer.status == 429)  # fmt: skip
        assert int(limited.headers["Retry-After"]) >= 1
        assert limited.body["code"] == "rate_limited"
        assert set(await many("slw_guess")) == {401, 429}
        assert (await call(session, "GET", url, token=tokens["bob"])).status == 200


async def test_op4_a_stop_ends_long_polls_with_a_good_answer(folder: Path) -> None:
    """OP4: SIGTERM ends what waits at once with what there is, and the process with 0."""
    tokens = await make_tokens(folder)
    async with aiohttp.ClientSession() as session, aiohttp.ClientSession() as other:
        with brain_server(folder) as served:
            polls = [
                asyncio.ensure_future(
                    call(session, "GET", f"{served.url}/v1/changes?wait=60", token=tokens[name])
                )
                for name in ("ada", "bob", "gateway")
            ]  # fmt: skip

            async def all_wait() -> bool:
                return "sliceway_open_polls 3" in (await call(other, "GET", f"{served.url}/metrics")).raw.decode()

            await until(all_wait)
            stopped = asyncio.ensure_future(asyncio.to_thread(served.stop))
            answers = await asyncio.wait_for(asyncio.gather(*polls), END_S)
            assert [(answer.status, answer.body["items"]) for answer in answers] == [(200, [])] * 3
            assert await stopped == 0


async def test_op2_what_machines_read_names_nobody(folder: Path, session: aiohttp.ClientSession) -> None:
    """OP2: calls, statuses, kinds of slices, states; no slice, agent, slug or token, and drafts are not counted."""
    tokens = await make_tokens(folder)
    with brain_server(folder) as served:
        url = served.url
        await call(session, "POST", f"{url}/v1/pages", token=tokens["ada"], body=PAGE)
        await call(session, "POST", f"{url}/v1/pages", token=tokens["ada"], body={**PAGE, "slice": "shared"})
        await call(session, "POST", f"{url}/v1/pages", token=tokens["ada"], body={**PAGE, "slice": "agent-bob"})
        await call(session, "POST", f"{url}/v1/recall", token=tokens["ada"], body={"query": "rollback"})
        private = {"person": {"team": "T1", "user": "U-ANN"},
                   "place": {"surface": "slack", "team": "T1", "channel": "D-ANN", "private": True}}  # fmt: skip
        draft = {**PAGE, "slice": "shared", "origin": private}
        asked = await call(session, "POST", f"{url}/v1/pages", token=tokens["gateway"], body=draft)
        assert asked.body["proposal"]["state"] == "draft"
        await call(session, "GET", f"{url}/v1/whoami", token="slw_nobody")
        text = (await call(session, "GET", f"{url}/metrics")).raw.decode()
    for line in (
        'sliceway_writes_total{destination="agent",outcome="written"} 1',
        'sliceway_writes_total{destination="shared",outcome="pending"} 2',
        'sliceway_writes_total{destination="agent",outcome="not_permitted"} 1',
        'sliceway_proposals{state="pending"} 1',
        'sliceway_requests_total{call="whoami",status="401"} 1',
        "sliceway_tokens_refused_total 1",
        "sliceway_recall_seconds_count 1",
        'sliceway_degraded_reads_total{what="vectors"} 1',
        "sliceway_open_polls 0",
    ):
        assert line in text
    assert "draft" not in text
    for word in ("ada", "bob", "d/1", "U-ANN", *tokens.values()):
        assert not re.search(rf'"[^"]*{re.escape(word)}[^"]*"', text)
    assert all(
        re.fullmatch(r"# TYPE \S+ \w+|sliceway_[a-z_]+(\{[^}]*\})? [0-9.e+-]+", each) for each in text.split("\n")[:-1]
    )


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Host": "brain.example"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "localhost"}, 200),
    ],
)
async def test_op5_other_hosts_and_other_sites_are_refused(
    folder: Path, session: aiohttp.ClientSession, headers: dict[str, str], status: int
) -> None:
    """OP5: only known names, no page of another site, not even where no token is wanted; and never a CORS header."""
    with brain_server(folder, SLICEWAY_SERVER__HOSTS="brain.example") as served:
        for method, path in (("GET", "/healthz"), ("OPTIONS", "/v1/recall"), ("HEAD", "/v1/whoami")):
            answer = await call(session, method, served.url + path, headers=headers)
            assert answer.status == (status if path == "/healthz" or status == 403 else 405)
            assert not [name for name in answer.headers if name.lower().startswith("access-control")]


async def test_fr3_a_server_embeds_in_the_background(folder: Path, session: aiohttp.ClientSession) -> None:
    """FR3 OP2: with a model the server says how many pages wait, embeds them by itself, and then finds what means the
    same with nothing lacking; `brain embed` has nothing left to do."""
    token = (await make_tokens(folder))["ada"]
    with brain_server(folder, SLICEWAY_EMBED__MODEL="minilm") as served:
        pages = [{"slug": "d/1", "content": "Annual leave is booked two weeks ahead."}]
        written = {"slice": "mine", "pages": pages}
        assert (await call(session, "POST", f"{served.url}/v1/pages", token=token, body=written)).status == 200

        async def whole() -> bool:
            asked = {"query": "how do I request holidays"}
            found = await call(session, "POST", f"{served.url}/v1/recall", token=token, body=asked)
            hits = [(hit["slug"], hit["matched"]) for hit in found.body["hits"]]
            assert found.body["degraded"] == ["vectors"] or hits == [("d/1", ["meaning"])], found.body
            return bool(found.body["degraded"] == [])

        await until(whole)
        ready = await call(session, "GET", f"{served.url}/readyz")
        assert ready.body["embedding"] == {"model": "minilm", "loaded": True, "pending": 0}
    done = await asyncio.to_thread(embedded_at_once, folder)
    assert json.loads(done) == {"model": "minilm", "embedded": 0, "pending": 0}


def embedded_at_once(folder: Path) -> str:
    """Return what `brain embed` answers."""
    command = [sys.executable, "-m", "sliceway", "brain", "embed", "--json"]
    env = environment(folder, SLICEWAY_EMBED__MODEL="minilm")
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=True).stdout
