"""What the port promises of any chat platform: the fake of the unit tests and the real Slack one keep the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace

import pytest

from sliceway.core.card_making import card_for, record_for
from sliceway.core.cards import Message
from sliceway.core.pages import ApprovedBy
from sliceway.core.proposals import State
from sliceway.core.turns import Person, Place, PlaceKind, Standing
from sliceway.errors import ChatError
from sliceway.ports.chat import CardRef, ChatPlatform
from tests.e2e.slack_side import slack_side
from tests.fakes.chat import FakeChat
from tests.unit.core.proposing import NOW, POLICY, proposal

CARD = card_for(proposal(), POLICY, NOW)


@dataclass(frozen=True)
class World:
    """A platform, where and to whom things can be said on it, and how to lose the answer to the next post."""

    chat: ChatPlatform
    room: Place
    other: Place
    member: Person
    people: dict[str, Standing]
    lose: Callable[[str], Awaitable[None]]


@pytest.fixture(params=["fake", "slack"])
async def world(request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """Each implementation in its own world."""
    if request.param == "fake":
        fake = FakeChat()

        async def lose_fake(method: str) -> None:
            fake.lose_answer(method)

        standings = {"U1": Standing.MEMBER, "UG": Standing.GUEST, "UX": Standing.STRANGER, "UGONE": Standing.GONE}
        rooms = [Place("slack", "T1", channel) for channel in ("C1", "C2")]
        yield World(fake, rooms[0], rooms[1], Person("T1", "U1"), standings, lose_fake)
        return
    async with slack_side("http") as side:

        async def lose_slack(method: str) -> None:
            called = "chat.update" if method == "update_card" else "chat.postMessage"
            await side.slack.control("faults", plan=[{"match": {"method": called, "nth": 1}, "do": "drop_reply"}])

        standings = {"UADA": Standing.MEMBER, "UGUS": Standing.GUEST, "USASHA": Standing.STRANGER}
        standings["UDORA"] = Standing.GONE
        rooms = [Place("slack", "THARBOR", channel) for channel in ("COPS", "CDEPLOYS")]
        yield World(side.chat, rooms[0], rooms[1], Person("THARBOR", "UADA"), standings, lose_slack)


async def test_ap3_what_was_said_is_found_by_its_key_where_it_was_said(world: World) -> None:
    """AP3: `find` knows a message by key and place, and nothing else."""
    ref = await world.chat.say(world.room, Message("hello"), key="one")
    thread = replace(world.room, thread=ref.message)
    inside = await world.chat.say(thread, Message("inside"), key="two")
    assert await world.chat.find(world.room, key="one") == ref
    assert await world.chat.find(thread, key="two") == inside
    assert await world.chat.find(world.room, key="two") is None
    assert await world.chat.find(world.other, key="one") is None
    assert await world.chat.find(world.room, key="three") is None


@pytest.mark.parametrize("method", ["say", "post_card"])
async def test_t11_a_lost_answer_is_ambiguous_and_what_was_posted_is_found(world: World, method: str) -> None:
    """T11: without an answer the error says that it may have happened; it did, and can be found."""
    await world.lose(method)

    async def post() -> CardRef:
        if method == "say":
            return await world.chat.say(world.room, Message("once"), key=CARD.key)
        return await world.chat.post_card(world.room, CARD)

    with pytest.raises(ChatError) as caught:
        await post()
    assert caught.value.ambiguous
    assert await world.chat.find(world.room, key=CARD.key) is not None


async def test_a_card_is_found_by_its_key_and_updated_where_it_stands(world: World) -> None:
    """A card's key finds it, before and after it became a record."""
    ref = await world.chat.post_card(world.room, CARD)
    assert await world.chat.find(world.room, key=CARD.key) == ref
    done = proposal(state=State.APPLIED, revision=2, decided_by=ApprovedBy("T1", "UM1"))
    await world.chat.update_card(ref, record_for(done, POLICY, NOW))
    assert await world.chat.find(world.room, key=CARD.key) == ref
    assert CardRef.parse(ref.text) == ref


async def test_a_message_that_is_not_there_cannot_be_updated(world: World) -> None:
    """Updating what does not stand is a certain refusal with the platform's reason."""
    with pytest.raises(ChatError) as caught:
        await world.chat.update_card(CardRef(world.room.channel, "1.000001"), CARD)
    assert (caught.value.reason, caught.value.ambiguous) == ("message_not_found", False)


async def test_r37_people_are_what_they_are_and_the_unknown_are_strangers(world: World) -> None:
    """R37: members, guests, strangers and those who left are told apart; an unknown id is a stranger."""
    team = world.room.team
    for user, standing in world.people.items():
        assert (await world.chat.who(team, user)).standing is standing
    assert (await world.chat.who(team, "UNOBODY")).standing is Standing.STRANGER
    assert (await world.chat.who("TELSEWHERE", world.member.user)).standing is Standing.STRANGER


async def test_sc7_places_are_what_they_are_and_the_unknown_are_external(world: World) -> None:
    """SC7: a room has its kind and members; an unknown channel is external, and the agent is not in it."""
    facts = await world.chat.place(world.room.team, world.room.channel)
    assert (facts.kind, facts.external, facts.guests, facts.member) == (PlaceKind.CHANNEL, False, False, True)
    assert facts.members is not None
    assert world.member.user in facts.members
    unknown = await world.chat.place(world.room.team, "CNOWHERE")
    assert (unknown.external, unknown.member) == (True, False)


async def test_a_direct_message_is_a_place_of_its_own(world: World) -> None:
    """Opening a direct message twice is one place; what is said there is found there."""
    dm = await world.chat.open_dm(world.member)
    assert dm == await world.chat.open_dm(world.member)
    assert (dm.kind, dm.team, dm.thread) == (PlaceKind.IM, world.room.team, None)
    ref = await world.chat.say(dm, Message("hi"), key="dm")
    assert await world.chat.find(dm, key="dm") == ref
    assert (await world.chat.place(dm.team, dm.channel)).kind is PlaceKind.IM
    await world.chat.say_privately(dm, world.member, Message("only you"))
    await world.chat.say_privately(world.room, world.member, Message("only you"))


async def test_a_home_is_shown_and_shown_anew(world: World) -> None:
    """A person's home takes what it is to show, as often as it changes."""
    await world.chat.show_home(world.member, Message("*one* & <two>"))
    await world.chat.show_home(world.member, Message("three"))


async def test_what_was_pressed_is_put_anew_at_its_own_address_only(world: World) -> None:
    """An address that came with no press takes nothing, and the error says so."""
    with pytest.raises(ChatError):
        await world.chat.put_anew("https://chat.example/elsewhere", Message("hello"))


async def test_the_account_and_a_link_are_known(world: World) -> None:
    """`me` names the account in its team, a message has a link, and health answers."""
    me = await world.chat.me()
    assert me.team == world.room.team
    assert me.user
    ref = await world.chat.say(world.room, Message("hi"), key="k")
    assert (await world.chat.link(ref) or "").startswith("http")
    assert (await world.chat.health())["ok"] is True
