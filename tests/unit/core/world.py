"""A small team for the tables, and strategies that make any team for the properties."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from sliceway.core.policy import Channel, Policy
from sliceway.core.principals import Principal
from sliceway.core.slices import agent_slice
from sliceway.core.turns import BACKGROUND, Lock, Person, Place, PlaceKind, Standing, Trust, Turn

ANN = Person("T1", "U1", name="Ann")
BEN = Person("T1", "U2", name="Ben")
MAX = Person("T1", "M1", name="Max")
GUEST = Person("T1", "G1", standing=Standing.GUEST)
STRANGER = Person("T9", "U9", standing=Standing.STRANGER)
OTHER_TEAM = Person("T2", "U1")
BOT = Person("T1", "B1", standing=Standing.BOT)
GONE = Person("T1", "U3", standing=Standing.GONE)
LEFT = Person("T1", "U4")
RAISED = Person("T1", "R1", standing=Standing.GUEST)
RAISED_STRANGER = Person("T9", "R9", standing=Standing.STRANGER)

DEPLOYS = Place("slack", "T1", "C1", "1.1")
SECRET = Place("slack", "T1", "G1", "1.1", kind=PlaceKind.PRIVATE)
VETTED = Place("slack", "T1", "G2", "1.1", kind=PlaceKind.PRIVATE)
GROUP = Place("slack", "T1", "G3", "1.1", kind=PlaceKind.MPIM)
PARTNERS = Place("slack", "T1", "C9", "1.1", external=True)
WAS_SHARED = Place("slack", "T1", "C8", "1.1")
WITH_GUEST = Place("slack", "T1", "C7", "1.1", guests=True)
KNOWN = Place("slack", "T1", "C5", "1.1")
ELSEWHERE = Place("slack", "T2", "C1", "1.1")
DM = Place("slack", "T1", "D1", "1.1", kind=PlaceKind.IM)

POLICY = Policy(
    managers=frozenset({"M1"}),
    teams=frozenset({"T1"}),
    raised=frozenset({"R1", "T9:R9", "B1"}),
    channels={
        ("T1", "G2"): Channel(trust=Trust.TRUSTED),
        ("T1", "C5"): Channel(trust=Trust.TRUSTED),
        ("T1", "C9"): Channel(trust=Trust.TRUSTED),
        ("T1", "C8"): Channel(trust=Trust.TRUSTED, external=True, fell_at="2026-05-01T00:00:00.000000Z"),
    },
    gone={("T1", "U4"): "2026-05-01T00:00:00.000000Z"},
    kb={"ada": frozenset({"kb-handbook"})},
    aliases={"ada": frozenset({"agent", "agent-old"})},
)

MIND = frozenset({"agent-ada", "agent", "agent-old"})
TEAM_READS = MIND | {"shared", "public", "kb-handbook"}
PUBLIC_ONLY = frozenset({"public"})


def turn(speaker: Person | None = ANN, place: Place = DEPLOYS, lock: Lock | None = None, text: str = "hello") -> Turn:
    """Return a turn of the agent `ada`."""
    return Turn("k1", "ada", speaker, place, text=text, lock=lock)


def lock_of(owner: Person, began_in: Place | None = None) -> Lock:
    """Return a `/1on1` of a person in the DM."""
    return Lock(owner, DM, began_in)


# Few names each, so that generated parts meet often.
TEAMS = st.sampled_from(["T1", "T2", "T9"])
USERS = st.sampled_from(["U1", "U2", "M1", "R1"])
AGENTS = st.sampled_from(["ada", "Ada", "bob", "default", "A_B", "agent-ada"])
SLICES = st.sampled_from([
    "shared", "public", "agent", "_system", "kb-handbook", "kb-x", "agent-ada", "agent-bob", "agent-old", "",
    "user-x--aaaaaaaaaaaaaaaaaaaaaaaaaa", "nonsense", "USER-x", *(agent_slice(name) for name in ("Ada", "A_B")),
])  # fmt: skip
LISTED = st.frozensets(st.one_of(USERS, st.builds("{}:{}".format, TEAMS, USERS)), max_size=4)

people = st.builds(
    Person, TEAMS, USERS, enterprise=st.sampled_from([None, None, "E1"]), standing=st.sampled_from(Standing)
)
chat_places = st.builds(
    Place,
    st.just("slack"),
    TEAMS,
    st.sampled_from(["C1", "C2", "D1"]),
    st.sampled_from([None, "1.1", "2.2"]),
    kind=st.sampled_from([kind for kind in PlaceKind if kind is not PlaceKind.BACKGROUND]),
    external=st.booleans(),
    guests=st.booleans(),
)
places = st.one_of(chat_places, chat_places, chat_places, st.just(BACKGROUND))
channels = st.builds(
    Channel, trust=st.sampled_from([None, *Trust]), external=st.booleans(), guests=st.booleans(), fell_at=st.none()
)
policies = st.builds(
    Policy,
    managers=LISTED,
    approvers=st.none() | LISTED,
    teams=st.frozensets(TEAMS),
    raised=LISTED,
    trusted_channels=st.frozensets(st.sampled_from(["C1", "T1:C2", "D1"])),
    dm=st.sampled_from(["personal", "off", "typo"]),
    self_approval=st.sampled_from(["managers", "never", "always", "typo"]),
    channels=st.dictionaries(st.tuples(TEAMS, st.sampled_from(["C1", "C2", "D1"])), channels, max_size=4),
    gone=st.dictionaries(st.tuples(TEAMS, USERS), st.just("2026-05-01T00:00:00.000000Z"), max_size=2),
    kb=st.dictionaries(AGENTS, st.frozensets(SLICES, max_size=4), max_size=3),
    aliases=st.dictionaries(
        AGENTS, st.frozensets(st.sampled_from(["agent", "agent-old", "user-x--a", "shared", "kb-x"])), max_size=3
    ),
    closed=st.sampled_from([frozenset[str](), frozenset[str](), frozenset({"agent-ada"}), frozenset({"agent-bob"})]),
)
locks = st.builds(Lock, people, chat_places, st.none() | chat_places)
turns = st.builds(
    Turn, st.just("k1"), AGENTS, st.none() | people, places, text=st.text(max_size=20), lock=st.none() | locks
)


@st.composite
def owned_turns(draw: st.DrawFn) -> Turn:
    """Return turns whose lock, where there is one, is mostly the speaker's own and in a DM."""
    made = draw(turns)
    if made.speaker is None or draw(st.integers(0, 3)) == 0:
        return made
    lock = draw(st.none() | st.builds(Lock, st.just(made.speaker), chat_places, st.none() | chat_places))
    place = (
        replace(made.place, kind=PlaceKind.IM) if made.place is not BACKGROUND and draw(st.booleans()) else made.place
    )
    return replace(made, lock=lock, place=place)


any_turns = st.one_of(turns, owned_turns())


def hosts(principal: Principal, turn: Turn) -> bool:
    """Say whether a gateway's rights let it host a turn: its agent, its teams, its people."""
    return (
        principal.agent_id == turn.agent
        and (turn.place is BACKGROUND or turn.place.team in principal.teams)
        and (turn.speaker is None or (principal.acts_for and turn.speaker.team in principal.teams))
    )


@st.composite
def hosted(draw: st.DrawFn) -> tuple[Principal, Turn, Policy]:
    """Return a gateway, a turn it can host, and a policy."""
    made, policy = draw(any_turns), draw(policies)
    teams = draw(st.frozensets(TEAMS)) | ({made.place.team} - {""})
    if made.speaker is not None:
        teams |= {made.speaker.team}
    acts_for = made.speaker is not None or draw(st.booleans())
    principal = Principal.gateway(made.agent, teams=teams, acts_for=acts_for, decides=draw(st.booleans()))
    return principal, made, policy
