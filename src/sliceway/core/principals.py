"""Who calls the brain, and the origin a call comes from. A principal is bound once, never taken from a call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sliceway.core.ids import check_agent_id, is_text
from sliceway.core.slices import agent_slice, is_open
from sliceway.core.turns import Person, Place
from sliceway.errors import FieldError, InvalidRequest


class PrincipalKind(StrEnum):
    """The kinds of caller (BR2), and the operator, who holds the store's own file."""

    AGENT = "agent"
    GATEWAY = "gateway"
    READER = "reader"
    ADMIN = "admin"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller and its rights. `token_id` is None for a caller on the store's own file."""

    kind: PrincipalKind
    agent_id: str | None = None
    teams: frozenset[str] = frozenset()
    acts_for: bool = False
    decides: bool = False
    slices: frozenset[str] = frozenset()
    token_id: str | None = None
    os_user: str | None = None

    @classmethod
    def agent(cls, agent_id: str, *, token_id: str | None = None) -> Principal:
        """Return a coding agent or script that acts for itself alone.

        :raises InvalidAgentId: the id is not one.
        """
        return cls(PrincipalKind.AGENT, check_agent_id(agent_id, allow_default=True), token_id=token_id)

    @classmethod
    def gateway(
        cls,
        agent_id: str,
        *,
        teams: Iterable[str] = (),
        acts_for: bool = False,
        decides: bool = False,
        token_id: str | None = None,
    ) -> Principal:
        """Return the gateway of one agent.

        :param teams: the workspaces whose people it may speak of.
        :param acts_for: it may write and read for those people (BR2).
        :param decides: it may relay their decisions, and is believed about who clicked.
        :raises InvalidAgentId: the id is not one.
        :raises InvalidRequest: `teams` is one text instead of a list of them.
        """
        return cls(
            PrincipalKind.GATEWAY,
            check_agent_id(agent_id, allow_default=True),
            teams=_listed("teams", teams),
            acts_for=acts_for,
            decides=decides,
            token_id=token_id,
        )

    @classmethod
    def reader(cls, slices: Iterable[str], *, token_id: str | None = None) -> Principal:
        """Return a caller that reads some of `shared`, `public` and `kb-…`.

        :raises InvalidRequest: another slice is named.
        """
        named = _listed("slices", slices)
        if not all(is_open(name) for name in named):
            raise InvalidRequest("A reader reads shared, public and kb-… slices only.")
        return cls(PrincipalKind.READER, slices=named, token_id=token_id)

    @classmethod
    def admin(cls, *, token_id: str | None = None) -> Principal:
        """Return a caller that administers and reads no private content."""
        return cls(PrincipalKind.ADMIN, token_id=token_id)

    @classmethod
    def operator(cls, os_user: str = "") -> Principal:
        """Return whoever holds the store's own file, recorded by the name the system knows them by (AP20)."""
        return cls(PrincipalKind.OPERATOR, os_user=os_user or None)

    @property
    def own_slice(self) -> str | None:
        """The agent's own slice, or None where the caller is no agent."""
        return agent_slice(self.agent_id) if self.agent_id is not None else None

    @property
    def key(self) -> str:
        """What idempotency and limits are kept by."""
        return self.token_id or ":".join(filter(None, (self.kind, self.agent_id or self.os_user)))

    @property
    def sees_all_proposals(self) -> bool:
        """Whether proposals of other agents are shown to it (AP26)."""
        return self.decides or self.kind in {PrincipalKind.ADMIN, PrincipalKind.OPERATOR}


def _listed(field: str, names: Iterable[str]) -> frozenset[str]:
    """Return `names` as a set; one text would silently become its letters.

    :raises InvalidRequest: it is no list of texts.
    """
    if isinstance(names, str):
        raise InvalidRequest(errors=[FieldError(field, "invalid_request", f"give a list, like [{names[:40]!r}]")])
    try:
        listed = tuple(names)
    except TypeError:
        listed = ("",)
    if not all(is_text(name) and name.strip() for name in listed):
        raise InvalidRequest(errors=[FieldError(field, "invalid_request", "give a list of names, none of them blank")])
    return frozenset(listed)


@dataclass(frozen=True, slots=True)
class Origin:
    """The person, place and turn a call comes from: what a gateway says, within its rights."""

    person: Person | None = None
    place: Place | None = None
    private: bool = False
    turn: str | None = None


NO_ORIGIN = Origin()
"""The origin of a call that names none."""
