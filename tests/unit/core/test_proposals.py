"""Proposals as a state machine, and who may decide them (AP7, AP8, AP14)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from sliceway.core.pages import PageDraft
from sliceway.core.policy import Policy, approvers_of, is_full_member, is_manager, is_outside, may_decide
from sliceway.core.principals import NO_ORIGIN
from sliceway.core.proposals import Act, Proposal, ProposedPage, State, after, place_key, state_at
from sliceway.core.turns import Person, Place, Standing
from sliceway.errors import NotPending
from tests.unit.core import world as w

PATHS = {
    "draft": {"send": "pending", "withdraw": "withdrawn", "expire": "expired"},
    "pending": {
        "approve": "applied", "deny": "denied", "expire": "expired", "withdraw": "withdrawn", "supersede": "superseded",
    },
}  # fmt: skip
"""`draft -> pending | withdrawn | expired`; `pending -> applied | denied | expired | withdrawn | superseded`."""


@pytest.mark.parametrize(("state", "act"), list(product(State, Act)))
def test_ap_every_path_and_no_other(state: State, act: Act) -> None:
    """AP11: each act on each state leads where the rules say, or is refused with the state it met."""
    expected = PATHS.get(state.value, {}).get(act.value)
    if expected is not None:
        assert after(state, act) is State(expected)
        return
    with pytest.raises(NotPending) as caught:
        after(state, act)
    assert caught.value.facts == {"state": state.value}
    assert state.value in caught.value.detail


@pytest.mark.parametrize("state", State)
def test_ap14_past_its_time_what_waited_reads_as_expired(state: State) -> None:
    """AP14: from the moment it ends on, a draft or pending proposal reads as expired, and no other ever does."""
    ends = "2026-05-07T09:30:00.000000Z"
    waits = state in {State.DRAFT, State.PENDING}
    assert state_at(state, ends, "2026-05-07T09:29:59.999999Z") is state
    for now in (ends, "2026-05-07T09:30:00.000001Z", "2030-01-01T00:00:00.000000Z"):
        assert state_at(state, ends, now) is (State.EXPIRED if waits else state)


def test_ap14_expired_leads_nowhere() -> None:
    """AP14: what expired is never denied, approved or sent afterwards."""
    for act in Act:
        with pytest.raises(NotPending):
            after(state_at(State.PENDING, "1", "2"), act)


def test_a_proposal_weighs_what_a_person_reads() -> None:
    """AP4: the size that is limited counts content, title, summary and tags in bytes of UTF-8, over all pages."""
    draft = PageDraft("a", "é" * 10, title="ü", summary="xy", tags=("t", "ag"))
    pages = (ProposedPage("a", None, draft), ProposedPage("b", 3), ProposedPage("c", 1, PageDraft("c", "z")))
    made = Proposal("1", "shared", 1, State.PENDING, "write", "ada", pages, None, NO_ORIGIN, "", "")
    assert made.size == 20 + 2 + 2 + 3 + 1
    assert made["slice"] == made.slice == "shared"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Place("slack", "T1", "C1"), Place("slack", "T1", "C1", "1.1")),
        (Place("slack", "T1", "", "C1"), Place("slack", "T1", "C1")),
        (Place("slack", "", "T1", "C1"), Place("slack", "T1", "C1")),
    ],
)
def test_ap3_two_places_have_two_keys(one: Place, other: Place) -> None:
    """AP3: one card per (proposal, place), so no two places are kept by one key."""
    assert place_key(one) != place_key(other)
    assert place_key(Place("slack", "T1", "C1", "1.1")) == "T1/C1/1.1"


APPROVER = Person("T1", "U2")
LISTED = replace(w.POLICY, approvers=frozenset({"U2"}), managers=frozenset({"M1"}))
CORNER = w.ANN.slice

DECIDES = [
    # (policy, slice, who, may)
    (w.POLICY, "shared", w.MAX, True),
    (w.POLICY, "shared", w.ANN, False),
    (LISTED, "shared", APPROVER, True),
    (LISTED, "shared", w.MAX, False),
    (LISTED, "public", APPROVER, False),
    (LISTED, "public", w.MAX, True),
    (LISTED, "agent-ada", w.MAX, True),
    (LISTED, "agent-ada", APPROVER, False),
    (LISTED, CORNER, w.ANN, True),
    (LISTED, CORNER, w.MAX, False),
    (LISTED, "kb-handbook", w.MAX, False),
    (LISTED, "_system", w.MAX, False),
    (LISTED, "agent", w.MAX, False),
    (LISTED, "nonsense", w.MAX, False),
    (replace(w.POLICY, approvers=frozenset()), "shared", w.MAX, False),
    (replace(w.POLICY, managers=frozenset()), "public", w.MAX, False),
    (replace(w.POLICY, teams=frozenset()), "shared", w.MAX, False),
    (replace(w.POLICY, managers=frozenset({"T1:M1"})), "shared", w.MAX, True),
    (replace(w.POLICY, managers=frozenset({"T2:M1"})), "shared", w.MAX, False),
    (w.POLICY, "shared", replace(w.MAX, team="T2"), False),
    (w.POLICY, "shared", replace(w.MAX, standing=Standing.GUEST), False),
    (w.POLICY, "shared", replace(w.MAX, standing=Standing.GONE), False),
    (w.POLICY, "shared", replace(w.MAX, standing=Standing.BOT), False),
    (replace(w.POLICY, gone={("T1", "M1"): "2026"}), "shared", w.MAX, False),
    (replace(w.POLICY, managers=frozenset({"R1", "T9:R9"})), "shared", w.RAISED, False),
    (replace(w.POLICY, managers=frozenset({"R1", "T9:R9"})), "shared", w.RAISED_STRANGER, False),
]


@pytest.mark.parametrize(("policy", "slice_name", "who", "may"), DECIDES)
def test_ap7_who_may_decide(policy: Policy, slice_name: str, who: Person, may: bool) -> None:
    """AP7, SC11: listed for that destination, a full member, and there now; an empty list never means anyone."""
    reason = may_decide(policy, slice_name, who, None)
    assert (reason is None) is may
    assert reason is None or reason.strip()


ENTERPRISE_MAX = Person("T1", "M1", enterprise="E1")


@pytest.mark.parametrize(
    ("setting", "who", "requester", "may"),
    [
        ("managers", w.MAX, w.MAX, True), ("managers", APPROVER, APPROVER, False), ("never", w.MAX, w.MAX, False),
        ("always", APPROVER, APPROVER, True), ("Always", APPROVER, APPROVER, False), ("", w.MAX, w.MAX, False),
        ("never", w.MAX, w.ANN, True), ("never", w.MAX, None, True), ("never", w.MAX, ENTERPRISE_MAX, False),
        ("never", ENTERPRISE_MAX, w.MAX, False), ("never", w.MAX, Person("T2", "M1"), True),
    ],
)  # fmt: skip
def test_ap8_deciding_ones_own_request(setting: str, who: Person, requester: Person | None, may: bool) -> None:
    """AP8: as the setting says; the click names no enterprise and is recognised all the same; a typo refuses."""
    policy = replace(w.POLICY, managers=frozenset({"M1"}), approvers=frozenset({"U2", "M1"}), self_approval=setting)
    assert (may_decide(policy, "shared", who, requester) is None) is may


def test_ap7_the_default_approvers_are_the_managers() -> None:
    """AP7: unset means the managers, empty means nobody, and other kinds have their own row."""
    assert approvers_of(w.POLICY, "shared") == w.POLICY.managers
    assert approvers_of(LISTED, "shared") == {"U2"}
    assert approvers_of(LISTED, "public") == approvers_of(LISTED, "agent-ada") == LISTED.managers
    for name in (CORNER, "kb-x", "_system", "agent", "nonsense"):
        assert approvers_of(LISTED, name) == frozenset()


@pytest.mark.parametrize(
    ("person", "outside", "full"),
    [
        (w.ANN, False, True), (w.MAX, False, True), (w.GUEST, True, False), (w.STRANGER, True, False),
        (w.OTHER_TEAM, True, False), (w.BOT, True, False), (w.GONE, True, False), (w.LEFT, True, False),
        (w.RAISED, False, False), (w.RAISED_STRANGER, False, False), (Person("T1", "W1", "E1"), False, True),
        (Person("T2", "W1", "E1"), True, False),
    ],
)  # fmt: skip
def test_sc1_members_outsiders_and_the_raised(person: Person, outside: bool, full: bool) -> None:
    """SC1, AP7: being raised lets a person in and makes nobody a full member or manager."""
    assert is_outside(w.POLICY, person) is outside
    assert is_full_member(w.POLICY, person) is full
    assert is_manager(replace(w.POLICY, managers=frozenset({person.user})), person) is full
