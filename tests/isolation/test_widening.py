"""Whatever stands in the address, the headers, the query and the body, together or twice: nothing widens (BR2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from sliceway.core.turns import Person
from tests.contract.people import ANN, BEN, DEPLOYS, in_channel, in_private
from tests.isolation.grid import READ
from tests.isolation.operations import CALLERS, Caller, query
from tests.isolation.world import PLACES, XEN, Answer, World

FOREIGN = {name for place, name in PLACES.items() if place in {"mind", "ben", "xen", "kb-off", "prior", "legacy"}}


@pytest.fixture(autouse=True)
def _nothing_lands_elsewhere(world: World) -> Iterator[None]:
    """Fail a test in which anything was recorded in a slice that was not the caller's."""
    before = world.do(world.operator.head())
    yield
    after = world.do(world.operator.head())
    assert {name: head for name, head in after.items() if name in FOREIGN} == {
        name: head for name, head in before.items() if name in FOREIGN
    }
    assert set(after) == set(before)


def _tells_nothing(answer: Answer) -> None:
    """Fail where an answer holds a page of a foreign slice, or the server broke."""
    text = answer.raw.decode()
    assert answer.status < 500, text
    assert not [name for name in FOREIGN if f"plan of {name} " in text], text


TARGETS = [
    "/v1/pages/agent-bob/n?slice=agent-ada&slices=agent-ada", "/v1/pages/agent-ada/..%2Fagent-bob/n",
    "/v1/pages/agent-ada/../agent-bob/n", "/v1/pages/agent-ada/%2e%2e/agent-bob/n", "/v1/pages/%2e%2e/agent-bob/n",
    "/v1/pages/agent-ada%2f..%2fagent-bob/n", "/v1/pages/agent%2Dbob/n", "/v1/pages/%61gent-bob/n",
    "/v1/pages/agent-bob%00/n", "/v1/pages/agent-bob%252f/n", "/v1/pages/agent%252Dbob/n", "/v1/pages/AGENT-BOB/n",
    "/v1/pages/Agent-bob/n", "/v1/pages/agent-bob;agent-ada/n", "/v1/pages/agent-bob%20/n", "//v1/pages/agent-bob/n",
    "/v1/./pages/agent-bob/n", "/v1/pages/agent-ada/..;/agent-bob/n", "/v1/pages/agent-ada,agent-bob/n",
    "/v1/pages/agent-%62ob/n", "/v1/pages/agent-bob/n/", "/v1/pages/agent-bob/%6e", "/v1/pages/agent-ada%0a/n",
    "/v1/pages/agent-bob/n?slices=agent-bob,agent-ada", "/v1/pages?slice=agent-ada&slice=agent-bob",
    "/v1/pages?slices=agent-ada%2Cagent-bob", "/v1/pages?slice=agent-bob%00", "/v1/pages?slice%00=agent-bob",
    "/v1/pages?slices=*", "/v1/pages?slices=agent-*", "/v1/pages?slices=agent-%25", "/v1/pages?slices=agent-___",
    "/v1/pages?slice=agent-bob&agent=bob", "/v1/pages?saved_by=bob", "/v1/pages?token=admin&slice=agent-bob",
    "/v1/audit?slice=agent-bob", "/v1/audit?agent=bob", "/v1/slices?agent=bob", "/v1/whoami?agent=bob",
    "/v1/turns/..%2f..%2fpages%2fagent-bob%2fn", "/v1/proposals/%2e%2e%2fpages%2fagent-bob%2fn",
]  # fmt: skip
"""Addresses that mean another agent's mind, or might be taken so."""


@pytest.mark.parametrize("who", ["agent", "gateway", "reads shared"])
def test_br2_no_spelling_of_an_address_widens(world: World, who: str) -> None:
    """BR2 BR4: dots, percents, cases, doubles, wildcards in path and query reach no foreign page."""
    for target in TARGETS:
        for method in ("GET", "DELETE", "POST"):
            body = b"{}" if method == "POST" else None
            _tells_nothing(world.send(method, target, who=who, body=body))


def test_br2_only_the_plain_spelling_is_a_name(world: World) -> None:
    """BR2: of one's own slice too no spelling but its own, percent-encoded once or not, is the same slice."""
    for name in ("agent-ada", "%61gent-ada", "agent%2Dada"):
        assert world.send("GET", f"/v1/pages/{name}/n", who="agent").status == 200
    for name in (
        "AGENT-ADA",
        "agent-ada%20",
        "%20agent-ada",
        "agent-ada%00",
        "agent%252Dada",
        "agent-ada.",
        "аgent-ada",
    ):
        assert world.send("GET", f"/v1/pages/{quote(name, safe='%')}/n", who="agent").status in {404, 422}, name


HEADERS = [
    ("X-Agent", "bob"), ("X-Slice", "agent-bob"), ("X-Agent-Id", "bob"), ("X-Forwarded-User", "bob"),
    ("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Host", "evil.example"), ("Forwarded", "host=evil.example"),
    ("X-Original-URL", "/v1/pages/agent-bob/n"), ("X-Rewrite-URL", "/v1/pages/agent-bob/n"),
    ("X-HTTP-Method-Override", "DELETE"), ("X-Token", "admin"), ("Cookie", "token=admin"), ("X-Team", "T2"),
    ("X-User", BEN.slice), ("X-Acts-For", "true"), ("Via", "1.1 admin"), ("X-Request-Id", "agent-bob"),
]  # fmt: skip


def test_br2_no_header_widens(world: World) -> None:
    """BR2 BR3: names in headers are nobody's: the same call answers the same, and writes as its token says."""
    plain = world.send("GET", "/v1/pages/agent-ada/n", who="agent")
    me = world.send("GET", "/v1/whoami", who="agent")
    for header in [*[[one] for one in HEADERS], HEADERS]:
        for target, before in (("/v1/pages/agent-ada/n", plain), ("/v1/whoami", me)):
            answer = world.send("GET", target, who="agent", headers=header)
            assert (answer.status, answer.raw) == (before.status, before.raw)
        assert world.send("GET", "/v1/pages/agent-bob/n", who="agent", headers=header).status == 404
    written = world.send(
        "POST", "/v1/pages", who="agent", body={"slice": "mine", "pages": [{"slug": "h", "content": "x"}]},
        headers=HEADERS,
    )  # fmt: skip
    receipt = written.body["receipts"][0]
    assert (receipt["slice"], receipt["author"]["agent"]) == ("agent-ada", "ada")


def test_br2_two_tokens_are_none(world: World) -> None:
    """BR2 OP5: a second token, another scheme, a token in the query or a foreign `Host` open nothing."""
    admin = ("Authorization", f"Bearer {world.tokens['admin']}")
    for more in ([admin], [("authorization", f"Bearer {world.tokens['bob']}")]):
        assert world.send("GET", "/v1/tokens", who="agent", headers=more).status == 401
    token = str(world.tokens["admin"])
    for name in ("token", "access_token", "authorization"):
        assert world.send("GET", f"/v1/tokens?{name}={token}").status == 401
        assert world.send("GET", f"/v1/slices?{name}={token}", who="agent").status == 422
    assert world.send("GET", "/v1/slices", headers=[("Authorization", f"Basic {token}")]).status == 401
    assert world.send("GET", "/v1/slices", who="agent", headers=[("Host", "agent-bob")]).status == 403


def test_br3_br5_names_beside_each_other_in_one_call(world: World) -> None:
    """BR3 BR5: an agent, a slice or a token beside the right ones is an unknown field, an author `author_mismatch`;
    nothing lands."""
    page = {"slug": "w", "content": "x"}
    for extra in (
        {"agent": "bob"}, {"author": {"agent": "bob"}}, {"token": "admin"}, {"principal": {"kind": "admin"}},
        {"slices": ["agent-bob"]}, {"on_behalf_of": {"team": "T1", "user": "U-BEN"}}, {"approved": True},
        {"imported_from": "bob"}, {"acts_for": True}, {"Slice": "agent-bob"}, {"slice\u200b": "agent-bob"},
    ):  # fmt: skip
        answer = world.send("POST", "/v1/pages", who="agent", body={"slice": "mine", "pages": [page], **extra})
        refused = (403, "author_mismatch") if "author" in extra else (422, "invalid_request")
        assert (answer.status, answer.code) == refused, extra
        answer = world.send("POST", "/v1/pages", who="agent", body={"slice": "mine", "pages": [{**page, **extra}]})
        assert (answer.status, answer.code) == refused, extra
    assert (
        world.send("POST", "/v1/pages?slice=agent-bob", who="agent", body={"slice": "mine", "pages": [page]}).status
        == 422
    )
    answer = world.send("DELETE", "/v1/pages/agent-ada/w", who="agent", body={"slice": "agent-bob", "slug": "n"})
    assert {error["code"] for error in answer.body["errors"]} == {"unknown_field"}


LOOK_ALIKES = [
    "аgent-bob", "agent‐bob", "agent-bоb", "ａｇｅｎｔ-bob", "agent-bob\u200b", "\u202eagent-bob",
    "agent-bob\n", "agent-bob\t", " agent-bob", "agent-bob ", "AGENT-BOB", "agent-BOB", "ſhared",
    "shared\u0301", "ＳＨＡＲＥＤ", "agent-bob\u00ad", "agent\u2011bob", "user-ｕ", "kb-two\ufeff", "*",
    "agent-*", "%", "_", "agent-b_b", "agent-bo%", "", " ",
]  # fmt: skip


@pytest.mark.parametrize("caller", ["agent", "in a channel", "reads kb", "admin"])
def test_br5_a_look_alike_is_no_name(world: World, caller: str) -> None:
    """BR5 BR4: letters that look like a name's are refused or as never written; nothing is folded or trimmed to it."""
    who = CALLERS[caller]
    for name in LOOK_ALIKES:
        origin = {"origin": who.origin} if who.origin is not None else {}
        found = world.send("POST", "/v1/recall", who=who.token, body={"query": "plan", "slices": [name], **origin})
        _tells_nothing(found)
        assert found.status == 422 or (found.body["hits"], found.body["slices_read"]) == ([], []), name
        body = {"slice": name, "pages": [{"slug": "n", "content": "x"}], **origin}
        assert world.send("POST", "/v1/pages", who=who.token, body=body).status in {403, 422}, name


RAW_BODIES = [
    b'{"query": "plan", "slices": ["agent-ada"], "slices": ["agent-bob"]}',
    b'{"query": "plan", "slices": ["agent-ada"], "slice\\u0073": ["agent-bob"]}',
    b'{"query": "plan", "slices": "agent-bob"}',
    b'{"query": "plan", "slices": {"0": "agent-bob"}}', b'{"query": "plan", "slices": [["agent-bob"]]}',
    b'{"query": "plan", "slices": [null]}', b'{"query": "plan", "slices": [{"slice": "agent-bob"}]}',
    b'{"query": ["plan"], "slices": ["agent-bob"]}', b'{"query": "plan", "slices": ["agent-bob"], "limit": 1e2}',
    b'{"query": "plan", "slices": ["agent-bob"], "limit": 99999999999999999999999}',
    b'{"query": "plan", "slices": ["agent-bob"], "limit": "10"}', b'{"query": "plan", "slices": true}',
    b'{"query": "plan", "slices": ["agent-bob"], "saved_by": ["bob"]}', b'[{"query": "plan", "slices": ["agent-bob"]}]',
    b'{"query": "plan", "slices": ["agent-bob"], "as_of": 0}',
    b'{"query": "plan", "slices": ["agent-bob"], "limit": 10.0}',
    b'{"query": "plan", "slices": ["agent-bob\\u0000"]}', b'{"query": "plan", "slices": ["agent-bob\\ud800"]}',
    b'\xef\xbb\xbf{"query": "plan", "slices": ["agent-bob"], "x": 1}', b'{"query": "plan", "slices": ["agent-bob"]} {}',
    b'{"query": "plan", "slices": ["agent-bob"], "__proto__": {"slices": ["agent-bob"]}}',
]  # fmt: skip


def test_br5_no_trick_of_json_widens(world: World) -> None:
    """BR5: names given twice, numbers and lists of the wrong kind, and what stands behind are refused with a code."""
    for raw in RAW_BODIES:
        for who in ("agent", "gateway", "reads shared"):
            answer = world.send("POST", "/v1/recall", who=who, body=raw)
            assert answer.status == 422, (raw, answer.raw)
            _tells_nothing(answer)


def test_br5_no_slices_is_never_every_slice(world: World) -> None:
    """BR5: an empty list is none; a missing one or null all that an agent reads, and an error from a gateway."""
    for body in ({"query": "plan"}, {"query": "plan", "slices": None}):
        read = set(world.send("POST", "/v1/recall", who="agent", body=body).body["slices_read"])
        assert read == {"agent-ada", "agent-olda", "kb-one", "public", "shared"}
        asked = {**body, "origin": in_channel(ANN)}
        assert world.send("POST", "/v1/recall", who="gateway", body=asked).status == 422
    nothing = world.send("POST", "/v1/recall", who="agent", body={"query": "plan", "slices": []}).body
    assert (nothing["hits"], nothing["slices_read"]) == ([], [])


@pytest.mark.parametrize("caller", list(CALLERS))
def test_sc9_a_foreign_slice_beside_ones_own_is_left_out(world: World, caller: str) -> None:
    """SC9 BR4: named together with what may be read, what may not is not in hits, in what was read, or in links."""
    who = CALLERS[caller]
    names = [name for place, name in PLACES.items() if place != "system"]
    allowed = {PLACES[place] for place, said in READ[caller].items() if said == "r"}
    body = {"query": "rotation plan", "slices": names, "limit": 200}
    found = world.send("POST", "/v1/recall", who=who.token, body=who.signed(body)).body
    assert {hit["slice"] for hit in found["hits"]} == set(found["slices_read"]) == allowed
    start = "&" if who.origin is not None else "?"
    listed = world.send("GET", f"/v1/pages{query(who)}{start}slices={','.join(names)}&limit=200", who=who.token).body
    assert {page["slice"] for page in listed["items"]} == allowed
    page = world.send("GET", f"/v1/pages/public/m{query(who)}{start}slices={','.join(names)}", who=who.token)
    if "public" in allowed:
        assert {link["slice"] for link in page.body["backlinks"]} == allowed


def _reached(world: World, origin: Any, *, who: str = "gateway") -> set[str]:
    """Return what a gateway reads with an origin, of all there is."""
    body = {"query": "rotation plan", "slices": sorted(set(PLACES.values()) - {"_system"}), "limit": 200}
    answer = world.send("POST", "/v1/recall", who=who, body={**body, "origin": origin})
    return {hit["slice"] for hit in answer.body["hits"]} if answer.status == 200 else {str(answer.status)}


def _changed(origin: dict[str, Any], part: str, **fields: Any) -> dict[str, Any]:
    return {**origin, part: {**origin[part], **fields}}


TEAM = {"agent-ada", "agent-olda", "kb-one", "shared", "public"}
ORIGINS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "Ann's private turn": (in_private(ANN), TEAM | {ANN.slice}),
    "Ben's private turn is Ben's alone": (in_private(BEN), TEAM | {BEN.slice}),
    "a person of a team that is not the gateway's": (in_private(XEN), {"public"}),
    "that person, said to be of ours": (
        _changed(in_private(Person("T1", XEN.user)), "person", enterprise="T2"), {"public"},
    ),
    "an enterprise named like a team of ours": (_changed(in_private(ANN), "person", enterprise="T2"), {"public"}),
    "a place of another team": (_changed(in_private(ANN), "place", team="T2"), {"public"}),
    "private, in a trusted channel that the brain knows": (
        _changed(in_private(ANN), "place", channel="C-KNOWN"), {"public"},
    ),
    "private, in a private channel": (_changed(in_private(ANN), "place", channel="G-SOME"), {"public"}),
    "private, in a group": (_changed(in_private(ANN), "place", kind="mpim"), {"public"}),
    "private, in the background": (_changed(in_private(ANN), "place", surface="background"), {"public"}),
    "private, and shared outside": (_changed(in_private(ANN), "place", external=True), {"public"}),
    "private, without a person": ({"place": in_private(ANN)["place"]}, {"public"}),
    "a guest in private": (_changed(in_private(ANN), "person", standing="guest"), {"public"}),
    "not private, in a direct message": (_changed(in_private(ANN), "place", private=False), {"public"}),
    "a person without a place": ({"person": in_private(ANN)["person"]}, {"public"}),
    "an unknown surface": (_changed(in_channel(ANN), "place", surface="BACKGROUND"), TEAM),
    "a kind that raises": (_changed(in_channel(ANN), "place", channel="G-SOME", kind="private"), {"public"}),
    "guests in the channel": (_changed(in_channel(ANN), "place", guests=True), {"public"}),
}  # fmt: skip
"""What a gateway may say of where a call comes from, and all that it reads then, whatever it names (SC1-SC9)."""


@pytest.mark.parametrize("said", ORIGINS)
def test_sc8_sc9_no_origin_widens(world: World, said: str) -> None:
    """SC8 SC9 OO7 ID11: whatever is said of person and place, a private corner opens to its person in private alone."""
    world.do(world.operator.set_policy(trusted_channels=["T1:C-KNOWN"]))
    origin, reached = ORIGINS[said]
    assert _reached(world, origin) == reached
    assert _reached(world, origin, who="no rights") <= reached - {ANN.slice, BEN.slice}


def test_br2_an_origin_is_a_gateways_alone(world: World) -> None:
    """BR2: an agent, a reader or an admin that says on whose behalf it calls is refused, whatever it names."""
    for who in ("agent", "reads shared", "reads kb", "admin"):
        for slices in ([ANN.slice], ["public"], ["user"]):
            body = {"query": "plan", "slices": slices, "origin": in_private(ANN)}
            answer = world.send("POST", "/v1/recall", who=who, body=body)
            assert (answer.status, answer.code) == (403, "not_permitted")


def test_br2_the_words_for_ones_own_mean_nobody_elses(world: World) -> None:
    """BR2: `mine` is an agent's word and `user` means the origin's person; beside another's name both stay so."""
    for origin in (in_channel(BEN), in_private(BEN)):
        read = world.send("GET", f"/v1/pages/user/n{query(Caller('gateway', origin))}&slices=user", who="gateway")
        assert (read.status == 200) == bool(origin["place"].get("private"))
        if read.status == 200:
            assert read.body["slice"] == BEN.slice
    body = {"slice": ANN.slice, "pages": [{"slug": "n", "content": "x"}], "origin": in_private(BEN)}
    assert world.send("POST", "/v1/pages", who="gateway", body=body).status == 403
    for who in ("gateway", "reads shared", "admin"):
        said = query(CALLERS["in a channel"]) + "&slices=shared" if who == "gateway" else ""
        assert world.send("GET", f"/v1/pages/mine/n{said}", who=who).status == 422


def test_sc7_a_gateway_tells_of_its_own_teams_alone(world: World) -> None:
    """SC7 BR2: what is said of another team's place or person, in any field, is refused and changes nothing."""
    before = world.send("GET", "/v1/policy", who="admin").body
    for body in (
        {"place": {"team": "T2", "channel": DEPLOYS["channel"], "external": True}},
        {"person": {"team": "T2", "user": XEN.user, "deactivated": True}},
        {"place": {"team": "T1", "channel": "C1"}, "person": {"team": "T2", "user": XEN.user, "deactivated": True}},
    ):
        assert world.send("POST", "/v1/observed", who="gateway", body=body).status == 403
    by = {"team": "T1", "user": "U-MAN"}
    for team, manager in (("T2", by), ("T1", {**by, "team": "T2"}), ("T1", {**by, "user": "U-ANN"})):
        trust = {"team": team, "channel": "C1", "trust": "trusted", "by": manager}
        assert world.send("POST", "/v1/policy/channels", who="gateway", body=trust).code == "not_eligible"
    assert json.dumps(before) == json.dumps(world.send("GET", "/v1/policy", who="admin").body)
