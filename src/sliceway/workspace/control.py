"""The control API under `/_control/`, by which tests, scripts and the demo make people do things. It wants the key."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Handler

from sliceway.core.traces import frames_of
from sliceway.errors import Conflict, NotFound, SlicewayError
from sliceway.web.guard import check_key
from sliceway.web.problems import as_error, problem
from sliceway.workspace import changing, control_views, pressing, saying, suggesting
from sliceway.workspace import control_bodies as bodies
from sliceway.workspace.backstage import Backstage
from sliceway.workspace.clock import seconds_of
from sliceway.workspace.faults import faults_from
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Json
from sliceway.workspace.refusals import SlackRefusal
from sliceway.workspace.stream import Streams
from sliceway.workspace.transport import Delivery, Retry

KEY_HEADER = "X-Workspace-Key"
log = logging.getLogger(__name__)


class Control:
    """The verbs of the control API."""

    def __init__(self, hub: Hub, key: str, streams: Streams) -> None:
        """Take the workspace, the key that was printed at its start, and the pages that listen."""
        self._hub = hub
        self._key = key
        self._streams = streams

    def application(self) -> web.Application:
        """Return the sub-application with every verb."""
        app = web.Application(middlewares=[self._answers])
        posts: dict[str, Callable[[web.Request], Awaitable[Json]]] = {
            "say": self._say,
            "edit": self._edit,
            "delete": self._delete,
            "command": self._command,
            "click": self._click,
            "suggest": self._suggest,
            "submit": self._submit,
            "close": self._close,
            "open_home": self._open_home,
            "person": self._person,
            "channel": self._channel,
            "faults": self._faults,
            "disconnect": self._disconnect,
            "clock": self._clock,
            "request_url": self._request_url,
            "deliver": self._deliver,
            "crash": self._crash,
            "ask_other": self._ask_other,
        }
        for name, verb in posts.items():
            app.router.add_post(f"/{name}", _as_handler(verb))
        for name, look in control_views.LOOKS.items():
            app.router.add_get(f"/{name}", _as_look(look, self._hub))
        app.router.add_get("/stream", self._streams.handle)
        app.on_shutdown.append(self._streams.close)
        return app

    @web.middleware
    async def _answers(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Check the key and give every refusal the one shape `{ok: false, error, detail}`."""
        try:
            check_key(request.headers.get(KEY_HEADER), self._key)
            return await handler(request)
        except SlackRefusal as refusal:
            return web.json_response(refusal.answer)
        except SlicewayError as error:
            return _refused(error)
        except web.HTTPException as error:
            return _refused(as_error(error))
        except Exception as error:
            log.error("%s failed: %s", request.path, frames_of(error))
            log.debug("%s failed", request.path, exc_info=error)
            return _refused(as_error(error))

    async def _say(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Say)
        message = saying.say(self._hub, body.user, body.channel, body.text, body.thread_ts)
        return {"ts": message.ts, "channel": message.channel}

    async def _edit(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Edit)
        saying.edit(self._hub, body.user, body.channel, body.ts, body.text)
        return {}

    async def _delete(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Delete)
        saying.delete(self._hub, body.user, body.channel, body.ts)
        return {}

    async def _command(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Command)
        outcome = await pressing.command(self._hub, body.user, body.channel, body.command, body.text, body.thread_ts)
        return outcome.shape

    async def _click(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Click)
        what = pressing.Press(body.action_id, body.block_id, body.value, body.values)
        if isinstance(body.place, str):
            return (await pressing.click_view(self._hub, body.user, body.place, what)).shape
        return (await pressing.click_message(self._hub, body.user, *body.place, what)).shape

    async def _suggest(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Suggest)
        what = pressing.Press(body.action_id, body.block_id, body.value)
        return (await suggesting.suggest(self._hub, body.user, body.place, what)).shape

    async def _submit(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Submit)
        return (await pressing.submit(self._hub, body.user, body.view_id, body.values)).shape

    async def _close(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Close)
        outcome = await pressing.close(self._hub, body.user, body.view_id, body.clear)
        return outcome.shape if outcome else {"told": False}

    async def _open_home(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.OpenHome)
        channel, view = changing.open_home(self._hub, body.user)
        return {"channel": channel, "view_id": view}

    async def _person(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.PersonChange)
        changing.change_person(self._hub, body.user, body.deleted, body.role)
        return {}

    async def _channel(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.ChannelChange)
        place = changing.change_channel(self._hub, body.channel, body.kind, body.invite, body.remove)
        return {"members": list(place.members)}

    async def _faults(self, request: web.Request) -> Json:
        faults = faults_from(await bodies.json_of(request))
        self._hub.faults.replace(faults)
        self._hub.revoked.clear()  # a new plan begins with tokens that work
        self._hub.workspace.put_app(self._hub.workspace.app)  # so that every page shows the plan in force
        return {"faults": len(faults)}

    async def _disconnect(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Disconnect)
        told = len(self._hub.sockets)
        await self._hub.sockets.disconnect(body.reason)
        return {"told": told}

    async def _clock(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Advance)
        self._hub.workspace.clock.advance(seconds_of(body.advance))
        return {"now": self._hub.workspace.clock.now()}

    async def _request_url(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.RequestUrl)
        control_views.set_request_url(self._hub, body.url)
        return {"url": body.url}

    async def _deliver(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.Deliver)
        if not self._hub.postman.connected:
            raise Conflict("No app is connected: let it open a socket, or name its address with /_control/request_url.")
        retry = None if body.retry_num is None else Retry(body.retry_num, body.retry_reason)
        answer = await self._hub.postman.ask(Delivery(body.type, body.payload), retry)
        return {"acked": answer.taken, "status": answer.status, "body": answer.body, "error": answer.error}

    async def _crash(self, request: web.Request) -> Json:
        await bodies.body_of(request, bodies.Nothing)
        return await self._behind().crash()

    async def _ask_other(self, request: web.Request) -> Json:
        body = await bodies.body_of(request, bodies.AskOther)
        return await self._behind().ask_other(body.query)

    def _behind(self) -> Backstage:
        if self._hub.backstage is None:
            raise NotFound("Nobody here holds the app's process; `sliceway demo` does.")
        return self._hub.backstage


def _as_handler(verb: Callable[[web.Request], Awaitable[Json]]) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        return web.json_response({"ok": True, **await verb(request)})

    return handle


def _as_look(look: control_views.Look, hub: Hub) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        return web.json_response({"ok": True, **look(hub, request.query)})

    return handle


def _refused(error: SlicewayError) -> web.Response:
    document = problem(error)
    answer = {"ok": False, "error": error.code, "detail": error.detail}
    return web.json_response(answer | {k: v for k, v in document.items() if k == "errors"}, status=error.status)
