"""CL1: what is tried again, after what, how soon, and when it is given up."""

from __future__ import annotations

import inspect
import json
from datetime import timedelta
from email.utils import format_datetime

import httpx
import pytest
import respx

from sliceway.client.repeats import IF_LOST, REPEATS, Repeat, Trouble, may_repeat
from sliceway.errors import NotFound, RateLimited, TooManyPending, Unavailable
from sliceway.ports import Brain
from sliceway.wire.routes import ROUTES, STREAMS
from tests.unit.client.conftest import LISTING, WRITTEN, Time, problem

PAGE = {"slug": "n", "content": "text"}
GOOD = httpx.Response(200, json=LISTING)


def test_cl1_every_call_says_whether_it_may_be_made_again() -> None:
    """CL1: a route or a method of the port that nobody classified fails here; what streams
    is never made again, and rebuilding and mounting are done where the store is."""
    methods = {name for name, _ in inspect.getmembers(Brain, inspect.isfunction) if not name.startswith("_")}
    assert set(REPEATS) == {route.call for route in ROUTES} | {"card_posted"}
    assert methods - set(REPEATS) == {route.call for route in STREAMS} | {"rebuild", "mount", "unmount", "mounts"}


def test_cl1_a_write_is_repeated_only_for_its_request_id() -> None:
    """CL1: what is retried because of a `request_id` has that field, and what has it is retried for it."""
    carrying = {route.call for route in ROUTES if "request_id" in route.fields.model_fields}
    assert carrying == {call for call, why in REPEATS.items() if why is Repeat.BY_REQUEST_ID}


@pytest.mark.parametrize("call", sorted(REPEATS))
def test_cl1_what_surely_was_not_taken_is_always_tried_again(call: str) -> None:
    """CL1: without a connection, or with too many calls, nothing was done; what answered wrongly will do so again."""
    assert may_repeat(call, {}, Trouble.NOT_SENT)
    assert may_repeat(call, {}, Trouble.REFUSED)
    assert not may_repeat(call, {"origin": {"turn": "t"}}, Trouble.WRONG)


def test_cl1_a_lost_answer_is_asked_for_again_where_twice_is_once() -> None:
    """CL1: a secret is never made twice; a denial is reported again only for a turn, which keeps it once."""
    lost = {call for call in REPEATS if not may_repeat(call, {}, Trouble.LOST)}
    assert lost == {"create_token", "rotate_token", "report_denial"}
    assert set(IF_LOST) == {call for call, why in REPEATS.items() if why is Repeat.NEVER}
    assert may_repeat("report_denial", {"origin": {"turn": "t"}}, Trouble.LOST)


@pytest.mark.parametrize(
    "trouble",
    [
        httpx.ConnectError("refused"),
        httpx.ConnectTimeout("slow"),
        httpx.PoolTimeout("busy"),
        httpx.ReadError("reset"),
        httpx.RemoteProtocolError("cut"),
        httpx.Response(503),
        httpx.Response(502, html="<h1>bad gateway</h1>"),
        httpx.Response(429, headers={"Retry-After": "0"}),
        problem(503, "unavailable"),
        problem(429, "rate_limited"),
    ],
    ids=lambda one: f"{type(one).__name__}{getattr(one, 'status_code', '')}",
)
async def test_cl1_passing_trouble_is_waited_out(
    server: respx.MockRouter, brain: Brain, time: Time, trouble: Exception | httpx.Response
) -> None:
    """CL1: the call is made again after a growing, never equal pause, and its answer is the caller's."""
    route = server.get("/v1/pages").mock(side_effect=[trouble, trouble, GOOD])
    assert (await brain.list_pages()).items == ()
    assert route.call_count == 3
    assert all(0 <= pause <= 2 for pause in time.slept)


async def test_cl1_the_pauses_grow_and_are_jittered(server: respx.MockRouter, brain: Brain, time: Time) -> None:
    """CL1: exponential backoff: each pause lies below its own ceiling, and no two clients come back together."""
    server.get("/v1/pages").mock(side_effect=httpx.ConnectError("refused"))
    seen = set()
    for _ in range(20):
        time.slept.clear()
        with pytest.raises(Unavailable):
            await brain.list_pages()
        assert len(time.slept) == 3
        assert all(pause <= ceiling for pause, ceiling in zip(time.slept, (0.1, 0.2, 0.4), strict=True))
        seen.add(tuple(time.slept))
    assert len(seen) == 20


async def test_cl1_a_write_carries_one_request_id_through_all_attempts(
    server: respx.MockRouter, brain: Brain
) -> None:  # fmt: skip
    """CL1 BR6: the client makes the id where the caller gave none, once for the call and anew for the next one."""
    lost = httpx.RemoteProtocolError("cut")
    route = server.post("/v1/pages").mock(
        side_effect=[lost, lost, httpx.Response(200, json=WRITTEN), httpx.Response(200, json=WRITTEN)]
    )
    await brain.write_pages(slice="mine", pages=[PAGE])
    await brain.write_pages(slice="mine", pages=[PAGE], request_id="mine-1")
    sent = [json.loads(call.request.content)["request_id"] for call in route.calls]
    assert sent[0] == sent[1] == sent[2] != sent[3]
    assert sent[3] == "mine-1"


@pytest.mark.parametrize(
    ("said", "waits"), [("2", 2.0), ("0", 0.0), ("-3", 0.0), ("soon", 0.0), ("", 0.0)], ids=lambda one: repr(one)
)
async def test_cl1_retry_after_in_seconds_is_waited_for(
    server: respx.MockRouter, brain: Brain, time: Time, said: str, waits: float
) -> None:
    """CL1: at least as long as was asked for, and not much longer; what says nothing is no time."""
    server.get("/v1/pages").mock(side_effect=[httpx.Response(429, headers={"Retry-After": said}), GOOD])
    await brain.list_pages()
    assert waits <= time.slept[0] <= waits + 0.1


async def test_cl1_retry_after_as_a_date_is_waited_for(
    server: respx.MockRouter, brain: Brain, time: Time
) -> None:  # fmt: skip
    """CL1: an HTTP date counts from the clock on the wall; one that has passed is no time."""
    for ahead, waits in ((3, 3.0), (-60, 0.0)):
        date = format_datetime(time.clock() + timedelta(seconds=ahead), usegmt=True)
        server.get("/v1/pages").mock(side_effect=[httpx.Response(503, headers={"Retry-After": date}), GOOD])
        time.slept.clear()
        await brain.list_pages()
        assert waits - 1 <= time.slept[0] <= waits + 0.1


async def test_cl1_a_retry_after_past_the_deadline_is_not_waited_for(
    server: respx.MockRouter, brain: Brain, time: Time
) -> None:
    """CL1: who is told to come back later than the call may take hears so at once, with the typed refusal."""
    later = problem(429, "rate_limited", retry_after=3600)
    later.headers["Retry-After"] = "3600"
    route = server.get("/v1/pages").mock(return_value=later)
    server.post("/v1/recall").mock(return_value=httpx.Response(503, headers={"Retry-After": "3600"}))
    with pytest.raises(RateLimited) as refused:
        await brain.list_pages()
    assert refused.value.facts == {"retry_after": 3600}
    with pytest.raises(Unavailable):
        await brain.recall(query="x")
    assert (time.slept, route.call_count) == ([], 1)


async def test_cl1_the_deadline_bounds_all_attempts(server: respx.MockRouter, brain: Brain, time: Time) -> None:
    """CL1 CL3: whatever is left to try, a call ends by `brain.deadline`; a long poll has its wait beside."""

    def slow(_request: httpx.Request) -> httpx.Response:
        time.now += 4
        return httpx.Response(503)

    route = server.get(url__regex=r".*").mock(side_effect=slow)
    with pytest.raises(Unavailable):
        await brain.list_pages()
    assert (route.call_count, time.now < 13) == (3, True)
    with pytest.raises(Unavailable):
        await brain.changes(wait=30)
    assert route.call_count == 7


async def test_cl1_what_does_not_pass_is_not_tried_again(server: respx.MockRouter, brain: Brain) -> None:
    """CL1: too many waiting proposals is a 429 that waiting here does not cure; a refusal is an answer."""
    route = server.post("/v1/pages").mock(return_value=problem(429, "too_many_pending", limit=5))
    with pytest.raises(TooManyPending):
        await brain.write_pages(slice="shared", pages=[PAGE])
    assert route.call_count == 1
    route = server.get("/v1/pages/mine/n").mock(return_value=problem(404, "not_found"))
    with pytest.raises(NotFound):
        await brain.read_page(slice="mine", slug="n")
    assert route.call_count == 1


async def test_cl1_a_secret_is_not_made_twice(server: respx.MockRouter, brain: Brain) -> None:
    """CL1: after a lost answer or a 503 a token may exist; the caller is told, and nothing is sent again."""
    for lost in (httpx.ReadError("reset"), httpx.Response(503), httpx.ReadTimeout("slow")):
        made = server.post("/v1/tokens").mock(side_effect=[lost, GOOD])
        with pytest.raises(Unavailable):
            await brain.create_token(kind="admin")
        assert made.call_count == 1
        made.reset()
