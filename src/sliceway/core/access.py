"""What one call may touch: the slices it reads, the one it writes, the proposals it sees (BR4, BR15, SC9). Pure.

The store takes no statement without an `Access`, and an `Access` is made by the functions below and nowhere else:
from who calls, from where, under which policy. What is not in it is not looked at, whatever a caller or a forgotten
check upstream asks for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Never, final

from sliceway.core.gate import Verdict, ceiling, readable
from sliceway.core.policy import Policy
from sliceway.core.principals import NO_ORIGIN, Origin, Principal, PrincipalKind
from sliceway.core.scope import team_reads
from sliceway.core.sight import NO_SIGHT, TEAM_SLICES, Sight, is_drafted, sight_of
from sliceway.core.slices import SYSTEM, is_aliasable, is_loaded, is_open

EVERY = "*"
"""Every slice. A name that ends so stands for all that begin alike; no slice's own name does."""


class OutsideAccess(Exception):
    """A statement reaches outside the access of its session. A fault of this program, and never an answer to anybody:
    it is no error of the tree in `errors.py`, so no code of a caller's turns it into one."""


class Kind(StrEnum):
    """What an access is for."""

    OPENING = "opening"
    READING = "reading"
    CHANGING = "changing"
    SEEING = "seeing"
    HANDLING = "handling"
    RECOLLECTING = "recollecting"
    RECORDING = "recording"
    ADMINISTERING = "administering"
    AUDITING = "auditing"
    OVERSEEING = "overseeing"
    MAINTAINING = "maintaining"
    KEEPING = "keeping"
    COUNTING = "counting"
    EMBEDDING = "embedding"
    EXPORTING = "exporting"
    IMPORTING = "importing"
    ERASING = "erasing"
    MERGING = "merging"


KINDS: Mapping[Kind, str] = {
    Kind.OPENING: "each transaction begins so: the policy, the people and the caller are looked up in `_system`",
    Kind.READING: "pages are read in what the caller may read from here, narrowed to what the call names",
    Kind.CHANGING: "pages of one slice are changed, or the change is asked for where its proposal is kept",
    Kind.SEEING: "proposals and grants are shown as far as the caller's sight goes",
    Kind.HANDLING: "one proposal or grant within that sight is decided, moved, carded or ended, in its own slice",
    Kind.RECOLLECTING: "a turn that runs again is given what it did, for its person too",
    Kind.RECORDING: "what the brain notes of itself is a row of `_system`: policy, agents, refusals",
    Kind.ADMINISTERING: "who administers keeps tokens: rows of `_system`, told with what each token did in any slice",
    Kind.AUDITING: "an agent's own acts, in its mind, the team's slices and `_system`; everybody's for who administers",
    Kind.OVERSEEING: "which slices there are and when they changed: all of them for who administers",
    Kind.MAINTAINING: "who administers verifies every chain and every row; the operator makes one slice's rows anew",
    Kind.KEEPING: "time passes in every slice: the keeper looks in all, and changes one at a time",
    Kind.COUNTING: "proposals of all slices are counted by state, drafts apart, for whoever runs the server (OP2)",
    Kind.EMBEDDING: "vectors are made of pages in all slices, and kept beside their page, in one slice at a time",
    Kind.EXPORTING: "events are given out of what the caller may read from here; all of them to the operator",
    Kind.IMPORTING: "who administers takes pages into one slice at a time: an admin into those that are nobody's own",
    Kind.ERASING: "who administers looks for content to be erased in every slice, and erases it in one at a time",
    Kind.MERGING: "who administers makes two minds one: pages of a mind are read, and written to the mind they go to",
}  # fmt: skip
"""Every kind there is, and why."""

_SEAL = object()


@final
class Access:
    """The slices that a transaction may read, the one it may write, and what it may see of proposals.

    Sealed: it can be neither made, changed, replaced, copied into another nor unpickled outside this module.

    `reads` holds names, and beginnings of names that end in `*`. `write` is the one slice of the transaction, None
    while there is none; `landings` are those it may still be chosen from.
    """

    __slots__ = ("_prefixes", "kind", "landings", "reads", "sight", "write")

    kind: Kind
    reads: frozenset[str]
    write: str | None
    landings: frozenset[str]
    sight: Sight
    _prefixes: tuple[str, ...]

    def __init__(
        self,
        seal: object,
        kind: Kind,
        reads: frozenset[str],
        *,
        write: str | None = None,
        landings: frozenset[str] = frozenset(),
        sight: Sight = NO_SIGHT,
    ) -> None:
        """Refuse whoever has no seal; the functions of this module have it.

        :raises TypeError: made elsewhere.
        """
        if seal is not _SEAL:
            raise TypeError("An Access is made by the functions of sliceway.core.access alone.")
        keep = object.__setattr__
        keep(self, "kind", kind)
        keep(self, "reads", reads)
        keep(self, "write", write)
        keep(self, "landings", landings)
        keep(self, "sight", sight)
        keep(self, "_prefixes", tuple(name[:-1] for name in reads if name.endswith(EVERY)))

    def __init_subclass__(cls) -> Never:
        """Refuse. :raises TypeError: always."""
        raise TypeError("There is one kind of Access.")

    def __setattr__(self, name: str, value: object) -> Never:
        """Refuse. :raises TypeError: always."""
        raise TypeError("An Access does not change.")

    def __delattr__(self, name: str) -> Never:
        """Refuse. :raises TypeError: always."""
        raise TypeError("An Access does not change.")

    def __reduce_ex__(self, protocol: object) -> Never:
        """Refuse to be pickled, and so to be made from bytes. :raises TypeError: always."""
        raise TypeError("An Access stays in the transaction it was made for.")

    def __copy__(self) -> Access:
        """Return this very one."""
        return self

    def __deepcopy__(self, memo: object) -> Access:
        """Return this very one."""
        return self

    def __repr__(self) -> str:
        """Return what it is for; the slices belong in no log."""
        return f"<Access {self.kind.value}>"

    def covers(self, names: Collection[str]) -> bool:
        """Say whether all of these slices may be read."""
        return self.reads.issuperset(names) or all(self._covers(name) for name in names)

    def _covers(self, name: str) -> bool:
        return name in self.reads or any(name.startswith(prefix) for prefix in self._prefixes)

    def only(self, names: Iterable[str]) -> Access:
        """Return this access to no more than those of the slices that it reads; it writes nothing any more."""
        return Access(_SEAL, self.kind, frozenset(filter(self._covers, names)), sight=self.sight)

    def landing(self, name: str) -> Access:
        """Return this access with `name` as the one slice that it writes (BR15).

        :raises OutsideAccess: it may not be written, or another one is already.
        """
        if self.write == name:
            return self
        if self.write is not None or not self._lands(name):
            raise OutsideAccess(f"A transaction of kind '{self.kind.value}' writes outside its one slice.")
        return Access(_SEAL, self.kind, self.reads | {name}, write=name, sight=self.sight)

    def _lands(self, name: str) -> bool:
        return name in self.landings or any(
            name.startswith(one[:-1]) for one in self.landings if one.endswith(EVERY)
        )  # fmt: skip

    def follows(self, before: Access) -> bool:
        """Say whether a transaction that entered `before` may go on with this: with no more than it has."""
        if before.kind is Kind.OPENING:
            return True
        chosen = before.write is None and self.write is not None and before._lands(self.write)
        return (
            self.kind is before.kind
            and self.sight == before.sight
            and before.covers(self.reads - {self.write})
            and self.landings <= before.landings
            and (chosen or self.write == before.write)
        )


_OPENING = Access(_SEAL, Kind.OPENING, frozenset({SYSTEM}))
_RECORDING = Access(_SEAL, Kind.RECORDING, frozenset({SYSTEM}), landings=frozenset({SYSTEM}))
_EVERYWHERE = frozenset({EVERY})
_ADMINISTERS = frozenset({PrincipalKind.ADMIN, PrincipalKind.OPERATOR})


def opening() -> Access:
    """Return what every transaction begins with: the brain's own rows, to judge the call by."""
    return _OPENING


def reading(principal: Principal, origin: Origin, policy: Policy) -> Access:
    """Return the access of a call that reads pages; `only` narrows it to the slices that the call names."""
    return Access(_SEAL, Kind.READING, readable(principal, origin, policy))


def changing(
    op: str, name: str, principal: Principal, origin: Origin, policy: Policy, *, asks: bool = False
) -> Access:  # fmt: skip
    """Return the access of a call that changes pages of the slice `name`, or asks for that.

    It writes the slice; for a draft, the owner's corner (AP23). What must be asked for also counts what waits in the
    team's slices and the caller's own (AP25). Where the ceiling is DENY it reads and writes nothing.

    :param asks: it is to be asked for even where it may be done freely.
    """
    verdict = ceiling(op, name, principal, origin, policy)
    if verdict is Verdict.DENY:
        return Access(_SEAL, Kind.CHANGING, frozenset())
    if verdict is Verdict.ALLOW and not asks:
        return Access(_SEAL, Kind.CHANGING, frozenset({name}), landings=frozenset({name}))
    drafted = is_drafted(principal, origin, name) and origin.person is not None
    home = origin.person.slice if drafted and origin.person is not None else name
    own = principal.own_slice
    counted = {*TEAM_SLICES, name, home, *((own,) if own is not None else ())}
    return Access(_SEAL, Kind.CHANGING, frozenset(counted), landings=frozenset({home}))


def seeing(principal: Principal, origin: Origin, policy: Policy) -> Access:
    """Return the access of a call that looks at proposals and grants (AP26)."""
    sight = sight_of(principal, origin, policy)
    return Access(_SEAL, Kind.SEEING, sight.reads, sight=sight)


def handling(principal: Principal, origin: Origin, policy: Policy) -> Access:
    """Return the access of a call that changes one proposal or grant that it sees.

    The person's own corner is read too: whether what was sent from there was theirs (AP23).
    """
    sight = sight_of(principal, origin, policy)
    return Access(_SEAL, Kind.HANDLING, sight.reads | _corner(sight), landings=sight.reads, sight=sight)


def recollecting(principal: Principal, origin: Origin, policy: Policy) -> Access:
    """Return the access of a call that asks what a turn already did (BR6)."""
    sight = sight_of(principal, origin, policy)
    return Access(_SEAL, Kind.RECOLLECTING, sight.reads | _corner(sight), sight=sight)


def _corner(sight: Sight) -> frozenset[str]:
    return frozenset({sight.person.slice}) if sight.person is not None else frozenset()


def recording() -> Access:
    """Return the access of what the brain notes of itself in `_system`, refusals of anybody included (OP1)."""
    return _RECORDING


def administering(principal: Principal) -> Access:
    """Return the access of a call that keeps tokens (BR2); for whoever does not administer it is empty."""
    if principal.kind not in _ADMINISTERS:
        return Access(_SEAL, Kind.ADMINISTERING, frozenset())
    return Access(_SEAL, Kind.ADMINISTERING, _EVERYWHERE, landings=frozenset({SYSTEM}))


def auditing(principal: Principal) -> Access:
    """Return the access of a call that looks through acts (OP1)."""
    own = principal.own_slice
    mine = frozenset({own, SYSTEM, *TEAM_SLICES}) if own is not None else frozenset[str]()
    return Access(_SEAL, Kind.AUDITING, _EVERYWHERE if principal.kind in _ADMINISTERS else mine)


def overseeing(principal: Principal, policy: Policy) -> Access:
    """Return the access of a call that lists slices: those that the caller may read where it is trusted."""
    agent = principal.agent_id
    known = principal.slices if agent is None else team_reads(policy, agent)
    return Access(_SEAL, Kind.OVERSEEING, _EVERYWHERE if principal.kind in _ADMINISTERS else known)


def maintaining(principal: Principal, name: str | None = None) -> Access:
    """Return the access of a call that verifies the record; for whoever does not administer it is empty.

    :param name: the slice whose rows are made again, or whose chain is restored: by the operator alone, for it is done
        with all that is in it.
    """
    landings = frozenset({name}) if name is not None and principal.kind is PrincipalKind.OPERATOR else frozenset[str]()
    reads = _EVERYWHERE if principal.kind in _ADMINISTERS else frozenset[str]()
    return Access(_SEAL, Kind.MAINTAINING, reads, landings=landings)


def exporting(principal: Principal, origin: Origin, policy: Policy) -> Access:
    """Return the access of a call that gives events out: what the caller may read; the operator holds the file."""
    whole = principal.kind is PrincipalKind.OPERATOR
    return Access(_SEAL, Kind.EXPORTING, _EVERYWHERE if whole else readable(principal, origin, policy))


def importing(principal: Principal, name: str, policy: Policy) -> Access:
    """Return the access of a call that takes pages into a slice (GT9).

    An admin may not read what is an agent's or a person's own (BR2), and is told there by no import what it holds:
    what is nobody's own is all that an admin takes pages into.
    """
    whole = principal.kind is PrincipalKind.OPERATOR or is_open(name)
    allowed = ceiling("import", name, principal, NO_ORIGIN, policy) is Verdict.ALLOW
    open_for_it = is_loaded(name) and name not in policy.closed
    landings = frozenset({name}) if open_for_it and whole and allowed else frozenset[str]()
    return Access(_SEAL, Kind.IMPORTING, landings, landings=landings)


def erasing(principal: Principal, policy: Policy, name: str | None = None) -> Access:
    """Return the access of a call that erases content, in the slice `name`; None only looks for it (GT9)."""
    if principal.kind not in _ADMINISTERS:
        return Access(_SEAL, Kind.ERASING, frozenset())
    allowed = name is not None and ceiling("erase", name, principal, NO_ORIGIN, policy) is Verdict.ALLOW
    landings = frozenset({name}) if name is not None and allowed else frozenset[str]()
    return Access(_SEAL, Kind.ERASING, _EVERYWHERE, landings=landings)


def merging(principal: Principal, source: str, into: str) -> Access:
    """Return the access of a step that takes one mind into another, or back out of it (ID12); for whoever does not
    administer it is empty. Nothing of what is read is told to anybody.

    :param into: the one slice that is written; the source itself where others are kept from writing it.
    """
    names = frozenset({source, into})
    if principal.kind not in _ADMINISTERS or not all(map(is_aliasable, names)):
        return Access(_SEAL, Kind.MERGING, frozenset())
    return Access(_SEAL, Kind.MERGING, names, landings=frozenset({into}))


def keeping(name: str | None = None) -> Access:
    """Return the keeper's access: to look for what is due, or to change what is due in the slice `name`."""
    return Access(_SEAL, Kind.KEEPING, _EVERYWHERE, landings=frozenset({name}) if name is not None else frozenset())


def counting() -> Access:
    """Return the access of whoever counts without names: how many proposals stand at each state (OP2)."""
    return Access(_SEAL, Kind.COUNTING, _EVERYWHERE)


def embedding(name: str | None = None) -> Access:
    """Return the access of whoever makes vectors: to look for pages without, or to keep those of the slice `name`."""
    return Access(_SEAL, Kind.EMBEDDING, _EVERYWHERE, landings=frozenset({name}) if name is not None else frozenset())
