"""The workspace's page for people, and the live stream it listens to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from sliceway.errors import BootError
from sliceway.workspace.landings import Landings
from sliceway.workspace.page_door import FOLDER
from sliceway.workspace.server import running_workspace
from tests.contract.workspace_client import Client, workspace_client

MOST_LINES = 350


class OneLanding(Landings):
    """A memory that never changes."""

    async def look(self) -> dict[str, Any]:
        """Return one slice."""
        return {"slices": [{"slice": "shared", "pages": 1}], "acts": [], "events": "1"}


@asynccontextmanager
async def _stream(client: Client, viewer: str) -> AsyncIterator[aiohttp.StreamReader]:
    url = f"{client.workspace.url}/_control/stream"
    async with client.http.get(url, params={"as": viewer}, headers=client.key) as response:
        assert response.content_type == "text/event-stream"
        yield response.content


async def _event(stream: aiohttp.StreamReader) -> dict[str, Any]:
    line = await asyncio.wait_for(stream.readuntil(b"\n\n"), 5)
    found: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
    return found


async def test_the_page_comes_with_a_policy_that_lets_nothing_in_from_elsewhere() -> None:
    """`/` and each of its parts carry a Content-Security-Policy of this origin alone, and need no key."""
    async with workspace_client() as client:
        for path in ("/", "/page/main.js", "/page/frame.css", "/page/icon.svg"):
            async with client.http.get(client.workspace.url + path) as answer:
                assert answer.status == 200
                policy = answer.headers["Content-Security-Policy"]
                assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
                assert "unsafe" not in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert client.workspace.key not in await answer.text()


async def test_op5_the_page_is_for_this_host_alone() -> None:
    """OP5: a wrong `Host`, another site's `Origin`, and a part that is none are refused."""
    async with workspace_client() as client:
        for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
            async with client.http.get(f"{client.workspace.url}/", headers=headers) as answer:
                assert answer.status == 403
        for name in ("..%2fserver.py", "server.py", "nothing.js"):
            async with client.http.get(f"{client.workspace.url}/page/{name}") as answer:
                assert answer.status == 404


async def test_op5_the_stream_wants_the_key() -> None:
    """OP5: without the key in its header the stream is refused; one in the address counts for nothing."""
    async with workspace_client() as client:
        url = f"{client.workspace.url}/_control/stream"
        query = {"as": "UADA"}
        async with client.http.get(url, params=query) as answer:
            assert answer.status == 403
        async with client.http.get(url, params={**query, "key": client.workspace.key}) as answer:
            assert answer.status == 403


async def test_the_key_stands_in_the_fragment_that_no_server_sees() -> None:
    """The address for people ends in the key, after `#`."""
    async with workspace_client() as client:
        assert client.workspace.page_url == f"{client.workspace.url}/#key={client.workspace.key}"


async def test_a_stream_begins_with_the_state_and_goes_on_with_what_that_person_sees() -> None:
    """What is said in a place comes to those who may read it, and as nothing to others; no token is in it."""
    async with workspace_client() as client, _stream(client, "UADA") as ada, _stream(client, "UGUS") as gus:
        first = await _event(ada)
        assert {"state", "views"} <= set(first)
        assert "tokens" not in first["state"]
        await _event(gus)
        ts = await client.say("UADA", "CDEPLOYS", "hello")
        seen, unseen = await _event(ada), await _event(gus)
        assert [(each["ts"], each["message"]["text"]) for each in seen["messages"]] == [(ts, "hello")]
        assert [(each["ts"], each["message"]) for each in unseen["messages"]] == [(ts, None)]


async def test_a_reply_brings_its_root_along() -> None:
    """The root of a thread comes again when a reply does, with the new count."""
    async with workspace_client() as client:
        root = await client.say("UADA", "CDEPLOYS", "hello")
        async with _stream(client, "UADA") as stream:
            await _event(stream)
            await client.say("UBEN", "CDEPLOYS", "hi", thread_ts=root)
            told = {each["ts"]: each["message"] for each in (await _event(stream))["messages"]}
            assert told[root]["reply_count"] == 1


async def test_many_changes_of_one_message_are_told_once() -> None:
    """Fifty edits in one go are few events, and the last one shows the last text."""
    async with workspace_client() as client:
        ts = await client.say("UADA", "CDEPLOYS", "hello")
        async with _stream(client, "UADA") as stream:
            await _event(stream)
            for at in range(50):
                await client.control("edit", user="UADA", channel="CDEPLOYS", ts=ts, text=f"version {at}")
            events = 0
            text = ""
            while text != "version 49":
                text = (await _event(stream))["messages"][-1]["message"]["text"]
                events += 1
            assert events < 50


async def test_what_landed_is_told_once_and_the_end_of_the_workspace_ends_the_stream() -> None:
    """An unchanged look is not told again; an open page does not hold up the end."""
    async with aiohttp.ClientSession() as http:
        async with running_workspace(landings=OneLanding()) as workspace:
            client = Client(workspace, http)
            answer = await http.get(f"{workspace.url}/_control/stream", params={"as": "UADA"}, headers=client.key)
            told: list[dict[str, Any]] = []
            while not any("landings" in each for each in told):
                told.append(await _event(answer.content))
            await client.say("UADA", "CDEPLOYS", "hello")
            told.append(await _event(answer.content))
            assert sum("landings" in each for each in told) == 1
        assert await asyncio.wait_for(answer.content.read(), 2) == b""
        answer.close()


def test_the_parts_of_the_page_are_short() -> None:
    """No module and no style sheet has more than 350 lines."""
    lengths = {file.name: len(file.read_text().splitlines()) for file in FOLDER.iterdir()}
    assert not {name: lines for name, lines in lengths.items() if lines > MOST_LINES}


def test_the_page_names_no_other_site() -> None:
    """Nothing of the page is fetched from elsewhere; the one address in it is the name of SVG."""
    for file in FOLDER.iterdir():
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, file.name
        assert "https://" not in text, file.name


async def test_what_was_said_is_there_again_and_what_comes_is_newer(tmp_path: Path) -> None:
    """People, places and messages outlive the workspace; tokens do not; a new message has a later time."""
    file = tmp_path / "workspace.json"
    async with aiohttp.ClientSession() as http:
        async with running_workspace(keep=file) as workspace:
            client = Client(workspace, http)
            await client.control("clock", advance="2h")
            root = await client.say("UADA", "COPS", "hello")
            await client.say("UBEN", "COPS", "hi", thread_ts=root)
            await client.control("person", user="UBEN", role="guest")
            token = workspace.tokens.bot
        assert token not in file.read_text()
        assert file.stat().st_mode & 0o077 == 0
        async with running_workspace(keep=file) as workspace:
            client = Client(workspace, http)
            said = await client.messages("COPS", thread_ts=root)
            assert [each["text"] for each in said] == ["hello", "hi"]
            assert workspace.model.person("UBEN").role == "guest"
            assert await client.say("UADA", "COPS", "again") > said[-1]["ts"]


async def test_a_file_that_is_none_of_ours_is_left_as_it_is(tmp_path: Path) -> None:
    """It is refused in words, and not written over."""
    file = tmp_path / "workspace.json"
    file.write_text("mine")
    with pytest.raises(BootError, match="move it away"):
        async with running_workspace(keep=file):
            pass
    assert file.read_text() == "mine"
