"""The gate: a verdict for a destination, never for an intent (GT1-GT11). Pure, over one closed table of ops.

`verdict` is the gateway's lock; `ceiling` is the brain's, over what the brain itself knows of the caller. For every
turn that a principal can host, `verdict >= ceiling`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from sliceway.core.policy import (
    Policy,
    is_closed,
    is_external_place,
    is_full_member,
    is_known_channel,
    is_manager,
    is_outside,
    trust_of,
)
from sliceway.core.principals import Origin, Principal, PrincipalKind
from sliceway.core.scope import Scope, team_reads
from sliceway.core.sight import vouched
from sliceway.core.slices import PUBLIC, SHARED, Landing, is_open, kind_of
from sliceway.core.turns import PlaceKind, Trust


class Verdict(IntEnum):
    """The gate's answer, from free to forbidden."""

    ALLOW = 0
    ASK = 1
    DENY = 2


class OpClass(StrEnum):
    """What kind of act an op is."""

    READ = "read"
    WRITE = "write"
    REMOVE = "remove"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Op:
    """One row of the table of ops. `grantable`: a live grant may stand in for the card (AP16)."""

    name: str
    op_class: OpClass
    grantable: bool = False


OPS: dict[str, Op] = {
    op.name: op
    for op in (
        Op("read", OpClass.READ),
        Op("write", OpClass.WRITE, grantable=True),
        Op("save_fact", OpClass.WRITE, grantable=True),
        Op("delete", OpClass.REMOVE),
        Op("restore", OpClass.REMOVE),
        Op("undo", OpClass.REMOVE),
        Op("retract", OpClass.REMOVE),
        Op("undo_fact", OpClass.REMOVE),
        Op("purge", OpClass.ADMIN),
        Op("erase", OpClass.ADMIN),
        Op("import", OpClass.ADMIN),
        Op("tokens", OpClass.ADMIN),
        Op("agents", OpClass.ADMIN),
        Op("policy", OpClass.ADMIN),
    )
}
"""Every op there is; what is not here is denied (GT10)."""


def verdict(op: str, destination: str, scope: Scope) -> Verdict:
    """Return the gateway's verdict for an op on a slice in a turn's scope.

    No word of the caller's is an input (GT11): neither the text, nor who asked, nor how urgent.
    """
    row, kind = OPS.get(op), kind_of(destination)
    if row is None or kind is None:
        return Verdict.DENY
    match row.op_class:
        case OpClass.READ:
            return Verdict.ALLOW if destination in scope.reads else Verdict.DENY
        case OpClass.ADMIN:
            return Verdict.DENY
        case OpClass.WRITE | OpClass.REMOVE:
            pass
    match kind.landing:
        case Landing.AGENT:
            if destination != scope.mind:
                return Verdict.DENY
            if row.op_class is OpClass.WRITE:
                return Verdict.ALLOW if destination == scope.write else Verdict.DENY
            return Verdict.ALLOW if destination in scope.reads and not scope.aside else Verdict.DENY
        case Landing.PERSON:
            return Verdict.ALLOW if destination == scope.corner else Verdict.DENY
        case Landing.ASKS:
            return Verdict.ASK if scope.proposes else Verdict.DENY
        case Landing.NEVER:
            return Verdict.DENY


def tightest(first: Verdict, *others: Verdict) -> Verdict:
    """Return the strictest of the verdicts: a plugin tightens, never loosens."""
    return max((first, *others))


@dataclass(frozen=True, slots=True)
class _Hosted:
    """What the brain grants a gateway's call, by what the brain itself knows."""

    reads: frozenset[str]
    writes_mind: bool = False
    removes_mind: bool = False
    corner: str | None = None
    proposes: bool = False


def _hosted(principal: Principal, origin: Origin, policy: Policy) -> _Hosted:
    """Judge a gateway's origin: without a place it speaks from no trusted place (SC6)."""
    nothing = _Hosted(frozenset({PUBLIC}))
    who, place, agent = origin.person, origin.place, principal.agent_id or ""
    elsewhere = {PlaceKind.PRIVATE, PlaceKind.MPIM, PlaceKind.BACKGROUND}  # OO7; over HTTP a DM may not say its kind
    if (
        is_closed(policy, agent)
        or place is None
        or (place.kind is not PlaceKind.BACKGROUND and place.team not in principal.teams)
    ):
        return nothing
    if is_external_place(policy, place):
        return nothing
    if who is not None and (vouched(principal, who, policy) is None or is_outside(policy, who)):
        return nothing
    everything = team_reads(policy, agent)
    if origin.private:
        if who is None or place.kind in elsewhere or is_known_channel(policy, place):
            return nothing
        proposes = is_full_member(policy, who)
        return _Hosted(everything | {who.slice}, removes_mind=True, corner=who.slice, proposes=proposes)
    if trust_of(policy, place) is Trust.TRUSTED:
        corner = who.slice if who is not None and place.kind is not PlaceKind.BACKGROUND else None
        return _Hosted(everything, writes_mind=True, removes_mind=True, corner=corner, proposes=True)
    return _Hosted(everything) if who is not None and is_manager(policy, who) else nothing


def readable(principal: Principal, origin: Origin, policy: Policy) -> frozenset[str]:
    """Return every slice that a call of this principal may read: the bound of any `slices` it names (BR2, SC9)."""
    match principal.kind:
        case PrincipalKind.AGENT:
            return team_reads(policy, principal.agent_id or "")
        case PrincipalKind.GATEWAY:
            return _hosted(principal, origin, policy).reads
        case PrincipalKind.READER:
            return principal.slices
        case PrincipalKind.ADMIN | PrincipalKind.OPERATOR:
            return frozenset(filter(is_open, {SHARED, PUBLIC}.union(*policy.kb.values())))


def ceiling(op: str, destination: str, principal: Principal, origin: Origin, policy: Policy) -> Verdict:
    """Return the brain's verdict: the most that this principal, from this origin, may do."""
    row, kind = OPS.get(op), kind_of(destination)
    if row is None or kind is None:
        return Verdict.DENY
    match row.op_class:
        case OpClass.READ:
            return Verdict.ALLOW if destination in readable(principal, origin, policy) else Verdict.DENY
        case OpClass.ADMIN:
            return Verdict.ALLOW if principal.kind in {PrincipalKind.ADMIN, PrincipalKind.OPERATOR} else Verdict.DENY
        case OpClass.WRITE | OpClass.REMOVE:
            pass
    match principal.kind:
        case PrincipalKind.AGENT:
            acts = not is_closed(policy, principal.agent_id or "")
            may = _Hosted(frozenset(), writes_mind=acts, removes_mind=acts, proposes=acts)
        case PrincipalKind.GATEWAY:
            may = _hosted(principal, origin, policy)
        case _:
            return Verdict.DENY
    match kind.landing:
        case Landing.AGENT:
            own = destination == principal.own_slice
            free = may.writes_mind if row.op_class is OpClass.WRITE else may.removes_mind
            return Verdict.ALLOW if own and free else Verdict.DENY
        case Landing.PERSON:
            return Verdict.ALLOW if destination == may.corner else Verdict.DENY
        case Landing.ASKS:
            return Verdict.ASK if may.proposes else Verdict.DENY
        case Landing.NEVER:
            return Verdict.DENY
