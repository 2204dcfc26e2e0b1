"""What the app says through a response URL, or in its acknowledgement of a slash command."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web

from sliceway.workspace.arguments import Arguments
from sliceway.workspace.content import content_of
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Json, Message
from sliceway.workspace.posting import post, remove, revise
from sliceway.workspace.refusals import SlackRefusal
from sliceway.workspace.response_urls import ResponseUrl
from sliceway.workspace.transport import Answer


def show_reply(hub: Hub, user: str, channel: str, answer: Answer) -> str | None:
    """Show what came with the acknowledgement of a command, if anything did; return its timestamp.

    Plain text and JSON with text or blocks are messages, private to the person unless `in_channel` is asked for.
    """
    body = answer.json
    if not body:
        body = {"text": answer.body} if answer.body.strip() and not answer.body.lstrip().startswith("{") else {}
    if not body.get("text") and not body.get("blocks"):
        return None
    try:
        return _new_message(hub, user, channel, body).ts
    except SlackRefusal:
        return None  # Slack drops a malformed acknowledgement without a word to the app


class ResponseUrlDoor:
    """Answers posts to response URLs."""

    def __init__(self, hub: Hub) -> None:
        """Take the workspace."""
        self._hub = hub

    async def handle(self, request: web.Request) -> web.Response:
        """Take one answer of the app: `ok` as plain text, or 404 with why the URL does not work any more."""
        try:
            body = json.loads(await request.read())
        except ValueError:
            return web.json_response({"ok": False, "error": "invalid_payload"}, status=400)
        if not isinstance(body, dict):
            return web.json_response({"ok": False, "error": "invalid_payload"}, status=400)
        try:
            target = self._hub.response_urls.use(request.match_info["secret"])
        except SlackRefusal as refusal:
            return web.json_response(refusal.answer, status=404)
        try:
            _respond(self._hub, target, body)
        except SlackRefusal as refusal:
            return web.json_response(refusal.answer, status=400)
        return web.Response(text="ok")


def _respond(hub: Hub, target: ResponseUrl, body: Json) -> None:
    members = hub.workspace.channels[target.channel].members
    if not hub.options.response_url_anywhere and hub.workspace.app.bot_user not in members:
        raise SlackRefusal("not_in_channel")
    original = hub.workspace.message(target.channel, target.ts) if target.ts else None
    if body.get("delete_original") is True:
        if original is None:
            raise SlackRefusal("message_not_found")
        remove(hub, original)
    elif body.get("replace_original") is True and target.ts:
        if original is None:
            raise SlackRefusal("message_not_found")
        revise(hub, original, hub.workspace.app.bot_user, **content_of(Arguments(body)))
    else:
        _new_message(hub, target.user, target.channel, body)


def _new_message(hub: Hub, user: str, channel: str, body: dict[str, Any]) -> Message:
    thread_ts = body.get("thread_ts")
    message = Message(
        channel=channel,
        ts=hub.workspace.clock.stamp(),
        user=hub.workspace.app.bot_user,
        bot_id=hub.workspace.app.bot_id,
        thread_ts=thread_ts if isinstance(thread_ts, str) else None,
        visible_to=None if body.get("response_type") == "in_channel" else user,
        **content_of(Arguments(body)),
    )
    return post(hub, message)
