"""The fields of the calls about proposals, grants, policy and agents, as the HTTP table names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_core import PydanticCustomError

from sliceway.core.cursors import MAX_CURSOR
from sliceway.core.pages import MAX_PAGES
from sliceway.core.policy import MAX_GRANT
from sliceway.core.proposals import State, place_key
from sliceway.core.turns import Place
from sliceway.wire.checks import MAX_NUMBER, Folder, IfVersion, Label, Limit, Reason, Slug, Strict, Version, plain
from sliceway.wire.models import Names, PageModel

Cursor = Annotated[str, Field(max_length=MAX_CURSOR)]
Revision = Annotated[int, Field(ge=1, le=MAX_NUMBER)]
MAX_WAIT = 60.0
"""Seconds that a long poll may wait."""
MAX_LEASE = 600.0
"""Seconds that a claim to post may last."""


def _seconds(value: Any) -> Any:
    """Take whole seconds too; one that no float holds is as wrong as any that is far too long."""
    if isinstance(value, int) and not isinstance(value, bool):
        return float(max(-1, min(value, 10**9)))
    return value


_Seconds = BeforeValidator(_seconds)
Head = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Wait = Annotated[float, Field(ge=0, le=MAX_WAIT, allow_inf_nan=False), _Seconds]
Lease = Annotated[float, Field(gt=0, le=MAX_LEASE, allow_inf_nan=False), _Seconds]
GrantSeconds = Annotated[int, Field(ge=1, le=int(MAX_GRANT.total_seconds()))]


class ProposeCall(Strict):
    """`propose`: the op and the fields of that call."""

    op: Literal["write", "delete", "restore", "undo"]
    slice: Label
    pages: Annotated[list[PageModel], Field(max_length=MAX_PAGES)] = Field(default_factory=list)
    slug: Slug | None = None
    version: Version | None = None
    expected_event: Label | None = None
    if_version: IfVersion | None = None
    reason: Reason | None = None
    request_id: Label | None = None


class DecideCall(Strict):
    """`decide`."""

    id: Label
    decision: Literal["approve", "deny"]
    revision: Revision
    reason: Reason | None = None
    grant_seconds: GrantSeconds | None = None


class StepCall(Strict):
    """`withdraw` and `send_draft`."""

    id: Label
    revision: Revision


class NamedCall(Strict):
    """A call about one thing by its id."""

    id: Label


class ProposalsCall(Strict):
    """`proposals`."""

    state: Annotated[State, Field(strict=False)] | None = None
    limit: Limit = 50
    cursor: Cursor | None = None


class ListingCall(Strict):
    """A list of one slice or of all that the caller may see."""

    slice: Label | None = None
    limit: Limit = 50
    cursor: Cursor | None = None


class ChangesCall(Strict):
    """`changes`."""

    after: Cursor | None = None
    wait: Wait = 0.0


class CardPlaceModel(Strict):
    """Where a card stands, as an origin names a place."""

    surface: Label | None = None
    team: Label
    channel: Label
    thread: Label | None = None


def _place_text(value: Any) -> Any:
    """Return what a card is kept by, of a place as of its text."""
    if not isinstance(value, Mapping):
        return value
    try:
        place = CardPlaceModel.model_validate(plain(value))
    except ValidationError:
        raise PydanticCustomError(
            "place", "say TEAM/CHANNEL, or team and channel, and a thread where it is one"
        ) from None
    return place_key(Place(place.surface or "", team=place.team, channel=place.channel, thread=place.thread))


CardPlace = Annotated[Label, BeforeValidator(_place_text, json_schema_input_type=CardPlaceModel | str)]
"""The place of a card: its text, `TEAM/CHANNEL` or `TEAM/CHANNEL/THREAD`, or the place it is of."""


class ClaimCall(Strict):
    """`claim_card`."""

    id: Label
    place: CardPlace
    holder: Label
    lease_s: Lease


class PostedCall(Strict):
    """`card_posted`."""

    id: Label
    place: CardPlace
    holder: Label
    ref: Label


class TrustCall(Strict):
    """`set_trust`."""

    team: Label
    channel: Label
    trust: Literal["trusted", "unknown", "public"]


class SeenPlace(Strict):
    """A channel as a gateway saw it."""

    team: Label
    channel: Label
    external: bool | None = None
    guests: bool | None = None


class SeenPerson(Strict):
    """A person as a gateway saw them."""

    team: Label
    user: Label
    deactivated: bool


class ObserveCall(Strict):
    """`observe`."""

    place: SeenPlace | None = None
    person: SeenPerson | None = None


class RegisterCall(Strict):
    """`register`. What is odd in a display name is cleaned, not refused (ID8)."""

    display: Annotated[str, Field(max_length=1000)] | None = None
    source: Label | None = None


class TurnCall(Strict):
    """`done_in`."""

    turn: Label


class VerifyCall(Strict):
    """`verify`, against an earlier `head` where one is given."""

    since: dict[Label, Head] | None = None


class ExportCall(Strict):
    """`export`."""

    slices: list[Label] | None = None


class ImportCall(Strict):
    """`import_`: what names the load, so that the same lines under the same name come in once."""

    request_id: Label | None = None


class ErasureCall(Strict):
    """What every erasure may say: `erase_person` says the person beside it."""

    request_id: Label | None = None
    dry_run: bool = False


class EraseSliceCall(ErasureCall):
    """`erase_slice`."""

    slice: Label


class EraseCall(EraseSliceCall):
    """`erase`."""

    slug: Slug


class DenialCall(Strict):
    """`report_denial`. An op that is in no table may have been denied too (GT10)."""

    op: Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]
    slice: Label
    reason: Reason | None = None


class TokenCall(Strict):
    """`create_token`. `expires` is a duration like `30d`."""

    kind: Literal["admin", "gateway", "agent", "reader"]
    agent: Label | None = None
    teams: Names = ()
    acts_for: bool = False
    decides: bool = False
    slices: Names = ()
    expires: Label | None = None


class RetireAgentCall(Strict):
    """`retire_agent`. `undo` takes it back; `dry_run` says what would happen."""

    id: Label
    undo: bool = False
    dry_run: bool = False


class AliasAgentCall(RetireAgentCall):
    """`alias_agent`: `alias` is the earlier mind, by its slice or its agent's id."""

    alias: Label


class MergeAgentCall(RetireAgentCall):
    """`merge_agent`: `mind` is the one that is taken in, by its slice or its agent's id."""

    mind: Label


class RenameAgentCall(RetireAgentCall):
    """`rename_agent`: a new id, a new display name, or both. What is odd in a display name is cleaned (ID8)."""

    to: Label | None = None
    display: Annotated[str, Field(max_length=1000)] | None = None


class UnmountCall(Strict):
    """`unmount`."""

    label: Label


class MountCall(UnmountCall):
    """`mount`: a folder by its path on the machine where the store is."""

    folder: Folder
    agents: Names = ()
