"""A line that a place is owed and that belongs to no turn: said once, where the place may still hear it (SC10)."""

from __future__ import annotations

from dataclasses import asdict

from sliceway.core.cards import Message
from sliceway.core.policy import trust_of
from sliceway.core.turn_codec import place_from_json
from sliceway.core.turns import Place, PlaceKind, Trust
from sliceway.flows.parts import Parts
from sliceway.flows.posting import say_once
from sliceway.flows.standing import place_now, policy_now
from sliceway.ports import Owed

LINE = "line"
"""The kind of debt that is such a line."""


async def owe_line(parts: Parts, place: Place, text: str, *, key: str) -> None:
    """Owe a place a line, once for each key."""
    await parts.desk.owe(key=f"{LINE}/{key}", kind=LINE, payload={"place": asdict(place), "text": text})


async def post_line(parts: Parts, item: Owed) -> None:
    """Say a line, where the place is trusted now or a person's own direct message; elsewhere it is not said."""
    place = await place_now(parts, place_from_json(item.payload["place"]))
    if place.kind is PlaceKind.IM or trust_of(await policy_now(parts, place), place) is Trust.TRUSTED:
        message = Message(item.payload["text"])
        await say_once(parts, place, message, key=item.key, attempts=item.attempts)
