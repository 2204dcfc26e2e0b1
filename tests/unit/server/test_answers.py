"""Answers over HTTP: status and body of what the port returned."""

from __future__ import annotations

import json
from typing import Any

from sliceway.core.pages import Action, Author, Receipt
from sliceway.core.principals import NO_ORIGIN, PrincipalKind
from sliceway.core.proposals import Proposal, State
from sliceway.core.tokens import NewToken, TokenEntry
from sliceway.ports import Outcome
from sliceway.server.answers import answer_of
from sliceway.wire.codec import to_json
from sliceway.wire.routes import ROUTES

_BY_CALL = {route.call: route for route in ROUTES}
_AT = "2026-01-01T00:00:00Z"
_RECEIPT = Receipt("shared", "a", 1, Action.DELETE, Author("ada", "t", None, "api"), "e1", _AT)
_PROPOSAL = Proposal("p1", "shared", 1, State.PENDING, "write", "ada", (), None, NO_ORIGIN, _AT, _AT)


def answered(call: str, result: Any) -> tuple[int, Any]:
    """Return status and document."""
    status, body = answer_of(_BY_CALL[call], result)
    return status, json.loads(body)


def test_a_write_is_200_and_what_waits_is_202() -> None:
    """The status tells whether it is done, or a person must say yes."""
    assert answered("write_pages", Outcome("written", (_RECEIPT,)))[0] == 200
    assert answered("write_pages", Outcome("would_ask", dry_run=True)) == (
        200,
        {"outcome": "would_ask", "dry_run": True},
    )
    assert answered("delete", Outcome("pending", proposal=_PROPOSAL)) == (
        202, {"outcome": "pending", "proposal": to_json(_PROPOSAL)},
    )  # fmt: skip


def test_what_is_done_to_one_page_answers_its_receipt() -> None:
    """The receipt's fields stand at the top, and the outcome beside them."""
    receipt = to_json(_RECEIPT)
    assert answered("delete", Outcome("written", (_RECEIPT,))) == (
        200, {**receipt, "outcome": "written", "receipts": [receipt]},
    )  # fmt: skip


def test_a_proposal_is_answered_as_every_202_is() -> None:
    """`proposal` is the whole resource, whichever call it came of."""
    shown = to_json(_PROPOSAL)
    assert answered("propose", _PROPOSAL) == (202, {**shown, "outcome": "pending", "proposal": shown})


def test_br2_a_new_token_is_shown_with_what_is_known_of_it() -> None:
    """BR2: the secret once, beside the entry that lists show."""
    entry = TokenEntry("t1", PrincipalKind.AGENT, "ada", (), False, False, (), _AT)
    assert answered("create_token", NewToken("slw_t1_s", entry)) == (201, {"token": "slw_t1_s", **to_json(entry)})


def test_the_rest_is_the_resource_or_a_word() -> None:
    """Heads under `head`; a denial that is recorded says so."""
    assert answered("head", {"shared": "ab"}) == (200, {"head": {"shared": "ab"}})
    assert answered("report_denial", None) == (200, {"recorded": True})
