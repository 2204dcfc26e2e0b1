"""What each call over HTTP carries beside its path: the fields of the call, and the origin it comes from."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from sliceway.wire.calls import (
    CardPlace,
    ChangesCall,
    Cursor,
    DenialCall,
    ErasureCall,
    ExportCall,
    GrantSeconds,
    ImportCall,
    Lease,
    ProposalsCall,
    ProposeCall,
    Revision,
    TokenCall,
    TrustCall,
    VerifyCall,
)
from sliceway.wire.checks import IfVersion, Label, Limit, Reason, Strict, Time, Version
from sliceway.wire.models import ListCall, OriginModel, PersonModel, RecallCall, WriteCall


class _From(Strict):
    """A call that says where it comes from; a gateway's alone."""

    origin: OriginModel | None = None


class Empty(Strict):
    """A call without fields."""


class WriteBody(WriteCall, _From):
    """`write_pages`."""


class RecallBody(RecallCall, _From):
    """`recall`."""


class ReadQuery(_From):
    """`read_page`."""

    version: Version | None = None
    as_of: Time | None = None
    slices: list[Label] | None = None


class VersionsQuery(_From):
    """`versions`."""

    slices: list[Label] | None = None
    limit: Limit = 50
    cursor: Label | None = None


class ListQuery(ListCall, _From):
    """`list_pages`."""


class DeleteBody(_From):
    """`delete`."""

    if_version: IfVersion | None = None
    reason: Reason | None = None
    request_id: Label | None = None


class RestoreBody(DeleteBody):
    """`restore`: an earlier version, or what was deleted."""

    version: Version | None = None


class UndoBody(_From):
    """`undo` of the change that a receipt names."""

    expected_event: Label
    reason: Reason | None = None
    request_id: Label | None = None


class ProposeBody(ProposeCall, _From):
    """`propose`."""


class ProposalsQuery(ProposalsCall, _From):
    """`proposals`."""


class OriginQuery(_From):
    """A look-up by id or key."""


class DecisionBody(Strict):
    """`decide`."""

    decision: Literal["approve", "deny"]
    revision: Revision
    decided_by: PersonModel
    reason: Reason | None = None
    grant_seconds: GrantSeconds | None = None


class StepBody(_From):
    """`withdraw` and `send_draft`."""

    revision: Revision


class ChangesQuery(ChangesCall, _From):
    """`changes`."""


class CardBody(_From):
    """`claim_card` with `lease_s`, `card_posted` with `ref`: exactly one of them."""

    place: CardPlace
    holder: Label
    lease_s: Lease | None = None
    ref: Label | None = None


class PageQuery(Strict):
    """A part of a list."""

    limit: Limit = 50
    cursor: Cursor | None = None


class RevokeQuery(Strict):
    """`revoke_grant`: who clicked, as `TEAM:USER`, or as a `person` with all that is known of them."""

    by: Label | None = None
    person: PersonModel | None = None


class TrustBody(TrustCall):
    """`set_trust`."""

    by: PersonModel


class VerifyBody(VerifyCall):
    """`verify`."""


class PolicyBody(Strict):
    """`set_policy`: the fields to change. What each may hold is the policy's own to say."""

    managers: Any = None
    approvers: Any = None
    teams: Any = None
    raised: Any = None
    dm: Any = None
    self_approval: Any = None
    expire_after: Any = None
    grant_for: Any = None
    kb: Any = None
    trusted_channels: Any = None


class TokenBody(TokenCall):
    """`create_token`."""


class DenialBody(DenialCall, _From):
    """`report_denial`."""


class ErasureBody(ErasureCall):
    """`erase` and `erase_slice`."""


class ErasePersonBody(ErasureCall):
    """`erase_person`."""

    person: PersonModel


class ExportQuery(ExportCall, _From):
    """`export`."""


class ImportQuery(ImportCall):
    """`import_`."""


class RetireBody(Strict):
    """`retire_agent`."""

    undo: bool = False
    dry_run: bool = False


class AliasBody(RetireBody):
    """`alias_agent`."""

    alias: Label


class MergeBody(RetireBody):
    """`merge_agent`."""

    mind: Label


class RenameBody(RetireBody):
    """`rename_agent`."""

    to: Label | None = None
    display: Annotated[str, Field(max_length=1000)] | None = None
