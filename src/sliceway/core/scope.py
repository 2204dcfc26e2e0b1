"""What one turn may do: where `mine` lands, and what it may read (SC1-SC14). Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sliceway.core.policy import Policy, is_closed, is_external_place, is_full_member, is_manager, is_outside, trust_of
from sliceway.core.principals import Origin
from sliceway.core.slices import PUBLIC, SHARED, agent_slice, is_aliasable, is_mounted
from sliceway.core.turns import Person, PlaceKind, Trust, Turn
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

    def without_writes(self, case: str) -> Scope:
        """Return this scope without any write, for a reason that is row `case` of the rules."""
        return replace(self, case=case, write=None, corner=None, proposes=False)

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
    """Return the slices that are an agent's own mind: its slice and its aliases (ID12).

    Whatever else stands in the policy, no person's corner is ever an agent's mind (SC9), and an agent that was retired,
    renamed or merged has none.
    """
    if is_closed(policy, agent):
        return frozenset()
    return frozenset({agent_slice(agent)}) | frozenset(filter(is_aliasable, policy.aliases.get(agent, frozenset())))


def team_reads(policy: Policy, agent: str) -> frozenset[str]:
    """Return what an agent reads where it is trusted: its mind, `shared`, `public` and its mounted reference."""
    if is_closed(policy, agent):
        return frozenset({PUBLIC})
    mounted = frozenset(filter(is_mounted, policy.kb.get(agent, frozenset())))
    return mind_of(policy, agent) | {SHARED, PUBLIC} | mounted


def scope_for(turn: Turn, policy: Policy) -> Scope:
    """Return the scope of a turn under a policy; the first row that matches wins (SC1-SC6)."""
    agent, who, place = turn.agent, turn.speaker, turn.place
    trust = trust_of(policy, place)
    nothing = frozenset({PUBLIC})
    trusted = team_reads(policy, agent)

    if is_external_place(policy, place) or (who is not None and is_outside(policy, who)):
        return Scope("SC1", agent, None, nothing)
    if is_closed(policy, agent):
        return Scope("ID12", agent, None, nothing)
    if turn.lock is not None and (who is None or turn.lock.owner.key != who.key):
        return Scope("SC3", agent, None, nothing)
    if turn.lock is not None and place.kind is not PlaceKind.IM:
        # OO7: only a DM is ever a /1on1. Its owner expects privacy, so here nothing is kept at all.
        return Scope("SC6", agent, None, nothing)
    if who is not None and place.kind is PlaceKind.IM and (turn.lock is not None or policy.dm == "personal"):
        return Scope(
            "SC2",
            agent,
            who.slice,
            (trusted if _trusted_beside(turn, who, policy) else nothing) | {who.slice},
            corner=who.slice,
            proposes=is_full_member(policy, who),
            private=True,
        )
    if place.kind is PlaceKind.BACKGROUND or (who is None and trust is Trust.TRUSTED):
        return Scope("SC4", agent, agent_slice(agent), trusted, proposes=True)
    if who is not None and trust is Trust.TRUSTED:
        return Scope("SC5", agent, agent_slice(agent), trusted, corner=who.slice, proposes=True)
    if who is not None and is_manager(policy, who):
        return Scope("SC6", agent, None, trusted, aside=True)
    return Scope("SC6", agent, None, nothing)


def _trusted_beside(turn: Turn, who: Person, policy: Policy) -> bool:
    """Say whether a private turn reads what the team reads, beside its owner's corner (SC2).

    A `/1on1` never raises rights (SC8): begun in a channel it has that channel's trust as it is now; begun in a DM
    that of the DM, which counts as trusted for a full member unless the policy switched direct messages off.
    """
    began = turn.lock.began_in if turn.lock is not None else None
    if began is not None and is_external_place(policy, began):
        return False
    if is_manager(policy, who):
        return True
    if began is None or began.kind is PlaceKind.IM:
        return policy.dm == "personal" and is_full_member(policy, who)
    return trust_of(policy, began) is Trust.TRUSTED


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
