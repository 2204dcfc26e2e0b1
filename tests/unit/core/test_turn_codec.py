"""Turns kept as JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sliceway.core.turn_codec import turn_from_json, turn_to_json
from sliceway.core.turns import Lock, Person, Place, PlaceKind, Standing, Turn

MARA = Person("T1", "U1", enterprise="E1", name="Mara", standing=Standing.GUEST)
DM = Place("slack", "T1", "D1", "1.2", PlaceKind.IM, external=True, guests=True, link="https://x.example/1")
FULL = Turn(
    key="message/T1/D1/1.3",
    agent="ada",
    speaker=MARA,
    place=DM,
    text="hi \u202e <b>",
    raw="hi &lt;b&gt;",
    lock=Lock(MARA, DM, Place("slack", "T1", "C1"), "2026-01-01T00:00:00.000000Z", "2026-01-01T08:00:00.000000Z"),
    addressed=False,
    forwarded="what they said",
    names={"U2": "Bo"},
)


@pytest.mark.parametrize(
    "turn", [FULL, replace(FULL, speaker=None, lock=None, forwarded=None), Turn("k", "a", None, Place("background"))]
)
def test_a_turn_comes_back_as_it_was(turn: Turn) -> None:
    """Every field survives JSON, those included that equality leaves out."""
    back = turn_from_json(json.loads(json.dumps(turn_to_json(turn))))
    assert back == turn
    assert repr(back) == repr(turn)
