"""What the brain answers beside its resources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sliceway.core.pages import Receipt
from sliceway.core.proposals import Proposal
from sliceway.core.records import Record


@dataclass(frozen=True, slots=True)
class Outcome(Record):
    """What a write came to: `written` with receipts, `pending` with a proposal, or `would_ask` after a dry run."""

    outcome: str
    receipts: tuple[Receipt, ...] = ()
    proposal: Proposal | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Done(Record):
    """What the agent's turn of one key already did."""

    receipts: tuple[Receipt, ...]
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True)
class AgentEntry(Record):
    """An agent of this brain. `slice` is its own mind; `source` says where its id came from (ID6).

    `aliases` are the earlier minds that it reads. `became` is set where it may not act any more: `retired`, or
    `renamed`, `merged` or `alias` `into` another agent (ID12).
    """

    id: str
    display: str | None
    slice: str
    registered_at: str
    source: str | None = None
    aliases: tuple[str, ...] = ()
    became: str | None = None
    into: str | None = None


@dataclass(frozen=True, slots=True)
class AgentChange(Record):
    """What an act on an agent came to, or would come to (ID12).

    `outcome` is `changed`, `undone`, `nochange`, or after a dry run `would_change`. `mind` is the slice that it is
    about, `agent` whose it was, where that is known, and `into` the agent that it goes to. `pages` are live ones there,
    `conflicts` those whose slug the other mind has too; they are named in `moved`, the old slug and the new one, to
    whoever holds the store alone. `kept` counts pages that an undo leaves, because they changed since. `tokens` move
    with a rename and end with a merge or a retirement. Of that agent `proposals` wait for a yes, and `grants` hold now.
    """

    act: str
    outcome: str
    mind: str
    agent: str | None = None
    into: str | None = None
    id: str | None = None
    pages: int = 0
    versions: int = 0
    conflicts: int = 0
    moved: Mapping[str, str] | None = None
    kept: int = 0
    tokens: int = 0
    proposals: int = 0
    grants: int = 0
    aliases: tuple[str, ...] = ()
    kb: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SliceEntry(Record):
    """A slice that exists, with what may be said of it to the caller."""

    slice: str
    kind: str
    title: str
    readers: str
    pages: int
    updated_at: str | None


@dataclass(frozen=True, slots=True)
class AuditEntry(Record):
    """One act as the ledger records it: who, on whose behalf, what, where, why; ids, never values (OP1)."""

    slice: str
    seq: int
    event_id: str
    at: str
    act: str
    author: dict[str, Any]
    about: dict[str, Any]


@dataclass(frozen=True, slots=True)
class VerifyFault(Record):
    """Something in the record that does not hold: the first row it shows at."""

    slice: str
    seq: int | None
    event_id: str | None
    what: str


@dataclass(frozen=True, slots=True)
class VerifyReport(Record):
    """What a verification found; `events` counts the rows recomputed."""

    ok: bool
    events: int
    errors: tuple[VerifyFault, ...]


@dataclass(frozen=True, slots=True)
class Manifest(Record):
    """The first line of an export: the hash at the head of each slice whose whole chain follows, and when it was made.

    `complete`: it is everything there is, private minds and `_system` included; then `keys` holds the slices' keys, so
    that a store that moves goes on as the same one.
    """

    sliceway: int
    head: dict[str, str]
    exported_at: str
    complete: bool = False
    keys: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class ExportedEvent(Record):
    """One event of an export; `payload` is null where it was erased.

    `seq` 0 with empty `prev` and `hash` stands where the caller may not know of every event of the slice. Else `digest`
    and `salt` are there (the salt not of what was erased), and whoever imports can hold all of it against itself.
    """

    slice: str
    seq: int
    event_id: str
    kind: str
    at: str
    author: dict[str, Any]
    payload: dict[str, Any] | None
    prev: str
    hash: str
    digest: str | None = None
    salt: str | None = None


ExportLine = Manifest | ExportedEvent
"""A line of an export."""


@dataclass(frozen=True, slots=True)
class ImportFault(Record):
    """A line that was not taken in, and why; lines are counted from 1."""

    line: int
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class ImportReport(Record):
    """What an import came to, in lines. `skipped` were there already, or are not for taking in.

    `errors` names the first hundred lines that were refused; `refused` counts them all. `restored`: a whole record was
    put back as it was.
    """

    imported: int
    skipped: int
    errors: tuple[ImportFault, ...]
    refused: int = 0
    restored: bool = False


@dataclass(frozen=True, slots=True)
class RebuildReport(Record):
    """What a rebuild came to: `events` were followed, in all slices but those that `errors` name, left as they were."""

    ok: bool
    events: int
    slices: int
    errors: tuple[VerifyFault, ...]


@dataclass(frozen=True, slots=True)
class ErasedIn(Record):
    """What was erased in one slice, or would be: how many pages with all their versions, proposals, and answers kept
    for retries."""

    slice: str
    pages: int = 0
    versions: int = 0
    proposals: int = 0
    answers: int = 0


@dataclass(frozen=True, slots=True)
class Stays(Record):
    """What an erasure leaves, and why. `slug` is told of slices that are nobody's own, and to the operator."""

    slice: str
    why: str
    slug: str | None = None


@dataclass(frozen=True, slots=True)
class Erasure(Record):
    """What an erasure came to, or with `dry_run` would come to (BR10).

    No call returns it any more. `scrubbed`: neither do the store's files hold it; the keeper sees to that where it is
    not so yet, and the same call again says whether it did.
    """

    id: str | None
    what: str
    scrubbed: bool
    slices: tuple[ErasedIn, ...] = ()
    stays: tuple[Stays, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class WhoAmI(Record):
    """The caller as the brain knows it, the slices it writes, and the slices or patterns it reads."""

    principal: dict[str, Any]
    writes: tuple[str, ...]
    reads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MountEntry(Record):
    """A folder that is a slice: how many pages it has, the agents that may read it, and what could not be taken of it,
    in words. `removed_at` is set where it is none any more."""

    slice: str
    folder: str
    pages: int
    agents: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    removed_at: str | None = None
