"""Grants: a person's standing yes for one writer, one thread, one slice, until a time (AP15-AP17)."""

from __future__ import annotations

from dataclasses import dataclass

from sliceway.core.policy import Policy, for_teams, is_closed, is_external_place, is_gone, is_outside, may_decide
from sliceway.core.records import Record
from sliceway.core.turns import Person, Place

MAX_GRANTED_SIZE = 4 * 1024
"""Bytes that one write under a grant may have (AP16)."""


@dataclass(frozen=True, slots=True)
class GrantNote(Record):
    """What a receipt says of the grant it was written under."""

    id: str
    granted_by: Person
    until: str


@dataclass(frozen=True, slots=True)
class Grant(Record):
    """A standing yes. `place` holds team, channel and thread."""

    id: str
    slice: str
    agent: str
    writer: Person
    place: Place
    granted_by: Person
    given_at: str
    until: str
    proposal: str
    ended_at: str | None = None
    ended_why: str | None = None

    @property
    def note(self) -> GrantNote:
        """What a receipt says of it."""
        return GrantNote(self.id, self.granted_by, self.until)


def why_ended(grant: Grant, policy: Policy, now: str) -> str | None:
    """Return why a grant no longer holds at `now`, None while it does (AP17). Judged anew at every use.

    Where the policy lists no teams and the caller has none, the grant's own stand in.
    """
    policy = for_teams(policy, {grant.place.team, grant.writer.team, grant.granted_by.team})
    if grant.ended_at is not None:
        return grant.ended_why or "ended"
    if now >= grant.until:
        return "expired"
    if is_closed(policy, grant.agent):
        return "its agent was retired, renamed or merged"
    if not policy.grant_for:
        return "grants are switched off"
    seen = policy.channels.get(grant.place.key)
    fell = seen.fell_at if seen is not None else None
    if is_external_place(policy, grant.place) or (fell is not None and fell >= grant.given_at):
        return "the channel is or was shared with another organisation"
    if is_gone(policy, grant.writer) or is_outside(policy, grant.writer):
        return "the writer is no longer a full member"
    if may_decide(policy, grant.slice, grant.granted_by, None) is not None:
        return "the person who gave it may no longer decide"
    return None


def covers(grant: Grant, *, agent: str, writer: Person | None, place: Place | None, slice_name: str) -> bool:
    """Say whether a grant is about this agent, writer, thread and slice; a grant needs a person (AP15)."""
    return (
        writer is not None
        and place is not None
        and grant.agent == agent
        and grant.slice == slice_name
        and grant.writer.key == writer.key
        and grant.place.key == place.key
        and grant.place.thread == place.thread
    )
