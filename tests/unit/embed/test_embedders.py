"""One suite over everything that embeds, fakes included; the real model runs where it is installed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping

import httpx
import pytest

from sliceway.core.vectors import packed, unpacked
from sliceway.embed.e5 import E5
from sliceway.embed.endpoint import Endpoint
from sliceway.embed.files import file_of
from sliceway.embed.memory import QueryMemory
from sliceway.embed.minilm import MiniLm
from sliceway.errors import Unavailable
from sliceway.ports.embedder import Embedder
from tests.fakes.embedder import FakeEmbedder

KEY = "sk-of-nobody"
HOLIDAY, BUDGET = "She is away on holiday", "The budget was cut"


def answered(request: httpx.Request) -> httpx.Response:
    """Answer as an endpoint does, with the vectors of the fake, out of order."""
    fake = FakeEmbedder()
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    given = json.loads(request.content)
    data = [{"index": at, "embedding": unpacked(fake.vector(text))} for at, text in enumerate(given["input"])]
    return httpx.Response(200, json={"data": data[::-1], "model": given["model"]})


def endpoint(handler: Callable[[httpx.Request], httpx.Response], waited: list[float] | None = None) -> Endpoint:
    """Return an endpoint whose wire is a function, and whose pauses are only noted."""

    async def sleep(seconds: float) -> None:
        (waited if waited is not None else []).append(seconds)

    return Endpoint("some", "https://models.example/v1/", KEY, transport=httpx.MockTransport(handler), sleep=sleep)


MADE: Mapping[str, Callable[[], Embedder]] = {
    "fake": FakeEmbedder, "endpoint": lambda: endpoint(answered), "minilm": MiniLm, "e5": E5,
}  # fmt: skip


@pytest.fixture(params=MADE)
async def embedder(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    """Each of them; e5 is an extra of its own, too large to be brought for one test."""
    if request.param == "e5" and not E5.installed():
        pytest.skip("the extra e5 is not installed")
    made = MADE[request.param]()
    yield made
    await made.close()


async def test_fr3_an_embedder_places_texts_by_meaning(embedder: Embedder) -> None:
    """FR3: vectors are of length one and one size, in the order of the texts, the same each time; what means the same
    is nearer than what does not; loading twice is once."""
    await embedder.load()
    await embedder.load()
    assert embedder.loaded
    holiday, budget = map(unpacked, await embedder.embed_pages([HOLIDAY, BUDGET]))
    query = unpacked(await embedder.embed_query("vacation days"))
    assert len(holiday) == len(budget) == len(query) > 1
    assert sum(one * one for one in holiday) == pytest.approx(1, abs=1e-5)
    near, far = (sum(a * b for a, b in zip(query, page, strict=True)) for page in (holiday, budget))
    assert near > far
    assert unpacked(await embedder.embed_query("vacation days")) == query
    [alone] = await embedder.embed_pages([BUDGET])
    assert unpacked(alone) == pytest.approx(budget, abs=1e-3)  # a batch is padded, and rounds otherwise
    assert list(await embedder.embed_pages([])) == []


def test_fr3_no_two_models_share_a_key() -> None:
    """FR3: vectors are kept under the model, its weights and, for an endpoint, its address."""
    other = Endpoint("some", "https://other.example/v1", KEY)
    assert len({made().key for made in MADE.values()} | {other.key}) == len(MADE) + 1


async def test_fr7_an_endpoint_that_fails_for_a_while_is_asked_again() -> None:
    """FR7: what passes is waited for as the answer asks, pages longer than a question; then it is an outage."""
    answers = iter(
        [httpx.Response(429, headers={"Retry-After": "7"}), httpx.Response(503, headers={"Retry-After": "1"})]
    )
    waited: list[float] = []
    made = endpoint(lambda request: next(answers, None) or answered(request), waited)
    assert len(await made.embed_pages([HOLIDAY])) == 1
    assert waited == [7, 1]
    with pytest.raises(Unavailable, match="503"):
        await endpoint(lambda _: httpx.Response(503, headers={"Retry-After": "0"})).embed_query("x")


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(401, json={"error": KEY}),
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json={"data": []}),
        httpx.Response(200, json={"data": [{"index": 0, "embedding": [0.0, 0.0]}]}),
        httpx.Response(200, json={"data": [{"index": 0, "embedding": ["1", None]}]}),
    ],
)
async def test_fr7_an_endpoint_that_answers_wrongly_is_an_outage(answer: httpx.Response) -> None:
    """FR7 CF3: a refusal or an answer that is no vector is said once, at once, without the key."""
    asked: list[httpx.Request] = []

    def answering(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return answer

    with pytest.raises(Unavailable) as caught:
        await endpoint(answering).embed_pages([HOLIDAY])
    assert len(asked) == 1
    assert KEY not in str(caught.value)


async def test_fr3_an_endpoint_is_asked_for_so_much_at_once() -> None:
    """FR3: long lists are several requests, whose answers stand in order."""
    sizes: list[int] = []

    def count(request: httpx.Request) -> httpx.Response:
        sizes.append(len(json.loads(request.content)["input"]))
        return answered(request)

    texts = [f"note {at}" for at in range(100)]
    found = await endpoint(count).embed_pages([*texts, "x" * 150_000])
    assert sizes == [64, 36, 1]
    assert [unpacked(one) for one in found[:100]] == [
        pytest.approx(unpacked(FakeEmbedder().vector(text))) for text in texts
    ]


def test_fr7_weights_that_are_not_the_known_ones_are_not_run() -> None:
    """FR7: a file of a model that is missing or another is refused with the cure."""
    for package, name in (("tests", "conftest.py"), ("tests", "nothing.onnx"), ("no_such_package", "x")):
        with pytest.raises(Unavailable, match="semantic"):
            file_of(package, name, "0" * 64)


def test_fr3_the_latest_questions_are_remembered() -> None:
    """FR3: a question asked lately is not embedded again; the oldest is forgotten."""
    memory = QueryMemory(most=2)
    one, two, three = packed([1, 0]), packed([0, 1]), packed([1, 1])
    memory.keep("one", one)
    memory.keep("two", two)
    assert memory.of("one") == one
    memory.keep("three", three)
    assert (memory.of("one"), memory.of("two"), memory.of("three")) == (one, None, three)
