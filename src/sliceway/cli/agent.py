"""`agent list | alias | rename | merge | retire`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import click

from sliceway.cli.call import Call, table, verb
from sliceway.cli.progress import progress
from sliceway.ports.outcomes import AgentChange, AgentEntry

Function = TypeVar("Function", bound=Callable[..., None])


@click.group()
def agent() -> None:
    """The agents of this brain."""


def _both(function: Function) -> Function:
    """Give a verb its reverse and its rehearsal."""
    undo = click.option("--undo", is_flag=True, help="Take it back.")
    dry = click.option("--dry-run", is_flag=True, help="Change nothing; say what would happen.")
    return undo(dry(function))


@verb(agent, "list")
@click.option("--limit", type=int, default=50, show_default=True, help="1 to 200.")
@click.option("--cursor", help="Where the list before this one ended.")
def list_(call: Call, limit: int, cursor: str | None) -> None:
    """List the registered agents, their own slices, and what became of them."""
    found = call.as_operator(lambda brain: brain.agents(limit=limit, cursor=cursor))
    rows = [
        {
            "id": item.id, "name": item.display, "slice": item.slice, "id from": item.source,
            "since": item.registered_at, "also reads": ", ".join(item.aliases), "became": _became(item),
        }
        for item in found
    ]  # fmt: skip
    columns = ("id", "name", "slice", "id from", "since", "also reads", "became")
    call.emit(found, table(rows, columns, empty="No agent is registered yet."))


def _became(item: AgentEntry) -> str:
    return " ".join(filter(None, (item.became, "of" if item.became == "alias" else item.into and "into", item.into)))


@verb(agent)
@click.argument("id")
@click.argument("mind")
@_both
def alias(call: Call, id: str, mind: str, undo: bool, dry_run: bool) -> None:
    """Let the agent ID read the earlier MIND, a slice or an agent's id, as its own; nobody writes it any more."""
    _emit(
        call, call.as_operator(lambda brain: brain.alias_agent(id=id, alias=mind, undo=undo, dry_run=dry_run))
    )  # fmt: skip


@verb(agent)
@click.argument("id")
@click.argument("new", required=False)
@click.option("--display", metavar="NAME", help="What people are shown.")
@_both
def rename(call: Call, id: str, new: str | None, display: str | None, undo: bool, dry_run: bool) -> None:
    """Have the agent ID go on as NEW, with its tokens, and its mind so far as an alias; or show it as another name."""
    _emit(
        call,
        call.as_operator(
            lambda brain: brain.rename_agent(id=id, to=new, display=display, undo=undo, dry_run=dry_run)
        ),
    )  # fmt: skip


@verb(agent)
@click.argument("mind")
@click.argument("into")
@_both
def merge(call: Call, mind: str, into: str, undo: bool, dry_run: bool) -> None:
    """Take all of MIND, a slice (`agent`, `agent-…`) or an agent's id, over into the mind of the agent INTO.

    Broken off, the same command goes on. A page whose slug INTO has already comes in under MIND's name.
    """
    with progress("Merging") as shown:
        _emit(
            call,
            call.as_operator(
                lambda brain: brain.merge_agent(id=into, mind=mind, undo=undo, dry_run=dry_run, progress=shown)
            ),
        )  # fmt: skip


@verb(agent)
@click.argument("id")
@_both
def retire(call: Call, id: str, undo: bool, dry_run: bool) -> None:
    """End the agent ID: its tokens are revoked and it may not act; its mind is kept, and read by nobody."""
    _emit(call, call.as_operator(lambda brain: brain.retire_agent(id=id, undo=undo, dry_run=dry_run)))


_SAID = {
    "changed": "Done", "undone": "Taken back", "nochange": "Nothing to do: it stands so already",
    "would_change": "Nothing was changed. It would come to this",
}  # fmt: skip


def _emit(call: Call, report: AgentChange) -> None:
    call.emit(report, _lines(report))


def _lines(report: AgentChange) -> Iterator[str]:
    """Return what an act came to, in words."""
    goes = f" -> {report.into}" if report.into is not None else ""
    whose = f" (agent {report.agent})" if report.agent is not None else ""
    yield f"{_SAID[report.outcome]}: {report.act} {report.mind}{whose}{goes}"
    yield f"  pages {report.pages}, versions {report.versions}, tokens {report.tokens}"
    yield f"  proposals that wait {report.proposals}, grants that hold {report.grants}"
    if report.conflicts:
        yield f"  slugs that are taken there: {report.conflicts}"
        yield from (f"    {old} -> {new}" for old, new in sorted((report.moved or {}).items()))
    if report.kept:
        yield f"  pages that changed since and stay: {report.kept}"
    if report.aliases:
        yield f"  aliases that go with it: {', '.join(report.aliases)}"
    if report.kb:
        yield f"  reference that goes with it: {', '.join(report.kb)}"
    yield from (f"  {note}" for note in report.notes)
