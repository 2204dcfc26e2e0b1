"""`sliceway workspace` as a process of its own, as a bot's author starts it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp

from sliceway.cli.play.people import People

COMMAND = (sys.executable, "-m", "sliceway", "workspace")


@asynccontextmanager
async def started(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start the command; it is gone when the context ends."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*COMMAND, *arguments, stdout=pipe, stderr=pipe)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def first_line(process: asyncio.subprocess.Process) -> str:
    """Return what it says first, which has to come within half a minute."""
    assert process.stdout is not None
    return (await asyncio.wait_for(process.stdout.readline(), timeout=30)).decode()


@asynccontextmanager
async def peopled() -> AsyncIterator[tuple[People, str]]:
    """Start a workspace and meet its people; with them comes the address that a bot calls."""
    async with started("--json", "--port", "0") as process, aiohttp.ClientSession() as session:
        said = json.loads(await first_line(process))
        people = People(session, said["url"], said["key"])
        await people.meet()
        yield people, said["api_url"]
