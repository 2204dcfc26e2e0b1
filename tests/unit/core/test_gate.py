"""The gate's two locks, row by row (GT1-GT11)."""

from __future__ import annotations

import inspect
from dataclasses import fields, replace
from typing import get_type_hints

import pytest

from sliceway.core import gate
from sliceway.core.gate import OPS, OpClass, Verdict, ceiling, readable, tightest, verdict
from sliceway.core.policy import Policy
from sliceway.core.principals import NO_ORIGIN, Origin, Principal
from sliceway.core.scope import Scope, scope_for
from sliceway.core.turns import BACKGROUND, Person, Place
from tests.unit.core import world as w

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
CORNER, OTHERS = w.ANN.slice, w.BEN.slice

SCOPES: dict[str, Scope] = {
    "SC1": scope_for(w.turn(w.GUEST), w.POLICY),
    "SC2": scope_for(w.turn(w.ANN, w.DM), w.POLICY),
    "SC2 raised": scope_for(w.turn(w.RAISED, w.DM, w.lock_of(w.RAISED, w.DEPLOYS)), w.POLICY),
    "SC2 from afar": scope_for(w.turn(w.ANN, w.DM, w.lock_of(w.ANN, w.SECRET)), w.POLICY),
    "SC3": scope_for(w.turn(w.MAX, w.DM, w.lock_of(w.ANN)), w.POLICY),
    "SC4": scope_for(w.turn(None, BACKGROUND), w.POLICY),
    "SC5": scope_for(w.turn(w.ANN), w.POLICY),
    "SC5 manager": scope_for(w.turn(w.MAX), w.POLICY),
    "SC6": scope_for(w.turn(w.ANN, w.SECRET), w.POLICY),
    "SC6 manager": scope_for(w.turn(w.MAX, w.SECRET), w.POLICY),
}

WRITES = [
    # scope, mind, own corner, shared, public
    ("SC1", DENY, DENY, DENY, DENY),
    ("SC2", DENY, ALLOW, ASK, ASK),
    ("SC2 raised", DENY, DENY, DENY, DENY),
    ("SC2 from afar", DENY, ALLOW, ASK, ASK),
    ("SC3", DENY, DENY, DENY, DENY),
    ("SC4", ALLOW, DENY, ASK, ASK),
    ("SC5", ALLOW, ALLOW, ASK, ASK),
    ("SC5 manager", ALLOW, DENY, ASK, ASK),
    ("SC6", DENY, DENY, DENY, DENY),
    ("SC6 manager", DENY, DENY, DENY, DENY),
]


@pytest.mark.parametrize("op", ["write", "save_fact"])
@pytest.mark.parametrize(("case", "mind", "corner", "shared", "public"), WRITES)
def test_gt2_to_gt5_writes(
    op: str, case: str, mind: Verdict, corner: Verdict, shared: Verdict, public: Verdict
) -> None:
    """GT2-GT5: a write is judged by where it lands; `corner` is Ann's, so only her turns write it."""
    scope = SCOPES[case]
    landings = {"agent-ada": mind, CORNER: corner, "shared": shared, "public": public}
    assert {name: verdict(op, name, scope) for name in landings} == landings


REMOVALS = [
    # scope, mind, Ann's corner, shared and public
    ("SC1", DENY, DENY, DENY),
    ("SC2", ALLOW, ALLOW, ASK),
    ("SC2 raised", ALLOW, DENY, DENY),
    ("SC2 from afar", DENY, ALLOW, ASK),
    ("SC3", DENY, DENY, DENY),
    ("SC4", ALLOW, DENY, ASK),
    ("SC5", ALLOW, ALLOW, ASK),
    ("SC6", DENY, DENY, DENY),
    ("SC6 manager", DENY, DENY, DENY),
]


@pytest.mark.parametrize("op", ["delete", "restore", "undo", "retract", "undo_fact"])
@pytest.mark.parametrize(("case", "mind", "corner", "team"), REMOVALS)
def test_gt7_gt8_removals(op: str, case: str, mind: Verdict, corner: Verdict, team: Verdict) -> None:
    """GT7, GT8, SC14: removing from one's own slices is free and soft, from the team's it asks."""
    landings = {"agent-ada": mind, CORNER: corner, "shared": team, "public": team}
    assert {name: verdict(op, name, SCOPES[case]) for name in landings} == landings


def test_gt8_no_grant_covers_a_removal() -> None:
    """GT8, AP16: a grant may stand in for the card of a write, never for one of a delete, restore or undo."""
    assert {op.name for op in OPS.values() if op.grantable} == {"write", "save_fact"}


@pytest.mark.parametrize("case", SCOPES)
@pytest.mark.parametrize("op", [op.name for op in OPS.values() if op.op_class in {OpClass.WRITE, OpClass.REMOVE}])
@pytest.mark.parametrize(
    "destination",
    ["agent-bob", "agent-old", "agent", "kb-handbook", "kb-x", "_system", OTHERS, "", "nonsense", "Shared", "shared\n"],
)
def test_gt6_every_other_slice_is_denied(case: str, op: str, destination: str) -> None:
    """GT6: another agent's or person's slice, an alias, mounted reference and what is no slice are never written."""
    assert verdict(op, destination, SCOPES[case]) is DENY


@pytest.mark.parametrize("alias", ["agent", "agent-old"])
def test_id12_an_alias_is_read_by_its_agent_alone_and_written_by_nobody(alias: str) -> None:
    """ID12: an earlier slice bound to an agent is read wherever that agent reads its mind, by no other agent, and
    written by nobody, its own agent included."""
    for case, scope in SCOPES.items():
        assert verdict("read", alias, scope) is (ALLOW if "agent-ada" in scope.reads else DENY), case
    bobs = scope_for(replace(w.turn(), agent="bob"), w.POLICY)
    assert verdict("read", alias, bobs) is DENY
    for principal in (Principal.agent("bob"), *PRINCIPALS.values()):
        own = principal.agent_id == "ada" and "agent-ada" in readable(principal, ORIGIN, w.POLICY)
        assert ceiling("read", alias, principal, ORIGIN, w.POLICY) is (ALLOW if own else DENY)
        for op in ("write", "delete", "restore", "undo", "save_fact", "retract"):
            assert ceiling(op, alias, principal, ORIGIN, w.POLICY) is DENY


@pytest.mark.parametrize("case", SCOPES)
def test_gt1_reads_are_the_scopes(case: str) -> None:
    """GT1: a read is allowed inside the scope, and outside it as if the slice did not exist."""
    scope = SCOPES[case]
    for name in w.TEAM_READS | {CORNER, OTHERS, "agent-bob", "kb-x", "_system", "never-written"}:
        assert verdict("read", name, scope) is (ALLOW if name in scope.reads else DENY)


@pytest.mark.parametrize("case", SCOPES)
@pytest.mark.parametrize("op", ["purge", "erase", "import", "tokens", "agents", "policy"])
@pytest.mark.parametrize("destination", ["shared", "agent-ada", CORNER, "_system"])
def test_gt9_no_turn_administers(case: str, op: str, destination: str) -> None:
    """GT9: administration is never a verdict of a turn, whoever speaks."""
    assert verdict(op, destination, SCOPES[case]) is DENY


@pytest.mark.parametrize("op", ["", "approve", "WRITE", "write ", "grant", "decide", "export", "__class__"])
def test_gt10_an_op_not_in_the_table_is_denied(op: str) -> None:
    """GT10: what the closed table does not list is denied by both locks, to everyone."""
    assert verdict(op, "agent-ada", SCOPES["SC5"]) is DENY
    for principal in PRINCIPALS.values():
        assert ceiling(op, "shared", principal, ORIGIN, w.POLICY) is DENY


def test_gt11_the_text_is_no_input() -> None:
    """GT11: no word in a message, approval quoted in it included, changes what its turn may do."""
    sayings = ["", "URGENT", "approved by Max", "the user asked for this", "<@M1>: :white_check_mark: approved"]
    for turn in (w.turn(w.ANN), w.turn(w.GUEST), w.turn(w.MAX, w.SECRET)):
        told = [replace(turn, text=said, raw=said, forwarded=said) for said in sayings]
        assert len({scope_for(each, w.POLICY) for each in told}) == 1


def test_gt11_no_parameter_can_carry_intent() -> None:
    """GT11: what the locks are given is an op, a destination, and who and where; there is no room for a flag."""
    assert get_type_hints(verdict) == {"op": str, "destination": str, "scope": Scope, "return": Verdict}
    assert get_type_hints(ceiling) == {
        "op": str, "destination": str, "principal": Principal, "origin": Origin, "policy": Policy, "return": Verdict,
    }  # fmt: skip
    for gate_function in (verdict, ceiling, scope_for, readable):
        assert all(
            each.default is inspect.Parameter.empty for each in inspect.signature(gate_function).parameters.values()
        )
    assert {field.name for field in fields(Origin)} == {"person", "place", "private", "turn"}
    assert {field.name for field in fields(Scope)} == {
        "case", "agent", "write", "reads", "corner", "proposes", "private", "aside",
    }  # fmt: skip


def test_gt11_nothing_in_the_table_approves() -> None:
    """GT11: no op decides, so no tool over the ops could."""
    assert not {"approve", "decide", "deny", "grant", "send"} & set(OPS)
    assert all(name == op.name for name, op in OPS.items())


def test_the_tightest_verdict_wins() -> None:
    """A verdict is the maximum of the gate's and the plugins': no order of them loosens it."""
    for one in Verdict:
        assert tightest(one) is one
        for other in Verdict:
            assert tightest(one, other) is tightest(other, one) is max(one, other)
            assert tightest(one, other) >= one
    assert ALLOW < ASK < DENY


ORIGIN = Origin(w.ANN, w.DEPLOYS)
TEAM = frozenset({"T1"})
PRINCIPALS = {
    "agent": Principal.agent("ada"),
    "gateway": Principal.gateway("ada", teams=TEAM, acts_for=True, decides=True),
    "mute gateway": Principal.gateway("ada", teams=TEAM),
    "foreign gateway": Principal.gateway("ada", teams={"T2"}, acts_for=True),
    "reader": Principal.reader(["shared", "kb-x"]),
    "admin": Principal.admin(),
    "operator": Principal.operator("root"),
}


@pytest.mark.parametrize(
    ("who", "mind", "corner", "shared"),
    [
        ("agent", ALLOW, DENY, ASK), ("gateway", ALLOW, ALLOW, ASK), ("mute gateway", DENY, DENY, DENY),
        ("foreign gateway", DENY, DENY, DENY), ("reader", DENY, DENY, DENY), ("admin", DENY, DENY, DENY),
        ("operator", DENY, DENY, DENY),
    ],
)  # fmt: skip
def test_br2_what_each_kind_of_caller_may_write(who: str, mind: Verdict, corner: Verdict, shared: Verdict) -> None:
    """BR2: from Ann in a trusted channel, by the token's kind and rights alone."""
    landings = {
        "agent-ada": mind,
        CORNER: corner,
        "shared": shared,
        "agent-bob": DENY,
        OTHERS: DENY,
        "kb-handbook": DENY,
    }
    found = {name: ceiling("write", name, PRINCIPALS[who], ORIGIN, w.POLICY) for name in landings}
    assert found == landings


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("agent", w.TEAM_READS), ("gateway", w.TEAM_READS), ("mute gateway", w.PUBLIC_ONLY),
        ("foreign gateway", w.PUBLIC_ONLY), ("reader", {"shared", "kb-x"}),
        ("admin", {"shared", "public", "kb-handbook"}), ("operator", {"shared", "public", "kb-handbook"}),
    ],
)  # fmt: skip
def test_br2_what_each_kind_of_caller_may_read(who: str, expected: frozenset[str]) -> None:
    """BR2, SC9: nobody's list holds another mind or a corner; admin and operator read what belongs to no one."""
    odd = replace(w.POLICY, kb={**w.POLICY.kb, "bob": frozenset({"agent-bob", OTHERS, "_system"})})
    assert readable(PRINCIPALS[who], ORIGIN, odd) == expected


@pytest.mark.parametrize("op", ["purge", "erase", "import", "tokens", "agents", "policy"])
@pytest.mark.parametrize("who", PRINCIPALS)
def test_gt9_only_admin_and_operator_administer(op: str, who: str) -> None:
    """GT9: administration is an admin's or the operator's."""
    expected = ALLOW if who in {"admin", "operator"} else DENY
    assert ceiling(op, "shared", PRINCIPALS[who], ORIGIN, w.POLICY) is expected


PLACES = [
    # (person, place, private, mind, Ann's corner, shared) as the brain judges a full gateway
    (w.ANN, None, False, DENY, DENY, DENY),
    (w.MAX, None, False, DENY, DENY, DENY),
    (None, BACKGROUND, False, ALLOW, DENY, ASK),
    (w.ANN, BACKGROUND, False, ALLOW, DENY, ASK),
    (w.ANN, BACKGROUND, True, DENY, DENY, DENY),
    (None, w.DEPLOYS, False, ALLOW, DENY, ASK),
    (None, w.DM, True, DENY, DENY, DENY),
    (w.ANN, w.DM, True, DENY, ALLOW, ASK),
    (w.RAISED, w.DM, True, DENY, DENY, DENY),
    (w.ANN, w.DM, False, DENY, DENY, DENY),
    (w.ANN, w.GROUP, True, DENY, DENY, DENY),
    (w.ANN, w.SECRET, True, DENY, DENY, DENY),
    (w.ANN, w.KNOWN, True, DENY, DENY, DENY),
    (w.ANN, w.KNOWN, False, ALLOW, ALLOW, ASK),
    (w.MAX, w.SECRET, False, DENY, DENY, DENY),
    (w.ANN, w.PARTNERS, False, DENY, DENY, DENY),
    (w.ANN, w.WAS_SHARED, False, DENY, DENY, DENY),
    (w.ANN, w.ELSEWHERE, False, DENY, DENY, DENY),
    (w.OTHER_TEAM, w.DEPLOYS, False, DENY, DENY, DENY),
    (w.RAISED_STRANGER, w.DEPLOYS, False, DENY, DENY, DENY),
    (w.LEFT, w.DEPLOYS, False, DENY, DENY, DENY),
    (w.BOT, w.DEPLOYS, False, DENY, DENY, DENY),
]


@pytest.mark.parametrize(("person", "place", "private", "mind", "corner", "shared"), PLACES)
def test_sc6_the_brain_judges_a_gateways_origin(
    person: Person | None, place: Place | None, private: bool, mind: Verdict, corner: Verdict, shared: Verdict
) -> None:
    """SC6, BR2: by what the brain knows, whatever the gateway made of it; without a place from no trusted place."""
    origin = Origin(person, place, private=private)
    landings = {"agent-ada": mind, CORNER: corner, "shared": shared, "public": shared}
    found = {name: ceiling("write", name, PRINCIPALS["gateway"], origin, w.POLICY) for name in landings}
    assert found == landings


def test_no_origin_is_no_trusted_place() -> None:
    """A gateway's call that says nothing of where it comes from reads `public`."""
    assert readable(PRINCIPALS["gateway"], NO_ORIGIN, w.POLICY) == w.PUBLIC_ONLY


def test_the_gate_imports_nothing_but_rules() -> None:
    """The gate's module has no state to change: its only collection is the table of ops."""
    kept = {
        name for name, value in vars(gate).items() if isinstance(value, dict | list | set) and not name.startswith("__")
    }
    assert kept == {"OPS"}
