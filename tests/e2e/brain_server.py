"""A brain's server as a process of its own, its tokens, and calls to it as they are on the wire."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp
from yarl import URL

from sliceway.cli.play.processes import clean_environment
from sliceway.core.principals import Principal
from sliceway.wiring import open_brain

END_S = 20.0


@dataclass
class Served:
    """A server that runs. `log` is what it said on stderr."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def stop(self) -> int:
        """End it as a deploy does; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(END_S)


def environment(folder: Path, **settings: str) -> Mapping[str, str]:
    """Return the environment of a program that works on the store of a folder."""
    return clean_environment({"SLICEWAY_STORE__URL": f"sqlite:///{folder / 'brain.db'}", **settings})


@contextmanager
def brain_server(folder: Path, name: str = "server", port: int = 0, **settings: str) -> Iterator[Served]:
    """Serve the store of a folder while the context is open.

    :param port: 0 for any free one.
    """
    log = folder / f"{name}.log"
    with log.open("ab") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "sliceway", "brain", "serve", "--port", str(port), "--json", "--with-parent"],
            env=environment(folder, **settings), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
        )  # fmt: skip
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line, log.read_text()
        yield Served(json.loads(line)["url"], process, log)
    finally:
        process.kill()
        process.wait(END_S)
        process.stdout.close()


TOKENS: Mapping[str, Mapping[str, Any]] = {
    "admin": {"kind": "admin"},
    "ada": {"kind": "agent", "agent": "ada"},
    "bob": {"kind": "agent", "agent": "bob"},
    "gateway": {"kind": "gateway", "agent": "ada", "teams": ["T1"], "acts_for": True, "decides": True},
    "reader": {"kind": "reader", "slices": ["public"]},
}


async def make_tokens(folder: Path, url: str | None = None) -> dict[str, str]:
    """Make a store in a folder, with a policy and a token of each kind; return them by name.

    :param url: the store is there instead, and empty.
    """
    async with open_brain(url or f"sqlite:///{folder / 'brain.db'}", sync="normal", embed="none") as door:
        operator = door.enter(Principal.operator("op"))
        await operator.set_policy(teams=["T1"], managers=["U-MAN"])
        return {name: (await operator.create_token(**rights)).token for name, rights in TOKENS.items()}


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        """The JSON in it."""
        return json.loads(self.raw)

    @property
    def wrong(self) -> set[tuple[str, str]]:
        """The fields that were refused, with their codes."""
        return {(error["field"], error["code"]) for error in self.body.get("errors", [])}


async def call(
    session: aiohttp.ClientSession, method: str, url: str, *, token: str | None = None, body: Any = None, **more: Any
) -> Answer:
    """Send one request as it is given: `body` is bytes, parts of them, or JSON's own; `headers` replace ours."""
    headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
    if not isinstance(body, bytes | AsyncIterator | None):
        body = json.dumps(body).encode()
    if isinstance(body, bytes):
        body = BytesIO(body)
    if body is not None:
        headers["Content-Type"] = "application/json"
    headers |= more.pop("headers", {})
    sent = session.request(
        method, URL(url, encoded=True), data=body, headers=headers, skip_auto_headers=["Content-Type"], **more
    )
    async with sent as response:
        return Answer(response.status, response.headers.copy(), await response.read())
