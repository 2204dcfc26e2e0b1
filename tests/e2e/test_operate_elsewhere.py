"""What `docs/operate.md` and the README say of one brain and several gateways, run as it stands there."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from sliceway.cli.play.processes import clean_environment
from tests.contract.workspace_client import APP, Client, workspace_client
from tests.e2e.brain_server import brain_server, make_tokens
from tests.e2e.elsewhere import free_port
from tests.e2e.slack_gateway import TEAM
from tests.fakes.waiting import until

ROOT = Path(__file__).parents[2]
STAYS = ("sliceway brain serve", "sliceway gateway")
STARTS_S = 60.0


def blocks(document: str, language: str, holds: str) -> list[str]:
    """Return the code blocks of a language that hold something."""
    text = (ROOT / document).read_text()
    return [block for block in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) if holds in block]


class Reader:
    """Somebody who types what a document says, with their own names in it."""

    def __init__(self, folder: Path, names: dict[str, str], stack: AsyncExitStack) -> None:
        """Sit at a machine on which `sliceway` is installed."""
        self._stack, self.names = stack, names
        program = folder / "bin" / "sliceway"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sliceway "$@"\n')
        program.chmod(0o755)
        path = f"{program.parent}:{os.environ['PATH']}"
        self.environment = clean_environment({"PATH": path, "XDG_DATA_HOME": str(folder / "home")})

    def beside(self, names: dict[str, str]) -> Reader:
        """Return another who sits at the same machine, with these names besides."""
        other = copy(self)
        other.names = {**self.names, **names}
        return other

    async def type(self, block: str, **exported: str) -> list[str]:
        """Type a block's lines, and return what each command printed; what stays is left running."""
        environment = {**self.environment, **exported}
        said = []
        for line in block.splitlines():
            command = line.removeprefix("$ ")
            for name, own in self.names.items():
                command = command.replace(name, own)
            if command.startswith("export "):
                key, _, value = command.removeprefix("export ").partition("=")
                environment[key] = value
            elif command.startswith(STAYS):
                said.append(await self._stack.enter_async_context(left_running(command, environment)))
            else:
                said.append(await typed(command, environment))
        return said


async def typed(command: str, environment: dict[str, str]) -> str:
    """Run a command to its end, which has to be a good one."""
    process = await asyncio.create_subprocess_shell(
        command, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    assert process.returncode == 0, f"{command}: {out.decode()}{err.decode()}"
    return out.decode()


@asynccontextmanager
async def left_running(command: str, environment: dict[str, str]) -> AsyncIterator[str]:
    """Run a command that stays, while the context is open, and return its first line."""
    process = await asyncio.create_subprocess_shell(
        f"exec {command}", env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), STARTS_S)
        assert line, command
        yield line.decode()
    finally:
        process.terminate()
        await process.wait()


async def answer(slack: Client, text: str) -> str:
    """Say something to the agent in a channel, and return what it says in the thread."""
    root = await slack.say("UADA", "CDEPLOYS", f"{APP} {text}")

    async def is_answered() -> bool:
        return len(await slack.messages("CDEPLOYS", thread_ts=root)) > 1

    await until(is_answered)
    return str((await slack.messages("CDEPLOYS", thread_ts=root))[1]["text"])


@asynccontextmanager
async def apps(*agents: str) -> AsyncIterator[dict[str, Client]]:
    """Give a Slack app to each agent, all in one workspace by its id."""
    async with AsyncExitStack() as stack:
        yield {agent: await stack.enter_async_context(workspace_client()) for agent in agents}


async def cards(slacks: Iterable[Client]) -> list[tuple[Client, dict[str, Any]]]:
    """Return what stands in the channel for approvals, of any app."""
    return [(slack, card) for slack in slacks for card in await slack.messages("COPS") if "blocks" in card]


async def test_the_commands_for_one_brain_and_three_gateways_work(tmp_path: Path) -> None:
    """BR1, AP7, AP22: typed as they stand, the commands give a served brain, three gateways whose minds are apart, one
    card for what the third may not card itself, and a script that keeps and finds; the doctor finds nothing wrong."""
    (serving,) = blocks("docs/operate.md", "console", "--kind gateway --agent bob")
    (joining,) = blocks("docs/operate.md", "console", "SLICEWAY_AGENT_ID=ada\n")
    (script,) = blocks("docs/operate.md", "console", "--kind agent --agent scout")
    async with apps("ada", "bob", "cleo") as slacks, AsyncExitStack() as stack:
        names = {
            "U012AB3CD": "UMIA", "T012AB3CD": TEAM, "C012AB3CD": "COPS",
            "sliceway brain serve": f"sliceway brain serve --port {(port := free_port())}", "3100": str(port),
        }  # fmt: skip
        reader = Reader(tmp_path, names, stack)
        *secrets, listens = await reader.type(serving)
        assert f":{port}" in listens
        given = dict(zip(slacks, secrets, strict=True))

        async def join(agent: str, steps: str) -> None:
            slack = slacks[agent]
            here = reader.beside({
                "slw_…": given[agent].splitlines()[0], "SLICEWAY_AGENT_ID=ada": f"SLICEWAY_AGENT_ID={agent}",
                "xoxb-…": slack.workspace.tokens.bot, "xapp-…": slack.workspace.tokens.app, "3001": str(free_port()),
            })  # fmt: skip
            *examined, connected = await here.type(steps, SLACK_API_URL=slack.workspace.api_url)
            assert not [said for said in examined if "WRONG" in said]
            assert connected.startswith(f"{agent} is connected")

        quick = joining.replace("$ sliceway doctor\n", "")
        await asyncio.gather(*(join(agent, joining if agent == "ada" else quick) for agent in slacks))
        assert (await answer(slacks["ada"], "remember that build 2301 is the rollback target")).startswith("Saved")
        assert "2301" not in await answer(slacks["bob"], "what do we know about the rollback target?")
        await answer(slacks["cleo"], "share with the team: the rota moved to Mondays")
        await until(lambda: _is_one(slacks.values()))
        ((slack, card),) = await cards(slacks.values())
        await slack.control("click", user="UMIA", channel="COPS", ts=card["ts"], action_id="sliceway:approve")
        await until(lambda: _is_known(slacks["bob"]))
        assert len(await cards(slacks.values())) == 1
        create, rest = script.split("\n", 1)
        (scout,) = await reader.type(create)
        reader.names["slw_…"] = scout.splitlines()[0]
        kept, found = await reader.type(rest)
        assert "agent-scout" in kept
        assert "staging port" in found
        assert "2301" not in found


async def _is_one(slacks: Iterable[Client]) -> bool:
    return len(await cards(slacks)) == 1


async def _is_known(slack: Client) -> bool:
    return "Mondays" in await answer(slack, "when is the rota?")


def test_the_readmes_python_for_a_brain_elsewhere_works(tmp_path: Path) -> None:
    """BR1: the README's program for a served brain, with a reader's own address and token in it, prints what it
    found."""
    (block,) = blocks("README.md", "python", 'token="slw_…"')
    tokens = asyncio.run(make_tokens(tmp_path))
    with brain_server(tmp_path) as server, pytest.MonkeyPatch.context() as patched:
        printed: list[str] = []
        patched.setattr("builtins.print", printed.append)
        program = block.replace("http://127.0.0.1:3100", server.url).replace("slw_…", tokens["ada"])
        exec(compile(program, "README.md", "exec"), {"__name__": "readme"})
    assert "rollback target" in printed[0]
