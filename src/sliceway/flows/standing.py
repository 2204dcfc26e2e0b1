"""What chat and the brain say now of who speaks and where, as against what a turn froze at arrival (SC10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sliceway.core.policy import Channel, Policy, is_outside
from sliceway.core.scope import Scope, scope_for
from sliceway.core.turns import Lock, Person, Place, PlaceKind, Standing, Turn
from sliceway.errors import NotPermitted
from sliceway.flows.parts import Parts


async def person_now(parts: Parts, who: Person) -> Person:
    """Return a person with the standing that chat gives them now; whom it does not know is a stranger (R37)."""
    if not who.user:
        return replace(who, standing=Standing.STRANGER)
    facts = await parts.chat.who(who.team, who.user)
    standing = Standing.BOT if facts.is_bot else facts.standing
    name = facts.person.name or who.name
    return replace(who, standing=standing, name=name, enterprise=facts.person.enterprise or who.enterprise)


async def place_now(parts: Parts, place: Place) -> Place:
    """Return a place as chat describes it now."""
    if place.kind is PlaceKind.BACKGROUND or not place.channel:
        return place
    facts = await parts.chat.place(place.team, place.channel)
    return replace(place, kind=facts.kind, external=facts.external, guests=facts.guests)


def session_of(turn: Turn) -> Place:
    """Return where a turn's earlier ones are looked for: its thread; in a direct message all of it, root and threads,
    but for a thread that is a `/1on1` (R22, R23)."""
    is_whole = turn.place.kind is PlaceKind.IM and turn.lock is None
    return replace(turn.place, thread=None) if is_whole else turn.place


async def turn_now(parts: Parts, turn: Turn) -> Turn:
    """Return a turn with its speaker and place as they are now; what it arrived as a place shared with others stays so
    for this turn, whatever chat says of it now (SC10)."""
    speaker = await person_now(parts, turn.speaker) if turn.speaker is not None else None
    place = await place_now(parts, turn.place)
    place = replace(place, external=place.external or turn.place.external, guests=place.guests or turn.place.guests)
    if place.kind is PlaceKind.IM and speaker is not None and not await _is_of(parts, place, speaker):
        place = replace(place, kind=PlaceKind.PRIVATE)
    if speaker is not None and speaker.standing is Standing.GUEST and place.kind is not PlaceKind.IM:
        place = replace(place, guests=True)
    return replace(turn, agent=parts.agent_id, speaker=speaker, place=place)


async def _is_of(parts: Parts, direct: Place, who: Person) -> bool:
    """Say whether a direct message is this person's: elsewhere their corner would be read aloud to another (SC9)."""
    members = (await parts.chat.place(direct.team, direct.channel)).members
    return members is None or who.user in members


async def policy_now(parts: Parts, place: Place) -> Policy:
    """Return the policy as it stands, after telling the brain what chat says of a place that it does not know yet.

    It is fetched for every turn, call and post: a revocation counts at once, and an embedded brain answers in a
    fraction of a millisecond.
    """
    policy = await parts.brain.policy()
    if place.kind in {PlaceKind.BACKGROUND, PlaceKind.IM}:
        return policy
    known = policy.channels.get(place.key, Channel())
    news = {"external": place.external and not known.external, "guests": place.guests and not known.guests}
    seen: dict[str, Any] = {name: True for name, is_new in news.items() if is_new}
    if not seen or place.team not in policy.teams:
        return policy
    try:
        return await parts.brain.observe(place={"team": place.team, "channel": place.channel, **seen})
    except NotPermitted:  # another gateway's team: its own gateways tell of it
        return policy


async def scope_now(parts: Parts, turn: Turn) -> tuple[Turn, Scope, Policy]:
    """Return a turn as it would be frozen now, and its scope. A `/1on1` that began in a channel is judged by what that
    channel is now (SC2); a turn of one that has ended meanwhile writes nothing any more (SC10)."""
    fresh = await turn_now(parts, turn)
    policy = await policy_now(parts, fresh.place)
    if turn.lock is not None and not await _still_stands(parts, turn.lock):
        fresh = replace(fresh, lock=None)
        return fresh, scope_for(fresh, policy).without_writes("SC10"), policy
    if fresh.lock is not None and fresh.lock.began_in is not None:
        began = await place_now(parts, fresh.lock.began_in)
        policy = await policy_now(parts, began)
        fresh = replace(fresh, lock=replace(fresh.lock, began_in=began))
    return fresh, scope_for(fresh, policy), policy


async def _still_stands(parts: Parts, lock: Lock) -> bool:
    """Say whether a lock is still the one that its thread has."""
    standing = await parts.desk.lock_at(lock.place)
    return standing is not None and (standing.owner.key, standing.since) == (lock.owner.key, lock.since)


def fell(frozen: Scope, now: Scope) -> bool:
    """Say whether a turn may read less now than when it was frozen: what it found may no longer be said there."""
    return not frozen.reads <= now.reads or (now.aside and not frozen.aside)


def may_be_told(policy: Policy, who: Person | None) -> bool:
    """Say whether a person may still be told privately what they asked before their place fell."""
    return who is not None and not is_outside(policy, who)
