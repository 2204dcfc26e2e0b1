"""The isolation matrix: every call that names a slice, by every kind of caller, aimed at every kind of slice."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.core.slices import SYSTEM
from tests.contract.people import ANN, in_private
from tests.isolation.alike import alike
from tests.isolation.operations import CALLERS, OPERATIONS, Caller, Operation, expected, outcome
from tests.isolation.world import BAD, PLACES, TWINS, World

TELLS_NOTHING = {".", "n", "f", "x", "+"}
"""The outcomes that are the same as for what never was."""


def _measured(world: World, operation: Operation, caller: Caller, name: str, event: str) -> tuple[str, Any, Any]:
    request = operation.request(caller, name, event=event)
    answer, trace = world.measured(request.method, request.target, who=caller.token, body=request.body)
    assert name == SYSTEM or name not in trace.named, f"{name} was looked at"
    return outcome(operation, answer), alike(answer, name), trace.work


def differences(world: World, operation: Operation, caller: str, places: list[str]) -> list[str]:
    """Return what is told, or done, otherwise for a protected slice than for its never written twin."""
    wrong, who, no_event = [], CALLERS[caller], "0" * 26
    for twin in sorted({TWINS[place] for place in places}):
        _measured(world, operation, who, twin, no_event)  # what is read once and kept is read before
        said, told, work = _measured(world, operation, who, twin, no_event)
        for place in (place for place in places if TWINS[place] == twin):
            wanted, event = expected(operation, caller, place), world.events.get(PLACES[place], no_event)
            found, answer, done = _measured(world, operation, who, PLACES[place], event)
            if found != wanted:
                wrong.append(f"{caller}, {place}: {found} instead of {wanted}")
            elif wanted == said and answer != told:
                wrong.append(f"{caller}, {place}: {answer} is not {told}")
            elif wanted == said and done != work:
                wrong.append(f"{caller}, {place}: {done[1]} steps instead of {work[1]}, or other statements")
    return wrong


def misjudged(world: World, operation: Operation, caller: str, places: list[str]) -> list[str]:
    """Return where something else comes of a call than the grid says; what was asked for is taken back."""
    wrong, who = [], CALLERS[caller]
    for place in places:
        wanted, name = expected(operation, caller, place), PLACES[place]
        slug, event = world.fresh(name) if wanted == "w" else ("n", world.events.get(name, "x"))
        answer = operation.request(who, name, slug, event).sent(world, who.token)
        if (found := outcome(operation, answer)) != wanted:
            wrong.append(f"{caller}, {place}: {found} instead of {wanted}")
        if answer.status == 202:
            waits = answer.body["proposal"]
            seen_from = in_private(ANN) if place == "corner" else who.origin  # a corner shows nowhere else (SC14)
            origin = {"origin": seen_from} if seen_from is not None else {}
            body = {"revision": waits["revision"], **origin}
            taken = world.send("POST", f"/v1/proposals/{waits['id']}/withdraw", who=who.token, body=body)
            assert taken.status == 200, taken.raw
    return wrong


@pytest.mark.parametrize("name", OPERATIONS)
def test_br4_sc9_the_matrix(world: World, name: str) -> None:
    """BR2 BR4 SC9 SC12 GT1: each caller is answered for each slice as the grid says; what is not theirs answers, byte
    for byte and step for step, as one that was never written, and is not looked at."""
    operation = OPERATIONS[name]
    wrong = []
    for caller, row in operation.grid.items():
        protected = [place for place, said in row.items() if said in TELLS_NOTHING]
        wrong += differences(world, operation, caller, protected)
        wrong += misjudged(world, operation, caller, [place for place in row if place not in protected])
    assert not wrong, "\n".join([f"{name}:", *wrong])


@pytest.mark.parametrize("name", OPERATIONS)
def test_br2_whoever_shows_no_good_token_learns_nothing(world: World, name: str) -> None:
    """BR2: a missing, malformed, unknown, wrong, replaced, expired or revoked token: one answer, whatever is named."""
    operation = OPERATIONS[name]
    answers = []
    for token in BAD:
        for place in ("own", "mind", "never", "shared", "system"):
            request = operation.request(Caller(token), PLACES[place])
            answer, trace = world.measured(request.method, request.target, who=token, body=request.body)
            answers.append(alike(answer, PLACES[place]))
            assert trace.named <= {SYSTEM}
    assert all(answer == answers[0] for answer in answers)
    assert answers[0][0] == 401
