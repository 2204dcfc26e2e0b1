"""Connections that hold a server up end, there are only so many, and what is no HTTP is answered in our words."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from sliceway.web.connections import Bounds
from sliceway.web.problems import problems
from sliceway.web.serving import bound, port_of, served

END_S = 20.0
_HEAD = b"GET /ok HTTP/1.1\r\nHost: localhost\r\n"
_BODY = b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
_MUCH = 64 * 1024 * 1024


@dataclass
class Site:
    """A server with one page that answers, one that reads its body, one that never does, and one that says much."""

    port: int = 0
    lost: asyncio.Event = field(default_factory=asyncio.Event)


@asynccontextmanager
async def site(bounds: Bounds) -> AsyncIterator[Site]:
    """Serve with small bounds."""
    known = Site()

    async def ok(_request: web.Request) -> web.Response:
        return web.Response(text="ok")

    async def read(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(text="read")

    async def much(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        try:
            for _ in range(_MUCH // 2**16):
                await answer.write(b"x" * 2**16)
        except ConnectionError:
            known.lost.set()
            raise
        return answer

    app = web.Application(middlewares=[problems])
    app.router.add_get("/ok", ok)
    app.router.add_post("/ok", ok)
    app.router.add_post("/read", read)
    app.router.add_get("/much", much)
    listener = bound(0)
    known.port = port_of(listener)
    async with served(app, listener, bounds=bounds):
        yield known


class Raw:
    """A connection on which anything may be sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def all(self) -> bytes:
        """Return what comes until the server ends the connection."""
        try:
            return await asyncio.wait_for(self.reader.read(), END_S)
        except ConnectionResetError:
            return b""

    async def answer(self) -> bytes:
        """Return one answer with a length, whole."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), END_S)
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        return head + await self.reader.readexactly(length)


@asynccontextmanager
async def raw(port: int) -> AsyncIterator[Raw]:
    """Open a connection, and close it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Raw(reader, writer)
    finally:
        writer.close()


@pytest.mark.parametrize("sent", [b"", b"GET", _HEAD, _HEAD + b"X-Slow: 1"], ids=["nothing", "word", "head", "header"])
async def test_a_connection_that_sends_no_whole_head_is_closed(sent: bytes) -> None:
    """Slow loris: a connection without a whole head of a request ends after its time."""
    async with site(Bounds(idle=0.2)) as known, raw(known.port) as one:
        one.writer.write(sent)
        assert await one.all() == b""


async def test_a_connection_that_drips_is_closed_too() -> None:
    """Slow loris: one byte of a header again and again gains no time."""

    async def drip(writer: asyncio.StreamWriter) -> None:
        writer.write(_HEAD + b"X-Slow: ")
        while True:
            writer.write(b"b")
            await writer.drain()
            await asyncio.sleep(0)

    async with site(Bounds(idle=0.3, longest_line=2**30)) as known, raw(known.port) as one:
        dripping = asyncio.create_task(drip(one.writer))
        assert await one.all() == b""
        dripping.cancel()
        await asyncio.gather(dripping, return_exceptions=True)


async def test_a_kept_connection_that_says_no_more_is_closed() -> None:
    """An answered connection that stays idle ends after its time, counted from the answer."""
    async with site(Bounds(idle=0.2)) as known, raw(known.port) as one:
        one.writer.write(_HEAD + b"\r\n")
        assert (await one.answer()).endswith(b"ok")
        assert await one.all() == b""


async def test_a_body_that_nobody_reads_and_never_ends_is_not_waited_for() -> None:
    """What is answered without its body waits for the rest of it only so long."""
    async with site(Bounds(lingering=0.2)) as known, raw(known.port) as one:
        one.writer.write(_BODY.replace(b"/read", b"/ok"))
        assert b" 200 OK" in (await one.all()).partition(b"\r\n")[0]


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the kernel here cannot bound it")
async def test_a_connection_that_takes_nothing_of_its_answer_is_closed() -> None:
    """Slow reading: whoever asks for much and takes none of it is let go."""
    async with site(Bounds(stuck=0.3)) as known:
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.setblocking(False)
            await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", known.port))
            await asyncio.get_running_loop().sock_sendall(one, _HEAD.replace(b"/ok", b"/much") + b"\r\n")
            await asyncio.wait_for(known.lost.wait(), END_S)


async def test_there_are_only_so_many_connections(caplog: pytest.LogCaptureFixture) -> None:
    """One more than may be gets a 503 in our words and is closed, whatever it sends; when one goes, the next comes in;
    the log says so once."""
    async with site(Bounds(most=3)) as known, raw(known.port) as one, raw(known.port) as two:
        async with raw(known.port) as three:
            for each in (one, two, three):
                each.writer.write(_HEAD + b"\r\n")
                assert (await each.answer()).endswith(b"ok")
            for _ in range(3):
                async with raw(known.port) as more:
                    more.writer.write(_HEAD + b"\r\n")
                    head, _, body = (await more.all()).partition(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.1 503 ")
                assert b"\r\nRetry-After: 1\r\n" in head
                assert json.loads(body)["code"] == "unavailable"
            one.writer.write(_HEAD + b"\r\n")
            assert (await one.answer()).endswith(b"ok")
        while True:  # the third one's end takes its turn of the loop
            async with raw(known.port) as next_one:
                next_one.writer.write(_HEAD + b"\r\n")
                if b" 200 OK" in await next_one.answer():
                    break
    assert len([record for record in caplog.records if "as many as may be" in record.message]) == 1


async def test_many_at_once_over_the_bound_do_no_harm() -> None:
    """A crowd over the bound is sent away, and those who are in are served."""
    async with site(Bounds(most=2)) as known, raw(known.port) as one:
        one.writer.write(_HEAD + b"\r\n")
        await one.answer()
        crowd = [await asyncio.open_connection("127.0.0.1", known.port) for _ in range(150)]
        one.writer.write(_HEAD + b"\r\n")
        assert (await one.answer()).endswith(b"ok")
        for _, writer in crowd:
            writer.close()


MALFORMED = [
    b"\x16\x03\x01\x02\x00\x01\x00secret-bytes", b"secret-bytes\r\n\r\n", b"GET /secret-bytes HTTP/9\r\n\r\n",
    b"GET /ok HTTP/1.1\r\nsecret-bytes\r\n\r\n", b"GET /ok HTTP/1.1\r\nHost: a\r\nsecret bytes: b\r\n\r\n",
    b"GET /ok HTTP/1.1\r\nContent-Length: secret-bytes\r\n\r\n",
    b"POST /ok HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nsecret-bytes",
    b"GET /" + b"secret-bytes" * 2000 + b" HTTP/1.1\r\n\r\n", _HEAD + b"X: " + b"secret-bytes" * 2000 + b"\r\n\r\n",
    _HEAD + b"".join(b"X-%d: secret-bytes\r\n" % at for at in range(500)) + b"\r\n",
]  # fmt: skip


@pytest.mark.parametrize("sent", MALFORMED, ids=range(len(MALFORMED)))
async def test_br14_what_is_no_http_is_answered_in_our_words(sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """BR14 OP3: a problem document that repeats nothing and names no software; no line above debug, whoever floods."""
    caplog.set_level(logging.DEBUG)
    async with site(Bounds()) as known, raw(known.port) as one:
        one.writer.write(sent)
        head, _, body = (await one.all()).partition(b"\r\n\r\n")
    assert head.split()[1] == b"400"
    assert b"aiohttp" not in head
    assert json.loads(body)["code"] == "malformed_request"
    assert b"secret" not in head + body
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []
    assert "secret" not in caplog.text
