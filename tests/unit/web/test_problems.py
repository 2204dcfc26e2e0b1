"""BR14: what a server answers when something goes wrong."""

from __future__ import annotations

import logging

import aiohttp
import pytest
from aiohttp import web
from multidict import CIMultiDict

from sliceway.errors import FieldError, InvalidRequest, PortTaken, RateLimited
from sliceway.web.guard import guard
from sliceway.web.problems import problem, problems
from sliceway.web.request_ids import REQUEST_ID, request_ids
from sliceway.web.serving import bound, port_of, served


def test_br14_a_problem_document_names_its_code_and_its_fields() -> None:
    """BR14: the document carries status, code, detail, and each wrong field with its own code."""
    document = problem(InvalidRequest(errors=[FieldError("slug", "invalid_slug", "use small letters")]))
    assert document["status"] == 422
    assert document["code"] == "invalid_request"
    assert document["errors"] == [{"field": "slug", "code": "invalid_slug", "detail": "use small letters"}]


def test_facts_never_replace_the_named_members() -> None:
    """BR14: a fact called like a member of the document does not overwrite it."""
    assert problem(InvalidRequest("no", status=200, code="fine"))["status"] == 422


async def _answer(path: str, **headers: str) -> tuple[int, dict[str, object], CIMultiDict[str]]:
    async def broken(_request: web.Request) -> web.Response:
        raise RuntimeError("the password is hunter2")

    async def limited(_request: web.Request) -> web.Response:
        raise RateLimited(retry_after=7)

    async def fine(request: web.Request) -> web.Response:
        return web.json_response({"id": request[REQUEST_ID]})

    app = web.Application(middlewares=[request_ids, problems, guard()])
    for name, handler in (("broken", broken), ("limited", limited), ("fine", fine)):
        app.router.add_get(f"/{name}", handler)
    listener = bound(0)
    url = f"http://127.0.0.1:{port_of(listener)}{path}"
    async with served(app, listener), aiohttp.ClientSession() as http, http.get(url, headers=headers) as response:
        return response.status, await response.json(content_type=None), response.headers.copy()


async def test_br14_internals_never_appear(caplog: pytest.LogCaptureFixture) -> None:
    """BR14, OP3: what nobody foresaw is told in general, and logged under the request's id with the way it came,
    without its message: that may quote people. At debug it is logged whole."""
    caplog.set_level(logging.DEBUG, logger="sliceway.web.problems")
    status, document, headers = await _answer("/broken", **{"X-Request-Id": "abc-1"})
    assert (status, document["code"]) == (500, "error")
    assert "hunter2" not in str(document)
    told, whole = (record for record in caplog.records if record.name == "sliceway.web.problems")
    assert told.levelno == logging.ERROR
    assert "hunter2" not in told.getMessage()
    assert told.exc_info is None
    assert "abc-1" in told.getMessage()
    assert "RuntimeError at web/test_problems.py:" in told.getMessage()
    assert " broken" in told.getMessage()
    assert (whole.levelno, whole.exc_info is not None) == (logging.DEBUG, True)
    assert headers["Content-Type"].startswith("application/problem+json")


async def test_a_wait_is_said_in_the_header() -> None:
    """A refusal that knows when to come back says so in Retry-After."""
    status, document, headers = await _answer("/limited")
    assert (status, document["code"], headers["Retry-After"]) == (429, "rate_limited", "7")


async def test_request_ids_are_echoed_if_sane_and_made_if_not() -> None:
    """The caller's own id comes back; one that could break a log line is replaced."""
    _, _, headers = await _answer("/fine", **{"X-Request-Id": "mine.1"})
    assert headers["X-Request-Id"] == "mine.1"
    _, document, headers = await _answer("/fine", **{"X-Request-Id": "two words"})
    assert headers["X-Request-Id"] == document["id"] != "two words"


async def test_an_unknown_address_is_a_problem_document_too() -> None:
    """BR14: what the router refuses has the same shape as what a handler refuses."""
    status, document, _ = await _answer("/nothing")
    assert (status, document["code"]) == (404, "not_found")


async def test_op5_the_guard_answers_for_the_whole_server() -> None:
    """OP5: a page of another site gets 403 from every address."""
    status, document, _ = await _answer("/fine", Origin="https://evil.example")
    assert (status, document["code"]) == (403, "not_permitted")


def test_a_port_in_use_is_said_in_words() -> None:
    """A second server on one port is told which port, and what to do."""
    first = bound(0)
    try:
        with pytest.raises(PortTaken, match=f"Port {port_of(first)} .* --port"):
            bound(port_of(first))
    finally:
        first.close()
