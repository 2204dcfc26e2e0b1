"""What Slack says of people and channels, kept for a short while; what it does not say is taken for the worst."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from sliceway.core.turns import PlaceKind, Standing
from sliceway.errors import ChatError
from sliceway.ports.chat import PersonFacts, PlaceFacts
from sliceway.ports.inbound import Observed
from sliceway.slack.cache import Answer, ShortMemory
from sliceway.slack.calls import call
from sliceway.slack.people import facts_of, part_of, text_of, unknown

KNOWN_FOR, UNKNOWN_FOR = 60.0, 20.0
"""Seconds that an answer, and a 'there is none', may be believed."""
ROSTER_FOR = 3600.0
"""Seconds that a look at a channel's members holds; whoever joins ends it at once."""
SMALL = 50
"""A channel of at most so many members is looked through for guests (SC7)."""
_MEMBERS = 1000
_TOGETHER = 8
_NOBODY = frozenset({"user_not_found", "user_not_visible", "users_not_found"})
_NOT_SHOWN = frozenset({"missing_scope", "channel_not_found", "not_in_channel", "fetch_members_failed"})
_NOWHERE = frozenset({"channel_not_found", "not_in_channel"})

Id = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Roster:
    """Who is in a channel, None where they are too many or Slack does not tell, and whether a guest was seen there."""

    members: tuple[str, ...] | None
    guests: bool


class Lookups:
    """People by (team, user), places and their rosters by (team, channel)."""

    def __init__(self, client: AsyncWebClient, clock: Callable[[], float]) -> None:
        """Take the client that asks."""
        self._client = client
        self.people: ShortMemory[Id, PersonFacts] = ShortMemory(self._person, clock)
        self.places: ShortMemory[Id, PlaceFacts] = ShortMemory(self._place, clock)
        self.rosters: ShortMemory[Id, Roster] = ShortMemory(self._roster, clock)

    async def _person(self, key: Id) -> Answer[PersonFacts]:
        """Ask who somebody is; an unknown person is a stranger (R37).

        :raises ChatError: Slack did not say: then nothing is known, and nothing may follow from it.
        """
        team, user = key
        try:
            said = await call(self._client.users_info(user=user), "users.info")
        except ChatError as error:
            if error.reason in _NOBODY:
                return Answer(unknown(team, user), UNKNOWN_FOR)
            raise
        told = part_of(said, "user")
        if text_of(told, "id") != user:
            return Answer(unknown(team, user), UNKNOWN_FOR)
        return Answer(facts_of(told, team), KNOWN_FOR)

    async def _place(self, key: Id) -> Answer[PlaceFacts]:
        """Ask what a channel is; an unknown one is external."""
        channel = key[1]
        try:
            said = await call(
                self._client.conversations_info(channel=channel, include_num_members=True), "conversations.info"
            )
        except ChatError as error:
            if error.reason in _NOWHERE:
                nowhere = PlaceFacts(PlaceKind.PRIVATE, external=True, guests=False, name="", member=False)
                return Answer(nowhere, UNKNOWN_FOR)
            raise
        told = part_of(said, "channel")
        kind = _kind(told)
        roster = Roster(None, guests=False) if kind is PlaceKind.IM else await self.rosters.get(key)
        facts = PlaceFacts(
            kind=kind,
            external=_is_external(told),
            guests=roster.guests,
            name=text_of(told, "name"),
            member=kind is PlaceKind.IM or told.get("is_member") is True,
            members=_partner(told) if kind is PlaceKind.IM else roster.members,
        )
        return Answer(facts, KNOWN_FOR)

    async def _roster(self, key: Id) -> Answer[Roster]:
        """Look who is in a channel, and in a small one whether a guest is (SC7).

        :raises ChatError: Slack did not say now. What it refuses for good is a look that saw nothing.
        """
        team, channel = key
        try:
            said = await call(
                self._client.conversations_members(channel=channel, limit=_MEMBERS), "conversations.members"
            )
        except ChatError as error:
            if error.reason in _NOT_SHOWN:
                return Answer(Roster(None, guests=False), KNOWN_FOR)
            raise
        if text_of(part_of(said, "response_metadata"), "next_cursor"):
            return Answer(Roster(None, guests=False), ROSTER_FOR)
        members = tuple(one for one in said.get("members") or () if isinstance(one, str))
        if len(members) > SMALL:
            return Answer(Roster(members, guests=False), ROSTER_FOR)
        gate = asyncio.Semaphore(_TOGETHER)
        looked = await asyncio.gather(*(self._is_outsider(gate, team, member) for member in members))
        return Answer(Roster(members, guests=any(looked)), ROSTER_FOR)

    async def _is_outsider(self, gate: asyncio.Semaphore, team: str, user: str) -> bool:
        """Say whether a member of a channel is a guest or a stranger."""
        async with gate:
            facts = await self.people.get((team, user))
        return facts.standing in {Standing.GUEST, Standing.STRANGER}

    def forget(self, observed: Observed) -> None:
        """Drop what was learned of the person and the place that something was observed of."""
        if (person := observed.person) is not None and observed.what == "person":
            self.people.forget(lambda key: key[1] == person.user)
        if (place := observed.place) is not None and observed.what not in {"home", "spoke"}:
            for memory in (self.places, self.rosters):
                memory.forget(lambda key: key[1] in {place.channel, observed.was})


def as_of(team: str, facts: PersonFacts) -> PersonFacts:
    """Return what a person is to `team`: a member of another one is a stranger to it, whatever a payload claimed."""
    if facts.person.team == team or facts.standing in {Standing.GONE, Standing.BOT}:
        return facts
    return replace(facts, standing=Standing.STRANGER, person=replace(facts.person, standing=Standing.STRANGER))


def _kind(told: Mapping[str, Any]) -> PlaceKind:
    """Return what kind of place a channel is; what is not said to be public is private."""
    if told.get("is_im"):
        return PlaceKind.IM
    if told.get("is_mpim"):
        return PlaceKind.MPIM
    if told.get("is_channel") and not told.get("is_private"):
        return PlaceKind.CHANNEL
    return PlaceKind.PRIVATE


def _partner(told: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return whose direct message with the agent a channel is, None where Slack does not tell."""
    user = text_of(told, "user")
    return (user,) if user else None


def _is_external(told: Mapping[str, Any]) -> bool:
    """Say whether a channel is shared with another organisation, or about to be."""
    if told.get("is_ext_shared") or told.get("is_pending_ext_shared"):
        return True
    return bool(told.get("is_shared")) and not told.get("is_org_shared")
