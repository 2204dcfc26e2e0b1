"""A model behind an address that speaks as OpenAI's embeddings do: a provider's, or one of the house's own."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import httpx
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_random_exponential,
)  # fmt: skip

from sliceway.core.vectors import packed
from sliceway.embed.memory import QueryMemory
from sliceway.errors import Unavailable
from sliceway.ports.embedder import Embedder, Vector

_AT_ONCE = 64
"""Texts in one request."""
_LETTERS = 100_000
"""Characters in one request, about: providers refuse what is longer."""
_PAGES_S = 30.0
_QUERY_S = 4.0
"""Seconds that a request for pages, and one for a question, may take: somebody waits for the second."""
_TRIES = 4
_LONGEST_WAIT_S = 20.0
_PASSING = frozenset({408, 409, 429, 500, 502, 503, 504})


class _Passing(Unavailable):
    """The address did not answer this time."""

    def __init__(self, detail: str, after: float | None = None) -> None:
        super().__init__(detail)
        self.after = after


class Endpoint(Embedder):
    """Texts go to `url`/embeddings; the key is shown there and nowhere else (CF3)."""

    def __init__(
        self,
        model: str,
        url: str,
        key: str | None = None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Ask nothing yet.

        :param url: as providers give it, `https://…/v1`. :param transport: for tests.
        """
        self._model, self._url = model, url.rstrip("/")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.AsyncClient(
            headers=headers, transport=transport, timeout=httpx.Timeout(_PAGES_S, connect=3.0), follow_redirects=False,
            trust_env=False,
        )  # fmt: skip
        self._sleep = sleep
        self._memory = QueryMemory()

    @property
    def name(self) -> str:
        """See `Embedder.name`."""
        return f"openai:{self._model}"

    @property
    def key(self) -> str:
        """See `Embedder.key`."""
        where = hashlib.sha256(f"{self._url}\n{self._model}".encode()).hexdigest()
        return f"openai-{where[:12]}"

    @property
    def loaded(self) -> bool:
        """See `Embedder.loaded`: there is nothing to load."""
        return True

    async def load(self) -> None:
        """See `Embedder.load`."""

    async def embed_pages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """See `Embedder.embed_pages`."""
        found: list[Vector] = []
        start = 0
        while start < len(texts):
            end, letters = start + 1, len(texts[start])
            while end < len(texts) and end - start < _AT_ONCE and letters + len(texts[end]) <= _LETTERS:
                letters += len(texts[end])
                end += 1
            found.extend(await self._asked(texts[start:end], tries=_TRIES, timeout=_PAGES_S))
            start = end
        return found

    async def embed_query(self, text: str) -> Vector:
        """See `Embedder.embed_query`."""
        known = self._memory.of(text)
        if known is not None:
            return known
        try:
            async with asyncio.timeout(_QUERY_S):
                [vector] = await self._asked([text], tries=2, timeout=_QUERY_S)
        except TimeoutError as error:
            raise Unavailable(f"The embedding model at {self._url} does not answer in {_QUERY_S:.0f} s.") from error
        return self._memory.keep(text, vector)

    async def close(self) -> None:
        """See `Embedder.close`."""
        await self._client.aclose()

    async def _asked(self, texts: Sequence[str], *, tries: int, timeout: float) -> list[Vector]:  # noqa: ASYNC109
        async for attempt in AsyncRetrying(
            stop=stop_after_attempt(tries), wait=_waits, retry=retry_if_exception_type(_Passing), reraise=True,
            sleep=self._sleep,
        ):  # fmt: skip
            with attempt:
                return await self._once(texts, timeout)
        raise AssertionError("tenacity ends by an answer or an error")

    async def _once(self, texts: Sequence[str], timeout: float) -> list[Vector]:  # noqa: ASYNC109
        body = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        try:
            answer = await self._client.post(f"{self._url}/embeddings", json=body, timeout=timeout)
        except httpx.HTTPError as error:
            raise _Passing(f"The embedding model at {self._url} does not answer: {type(error).__name__}.") from error
        if answer.status_code in _PASSING:
            raise _Passing(f"The embedding model at {self._url} answers {answer.status_code}.", _after(answer))
        if answer.status_code != 200:
            raise Unavailable(
                f"The embedding model at {self._url} refuses with {answer.status_code}; check SLICEWAY_EMBED__MODEL, "
                "SLICEWAY_EMBED__URL and SLICEWAY_EMBED__KEY."
            )
        try:
            listed: list[dict[str, Any]] = sorted(answer.json()["data"], key=lambda one: int(one["index"]))
            vectors = [packed(one["embedding"]) for one in listed]
        except (ValueError, KeyError, TypeError) as error:
            raise Unavailable(f"What answers at {self._url} is no embedding model.") from error
        if len(vectors) != len(texts):
            raise Unavailable(f"The embedding model at {self._url} gave {len(vectors)} vectors for {len(texts)} texts.")
        return vectors


def _after(answer: httpx.Response) -> float | None:
    """Return the seconds that the answer asks to wait, None where it names none."""
    try:
        return max(0.0, float(answer.headers.get("Retry-After", "")))
    except ValueError:
        return None


_jittered = wait_random_exponential(multiplier=0.5, max=_LONGEST_WAIT_S)


def _waits(state: RetryCallState) -> float:
    """Return how long to wait before the next try: what the answer asks for, within reason, else a while."""
    error = state.outcome.exception() if state.outcome is not None else None
    if isinstance(error, _Passing) and error.after is not None:
        return min(error.after, _LONGEST_WAIT_S)
    return _jittered(state)
