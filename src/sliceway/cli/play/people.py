"""People of the local workspace, driven through its control interface: they say, click, fill in forms and look."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable, Mapping
from typing import Any

import aiohttp

from sliceway.cli.play.processes import ProcessFailed
from sliceway.cli.play.shown import lines_of

_PATIENCE = 20.0
_LOOK_EVERY = 0.05

Message = Mapping[str, Any]


class People:
    """Everybody in the workspace, by role and name."""

    def __init__(self, session: aiohttp.ClientSession, url: str, key: str) -> None:
        """Talk to the workspace at `url` with its key."""
        self._session = session
        self._url = url.rstrip("/")
        self._headers = {"X-Workspace-Key": key}
        self.state: dict[str, Any] = {}

    async def meet(self) -> None:
        """Read who there is."""
        self.state = await self._get("state")

    def all(self, role: str) -> list[str]:
        """Return the ids of the active people with a role."""
        return [str(user["id"]) for user in self.state["users"] if user["role"] == role and not user["deleted"]]

    def one(self, role: str, at: int = 0) -> str:
        """Return the id of a person with a role; `at` picks another than the first."""
        return self.all(role)[at]

    def team_of(self, user: str) -> str:
        """Return the team of a person."""
        return next(str(each["team_id"]) for each in self.state["users"] if each["id"] == user)

    def direct(self, user: str) -> str:
        """Return the id of the direct message between a person and the bot."""
        return next(
            str(each["id"]) for each in self.state["channels"] if each["kind"] == "im" and user in each["members"]
        )

    def named(self, user: str) -> str:
        """Return what a person is called."""
        return next((str(each["name"]) for each in self.state["users"] if each["id"] == user), user)

    def called(self, id: str) -> str:
        """Return what a person or a channel is called."""
        known = {each["id"]: each["name"] for each in (*self.state["channels"], *self.state["users"])}
        return str(known.get(id) or id)

    def shown(self, message: Message) -> str:
        """Return a message as a person reads it."""
        return "\n".join(lines_of(message, self.called))

    def channel(self, name: str) -> str:
        """Return the id of a channel by its name, without the `#`."""
        return next(str(each["id"]) for each in self.state["channels"] if each["name"] == name.removeprefix("#"))

    @property
    def bot(self) -> str:
        """The user id of the app's bot."""
        return str(self.state["app"]["bot_user_id"])

    async def say(self, user: str, channel: str, text: str, thread: str | None = None) -> str:
        """Say something and return the message's id."""
        body = {"user": user, "channel": channel, "text": text} | ({"thread_ts": thread} if thread else {})
        return str((await self._post("say", body))["ts"])

    async def command(self, user: str, channel: str, command: str, text: str) -> None:
        """Type a slash command."""
        await self._post("command", {"user": user, "channel": channel, "command": command, "text": text})

    async def click(self, user: str, channel: str, message: Message, label: str) -> None:
        """Press the button with a label on a message, as it was last seen."""
        button = buttons_of(message)[label]
        body = {"user": user, "channel": channel, "ts": _id(message), "action_id": button["action_id"]}
        await self._post("click", body)

    async def submit(self, user: str, view: str, values: Mapping[str, Any]) -> None:
        """Send a form."""
        await self._post("submit", {"user": user, "view_id": view, "values": dict(values)})

    async def deliver(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Hand the app a payload that the workspace itself would never send."""
        await self._post("deliver", {"type": kind, "payload": dict(payload)})

    async def point_at(self, request_url: str) -> None:
        """Tell the workspace where the app listens now."""
        await self._post("request_url", {"url": request_url})

    async def faults(self, *plan: Mapping[str, Any]) -> None:
        """Set the fault plan."""
        await self._post("faults", {"plan": [dict(each) for each in plan]})

    async def disconnect(self, reason: str = "refresh_requested") -> None:
        """Have every socket of the app's go, and tell it why; `cut` tells it nothing."""
        await self._post("disconnect", {"reason": reason})

    async def messages(self, channel: str, *, thread: str | None = None, seen_by: str) -> list[Message]:
        """Return what a person sees in a channel, or in one thread of it."""
        query = {"channel": channel, "as": seen_by} | ({"thread_ts": thread} if thread else {})
        return list((await self._get("messages", query))["messages"])

    async def deliveries(self, kind: str) -> list[Mapping[str, Any]]:
        """Return what the workspace handed to the app, of one kind."""
        return [each for each in (await self._get("deliveries"))["deliveries"] if each["kind"] == kind]

    async def views(self, user: str) -> list[Mapping[str, Any]]:
        """Return the forms that a person has open."""
        return [each for each in (await self._get("state"))["views"] if each["user"] == user]

    async def calls(self, *methods: str) -> list[Mapping[str, Any]]:
        """Return the Web API calls that the app made, of these methods."""
        made = (await self._get("calls"))["calls"]
        return [call for call in made if not methods or call["method"] in methods]

    async def until(self, what: str, look: Callable[[], Any], *, patience: float = _PATIENCE) -> Any:
        """Look again and again until something is there, and return it.

        :raises ProcessFailed: it is not there after `patience` seconds; `what` names it.
        """
        deadline = asyncio.get_running_loop().time() + patience
        while True:
            if found := await look():
                return found
            if asyncio.get_running_loop().time() > deadline:
                raise ProcessFailed(f"Waited {patience:.0f} s in vain for {what}.")
            await asyncio.sleep(_LOOK_EVERY)

    async def answer(self, channel: str, thread: str, *, seen_by: str, after: str, has: str = "") -> Message:
        """Wait for the bot's next message in a thread, newer than `after`, that contains `has`."""

        async def look() -> Message | None:
            seen = await self.messages(channel, thread=thread, seen_by=seen_by)
            return next(
                (
                    each for each in seen
                    if each.get("user") == self.bot and _id(each) > after and _holds(each, has)
                ),
                None,
            )  # fmt: skip

        said: Message = await self.until(f"an answer with '{has}'" if has else "an answer", look)
        return said

    async def _get(self, path: str, query: Mapping[str, str] | None = None) -> Any:
        async with self._session.get(f"{self._url}/_control/{path}", params=query, headers=self._headers) as answer:
            return await _checked(path, answer)

    async def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        async with self._session.post(f"{self._url}/_control/{path}", json=body, headers=self._headers) as answer:
            return await _checked(path, answer)


async def _checked(path: str, answer: aiohttp.ClientResponse) -> Any:
    """Return the answer's body, or say what the workspace refused."""
    body = await answer.json(content_type=None)
    if answer.status >= 400 or not body.get("ok"):
        raise ProcessFailed(f"The workspace refused {path}: {body}")
    return body


def _id(message: Message) -> str:
    return str(message["ts"])


def words_of(message: Message) -> str:
    """Return every word a person reads in a message: its text and its blocks, buttons left out; people and channels by
    their ids."""
    found = [str(message.get("text") or "")]

    def walk(node: Any) -> None:
        if isinstance(node, Mapping):
            if node.get("type") == "button":
                return
            found.extend(node[name] for name in ("text", "user_id", "channel_id") if isinstance(node.get(name), str))
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(message.get("blocks") or [])
    return html.unescape("\n".join(dict.fromkeys(found)))


def buttons_of(message: Message) -> dict[str, Mapping[str, Any]]:
    """Return the buttons of a message by their labels."""
    found: dict[str, Mapping[str, Any]] = {}

    def walk(node: Any) -> None:
        if isinstance(node, Mapping):
            if node.get("type") == "button":
                found[str(node["text"]["text"])] = node
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(message.get("blocks") or [])
    return found


def _holds(message: Message, words: str) -> bool:
    return words.casefold() in words_of(message).casefold()
