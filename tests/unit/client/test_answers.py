"""FR7: what is not an answer of a brain is `unavailable`, in words that help, and goes nowhere with the token."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Awaitable, Callable

import httpx
import pytest
import respx

from sliceway.client import open_remote
from sliceway.errors import InvalidRequest, SlicewayError, Unavailable
from sliceway.ports import Brain
from tests.fakes.clock import ids
from tests.unit.client.conftest import ADDRESS, LISTING, TOKEN, WRITTEN, Time, problem

_JSON = {"content-type": "application/json"}
PACKED = gzip.compress(json.dumps(LISTING).encode())


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, html="<h1>welcome</h1>"),
        httpx.Response(200, json=[]),
        httpx.Response(200, json={}),
        httpx.Response(200, json=None),
        httpx.Response(200, json={"items": None, "next_cursor": None}),
        httpx.Response(200, json={"items": [{}], "next_cursor": None}),
        httpx.Response(200, json={"items": "", "next_cursor": None}),
        httpx.Response(200, text="", headers=_JSON),
        httpx.Response(200, text="{", headers=_JSON),
        httpx.Response(200, text='{"items": [], "next_cursor": NaN}', headers=_JSON),
        httpx.Response(200, text="[" * 100_000, headers=_JSON),
        httpx.Response(200, content=b'{"items": [], "next_cursor": "\xff"}', headers=_JSON),
        httpx.Response(200, content=json.dumps(LISTING).encode()),
        httpx.Response(200, content=PACKED, headers={**_JSON, "content-encoding": "gzip"}),
        httpx.Response(201, json=LISTING),
        httpx.Response(204),
        httpx.Response(206, json=LISTING),
        httpx.Response(301, headers={"location": "https://elsewhere.example/"}),
        httpx.Response(307, headers={"location": f"{ADDRESS}/v1/other"}),
        httpx.Response(304),
        httpx.Response(400, html="<h1>bad</h1>"),
        httpx.Response(403, json={"message": "blocked"}),
        httpx.Response(404, text="not here"),
        httpx.Response(407),
        httpx.Response(500, text="oops"),
        httpx.Response(500, json={"code": "error", "detail": "no problem type"}),
        problem(500, "error"),
        problem(501, "strange"),
    ],
    ids=lambda one: f"{one.status_code} {one.headers.get('content-type', '')} {len(one.content)}",
)
async def test_fr7_what_is_no_answer_of_a_brain_is_unavailable(
    server: respx.MockRouter, brain: Brain, time: Time, answer: httpx.Response
) -> None:
    """FR7: pages of something in front, other JSON, redirects and broken bodies are errors, tried no second time."""
    route = server.get("/v1/pages").mock(return_value=answer)
    with pytest.raises(Unavailable) as refused:
        await brain.list_pages()
    assert (type(refused.value), refused.value.status, route.call_count) == (Unavailable, 503, 1)
    assert refused.value.detail


@pytest.mark.parametrize(
    ("said", "call"),
    [
        ({"outcome": "written"}, "write"), ({"outcome": "pending"}, "write"),
        ({"outcome": "done", "receipts": []}, "write"),
        ({}, "head"), ({"head": {"shared": 1}}, "head"), ({}, "denial"), ({"recorded": False}, "denial"),
    ],
)  # fmt: skip
async def test_fr7_a_success_says_what_came_of_it(
    server: respx.MockRouter, brain: Brain, said: dict[str, object], call: str
) -> None:
    """FR7: an answer without receipts, without a proposal, without what was asked for is none."""
    server.route().mock(return_value=httpx.Response(200, json=said))
    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "write": lambda: brain.write_pages(slice="mine", pages=[{"slug": "n", "content": "x"}]),
        "head": brain.head,
        "denial": lambda: brain.report_denial(op="write", slice="shared"),
    }
    with pytest.raises(Unavailable, match="not a brain's"):
        await calls[call]()


async def test_br1_what_a_newer_brain_says_beside_is_left_aside(server: respx.MockRouter, brain: Brain) -> None:
    """BR1: more fields are welcome in an answer."""
    server.post("/v1/pages").mock(return_value=httpx.Response(200, json={**WRITTEN, "mood": "good"}))
    assert (await brain.write_pages(slice="mine", pages=[{"slug": "n", "content": "x"}])).outcome == "written"


async def test_cf3_the_token_is_nowhere_but_in_its_header(
    server: respx.MockRouter, time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    """CF3: neither the door, the brain, an error with all its causes, nor any log line shows the token's secret."""
    caplog.set_level(logging.DEBUG)
    server.get("/v1/whoami").mock(
        side_effect=[httpx.ConnectError("no"), httpx.RemoteProtocolError("cut"), problem(401, "unauthorized")]
    )
    secret = TOKEN.rpartition("_")[2]
    async with open_remote(ADDRESS, TOKEN, pace=time.pace, new_id=ids()) as door:
        brain = door.enter()
        with pytest.raises(SlicewayError) as refused:
            await brain.whoami()
        shown = [repr(door), repr(brain), str(door), repr(vars(door)), repr(refused.value), str(refused.value)]
    cause: BaseException | None = refused.value
    while cause is not None:
        shown += [repr(cause), repr(vars(cause))]
        cause = cause.__cause__ or cause.__context__
    assert server.calls[0].request.headers["authorization"] == f"Bearer {TOKEN}"
    assert not [text for text in (*shown, caplog.text) if secret in text]
    assert all(secret not in str(call.request.url) for call in server.calls)


@pytest.mark.parametrize(
    "address",
    [
        "http://brain.example", "http://10.0.0.7:8080", "https://user:pw@brain.example", "ftp://brain.example", "brain",
        "https://brain.example/?x=1", "https://brain.example/#x", "https://brain.example:port/", "http://", "",
    ],
)  # fmt: skip
def test_cl1_tokens_travel_by_https_or_on_this_machine(address: str) -> None:
    """CL1 CF3: another machine is called by https only, and an address holds neither names nor passwords."""
    with pytest.raises(InvalidRequest) as refused:
        open_remote(address, TOKEN, new_id=ids())
    assert "pw" not in str(refused.value)


@pytest.mark.parametrize("token", ["", "slw a", "slw_\n", "slw_é", "slw_\x00"])
def test_cf3_what_cannot_be_a_token_is_refused_without_being_repeated(token: str) -> None:
    """CF3: a pasted token with white space would break a header, and the error that quotes it would show it."""
    with pytest.raises(InvalidRequest, match="copy it again"):
        open_remote(ADDRESS, token, new_id=ids())


async def test_t15_a_proxy_of_the_environment_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """T15: a proxy cannot reach this machine's loopback, and must not be shown the token."""
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for address, proxied in ((ADDRESS, False), ("http://localhost:4242", False), ("https://brain.example", True)):
        async with open_remote(address, TOKEN, new_id=ids()) as door:
            assert bool(door._client._mounts) is proxied
            assert not door._client.follow_redirects


@pytest.mark.parametrize(
    ("slug", "target"),
    [("a/b", "/v1/pages/agent-ada/a%2Fb"), ("..", "/v1/pages/%2E%2E/n"), ("ü?#&%", "/v1/pages/%C3%BC%3F%23%26%25/n")],
)
async def test_br1_names_arrive_as_they_were_given(
    server: respx.MockRouter, brain: Brain, slug: str, target: str
) -> None:  # fmt: skip
    """BR1: a slash, dots and what means something in an address arrive as the one segment that they are."""
    server.route().mock(return_value=problem(404, "not_found"))
    named = {"slice": "agent-ada", "slug": slug} if slug == "a/b" else {"slice": slug, "slug": "n"}
    with pytest.raises(SlicewayError):
        await brain.read_page(**named)  # type: ignore[arg-type]
    assert server.calls[0].request.url.raw_path.decode() == target


async def test_br5_a_wrong_call_is_refused_before_anything_is_sent(server: respx.MockRouter, brain: Brain) -> None:
    """BR5 BR1: the same models judge at both ends; an unknown keyword is Python's own error, as without a wire."""
    with pytest.raises(InvalidRequest) as refused:
        await brain.write_pages(slice="", pages=[{"slug": "A", "content": "", "mood": 1}])
    assert {error.field for error in refused.value.errors} == {
        "slice",
        "pages.0.slug",
        "pages.0.content",
        "pages.0.mood",
    }
    with pytest.raises(InvalidRequest) as refused:
        await brain.list_pages(slices=["shared,public"])
    assert [error.field for error in refused.value.errors] == ["slices"]
    with pytest.raises(InvalidRequest):
        await brain.set_policy(managers=[object()])
    with pytest.raises(TypeError):
        await brain.recall(q="x")  # type: ignore[call-arg]
    assert not server.calls
