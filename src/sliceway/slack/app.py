"""The way in from Slack: verified, read, kept, and only then acknowledged (T4)."""

from __future__ import annotations

import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.signature import SignatureVerifier
from slack_sdk.web.async_client import AsyncWebClient

from sliceway.core.traces import trace_of
from sliceway.core.turn_codec import turn_to_json
from sliceway.errors import FieldError, SettingsError, SlicewayError
from sliceway.ports.chat import Me
from sliceway.ports.inbound import TURN, Inbound, Observed
from sliceway.slack.blocks import words_view
from sliceway.slack.clicks import FIELD, click_of, command_of, submission_of
from sliceway.slack.events import Ignored, observed_in, queue_of, turn_of
from sliceway.slack.guard import LARGEST_BODY, Unreadable, bolt_request, is_shaped, is_signed
from sliceway.slack.people import part_of, text_of
from sliceway.slack.wire_text import escaped

PATH = "/slack/events"
"""Where Slack posts events, interactivity and commands."""
_ANY = re.compile(".*", re.DOTALL)
_SHOWN = 10_000
_log = logging.getLogger("sliceway.slack")


def _nothing() -> None:
    """Do nothing: nobody wants to know when something arrived."""


def _ignore(observed: Observed) -> None:
    """Do nothing: nobody keeps look-ups."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """What the way in needs.

    :ivar signing_secret: Slack's, for every request; None: nothing is taken over HTTP, only by socket.
    :ivar me: the agent's account; None while it is not known yet: Slack is then asked to deliver again.
    :ivar client: the client that Bolt holds; nothing is called through it here.
    :ivar inbound: where everything goes.
    :ivar heard: called when something arrived, for readiness.
    :ivar changed: called with what was observed, before `inbound`, to drop look-ups.
    """

    signing_secret: str | None = field(repr=False)
    me: Callable[[], Me | None]
    client: AsyncWebClient = field(repr=False)
    inbound: Inbound
    heard: Callable[[], None] = _nothing
    changed: Callable[[Observed], None] = _ignore


def _account_of(wiring: Wiring) -> Callable[..., Awaitable[AuthorizeResult]]:
    """Return what tells Bolt its account: known already, so no call, whichever team clicks (T17)."""

    async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        me = wiring.me()
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_id=me.bot if me is not None else None,
            bot_user_id=me.user if me is not None else None,
            bot_token=wiring.client.token,
        )

    return authorize


class SlackDoor:
    """The listeners of one Bolt app, the HTTP handler before it, and the way in for what was verified already."""

    def __init__(self, wiring: Wiring) -> None:
        """Build the Bolt app with explicit settings, so that nothing in the environment changes what it is (T9).

        :raises SettingsError: the signing secret is empty (T6).
        """
        secret = wiring.signing_secret
        if secret is not None and not secret.strip():
            cure = "it is empty; set SLACK_SIGNING_SECRET to the app's signing secret (Basic Information)"
            raise SettingsError([FieldError("SLACK_SIGNING_SECRET", "missing", cure)])
        self._wiring = wiring
        self._verifier = SignatureVerifier(secret) if secret is not None else None
        self._shown: OrderedDict[tuple[str, str, str], None] = OrderedDict()
        self.signatures = {"good": 0, "bad": 0}
        """How many requests were signed with the right secret, and how many signed ones were not."""
        quiet = logging.getLogger("sliceway.slack.bolt")
        quiet.setLevel(logging.ERROR)  # its warnings at boot tell of tokens that it is not meant to have
        self.app = AsyncApp(
            name=quiet.name,  # Bolt sets the level of the logger of this name too: never that of all of ours
            logger=quiet,
            signing_secret=secret or secrets.token_hex(32),  # nobody knows it: nothing is verified by it
            client=wiring.client,
            authorize=_account_of(wiring),
            process_before_response=True,  # a listener ends before the answer goes out: kept, then acknowledged
        )
        self.app.event(_ANY)(self._event)
        self.app.action(_ANY)(self._action)
        self.app.view(_ANY)(self._view)
        self.app.view_closed(_ANY)(self._nothing_to_do)
        self.app.command(_ANY)(self._command)
        self.app.shortcut(_ANY)(self._nothing_to_do)
        self.app.options(_ANY)(self._no_options)
        self.app.error(self._failed)

    def routes(self) -> list[web.RouteDef]:
        """Return the routes for an aiohttp application."""
        return [web.post(PATH, self.handle)]

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request of Slack's: 401 where it is not surely Slack's, 503 where it should come again."""
        raw = await _body(request) if is_signed(request.headers) else b""
        if raw is None:
            return web.Response(status=413, text="That is larger than any request of Slack's.")
        good = self._is_from_slack(request.headers, raw)
        if good or is_signed(request.headers):
            self.signatures["good" if good else "bad"] += 1
        if not good:
            return web.Response(status=401, text="A valid Slack signature is needed.")
        try:
            bolt = bolt_request(raw.decode(), request.headers, request.query_string)
        except Unreadable:
            return web.Response(status=400, text="The body cannot be read.")
        return await to_aiohttp_response(await self.take(bolt))

    async def take(self, bolt: AsyncBoltRequest) -> BoltResponse:
        """Take in what is surely Slack's: 200 once it is kept, another status where it should come again."""
        self._wiring.heard()
        kind = bolt.body.get("type")
        if kind == "app_rate_limited":  # it has no event in it, and Bolt would answer 404 (T5)
            await self._wiring.inbound.throttled(text_of(bolt.body, "team_id"))
            return BoltResponse(status=200)
        if self._wiring.me() is None and kind != "url_verification":
            return BoltResponse(status=503, body="The agent does not know its own account yet.")
        if not is_shaped(bolt.body):  # a second delivery would be no better
            _log.warning("a %s lacks what it is dispatched by; acknowledged, and nothing follows", kind)
            return BoltResponse(status=200)
        try:
            answer = await self.app.async_dispatch(bolt)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:  # Bolt's own, of an odd payload
            _log.error("a %s could not be dispatched: %s", kind, trace_of(error))
            return BoltResponse(status=500)
        if answer.status == 404:  # Slack would deliver it again and again (T3)
            _log.warning("a request of type %s is of no kind known here; acknowledged", kind)
            return BoltResponse(status=200)
        return answer

    def _is_from_slack(self, headers: Mapping[str, str], raw: bytes) -> bool:
        """Say whether a request is signed by Slack, whatever its headers and body hold (T6)."""
        if self._verifier is None or not is_signed(headers):
            return False
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            return False
        return self._verifier.is_valid(text, headers["X-Slack-Request-Timestamp"], headers["X-Slack-Signature"])

    def _me(self) -> Me:
        """Return the agent's account, which is known once requests are let in."""
        me = self._wiring.me()
        if me is None:
            raise RuntimeError("a request was let in before the agent's account was known")
        return me

    async def _event(self, body: dict[str, Any], ack: AsyncAck) -> BoltResponse:
        """Keep a turn under its key, tell what was observed, then acknowledge."""
        me = self._me()
        if text_of(part_of(body, "event"), "type") in {"message", "app_mention"}:
            turn = turn_of(body, me)
            if isinstance(turn, Ignored):
                _log.debug("event %s leads to no turn: %s", body.get("event_id"), turn.why)
            else:
                await self._wiring.inbound.event(
                    key=turn.key, queue=queue_of(turn.place), kind=TURN, payload=turn_to_json(turn)
                )
        for observed in observed_in(body, me):
            await self._observe(observed)
        return await ack()

    async def _observe(self, observed: Observed) -> None:
        """Tell what was observed; what every message in a channel shows is told once."""
        place, person = observed.place, observed.person
        shown = (observed.what, place.channel if place else "", person.user if person else "")
        if observed.passing and shown in self._shown:
            return
        self._wiring.changed(observed)
        await self._wiring.inbound.observe(observed)
        if observed.passing:
            self._shown[shown] = None
            if len(self._shown) > _SHOWN:
                self._shown.popitem(last=False)
        elif place is not None:
            self._shown.pop(("external", place.channel, ""), None)

    async def _action(self, body: dict[str, Any], ack: AsyncAck) -> BoltResponse:
        """Hand on a press; what belongs to nothing known goes too, so that the person is told (T3)."""
        await self._wiring.inbound.click(click_of(body, self._me()))
        return await ack()

    async def _view(self, body: dict[str, Any], ack: AsyncAck) -> BoltResponse:
        """Hand on a form; what is wrong with it is shown at its fields, or in its place."""
        wrong = await self._wiring.inbound.click(submission_of(body, self._me()))
        if not wrong:
            return await ack()
        blocks = _input_blocks(body)
        errors = {f"{FIELD}{name}": words for name, words in wrong.items() if f"{FIELD}{name}" in blocks}
        if errors:
            return await ack(response_action="errors", errors=errors)
        words = "\n".join(wrong.values())
        return await ack(response_action="update", view=words_view("Not done", words))

    async def _command(self, body: dict[str, Any], ack: AsyncAck) -> BoltResponse:
        """Hand on a slash command; the answer is the person's alone."""
        words = await self._wiring.inbound.command(command_of(body, self._me()))
        if words is None:
            return await ack()
        return await ack(text=escaped(words), response_type="ephemeral")

    async def _nothing_to_do(self, ack: AsyncAck) -> BoltResponse:
        """Acknowledge what nothing follows from (T3)."""
        return await ack()

    async def _no_options(self, ack: AsyncAck) -> BoltResponse:
        """Acknowledge a request for options: no form of ours asks (T3)."""
        return await ack(options=[])

    async def _failed(self, error: Exception, body: dict[str, Any]) -> None:
        """Log what a listener raised: the answer is 500, and Slack delivers an event again."""
        about = body.get("event_id") or body.get("type") or body.get("command")
        detail = error.detail if isinstance(error, SlicewayError) else "see the log at level debug"
        _log.error("%s could not be taken in (%s): %s", about, type(error).__name__, detail)
        _log.debug("%s could not be taken in", about, exc_info=error)  # a trace may hold what people wrote (OP3)


async def _body(request: web.Request) -> bytes | None:
    """Return a request's body, None where it is larger than any of Slack's."""
    parts, size = [], 0
    async for part in request.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > LARGEST_BODY:
            return None
    return b"".join(parts)


def _input_blocks(body: Mapping[str, Any]) -> set[str]:
    """Return the ids of a form's blocks, which errors may be shown at."""
    blocks = part_of(body, "view").get("blocks")
    return {text_of(block, "block_id") for block in blocks if isinstance(block, Mapping)} if blocks else set()
