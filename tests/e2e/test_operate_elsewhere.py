"""What `docs/operate.md` and the README say of one brain and several gateways, run as it stands there."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

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


async def test_the_commands_for_one_brain_and_several_gateways_work(tmp_path: Path) -> None:
    """BR1, AP7: typed as they stand, the commands give a served brain, a gateway on it that remembers and a script that
    keeps and finds; the doctor finds nothing wrong on the way."""
    (serving,) = blocks("docs/operate.md", "console", "--kind gateway --agent bob")
    (joining,) = blocks("docs/operate.md", "console", "SLICEWAY_AGENT_ID=ada\n")
    (script,) = blocks("docs/operate.md", "console", "--kind agent --agent scout")
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(workspace_client())
        tokens = slack.workspace.tokens
        names = {
            "U012AB3CD": "UMIA", "T012AB3CD": TEAM, "C012AB3CD": "COPS", "xoxb-…": tokens.bot, "xapp-…": tokens.app,
            "3001": str(free_port()), "sliceway brain serve": f"sliceway brain serve --port {(port := free_port())}",
            "3100": str(port),
        }  # fmt: skip
        reader = Reader(tmp_path, names, stack)
        ada, _, listens = await reader.type(serving)
        assert f":{port}" in listens
        reader.names["slw_…"] = ada.splitlines()[0]
        examined, connected = await reader.type(joining, SLACK_API_URL=slack.workspace.api_url)
        assert "WRONG" not in examined
        assert connected.startswith("ada is connected")
        assert (await answer(slack, "remember that build 2301 is the rollback target")).startswith("Saved")
        create, rest = script.split("\n", 1)
        (scout,) = await reader.type(create)
        reader.names["slw_…"] = scout.splitlines()[0]
        kept, found = await reader.type(rest)
        assert "agent-scout" in kept
        assert "staging port" in found
        assert "2301" not in found


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
