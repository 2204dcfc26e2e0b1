"""Every call of the brain over HTTP, once: the server serves this table, the client calls by it, OpenAPI is made of it.

A row says which method of the port a call is, where its fields travel, and what answers. Who may do what with it is
judged in one place, the brain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sliceway.core.grants import Grant
from sliceway.core.pages import Listing, Page, PageEntry, RecallResult, VersionEntry
from sliceway.core.policy import Policy
from sliceway.core.proposals import CardClaim, Changes, Proposal
from sliceway.core.tokens import NewToken, TokenEntry
from sliceway.ports.outcomes import (
    AgentChange,
    AgentEntry,
    AuditEntry,
    Done,
    Erasure,
    ExportLine,
    ImportReport,
    Outcome,
    SliceEntry,
    VerifyReport,
    WhoAmI,
)
from sliceway.wire import bodies
from sliceway.wire.calls import ListingCall, ObserveCall, RegisterCall
from sliceway.wire.checks import Strict


@dataclass(frozen=True, slots=True)
class Route:
    """One call. `call` is the port's method; `path` may hold `{slice}`, `{slug}`, `{id}`, `{turn}`, fields too.

    `fields` are those beside the path, in the body or in the query; `answer` is the type that the port returns;
    `statuses` are those of success.
    """

    call: str
    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    fields: type[Strict]
    answer: Any
    statuses: tuple[int, ...] = (200,)
    streams: bool = False

    @property
    def in_query(self) -> bool:
        """Whether the fields travel in the query: a GET has no body, and that of a stream is what streams."""
        return self.method == "GET" or self.streams


_PAGE = "/v1/pages/{slice}/{slug}"
_AGENT = "/v1/agents/{id}"
_PROPOSAL = "/v1/proposals/{id}"

ROUTES: tuple[Route, ...] = (
    Route("whoami", "GET", "/v1/whoami", bodies.Empty, WhoAmI),
    Route("recall", "POST", "/v1/recall", bodies.RecallBody, RecallResult),
    Route("write_pages", "POST", "/v1/pages", bodies.WriteBody, Outcome, statuses=(200, 202)),
    Route("list_pages", "GET", "/v1/pages", bodies.ListQuery, Listing[PageEntry]),
    Route("read_page", "GET", _PAGE, bodies.ReadQuery, Page),
    Route("versions", "GET", f"{_PAGE}/versions", bodies.VersionsQuery, Listing[VersionEntry]),
    Route("delete", "DELETE", _PAGE, bodies.DeleteBody, Outcome, statuses=(200, 202)),
    Route("restore", "POST", f"{_PAGE}/restore", bodies.RestoreBody, Outcome, statuses=(200, 202)),
    Route("undo", "POST", f"{_PAGE}/undo", bodies.UndoBody, Outcome, statuses=(200, 202)),
    Route("erase", "POST", f"{_PAGE}/erase", bodies.ErasureBody, Erasure),
    Route("propose", "POST", "/v1/proposals", bodies.ProposeBody, Proposal, statuses=(202,)),
    Route("proposals", "GET", "/v1/proposals", bodies.ProposalsQuery, Listing[Proposal]),
    Route("proposal", "GET", _PROPOSAL, bodies.OriginQuery, Proposal),
    Route("decide", "POST", f"{_PROPOSAL}/decision", bodies.DecisionBody, Proposal),
    Route("withdraw", "POST", f"{_PROPOSAL}/withdraw", bodies.StepBody, Proposal),
    Route("send_draft", "POST", f"{_PROPOSAL}/send", bodies.StepBody, Proposal),
    Route("claim_card", "POST", f"{_PROPOSAL}/cards", bodies.CardBody, CardClaim),
    Route("changes", "GET", "/v1/changes", bodies.ChangesQuery, Changes),
    Route("grants", "GET", "/v1/grants", bodies.PageQuery, Listing[Grant]),
    Route("revoke_grant", "DELETE", "/v1/grants/{id}", bodies.RevokeQuery, Grant),
    Route("policy", "GET", "/v1/policy", bodies.Empty, Policy),
    Route("set_policy", "PUT", "/v1/policy", bodies.PolicyBody, Policy),
    Route("set_trust", "POST", "/v1/policy/channels", bodies.TrustBody, Policy),
    Route("observe", "POST", "/v1/observed", ObserveCall, Policy),
    Route("report_denial", "POST", "/v1/denials", bodies.DenialBody, None),
    Route("register", "POST", "/v1/agents", RegisterCall, AgentEntry),
    Route("agents", "GET", "/v1/agents", bodies.PageQuery, Listing[AgentEntry]),
    Route("alias_agent", "POST", f"{_AGENT}/alias", bodies.AliasBody, AgentChange),
    Route("rename_agent", "POST", f"{_AGENT}/rename", bodies.RenameBody, AgentChange),
    Route("merge_agent", "POST", f"{_AGENT}/merge", bodies.MergeBody, AgentChange),
    Route("retire_agent", "POST", f"{_AGENT}/retire", bodies.RetireBody, AgentChange),
    Route("done_in", "GET", "/v1/turns/{turn}", bodies.OriginQuery, Done),
    Route("slices", "GET", "/v1/slices", bodies.PageQuery, Listing[SliceEntry]),
    Route("erase_slice", "POST", "/v1/slices/{slice}/erase", bodies.ErasureBody, Erasure),
    Route("erase_person", "POST", "/v1/people/erase", bodies.ErasePersonBody, Erasure),
    Route("audit", "GET", "/v1/audit", ListingCall, Listing[AuditEntry]),
    Route("head", "GET", "/v1/ledger/head", bodies.Empty, Mapping[str, str]),
    Route("verify", "POST", "/v1/ledger/verify", bodies.VerifyBody, VerifyReport),
    Route("create_token", "POST", "/v1/tokens", bodies.TokenBody, NewToken, statuses=(201,)),
    Route("tokens", "GET", "/v1/tokens", bodies.PageQuery, Listing[TokenEntry]),
    Route("rotate_token", "POST", "/v1/tokens/{id}/rotate", bodies.Empty, NewToken),
    Route("revoke_token", "DELETE", "/v1/tokens/{id}", bodies.Empty, TokenEntry),
)
"""The calls, in the order of the contract. `claim_card` is `card_posted` where its body has a `ref`."""

NDJSON = "application/x-ndjson"
STREAMS: tuple[Route, ...] = (
    Route("export", "GET", "/v1/export", bodies.ExportQuery, ExportLine, streams=True),
    Route("import_", "POST", "/v1/import", bodies.ImportQuery, ImportReport, streams=True),
)
"""The calls that are longer than any body: lines go out as they are read, or come in as they are sent."""
