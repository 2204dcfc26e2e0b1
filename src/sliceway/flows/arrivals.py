"""Clicks, commands and observations as the inbox keeps them: the codec, and what an observation leads to."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sliceway.core.turn_codec import person_from_json, place_from_json
from sliceway.core.turns import Click, Command, Person, Place, ShownList, Standing
from sliceway.errors import NotPermitted
from sliceway.flows.one_on_one import OneOnOne
from sliceway.flows.parts import Parts
from sliceway.flows.standing import person_now
from sliceway.ports.inbound import Observed

log = logging.getLogger(__name__)

CLICK, COMMAND, OBSERVED, REFUSED = "click", "command", "observed", "refused"
"""The kinds of inbox item beside a turn."""


def click_from_json(data: Mapping[str, Any]) -> Click:
    """Return the click that `asdict` was kept of."""
    shown = ShownList(**data["shown"]) if data.get("shown") else None
    return Click(**{**data, "by": _somebody(data["by"]), "place": place_from_json(data["place"]), "shown": shown})


def command_from_json(data: Mapping[str, Any]) -> Command:
    """Return the command that `asdict` was kept of."""
    return Command(**{**data, "by": _somebody(data["by"]), "place": place_from_json(data["place"])})


def observed_from_json(data: Mapping[str, Any]) -> Observed:
    """Return the observation that `asdict` was kept of."""
    place = place_from_json(data["place"]) if data["place"] is not None else None
    return Observed(**{**data, "person": person_from_json(data["person"]), "place": place})


def to_json(arrival: Click | Command | Observed) -> dict[str, Any]:
    """Return an arrival in JSON's own types."""
    return asdict(arrival)


def _somebody(data: Mapping[str, Any]) -> Person:
    """Return a person who must be there."""
    person = person_from_json(data)
    if person is None:
        raise ValueError("somebody clicked or typed")
    return person


async def take_for_the_worst(parts: Parts, observed: Observed) -> None:
    """Take somebody who came and could not be looked up for a guest: a place only falls (SC7)."""
    if observed.what in {"joined", "spoke"} and observed.place is not None:
        await _tell_of(parts, observed.place, guests=True)


async def _tell_of(parts: Parts, place: Place, *, external: bool = False, guests: bool = False) -> None:
    """Tell the brain that a place fell; one of another team is for that team's gateways to tell of."""
    seen = {name: True for name, is_so in (("external", external), ("guests", guests)) if is_so}
    try:
        await parts.brain.observe(place={"team": place.team, "channel": place.channel, **seen})
    except NotPermitted:
        log.info("what %s/%s became is not told: it is of another team", place.team, place.channel)


async def _take_note_of(parts: Parts, one_on_one: OneOnOne, person: Person) -> None:
    """Tell the brain whether somebody left, as chat says now: what was delivered late or twice may be old (OO8)."""
    now = await person_now(parts, person)
    gone = now.standing is Standing.GONE or (person.standing is Standing.GONE and now.standing is Standing.STRANGER)
    try:
        await parts.brain.observe(person={"team": person.team, "user": person.user, "deactivated": gone})
    except NotPermitted:
        log.info("whether %s/%s left is not told: they are of another team", person.team, person.user)
    if gone:
        await one_on_one.end_all(now)


async def take_note(parts: Parts, one_on_one: OneOnOne, observed: Observed) -> None:
    """Tell the brain what chat told of places and people; places only fall (SC7), a leaver's sessions end (OO8)."""
    place, person = observed.place, observed.person
    match observed.what:
        case "external" if place is not None:
            await _tell_of(parts, place, external=True)
        case "joined" | "spoke" if place is not None and person is not None:
            who = await person_now(parts, person)
            if who.standing in {Standing.GUEST, Standing.STRANGER}:
                await _tell_of(parts, place, guests=True)
        case "person" if person is not None:
            await _take_note_of(parts, one_on_one, person)
        case "revoked":
            log.error("the chat platform revoked the agent's token: install the app again, then restart")
        case _:
            log.debug("nothing follows from %s", observed.what)
