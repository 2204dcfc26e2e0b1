"""What is put where I cannot read moves nothing of what I read: not order, scores, counts, cursors or work (FR11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sliceway.core.pages import Author, PageDraft
from sliceway.core.proposals import ProposedPage
from sliceway.core.turns import Person
from sliceway.store import pages
from tests.contract.people import ANN, BEN, in_channel, in_private
from tests.isolation.alike import alike
from tests.isolation.operations import CALLERS, Caller, Request, query
from tests.isolation.world import XEN, World

MANY = 1000
"""Pages in each flooded slice."""
FLOODED = ("agent-bob", "agent-oldb", "kb-two", BEN.slice, XEN.slice)
WHO = {name: CALLERS[name] for name in ("agent", "in a channel", "in private", "nobody w/o acts_for", "reads shared")}


def _reads(who: Caller) -> Iterator[tuple[str, Request]]:
    """Give every read of a caller that tells of pages, proposals, grants or slices."""
    said, more = query(who), "&" if who.origin is not None else "?"
    everything = ["agent-ada", "agent-olda", "kb-one", "shared", "public", ANN.slice, *FLOODED]
    for name, query_ in (
        ("words", "rotation plan"), ("a phrase", '"rotation plan"'), ("a title", "Rotation"), ("a slug", "n"),
    ):  # fmt: skip
        body = {"query": query_, "slices": everything, "limit": 50}
        yield f"recall by {name}", Request("POST", "/v1/recall", who.signed(body))
        yield f"recall by {name} as of", Request("POST", "/v1/recall", who.signed({**body, "as_of": "2030-01-01"}))
        yield f"recall by {name} of one", Request("POST", "/v1/recall", who.signed({**body, "limit": 1}))
        yield f"recall by {name} begun", Request("POST", "/v1/recall", who.signed({**body, "prefix": True}))
        filtered = {**body, "saved_by": "ada", "since": "2020-01-01"}
        yield f"recall by {name} filtered", Request("POST", "/v1/recall", who.signed(filtered))
    listed = f"/v1/pages{said}{more}slices={','.join(everything)}"
    yield "list_pages", Request("GET", f"{listed}&limit=200")
    yield "list_pages in parts", Request("GET", f"{listed}&limit=1")
    for slice_name in ("shared", "public"):
        yield (
            f"read_page in {slice_name}",
            Request("GET", f"/v1/pages/{slice_name}/m{said}{more}slices={','.join(everything)}"),
        )
    yield "versions", Request("GET", f"/v1/pages/shared/n/versions{said}{more}slices=shared")
    if who.token == "reads shared":
        return
    for path in ("/v1/proposals", "/v1/changes", "/v1/turns/some-turn"):
        yield path, Request("GET", path + said)
    for path in ("/v1/slices", "/v1/grants", "/v1/whoami", "/v1/policy", "/v1/audit?slice=agent-ada"):
        yield path, Request("GET", path)


def _seen(world: World) -> dict[str, tuple[Any, Any]]:
    """Return every answer, and the work that it took when everything kept was read before."""
    seen = {}
    for name, who in WHO.items():
        for read, request in _reads(who):
            request.sent(world, who.token)
            answer, trace = world.measured(request.method, request.target, who=who.token, body=request.body)
            assert answer.status in {200, 404}, (name, read, answer.raw)
            seen[f"{name}: {read}"] = (alike(answer, "-"), trace.work)
    return seen


def _flood(world: World, slice_name: str) -> None:
    with world.writing(slice_name) as tx:
        for at in range(MANY):
            draft = PageDraft(f"f{at}", f"the rotation plan rotation plan [[n]] [[m]] {at}", title="Rotation")
            by = pages.Signature(Author("ada", None, ANN, "slack", None))
            pages.apply(tx, "write", ProposedPage(draft.slug, None, draft), by)


def _differing(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    found = [f"{read}: {after[read][0]} was {before[read][0]}" for read in before if after[read][0] != before[read][0]]
    return found + [
        f"{read}: {after[read][1][1]} steps, before {before[read][1][1]}, or other statements"
        for read in before
        if after[read][1] != before[read][1]
    ]


def test_fr11_floods_of_foreign_slices_move_nothing(world: World) -> None:
    """FR11 FR10 SC9: thousands of matching pages in another agent's mind, in reference that is not mounted and in other
    people's corners: every answer is byte for byte, and every work step for step, what it was."""
    before = _seen(world)
    for slice_name in FLOODED:
        _flood(world, slice_name)
    assert not (wrong := _differing(before, _seen(world))), "\n".join(wrong)


def test_fr11_ap26_what_waits_for_others_moves_nothing(world: World) -> None:
    """FR11 AP26: what waits in another agent's mind and in another person's corner, drafts too, moves no answer and no
    work of who does not see it; but for the first there ever is: a range of an index ends at a row or at its end."""
    _ask_in_private(world, "first")
    before = _seen(world)
    for slug in ("second", "third"):
        _ask_in_private(world, slug)
    assert not (wrong := _differing(before, _seen(world))), "\n".join(wrong)


def _ask_in_private(world: World, slug: str) -> None:
    """Ask for something in bob's mind and in a person's corner, and draft something there."""
    person = BEN if slug != "third" else XEN
    team = {"agent-bob": None, "shared": in_private(person), person.slice: in_private(person)}
    for slice_name, origin in team.items():
        body: dict[str, Any] = {
            "op": "write",
            "slice": slice_name,
            "pages": [{"slug": slug, "content": "rotation plan"}],
        }
        who = "bob" if origin is None else "bob's gateway"
        signed = body if origin is None else {**body, "origin": _at_home(origin, person)}
        answer = world.send("POST", "/v1/proposals", who=who, body=signed)
        assert answer.status == 202, answer.raw


def _at_home(origin: dict[str, Any], person: Person) -> dict[str, Any]:
    """Return a private turn in the person's own workspace."""
    return {**origin, "place": {**origin["place"], "team": person.team}}


@pytest.mark.parametrize("states", ["pending", "decided"])
def test_fr11_ap26_what_others_ask_of_the_team_moves_nothing(world: World, states: str) -> None:
    """FR11 AP26: what another agent asks for in `shared`, which both read, and what becomes of it, moves no answer of
    who does not see it. The work of `changes` alone grows: it goes through all that changed there."""
    before = _seen(world)
    for at in range(4):
        origin = {"origin": in_channel(Person("T1", f"U-{states}", name="Pat"))}
        pages_ = [{"slug": f"{states}{at}", "content": "rotation plan"}]
        body: dict[str, Any] = {"op": "write", "slice": "shared", "pages": pages_, **origin}
        id = world.send("POST", "/v1/proposals", who="bob's gateway", body=body).body["id"]
        if states == "decided":
            body = {"decision": "deny", "revision": 1, "decided_by": {"team": "T1", "user": "U-MAN"}}
            assert world.send("POST", f"/v1/proposals/{id}/decision", who="gateway", body=body).status == 200
    after = _seen(world)
    hidden = [read for read in before if not read.startswith(("in a channel:", "in private:"))]  # these decide
    assert not (wrong := [read for read in hidden if before[read][0] != after[read][0]]), wrong
    unmoved = [read for read in hidden if not read.endswith("/v1/changes")]
    assert not (wrong := [read for read in unmoved if before[read][1] != after[read][1]]), wrong


def test_fr4_fr11_a_foreign_author_makes_no_name_unclear(world: World) -> None:
    """FR4 FR11: who wrote in slices that I cannot read neither answers to `saved_by` nor makes a name there unclear."""
    body = {"query": "rotation plan", "saved_by": "aDA"}
    before = world.send("POST", "/v1/recall", who="agent", body=body)
    for author in ("Ada", "ADA", "Zoe"):
        world.put("agent-bob", f"by-{author.lower()}", "the rotation plan", agent=author)
    assert alike(world.send("POST", "/v1/recall", who="agent", body=body), "-") == alike(before, "-")
    assert before.body["hits"]
    for author in ("Zoe", "Nil"):
        found = world.send("POST", "/v1/recall", who="agent", body={**body, "saved_by": author}).body
        assert (found["hits"], found["reason"]) == ([], "nothing in these slices was saved by that agent")
