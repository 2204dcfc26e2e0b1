"""One call over HTTP: sent, tried again where that is safe, and given up by its deadline (CL1)."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential

from sliceway.client.answers import document, result_of
from sliceway.client.patience import Pace, Patience
from sliceway.client.refusals import error_from
from sliceway.client.repeats import Trouble, may_repeat
from sliceway.client.requests import Request
from sliceway.errors import RateLimited, SlicewayError, TooManyRequests, Unavailable
from sliceway.wire.routes import NDJSON

log = logging.getLogger(__name__)

MOST_BYTES = 64 * 1024 * 1024
"""Bytes of an answer, at most: a part of a list holds at most 200 entries of bounded size."""
_JSON, _PROBLEM = "application/json", "application/problem+json"
_STREAM_SECONDS = 600.0
"""Seconds between two bytes of what streams: a brain takes in what it was sent before it reads on."""
_BACKOFF = wait_random_exponential(multiplier=0.1, max=2)
_IN_FRONT = frozenset({HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT})
"""What something in front of a brain answers when the brain went away meanwhile."""


class _Failed(Exception):
    """One attempt brought no result: what became of it, and the error that says so to the caller."""

    def __init__(self, trouble: Trouble, error: SlicewayError, *, after: float = 0.0, stale: bool = False) -> None:
        super().__init__(error.detail)
        self.trouble, self.error, self.after, self.stale = trouble, error, after, stale


@dataclass
class Exchange:
    """A call under way. `unsure`: an earlier attempt of it may have been carried out."""

    request: Request
    deadline: float
    unsure: bool = False


class Wire:
    """The connections to one brain."""

    def __init__(self, client: httpx.AsyncClient, address: str, patience: Patience, pace: Pace) -> None:
        """Take the client, which holds the token, and the address as it may be shown."""
        self._client, self._address = client, address
        self._patience, self._pace = patience, pace

    async def send(self, exchange: Exchange) -> Any:
        """Return what the port's method returns.

        :raises Unavailable: no answer of a brain came in time. :raises SlicewayError: what the brain refused with.
        """
        until = self._pace.seconds() + exchange.deadline

        def is_over(state: RetryCallState) -> bool:
            pause = state.upcoming_sleep
            return state.attempt_number > self._patience.retries or self._pace.seconds() + pause >= until

        def is_worth_it(error: BaseException) -> bool:
            return isinstance(error, _Failed) and self._again(exchange, error)

        retrying = AsyncRetrying(
            sleep=self._pace.sleep, stop=is_over, wait=_pause, retry=retry_if_exception(is_worth_it), reraise=True
        )
        try:
            async for attempt in retrying:
                with attempt:
                    return await self._attempt(exchange, until)
        except _Failed as failed:
            raise failed.error from failed.__cause__
        raise AssertionError("an attempt ends with a result or an error")

    def _again(self, exchange: Exchange, failed: _Failed) -> bool:
        request = exchange.request
        again = may_repeat(request.call, request.fields, failed.trouble)
        if again:
            log.debug("%s is tried again: %s", request.call, failed.error.detail)
        return again

    async def _attempt(self, exchange: Exchange, until: float) -> Any:
        """Make one attempt; at once a second one where a kept connection turns out to be closed by the server."""
        try:
            return await self._once(exchange, until)
        except _Failed as failed:
            if not failed.stale or not self._again(exchange, failed):
                raise
        return await self._once(exchange, until)

    async def _once(self, exchange: Exchange, until: float) -> Any:
        if self._client.is_closed:
            raise Unavailable(f"The door to {self._address} was closed by this program; open it again.")
        seen = _Seen()
        try:
            response, body = await self._exchanged(exchange.request, until, seen)
            return self._result(exchange.request, response, body)
        except _Failed as failed:
            exchange.unsure |= failed.trouble is Trouble.LOST
            raise
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            none = self._no_answer(error, seen, exchange.deadline)
            exchange.unsure |= none.trouble is Trouble.LOST
            raise none from error

    async def _exchanged(self, request: Request, until: float, seen: _Seen) -> tuple[httpx.Response, bytes]:
        """Send a request and return the answer, whole."""
        left = max(until - self._pace.seconds(), 0.001)
        timeout = httpx.Timeout(left, connect=min(left, self._patience.connect_timeout))
        made = self._client.build_request(
            request.method, request.target, content=request.body, headers=request.headers, timeout=timeout,
            extensions={"trace": seen.trace},
        )  # fmt: skip
        async with asyncio.timeout(left):  # the timeouts of httpx are each from byte to byte
            response = await self._client.send(made, stream=True)
            try:
                return response, await self._body(response)
            finally:
                await response.aclose()

    async def _body(self, response: httpx.Response) -> bytes:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise self._wrong(response, "an encoding that was not asked for")
        parts, size = [], 0
        async for part in response.aiter_raw():
            parts.append(part)
            size += len(part)
            if size > MOST_BYTES:
                raise self._wrong(response, f"more than {MOST_BYTES // 1024 // 1024} MiB")
        return b"".join(parts)

    @asynccontextmanager
    async def opened(
        self, request: Request, *, content: AsyncIterable[bytes] | None = None
    ) -> AsyncIterator[httpx.Response]:
        """Send a request, once, and give its answer while it still arrives; what streams is made again by nobody.

        :param content: what goes in.
        :raises Unavailable: no whole answer of a brain came. :raises SlicewayError: what the brain refused with.
        """
        seen = _Seen()
        headers = {"Content-Type": NDJSON} if content is not None else {}
        made = self._client.build_request(
            request.method, request.target, content=content, headers=headers,
            timeout=httpx.Timeout(_STREAM_SECONDS, connect=self._patience.connect_timeout),
            extensions={"trace": seen.trace},
        )  # fmt: skip
        try:
            response = await self._client.send(made, stream=True)
            try:
                if response.status_code not in request.route.statuses:
                    self._result(request, response, await self._body(response))
                yield response
            finally:
                await response.aclose()
        except _Failed as failed:
            raise failed.error from failed.__cause__
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._no_answer(error, seen, _STREAM_SECONDS).error from error

    async def answered(self, request: Request, response: httpx.Response) -> Any:
        """Return the result in an answer that `opened` gave.

        :raises Unavailable: it is none.
        """
        try:
            return self._result(request, response, await self._body(response))
        except _Failed as failed:
            raise failed.error from failed.__cause__

    def _result(self, request: Request, response: httpx.Response, body: bytes) -> Any:
        """Return the result that an answer holds.

        :raises _Failed: it may come later, or the answer is not a brain's. :raises SlicewayError: it is a refusal.
        """
        status = response.status_code
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        try:
            if status in request.route.statuses and kind == _JSON:
                return result_of(request.route, document(body))
            error = (
                error_from(status, document(body)) if status >= HTTPStatus.BAD_REQUEST and kind == _PROBLEM else None
            )
        except ValueError as wrong:
            raise self._wrong(response, "JSON that says something else") from wrong
        if status == HTTPStatus.TOO_MANY_REQUESTS and (error is None or type(error) in _PASSING):
            said = error or RateLimited(f"{self._where} takes no more calls now; try again later.")
            raise _Failed(Trouble.REFUSED, said, after=self._after(response))
        if status == HTTPStatus.SERVICE_UNAVAILABLE or (status in _IN_FRONT and error is None):
            said = error or Unavailable(f"{self._where} is not there for now (HTTP {status}); try again later.")
            raise _Failed(Trouble.LOST, said, after=self._after(response))
        if error is not None:
            raise error
        if response.is_redirect:
            raise self._wrong(response, "a redirect, and a token goes nowhere else")
        raise self._wrong(response, kind or "no type of content")

    def _no_answer(self, error: Exception, seen: _Seen, deadline: float) -> _Failed:
        """Return what it means that no whole answer came."""
        if isinstance(error, TimeoutError | httpx.ReadTimeout | httpx.WriteTimeout):
            said = Unavailable(f"{self._where} did not answer within {deadline:g} s; try again later.")
            sent = seen.connected or not isinstance(error, TimeoutError)
            return _Failed(Trouble.LOST if sent else Trouble.NOT_SENT, said)
        if isinstance(error, httpx.ConnectError) and _about_tls(error):
            said = Unavailable(f"{self._where} shows a certificate that is not trusted here; nothing was sent.")
            return _Failed(Trouble.WRONG, said)
        if isinstance(error, httpx.PoolTimeout):
            said = Unavailable(f"All connections to {self._address} are busy; raise brain.pool_size or call less.")
            return _Failed(Trouble.NOT_SENT, said)
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError):
            said = Unavailable(f"{self._where} cannot be reached; check that it runs and that brain.url is right.")
            return _Failed(Trouble.NOT_SENT, said)
        if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
            said = Unavailable(f"{self._where} ended the connection before its answer was whole; try again later.")
            return _Failed(Trouble.LOST, said, stale=not seen.fresh and not seen.answered)
        return _Failed(Trouble.WRONG, Unavailable(f"{self._where} cannot be called: {type(error).__name__}."))

    def _wrong(self, response: httpx.Response, what: str) -> _Failed:
        """Return what it means that the answer is not a brain's."""
        words = (
            f"{self._where} gave an answer that is not a brain's (HTTP {response.status_code}, {what[:80]}); "
            "check that brain.url leads to a brain's server, and to nothing in between."
        )
        return _Failed(Trouble.WRONG, Unavailable(words))

    @property
    def _where(self) -> str:
        return f"The brain at {self._address}"

    def _after(self, response: httpx.Response) -> float:
        """Return the seconds that `Retry-After` asks for, given in seconds or as a date; 0 where it says nothing."""
        said = response.headers.get("retry-after", "").strip()
        try:
            return max(float(int(said)), 0.0)
        except ValueError:
            pass
        try:
            until = parsedate_to_datetime(said)
        except ValueError:
            return 0.0
        until = until if until.tzinfo is not None else until.replace(tzinfo=UTC)
        return max((until - self._pace.wall()).total_seconds(), 0.0)


_PASSING = frozenset({RateLimited, TooManyRequests})
"""What passes by itself; `too_many_pending` does not."""


class _Seen:
    """What an attempt came to, as the connection tells it."""

    def __init__(self) -> None:
        self.fresh = self.connected = self.answered = False

    async def trace(self, name: str, _info: Mapping[str, Any]) -> None:
        """Note what happens."""
        self.fresh |= name.startswith("connection.connect_")
        self.connected |= name.endswith("send_request_headers.started")
        self.answered |= name.endswith("receive_response_headers.complete")


def _pause(state: RetryCallState) -> float:
    """Return how long to wait before the next attempt: at least as long as was asked for, and never all at once."""
    error = state.outcome.exception() if state.outcome is not None else None
    return (error.after if isinstance(error, _Failed) else 0.0) + _BACKOFF(state)


def _about_tls(error: BaseException) -> bool:
    """Say whether a connection failed for what the other side showed."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False
