"""What a brain's server takes and refuses on the wire, and that its description of itself is true."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import jsonschema
import pytest
from yarl import URL

from sliceway.server.openapi import openapi
from sliceway.wire.routes import ROUTES, STREAMS, Route
from tests.contract.people import ANN, in_channel, in_private
from tests.e2e.brain_server import Answer, Served, brain_server, call, make_tokens

_OPEN = ("/healthz", "/readyz", "/metrics", "/openapi.json")
_RECALL = {"query": "rollback"}


@dataclass(frozen=True)
class Wire:
    """A server that all tests of this file share, and its tokens."""

    served: Served
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One server with a token of each kind."""
    folder = tmp_path_factory.mktemp("wire")
    tokens = asyncio.run(make_tokens(folder))
    with brain_server(folder, SLICEWAY_SERVER__RATE_LIMIT="100000") as served:
        yield Wire(served, tokens)


class Caller:
    """A client of the shared server."""

    def __init__(self, wire: Wire, session: aiohttp.ClientSession) -> None:
        """Call as `ada` unless told otherwise."""
        self.wire = wire
        self._session = session

    async def __call__(self, method: str, path: str, *, who: str | None = "ada", **more: Any) -> Answer:
        """Send one request."""
        token = self.wire.tokens[who] if who is not None else None
        return await call(self._session, method, self.wire.served.url + path, token=token, **more)


@pytest.fixture
async def send(wire: Wire) -> AsyncIterator[Caller]:
    """A way to send requests."""
    async with aiohttp.ClientSession() as session:
        yield Caller(wire, session)


def filled(route: Route) -> str:
    """Return a route's path with something in its fields."""
    return route.path.format(slice="shared", slug="a%2Fb", id="nothing", turn="nothing")


@pytest.mark.parametrize("route", [*ROUTES, *STREAMS], ids=lambda route: route.call)
async def test_br2_no_call_is_answered_without_a_token(send: Caller, route: Route) -> None:
    """BR2: missing or odd headers are `unauthorized` on every route, in one form, before anything else is looked at."""
    seen = set()
    for header in (None, "Bearer", "Basic eDp5", "Bearer slw_x", f"Token {send.wire.tokens['admin']}",
                   f"Bearer {send.wire.tokens['ada'][:-1]}x"):  # fmt: skip
        headers = {"Authorization": header} if header is not None else {}
        answer = await send(
            route.method, filled(route), who=None, headers=headers, body=None if route.in_query else b"{"
        )
        assert (answer.status, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert answer.headers["Content-Type"].startswith("application/problem+json")
        seen.add(answer.raw)
    assert len(seen) == 1


@pytest.mark.parametrize("who", ["admin", "ada", "gateway", "reader"])
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.call)
async def test_br14_every_call_answers_in_our_own_words(send: Caller, route: Route, who: str) -> None:
    """BR14: whoever calls with nothing in hand gets an answer or a problem document with a code, never a 5xx."""
    body = None if route.in_query else b"{}"
    if route.call in {"rotate_token", "revoke_token"}:
        assert (await send(route.method, filled(route), who="ada", body=body)).status == 403
    answer = await send(route.method, filled(route), who=who, body=body)
    assert answer.status < 500
    assert answer.headers["X-Request-Id"]
    assert answer.headers["Cache-Control"] == "no-store"
    if answer.status >= 400:
        assert answer.headers["Content-Type"].startswith("application/problem+json")
        assert answer.body["status"] == answer.status
        assert answer.body["code"]


@pytest.mark.parametrize(
    ("headers", "body", "status", "code"),
    [
        ({"Content-Type": "text/plain"}, b"{}", 415, "unsupported_media_type"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, b"query=x", 415, "unsupported_media_type"),
        ({"Content-Type": "application/json; charset=latin-1"}, b"{}", 415, "unsupported_media_type"),
        ({"Content-Type": "application/json; charset=utf-8; x=1"}, b"{}", 415, "unsupported_media_type"),
        ({"Content-Encoding": "gzip"}, gzip.compress(b'{"query": "x"}', mtime=0), 415, "unsupported_media_type"),
        ({"Content-Encoding": "gzip"}, gzip.compress(b"{" * 2**26, mtime=0), 415, "unsupported_media_type"),
        ({"Content-Encoding": "br"}, b"{}", 415, "unsupported_media_type"),
        ({}, b'{"query": "' + b"x" * (8 * 2**20) + b'"}', 413, "too_large"),
        ({}, b"{" * 10_000, 422, "invalid_request"),
        ({}, b'{"query": "x", "query": "y"}', 422, "invalid_request"),
        ({}, b'{"query": "x", "limit": NaN}', 422, "invalid_request"),
        ({}, b'{"query": "\\ud800"}', 422, "invalid_request"),
        ({}, b'{"query": "a\\u0000b"}', 422, "invalid_request"),
        ({}, b'{"query": "x", "limit": ' + b"9" * 5000 + b"}", 422, "invalid_request"),
        ({}, b"[]", 422, "invalid_request"),
        ({}, b"\xff", 422, "invalid_request"),
        ({}, b'{"query": "x", "self": 1}', 422, "invalid_request"),
        ({"Content-Type": 'application/json; charset="UTF-8"'}, b'{"query": "x"}', 200, None),
        ({"Content-Encoding": "identity"}, b'{"query": "x"}', 200, None),
    ],
    ids=lambda value: str(len(value)) if isinstance(value, bytes) else str(value),
)  # fmt: skip
async def test_br5_a_body_is_plain_json_or_refused(
    send: Caller, headers: dict[str, str], body: bytes, status: int, code: str | None
) -> None:
    """BR5: other types, encodings and sizes, and JSON that is not sound, are refused with a code of their own."""
    answer = await send("POST", "/v1/recall", body=body, headers=headers)
    assert (answer.status, answer.body.get("code")) == (status, code)


async def test_a_body_without_a_length_is_bounded_too(send: Caller) -> None:
    """What is sent in chunks is cut off at the same size."""

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield b"x" * 2**16

    answer = await send("POST", "/v1/recall", body=endless())
    assert (answer.status, answer.body["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        ("/v1/pages?limit=0&nothing=1", {("limit", "invalid_request"), ("nothing", "unknown_field")}),
        ("/v1/pages?limit=1&limit=2", {("limit", "duplicate_field")}),
        ("/v1/pages?origin=%7B%22turn%22%3A%20NaN%7D", {("body", "not_json")}),
        ("/v1/pages/shared/A", {("slug", "invalid_slug")}),
        ("/v1/pages/shared/a%252Fb", {("slug", "invalid_slug")}),
        ("/v1/pages/shared/a%FF", {("slug", "invalid_request")}),
        ("/v1/pages/shared/" + "a" * 3000, {("slug", "invalid_request")}),
        ("/v1/changes?wait=61", {("wait", "invalid_request")}),
        ("/v1/proposals?state=gone", {("state", "invalid_request")}),
    ],
)
async def test_br5_an_address_is_as_strict(send: Caller, path: str, wrong: set[tuple[str, str]]) -> None:
    """BR5: what stands in path or query is checked like a body."""
    answer = await send("GET", path)
    assert (answer.status, answer.wrong) == (422, wrong)


async def test_a_long_query_is_read(send: Caller) -> None:
    """An origin and many slices fit in the query of a read."""
    many = ",".join(f"kb-{number:050}" for number in range(400))
    assert (await send("GET", f"/v1/pages?slices={many}")).status == 200


async def test_a_read_with_a_body_is_refused(send: Caller) -> None:
    """What a GET would pass over in silence is refused (BR5)."""
    answer = await send("GET", "/v1/whoami", body=b"{}")
    assert (answer.status, answer.wrong) == (422, {("body", "unknown_field")})


_POST = b"POST /v1/recall HTTP/1.1\r\nHost: localhost\r\n%sContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "raw",
    [
        _POST + b"Content-Length: 9\r\n\r\n{",
        _POST + b"Transfer-Encoding: chunked\r\n\r\nz\r\n",
        _POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nz\r\n",
        b"NONSENSE\r\n\r\n",
        b"GET /v1/\x00 HTTP/1.1\r\nHost: localhost\r\n%s\r\n",
        b"GET /v1/pages/%%ff%%fe/%%c0%%af HTTP/1.1\r\nHost: localhost\r\n%s\r\n",
        b"GET /v1/pages/\xff\xfe/a HTTP/1.1\r\nHost: localhost\r\n%s\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n%s",
    ],
    ids=["cut short", "bad chunk", "bad chunk later", "no request", "nul", "percent", "bytes", "long line"],
)
async def test_broken_requests_leave_the_server_well(send: Caller, raw: bytes) -> None:
    """What is no whole request gets a 4xx or a closed connection, and nothing is logged as an accident of ours."""
    address = URL(send.wire.served.url)
    shown = b"Authorization: Bearer %s\r\n" % send.wire.tokens["ada"].encode()
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(raw % shown if b"%s" in raw else raw)
    writer.write_eof()
    answer = await asyncio.wait_for(reader.read(), 30)
    writer.close()
    assert not answer or answer.split(b" ", 2)[1].startswith(b"4")
    assert (await send("GET", "/healthz")).status == 200
    assert b"aiohttp" not in answer
    log = send.wire.served.log.read_text()
    assert not any(word in log for word in ("failed", "ERROR", "Traceback", "aiohttp"))


async def test_what_needs_no_token_tells_nothing(send: Caller) -> None:
    """Four pages are open; every other address is none."""
    for path in _OPEN:
        assert (await send("GET", path, who=None)).status == 200
    assert (await send("GET", "/v1", who=None)).body["code"] == "not_found"
    assert (await send("PATCH", "/v1/pages", who=None)).headers["Allow"] == "GET, POST"


def closed(schema: Any) -> Any:
    """Return a schema under which an object has no fields but those named."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    more = {"additionalProperties": False} if "properties" in schema and schema.get("type") == "object" else {}
    return {**{name: closed(value) for name, value in schema.items()}, **more}


class Described:
    """The answers of a walk, each held against the description of its call."""

    def __init__(self, send: Caller, document: dict[str, Any]) -> None:
        """Take the document that the server gave."""
        self._send = send
        self._document = document
        self.seen: set[str] = set()

    async def __call__(self, name: str, who: str, query: str = "", body: Any = None, **fields: str) -> Any:
        """Make a call by its name and return the body of the answer."""
        route = next(route for route in ROUTES if route.call == name)
        path = route.path.format(**{key: value.replace("/", "%2F") for key, value in fields.items()})
        answer = await self._send(route.method, path + query, who=who, body=body)
        assert answer.status in route.statuses, answer.raw
        operation = self._document["paths"][route.path][route.method.lower()]
        schema = operation["responses"][str(answer.status)]["content"]["application/json"]["schema"]
        whole = {**closed(schema), "components": closed(self._document["components"])}
        jsonschema.Draft202012Validator(whole).validate(answer.body)
        self.seen.add(name)
        return answer.body


async def test_each_route_is_described_and_each_answer_is_as_described(send: Caller) -> None:
    """A walk through every call: each answer fits the schema of its status in `/openapi.json`, and has nothing more."""
    document = (await send("GET", "/openapi.json", who=None)).body
    assert document == openapi()
    assert {(route.path, route.method.lower()) for route in (*ROUTES, *STREAMS)} <= {
        (path, method) for path, item in document["paths"].items() for method in item
    }
    ask = Described(send, document)
    place, private = in_channel(ANN, turn="t1"), in_private(ANN)
    one = {"slug": "w/1", "content": "Build 2301 [[w/2]].", "title": "One", "summary": "s", "tags": ["a"], "kind": "k"}
    manager = {"team": "T1", "user": "U-MAN", "name": "Mia"}

    await ask("register", "gateway", body={"display": "Ada", "source": "env"})
    await ask("whoami", "gateway")
    await ask("agents", "admin", "?limit=1")
    await ask("write_pages", "ada", body={"slice": "mine", "pages": [one]})
    await ask(
        "write_pages", "ada", body={"slice": "mine", "pages": [{**one, "content": "Build 2302"}], "request_id": "q"}
    )
    await ask(
        "write_pages", "ada", body={"slice": "mine", "pages": [{**one, "content": "Build 2302"}], "request_id": "q"}
    )
    await ask("write_pages", "gateway", body={"slice": "agent-ada", "pages": [{**one, "slug": "w/3"}], "origin": place})
    await ask("write_pages", "ada", body={"slice": "shared", "pages": [one], "dry_run": True})
    await ask("read_page", "ada", slice="agent-ada", slug="w/1")
    await ask("list_pages", "ada", "?limit=1")
    await ask("versions", "ada", slice="agent-ada", slug="w/1")
    await ask("recall", "ada", body={"query": "2302", "tags": ["a"]})
    gone = await ask("delete", "ada", body={"reason": "why"}, slice="agent-ada", slug="w/1")
    await ask("undo", "ada", body={"expected_event": gone["event_id"]}, slice="agent-ada", slug="w/1")
    await ask("restore", "ada", body={"version": 1}, slice="agent-ada", slug="w/1")
    asked = await ask("write_pages", "gateway", body={"slice": "shared", "pages": [one], "origin": place})
    id = asked["proposal"]["id"]
    await ask("claim_card", "gateway", body={"place": "C1", "holder": "h", "lease_s": 60}, id=id)
    await ask("claim_card", "gateway", body={"place": "C1", "holder": "h", "ref": "1.1"}, id=id)
    await ask("proposal", "gateway", id=id)
    decision = {"decision": "approve", "revision": 1, "decided_by": manager, "grant_seconds": 60}
    decided = await ask("decide", "gateway", body=decision, id=id)
    granted = {"slice": "shared", "pages": [{"slug": "w/2", "content": "granted"}], "origin": place}
    assert (await ask("write_pages", "gateway", body=granted))["receipts"][0]["grant"]
    assert (await ask("grants", "gateway"))["items"]
    await ask("revoke_grant", "gateway", "?by=T1:U-MAN", id=decided["grant"]["id"])
    await ask("propose", "ada", body={"op": "delete", "slice": "shared", "slug": "w/1", "reason": "old"})
    waits = await ask("propose", "gateway", body={"op": "write", "slice": "shared", "pages": [one], "origin": private})
    await ask("send_draft", "gateway", body={"revision": 1, "origin": private}, id=waits["id"])
    mine = await ask("propose", "ada", body={"op": "write", "slice": "public", "pages": [one]})
    await ask("withdraw", "ada", body={"revision": 1}, id=mine["proposal"]["id"])
    await ask("proposals", "admin", "?limit=5")
    changed = await ask("changes", "gateway")
    await ask("changes", "gateway", f"?after={changed['cursor']}&wait=0.01")
    await ask("observe", "gateway", body={"place": {"team": "T1", "channel": "C-X", "external": True}})
    await ask("observe", "gateway", body={"person": {"team": "T1", "user": "U-GONE", "deactivated": True}})
    await ask("set_trust", "gateway", body={"team": "T1", "channel": "C-Y", "trust": "trusted", "by": manager})
    await ask("set_policy", "admin", body={"raised": ["U9"], "grant_for": "2h"})
    await ask("policy", "admin")
    await ask("report_denial", "gateway", body={"op": "write", "slice": "shared", "reason": "r", "origin": place})
    await ask("done_in", "gateway", turn="t1")
    await ask("slices", "ada")
    await ask("audit", "admin")
    await ask("erase", "admin", body={"dry_run": True}, slice="agent-ada", slug="w/3")
    await ask("erase", "admin", body={}, slice="agent-ada", slug="w/3")
    await ask("erase_slice", "admin", body={"dry_run": True}, slice="agent-ada")
    await ask("erase_person", "admin", body={"person": {"team": "T1", "user": "U-GONE"}})
    head = await ask("head", "admin")
    await ask("verify", "admin", body={"since": head["head"]})
    made = await ask("create_token", "admin", body={"kind": "agent", "agent": "cyd", "expires": "30d"})
    await ask("rotate_token", "admin", id=made["id"])
    await ask("tokens", "admin")
    await ask("revoke_token", "admin", id=made["id"])
    await ask("rename_agent", "admin", body={"to": "bea", "display": "Bea"}, id="ada")
    await ask("merge_agent", "admin", body={"mind": "agent-ada"}, id="bea")
    await ask("retire_agent", "admin", body={"dry_run": True}, id="bea")
    await ask("alias_agent", "admin", body={"alias": "agent-old"}, id="bea")
    assert ask.seen == {route.call for route in ROUTES}
