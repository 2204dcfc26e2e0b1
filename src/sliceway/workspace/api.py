"""Slack's Web API under `/api/<method>`: who calls, what goes wrong, the answer, the record."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from aiohttp import web

from sliceway.workspace import api_apps, api_chat, api_conversations, api_people, api_views
from sliceway.workspace.arguments import Arguments, read_arguments
from sliceway.workspace.callers import Caller, Method
from sliceway.workspace.events import revoked_event
from sliceway.workspace.faults import Fault
from sliceway.workspace.hub import Call, Hub
from sliceway.workspace.model import Json
from sliceway.workspace.refusals import SlackRefusal

METHODS: Mapping[str, Method] = {
    **api_apps.METHODS,
    **api_chat.METHODS,
    **api_conversations.METHODS,
    **api_people.METHODS,
    **api_views.METHODS,
}
SCOPES = (
    "app_mentions:read,channels:history,channels:join,channels:read,chat:write,commands,groups:history,groups:read,"
    "im:history,im:read,im:write,mpim:history,mpim:read,mpim:write,reactions:write,team:read,users:read,users:read.email"
)
NO_TOKEN_NEEDED = ("api.test",)


class WebApi:
    """Answers the Web API of one workspace."""

    def __init__(self, hub: Hub) -> None:
        """Take the workspace."""
        self._hub = hub

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one call. Logical errors are HTTP 200 with `ok: false`, as Slack has it."""
        method = request.match_info["method"]
        faults = self._hub.faults.for_call(method)
        for fault in faults:
            if fault.do == "delay" and fault.seconds is not None:
                await self._hub.workspace.clock.sleep(fault.seconds)
        arguments = Arguments(request.query)
        limited = next((fault for fault in faults if fault.do == "rate_limit"), None)
        try:
            arguments = await read_arguments(request)
            answer = self._answer(method, arguments, request.headers.get("Authorization"), faults)
        except SlackRefusal as refusal:
            answer = refusal.answer
        self._hub.calls.append(Call(method, arguments.decoded(), answer, self._hub.workspace.clock.now()))
        if any(fault.do == "drop_reply" for fault in faults) and request.transport is not None:
            request.transport.abort()  # what was done is done; the app sees a connection that broke
        headers = {"x-slack-req-id": secrets.token_hex(16), "x-oauth-scopes": SCOPES}
        if limited is not None:
            return web.json_response(answer, status=429, headers=headers | {"Retry-After": str(limited.retry_after)})
        return web.json_response(answer, headers=headers)

    def _answer(self, method: str, arguments: Arguments, authorization: str | None, faults: list[Fault]) -> Json:
        token = _token(arguments, authorization)
        for fault in faults:
            if fault.do == "rate_limit":
                raise SlackRefusal("ratelimited")
            if fault.do == "error":
                raise SlackRefusal(fault.error or "internal_error")
            if fault.do == "revoke" and token:
                self._revoke(token)
        called = METHODS.get(method)
        if called is None:
            raise SlackRefusal("unknown_method", req_method=method)
        if method in NO_TOKEN_NEEDED:
            caller = Caller("bot", self._hub.workspace.app.bot_user, self._hub.workspace.app.bot_id)
        else:
            caller = self._caller(token, of_the_app=method in api_apps.METHODS)
        return {"ok": True, **called(self._hub, caller, arguments)}

    def _caller(self, token: str | None, *, of_the_app: bool) -> Caller:
        hub, app = self._hub, self._hub.workspace.app
        if not token:
            raise SlackRefusal("not_authed")
        callers = {
            hub.tokens.bot: Caller("bot", app.bot_user, app.bot_id),
            hub.tokens.user: Caller("user", app.acts_as, app.bot_id),
            hub.tokens.app: Caller("app", app.bot_user, app.bot_id),
        }
        if token not in callers:
            raise SlackRefusal("invalid_auth")
        if token in hub.revoked:
            raise SlackRefusal("token_revoked")
        caller = callers[token]
        if (caller.kind == "app") is not of_the_app:
            raise SlackRefusal("not_allowed_token_type")
        if hub.workspace.people[caller.user].deleted:
            raise SlackRefusal("account_inactive")
        return caller

    def _revoke(self, token: str) -> None:
        hub = self._hub
        known = {hub.tokens.bot: "bot", hub.tokens.user: "oauth", hub.tokens.app: None}
        if token not in known or token in hub.revoked:
            return
        hub.revoked.add(token)
        kind = known[token]
        if kind is not None:
            app = hub.workspace.app
            hub.tell_app(revoked_event(kind, app.bot_user if kind == "bot" else app.acts_as))


def _token(arguments: Arguments, authorization: str | None) -> str | None:
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return arguments.text("token")
