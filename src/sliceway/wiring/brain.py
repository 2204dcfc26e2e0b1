"""A brain's server put together: one store, served to whoever shows a token."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

from sliceway.server.app import Parts, brain_application
from sliceway.server.health import Health
from sliceway.server.running import Running
from sliceway.settings import Settings
from sliceway.web.connections import Bounds
from sliceway.web.guard import LOOPBACK
from sliceway.web.serving import bound, port_of, served
from sliceway.wiring.embedding import embedding, embedding_facts
from sliceway.wiring.fresh import ended
from sliceway.wiring.store import keeper_of, migrations, open_store, prepare_policy

DEFAULT_PORT = 3100
"""Where a brain's server listens if nothing says otherwise; `server.port` is 3000 for a gateway."""
_LONGEST_LINE = 64 * 1024  # an origin and a list of slices stand in the query of a read


@dataclass(frozen=True, slots=True)
class RunningBrain:
    """A brain that is being served."""

    url: str


@asynccontextmanager
async def running_brain(settings: Settings, *, host: str, port: int) -> AsyncIterator[RunningBrain]:
    """Serve the store of the settings while the context is open; then let what runs end.

    :param host: where to listen. :param port: 0 for any free one.
    :raises SettingsError: the settings name a brain elsewhere. :raises PortTaken: another program listens there.
    :raises Unavailable: the store cannot be used.
    """
    async with AsyncExitStack() as stack:
        listener = bound(port, host)
        stack.callback(listener.close)
        door = await stack.enter_async_context(await open_store(settings, waits=False))
        await prepare_policy(settings, door)
        keeper = asyncio.create_task(keeper_of(settings, door).run(), name="keeper")
        stack.push_async_callback(ended, keeper)
        await stack.enter_async_context(embedding(door))
        schema = partial(migrations, door)
        health = Health(
            door.store, schema=schema, keeper=keeper, counts=door.proposals_by_state,
            embedding=partial(embedding_facts, door),
        )  # fmt: skip
        stack.push_async_callback(health.close)
        parts = Parts(
            enter=door.enter, principal_of=door.principal_of, ready=health.facts, gauges=health.gauges,
            hosts=LOOPBACK | {host.lower(), *settings.server.hosts}, rate=settings.server.rate_limit,
        )  # fmt: skip
        running = Running()
        app = brain_application(parts, running)
        bounds = Bounds(most=settings.server.connections, longest_line=_LONGEST_LINE, unpacks=False)
        await stack.enter_async_context(served(app, listener, until_hung_up=True, bounds=bounds))
        yield RunningBrain(f"http://{host}:{port_of(listener)}")
        await running.stop(settings.server.drain.total_seconds())
