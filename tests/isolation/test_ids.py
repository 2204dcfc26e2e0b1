"""Ids instead of names: a proposal, a grant, a token, an event, a cursor, a turn of somebody else's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from sliceway.core.turns import Person
from tests.contract.people import ANN, BEN, MANAGER, in_channel, in_private
from tests.isolation.alike import alike
from tests.isolation.grid import grid_of
from tests.isolation.operations import CALLERS, Caller, Request, query
from tests.isolation.world import Answer, World

DOT = Person("T1", "U-DOT", name="Dot")
_SEEN = grid_of("""
                        bobs-shared bobs-mind bens-draft bens-corner adas-shared
agent                   .           .         .          .           s
in private              s           .         .          .           s
in a channel            s           .         .          .           s
from nowhere            s           .         .          .           s
Ann without acts_for    .           .         .          .           s
private w/o acts_for    .           .         .          .           s
Ann without decides     .           .         .          .           s
Ben in a channel        s           .         .          .           s
Ben in private          s           .         s          s           s
reads shared            .           .         .          .           .
admin                   s           .         .          .           s
bob                     s           s         .          .           .
bob's gateway           s           s         .          .           .
Ann by bob's gateway    s           s         .          .           s
Dot without decides     s           .         .          .           s
""")
"""AP26: who sees which proposal. Dot asked through bob's gateway; Ann, and Ben in private, through ada's."""

_CALLERS: Mapping[str, Caller] = {
    **CALLERS,
    "Ann without decides": Caller("no decisions", in_channel(ANN)),
    "Ben in a channel": Caller("gateway", in_channel(BEN)),
    "Ben in private": Caller("gateway", in_private(BEN)),
    "bob": Caller("bob"),
    "bob's gateway": Caller("bob's gateway"),
    "Ann by bob's gateway": Caller("bob's gateway", in_channel(ANN)),
    "Dot without decides": Caller("no decisions", in_channel(DOT)),
}

_P = "/v1/proposals"
_STEP = {"revision": 99}
BY_ID: Mapping[str, Callable[[Caller, str], Request]] = {
    "proposal": lambda who, id: Request("GET", f"{_P}/{id}{query(who)}"),
    "withdraw": lambda who, id: Request("POST", f"{_P}/{id}/withdraw", who.signed(_STEP)),
    "send_draft": lambda who, id: Request("POST", f"{_P}/{id}/send", who.signed(_STEP)),
    "claim_card": lambda who, id: Request(
        "POST", f"{_P}/{id}/cards", who.signed({"place": "p", "holder": "h", "lease_s": 0.1})
    ),
    "card_posted": lambda who, id: Request(
        "POST", f"{_P}/{id}/cards", who.signed({"place": "p", "holder": "h", "ref": "r"})
    ),
    "decide": lambda who, id: Request(
        "POST", f"{_P}/{id}/decision", {"decision": "deny", "revision": 99, "decided_by": _by()}
    ),
    "revoke_grant": lambda who, id: Request("DELETE", f"/v1/grants/{id}?by=T1:U-XYZ"),
    "rotate_token": lambda who, id: Request("POST", f"/v1/tokens/{id}/rotate"),
    "revoke_token": lambda who, id: Request("DELETE", f"/v1/tokens/{id}"),
    "done_in": lambda who, id: Request("GET", f"/v1/turns/{id}{query(who)}"),
    "alias_agent": lambda who, id: Request("POST", f"/v1/agents/{id}/alias", {"alias": f"agent-{id}"}),
    "rename_agent": lambda who, id: Request("POST", f"/v1/agents/{id}/rename", {"to": "another"}),
    "merge_agent": lambda who, id: Request("POST", f"/v1/agents/{id}/merge", {"mind": f"agent-{id}"}),
    "retire_agent": lambda who, id: Request("POST", f"/v1/agents/{id}/retire", {"dry_run": True}),
}
"""The calls about one thing by its id."""
OF_PROPOSALS = ("proposal", "withdraw", "send_draft", "claim_card", "card_posted", "decide")
NOBODYS = "0" * 26


def _by() -> dict[str, str | None]:
    return {"team": MANAGER.team, "user": MANAGER.user}


class Things:
    """What there is to be found by an id."""

    def __init__(self, world: World) -> None:
        """Make all of it."""
        self.ids: dict[str, str] = {}
        bobs, adas = {"origin": in_channel(DOT, turn="bobs-turn")}, {"origin": in_channel(ANN, turn="adas-turn")}
        self._ask(world, "bobs-shared", "bob's gateway", "shared", bobs)
        self._ask(world, "bobs-mind", "bob", "agent-bob", {})
        self._ask(world, "bens-draft", "gateway", "shared", {"origin": in_private(BEN)})
        self._ask(world, "bens-corner", "gateway", BEN.slice, {"origin": in_private(BEN)})
        self._ask(world, "adas-shared", "gateway", "shared", adas)
        granted = self._ask(world, "granted", "bob's gateway", "shared", bobs, slug="granted")
        approval = {"decision": "approve", "revision": 1, "decided_by": _by(), "grant_seconds": 600}
        done = world.send("POST", f"{_P}/{granted}/decision", who="gateway", body=approval)
        self.ids["bobs-grant"] = done.body["grant"]["id"]

    def _ask(
        self, world: World, name: str, who: str, slice_name: str, more: dict[str, Any], *, slug: str | None = None
    ) -> str:
        pages = [{"slug": slug or name, "content": f"words of {name}"}]
        answer = world.send(
            "POST", _P, who=who, body={"op": "write", "slice": slice_name, "pages": pages, **more}
        )  # fmt: skip
        assert answer.status == 202, answer.raw
        self.ids[name] = str(answer.body["id"])
        return self.ids[name]


@pytest.fixture(scope="module")
def things(world: World) -> Things:
    """What there is to be found."""
    return Things(world)


def _measured(world: World, who: Caller, request: Request, id: str) -> tuple[Answer, Any, Any]:
    answer, trace = world.measured(request.method, request.target, who=who.token, body=request.body)
    return answer, alike(answer, id), trace.work


@pytest.mark.parametrize("call", OF_PROPOSALS)
def test_ap26_br4_a_foreign_proposal_is_as_one_that_never_was(world: World, things: Things, call: str) -> None:
    """AP26 BR4: who may not see a proposal is told, by the same work, what they are told of an id that is nobody's."""
    wrong = []
    for caller, row in _SEEN.items():
        who = _CALLERS[caller]
        _measured(world, who, BY_ID[call](who, NOBODYS), NOBODYS)
        _, told, work = _measured(world, who, BY_ID[call](who, NOBODYS), NOBODYS)
        for name, said in row.items():
            id = things.ids[name]
            _measured(world, who, BY_ID[call](who, NOBODYS), NOBODYS)  # a refusal is an act; the policy is read anew
            answer, found, done = _measured(world, who, BY_ID[call](who, id), id)
            if call == "proposal" and (answer.status == 200) != (said == "s"):
                wrong.append(f"{caller}, {name}: {answer.status}, and the grid says {said}")
            elif said == "." and found != told:
                wrong.append(f"{caller}, {name}: {found} is not {told}")
            elif said == "." and done != work:
                wrong.append(f"{caller}, {name}: {done[1]} steps instead of {work[1]}")
    assert not wrong, "\n".join([f"{call}:", *wrong])


REFUSED = {
    "revoke_grant": "bobs-grant", "rotate_token": "a token", "revoke_token": "a token", "done_in": "bobs-turn",
    "alias_agent": "an agent", "rename_agent": "an agent", "merge_agent": "an agent", "retire_agent": "an agent",
}  # fmt: skip
"""The other calls by id, and what of somebody else's they are given."""
LIVE = {
    "revoke_grant": {
        name for name, caller in _CALLERS.items() if caller.token in {"gateway", "admin", "bob's gateway"}
    },
    "rotate_token": {"admin"}, "revoke_token": {"admin"}, "alias_agent": {"admin"}, "rename_agent": {"admin"},
    "merge_agent": {"admin"}, "retire_agent": {"admin"},
    "done_in": {"bob", "bob's gateway", "Ann by bob's gateway"},
}  # fmt: skip
"""Those to whom it is something: whoever decides sees and ends grants, an admin keeps tokens and agents, a turn is its
agent's."""


@pytest.mark.parametrize("call", REFUSED)
def test_br4_a_foreign_grant_token_or_turn_is_as_one_that_never_was(world: World, things: Things, call: str) -> None:
    """BR4 AP15 BR6 GT9: who has no say in a thing is told, by the same work, what is told of an id that is nobody's."""
    known = {**things.ids, "a token": world.token_ids["bob"], "bobs-turn": "bobs-turn", "an agent": "bob"}
    id, wrong = known[REFUSED[call]], []
    nobodys = {"bobs-turn": "nils-turn", "an agent": "nil"}.get(REFUSED[call], NOBODYS)
    for caller, who in _CALLERS.items():
        if caller in LIVE[call]:
            continue
        _measured(world, who, BY_ID[call](who, nobodys), nobodys)
        _, told, work = _measured(world, who, BY_ID[call](who, nobodys), nobodys)
        _, found, done = _measured(world, who, BY_ID[call](who, id), id)
        if found != told or done != work:
            wrong.append(f"{caller}: {found} by {done[1]} steps, and {told} by {work[1]}")
    assert not wrong, "\n".join([f"{call}:", *wrong])


def test_br4_a_foreign_event_is_as_one_that_never_was(world: World, things: Things) -> None:
    """BR4: undo by the event of a foreign page is stale as by one that never was, and tells nothing of it."""
    who = Caller("agent")
    seen = []
    for event in (NOBODYS, NOBODYS, world.events["agent-bob"], world.events[BEN.slice], world.events["agent"]):
        request = Request("POST", "/v1/pages/agent-ada/m/undo", {"expected_event": event})
        answer, found, work = _measured(world, who, request, event)
        assert answer.code == "stale_event"
        seen.append((found, work))
    assert all(one == seen[1] for one in seen[1:])


LISTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "list_pages": ("/v1/pages?slices={own},public&limit=1", ("bob", "gateway")),
    "versions": ("/v1/pages/public/n/versions?slices=public&limit=1", ("bob", "gateway")),
    "proposals": ("/v1/proposals?limit=1", ("bob", "gateway", "admin")),
    "changes": ("/v1/changes", ("bob", "gateway", "admin")),
    "slices": ("/v1/slices?limit=1", ("bob", "gateway", "admin")),
    "audit": ("/v1/audit?limit=1", ("bob", "gateway", "admin")),
    "agents": ("/v1/agents?limit=1", ("gateway", "admin")),
    "tokens": ("/v1/tokens?limit=1", ("admin",)),
}
"""The lists, and who has a part of them to go on from."""
SHORT = {"grants": "one live grant is in this world, and its list is sealed as the others are"}


@pytest.mark.parametrize("call", LISTS)
def test_br13_a_cursor_is_good_for_whom_it_was_given(world: World, things: Things, call: str) -> None:
    """BR13 BR4: a cursor of another caller's is refused as one that is made up, by the same work; one's own goes on."""
    for name in ("ada", "bob"):
        world.send("POST", "/v1/agents", who="bob" if name == "bob" else "gateway", body={})
    path, holders = LISTS[call]
    field = "after" if call == "changes" else "cursor"
    origin = query(CALLERS["in a channel"]).replace("?", "&")

    def listed(who: str, cursor: str | None) -> Answer:
        given = path.replace("{own}", "agent-bob" if who == "bob" else "agent-ada")
        given += "?" * ("?" not in given) + (f"&{field}={cursor}" if cursor else "")
        gateway_reads = who == "gateway" and call in {"list_pages", "versions", "proposals", "changes"}
        return world.send("GET", given + (origin if gateway_reads else ""), who=who)

    for holder in holders:
        first = listed(holder, None).body
        cursor = first.get("next_cursor") or first.get("cursor")
        assert cursor, (holder, first)
        assert listed(holder, cursor).status == 200
        for other in ("agent", "reads shared", "bob", "gateway", "admin"):
            if other != holder:
                made_up = listed(other, cursor[:-4] + "AAAA")
                assert alike(listed(other, cursor), cursor) == alike(made_up, cursor), (holder, other)


def test_br6_a_foreign_request_id_is_as_one_that_never_was(world: World, things: Things) -> None:
    """BR6 BR4: a request id that another agent used in the same slice is free for one's own: the same outcome, by the
    same statements, as with an id that nobody used."""
    body = {"op": "write", "slice": "shared", "pages": [{"slug": "asked", "content": "some words"}]}
    theirs = {**body, "request_id": "theirs-1", "pages": [{"slug": "asked", "content": "other words"}]}
    assert world.send("POST", _P, who="bob", body=theirs).status == 202
    seen = []
    for request_id in ("nobodys1", "nobodys2", "theirs-1"):
        answer, trace = world.measured("POST", _P, who="agent", body={**body, "request_id": request_id})
        seen.append((alike(answer, request_id), trace.statements))
        taken = world.send("POST", f"{_P}/{answer.body['id']}/withdraw", who="agent", body={"revision": 1})
        assert (answer.status, taken.status) == (202, 200)
    assert seen[1] == seen[2]


def test_ap26_lists_show_what_a_look_up_shows(world: World, things: Things) -> None:
    """AP26: the list and the feed hold of these proposals just those that the same caller finds by their ids."""
    names = {id: name for name, id in things.ids.items()}
    for caller, row in _SEEN.items():
        who = _CALLERS[caller]
        for path in ("/v1/proposals", "/v1/changes"):
            answer = world.send("GET", path + query(who), who=who.token)
            listed = {names[item["id"]] for item in answer.body["items"] if item["id"] in names} & set(row)
            assert listed == {name for name, said in row.items() if said == "s"}, (caller, path)
