"""The closed table of slice kinds (SC15): what each is, who may read and write it, who approves.

A new kind is one row here, and no `if` elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from sliceway.core.ids import check_agent_id, partition_name

SHARED = "shared"
PUBLIC = "public"
LEGACY_AGENT = "agent"
SYSTEM = "_system"

_NAME = re.compile(r"[a-z0-9_-]{1,64}")


class Approver(StrEnum):
    """Who may decide a proposal for a slice of a kind."""

    APPROVERS = "approvers"
    MANAGERS = "managers"
    OWNER = "owner"
    NOBODY = "nobody"


class Landing(StrEnum):
    """How a write lands in a slice of a kind: by right of whom, or only after a person's yes, or not at all."""

    AGENT = "agent"
    PERSON = "person"
    ASKS = "asks"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class SliceKind:
    """One row: a kind of slice and its rules.

    `named` says whether a call may name such a slice at all; `readers` and `title` are words for people.
    `open` slices belong to no agent and no person: reader, admin and operator may read them (BR2). `mounted` slices
    are read where the policy lists them for an agent, and only such; `aliasable` ones may be an agent's earlier
    mind (ID12). Into those that are `loaded` an import may go, into open ones an admin's too (GT9).
    """

    kind: str
    pattern: re.Pattern[str]
    title: str
    readers: str
    landing: Landing
    approver: Approver
    named: bool = True
    open: bool = False
    mounted: bool = False
    aliasable: bool = False
    loaded: bool = False


KINDS: tuple[SliceKind, ...] = (
    SliceKind(
        "shared", re.compile("shared"), "the team's knowledge base",
        "every agent, in trusted channels and in members' private sessions", Landing.ASKS, Approver.APPROVERS,
        open=True, loaded=True,
    ),
    SliceKind(
        "public", re.compile("public"), "what anyone may read",
        "anyone", Landing.ASKS, Approver.MANAGERS,
        open=True, loaded=True,
    ),
    SliceKind(
        "agent", re.compile(r"agent-.+"), "an agent's own mind",
        "that agent only, in trusted channels and in members' private sessions", Landing.AGENT, Approver.MANAGERS,
        aliasable=True, loaded=True,
    ),
    SliceKind(
        "user", re.compile(r"user-.+"), "a person's private corner",
        "that person only, in their own private sessions", Landing.PERSON, Approver.OWNER,
        loaded=True,
    ),
    SliceKind(
        "kb", re.compile(r"kb-.+"), "mounted reference, read-only",
        "the agents that the policy lists", Landing.NEVER, Approver.NOBODY,
        open=True, mounted=True, loaded=True,
    ),
    SliceKind(
        "legacy", re.compile("agent"), "the mind of a brain from before slices",
        "the agent it is an alias of", Landing.NEVER, Approver.NOBODY,
        aliasable=True,
    ),
    SliceKind(
        "system", re.compile("_system"), "the brain's own record",
        "the audit and the policy", Landing.NEVER, Approver.NOBODY, named=False,
    ),
)  # fmt: skip
"""Every kind there is."""


def kind_of(name: str) -> SliceKind | None:
    """Return the kind of the slice `name`, or None when the name is of no kind.

    Every name of a kind's form is of that kind, also one that `agent_slice` or `user_slice` never make.
    """
    if not _NAME.fullmatch(name):
        return None
    return next((row for row in KINDS if row.pattern.fullmatch(name)), None)


def is_open(name: str) -> bool:
    """Say whether a slice belongs to no agent and no person (BR2)."""
    kind = kind_of(name)
    return kind is not None and kind.open


def is_mounted(name: str) -> bool:
    """Say whether a slice is mounted reference."""
    kind = kind_of(name)
    return kind is not None and kind.mounted


def is_aliasable(name: str) -> bool:
    """Say whether a slice may be an agent's earlier mind (ID12)."""
    kind = kind_of(name)
    return kind is not None and kind.aliasable


def is_loaded(name: str) -> bool:
    """Say whether an import may go into a slice (GT9)."""
    kind = kind_of(name)
    return kind is not None and kind.loaded


def agent_slice(agent_id: str) -> str:
    """Return the name of an agent's own slice.

    :raises InvalidAgentId: the id is one that ID8 or ID9 refuse (`default` is accepted here).
    """
    return partition_name("agent", check_agent_id(agent_id, allow_default=True), plain=True)


def user_slice(team: str, user: str) -> str:
    """Return the name of a person's private slice.

    :param team: the enterprise id where the person has one, else the team id (ID11).
    :raises InvalidRequest: a part is empty.
    """
    return partition_name("user", team, user, plain=False)


def kb_slice(label: str) -> str:
    """Return the name of the slice of a mounted folder.

    :raises InvalidRequest: the label is empty.
    """
    return partition_name("kb", label, plain=True)
