"""Verbs of the command line, run in this process: as a process of its own would, without a second of starting one.

What is about processes (signals, pipes, what a shell sees of stdout) starts one; what is about a verb need not.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any
from unittest import mock

from sliceway.cli import run
from sliceway.cli.play.processes import clean_environment

_ONE = threading.Lock()
"""Held by the verb that runs: this process has one environment and one stdout."""


@dataclass(frozen=True)
class Ended:
    """How a verb ended: its exit code, and what it said."""

    returncode: int
    out: bytes
    err: bytes

    @property
    def stdout(self) -> str:
        """What it answered."""
        return self.out.decode()

    @property
    def stderr(self) -> str:
        """What it said beside that."""
        return self.err.decode()


def verb(*arguments: str, environment: Mapping[str, str], given: bytes = b"") -> Ended:
    """Run a verb with that environment, as the program in a process of its own does.

    It has a loop of its own, so where one runs already it is called by `verb_in_thread`.

    :param environment: its settings, in place of any that this process has.
    :param given: its stdin.
    """
    with TemporaryFile() as asked, TemporaryFile() as out, TemporaryFile() as err:
        asked.write(given)
        asked.seek(0)
        with _standing_in(clean_environment(environment), asked, out, err):
            try:
                code = run(list(arguments))
            except SystemExit as ended:
                code = int(ended.code or 0)
        out.seek(0)
        err.seek(0)
        return Ended(code, out.read(), err.read())


async def verb_in_thread(*arguments: str, environment: Mapping[str, str], given: bytes = b"") -> Ended:
    """Run a verb beside the loop of an async test; one at a time."""
    return await asyncio.to_thread(verb, *arguments, environment=environment, given=given)


async def answer_of(*arguments: str, environment: Mapping[str, str]) -> Any:
    """Run a verb with `--json` beside the loop, and return its answer; it must not be refused."""
    ended = await verb_in_thread(*arguments, "--json", environment=environment)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@contextmanager
def _standing_in(
    environment: Mapping[str, str], asked: IO[bytes], out: IO[bytes], err: IO[bytes]
) -> Iterator[None]:  # fmt: skip
    """Have this process' environment and streams be the verb's while the context is open."""
    streams = [io.TextIOWrapper(file, encoding="utf-8", write_through=True) for file in (asked, out, err)]
    with _ONE, mock.patch.dict(os.environ, environment, clear=True), ExitStack() as stack:
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            stack.enter_context(mock.patch.object(sys, name, stream))
        yield
    for stream in streams:
        if not stream.closed:  # the verb may have closed its stdin
            stream.detach()
