"""The fault plan: what goes wrong, and when, so that a bot can be shown every bad day of the network."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from sliceway.core.refusal_words import words_of
from sliceway.errors import FieldError, InvalidRequest

Deed = Literal[
    "drop_reply", "error", "delay", "duplicate", "reorder", "rate_limit", "disconnect", "redeliver", "revoke"
]
DisconnectReason = Literal["warning", "refresh_requested", "too_many_websockets", "link_disabled", "cut"]
ON_CALLS = frozenset({"drop_reply", "error", "delay", "rate_limit", "revoke"})
ON_DELIVERIES = frozenset({"drop_reply", "delay", "duplicate", "reorder", "disconnect", "redeliver"})


class Match(BaseModel):
    """Which calls or deliveries a fault is for; without `method` and `event`, all it can happen to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    method: str | None = None
    event: str | None = None
    nth: int | None = Field(default=None, ge=1)


class Fault(BaseModel):
    """One thing that goes wrong: at each match, or only at the `nth` one since the plan was set.

    `disconnect` closes the socket right behind the delivery, before it can be acknowledged (`reason` is what the app is
    told; `warning` closes nothing, `cut` says nothing); a delivery over HTTP has no socket, and nothing happens to it.
    `redeliver` sends a press, a form or a command that was not acknowledged once more, when the app can be reached;
    nobody could confirm that Slack does so (T13). Events come again anyway.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    match: Match = Match()
    do: Deed
    error: str | None = None
    reason: DisconnectReason = "refresh_requested"
    seconds: float | None = Field(default=None, ge=0, le=86_400)
    retry_after: int = Field(default=1, ge=0, le=3600)

    @model_validator(mode="after")
    def _makes_sense(self) -> Fault:
        if self.do == "error" and not self.error:
            raise ValueError("say which error: a code of Slack's, like channel_not_found")
        if self.do == "delay" and self.seconds is None:
            raise ValueError("say how many seconds to wait")
        if self.match.method and self.match.event:
            raise ValueError("match a method (what the app calls) or an event (what it is sent), not both")
        if self.match.method and self.do not in ON_CALLS:
            raise ValueError(f"{self.do} happens to deliveries: match an event, not a method")
        if self.match.event and self.do not in ON_DELIVERIES:
            raise ValueError(f"{self.do} happens to calls: match a method, not an event")
        return self


class FaultPlan:
    """The faults in force, each with a count of how often it has matched."""

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        """Start with these faults."""
        self._counted: list[tuple[Fault, list[int]]] = []
        self._watchers: list[Callable[[], None]] = []
        self.replace(faults)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that may still happen: one that was for the `nth` match is over after it."""
        return tuple(fault for fault, (count,) in self._counted if fault.match.nth is None or count < fault.match.nth)

    def watch(self, watcher: Callable[[], None]) -> None:
        """Have somebody called when a fault is over."""
        self._watchers.append(watcher)

    def replace(self, faults: Iterable[Fault]) -> None:
        """Put these faults in the place of all earlier ones and count from the start; none at all ends every fault."""
        self._counted = [(fault, [0]) for fault in faults]

    def for_call(self, method: str) -> list[Fault]:
        """Count a Web API call and return what goes wrong with it, in the order of the plan."""
        return self._due(ON_CALLS, "method", (method,))

    def for_delivery(self, labels: Sequence[str]) -> list[Fault]:
        """Count a delivery and return what goes wrong with it.

        :param labels: what it may be matched by: its kind, the event's or payload's type, the command.
        """
        return self._due(ON_DELIVERIES, "event", labels)

    def _due(self, possible: frozenset[str], side: Literal["method", "event"], labels: Sequence[str]) -> list[Fault]:
        due = []
        for fault, count in self._counted:
            wanted = fault.match.method if side == "method" else fault.match.event
            other = fault.match.event if side == "method" else fault.match.method
            if fault.do not in possible or other is not None or wanted not in (None, *labels):
                continue
            if fault.do == "drop_reply" and wanted is None and side == "event":
                continue  # unless an event is named, the replies meant are those to the app's calls
            count[0] += 1
            if fault.match.nth in (None, count[0]):
                due.append(fault)
            if fault.match.nth == count[0]:
                for watcher in self._watchers:
                    watcher()
        return due


class _Plan(BaseModel):
    model_config = ConfigDict(extra="forbid")

    plan: list[Fault]


def faults_from(body: Any) -> list[Fault]:
    """Return the faults of `{"plan": […]}`.

    :raises InvalidRequest: with every problem found.
    """
    try:
        return _Plan.model_validate(body).plan
    except ValidationError as error:
        raise InvalidRequest(errors=field_errors(error)) from None


def faults_in(file: Path) -> list[Fault]:
    """Return the faults of a file that holds `{"plan": […]}`, or the list alone, as JSON.

    :raises InvalidRequest: the file cannot be read or is no plan.
    """
    try:
        body = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidRequest(f"The fault plan {file} cannot be read: {error}") from error
    return faults_from({"plan": body} if isinstance(body, list) else body)


def field_errors(error: ValidationError) -> list[FieldError]:
    """Return the problems pydantic found, as fields of the call."""
    return [
        FieldError(
            ".".join(str(part) for part in problem["loc"]) or "body",
            problem["type"],
            words_of(problem["type"], problem.get("ctx", {})),
        )
        for problem in error.errors(include_url=False)
    ]
