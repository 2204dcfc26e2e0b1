"""CL1 over the wire: the server does what it was asked, its answer is lost, and the caller is told the truth."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sliceway.core.pages import Action
from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.errors import NotPending, Unavailable, VersionConflict
from sliceway.ports import Brain, NewId
from tests.contract.office import ANN, MAX, MIA, alone, ask, at, page, settle, written
from tests.contract.over_http import LosesAnswers, Served, open_served
from tests.fakes.clock import HandClock

GATEWAY = Principal.gateway("ada", teams=["T1"], acts_for=True, decides=True)


@dataclass
class World:
    """A gateway whose wire loses answers, the same gateway on a good wire with another token, and the operator."""

    brain: Brain
    wire: LosesAnswers
    other: Brain
    operator: Brain
    door: Served

    async def lost(self, call: Any, answers: int = 1) -> Any:
        """Return what a call comes to whose first answers are lost."""
        before, self.wire.lose = self.wire.lost, answers
        try:
            return await call
        finally:
            assert self.wire.lost == before + answers
            self.wire.lose = 0


@pytest.fixture
async def world(tmp_path: Path, clock: HandClock, new_id: NewId) -> AsyncIterator[World]:
    """A team, its store, its server, and a bad wire to it."""
    async with await open_served(tmp_path, clock, new_id) as door:
        assert isinstance(door, Served)
        operator = await settle(door)
        brain, wire = await door.losing(GATEWAY)
        yield World(brain, wire, door.enter(GATEWAY), operator, door)


@pytest.mark.parametrize("losses", [1, 2])
async def test_cl1_a_decision_whose_answer_was_lost_is_answered_as_done(world: World, losses: int) -> None:
    """CL1 AP9: approved once, by whom and with what was asked for; the page has one version."""
    asked = await ask(world.brain)
    said: dict[str, Any] = {"id": asked.id, "revision": 1, "decided_by": MIA, "grant_seconds": 60}
    done = await world.lost(world.brain.decide(decision="approve", **said), losses)
    assert (done.state, done.revision, done.decided_by.user) == (State.APPLIED, 2, "UMIA")
    assert done == await world.other.proposal(id=asked.id)
    history = await world.other.versions(slice="shared", slug="oncall", slices=["shared"], origin=at(ANN))
    assert len(history.items) == 1
    with pytest.raises(NotPending):
        await world.brain.decide(decision="approve", **said)


async def test_cl1_a_denial_whose_answer_was_lost_is_answered_as_done(world: World) -> None:
    """CL1 AP12: with its reason, once."""
    asked = await ask(world.brain)
    done = await world.lost(
        world.brain.decide(id=asked.id, decision="deny", revision=1, decided_by=MIA, reason="not now")
    )
    assert (done.state, done.reason, len(done.events)) == (State.DENIED, "not now", 2)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"decided_by": MAX, "decision": "approve"}, {"decided_by": MIA, "decision": "approve"}),
        ({"decided_by": MIA, "decision": "deny"}, {"decided_by": MIA, "decision": "approve"}),
        ({"decided_by": MIA, "decision": "approve", "grant_seconds": 60}, {"decided_by": MIA, "decision": "approve"}),
        ({"decided_by": MIA, "decision": "approve"}, {"decided_by": MIA, "decision": "approve", "grant_seconds": 60}),
        (
            {"decided_by": MIA, "decision": "deny", "reason": "a"},
            {"decided_by": MIA, "decision": "deny", "reason": "b"},
        ),
    ],
    ids=["another person", "the other way", "with a grant", "without the grant", "for another reason"],
)
async def test_cl1_what_was_decided_otherwise_is_never_answered_as_done(
    world: World, first: dict[str, Any], second: dict[str, Any]
) -> None:
    """CL1 AP11: a lost answer may have been a refusal; then the refusal is what the caller hears, with the state."""
    asked = await ask(world.brain)
    await world.brain.decide(id=asked.id, revision=1, **first)
    with pytest.raises(NotPending) as refused:
        await world.lost(world.brain.decide(id=asked.id, revision=1, **second))
    assert refused.value.facts["state"] == {"approve": "applied", "deny": "denied"}[first["decision"]]


async def test_cl1_what_another_token_relayed_is_not_this_calls_doing(world: World) -> None:
    """CL1 BR3: the same person through another gateway's token clicked another time."""
    asked = await ask(world.brain)
    await world.other.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    with pytest.raises(NotPending):
        await world.lost(world.brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA))


async def test_cl1_an_approval_that_found_a_moved_base_says_so_after_a_loss(world: World) -> None:
    """CL1 AP24: superseded, with the new proposal, once."""
    asked = await ask(world.brain)
    await written(world.other)
    with pytest.raises(NotPending) as refused:
        await world.lost(world.brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA))
    assert refused.value.facts["state"] == "superseded"
    waiting = await world.other.proposals(state="pending")
    assert [one.id for one in waiting] == [refused.value.facts["superseded_by"]]


async def test_cl1_taking_back_and_sending_survive_a_loss(world: World) -> None:
    """CL1 AP23: a draft is sent once, a proposal taken back once, and both are answered as done."""
    draft = await ask(world.brain, origin=alone(ANN))
    sent = await world.lost(world.brain.send_draft(id=draft.id, revision=1, origin=alone(ANN)))
    assert (sent.state, sent.revision) == (State.PENDING, 2)
    back = await world.lost(world.brain.withdraw(id=draft.id, revision=2, origin=at(ANN)))
    assert (back.state, back.revision) == (State.WITHDRAWN, 3)
    with pytest.raises(NotPending):
        await world.brain.withdraw(id=draft.id, revision=2, origin=at(ANN))
    kept = await ask(world.brain, page("kept"), origin=alone(ANN))
    assert (await world.lost(world.brain.withdraw(id=kept.id, revision=1, origin=alone(ANN)))).state is State.WITHDRAWN


async def test_cl1_a_decision_is_not_taken_for_taking_back(world: World) -> None:
    """CL1 AP11: what was denied before is not withdrawn, whatever was lost."""
    asked = await ask(world.brain)
    await world.other.decide(id=asked.id, decision="deny", revision=1, decided_by=MIA)
    with pytest.raises(NotPending) as refused:
        await world.lost(world.brain.withdraw(id=asked.id, revision=1, origin=at(ANN)))
    assert refused.value.facts["state"] == "denied"


async def test_cl1_writes_are_made_once_however_many_answers_are_lost(world: World) -> None:
    """CL1 BR6: the retry carries the same request id and is given the first receipt, `replayed`."""
    ada, wire = await world.door.losing(Principal.agent("ada"))
    world.wire = wire
    stored = (await world.lost(ada.write_pages(slice="mine", pages=[page("n", "one")]), 2)).receipts[0]
    assert (stored.version, stored.action, stored.replayed) == (1, Action.STORE, True)
    again = (await world.lost(ada.write_pages(slice="mine", pages=[{**page("n", "two"), "if_version": 1}]))).receipts[0]
    assert (again.version, again.replayed) == (2, True)
    with pytest.raises(VersionConflict):
        await world.lost(ada.write_pages(slice="mine", pages=[{**page("n", "three"), "if_version": 1}]))
    gone = (await world.lost(ada.delete(slice="mine", slug="n"))).receipts[0]
    back = (await world.lost(ada.undo(slice="mine", slug="n", expected_event=gone.event_id))).receipts[0]
    old = (await world.lost(ada.restore(slice="mine", slug="n", version=1))).receipts[0]
    assert [(one.version, one.action) for one in (gone, back, old)] == [
        (3, Action.DELETE), (4, Action.UNDO), (5, Action.RESTORE),
    ]  # fmt: skip
    assert len((await ada.versions(slice="mine", slug="n")).items) == 5
    asked = await world.lost(ada.propose(op="write", slice="shared", pages=[page()]))
    assert [one.id for one in await ada.proposals()] == [asked.id]


async def test_cl1_what_says_how_things_are_to_be_is_said_again(world: World) -> None:
    """CL1: claims, cards, trust, what was seen, registering, ending a grant: twice comes to the same as once."""
    brain = world.brain
    asked = await ask(brain)
    named: dict[str, Any] = {"id": asked.id, "place": "T1/C1/1.1", "holder": "g1"}
    assert (await world.lost(brain.claim_card(**named, lease_s=30))).claimed
    assert (await world.lost(brain.card_posted(**named, ref="C1/1.2"))).claimed
    done = await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA, grant_seconds=60)
    assert done.grant is not None
    ended = await world.lost(brain.revoke_grant(id=done.grant.id, by=MIA))
    assert ended.ended_why == "revoked by UMIA"
    trusted = await world.lost(brain.set_trust(team="T1", channel="G1", trust="trusted", by=MIA))
    assert trusted == await world.lost(brain.policy())
    seen = await world.lost(brain.observe(place={"team": "T1", "channel": "C2", "external": True}))
    assert seen.channels["T1", "C2"].external
    assert (await world.lost(brain.register(display="Ada"))).display == "Ada"


async def test_cl1_a_policy_or_a_trust_said_again_is_one_act(world: World) -> None:
    """CL1, OP1: repeated after a lost answer, a field of the policy and a channel's trust are set once and recorded
    once; said anew by hand they are no act either while nothing changes."""
    admin, wire = await world.door.losing(Principal.admin())
    gateway, world.wire = world.wire, wire
    for _ in range(2):
        assert (await world.lost(admin.set_policy(raised=["T1:U9"], grant_for="2h"))).raised == {"T1:U9"}
    world.wire = gateway
    for _ in range(2):
        await world.lost(world.brain.set_trust(team="T1", channel="G1", trust="trusted", by=MIA))
    acts = [act.act for act in (await world.operator.audit(limit=200)).items]
    assert acts.count("channel.trust") == 1
    assert len([act for act in (await admin.audit(limit=200)).items if "raised" in str(act.about)]) == 1


async def test_cl1_a_denial_is_reported_again_for_its_turn_alone(world: World) -> None:
    """CL1 OP1: with a turn it is on record once; without one it is not sent twice, and the caller is told."""
    await world.lost(world.brain.report_denial(op="write", slice="shared", origin=at(ANN, turn="t1")))
    with pytest.raises(Unavailable, match="ended the connection"):
        await world.lost(world.brain.report_denial(op="write", slice="shared", origin=at(ANN)))
    acts = [act.act for act in (await world.operator.audit()).items]
    assert acts.count("refused.in_gateway") == 2


async def test_cl1_a_token_whose_secret_was_lost_is_not_made_again(world: World) -> None:
    """CL1: the caller is told in words that it may be there and how to look; it is seen in the list, and its secret by
    nobody."""
    admin, wire = await world.door.losing(Principal.admin())
    world.wire = wire
    before = len((await admin.tokens()).items)
    with pytest.raises(Unavailable, match=r"may have been made .* 'sliceway token list'.* 'sliceway token revoke ID'"):
        await world.lost(admin.create_token(kind="agent", agent="coder"))
    tokens = (await admin.tokens()).items
    assert len(tokens) == before + 1
    made = next(one for one in tokens if one.agent == "coder")
    with pytest.raises(Unavailable, match=r"may have been changed .* rotate it again"):
        await world.lost(admin.rotate_token(id=made.id))
    assert (await world.lost(admin.revoke_token(id=made.id))).revoked_at is not None
