"""Who sees which proposal (AP26). Pure: what a caller may look at, before anything is looked up."""

from __future__ import annotations

from dataclasses import dataclass

from sliceway.core.policy import Policy, is_closed, is_gone
from sliceway.core.principals import Origin, Principal, PrincipalKind
from sliceway.core.slices import PUBLIC, SHARED
from sliceway.core.turns import Person, PlaceKind

TEAM_SLICES = (PUBLIC, SHARED)
"""Where what waits is shown to everyone who decides."""
MINDS = "agent-"
"""What the slice of every agent begins with."""
CORNERS = "user-"
"""What the slice of every person begins with."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What one call may see of proposals.

    `agent` and `own` are the caller's agent and its slice. `person` is the one the call acts for, and `corner`
    their slice where the caller may see what waits there. `everyone`: what any agent asks of the team's slices;
    `minds`: what any agent asks of any agent's slice.
    """

    agent: str | None = None
    own: str | None = None
    person: Person | None = None
    corner: str | None = None
    everyone: bool = False
    minds: bool = False

    @property
    def requester(self) -> str | None:
        """What the person's requests are kept by."""
        return self.person.slice if self.person is not None else None

    @property
    def slices(self) -> tuple[str, ...]:
        """The slices that a look-up is bound to, but for `minds`; none where nothing is seen."""
        if self == NO_SIGHT:
            return ()
        return tuple(dict.fromkeys(name for name in (*TEAM_SLICES, self.own, self.corner) if name is not None))

    @property
    def reads(self) -> frozenset[str]:
        """The same as an access names them: what begins with `agent-` stands for every agent's slice."""
        return frozenset(self.slices) | (frozenset({f"{MINDS}*"}) if self.minds else frozenset())


NO_SIGHT = Sight()
"""Nothing is seen."""


def sight_of(principal: Principal, origin: Origin, policy: Policy) -> Sight:
    """Return what a caller sees of proposals; a reader sees none, and neither does an agent that may not act (ID12).

    What waits in a corner, a draft or a raised write, is shown with its owner in the origin alone.
    """
    if principal.agent_id is not None and is_closed(policy, principal.agent_id):
        return NO_SIGHT
    match principal.kind:
        case PrincipalKind.READER:
            return NO_SIGHT
        case PrincipalKind.ADMIN:
            return Sight(everyone=True)
        case PrincipalKind.OPERATOR:
            return Sight(everyone=True, minds=True)
        case PrincipalKind.AGENT:
            return Sight(principal.agent_id, principal.own_slice)
        case PrincipalKind.GATEWAY:
            who = vouched(principal, origin.person, policy)
            here = who is not None and not is_gone(policy, who)  # a leaver's corner is read by nobody (OO8)
            corner = who.slice if who is not None and here and _in_private(origin) else None
            return Sight(principal.agent_id, principal.own_slice, who, corner, everyone=principal.decides)


def _in_private(origin: Origin) -> bool:
    """Say whether nobody else hears what a call is told: a corner never shows in a channel (SC14)."""
    return origin.place is None or origin.private or origin.place.kind is PlaceKind.IM


def vouched(principal: Principal, who: Person | None, policy: Policy) -> Person | None:
    """Return `who` where this caller may speak for them: with the right, and of its teams (BR2).

    A workspace is no enterprise: named as one, it would make the person somebody of another team.
    """
    if who is None or not principal.acts_for or who.team not in principal.teams:
        return None
    return None if who.enterprise in policy.teams - principal.teams else who


def requester_key(principal: Principal, origin: Origin) -> str | None:
    """Return whom the limits count a request for: the person; the agent itself where it acts alone (AP25)."""
    if principal.kind is PrincipalKind.AGENT:
        return f"agent:{principal.agent_id}"
    return origin.person.slice if origin.person is not None else None


def is_drafted(principal: Principal, origin: Origin, slice_name: str) -> bool:
    """Say whether a request starts as a draft: from a private turn to a slice of the team (AP23)."""
    return principal.kind is PrincipalKind.GATEWAY and origin.private and slice_name in TEAM_SLICES
