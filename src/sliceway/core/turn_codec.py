"""Turns, locks, people and places as JSON and back, so that what was kept at arrival is the same after a crash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sliceway.core.turns import Lock, Person, Place, PlaceKind, Standing, Turn


def turn_to_json(turn: Turn) -> dict[str, Any]:
    """Return a turn in JSON's own types."""
    return {
        "key": turn.key,
        "agent": turn.agent,
        "speaker": asdict(turn.speaker) if turn.speaker is not None else None,
        "place": asdict(turn.place),
        "text": turn.text,
        "raw": turn.raw,
        "lock": asdict(turn.lock) if turn.lock is not None else None,
        "addressed": turn.addressed,
        "forwarded": turn.forwarded,
        "names": dict(turn.names),
    }


def turn_from_json(data: Mapping[str, Any]) -> Turn:
    """Return the turn that `turn_to_json` wrote.

    :raises KeyError: a part is missing.
    :raises ValueError: a word is not one of its kind's.
    """
    lock = data["lock"]
    return Turn(
        key=data["key"],
        agent=data["agent"],
        speaker=person_from_json(data["speaker"]),
        place=place_from_json(data["place"]),
        text=data["text"],
        raw=data["raw"],
        lock=lock_from_json(lock) if lock is not None else None,
        addressed=data["addressed"],
        forwarded=data["forwarded"],
        names=dict(data["names"]),
    )


def person_from_json(data: Mapping[str, Any] | None) -> Person | None:
    """Return a person, or None where there was none."""
    return Person(**{**data, "standing": Standing(data["standing"])}) if data is not None else None


def place_from_json(data: Mapping[str, Any]) -> Place:
    """Return a place."""
    return Place(**{**data, "kind": PlaceKind(data["kind"])})


def lock_from_json(data: Mapping[str, Any]) -> Lock:
    """Return the lock that was kept so.

    :raises ValueError: it has no owner, or a word is not one of its kind's.
    """
    began = data["began_in"]
    owner = person_from_json(data["owner"])
    if owner is None:
        raise ValueError("a lock has an owner")
    return Lock(
        owner=owner,
        place=place_from_json(data["place"]),
        began_in=place_from_json(began) if began is not None else None,
        since=data["since"],
        idle_until=data["idle_until"],
    )
