"""What holds for every turn under every policy (SC8-SC10, SC14)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from sliceway.core.policy import Policy, is_full_member
from sliceway.core.scope import scope_for
from sliceway.core.slices import Landing, agent_slice, kind_of
from sliceway.core.turns import BACKGROUND, Turn
from tests.unit.core.world import any_turns, policies


@given(any_turns, policies)
def test_sc9_no_turn_holds_anothers_slice(turn: Turn, policy: Policy) -> None:
    """SC9: no scope of anybody holds another person's corner or another agent's slice, whatever the policy says."""
    scope = scope_for(turn, policy)
    minds = {agent_slice(turn.agent)} | policy.aliases.get(turn.agent, frozenset())
    own = {turn.speaker.slice} if turn.speaker is not None else set()
    for name in scope.reads | {scope.write, scope.corner} - {None}:
        kind = kind_of(str(name))
        assert kind is not None
        assert kind.named
        if kind.landing is Landing.PERSON:
            assert name in own
        if kind.landing is Landing.AGENT:
            assert name in minds
    assert scope.write in {None, scope.mind, scope.corner}


@given(any_turns, policies)
def test_sc14_a_turn_that_reads_a_corner_writes_there_alone(turn: Turn, policy: Policy) -> None:
    """SC14: a readable set that holds a person's slice makes the turn private, and its only write slice is that one."""
    scope = scope_for(turn, policy)
    corners = {name for name in scope.reads if (kind := kind_of(name)) is not None and kind.landing is Landing.PERSON}
    assert bool(corners) == scope.private
    if scope.private:
        assert corners == {scope.write} == {scope.corner}


@given(any_turns, policies)
def test_sc8_a_session_never_raises_rights(turn: Turn, policy: Policy) -> None:
    """SC8: a /1on1 adds its owner's corner to what they could read where it began, and nothing else."""
    if turn.lock is None or turn.speaker is None:
        return
    within = scope_for(turn, policy)
    plain = scope_for(replace(turn, lock=None, place=turn.lock.began_in or turn.place), policy)
    assert within.reads <= plain.reads | {turn.speaker.slice}
    assert within.write in {None, turn.speaker.slice}


@given(any_turns, policies)
def test_gt4_who_may_propose(turn: Turn, policy: Policy) -> None:
    """GT4, GT5: proposals come from SC2 (full members), SC4 and SC5, and from nowhere else."""
    scope = scope_for(turn, policy)
    assert not (scope.proposes and scope.case in {"SC1", "SC3", "SC6"})
    if scope.case == "SC2" and turn.speaker is not None:
        assert scope.proposes == is_full_member(policy, turn.speaker)


@given(any_turns, policies, any_turns, policies)
def test_sc10_the_meeting_of_two_scopes_is_within_both(
    turn: Turn, policy: Policy, later: Turn, policy_now: Policy
) -> None:
    """SC10: the frozen scope and the one of now are both upper bounds of what a running turn may do."""
    then, now = scope_for(turn, policy), scope_for(replace(later, agent=turn.agent), policy_now)
    met = then.meet(now)
    for scope in (then, now):
        assert met.reads <= scope.reads
        assert met.write in {None, scope.write}
        assert met.corner in {None, scope.corner}
        assert met.proposes <= scope.proposes
        assert met.private >= scope.private
        assert met.aside >= scope.aside
    assert met == then.meet(met) == met.meet(now)


@given(any_turns, policies)
def test_sc1_a_place_shared_outside_holds_nothing(turn: Turn, policy: Policy) -> None:
    """SC1: nobody's rank and no list gets anything but `public` out of an externally shared place."""
    if turn.place is not BACKGROUND:
        scope = scope_for(replace(turn, place=replace(turn.place, external=True)), policy)
        assert (scope.case, scope.write, scope.reads) == ("SC1", None, frozenset({"public"}))
