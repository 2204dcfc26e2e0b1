"""The gateway as a whole: what arrives early is kept, what chat tells is heeded, readiness says the truth."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from sliceway.core.turn_codec import turn_to_json
from sliceway.core.turns import Person, Place, Standing, Trust, Turn
from sliceway.errors import ChatError, IdentityError, Unavailable
from sliceway.flows.gateway import Gateway, Ports
from sliceway.flows.identity import IdentityResolver
from sliceway.ports import Me, Reply, Tools
from sliceway.ports.inbound import TURN, Observed
from tests.fakes.chat import ROOM, TEAM
from tests.fakes.rig import Rig, principal_of, someone
from tests.fakes.scripts import by_words
from tests.fakes.waiting import until

PLACE = Place("slack", TEAM, ROOM, "42.0")


def early(rig: Rig, answers: asyncio.Event, *, fails: bool = False) -> Gateway:
    """Return a second gateway on the rig's parts, whose id the platform tells only when let."""

    async def me() -> Me:
        await answers.wait()
        if fails:
            raise ChatError("No.", reason="invalid_auth")
        return Me(TEAM, "U0BOT")

    async def registered() -> tuple[str, ...]:
        return ()

    identity = IdentityResolver(
        configured=None, ask=me, registered=registered, boot_timeout=timedelta(seconds=60), clock=rig.clock
    )
    ports = Ports(
        rig.desk,
        rig.chat,
        rig.agent,
        rig.hooks,
        rig.clock,
        rig.new_id,
        lambda known: rig.door.enter(principal_of(known.agent)),
    )
    return Gateway(ports, identity, rig.config)


async def test_id7_what_arrives_before_the_id_is_known_waits_for_it(rig: Rig) -> None:
    """ID4, ID7: a message that comes before the platform told who the agent is is kept, nothing lands in another
    mind, and it is handled once the id is known."""
    await rig.gateway.stop()
    rig.agent.script = by_words
    known = asyncio.Event()
    gateway = early(rig, known)
    starting = asyncio.create_task(gateway.start())
    turn = Turn("early", "", someone("U1"), PLACE, text="save early words")
    assert await gateway.event(key="early", queue="q", kind=TURN, payload=turn_to_json(turn))
    facts = await gateway.ready()
    assert (facts["ready"], facts["agent"], facts["inbox_depth"]) == (False, None, 1)
    assert (await rig.operator.slices()).items == ()
    known.set()
    assert (await starting).source == "auth.test"

    async def answered() -> bool:
        return len(rig.chat.said) == 1

    await until(answered)
    assert "Saved" in rig.chat.said[0].text
    assert rig.agent.turns[0].agent == "U0BOT"
    assert [entry.slice for entry in await rig.operator.slices()] == [
        (await rig.door.enter(principal_of("U0BOT")).whoami()).writes[0]
    ]
    facts = await gateway.ready()
    assert (facts["ready"], facts["agent"], facts["identity_source"]) == (True, "U0BOT", "auth.test")
    await gateway.stop()


async def test_id5_a_refused_token_ends_the_start(rig: Rig) -> None:
    """ID5: where the platform refuses the token the start fails with the cure, and nothing works off the desk."""
    answers = asyncio.Event()
    answers.set()
    gateway = early(rig, answers, fails=True)
    with pytest.raises(IdentityError, match="SLACK_BOT_TOKEN"):
        await gateway.start()
    assert not (await gateway.ready())["ready"]
    await gateway.stop()


async def test_sc7_r34_a_channel_that_becomes_shared_falls_at_once(rig: Rig) -> None:
    """SC7, R34: told that a channel is shared with another organisation, the brain holds it as public from then on:
    nothing that the team knows is said there any more, and nothing is kept from there."""
    rig.agent.script = by_words
    await rig.say("U1", "save rollback target")
    await rig.gateway.observe(Observed("e1", "external", place=PLACE))
    await rig.quiet()
    assert (await rig.brain.policy()).channels[TEAM, ROOM].external
    for user in ("U1", "UM1", "UX"):
        await rig.say(user, "find rollback")
        assert rig.chat.said[-1].text.startswith("nothing")
    await rig.say("U1", "save something")
    assert rig.chat.said[-1].text.startswith("denied")


@pytest.mark.parametrize("what", ["joined", "spoke"])
async def test_sc7_a_guest_makes_a_channel_unknown_and_a_member_does_not(rig: Rig, what: str) -> None:
    """SC7: a guest who comes in or is heard makes the channel unknown until it is trusted; a member changes nothing."""
    await rig.gateway.observe(Observed("e1", what, place=PLACE, person=someone("U2")))
    await rig.quiet()
    assert (await rig.brain.policy()).channels == {}
    await rig.gateway.observe(Observed("e2", what, place=PLACE, person=someone("UG")))
    await rig.quiet()
    assert (await rig.brain.policy()).channels[TEAM, ROOM].guests
    trusted = await rig.brain.set_trust(team=TEAM, channel=ROOM, trust=Trust.TRUSTED.value, by=Person(TEAM, "UM1"))
    assert trusted.channels[TEAM, ROOM].trust is Trust.TRUSTED


async def test_op2_what_happened_is_counted_without_anyones_words(rig: Rig) -> None:
    """OP2: turns, writes by destination and verdict, proposals by state, the time to a card and of a recall, degraded
    reads and what waits are told as numbers, and no id, name or text among them."""
    rig.agent.script = by_words
    await rig.say("U1", "save the rollback target")
    await rig.say("U1", "share the rollback target")
    await rig.press("UM1", rig.chat.cards()[0], "Approve")
    await rig.say("U2", "find rollback")
    await rig.say("UX", "save this", place=Place("slack", TEAM, "CX", "1.1"))
    text = await rig.gateway.metrics()
    told = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert told["sliceway_turns_total"] == "4"
    assert told['sliceway_writes_total{destination="agent",verdict="allow"}'] == "1"
    assert told['sliceway_writes_total{destination="agent",verdict="deny"}'] == "1"
    assert told['sliceway_writes_total{destination="shared",verdict="ask"}'] == "1"
    assert told['sliceway_proposals_total{state="pending"}'] == told['sliceway_proposals_total{state="applied"}'] == "1"
    assert told["sliceway_card_seconds_count"] == told["sliceway_recall_seconds_count"] == "1"
    assert float(told["sliceway_card_seconds_sum"]) >= 0.0
    assert told['sliceway_degraded_reads_total{without="vectors"}'] == "1"
    assert (told["sliceway_inbox_depth"], told["sliceway_dead_letters"]) == ("0", "0")
    for word in ("rollback", "U1", "UM1", ROOM, TEAM, "agent-ada"):
        assert word not in text
    assert len([line for line in text.splitlines() if line.startswith("# TYPE sliceway_writes_total")]) == 1


async def test_op2_a_gateway_whose_brain_does_not_answer_is_not_ready(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OP2: readiness asks the brain and chat each time; either alone makes the gateway not ready, and it is named."""

    async def away(_brain: object) -> None:
        raise Unavailable

    async def unwell() -> dict[str, object]:
        return {"ok": False, "error": "token_revoked"}

    assert (await rig.gateway.ready())["ready"]
    with monkeypatch.context() as patched:
        patched.setattr(type(rig.brain), "whoami", away)
        facts = await rig.gateway.ready()
        assert (facts["ready"], facts["chat"]) == (False, {"ok": True})
        assert facts["brain"] == {"ok": False, "code": "unavailable", "why": "it does not answer"}
    with monkeypatch.context() as patched:
        patched.setattr(rig.chat, "health", unwell)
        facts = await rig.gateway.ready()
        assert (facts["ready"], facts["brain"], facts["chat"]["error"]) == (False, {"ok": True}, "token_revoked")


async def test_oo8_a_leavers_sessions_end(rig: Rig) -> None:
    """OO8: when the owner of a private session is deactivated it ends, and the brain knows that they are gone."""
    await rig.type("U1", "")
    assert len(await rig.desk.locks()) == 1
    gone = Person(TEAM, "U1", standing=Standing.GONE)
    rig.chat.person("U1", "Ann", Standing.GONE)
    await rig.gateway.observe(Observed("e1", "person", person=gone))
    await rig.quiet()
    assert await rig.desk.locks() == ()
    assert (TEAM, "U1") in (await rig.brain.policy()).gone


async def test_op4_a_stop_lets_a_running_turn_answer(rig: Rig) -> None:
    """OP4: a turn that runs when the gateway is stopped finishes, and what it owes is said before the stop ends."""
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def script(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        begun.set()
        await goes_on.wait()
        yield Reply("here after all")

    rig.agent.script = script
    await rig.say("U1", "slowly", wait=False)
    await begun.wait()
    stopping = asyncio.create_task(rig.gateway.stop(10.0))
    await asyncio.sleep(0)
    goes_on.set()
    await stopping
    assert [said.text for said in rig.chat.said] == ["here after all"]


async def test_a_failing_observer_of_a_decision_stops_nothing(rig: Rig) -> None:
    """AP5: an agent that fails when it is told of a decision changes nothing about the record and the notice."""

    async def broken(decision: object) -> None:
        raise ValueError("no")

    rig.agent.on_decision = broken  # type: ignore[method-assign]  # an agent that fails
    rig.agent.script = by_words
    await rig.say("U1", "share words")
    await rig.press("UM1", rig.chat.cards()[0], "Approve")
    assert any("approved it" in said.text for said in rig.chat.said)
    assert len(rig.hooks.changed) == 2
