"""Journey three with the gateway killed between any two of its steps: one card, one page, one record, one notice."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sliceway import Principal, open_brain
from sliceway.cli.play.people import Message, buttons_of, words_of
from sliceway.cli.play.stage import Stage
from tests.e2e.desk_hands import all_is_done, leases_end
from tests.fakes.verbs import answer_of

FACT = "the on-call rotation moved to Mondays"
HANG = 30
BEFORE = ("accepted", "stored", "claimed", "posted", "reply-lost")
AROUND = ("clicked", "decided", "record-lost", "noticed")


@contextmanager
def writers_held(stage: Stage) -> Iterator[None]:
    """Keep every process from writing to the brain, so that a gateway can be killed right before a write."""
    file = Path(stage.store_url.removeprefix("sqlite:///") + ".lock")
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


class Share:
    """Journey three in the hands of a test."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.people = stage, stage.people
        self.ada, self.mia = self.people.one("member"), self.people.one("manager")
        self.ops = self.people.channel("ops")
        self.root = ""

    async def ask(self) -> None:
        """Ada asks to share."""
        self.root = await self.people.say(self.ada, self.ops, f"<@{self.people.bot}> share with the team: {FACT}")

    async def thread(self) -> list[Message]:
        """What the manager sees in the thread."""
        return await self.people.messages(self.ops, thread=self.root, seen_by=self.mia)

    async def card(self) -> Message:
        """The card with its buttons."""

        async def look() -> Message | None:
            return next((m for m in await self.thread() if "Approve" in buttons_of(m)), None)

        found: Message = await self.people.until("the card", look)
        return found

    async def accepted(self) -> bool:
        """Whether the gateway acknowledged the mention."""
        given = await self.people.deliveries("event")
        mentions = [one for one in given if one["payload"]["event"]["type"] == "app_mention"]
        return bool(mentions) and all((one["response"] or {}).get("status") == 200 for one in mentions)

    async def called(self, method: str, count: int = 1) -> None:
        """Wait until the gateway made so many calls of a method about the thread."""

        async def look() -> bool:
            return len([c for c in await self.people.calls(method) if _about(c, self.root)]) >= count

        await self.people.until(f"a call of {method}", look)

    async def state(self) -> str:
        """The state of the one proposal, empty while there is none."""
        async with open_brain(self.stage.store_url, embed="none") as door:
            items = (await door.enter(Principal.operator("test")).proposals()).items
        assert len(items) <= 1, "one request makes one proposal"
        return items[0].state.value if items else ""

    async def reached(self, state: str) -> None:
        """Wait for a state."""

        async def look() -> bool:
            return await self.state() == state

        await self.people.until(f"the state {state}", look)

    async def ended_well(self) -> None:
        """One card that became one record, one page with one version, one notice, and a ledger that verifies."""

        async def recorded() -> bool:
            said = await self.bot_messages()
            cards = [m for m in said if _is_card(m)]
            return bool(cards) and not any(buttons_of(m) for m in cards) and len(said) - len(cards) >= 2

        await self.people.until("the record and the notice", recorded)
        await self.quiet()
        thread = await self.bot_messages()
        assert await self.state() == "applied"
        assert len([m for m in thread if _is_card(m)]) == 1, [words_of(m) for m in thread]
        assert len([m for m in thread if not _is_card(m)]) == 2, [words_of(m) for m in thread]
        items = (await self.verb("page", "list", "--slice", "shared", "--agent", "scout"))["items"]
        assert [item["version"] for item in items] == [1]
        assert (await self.verb("ledger", "verify"))["ok"] is True

    async def quiet(self) -> None:
        """Wait until the gateway has nothing more to do or to say."""
        await self.people.until("the end of all work", partial(all_is_done, self.stage))

    async def verb(self, *arguments: str) -> Any:
        """The answer of a verb on the store."""
        return await answer_of(*arguments, environment=self.stage.environment)

    async def killed(self) -> None:
        """Kill the gateway, and let the time pass in which what it held is still its own."""
        await self.stage.gateway.kill()
        leases_end(self.stage)

    async def bot_messages(self, has: str = "") -> list[Message]:
        """What the bot said in the thread for all to see."""
        said = [m for m in await self.thread() if m.get("user") == self.people.bot and not m.get("is_ephemeral")]
        return [m for m in said if has.casefold() in words_of(m).casefold()]


def _is_card(message: Message) -> bool:
    """Whether a message is a card or what a card became: it carries blocks that name the proposal."""
    return "header" in [block.get("type") for block in message.get("blocks") or []]


def _about(call: Mapping[str, Any], root: str) -> bool:
    return root in str(call["args"].get("thread_ts", "")) or call["method"] == "chat.update"


async def _approve(share: Share) -> None:
    await share.people.click(share.mia, share.ops, await share.card(), "Approve")


@pytest.mark.parametrize("moment", BEFORE)
async def test_ap3_killed_before_the_card_is_known_to_stand(stage: Stage, moment: str) -> None:
    """AP3, AP10: killed after the message was accepted, the proposal stored, the card claimed, posted, or its answer
    lost, the next gateway makes it one card, and the rest follows."""
    share = Share(stage)
    if moment == "accepted":
        with writers_held(stage):
            await share.ask()
            await share.people.until("the accepted delivery", share.accepted)
            await share.killed()
    elif moment == "stored":
        await share.people.faults({"match": {"method": "chat.postMessage"}, "do": "delay", "seconds": HANG})
        await share.ask()
        await share.reached("pending")
        await share.killed()
    elif moment == "claimed":
        await share.people.faults({"match": {"method": "chat.postMessage", "nth": 2}, "do": "delay", "seconds": HANG})
        await share.ask()
        await share.called("chat.postMessage", 1)
        await share.reached("pending")
        await share.killed()
    elif moment == "posted":
        await share.ask()
        await share.card()
        await share.killed()
    else:
        await share.people.faults(
            {"match": {"method": "chat.postMessage", "nth": 1}, "do": "drop_reply"},
            {"match": {"method": "chat.postMessage", "nth": 2}, "do": "drop_reply"},
        )
        await share.ask()
        await share.card()
        await share.killed()
    await share.people.faults()
    await stage.begin()
    await _approve(share)
    await share.ended_well()


@pytest.mark.parametrize("moment", AROUND)
async def test_ap10_killed_around_the_decision(stage: Stage, moment: str) -> None:
    """AP3, AP5, AP9, AP10: killed after the click, the decision, the record, or the notice: decided once, told once."""
    share = Share(stage)
    await share.ask()
    await share.card()
    if moment == "clicked":
        with writers_held(stage):
            await _approve(share)
            await share.killed()
    elif moment == "decided":
        await share.people.faults(
            {"match": {"method": "chat.update"}, "do": "delay", "seconds": HANG},
            {"match": {"method": "chat.postMessage"}, "do": "delay", "seconds": HANG},
        )
        await _approve(share)
        await share.reached("applied")
        await share.killed()
    elif moment == "record-lost":
        await share.people.faults(
            {"match": {"method": "chat.update"}, "do": "drop_reply"},
            {"match": {"method": "chat.postMessage"}, "do": "drop_reply"},
        )
        await _approve(share)
        await share.called("chat.update")
        await share.killed()
    else:
        await _approve(share)
        await share.reached("applied")
        await share.killed()
    await share.people.faults()
    await stage.begin()
    if moment == "clicked" and await share.state() == "pending":
        await _approve(share)  # a click that died with its process is not redelivered: the person clicks again
    await share.ended_well()
