"""From what the port returned to the answer over HTTP: one serializer for each resource in every call (BR14)."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from sliceway.core.proposals import Proposal
from sliceway.ports.outcomes import Outcome
from sliceway.wire.codec import to_json
from sliceway.wire.routes import Route

PENDING = "pending"
OF_ONE_PAGE = frozenset({"delete", "restore", "undo"})
"""Calls whose answer has the receipt's fields at its top."""


def answer_of(route: Route, result: Any) -> tuple[int, bytes]:
    """Return the status and the body of an answer."""
    body = json.dumps(document(route, result), ensure_ascii=False, separators=(",", ":")).encode()
    return status_of(route, result), body


def status_of(route: Route, result: Any) -> int:
    """Return the status of success: 202 where a person must say yes."""
    if isinstance(result, Outcome):
        return int(HTTPStatus.ACCEPTED if result.outcome == PENDING else HTTPStatus.OK)
    return route.statuses[0]


def document(route: Route, result: Any) -> dict[str, Any]:
    """Return the body of an answer as plain values."""
    if route.call == "report_denial":
        return {"recorded": True}
    if route.call == "head":
        return {"head": dict(result)}
    found: dict[str, Any] = to_json(result)
    if isinstance(result, Outcome) and route.call in OF_ONE_PAGE and result.receipts:
        return {**found["receipts"][0], **found}
    if isinstance(result, Proposal) and route.call == "propose":
        return {**found, "outcome": PENDING, "proposal": found}
    return found
