"""`kb add | list | remove`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from sliceway.cli.call import Call, verb
from sliceway.ports.outcomes import MountEntry


@click.group()
def kb() -> None:
    """Folders of markdown that agents read as reference."""


@verb(kb)
@click.argument("label")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--agent", "agents", multiple=True, metavar="ID", help="Who may read it; may be given several times.")
def add(call: Call, label: str, folder: Path, agents: tuple[str, ...]) -> None:
    """Mount the folder DIR as the read-only slice kb-LABEL, take in its pages, and follow it from now on.

    The gateway or brain server that has the store looks at it every few seconds. Links out of DIR are not followed.
    """
    made = call.as_operator(lambda brain: brain.mount(label=label, folder=str(folder.absolute()), agents=agents))
    call.emit(made, _lines(made))


@verb(kb, "list")
def list_(call: Call) -> None:
    """List the mounted folders, who reads them, and what could not be taken of them."""
    found = call.as_operator(lambda brain: brain.mounts())
    lines = [line for one in found for line in _lines(one)]
    call.emit({"items": found, "next_cursor": None}, lines or ["No folder is mounted yet."])


@verb(kb)
@click.argument("label")
def remove(call: Call, label: str) -> None:
    """Let go of the folder that is kb-LABEL: its pages are deleted, and no agent reads it any more."""
    gone = call.as_operator(lambda brain: brain.unmount(label=label))
    call.emit(gone, f"{gone.slice} is mounted no more.")


def _lines(entry: MountEntry) -> Iterator[str]:
    readers = ", ".join(entry.agents) or "nobody yet; say --agent ID"
    yield f"{entry.slice} = {entry.folder}: {entry.pages} page{'s' * (entry.pages != 1)}, read by {readers}"
    yield from (f"  not taken: {problem}" for problem in entry.problems)
