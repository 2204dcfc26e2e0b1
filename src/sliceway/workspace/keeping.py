"""What a workspace leaves in a file, for the next one to go on from: people, places, messages; no token, no view."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from sliceway.errors import BootError
from sliceway.workspace.model import Channel, Message, Person, Workspace

EVERY = 2.0
"""Seconds between two looks whether there is something to keep."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Kept:
    people: tuple[Person, ...]
    channels: tuple[Channel, ...]
    messages: tuple[Message, ...]


_CODEC = TypeAdapter(_Kept)


@asynccontextmanager
async def kept(workspace: Workspace, file: Path | None) -> AsyncIterator[None]:
    """Fill the workspace from the file if it is there, and write it again while the context is open and at its end.

    :param file: None keeps nothing.
    :raises BootError: the file is none of ours; it is left as it is.
    """
    if file is None:
        yield
        return
    _restore(workspace, file)
    changed = asyncio.Event()
    unwatch = workspace.watch(lambda _change: changed.set())
    keeper = asyncio.create_task(_keep(workspace, file, changed))
    try:
        yield
    finally:
        keeper.cancel()
        await asyncio.wait([keeper])
        unwatch()
        _write(workspace, file)


async def _keep(workspace: Workspace, file: Path, changed: asyncio.Event) -> None:
    while True:
        await changed.wait()
        await asyncio.sleep(EVERY)
        changed.clear()
        _write(workspace, file)


def _write(workspace: Workspace, file: Path) -> None:
    """Replace the file in one step: whoever reads it finds the old one or the new one."""
    state = _Kept(
        tuple(workspace.people.values()),
        tuple(workspace.channels.values()),
        tuple(message for channel in workspace.channels for message in workspace.messages(channel)),
    )
    beside = file.with_suffix(".part")
    try:
        beside.touch(mode=0o600)
        beside.write_text(json.dumps(_CODEC.dump_python(state, mode="json"), ensure_ascii=False), encoding="utf-8")
        beside.replace(file)
    except OSError as error:
        log.warning("The workspace cannot be kept in %s: %s", file, error)


def _restore(workspace: Workspace, file: Path) -> None:
    try:
        state = _CODEC.validate_json(file.read_bytes())
    except FileNotFoundError:
        return
    except (OSError, ValidationError) as error:
        detail = f"{file} cannot be read as what a workspace left; move it away, or begin anew with --fresh."
        raise BootError(detail) from error
    for person in state.people:
        workspace.put_person(person)
    for channel in state.channels:
        workspace.put_channel(channel)
    for message in state.messages:
        workspace.put_message(message)
    newest = max((float(message.ts) for message in state.messages), default=0.0)
    workspace.clock.advance(max(0.0, newest - workspace.clock.now()))  # no new message is older than a kept one
