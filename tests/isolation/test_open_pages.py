"""What anybody may look at without a token tells no name and no number of anything private (OP2, OP5)."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from sliceway.core.principals import Principal
from sliceway.wiring import open_brain
from tests.contract.people import ANN, BEN, in_channel, in_private
from tests.e2e.brain_server import brain_server, make_tokens
from tests.fakes.manual import unexplained_fields, unexplained_metrics
from tests.isolation.world import Answer, World

OPEN = ("/healthz", "/readyz", "/metrics", "/openapi.json")
MARKS = ("zanzibar", "quokka", "U-ANN", "U-BEN", "C-DEPLOYS", ANN.slice, BEN.slice, "agent-quokka", "T1")
"""Words of private pages, slugs and callers; none is anywhere else."""


def _private_life(folder: Path, day: int) -> None:
    """Write to a mind and to corners, and ask for something there."""

    async def live() -> None:
        async with open_brain(f"sqlite:///{folder / 'brain.db'}", sync="normal", embed="none") as door:
            gateway = door.enter(Principal.gateway("quokka", teams=["T1"], acts_for=True))
            page = {"slug": f"zanzibar-{day}", "content": "zanzibar"}
            for slice_name, origin in ((ANN.slice, in_private(ANN)), ("agent-quokka", in_channel(BEN))):
                await gateway.write_pages(slice=slice_name, pages=[page], origin=origin)
            for slice_name in (BEN.slice, "shared"):  # what is asked of a corner, and a draft
                await gateway.propose(op="write", slice=slice_name, pages=[page], origin=in_private(BEN))

    asyncio.run(live())


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """What a server of its own shows of a store with little in it, and of the same with more that is private."""
    folder, seen = tmp_path_factory.mktemp("open"), []
    asyncio.run(make_tokens(folder))
    for day in (1, 2):
        _private_life(folder, day)
        with brain_server(folder) as served:
            pages = {}
            for path in OPEN:
                with urlopen(served.url + path, timeout=30) as answer:
                    pages[path] = answer.read().decode() + str(answer.headers)
            seen.append(pages)
    return seen


@pytest.mark.parametrize("path", OPEN)
def test_op2_an_open_page_names_nobody(shown: list[dict[str, str]], path: str) -> None:
    """OP2 BR14: no word, slug, slice, person, channel or agent of the store stands in it."""
    for seen in shown:
        assert not [mark for mark in MARKS if mark in seen[path]], seen[path]


def test_op2_what_a_server_shows_is_explained(shown: list[dict[str, str]]) -> None:
    """OP2: each field of its `/readyz` and each metric is in the manual, with what to do."""
    facts, _ = json.JSONDecoder().raw_decode(shown[1]["/readyz"])
    assert facts["ready"]
    assert not unexplained_fields(facts)
    assert not unexplained_metrics(shown[1]["/metrics"])


@pytest.mark.parametrize("path", OPEN)
def test_op2_ap23_an_open_page_counts_nothing_private(shown: list[dict[str, str]], path: str) -> None:
    """OP2 AP23 SC9: pages in minds and corners, drafts and what is asked of a corner change nothing in it."""
    little, more = (_timeless(seen[path]) for seen in shown)
    assert little == more


def _timeless(text: str) -> str:
    """Return a page without what only time and this very request put there."""
    lines = [line for line in text.splitlines() if not line.startswith(("Date:", "X-Request-Id:"))]
    return "\n".join(re.sub(r"(_seconds\S*|requests_total\S*) [\d.e+-]+$", r"\1 -", line) for line in lines)


def _refusals(world: World) -> Iterator[tuple[str, Answer]]:
    yield "another address", world.send("GET", "/v1/minds/agent-bob", who="agent")
    yield "another method", world.send("PATCH", "/v1/pages/agent-bob/n", who="agent")
    yield "no token", world.send("GET", "/v1/pages/agent-bob/n")
    yield "no right", world.send("GET", "/v1/tokens", who="agent")
    yield "foreign", world.send("GET", "/v1/pages/agent-bob/n", who="agent")
    yield (
        "foreign write",
        world.send(
            "POST", "/v1/pages", who="agent", body={"slice": "agent-bob", "pages": [{"slug": "n", "content": "x"}]}
        ),
    )
    yield "foreign version", world.send("GET", "/v1/pages/agent-bob/n?version=2", who="agent")
    yield "foreign author", world.send("GET", "/v1/pages?slice=agent-ada&saved_by=bob", who="agent")
    yield "unknown field", world.send("GET", "/v1/pages?user=1", who="agent")
    yield "no JSON", world.send("POST", "/v1/recall", who="agent", body=b"{")
    yield "wrong host", world.send("GET", "/healthz", headers=[("Host", "example.net")])
    yield "not eligible", world.send(
        "POST", "/v1/policy/channels", who="gateway",
        body={"team": "T1", "channel": "C1", "trust": "trusted", "by": {"team": "T1", "user": "U-ANN"}},
    )  # fmt: skip


def test_br14_a_refusal_names_nobody_else(world: World) -> None:
    """BR14 BR4: no refusal tells another slice, agent, person, page, number or anything of the program's inside."""
    for what, answer in _refusals(world):
        said = answer.raw.decode() + json.dumps(dict(answer.headers))
        assert not re.search(r"agent-(?!ada|bob)|user-[a-z]|kb-|bob's|rotation|SELECT|Traceback|sqlite|/src/", said), (
            what
        )
        if what != "another address":
            assert "agent-bob" not in said, what
        assert not re.search(r'"(count|total|current|revision|version)"', said), what


def test_br14_a_request_id_is_the_callers_own_or_means_nothing(world: World) -> None:
    """BR14 OP5: `X-Request-Id` comes back as it was given where it is sane; else it is random, and tells nothing."""
    for target in ("/v1/pages/agent-ada/n", "/v1/pages/agent-bob/n", "/v1/nothing", "/healthz"):
        for given in ("mine-1", "agent-nil", "a" * 128):
            answer = world.send("GET", target, who="agent", headers=[("X-Request-Id", given)])
            assert answer.headers["x-request-id"] == given
        made = set()
        for odd in ("a b", "", "a" * 129, "{agent-bob}", "é"):
            answer = world.send("GET", target, who="agent", headers=[("X-Request-Id", odd)])
            made.add(answer.headers["x-request-id"])
        assert len(made) == 5
        assert all(re.fullmatch("[0-9a-f]{32}", one) for one in made)
