"""The README's six steps to connect a Slack, followed word for word against the local workspace."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from sliceway.cli.play.people import Message, People, buttons_of, words_of
from sliceway.cli.play.processes import clean_environment
from sliceway.web.serving import bound, port_of

pytestmark = pytest.mark.timeout(300)
_TEXT = (Path(__file__).parents[2] / "README.md").read_text()
README = _TEXT[_TEXT.index("## Connect your Slack") :].partition("\n## ")[0]


def settings() -> list[str]:
    """Return the names of the settings that step 4 sets."""
    return re.findall(r"\$ export (\w+)=", README)


def commands() -> list[list[str]]:
    """Return the commands of the steps, as they are typed."""
    return [line.split() for line in re.findall(r"\$ (sliceway .+)", README)]


@asynccontextmanager
async def running(*arguments: str, environment: dict[str, str]) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `sliceway` with these arguments until the context ends."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sliceway", *arguments,
        env=environment, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


def test_the_steps_are_six_and_name_what_there_is() -> None:
    """Six numbered steps, three settings, and two commands: the doctor, then the gateway."""
    assert re.findall(r"^(\d)\. ", README, re.MULTILINE) == list("123456")
    assert settings() == ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLICEWAY_POLICY__MANAGERS"]
    assert commands() == [["sliceway", "doctor"], ["sliceway", "gateway"]]
    assert "connections:write" in README


async def test_who_follows_the_steps_has_a_bot_that_remembers_and_asks(tmp_path: Path) -> None:
    """With the three settings and nothing else but where Slack is, the doctor is content and the gateway connects by
    itself; invited to a channel the bot remembers, asks by a card, and a manager's yes writes."""
    listener = bound(0)
    port = port_of(listener)
    listener.close()
    there = clean_environment({"XDG_DATA_HOME": str(tmp_path), "SLICEWAY_SERVER__PORT": str(port)})
    doctor, gateway = (command[1:] for command in commands())
    async with running("workspace", "--json", "--port", "0", environment=there) as workspace:
        assert workspace.stdout is not None
        line = json.loads(await workspace.stdout.readline())
        async with aiohttp.ClientSession(line["url"], headers={"X-Workspace-Key": line["key"]}) as http:
            tokens = (await _state(http))["tokens"]
            given = dict(zip(settings(), (tokens["bot"], tokens["app"], "UMIA"), strict=True))
            environment = {**there, **given, "SLACK_API_URL": line["api_url"]}
            async with running(*doctor, environment=environment) as examined:
                said, _ = await examined.communicate()
            assert examined.returncode == 0, said.decode()
            async with running(*gateway, environment=environment):
                people = People(http, line["url"], line["key"])
                await people.meet()
                await people.until("the socket", lambda: _sockets(http))
                invited = {"channel": "CRANDOM", "invite": ["USLICEWAY"]}
                assert (await http.post("/_control/channel", json=invited)).status == 200
                await _remember_and_share(people)


async def _remember_and_share(people: People) -> None:
    """Say something in the channel that the bot was invited to, then have something approved there."""
    asked = await people.say("UADA", "CRANDOM", f"<@{people.bot}> remember that the kettle is broken")
    saved = await people.answer("CRANDOM", asked, seen_by="UADA", after=asked)
    assert "Saved" in words_of(saved)
    assert "the kettle is broken" in words_of(saved)
    asked = await people.say("UADA", "CRANDOM", f"<@{people.bot}> share with the team: lunch is at noon")
    card = await people.until("the card", lambda: _with_button(people, asked, "Approve"))
    await people.click("UMIA", "CRANDOM", card, "Approve")
    record = await people.answer("CRANDOM", asked, seen_by="UADA", after=asked, has="Approved:")
    assert record["ts"] == card["ts"]
    assert buttons_of(record) == {}


async def _with_button(people: People, root: str, label: str) -> Message | None:
    seen = await people.messages("CRANDOM", thread=root, seen_by="UMIA")
    return next((each for each in seen if label in buttons_of(each)), None)


async def _state(http: aiohttp.ClientSession) -> dict[str, Any]:
    async with http.get("/_control/state") as answer:
        state: dict[str, Any] = await answer.json()
        return state


async def _sockets(http: aiohttp.ClientSession) -> int:
    return int((await _state(http))["sockets"])
