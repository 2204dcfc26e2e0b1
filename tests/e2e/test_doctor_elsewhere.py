"""The doctor where the brain is elsewhere: reached or not, whose token, its rights, its people, its time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from sliceway.core.checks import Check
from sliceway.core.principals import Principal
from sliceway.doctor import examine
from sliceway.doctor.elsewhere import MOST_SKEW_S, skew
from sliceway.settings import find_settings
from tests.e2e.elsewhere import Office, office

Checks = dict[str, Check]


@pytest.fixture
async def there(tmp_path: Path) -> AsyncIterator[Office]:
    """An office whose brain is served."""
    async with office(tmp_path) as opened, opened.served():
        yield opened


async def looked(office: Office, token: str, **more: str) -> Checks:
    """Have the doctor look as a gateway with that token would be started; return its checks, the wrong ones first."""
    env = office.environment(token, SLICEWAY_SERVER__PORT="1", **more)
    found = [check async for check in examine(find_settings(env=env), Principal.operator("op"))]
    assert all(check.cure for check in found if not check.ok)
    assert not any(token in check.says + check.cure for check in found)
    checks: Checks = {}
    for check in sorted(found, key=lambda one: one.ok):
        checks.setdefault(check.name, check)
    assert not list(office.folder.glob("desk-*")), "looking made a desk"
    return checks


def wrong(checks: Checks) -> set[str]:
    """Return the names of what is wrong."""
    return {name for name, check in checks.items() if not check.ok}


async def test_all_is_well_with_a_good_token(there: Office) -> None:
    """BR2, AP7: a brain that answers, a token of this agent with both rights, a workspace and managers that its policy
    names: nothing is wrong, and each of it is said."""
    checks = await looked(there, (await there.token())[1])
    assert wrong(checks) == set()
    assert {
        "brain", "brain_version", "brain_clock", "brain_token", "brain_rights", "brain_teams", "approvers", "managers",
        "identity",
    } <= set(checks)  # fmt: skip
    assert there.url in checks["brain"].says
    assert {"store", "brain_url"}.isdisjoint(checks)


@pytest.mark.parametrize(
    ("rights", "found", "cure"),
    [
        ({"agent": "bob"}, "brain_agent", "SLICEWAY_AGENT_ID=bob"),
        ({"teams": ["T-ELSE"]}, "brain_team", "--teams THARBOR"),
        ({"kind": "agent", "teams": None, "acts_for": None, "decides": None}, "brain_token", "--kind gateway"),
        (
            {"kind": "reader", "agent": None, "slices": ["public"], "teams": None, "acts_for": None, "decides": None},
            "brain_token",
            "--kind gateway",
        ),
    ],
)
async def test_br2_a_token_that_would_stop_the_boot_is_named(
    there: Office, rights: dict[str, Any], found: str, cure: str
) -> None:
    """BR2, ID1: what a gateway would refuse to start with is a check, with how to make the token that is needed."""
    checks = await looked(there, (await there.token(**rights))[1])
    assert wrong(checks) == {found}
    assert cure in checks[found].cure


async def test_br2_missing_rights_are_said_and_are_no_fault(there: Office) -> None:
    """BR2, AP22: a token without the rights works as far as it goes; the doctor says what will not."""
    checks = await looked(there, (await there.token(acts_for=None, decides=None))[1])
    assert wrong(checks) == set()
    assert "--acts-for" in checks["brain_rights"].says
    assert checks["brain_rights"].cure


async def test_ap7_the_people_are_the_brains(there: Office) -> None:
    """AP7: who decides and which workspaces belong together is read from the brain's policy, and mended there."""
    await there.operator.set_policy(managers=[], teams=["T-ELSE"])
    checks = await looked(there, (await there.token())[1])
    assert wrong(checks) == {"approvers", "managers", "brain_teams"}
    for name in wrong(checks):
        assert "store is" in checks[name].cure
    assert "sliceway policy set teams T-ELSE,THARBOR" in checks["brain_teams"].cure


async def test_a_revoked_token_and_a_brain_that_is_down_are_named(there: Office) -> None:
    """BR2, OP2: a token that is refused and a brain that does not answer are one wrong check each, told apart, and
    nobody is blamed who could not be looked at."""
    id, token = await there.token()
    await there.operator.revoke_token(id=id)
    checks = await looked(there, token)
    assert wrong(checks) == {"brain"}
    assert "SLICEWAY_BRAIN__TOKEN" in checks["brain"].cure
    checks = await looked(there, token, SLICEWAY_BRAIN__URL="http://127.0.0.1:1")
    assert wrong(checks) == {"brain"}
    assert "sliceway brain serve" in checks["brain"].cure


@pytest.mark.parametrize(("off", "ok"), [(0.0, True), (MOST_SKEW_S, True), (-MOST_SKEW_S - 1, False), (3600.0, False)])
def test_a_clock_that_is_off_the_brains_is_named(off: float, ok: bool) -> None:
    """AP3: cards are claimed for a while, so that a clock that is far from the brain's is named, ahead or behind."""
    check = skew(off)
    assert check.ok is ok
    assert ok or ("ahead" if off > 0 else "behind") in check.says
