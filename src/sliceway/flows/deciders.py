"""Who can decide a proposal now: the brain's list, less whom only chat knows to be gone or an outsider (AP7)."""

from __future__ import annotations

from sliceway.core.policy import Policy, approvers_of, may_decide
from sliceway.core.slices import Approver, kind_of
from sliceway.core.turns import Person
from sliceway.flows.parts import Parts
from sliceway.flows.standing import person_now

SHOWN = 5
"""People named at most."""


async def deciders_of(parts: Parts, policy: Policy, slice_name: str, requested_by: Person | None) -> tuple[Person, ...]:
    """Return the people who may decide a proposal for a slice, by policy and by what chat says of them now."""
    kind = kind_of(slice_name)
    if kind is not None and kind.approver is Approver.OWNER:
        return (requested_by,) if requested_by is not None and requested_by.slice == slice_name else ()
    found: dict[tuple[str, str], Person] = {}
    for entry in sorted(approvers_of(policy, slice_name)):
        team, _, user = entry.rpartition(":")
        for home in [team] if team else sorted(policy.teams):
            who = await person_now(parts, Person(home, user))
            if may_decide(policy, slice_name, who, requested_by) is None:
                found.setdefault(who.key, who)
    return tuple(found.values())


def names_of(people: tuple[Person, ...]) -> str:
    """Return people by name, a few of them."""
    names = [who.shown for who in people[:SHOWN]]
    if len(people) > SHOWN:
        names.append(f"{len(people) - SHOWN} more")
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


async def deciders_words(parts: Parts, policy: Policy, slice_name: str, requested_by: Person | None) -> str:
    """Return who can decide, as a sentence; that nobody can is said, with the cure (AP7)."""
    people = await deciders_of(parts, policy, slice_name, requested_by)
    if not people:
        return (
            "Nobody can decide about this: no approver is named, or none of them may. An admin has to name one "
            "(SLICEWAY_POLICY__MANAGERS)."
        )
    return f"{names_of(people)} can decide."
