"""Everything that Sliceway refuses or fails with, in one tree.

A class's docstring is its default message; `code` is stable and public; `status` is what it is over HTTP::

    SlicewayError
    ├── InvalidRequest            invalid_request        422   (carries `errors`)
    │   ├── InvalidAgentId        invalid_agent_id       422
    │   ├── InvalidSlug           invalid_slug           422
    │   ├── InvalidTime           invalid_time           422
    │   └── MalformedRequest      malformed_request      400   (no HTTP that can be read)
    ├── Unauthorized              unauthorized           401
    ├── Forbidden
    │   ├── SliceForbidden        slice_forbidden        403
    │   ├── NotPermitted          not_permitted          403
    │   ├── NotEligible           not_eligible           403
    │   └── AuthorMismatch        author_mismatch        403
    ├── NotFound                  not_found              404
    │   └── MethodNotAllowed      method_not_allowed     405
    ├── Conflict
    │   ├── VersionConflict       version_conflict       409
    │   ├── IdempotencyConflict   idempotency_conflict   409
    │   ├── NotPending            not_pending            409
    │   ├── StaleRevision         stale_revision         409
    │   └── StaleEvent            stale_event            409
    ├── TooLarge                  too_large              413
    │   └── TooLargeToReview      too_large_to_review    413
    ├── UnsupportedMediaType      unsupported_media_type 415
    ├── TooSlow                   too_slow               408
    ├── TooManyRequests
    │   ├── RateLimited           rate_limited           429
    │   └── TooManyPending        too_many_pending       429
    ├── Unavailable               unavailable            503
    │   └── StoreUnavailable      unavailable            503   (read-only, full, corrupt, newer schema)
    ├── ChatError                 chat_failed            502   (carries `reason`, `retry_after`, `ambiguous`)
    └── BootError                                        (never over HTTP; exit 2 or 1)
        ├── SettingsError         invalid_settings
        ├── IdentityError         identity_unresolved
        ├── PortTaken             port_in_use
        └── PluginError           plugin_error
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong with one field of a call: where, which code, and what to do about it."""

    field: str
    code: str
    detail: str


class SlicewayError(Exception):
    """Something went wrong."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500

    def __init__(self, detail: str | None = None, **facts: Any) -> None:
        """Take the words for a person and, as keywords, the facts that a program reads beside the code."""
        self.detail = detail if detail is not None else " ".join((type(self).__doc__ or "").split())
        self.facts: Mapping[str, Any] = {name: value for name, value in facts.items() if value is not None}
        super().__init__(self.detail)


class InvalidRequest(SlicewayError):
    """The call is not one this product understands."""

    code = "invalid_request"
    status = 422

    def __init__(self, detail: str | None = None, errors: Sequence[FieldError] = (), **facts: Any) -> None:
        """Take `errors`, one for each field that is wrong; without a `detail` they are the message."""
        if detail is None and errors:
            detail = "; ".join(f"{error.field}: {error.detail}" for error in errors)
        super().__init__(detail, **facts)
        self.errors = tuple(errors)


class InvalidAgentId(InvalidRequest):
    """An agent id is 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore and hyphen, and names one agent."""

    code = "invalid_agent_id"


class InvalidSlug(InvalidRequest):
    """A slug is 1 to 200 characters of a-z, 0-9, dot, underscore, hyphen and slash, without empty or dot segments."""

    code = "invalid_slug"


class InvalidTime(InvalidRequest):
    """A time is RFC 3339 with a zone, like 2026-05-04T09:30:00Z, or a plain date."""

    code = "invalid_time"


class MalformedRequest(InvalidRequest):
    """This is no HTTP request that can be read; the connection is closed. Send it anew, with a library for HTTP."""

    code = "malformed_request"
    status = 400


class Unauthorized(SlicewayError):
    """A valid token is needed."""

    code = "unauthorized"
    status = 401


class Forbidden(SlicewayError):
    """This may not be done."""

    code = "not_permitted"
    status = 403


class SliceForbidden(Forbidden):
    """Nobody writes to a slice of that kind by this call."""

    code = "slice_forbidden"


class NotPermitted(Forbidden):
    """This caller has no such right."""

    code = "not_permitted"


class NotEligible(Forbidden):
    """This person may not decide that."""

    code = "not_eligible"


class AuthorMismatch(Forbidden):
    """The author is known from the caller; another name was given."""

    code = "author_mismatch"


class NotFound(SlicewayError):
    """There is no such thing."""

    code = "not_found"
    status = 404


class MethodNotAllowed(NotFound):
    """This address answers other HTTP methods only."""

    code = "method_not_allowed"
    status = 405


class Conflict(SlicewayError):
    """The state is not what the call expected."""

    code = "conflict"
    status = 409


class VersionConflict(Conflict):
    """The page has another version than the one expected."""

    code = "version_conflict"


class IdempotencyConflict(Conflict):
    """This request id was used for another content."""

    code = "idempotency_conflict"


class NotPending(Conflict):
    """The proposal does not wait for a decision."""

    code = "not_pending"


class StaleRevision(Conflict):
    """The proposal changed since it was shown."""

    code = "stale_revision"


class StaleEvent(Conflict):
    """Something newer happened to this since that event."""

    code = "stale_event"


class TooLarge(SlicewayError):
    """This is larger than the limit."""

    code = "too_large"
    status = 413


class TooLargeToReview(TooLarge):
    """A proposal is at most 24 KiB, so that a person can read it; split it, or propose a summary."""

    code = "too_large_to_review"


class UnsupportedMediaType(SlicewayError):
    """A body is JSON in UTF-8, said by `Content-Type: application/json`, and not compressed."""

    code = "unsupported_media_type"
    status = 415


class TooSlow(SlicewayError):
    """The body did not arrive in time; send it again in one go."""

    code = "too_slow"
    status = 408


class TooManyRequests(SlicewayError):
    """Slow down."""

    code = "rate_limited"
    status = 429


class RateLimited(TooManyRequests):
    """Too many calls in a short time; try again later."""

    code = "rate_limited"


class TooManyPending(TooManyRequests):
    """Too many proposals wait for a decision; have some decided or withdraw them first."""

    code = "too_many_pending"


class Unavailable(SlicewayError):
    """The brain cannot be reached or cannot answer now."""

    code = "unavailable"
    status = 503


class StoreUnavailable(Unavailable):
    """The store cannot be used."""


class ChatError(SlicewayError):
    """The chat platform refused or did not answer."""

    code = "chat_failed"
    status = 502

    def __init__(
        self, detail: str | None = None, *, reason: str = "", retry_after: float | None = None, ambiguous: bool = False
    ) -> None:
        """Take the platform's own error code as `reason`, after how many seconds it may be tried again, and whether
        the call may have happened although no answer came (T11)."""
        super().__init__(detail, reason=reason or None)
        self.reason = reason
        self.retry_after = retry_after
        self.ambiguous = ambiguous


class BootError(SlicewayError):
    """The program cannot start."""

    code = "boot_error"


class SettingsError(BootError):
    """The settings are not usable; nothing was started."""

    code = "invalid_settings"

    def __init__(self, problems: Sequence[FieldError]) -> None:
        """Take every problem found, so that all are reported together (CF2)."""
        super().__init__("\n".join(f"{problem.field}: {problem.detail}" for problem in problems))
        self.problems = tuple(problems)


class IdentityError(BootError):
    """The agent's id could not be learned."""

    code = "identity_unresolved"


class PortTaken(BootError):
    """The port is in use by another program; choose another one, or 0 for any that is free."""

    code = "port_in_use"


class PluginError(BootError):
    """A plugin cannot be used."""

    code = "plugin_error"
