"""The product's own processes, started as a person would start them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sliceway.errors import SlicewayError

_START_SECONDS = 30.0
_STOP_SECONDS = 15.0


class ProcessFailed(SlicewayError):
    """A process of the demo did not start or did not do its work."""

    code = "demo_failed"


_MODEL, _LOCAL = "SLICEWAY_EMBED__MODEL", frozenset({"none", "minilm", "e5"})
"""Which model runs on a machine is that machine's matter; what an address elsewhere is sent is not."""


def clean_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Return this environment without anybody's settings of Slack and Sliceway, but for a model on this machine, and
    with `extra`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SLACK_", "SLICEWAY_"))}
    if os.environ.get(_MODEL) in _LOCAL:
        kept[_MODEL] = os.environ[_MODEL]
    return {**kept, **extra}


class GatewayProcess:
    """One `sliceway gateway` on a free port, its log in a file."""

    def __init__(self, environment: Mapping[str, str], log: Path) -> None:
        """Remember how to start it. `log` is appended to."""
        self._environment = clean_environment(environment)
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self.url = ""

    @property
    def pid(self) -> int:
        """The number of the process that runs.

        :raises ProcessFailed: none does.
        """
        if self._process is None:
            raise ProcessFailed("The gateway does not run.")
        return self._process.pid

    async def start(self) -> None:
        """Start it and wait until it listens; `url` is its address then.

        :raises ProcessFailed: it ended or said nothing in time; its last words are in the message.
        """
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "sliceway", "gateway", "--port", "0", "--json", "--with-parent",
                env=self._environment, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        assert self._process.stdout is not None
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), _START_SECONDS)
            self.url = str(json.loads(line)["url"])
        except (TimeoutError, ValueError, KeyError):
            await self.kill()
            raise ProcessFailed(f"The gateway did not start: {self.last_words()}") from None

    async def stop(self) -> None:
        """End it as a deploy does: it finishes what it accepted."""
        await self._end(signal.SIGTERM)

    async def kill(self) -> None:
        """End it as a crash does."""
        await self._end(signal.SIGKILL)

    async def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        process.send_signal(how)
        try:
            await asyncio.wait_for(process.wait(), _STOP_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()

    def last_words(self) -> str:
        """Return the end of its log."""
        return self._log.read_text(errors="replace")[-2000:].strip() or "it said nothing"


async def command_line(*arguments: str, environment: Mapping[str, str]) -> Any:
    """Run one verb of the command line with `--json` and return its answer.

    :raises ProcessFailed: it was refused or failed; the message says what it said.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sliceway", *arguments, "--json",
        env=clean_environment(environment), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    if process.returncode != 0:
        raise ProcessFailed(f"`sliceway {' '.join(arguments)}` said: {err.decode(errors='replace').strip()}")
    return json.loads(out)
