"""`proposals list | show | approve | deny | withdraw`: the inbox without chat (AP20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sliceway.cli.call import Call, table, verb, who
from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.errors import NotPermitted

if TYPE_CHECKING:
    from sliceway.core.proposals import Proposal
    from sliceway.ports import Brain, BrainDoor


@click.group()
def proposals() -> None:
    """What waits for a person's yes, and what became of it."""


@verb(proposals, "list")
@click.option("--state", type=click.Choice([state.value for state in State]), help="Only these.")
@click.option("--limit", type=int, default=50, show_default=True, help="1 to 200.")
@click.option("--cursor", help="Where the list before this one ended.")
def list_(call: Call, state: str | None, limit: int, cursor: str | None) -> None:
    """List proposals, newest first, in every state."""
    found = call.as_operator(lambda brain: brain.proposals(state=state, limit=limit, cursor=cursor))
    rows = [
        {
            "id": item.id, "state": item.state.value, "what": item.op, "slice": item.slice, "agent": item.agent,
            "for": who(item.requested_by),
            "pages": ", ".join(each.slug for each in item.pages), "until": item.expires_at,
        }
        for item in found
    ]  # fmt: skip
    lines = table(rows, ("id", "state", "what", "slice", "agent", "for", "pages", "until"), empty="Nothing waits.")
    call.emit(found, lines + ([f"More with --cursor {found.next_cursor}"] if found.next_cursor else []))


@verb(proposals)
@click.argument("id")
def show(call: Call, id: str) -> None:
    """Show the proposal ID: what it would write, against what, and what happened to it."""
    found = call.as_operator(lambda brain: brain.proposal(id=id))
    lines = [
        f"{found.id}: {found.op} to {found.slice}, {found.state.value} (revision {found.revision})",
        f"by {found.agent}" + (f" for {who(found.requested_by)}" if found.requested_by else ""),
        f"until {found.expires_at}",
    ]
    for each in found.diff:
        lines += ["", each.slug, *(f"  {line}" for line in each.lines)]
    for event in found.events:
        lines.append(f"{event.at}  {event.act} -> {event.state.value}" + (f": {event.reason}" if event.reason else ""))
    call.emit(found, lines)


@verb(proposals)
@click.argument("id")
def approve(call: Call, id: str) -> None:
    """Approve the proposal ID as the operator; what it proposes is written in the same transaction."""
    found = _decided(call, id, "approve", None)
    call.emit(found, f"Approved: {', '.join(each.slug for each in found.pages)} is in {found.slice} now.")


@verb(proposals)
@click.argument("id")
@click.option("--reason", help="Why; the requester and the agent are told.")
def deny(call: Call, id: str, reason: str | None) -> None:
    """Deny the proposal ID as the operator."""
    found = _decided(call, id, "deny", reason)
    call.emit(found, f"Denied: {found.id}; nothing was written.")


@verb(proposals)
@click.argument("id")
def withdraw(call: Call, id: str) -> None:
    """Take the proposal ID back, as the agent that made it."""

    async def taken_back(door: BrainDoor) -> Proposal:
        seen = await call.entered(door).proposal(id=id)
        brain = door.enter() if call.is_elsewhere else door.enter(Principal.agent(seen.agent))
        return await brain.withdraw(id=id, revision=seen.revision)

    found = call.run(taken_back)
    call.emit(found, f"Withdrawn: {found.id}; nothing was written.")


def _decided(call: Call, id: str, decision: str, reason: str | None) -> Proposal:
    """Decide on the proposal as it stands now.

    :raises NotPermitted: the brain is elsewhere, where only the store's holder decides without chat (AP20).
    """
    if call.is_elsewhere:
        raise NotPermitted(
            "What waits at a brain elsewhere is decided in chat, or by whoever holds its store: run "
            f"`sliceway proposals {decision} {id}` where that store is, without SLICEWAY_BRAIN__URL."
        )

    async def decide(brain: Brain) -> Proposal:
        seen = await brain.proposal(id=id)
        return await brain.decide(id=id, decision=decision, revision=seen.revision, reason=reason)

    return call.as_operator(decide)
