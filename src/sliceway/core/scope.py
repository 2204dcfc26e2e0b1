"""What one turn may do: where `mine` lands, and what it may read (SC1-SC14). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from sliceway.core.policy import Policy, is_external_place, is_manager, is_outside, trust_of
from sliceway.core.principals import Origin
from sliceway.core.slices import PUBLIC, SHARED, agent_slice
from sliceway.core.turns import PlaceKind, Trust, Turn
from sliceway.errors import FieldError, InvalidRequest

TARGETS = ("mine", "user", "shared", "public")
"""The words a write call may name its destination by."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a turn may do.

    `case` is the row of the rules that made it. `write` is where `mine` lands, None where nothing may be written.
    `corner` is the speaker's own slice where this turn may write there. `proposes` says whether a write to `shared`
    or `public` may be asked for. `private` marks a turn that reads a person's corner (SC14); `aside` one whose
    answer may be shown to the speaker alone.
    """

    case: str
    agent: str
    write: str | None
    reads: frozenset[str]
    corner: str | None = None
    proposes: bool = False
    private: bool = False
    aside: bool = False

    @property
    def mind(self) -> str:
        """The agent's own slice."""
        return agent_slice(self.agent)

    def meet(self, now: Scope) -> Scope:
        """Return what both this scope and the one of `now` allow: a frozen scope is an upper bound (SC10)."""
        return Scope(
            case=self.case if self.case == now.case else now.case,
            agent=self.agent,
            write=self.write if self.write == now.write else None,
            reads=self.reads & now.reads,
            corner=self.corner if self.corner == now.corner else None,
            proposes=self.proposes and now.proposes,
            private=self.private or now.private,
            aside=self.aside or now.aside,
        )


def mind_of(policy: Policy, agent: str) -> frozenset[str]:
    """Return the slices that are an agent's own mind: its slice and its aliases (ID12)."""
    return frozenset({agent_slice(agent)}) | policy.aliases.get(agent, frozenset())


def team_reads(policy: Policy, agent: str) -> frozenset[str]:
    """Return what an agent reads where it is trusted: its mind, `shared`, `public` and its mounted reference."""
    return mind_of(policy, agent) | {SHARED, PUBLIC} | policy.kb.get(agent, frozenset())


def scope_for(turn: Turn, policy: Policy) -> Scope:
    """Return the scope of a turn under a policy; the first row that matches wins (SC1-SC6)."""
    agent, who, place = turn.agent, turn.speaker, turn.place
    trust = trust_of(policy, place)
    nothing = frozenset({PUBLIC})
    trusted = team_reads(policy, agent)

    if is_external_place(policy, place) or (who is not None and is_outside(policy, who)):
        return Scope("SC1", agent, None, nothing)
    if turn.lock is not None and (who is None or turn.lock.owner.key != who.key):
        return Scope("SC3", agent, None, nothing)
    if who is not None and (turn.lock is not None or (place.kind is PlaceKind.IM and policy.dm == "personal")):
        began = turn.lock.began_in if turn.lock is not None else None
        if began is None:
            beside = trusted
        elif is_external_place(policy, began):
            beside = nothing
        else:
            beside = trusted if trust_of(policy, began) is Trust.TRUSTED or is_manager(policy, who) else nothing
        return Scope("SC2", agent, who.slice, beside | {who.slice}, corner=who.slice, proposes=True, private=True)
    if who is None and trust is Trust.TRUSTED:
        return Scope("SC4", agent, agent_slice(agent), trusted, proposes=True)
    if who is not None and trust is Trust.TRUSTED:
        return Scope("SC5", agent, agent_slice(agent), trusted, corner=who.slice, proposes=True)
    if who is not None and is_manager(policy, who):
        return Scope("SC6", agent, None, trusted, aside=True)
    return Scope("SC6", agent, None, nothing)


def origin_of(turn: Turn, scope: Scope) -> Origin:
    """Return what a gateway says of a turn to the brain."""
    return Origin(person=turn.speaker, place=turn.place, private=scope.private, turn=turn.key)


def destination(target: str, turn: Turn, scope: Scope) -> str | None:
    """Return the slice that a target word means in a turn, None where the turn has no such slice (SC11).

    :raises InvalidRequest: the word is not one of the targets.
    """
    match target:
        case "mine":
            return scope.write
        case "user":
            return turn.speaker.slice if turn.speaker is not None else None
        case "shared":
            return SHARED
        case "public":
            return PUBLIC
    said = target[:40]
    raise InvalidRequest(
        errors=[FieldError("target", "invalid_request", f"'{said}' is no target; say one of {', '.join(TARGETS)}")]
    )
