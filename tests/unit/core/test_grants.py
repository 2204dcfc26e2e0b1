"""Grants: what one is about, and when it ends (AP15-AP17)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sliceway.core.grants import Grant, covers, why_ended
from sliceway.core.policy import Channel, Policy
from sliceway.core.turns import Person, Place, Standing, Trust
from tests.unit.core import world as w

GIVEN, UNTIL = "2026-05-04T09:30:00.000000Z", "2026-05-04T17:30:00.000000Z"
NOW = "2026-05-04T12:00:00.000000Z"
GRANT = Grant("g1", "shared", "ada", w.ANN, w.DEPLOYS, w.MAX, GIVEN, UNTIL, "p1")


@pytest.mark.parametrize(
    ("agent", "writer", "place", "slice_name", "expected"),
    [
        ("ada", w.ANN, w.DEPLOYS, "shared", True),
        ("ada", replace(w.ANN, name="Anna"), replace(w.DEPLOYS, link="https://x.example"), "shared", True),
        ("bob", w.ANN, w.DEPLOYS, "shared", False),
        ("ada", w.BEN, w.DEPLOYS, "shared", False),
        ("ada", replace(w.ANN, team="T2"), w.DEPLOYS, "shared", False),
        ("ada", None, w.DEPLOYS, "shared", False),
        ("ada", w.ANN, None, "shared", False),
        ("ada", w.ANN, replace(w.DEPLOYS, thread="2.2"), "shared", False),
        ("ada", w.ANN, replace(w.DEPLOYS, thread=None), "shared", False),
        ("ada", w.ANN, replace(w.DEPLOYS, channel="C2"), "shared", False),
        ("ada", w.ANN, replace(w.DEPLOYS, team="T2"), "shared", False),
        ("ada", w.ANN, w.DEPLOYS, "public", False),
        ("ada", w.ANN, w.DEPLOYS, "agent-ada", False),
    ],
)
def test_ap16_what_a_grant_covers(
    agent: str, writer: Person | None, place: Place | None, slice_name: str, expected: bool
) -> None:
    """AP15, AP16: this agent, writer, thread and slice; another of any, or no person, is a card."""
    assert covers(GRANT, agent=agent, writer=writer, place=place, slice_name=slice_name) is expected


def channel(**seen: object) -> Policy:
    """Return the policy with what is known of the grant's channel."""
    return replace(w.POLICY, channels={w.DEPLOYS.key: replace(Channel(), **seen)})  # type: ignore[arg-type]  # fields of a channel, by name


@pytest.mark.parametrize(
    ("grant", "policy", "now", "words"),
    [
        (GRANT, w.POLICY, NOW, None),
        (GRANT, w.POLICY, "2026-05-04T17:29:59.999999Z", None),
        (GRANT, w.POLICY, UNTIL, "expired"),
        (replace(GRANT, ended_at=NOW, ended_why="revoked"), w.POLICY, NOW, "revoked"),
        (replace(GRANT, ended_at=NOW), w.POLICY, NOW, "ended"),
        (GRANT, channel(external=True), NOW, "shared"),
        (GRANT, channel(external=True, trust=Trust.TRUSTED), NOW, "shared"),
        (GRANT, channel(fell_at=NOW), NOW, "shared"),
        (GRANT, channel(fell_at=GIVEN), NOW, "shared"),
        (GRANT, channel(fell_at="2026-05-04T09:29:59.999999Z", trust=Trust.TRUSTED), NOW, None),
        (GRANT, replace(w.POLICY, teams=frozenset({"T2"})), NOW, "shared"),
        (GRANT, replace(w.POLICY, gone={("T1", "U1"): NOW}), NOW, "writer"),
        (replace(GRANT, writer=replace(w.ANN, standing=Standing.GUEST)), w.POLICY, NOW, "writer"),
        (GRANT, replace(w.POLICY, gone={("T1", "M1"): NOW}), NOW, "gave"),
        (GRANT, replace(w.POLICY, managers=frozenset()), NOW, "gave"),
        (GRANT, replace(w.POLICY, approvers=frozenset({"U2"})), NOW, "gave"),
        (GRANT, replace(w.POLICY, approvers=frozenset({"M1"}), managers=frozenset()), NOW, None),
        (replace(GRANT, slice="public"), replace(w.POLICY, approvers=frozenset({"U2"})), NOW, None),
        (replace(GRANT, writer=w.MAX), replace(w.POLICY, self_approval="never"), NOW, None),
    ],
)
def test_ap17_when_a_grant_ends(grant: Grant, policy: Policy, now: str, words: str | None) -> None:
    """AP17: at once, judged anew at every use, with a reason in words; a fallen channel's grants never come back."""
    reason = why_ended(grant, policy, now)
    assert reason is None if words is None else words in str(reason)


def test_ap16_a_receipt_says_under_whose_grant() -> None:
    """AP16: the note names the grant, who gave it and until when."""
    assert (GRANT.note.id, GRANT.note.granted_by, GRANT.note.until) == ("g1", w.MAX, UNTIL)
