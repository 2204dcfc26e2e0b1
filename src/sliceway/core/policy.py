"""The brain's policy as a value, and what follows from it for people and places (SC7, AP7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from sliceway.core.slices import Approver, agent_slice, kind_of
from sliceway.core.turns import Person, Place, PlaceKind, Standing, Trust

MAX_GRANT = timedelta(days=7)
"""No grant outlives this (AP15)."""


@dataclass(frozen=True, slots=True)
class Channel:
    """What the brain knows of one channel: the trust a manager set, and what gateways saw.

    `fell_at` is when it was last seen to become externally shared; it stays when a manager lets the channel return,
    so that grants from before stay ended (AP17). A guest who comes into a channel that a manager trusts ends that
    trust: whoever records `guests` resets `trust` to None, and a manager may set it anew (SC7).
    """

    trust: Trust | None = None
    external: bool = False
    guests: bool = False
    fell_at: str | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """Who decides and which places are trusted. People and channels are listed as `ID` or `TEAM:ID`.

    `approvers` None means the managers; an empty one means nobody. `gone` holds people seen deactivated, by
    (team, user), with the time. `kb` lists the mounted slices each agent may read; `aliases` the earlier slices of
    an agent (ID12). `closed` holds the minds whose agent may not act: it was retired, renamed or merged, or its mind is
    another agent's alias.
    """

    managers: frozenset[str] = frozenset()
    approvers: frozenset[str] | None = None
    teams: frozenset[str] = frozenset()
    raised: frozenset[str] = frozenset()
    trusted_channels: frozenset[str] = frozenset()
    dm: str = "personal"
    self_approval: str = "managers"
    expire_after: timedelta = timedelta(hours=72)
    grant_for: timedelta = timedelta(hours=8)
    channels: Mapping[tuple[str, str], Channel] = field(default_factory=dict)
    gone: Mapping[tuple[str, str], str] = field(default_factory=dict)
    kb: Mapping[str, frozenset[str]] = field(default_factory=dict)
    aliases: Mapping[str, frozenset[str]] = field(default_factory=dict)
    closed: frozenset[str] = frozenset()
    version: int = 0


def for_teams(policy: Policy, teams: Iterable[str]) -> Policy:
    """Return the policy that a caller is judged by: where none are listed, the organisation is the caller's own teams.

    Every judgement about people and places starts from here.
    """
    own = frozenset(teams)
    return policy if policy.teams or not own else replace(policy, teams=own)


def is_closed(policy: Policy, agent: str) -> bool:
    """Say whether an agent may not act, and its mind is not read by its id: retired, renamed, or merged (ID12)."""
    return agent_slice(agent) in policy.closed


def is_listed(listed: Iterable[str], team: str, name: str) -> bool:
    """Say whether `ID` or `TEAM:ID` of someone or something is in `listed`."""
    entries = set(listed)
    return name in entries or f"{team}:{name}" in entries


def is_manager(policy: Policy, who: Person) -> bool:
    """Say whether `who` manages: listed as a manager and a full member now."""
    return is_listed(policy.managers, who.team, who.user) and is_full_member(policy, who)


def is_gone(policy: Policy, who: Person) -> bool:
    """Say whether `who` is deactivated, by what is known of them now."""
    return who.standing is Standing.GONE or (who.team, who.user) in policy.gone or who.key in policy.gone


def is_full_member(policy: Policy, who: Person) -> bool:
    """Say whether `who` belongs to the organisation itself. Being raised makes nobody a full member (GT4, AP7)."""
    return who.standing is Standing.MEMBER and who.team in policy.teams and not is_gone(policy, who)


def is_outside(policy: Policy, who: Person) -> bool:
    """Say whether `who` is external (SC1): a guest, a stranger, a bot, gone, or of another team, and not raised.

    A bot or a person who is gone is never raised.
    """
    if is_gone(policy, who) or who.standing is Standing.BOT:
        return True
    if is_listed(policy.raised, who.team, who.user):
        return False
    return not is_full_member(policy, who)


def is_external_place(policy: Policy, place: Place) -> bool:
    """Say whether a place is shared with another organisation. Nothing raises such a place (SC1)."""
    if place.kind is PlaceKind.BACKGROUND:
        return False
    seen = policy.channels.get(place.key)
    return place.external or place.team not in policy.teams or (seen is not None and seen.external)


def is_known_channel(policy: Policy, place: Place) -> bool:
    """Say whether a place is a channel by what the brain itself knows of it, whatever a call says of it (OO7)."""
    listed = is_listed(policy.trusted_channels, place.team, place.channel)
    return place.kind is PlaceKind.CHANNEL and (listed or place.key in policy.channels)


def trust_of(policy: Policy, place: Place) -> Trust:
    """Return the trust of a place now: external, else as listed, else guests, else by kind (SC7)."""
    if place.kind is PlaceKind.BACKGROUND:
        return Trust.TRUSTED
    if is_external_place(policy, place):
        return Trust.PUBLIC
    seen = policy.channels.get(place.key, Channel())
    if seen.trust is not None:
        return seen.trust
    if is_listed(policy.trusted_channels, place.team, place.channel):
        return Trust.TRUSTED
    if place.guests or seen.guests or place.kind is not PlaceKind.CHANNEL:
        return Trust.UNKNOWN
    return Trust.TRUSTED


def approvers_of(policy: Policy, slice_name: str) -> frozenset[str]:
    """Return who is listed to decide for a slice; empty means nobody can (AP7, SC11)."""
    kind = kind_of(slice_name)
    if kind is None:
        return frozenset()
    if kind.approver is Approver.MANAGERS:
        return policy.managers
    if kind.approver is Approver.APPROVERS:
        return policy.managers if policy.approvers is None else policy.approvers
    return frozenset()


def may_decide(policy: Policy, slice_name: str, who: Person, requested_by: Person | None) -> str | None:
    """Return None where `who` may decide a proposal for a slice, else the reason why not, in words (AP7, AP8).

    A person's own corner is decided by that person alone. What `self_approval` does not plainly allow is refused.
    """
    kind = kind_of(slice_name)
    if not is_full_member(policy, who):
        return "only full members of the team decide"
    if kind is not None and kind.approver is Approver.OWNER:
        return None if who.slice == slice_name else "only its owner decides about a private corner"
    listed = approvers_of(policy, slice_name)
    if not listed:
        return "nobody is listed to decide about this; an approver has to be named in the policy first"
    if not is_listed(listed, who.team, who.user):
        return "only an approver decides about this"
    if requested_by is None or not requested_by.is_same(who) or policy.self_approval == "always":
        return None
    if policy.self_approval != "managers":
        return "nobody decides about their own request"
    return None if is_manager(policy, who) else "only a manager decides about their own request"
