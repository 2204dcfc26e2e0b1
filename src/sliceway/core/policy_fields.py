"""The fields of the policy as they may be set: checked together, refused with the field and the reason (BR5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from sliceway.core.clock import parse_duration
from sliceway.core.ids import check_agent_id
from sliceway.core.policy import MAX_GRANT
from sliceway.core.slices import is_mounted
from sliceway.errors import FieldError, InvalidRequest

_MAX_EXPIRY = timedelta(days=365)
_MAX_LIST = 10_000
_MAX_ID = 256


def checked_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of the policy as the inside knows them: lists as sets, durations as lengths.

    :param values: lists of texts, durations like `72h` or lengths; None where the default is meant again.
    :raises InvalidRequest: with every field that is unknown or wrong.
    """
    made, errors = {}, []
    for name, value in values.items():
        if name not in _CHECKS:
            errors.append(FieldError(name, "unknown_field", "the policy has no such field"))
            continue
        try:
            made[name] = _CHECKS[name](value)
        except InvalidRequest as error:
            errors.append(FieldError(name, "invalid_request", error.detail))
    if errors:
        raise InvalidRequest(errors=errors)
    return made


def env_name(name: str) -> str:
    """Return the setting that a field is copied from, in its env form."""
    group = "APPROVALS" if name in {"expire_after", "grant_for"} else "POLICY"
    return f"SLICEWAY_{group}__{name.upper()}"


def _names(value: Any) -> frozenset[str]:
    if isinstance(value, str) or not isinstance(value, list | tuple | set | frozenset) or len(value) > _MAX_LIST:
        raise InvalidRequest("give a list of ids")
    for item in value:
        if not isinstance(item, str) or not item.strip() or len(item) > _MAX_ID or not item.isprintable():
            raise InvalidRequest("each entry is an id, or TEAM:ID")
    return frozenset(item.strip() for item in value)


def _names_or_default(value: Any) -> frozenset[str] | None:
    return None if value is None else _names(value)


def _word(*words: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in words:
            raise InvalidRequest(f"say one of {', '.join(words)}")
        return str(value)

    return check


def _length(shortest: timedelta, longest: timedelta, words: str) -> Callable[[Any], timedelta]:
    def check(value: Any) -> timedelta:
        length = parse_duration(value) if isinstance(value, str) else value
        if not isinstance(length, timedelta):
            raise InvalidRequest("write a duration like 4s, 15m, 72h or 7d")
        if not shortest <= length <= longest or length.microseconds:
            raise InvalidRequest(words)
        return length

    return check


def _mounted(value: Any) -> dict[str, frozenset[str]]:
    if not isinstance(value, Mapping):
        raise InvalidRequest("give the kb-… slices of each agent")
    made = {}
    for agent, slices in value.items():
        names = _names(slices)
        if not all(is_mounted(name) for name in names):
            raise InvalidRequest("only kb-… slices are mounted")
        made[check_agent_id(str(agent), allow_default=True)] = names
    return made


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "managers": _names,
    "approvers": _names_or_default,
    "teams": _names,
    "raised": _names,
    "trusted_channels": _names,
    "dm": _word("personal", "off"),
    "self_approval": _word("managers", "never", "always"),
    "expire_after": _length(timedelta(seconds=1), _MAX_EXPIRY, "a proposal waits from 1s to 365d"),
    "grant_for": _length(timedelta(), MAX_GRANT, "a grant lasts at most 7d; 0 switches grants off"),
    "kb": _mounted,
}

FIELDS = frozenset(_CHECKS)
"""The fields that may be set."""
