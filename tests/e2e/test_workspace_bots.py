"""Bots that know nothing of us, in processes of their own, run against `sliceway workspace`: Bolt in two languages."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sliceway.cli.play.people import People, buttons_of
from sliceway.web.serving import bound, port_of
from tests.e2e.bolt_js import VERSION, bolt_js
from tests.e2e.slack_ways import Transport
from tests.e2e.workspace_process import peopled

HERE = Path(__file__).parent
REFERENCE = HERE.parents[1] / "docs" / "reference.md"


@asynccontextmanager
async def running(command: Sequence[str], environment: Mapping[str, str], log: Path) -> AsyncIterator[None]:
    """Run a bot; what it said is shown where the test fails."""
    ours = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}  # T15
    with log.open("wb") as said:
        bot = await asyncio.create_subprocess_exec(
            *command, env={**ours, **environment}, stdin=asyncio.subprocess.DEVNULL, stdout=said, stderr=said
        )
    try:
        yield
        assert bot.returncode is None, "the bot ended by itself"
    finally:
        if bot.returncode is None:
            bot.kill()
        await bot.wait()
        show(log)


def show(log: Path) -> None:
    """Show what was said, where the test fails."""
    sys.stdout.write(log.read_text())


def free_port() -> int:
    """Return a port that was free just now."""
    with bound(0) as listener:
        return port_of(listener)


async def listens(port: int) -> bool:
    """Say whether somebody listens on a port."""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


@asynccontextmanager
async def bot_in_workspace(
    command: Sequence[str], transport: Transport, log: Path, **more: str
) -> AsyncIterator[People]:
    """Start a workspace and a bot that it reaches by `transport`."""
    async with peopled() as (people, api_url):
        tokens, port = people.state["tokens"], free_port()
        environment = {"SLACK_BOT_TOKEN": tokens["bot"], "SLACK_API_URL": api_url, **more}
        if transport == "socket":
            environment["SLACK_APP_TOKEN"] = tokens["app"]
        else:
            environment |= {"SLACK_SIGNING_SECRET": tokens["signing_secret"], "PORT": str(port)}

        async def connected() -> bool:
            await people.meet()
            return bool(people.state["sockets"]) if transport == "socket" else await listens(port)

        async with running(command, environment, log):
            await people.until("the bot", connected)
            if transport == "http":
                await people.point_at(f"http://127.0.0.1:{port}/slack/events")
            yield people


async def spoken_with(people: People) -> None:
    """Greet the bot, mention it, command it, press its button and fill in its form; look at each answer.

    Then have it lose its sockets, if it has any, and see that it answers as before.
    """
    ada, ops, deploys = people.one("member"), people.channel("ops"), people.channel("deploys")

    async def said(channel: str, text: str, thread: str | None = None) -> Mapping[str, Any]:
        async def look() -> Mapping[str, Any] | None:
            seen = await people.messages(channel, thread=thread, seen_by=ada)
            return next((one for one in seen if one["text"] == text), None)

        found: Mapping[str, Any] = await people.until(f"the bot's {text!r}", look)
        assert found["user"] == people.bot
        return found

    await people.say(ada, ops, "hello there")
    await said(ops, f"Hello, <@{ada}>!")
    root = await people.say(ada, deploys, f"<@{people.bot}> shall we?")
    card = await said(deploys, "Deploy?", root)
    assert set(buttons_of(card)) == {"Say why"}
    await people.command(ada, ops, "/echo", "is anybody there?")
    assert (await said(ops, "is anybody there?"))["is_ephemeral"] is True
    await people.click(ada, deploys, card, "Say why")
    (view,) = await people.until("the form", lambda: people.views(ada))
    await people.submit(ada, view["id"], {"reason": {"text": {"type": "plain_text_input", "value": "it is Friday"}}})
    await said(people.direct(ada), "it is Friday")
    assert await people.views(ada) == []
    await people.disconnect()  # over HTTP there is nothing to disconnect
    root = await people.say(ada, deploys, f"<@{people.bot}> and now?")
    await said(deploys, "Deploy?", root)


def documented(transport: Transport) -> str:
    """Return the source of the bot in the reference; by Socket Mode with the line that it names for that."""
    text = REFERENCE.read_text()
    source, line = re.findall(r"```python\n(.*?)```", text[text.index("## The local workspace") :], re.DOTALL)
    if transport == "http":
        return str(source)
    start = "app.start("
    assert source.count(start) == 1
    bot = source[: source.index(start)]
    return f"from slack_bolt.adapter.socket_mode import SocketModeHandler\n{bot}{line}"


async def test_the_bot_of_the_reference_runs_against_the_workspace(transport: Transport, tmp_path: Path) -> None:
    """The short bot that the reference shows answers a message, a mention, a command, a press and a form."""
    file = tmp_path / "bot.py"
    file.write_text(documented(transport))
    async with bot_in_workspace([sys.executable, str(file)], transport, tmp_path / "bot.log") as people:
        await spoken_with(people)


@pytest.fixture
def modules(pytestconfig: pytest.Config, tmp_path: Path) -> Path:
    """Where `@slack/bolt` is."""
    cache = getattr(pytestconfig, "cache", None)
    return bolt_js(cache.mkdir(f"bolt-js-{VERSION}") if cache is not None else tmp_path)


async def test_bolt_for_javascript_runs_against_the_workspace(
    modules: Path, transport: Transport, tmp_path: Path
) -> None:
    """A bot on Slack's Bolt for JavaScript, told the address and nothing else of ours, does so too."""
    command = ["node", str(HERE / "bolt_bot.cjs")]
    async with bot_in_workspace(command, transport, tmp_path / "bot.log", NODE_PATH=str(modules)) as people:
        await spoken_with(people)
