"""The workspace as a server, in this process: `async with running_workspace() as ws`."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

from sliceway.web.guard import guard
from sliceway.web.problems import problems
from sliceway.web.request_ids import request_ids
from sliceway.web.serving import LOOPBACK_ADDRESS, bound, port_of, served
from sliceway.workspace.api import WebApi
from sliceway.workspace.backstage import Backstage
from sliceway.workspace.clock import VirtualClock
from sliceway.workspace.control import Control
from sliceway.workspace.control_views import set_request_url
from sliceway.workspace.faults import Fault, FaultPlan
from sliceway.workspace.hub import Hub
from sliceway.workspace.keeping import kept
from sliceway.workspace.landings import Landings
from sliceway.workspace.model import Workspace
from sliceway.workspace.options import Options
from sliceway.workspace.page_door import PageDoor
from sliceway.workspace.postman import Postman
from sliceway.workspace.replying import ResponseUrlDoor
from sliceway.workspace.response_urls import ResponseUrls
from sliceway.workspace.seed import Tokens, seeded
from sliceway.workspace.socket_transport import EitherTransport, SocketTransport
from sliceway.workspace.sockets import PATH, Sockets
from sliceway.workspace.stream import Streams
from sliceway.workspace.tickets import Tickets
from sliceway.workspace.transport import HttpTransport
from sliceway.workspace.triggers import Triggers

DEFAULT = Options()
LARGEST_BODY = 8 * 1024 * 1024  # bytes


@dataclass(frozen=True, slots=True)
class RunningWorkspace:
    """A workspace that is being served."""

    url: str
    key: str = field(repr=False)
    hub: Hub = field(repr=False)

    @property
    def api_url(self) -> str:
        """What a bot takes as `SLACK_API_URL`."""
        return f"{self.url}/api/"

    @property
    def page_url(self) -> str:
        """Where a person opens the page, key included: for their eyes and their browser only."""
        return f"{self.url}/#key={self.key}"

    @property
    def model(self) -> Workspace:
        """The state itself, to read and to watch."""
        return self.hub.workspace

    @property
    def tokens(self) -> Tokens:
        """What the app proves itself with."""
        return self.hub.tokens

    def connect(self, request_url: str | None) -> None:
        """Name the app's address for deliveries over HTTP; None: no app is connected."""
        set_request_url(self.hub, request_url)

    async def settled(self) -> None:
        """Return when no delivery is on its first try."""
        await self.hub.postman.settled()


@asynccontextmanager
async def running_workspace(
    *,
    port: int = 0,
    faults: Iterable[Fault] = (),
    request_url: str | None = None,
    options: Options = DEFAULT,
    wall: Callable[[], float] = time.time,
    landings: Landings | None = None,
    keep: Path | None = None,
    backstage: Backstage | None = None,
) -> AsyncIterator[RunningWorkspace]:
    """Serve a workspace, freshly seeded or as it was kept, on 127.0.0.1 while the context is open.

    :param port: 1-65535, or 0 for any free one.
    :param faults: what goes wrong from the start.
    :param request_url: where the app takes events, interactions and commands.
    :param options: how it behaves where nobody could confirm what Slack does.
    :param wall: where real time comes from (Unix seconds).
    :param landings: tells the page where memories landed; without it the page shows no such panel.
    :param keep: the file to go on from and to keep people, places and messages in.
    :param backstage: crashes the app and asks another agent, where somebody can.
    :raises PortTaken: another program listens on that port. :raises BootError: `keep` is no file of a workspace.
    """
    listener = bound(port)
    url = f"http://{LOOPBACK_ADDRESS}:{port_of(listener)}"
    key = secrets.token_urlsafe(24)
    hub = _hub(url, VirtualClock(wall), FaultPlan(faults), options, backstage)
    running = RunningWorkspace(url, key, hub)
    running.connect(request_url)
    try:
        async with kept(hub.workspace, keep), served(_application(running, landings), listener, until_hung_up=True):
            yield running
    finally:
        listener.close()
        await hub.postman.close()


def _hub(url: str, clock: VirtualClock, faults: FaultPlan, options: Options, backstage: Backstage | None) -> Hub:
    workspace, tokens = seeded(clock), Tokens.fresh()

    def shown_anew() -> None:  # so that every page shows what may still happen, and whether a bot is there
        workspace.put_app(workspace.app)

    faults.watch(shown_anew)
    tickets = Tickets(clock, reusable=options.reusable_tickets)
    sockets = Sockets(workspace.app.id, clock, tickets, moved=shown_anew)
    by_http = HttpTransport(lambda: workspace.app.request_url, tokens.signing_secret, clock)
    transport = EitherTransport(SocketTransport(sockets), by_http)
    return Hub(
        workspace=workspace,
        postman=Postman(transport, faults, clock),
        faults=faults,
        tokens=tokens,
        triggers=Triggers(clock),
        response_urls=ResponseUrls(clock),
        sockets=sockets,
        url=url,
        options=options,
        backstage=backstage,
    )


def _application(running: RunningWorkspace, landings: Landings | None) -> web.Application:
    async def hang_up(_app: web.Application) -> None:
        await running.hub.sockets.close()

    api, responses, page = WebApi(running.hub), ResponseUrlDoor(running.hub), PageDoor()
    control = Control(running.hub, running.key, Streams(running.hub, landings))
    app = web.Application(middlewares=[request_ids, problems, guard()], client_max_size=LARGEST_BODY)
    app.router.add_get("/", page.first)
    app.router.add_get("/page/{name}", page.part)
    app.router.add_route("GET", "/api/{method}", api.handle)
    app.router.add_route("POST", "/api/{method}", api.handle)
    app.router.add_post("/response/{secret}", responses.handle)
    app.router.add_get(PATH, running.hub.sockets.serve)
    app.on_shutdown.append(hang_up)
    app.add_subapp("/_control", control.application())
    return app
