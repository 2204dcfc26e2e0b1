"""Tokens at the port: shown once, kept as a hash, good for what their kind takes, read on every request (BR2)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.principals import Principal, PrincipalKind
from sliceway.core.tokens import token_parts, token_text
from sliceway.errors import InvalidAgentId, InvalidRequest, NotFound, NotPermitted, Unauthorized
from sliceway.ports import Brain, BrainDoor, NewId
from tests.contract.conftest import store_of
from tests.contract.people import ANN, MANAGER, in_channel
from tests.fakes.clock import HandClock

WELL: dict[str, dict[str, Any]] = {
    "admin": {},
    "gateway": {"agent": "ada", "teams": ["T1", "T2", "T1"], "acts_for": True, "decides": True},
    "agent": {"agent": "coder"},
    "reader": {"slices": ["shared", "kb-runbooks"]},
}


@pytest.fixture
def local(door: BrainDoor) -> LocalDoor:
    """The door as the server has it: the one that knows callers by their tokens."""
    return store_of(door)


async def _refused(door: LocalDoor, token: str) -> str:
    """Return the words that a token is refused with."""
    with pytest.raises(Unauthorized) as refused:
        await door.principal_of(token)
    assert refused.value.facts == {}
    return refused.value.detail


@pytest.mark.parametrize("kind", WELL)
async def test_br2_a_token_is_the_caller_it_was_made_for(local: LocalDoor, operator: Brain, kind: str) -> None:
    """BR2: each kind comes back as a principal with exactly the rights it was given, and its own id."""
    made = await operator.create_token(kind=kind, **WELL[kind])
    given = WELL[kind]
    assert made.token.startswith(f"slw_{made.entry.id}_")
    assert await local.principal_of(made.token) == Principal(
        PrincipalKind(kind), given.get("agent"), frozenset(given.get("teams", ())), given.get("acts_for", False),
        given.get("decides", False), frozenset(given.get("slices", ())), made.entry.id,
    )  # fmt: skip


async def test_br2_both_rights_of_a_gateway_are_off_by_default(local: LocalDoor, operator: Brain) -> None:
    """BR2: a gateway acts for nobody and relays no decision unless it was said."""
    made = await operator.create_token(kind="gateway", agent="ada", teams=["T1"])
    principal = await local.principal_of(made.token)
    assert (principal.acts_for, principal.decides) == (False, False)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"kind": "operator"}, "kind"),
    ({"kind": "admin", "agent": "ada"}, "agent"),
    ({"kind": "admin", "decides": True}, "decides"),
    ({"kind": "gateway"}, "agent"),
    ({"kind": "gateway", "agent": "ada", "slices": ["shared"]}, "slices"),
    ({"kind": "gateway", "agent": "ada", "teams": ["T1", "T 2"]}, "teams"),
    ({"kind": "gateway", "agent": "ada", "teams": "T1"}, "teams"),
    ({"kind": "agent"}, "agent"),
    ({"kind": "agent", "agent": "ada", "teams": ["T1"], "acts_for": True}, "acts_for teams"),
    ({"kind": "reader"}, "slices"),
    ({"kind": "reader", "slices": []}, "slices"),
    ({"kind": "reader", "slices": ["shared", "agent-ada"]}, "slices"),
    ({"kind": "reader", "slices": ["user-x"]}, "slices"),
    ({"kind": "reader", "slices": ["_system"]}, "slices"),
    ({"kind": "reader", "slices": ["agent"]}, "slices"),
    ({"kind": "reader", "slices": ["nonsense"]}, "slices"),
    ({"kind": "reader", "slices": ["shared"], "agent": "ada"}, "agent"),
    ({"kind": "admin", "expires": "soon"}, "expires"),
    ({"kind": "admin", "expires": "0"}, "expires"),
    ({"kind": "admin", "expires": "3651d"}, "expires"),
]


@pytest.mark.parametrize(("call", "fields"), WRONG, ids=str)
async def test_br2_what_a_kind_does_not_take_is_refused(operator: Brain, call: dict[str, Any], fields: str) -> None:
    """BR2 BR5: a right that the kind has no use for is refused with its field, and nothing is made."""
    with pytest.raises(InvalidRequest) as refused:
        await operator.create_token(**call)
    assert " ".join(sorted({error.field.partition(".")[0] for error in refused.value.errors})) == fields
    assert (await operator.tokens()).items == ()


@pytest.mark.parametrize("agent", ["a b", "x" * 65, "anonymous", "Default", "../ada"])
async def test_id8_a_token_s_agent_has_an_id_that_names_somebody(operator: Brain, agent: str) -> None:
    """ID8 ID9: a token is made for no id with other characters, too long, or that names nobody."""
    with pytest.raises(InvalidAgentId):
        await operator.create_token(kind="agent", agent=agent)
    assert (await operator.tokens()).items == ()


async def test_br2_what_is_wrong_with_a_token_is_not_told(local: LocalDoor, operator: Brain, clock: HandClock) -> None:
    """BR2: nonsense, an unknown id, a wrong secret, an expired and a revoked token are refused in the same words."""
    good = await operator.create_token(kind="admin")
    id, secret = token_parts(good.token)
    gone = await operator.create_token(kind="admin")
    await operator.revoke_token(id=gone.entry.id)
    late = await operator.create_token(kind="admin", expires="30d")
    clock.advance("30d")
    wrong = ("B" if secret[0] == "A" else "A") + secret[1:]
    bad = [
        "", "slw_", good.token + " ", good.token.upper(), f"slw_{id}_", token_text(id, wrong),
        token_text("0" * 26, secret), token_text(gone.entry.id, secret), gone.token, late.token,
    ]  # fmt: skip
    assert len({await _refused(local, token) for token in bad}) == 1
    assert (await local.principal_of(good.token)).token_id == id


async def test_br2_a_token_is_good_until_the_very_moment(local: LocalDoor, operator: Brain, clock: HandClock) -> None:
    """BR2: the brain's own clock ends a token, at the time that its entry names and not before."""
    made = await operator.create_token(kind="agent", agent="ada", expires="15m")
    clock.forward(minutes=15, microseconds=-1)
    await local.principal_of(made.token)
    clock.forward(microseconds=1)
    assert made.entry.expires_at == clock.text
    await _refused(local, made.token)


async def test_br2_a_rotated_token_keeps_its_id_and_rights(local: LocalDoor, operator: Brain) -> None:
    """BR2: the new secret is the same caller; the one before is refused on the next request."""
    first = await operator.create_token(kind="gateway", **WELL["gateway"])
    before = await local.principal_of(first.token)
    second = await operator.rotate_token(id=first.entry.id)
    await _refused(local, first.token)
    assert await local.principal_of(second.token) == before
    assert second.token != first.token
    assert second.entry.rotated_at is not None


async def test_br2_what_ended_is_not_brought_back(local: LocalDoor, operator: Brain, clock: HandClock) -> None:
    """BR2: a revoked or expired token gets no new secret, and is told which it is; an unknown one is not found."""
    gone = await operator.create_token(kind="admin")
    ended = await operator.revoke_token(id=gone.entry.id)
    late = await operator.create_token(kind="admin", expires="4s")
    clock.advance("1h")
    for entry, word in ((gone.entry, "revoked"), (late.entry, "expired")):
        with pytest.raises(InvalidRequest, match=word):
            await operator.rotate_token(id=entry.id)
    assert await operator.revoke_token(id=gone.entry.id) == ended
    for call in (operator.rotate_token, operator.revoke_token):
        with pytest.raises(NotFound):
            await call(id="0" * 26)
    await _refused(local, gone.token)


async def test_br2_a_token_revoked_between_two_reads_is_refused_by_the_second(
    local: LocalDoor, operator: Brain, address: str, clock: HandClock, new_id: NewId
) -> None:
    """BR2: nothing of a token is kept from one request to the next, by this door or by another on the same store: once
    it is revoked or rotated, while requests run or not, no later one passes."""
    async with await open_local(address, sync="normal", clock=clock, new_id=new_id) as other:
        for end in (operator.revoke_token, operator.rotate_token):
            made = await operator.create_token(kind="agent", agent="ada")
            for door in (local, other):
                await door.principal_of(made.token)
            racing = [asyncio.create_task(door.principal_of(made.token)) for door in (local, other) for _ in range(20)]
            await end(id=made.entry.id)
            for door in (local, other):
                await _refused(door, made.token)
            for answer in await asyncio.gather(*racing, return_exceptions=True):
                assert isinstance(answer, Principal | Unauthorized)


async def test_gt9_only_an_admin_or_the_operator_keeps_tokens(local: LocalDoor, operator: Brain) -> None:
    """GT9 OP1: every other kind of caller is refused, and each refusal is recorded."""
    made = [await operator.create_token(kind=kind, **WELL[kind]) for kind in ("gateway", "agent", "reader")]
    for one in made:
        brain = local.enter(await local.principal_of(one.token))
        for call in (
            brain.create_token(kind="admin", agent="ada"), brain.tokens(), brain.rotate_token(id=one.entry.id),
            brain.revoke_token(id=one.entry.id),
        ):  # fmt: skip
            with pytest.raises(NotPermitted):
                await call
    refusals = [act for act in (await operator.audit()).items if act.act == "refused"]
    assert [act.author["token_id"] for act in refusals] == [one.entry.id for one in reversed(made) for _ in range(4)]
    assert {act.about["op"] for act in refusals} == {"tokens"}
    admin = local.enter(Principal.admin())
    assert (await admin.create_token(kind="admin")).entry in (await admin.tokens()).items


async def test_op1_each_change_of_a_token_is_an_act(operator: Brain) -> None:
    """OP1 BR11: making, rotating and revoking are recorded with the token's id and rights; the record verifies."""
    made = await operator.create_token(kind="gateway", agent="ada", teams=["T1"], decides=True, expires="7d")
    await operator.rotate_token(id=made.entry.id)
    for _ in range(2):
        await operator.revoke_token(id=made.entry.id)
    acts = [act for act in (await operator.audit()).items if act.act.startswith("token.")]
    assert [act.act for act in acts] == ["token.revoked", "token.rotated", "token.created"]
    assert {act.about["token"] for act in acts} == {made.entry.id}
    assert acts[-1].about == {
        "token": made.entry.id, "kind": "gateway", "agent": "ada", "teams": ["T1"], "decides": True,
        "expires_at": made.entry.expires_at,
    }  # fmt: skip
    assert {act.author["operator"] for act in acts} == {"op"}
    assert (await operator.verify()).ok


async def test_br13_the_list_of_tokens_pages(operator: Brain) -> None:
    """BR13: all tokens, those that ended too, by id, in parts; a cursor of another list is refused."""
    made = [(await operator.create_token(kind="admin")).entry.id for _ in range(5)]
    await operator.revoke_token(id=made[1])
    found: list[str] = []
    cursor = None
    while True:
        part = await operator.tokens(limit=2, cursor=cursor)
        found += [entry.id for entry in part]
        cursor = part.next_cursor
        if cursor is None:
            break
    assert found == sorted(made)
    other = (await operator.audit(limit=1)).next_cursor
    with pytest.raises(InvalidRequest):
        await operator.tokens(cursor=other)


async def test_br2_what_a_token_did_is_a_view_of_the_record(
    local: LocalDoor, operator: Brain, clock: HandClock
) -> None:  # fmt: skip
    """BR2: the list counts a token's own writes and denials and says when it first and last acted; what another did
    with the same agent is not its."""
    made = [await operator.create_token(kind="agent", agent="ada") for _ in range(2)]
    one, two = [local.enter(await local.principal_of(each.token)) for each in made]
    first = clock.text
    await one.write_pages(slice="mine", pages=[{"slug": slug, "content": "x"} for slug in ("a", "b")])
    await one.delete(slice="mine", slug="a")
    clock.advance("1h")
    with pytest.raises(NotPermitted):
        await one.write_pages(slice="agent-bob", pages=[{"slug": "a", "content": "x"}])
    await two.recall(query="x")
    seen = {entry.id: entry for entry in await operator.tokens()}
    acted = seen[made[0].entry.id]
    assert (acted.writes, acted.denials, acted.first_seen, acted.last_seen) == (3, 1, first, clock.text)
    assert seen[made[1].entry.id] == made[1].entry
    assert (await operator.revoke_token(id=acted.id)).writes == 3


async def test_br3_every_version_names_the_token_that_wrote_it(local: LocalDoor, operator: Brain) -> None:
    """BR3: a write, a deletion, a restore and an undo are each stamped with the caller's token; so is what a person had
    written through a gateway."""
    coder = await operator.create_token(kind="agent", agent="ada")
    brain = local.enter(await local.principal_of(coder.token))
    await brain.write_pages(slice="mine", pages=[{"slug": "n", "content": "one"}])
    await brain.delete(slice="mine", slug="n")
    back = await brain.restore(slice="mine", slug="n")
    await brain.undo(slice="mine", slug="n", expected_event=back.receipts[0].event_id)
    served = await operator.create_token(kind="gateway", agent="ada", teams=["T1"], acts_for=True)
    for_ann = local.enter(await local.principal_of(served.token))
    await for_ann.write_pages(
        slice="agent-ada", pages=[{"slug": "n", "content": "hers"}], origin=in_channel(ANN)
    )  # fmt: skip
    versions = (await brain.versions(slice="mine", slug="n")).items
    assert [version.author.token_id for version in versions] == [served.entry.id] + [coder.entry.id] * 4
    assert {version.author.agent for version in versions} == {"ada"}


async def test_br3_a_decision_records_the_token_that_relayed_it(local: LocalDoor, operator: Brain) -> None:
    """BR3: the page is its writer's, by the writer's token; the yes is the manager's, by the token that told of it, in
    the page and in the audit."""
    coder = await operator.create_token(kind="agent", agent="ada")
    served = await operator.create_token(kind="gateway", agent="bob", teams=["T1"], decides=True)
    brain, deciding = [local.enter(await local.principal_of(one.token)) for one in (coder, served)]
    asked = (await brain.write_pages(slice="shared", pages=[{"slug": "n", "content": "x"}])).proposal
    assert asked is not None
    await deciding.decide(id=asked.id, decision="approve", revision=1, decided_by=MANAGER)
    page = await brain.read_page(slice="shared", slug="n")
    assert page.author.token_id == coder.entry.id
    assert page.approver is not None
    assert (page.approver.user, page.approver.relayed_by) == (MANAGER.user, served.entry.id)
    decided = next(act for act in (await operator.audit()).items if act.act == "proposal.approve")
    assert decided.author["token_id"] == served.entry.id
