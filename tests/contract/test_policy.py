"""The policy: judged by in every call, changed by few, on record (AP7, CF1)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from sliceway.brain.local import LocalBrain
from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, NotPermitted
from sliceway.ports import BrainDoor
from tests.contract.conftest import store_of
from tests.contract.office import MIA, gateway, settle


async def test_ap7_an_admin_or_the_operator_changes_the_policy(door: BrainDoor) -> None:
    """AP7, BR2: nobody else does, and the try is on record; the change holds for the next call of everyone."""
    operator, bystander = await settle(door), gateway(door)
    others = [
        door.enter(principal)
        for principal in (Principal.agent("ada"), Principal.reader(["shared"]), Principal.gateway("ada", decides=True))
    ]
    changed = await door.enter(Principal.admin()).set_policy(
        approvers=["UBEN"], expire_after="15m", grant_for=timedelta(), dm="off", self_approval="never"
    )
    assert (changed.approvers, changed.expire_after, changed.grant_for, changed.dm, changed.self_approval) == (
        frozenset({"UBEN"}), timedelta(minutes=15), timedelta(), "off", "never",
    )  # fmt: skip
    seen = await bystander.policy()
    assert (seen.approvers, seen.version) == (changed.approvers, changed.version)
    for other in others:
        with pytest.raises(NotPermitted):
            await other.set_policy(approvers=["UEVE"])
    assert (await operator.policy()).approvers == frozenset({"UBEN"})
    acts = [act.act for act in (await operator.audit()).items]
    assert acts[:4] == ["refused", "refused", "refused", "policy.changed"]


async def test_op1_a_change_is_one_act_and_no_change_is_none(door: BrainDoor) -> None:
    """OP1: the act names the fields and the versions before and after, never the values."""
    operator = await settle(door)
    before = await operator.policy()
    after = await operator.set_policy(raised=["UGUEST"], dm="off")
    assert await operator.set_policy(raised=["UGUEST"]) == after
    act = (await operator.audit()).items[0]
    assert (act.act, act.about["fields"], act.about["version_before"], act.about["version"]) == (
        "policy.changed", ["dm", "raised"], before.version, after.version,
    )  # fmt: skip
    assert "UGUEST" not in repr(act)
    assert act.author["operator"] == "root"
    assert (await operator.verify()).ok


@pytest.mark.parametrize(
    "wrong",
    [
        {"manager": ["UMIA"]},
        {"managers": "UMIA"},
        {"managers": [""]},
        {"managers": ["U\n1"]},
        {"managers": None},
        {"dm": "on"},
        {"self_approval": True},
        {"expire_after": "0"},
        {"expire_after": "soon"},
        {"grant_for": "8d"},
        {"grant_for": -5},
        {"kb": {"ada": ["shared"]}},
        {"channels": {}},
        {"version": 7},
    ],
    ids=str,
)
async def test_br5_a_wrong_field_is_refused_by_name(door: BrainDoor, wrong: dict[str, Any]) -> None:
    """BR5: the field is named, and none of the others in the call is changed."""
    operator = await settle(door)
    before = await operator.policy()
    with pytest.raises(InvalidRequest) as told:
        await operator.set_policy(raised=["UGUEST"], **wrong)
    assert [error.field for error in told.value.errors] == list(wrong)
    assert await operator.policy() == before


async def test_cf1_what_a_server_took_from_its_settings_is_changed_there(door: BrainDoor) -> None:
    """CF1: copied at boot as a recorded change if it differs; `set_policy` on it is refused and says where to change
    it; a later server that does not set it lets go of it."""
    operator = await settle(door)
    assert isinstance(operator, LocalBrain)
    copied = await operator.copy_settings({"managers": ["UBEN"], "grant_for": "4h"})
    assert (copied.managers, copied.grant_for) == (frozenset({"UBEN"}), timedelta(hours=4))
    count = len((await operator.audit()).items)
    assert await operator.copy_settings({"managers": ["UBEN"], "grant_for": "4h"}) == copied
    assert len((await operator.audit()).items) == count
    with pytest.raises(NotPermitted, match="SLICEWAY_APPROVALS__GRANT_FOR"):
        await operator.set_policy(grant_for="1h", dm="off")
    assert (await operator.policy()).dm == "personal"
    await operator.copy_settings({"managers": ["UBEN"]})
    assert (await operator.set_policy(grant_for="1h")).grant_for == timedelta(hours=1)
    with pytest.raises(NotPermitted, match="SLICEWAY_POLICY__MANAGERS"):
        await operator.set_policy(managers=["UMIA"])
    admin = store_of(door).enter(Principal.admin())
    with pytest.raises(NotPermitted):
        await admin.copy_settings({})


async def test_ap7_without_listed_teams_a_gateway_is_told_its_own(door: BrainDoor) -> None:
    """AP7: the policy that a gateway is given is the one it is judged by."""
    await settle(door, teams=[])
    assert (await gateway(door, teams=("T1", "T2")).policy()).teams == {"T1", "T2"}
    assert (await door.enter(Principal.operator()).policy()).teams == frozenset()


async def test_br4_the_policy_shows_no_other_teams_and_no_other_agents(door: BrainDoor) -> None:
    """BR4: channels and people of other teams, and what other agents have mounted, are not in what is shown."""
    operator = await settle(door, teams=["T1", "T2"], kb={"ada": ["kb-a"], "bob": ["kb-b"]})
    for team in ("T1", "T2"):
        brain = gateway(door, teams=(team,))
        await brain.observe(place={"team": team, "channel": "C1", "guests": True})
        await brain.observe(person={"team": team, "user": "U1", "deactivated": True})
    seen = await gateway(door, "ada", decides=False).policy()
    assert (set(seen.channels), set(seen.gone), set(seen.kb)) == ({("T1", "C1")}, {("T1", "U1")}, {"ada"})
    deciding = await gateway(door, "ada", teams=("T1",)).policy()
    assert (len(deciding.channels), len(deciding.gone), set(deciding.kb)) == (2, 2, {"ada"})
    whole = await operator.policy()
    assert (len(whole.channels), len(whole.gone), len(whole.kb)) == (2, 2, 2)
    assert MIA["user"] in whole.managers
