"""Two locks, one order: what holds between the gateway's verdict and the brain's ceiling for every turn."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.gate import OPS, Verdict, ceiling, readable, tightest, verdict
from sliceway.core.policy import Policy
from sliceway.core.principals import Origin, Principal
from sliceway.core.scope import origin_of, scope_for
from sliceway.core.sight import NO_SIGHT, sight_of
from sliceway.core.slices import Landing, agent_slice, kind_of
from sliceway.core.turns import Person, Place, Standing, Turn
from tests.unit.core.world import SLICES, any_turns, hosted, people, places, policies

ops = st.sampled_from([*OPS, "approve", ""])


def as_over_the_wire(origin: Origin) -> Origin:
    """Return an origin with what HTTP carries of it: no standing, no kind of place, nothing seen of it."""
    person, place = origin.person, origin.place
    if person is not None:
        person = replace(person, standing=Standing.MEMBER)
    if place is not None and place.surface != "background":
        place = Place(place.surface, place.team, place.channel, place.thread)
    return replace(origin, person=person, place=place)


@given(hosted(), ops, SLICES, st.booleans())
def test_the_gateway_is_never_looser_than_the_brain(
    case: tuple[Principal, Turn, Policy], op: str, named: str, wire: bool
) -> None:
    """GT1-GT10: `verdict >= ceiling` for every turn a principal can host, embedded and over the wire."""
    principal, turn, policy = case
    scope = scope_for(turn, policy)
    origin = origin_of(turn, scope)
    origin = as_over_the_wire(origin) if wire else origin
    known = {named, scope.mind, scope.write, scope.corner, *scope.reads} - {None}
    if turn.speaker is not None:
        known.add(turn.speaker.slice)
    for destination in map(str, known):
        assert verdict(op, destination, scope) >= ceiling(op, destination, principal, origin, policy)
    assert scope.reads <= readable(principal, origin, policy)


@given(hosted(), ops, SLICES, any_turns, policies)
def test_sc10_what_was_frozen_stays_within_the_brains_bound(
    case: tuple[Principal, Turn, Policy], op: str, named: str, later: Turn, now: Policy
) -> None:
    """SC10: a frozen scope met with the one of now is within the brain's ceiling of now."""
    principal, turn, policy = case
    current = scope_for(turn, now)
    met = scope_for(turn, policy).meet(current)
    origin = origin_of(turn, met)
    for destination in {named, met.mind, *met.reads}:
        bound = ceiling(op, destination, principal, replace(origin, private=current.private), now)
        assert verdict(op, destination, met) >= bound


@given(policies, st.none() | people, st.none() | places, st.booleans(), st.frozensets(st.sampled_from(["T1", "T2"])))
def test_sc9_no_gateway_reads_or_writes_past_its_own(
    policy: Policy, person: Person | None, place: Place | None, private: bool, teams: frozenset[str]
) -> None:
    """SC9, BR2: whatever origin a gateway claims, other minds stay closed and only that person's corner opens."""
    principal = Principal.gateway("ada", teams=teams, acts_for=True, decides=True)
    origin = Origin(person, place, private)
    own = {origin.person.slice} if origin.person is not None else set()
    minds = {"agent-ada"} | policy.aliases.get("ada", frozenset())
    for name in readable(principal, origin, policy):
        kind = kind_of(name)
        assert kind is not None
        assert name in own or kind.landing is not Landing.PERSON
        assert name in minds or kind.landing is not Landing.AGENT
    for name in ("agent-bob", "agent-old", "agent", "user-x--aaaaaaaaaaaaaaaaaaaaaaaaaa", "kb-x", "_system"):
        for op in ("write", "delete"):
            assert ceiling(op, name, principal, origin, policy) is Verdict.DENY


@given(hosted(), ops, SLICES)
def test_id12_an_agent_that_was_ended_reads_and_writes_nothing(
    case: tuple[Principal, Turn, Policy], op: str, named: str
) -> None:
    """ID12 GT10: retired, renamed or merged, no turn and no call of its id reads more than `public`, writes anything,
    or sees a proposal, in any place, for any person."""
    gateway, turn, policy = case
    policy = replace(policy, closed=frozenset({agent_slice(turn.agent)}))
    scope = scope_for(turn, policy)
    assert (scope.write, scope.corner, scope.proposes) == (None, None, False)
    assert scope.reads == {"public"}
    origin = origin_of(turn, scope)
    for principal in (gateway, Principal.agent(turn.agent)):
        said = origin if principal is gateway else Origin()
        assert readable(principal, said, policy) == {"public"}
        assert sight_of(principal, said, policy) == NO_SIGHT
        if op in {"write", "delete", "restore", "undo", "save_fact"}:
            for name in (named, scope.mind):
                assert ceiling(op, name, principal, said, policy) is Verdict.DENY


@given(policies, people, st.none() | places, st.booleans())
def test_br2_without_the_right_no_person_is_acted_for(
    policy: Policy, person: Person | None, place: Place | None, private: bool
) -> None:
    """BR2: a token without `acts_for` gets nothing by naming a person."""
    principal = Principal.gateway("ada", teams={"T1", "T2", "T9"})
    origin = Origin(person, place, private)
    assert readable(principal, origin, policy) == {"public"}
    assert all(ceiling("write", name, principal, origin, policy) is Verdict.DENY for name in ("agent-ada", "shared"))


@given(any_turns, policies, ops, SLICES, st.text(max_size=30))
def test_gt11_the_verdict_does_not_read(turn: Turn, policy: Policy, op: str, named: str, text: str) -> None:
    """GT11: for any text, any forwarded message and any names in it, the verdict is the same."""
    other = replace(turn, text=text, raw=text, forwarded=text, names={"U1": text})
    assert scope_for(turn, policy) == scope_for(other, policy)
    assert verdict(op, named, scope_for(turn, policy)) is verdict(op, named, scope_for(other, policy))


@given(st.lists(st.sampled_from(Verdict), min_size=1, max_size=5))
def test_plugins_only_tighten(said: list[Verdict]) -> None:
    """GT: adding a plugin's verdict never loosens the result."""
    for count in range(1, len(said)):
        assert tightest(*said[: count + 1]) >= tightest(*said[:count])
    assert tightest(*said) in said
