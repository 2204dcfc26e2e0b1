"""Slack as the flows see it: posting and looking up, over one shared session."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from sliceway.core.cards import Card, Form, Message
from sliceway.core.turns import Person, Place, PlaceKind
from sliceway.errors import ChatError
from sliceway.ports.chat import CardRef, ChatPlatform, Me, PersonFacts, PlaceFacts
from sliceway.ports.inbound import Observed
from sliceway.slack.blocks import card_message, form_view, home_view, message_body
from sliceway.slack.calls import call
from sliceway.slack.events import SURFACE, ids_of
from sliceway.slack.lookups import Lookups, as_of
from sliceway.slack.pace import ChannelPace
from sliceway.slack.people import is_me, part_of, text_of
from sliceway.slack.response_urls import answer

EVENT_TYPE = "sliceway"
"""The event type of our messages' metadata."""
_PAGES, _PAGE = 10, 200
"""How far back a lost message is looked for."""


class SlackChat(ChatPlatform):
    """Slack's Web API behind the port. Nothing is retried here: a lost answer is an ambiguous error (T11)."""

    def __init__(
        self,
        client: AsyncWebClient,
        *,
        others: Sequence[AsyncWebClient] = (),
        pace: ChannelPace | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the client that posts, those of the agent's other tokens (asked for their ids only, T7), and how
        messages to a channel are paced, with the usual allowance where that is not given."""
        self._client = client
        self._others = tuple(others)
        self._pace = pace if pace is not None else ChannelPace()
        self._clock = clock
        self._lookups = Lookups(client, clock)
        self._me: Me | None = None
        self._heard_at: float | None = None
        self._tab = "unknown"

    async def me(self) -> Me:
        """Return the account behind the tokens, asked of Slack now."""
        said = await call(self._client.auth_test(), "auth.test")
        bot = text_of(said, "bot_id") or None
        also = [text_of(data, name) for data in [await self._account(one) for one in self._others] for name in _IDS]
        self._me = Me(
            team=text_of(said, "team_id"),
            user=text_of(said, "user_id"),
            bot=bot,
            app=text_of(said, "app_id") or (await self._app(bot) if bot else None),
            name=text_of(said, "user"),
            url=text_of(said, "url"),
            posts_as_user=bot is None,
            also=tuple(sorted({one for one in also if one})),
        )
        return self._me

    async def _account(self, client: AsyncWebClient) -> Mapping[str, Any]:
        """Return what another token of the agent's is."""
        return await call(client.auth_test(), "auth.test")

    async def _app(self, bot: str) -> str | None:
        """Return the app that a bot belongs to, where Slack tells: only the self-filter wants it."""
        try:
            said = await call(self._client.bots_info(bot=bot), "bots.info")
        except ChatError:
            return None
        return text_of(part_of(said, "bot"), "app_id") or None

    async def say(self, place: Place, message: Message, *, key: str) -> CardRef:
        """Post in a place, with `key` as metadata."""
        return await self._post(place, message_body(message), {"key": key})

    async def say_privately(self, place: Place, who: Person, message: Message) -> None:
        """Show something to one person alone: in their direct message as it is, elsewhere for their eyes only."""
        body = message_body(message)
        if place.kind is PlaceKind.IM:
            with self._noting_tab(place):
                await call(
                    self._client.chat_postMessage(channel=place.channel, thread_ts=place.thread, **body),
                    "chat.postMessage",
                    changes=True,
                )
            return
        await call(
            self._client.chat_postEphemeral(
                channel=place.channel, user=who.user, thread_ts=place.thread, **_shown(body)
            ),
            "chat.postEphemeral",
            changes=True,
        )

    async def put_anew(self, reply: str, message: Message) -> None:
        """Make a message in which somebody pressed a button show `message`."""
        await answer(self._client, reply, {**_shown(message_body(message)), "replace_original": True})

    async def post_card(self, place: Place, card: Card) -> CardRef:
        """Post a card, with its key, proposal id and revision as metadata."""
        about = {"key": card.key, "proposal": card.proposal, "revision": card.revision}
        return await self._post(place, card_message(card), about)

    async def _post(self, place: Place, body: Mapping[str, Any], about: Mapping[str, Any]) -> CardRef:
        """Post a message and return where it stands."""
        await self._pace(place.channel)
        metadata = {"event_type": EVENT_TYPE, "event_payload": dict(about)}
        try:
            with self._noting_tab(place):
                said = await call(
                    self._client.chat_postMessage(
                        channel=place.channel, thread_ts=place.thread, metadata=metadata, **body
                    ),
                    "chat.postMessage",
                    changes=True,
                )
        except ChatError as error:
            if error.reason == "ratelimited" and error.retry_after is not None:
                self._pace.hold(place.channel, error.retry_after)
            raise
        return CardRef(text_of(said, "channel") or place.channel, text_of(said, "ts"))

    @contextmanager
    def _noting_tab(self, place: Place) -> Iterator[None]:
        """Note what a post into a direct message tells of the app's Messages tab: nothing else does (R40)."""
        direct = place.kind is PlaceKind.IM or place.channel.startswith("D")
        try:
            yield
        except ChatError as error:
            if direct and error.reason == "messages_tab_disabled":
                self._tab = "off"
            raise
        if direct:
            self._tab = "on"

    async def update_card(self, ref: CardRef, card: Card) -> None:
        """Make the message at `ref` show `card`."""
        await call(
            self._client.chat_update(channel=ref.channel, ts=ref.message, **_shown(card_message(card))),
            "chat.update",
            changes=True,
        )

    async def find(self, place: Place, *, key: str, since: str | None = None) -> CardRef | None:
        """Return the agent's own message in a place whose metadata carries `key`."""
        mine = ids_of(self._me or await self.me())
        cursor: str | None = None
        for _ in range(_PAGES):
            said = await self._page(place, since, cursor)
            for message in said.get("messages") or ():
                payload = part_of(part_of(message, "metadata"), "event_payload")
                if payload.get("key") == key and is_me(message, mine):
                    return CardRef(place.channel, text_of(message, "ts"))
            cursor = text_of(part_of(said, "response_metadata"), "next_cursor") or None
            if cursor is None:
                return None
        return None

    async def _page(self, place: Place, since: str | None, cursor: str | None) -> Mapping[str, Any]:
        """Return one page of what stands in a place."""
        if place.thread is None:
            return await call(
                self._client.conversations_history(
                    channel=place.channel, oldest=since, cursor=cursor, limit=_PAGE, include_all_metadata=True
                ),
                "conversations.history",
            )
        return await call(
            self._client.conversations_replies(
                channel=place.channel,
                ts=place.thread,
                oldest=since,
                cursor=cursor,
                limit=_PAGE,
                include_all_metadata=True,
            ),
            "conversations.replies",
        )

    async def open_form(self, trigger: str, form: Form) -> None:
        """Open a form; a trigger lives three seconds."""
        await call(self._client.views_open(trigger_id=trigger, view=form_view(form)), "views.open", changes=True)

    async def show_home(self, who: Person, message: Message) -> None:
        """Publish what one person sees on the agent's Home tab."""
        await call(self._client.views_publish(user_id=who.user, view=home_view(message)), "views.publish", changes=True)

    async def open_dm(self, who: Person) -> Place:
        """Return the direct-message place with a person."""
        said = await call(self._client.conversations_open(users=[who.user]), "conversations.open")
        channel = text_of(part_of(said, "channel"), "id")
        team = self._me.team if self._me is not None else who.team
        return Place(SURFACE, team, channel, kind=PlaceKind.IM)

    async def who(self, team: str, user: str) -> PersonFacts:
        """Return what Slack says of a person."""
        return as_of(team, await self._lookups.people.get((team, user)))

    async def place(self, team: str, channel: str) -> PlaceFacts:
        """Return what Slack says of a channel."""
        return await self._lookups.places.get((team, channel))

    async def link(self, ref: CardRef) -> str | None:
        """Return a permanent link to a message."""
        try:
            said = await call(
                self._client.chat_getPermalink(channel=ref.channel, message_ts=ref.message), "chat.getPermalink"
            )
        except ChatError as error:
            if error.reason in {"message_not_found", "channel_not_found"}:
                return None
            raise
        return text_of(said, "permalink") or None

    async def health(self) -> Mapping[str, Any]:
        """Return whether the token answers, and how many seconds ago the last event came."""
        heard = None if self._heard_at is None else round(self._clock() - self._heard_at, 3)
        facts = {"event_age_s": heard, "messages_tab": self._tab}
        try:
            await call(self._client.auth_test(), "auth.test")
        except ChatError as error:
            return {"ok": False, "error": error.reason, "detail": error.detail, **facts}
        return {"ok": True, **facts}

    def heard(self) -> None:
        """Note that something arrived from Slack."""
        self._heard_at = self._clock()

    def forget(self, observed: Observed) -> None:
        """Drop what was looked up of the people and places that something was observed of."""
        self._lookups.forget(observed)


_IDS = ("user_id", "bot_id", "app_id")


def _shown(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message's body without what only posting takes."""
    return {name: value for name, value in body.items() if name in {"text", "blocks"}}
