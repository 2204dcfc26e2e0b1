"""The matrix for the calls that stream: an export holds what the caller may read, and nobody else's load comes in."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from tests.isolation.alike import alike
from tests.isolation.grid import READ
from tests.isolation.operations import CALLERS, Caller, query
from tests.isolation.world import PLACES, TWINS, Answer, World

_PRIVATE = ("own", "corner", "mind", "ben")


def _target(who: Caller, name: str) -> str:
    said = query(who)
    return f"/v1/export{said}{'&' if said else '?'}slices={quote(name)}"


def _exported(world: World, who: Caller, name: str) -> tuple[Answer, Any]:
    answer, trace = world.measured("GET", _target(who, name), who=who.token)
    return answer, trace.work


@pytest.mark.parametrize("caller", READ)
def test_br4_sc9_an_export_holds_what_the_caller_reads(world: World, caller: str) -> None:
    """BR2 BR4 SC9: what the grid lets a caller read is exported, of that slice alone; of every other slice there is,
    byte for byte and statement for statement, what there is of one that was never written."""
    who, wrong = CALLERS[caller], []
    for place, said in READ[caller].items():
        name = PLACES[place]
        _exported(world, who, TWINS[place])
        twin, its_work = _exported(world, who, TWINS[place])
        answer, work = _exported(world, who, name)
        if said != "r":
            if alike(answer, name) != alike(twin, TWINS[place]) or work != its_work:
                wrong.append(f"{place}: {answer.raw[:200]!r} is not {twin.raw[:200]!r}")
            continue
        lines = [json.loads(line) for line in answer.raw.splitlines()] if answer.status == 200 else []
        if len(lines) < 2 or {line["slice"] for line in lines[1:]} != {name}:
            wrong.append(f"{place}: {answer.status} {answer.raw[:200]!r}")
    assert not wrong, "\n".join([f"{caller}:", *wrong])


@pytest.mark.parametrize("token", ["agent", "bob", "gateway", "no rights", "reads shared", "admin"])
def test_gt9_nobody_loads_into_what_is_somebodys(world: World, token: str) -> None:
    """GT9: only an admin loads, and not into a mind or a corner: one that stands there is told like one that never did,
    and nothing comes in."""
    for place in _PRIVATE:
        told = []
        for name in (PLACES[place], TWINS[place]):
            line = json.dumps({"page": {"slice": name, "slug": "loaded", "content": "It was loaded."}}).encode() + b"\n"
            headers = [("Content-Type", "application/x-ndjson")]
            answer = world.send("POST", "/v1/import", who=token, body=line, headers=headers)
            assert token == "admin" or (answer.status, answer.code) == (403, "not_permitted"), answer.raw
            assert answer.status != 200 or answer.body["imported"] == 0, answer.raw
            told.append(alike(answer, name))
        assert told[0] == told[1]
