"""What a turn may do, row by row (SC1-SC14)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sliceway.core.policy import Channel, trust_of
from sliceway.core.scope import TARGETS, Scope, destination, origin_of, scope_for, team_reads
from sliceway.core.turns import BACKGROUND, Lock, Person, Place, PlaceKind, Standing, Trust, Turn
from sliceway.errors import InvalidRequest
from tests.unit.core import world as w

OFF = replace(w.POLICY, dm="off")
NOBODYS = replace(w.POLICY, teams=frozenset())
IN_ENTERPRISE = Person("T1", "W1", enterprise="E1")
BESIDE_ENTERPRISE = Person("T2", "W1", enterprise="E1")
HERE = w.TEAM_READS


@pytest.mark.parametrize(
    ("speaker", "place"),
    [
        (w.GUEST, w.DEPLOYS), (w.STRANGER, w.DEPLOYS), (w.OTHER_TEAM, w.DEPLOYS), (w.BOT, w.DEPLOYS),
        (w.GONE, w.DEPLOYS), (w.LEFT, w.DEPLOYS), (w.GUEST, w.DM), (w.STRANGER, w.DM), (w.GONE, w.DM),
        (w.ANN, w.PARTNERS), (w.MAX, w.PARTNERS), (w.RAISED, w.PARTNERS), (None, w.PARTNERS), (w.ANN, w.WAS_SHARED),
        (w.ANN, w.ELSEWHERE), (w.ANN, replace(w.DM, external=True)), (BESIDE_ENTERPRISE, w.DEPLOYS),
    ],
)  # fmt: skip
def test_sc1_outsiders_and_shared_places_write_nothing_and_read_public(speaker: Person | None, place: Place) -> None:
    """SC1: an outsider anywhere, anyone in an externally shared place, a manager or a raised person too."""
    scope = scope_for(w.turn(speaker, place), w.POLICY)
    assert scope == Scope("SC1", "ada", None, w.PUBLIC_ONLY)


@pytest.mark.parametrize("lock", [None, w.lock_of(w.ANN), w.lock_of(w.MAX)])
def test_sc1_wins_over_a_lock(lock: Lock | None) -> None:
    """SC1 before SC2 and SC3: a /1on1 in a thread that became externally shared holds nothing."""
    assert scope_for(w.turn(w.ANN, replace(w.DM, external=True), lock), w.POLICY).case == "SC1"


@pytest.mark.parametrize("person", [w.RAISED, w.RAISED_STRANGER])
def test_sc1_a_raised_person_is_let_in(person: Person) -> None:
    """SC1: the policy may raise a named person; in a trusted channel they are as anyone there."""
    assert scope_for(w.turn(person), w.POLICY).case == "SC5"


def test_sc1_neither_a_bot_nor_a_leaver_is_raised() -> None:
    """SC1: the list of raised people lifts no bot and nobody who is gone."""
    gone = replace(w.POLICY, raised=frozenset({"B1", "U3", "U4"}))
    for person in (w.BOT, w.GONE, w.LEFT):
        assert scope_for(w.turn(person), gone).case == "SC1"


@pytest.mark.parametrize(
    ("speaker", "place"), [(w.ANN, w.DEPLOYS), (w.MAX, w.DEPLOYS), (w.ANN, w.DM), (None, w.DEPLOYS)]
)
def test_sc1_without_teams_everyone_is_external(speaker: Person | None, place: Place) -> None:
    """BR17: a policy that lists no team has no members; an empty list never means anyone."""
    assert scope_for(w.turn(speaker, place), NOBODYS).case == "SC1"


PRIVATE_CASES = [
    # (speaker, place, lock, reads beside the corner, may propose)
    (w.ANN, w.DM, None, HERE, True),
    (w.MAX, w.DM, None, HERE, True),
    (IN_ENTERPRISE, w.DM, None, HERE, True),
    (w.ANN, w.DM, w.lock_of(w.ANN), HERE, True),
    (w.ANN, w.DM, w.lock_of(w.ANN, w.DM), HERE, True),
    (w.ANN, w.DM, w.lock_of(w.ANN, w.DEPLOYS), HERE, True),
    (w.ANN, w.DM, w.lock_of(w.ANN, w.VETTED), HERE, True),
    (w.ANN, w.DM, w.lock_of(w.ANN, w.SECRET), w.PUBLIC_ONLY, True),
    (w.ANN, w.DM, w.lock_of(w.ANN, w.GROUP), w.PUBLIC_ONLY, True),
    (w.ANN, w.DM, w.lock_of(w.ANN, w.WITH_GUEST), w.PUBLIC_ONLY, True),
    (w.ANN, w.DM, w.lock_of(w.ANN, w.PARTNERS), w.PUBLIC_ONLY, True),
    (w.ANN, w.DM, w.lock_of(w.ANN, w.WAS_SHARED), w.PUBLIC_ONLY, True),
    (w.MAX, w.DM, w.lock_of(w.MAX, w.SECRET), HERE, True),
    (w.MAX, w.DM, w.lock_of(w.MAX, w.PARTNERS), w.PUBLIC_ONLY, True),
    (w.RAISED, w.DM, None, w.PUBLIC_ONLY, False),
    (w.RAISED, w.DM, w.lock_of(w.RAISED), w.PUBLIC_ONLY, False),
    (w.RAISED, w.DM, w.lock_of(w.RAISED, w.DEPLOYS), HERE, False),
]


@pytest.mark.parametrize(("speaker", "place", "lock", "beside", "proposes"), PRIVATE_CASES)
def test_sc2_private_turns(
    speaker: Person, place: Place, lock: Lock | None, beside: frozenset[str], proposes: bool
) -> None:
    """SC2, SC8, GT4: the corner, and what its owner reads where it began; only full members propose from there."""
    scope = scope_for(w.turn(speaker, place, lock), w.POLICY)
    own = speaker.slice
    assert scope == Scope("SC2", "ada", own, beside | {own}, corner=own, proposes=proposes, private=True)


def test_sc2_the_trust_of_where_it_began_is_the_one_of_now() -> None:
    """SC2, SC7: the channel where a /1on1 began fell; the running private thread reads less at once."""
    turn = w.turn(w.ANN, w.DM, w.lock_of(w.ANN, w.DEPLOYS))
    fell = replace(w.POLICY, channels={w.DEPLOYS.key: Channel(external=True)})
    assert scope_for(turn, w.POLICY).reads - scope_for(turn, fell).reads == HERE - w.PUBLIC_ONLY


@pytest.mark.parametrize(
    ("speaker", "lock", "expected"),
    [
        (w.ANN, None, Scope("SC6", "ada", None, w.PUBLIC_ONLY)),
        (w.MAX, None, Scope("SC6", "ada", None, HERE, aside=True)),
        (w.ANN, w.lock_of(w.ANN),
         Scope("SC2", "ada", w.ANN.slice, w.PUBLIC_ONLY | {w.ANN.slice}, w.ANN.slice, proposes=True, private=True)),
        (w.ANN, w.lock_of(w.ANN, w.DEPLOYS),
         Scope("SC2", "ada", w.ANN.slice, HERE | {w.ANN.slice}, w.ANN.slice, proposes=True, private=True)),
    ],
)  # fmt: skip
def test_sc2_direct_messages_switched_off(speaker: Person, lock: Lock | None, expected: Scope) -> None:
    """SC2, SC8: with `dm = "off"` a plain DM is no private place, and a /1on1 begun there raises nothing."""
    assert scope_for(w.turn(speaker, w.DM, lock), OFF) == expected


@pytest.mark.parametrize("speaker", [w.BEN, w.MAX, w.RAISED, None])
@pytest.mark.parametrize("place", [w.DM, w.DEPLOYS])
def test_sc3_somebody_elses_session(speaker: Person | None, place: Place) -> None:
    """SC3: in a /1on1 that another person owns, managers too write nothing and read `public`."""
    scope = scope_for(w.turn(speaker, place, w.lock_of(w.ANN)), w.POLICY)
    assert scope == Scope("SC3", "ada", None, w.PUBLIC_ONLY)


@pytest.mark.parametrize("place", [w.DEPLOYS, w.SECRET, w.GROUP, BACKGROUND])
@pytest.mark.parametrize("owner", [w.ANN, w.MAX])
def test_oo7_only_a_dm_is_a_one_on_one(place: Place, owner: Person) -> None:
    """OO7: should a channel or group DM ever carry a lock, its owner's words are kept nowhere."""
    assert scope_for(w.turn(owner, place, w.lock_of(owner)), w.POLICY) == Scope("SC6", "ada", None, w.PUBLIC_ONLY)


@pytest.mark.parametrize(
    ("speaker", "place"), [(None, BACKGROUND), (None, w.DEPLOYS), (None, w.VETTED), (w.ANN, BACKGROUND)]
)
def test_sc4_work_without_an_initiator(speaker: Person | None, place: Place) -> None:
    """SC4: background work writes to the agent's mind and to nobody's corner."""
    assert scope_for(w.turn(speaker, place), w.POLICY) == Scope("SC4", "ada", "agent-ada", HERE, proposes=True)


@pytest.mark.parametrize("place", [w.DEPLOYS, w.VETTED])
@pytest.mark.parametrize("speaker", [w.ANN, w.MAX, w.RAISED, IN_ENTERPRISE])
def test_sc5_a_trusted_channel(speaker: Person, place: Place) -> None:
    """SC5: the agent's mind is written; the speaker's corner may be written and is not read."""
    scope = scope_for(w.turn(speaker, place), w.POLICY)
    assert scope == Scope("SC5", "ada", "agent-ada", HERE, corner=speaker.slice, proposes=True)
    assert speaker.slice not in scope.reads


@pytest.mark.parametrize("place", [w.SECRET, w.GROUP, w.WITH_GUEST])
def test_sc6_elsewhere(place: Place) -> None:
    """SC6: elsewhere nothing is written and `public` is read; a manager reads more, for their eyes only."""
    assert scope_for(w.turn(w.ANN, place), w.POLICY) == Scope("SC6", "ada", None, w.PUBLIC_ONLY)
    assert scope_for(w.turn(None, place), w.POLICY) == Scope("SC6", "ada", None, w.PUBLIC_ONLY)
    assert scope_for(w.turn(w.MAX, place), w.POLICY) == Scope("SC6", "ada", None, HERE, aside=True)


def test_sc9_a_policy_cannot_mount_or_alias_a_persons_corner() -> None:
    """SC9: what stands in the policy by mistake joins no mind; reference is `kb-…`, an alias is an agent's."""
    corner = w.ANN.slice
    odd = replace(
        w.POLICY,
        kb={"ada": frozenset({corner, "agent-bob", "kb-x", "_system"})},
        aliases={"ada": frozenset({corner, "agent-old", "_system", "kb-y"})},
    )
    assert team_reads(odd, "ada") == {"agent-ada", "agent-old", "shared", "public", "kb-x"}


def test_id11_one_person_through_two_workspaces() -> None:
    """ID11: a person of an enterprise has one corner and one lock, whichever workspace they speak from."""
    both = replace(w.POLICY, teams=frozenset({"T1", "T2"}))
    here, there = w.turn(IN_ENTERPRISE, w.DM), w.turn(BESIDE_ENTERPRISE, w.DM, w.lock_of(IN_ENTERPRISE))
    assert scope_for(here, both).corner == scope_for(there, both).corner == IN_ENTERPRISE.slice


@pytest.mark.parametrize(
    ("turn", "mine", "user"),
    [
        (w.turn(), "agent-ada", w.ANN.slice),
        (w.turn(w.ANN, w.DM), w.ANN.slice, w.ANN.slice),
        (w.turn(None), "agent-ada", None),
        (w.turn(w.ANN, w.PARTNERS), None, w.ANN.slice),
    ],
)
def test_sc11_targets(turn: Turn, mine: str | None, user: str | None) -> None:
    """SC11: each target word means one slice of the turn."""
    scope = scope_for(turn, w.POLICY)
    meant = {target: destination(target, turn, scope) for target in TARGETS}
    assert meant == {"mine": mine, "user": user, "shared": "shared", "public": "public"}


@pytest.mark.parametrize("target", ["", "Mine", "agent-ada", "team", "shared ", "user-x", "mine\0"])
def test_sc11_an_unknown_target_lists_the_valid_ones(target: str) -> None:
    """SC11: another word is an error that says which there are; a slice's name is no target."""
    turn = w.turn()
    with pytest.raises(InvalidRequest, match="mine, user, shared, public") as caught:
        destination(target, turn, scope_for(turn, w.POLICY))
    assert [error.field for error in caught.value.errors] == ["target"]


def test_sc10_a_frozen_scope_only_shrinks() -> None:
    """SC10: what fell since the turn arrived is gone from the meeting; what rose is not in it."""
    then, fallen = scope_for(w.turn(), w.POLICY), scope_for(w.turn(w.ANN, w.WITH_GUEST), w.POLICY)
    assert then.meet(then) == then
    for met in (then.meet(fallen), fallen.meet(then)):
        assert (met.write, met.corner, met.proposes, met.reads) == (None, None, False, w.PUBLIC_ONLY)
    assert then.meet(fallen).case == "SC6"


def test_the_origin_says_where_a_turn_comes_from() -> None:
    """A gateway tells the brain the speaker, the place, the turn's key, and that the turn is private."""
    turn = w.turn(w.ANN, w.DM)
    origin = origin_of(turn, scope_for(turn, w.POLICY))
    assert (origin.person, origin.place, origin.private, origin.turn) == (w.ANN, w.DM, True, "k1")


TRUST = [
    # (place, what is known of the channel, listed as trusted, trust)
    (w.DEPLOYS, None, False, Trust.TRUSTED),
    (w.SECRET, None, False, Trust.UNKNOWN),
    (w.GROUP, None, False, Trust.UNKNOWN),
    (w.DM, None, False, Trust.UNKNOWN),
    (w.PARTNERS, None, False, Trust.PUBLIC),
    (w.ELSEWHERE, None, False, Trust.PUBLIC),
    (w.SECRET, None, True, Trust.TRUSTED),
    (w.PARTNERS, None, True, Trust.PUBLIC),
    (w.SECRET, Channel(trust=Trust.TRUSTED), False, Trust.TRUSTED),
    (w.PARTNERS, Channel(trust=Trust.TRUSTED), True, Trust.PUBLIC),
    (w.DEPLOYS, Channel(trust=Trust.TRUSTED, external=True), True, Trust.PUBLIC),
    (w.DEPLOYS, Channel(external=True), False, Trust.PUBLIC),
    (w.DEPLOYS, Channel(guests=True), False, Trust.UNKNOWN),
    (w.DEPLOYS, Channel(trust=Trust.TRUSTED, guests=True), False, Trust.TRUSTED),
    (w.WITH_GUEST, None, False, Trust.UNKNOWN),
    (w.WITH_GUEST, Channel(trust=Trust.TRUSTED), False, Trust.TRUSTED),
    (w.DEPLOYS, Channel(trust=Trust.UNKNOWN), True, Trust.UNKNOWN),
    (w.DEPLOYS, Channel(trust=Trust.PUBLIC), True, Trust.PUBLIC),
    (BACKGROUND, None, False, Trust.TRUSTED),
]


@pytest.mark.parametrize(("place", "seen", "listed", "expected"), TRUST)
def test_sc7_trust(place: Place, seen: Channel | None, listed: bool, expected: Trust) -> None:
    """SC7: external first, then what a manager set, then the list, then guests, then the kind."""
    from_list = frozenset({f"{place.team}:{place.channel}"}) if listed else frozenset()
    known = {place.key: seen} if seen is not None else {}
    policy = replace(w.POLICY, trusted_channels=from_list, channels=known)
    assert trust_of(policy, place) is expected


def test_sc7_trust_is_kept_by_team_and_channel() -> None:
    """SC7: `CHANNEL` or `TEAM:CHANNEL` is listed; another team's channel of that name is not."""
    both = replace(w.POLICY, teams=frozenset({"T1", "T2"}))
    there = replace(w.SECRET, team="T2")
    for listed, expected in (("T1:G1", Trust.UNKNOWN), ("G1", Trust.TRUSTED), ("T2:G1", Trust.TRUSTED)):
        assert trust_of(replace(both, trusted_channels=frozenset({listed})), there) is expected


def test_every_standing_and_place_is_in_a_table() -> None:
    """A new kind of person or place fails here until someone writes its rows."""
    assert set(Standing) == {Standing.MEMBER, Standing.GUEST, Standing.STRANGER, Standing.BOT, Standing.GONE}
    assert {place.kind for place in (w.DEPLOYS, w.SECRET, w.DM, w.GROUP, BACKGROUND)} == set(PlaceKind)
