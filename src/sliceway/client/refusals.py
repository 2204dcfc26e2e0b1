"""A problem document made the typed error again that it was written from (CL2, BR14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sliceway.errors import (
    BootError,
    ChatError,
    FieldError,
    InvalidRequest,
    SlicewayError,
    Unavailable,
)

_MEMBERS = frozenset({"type", "title", "status", "code", "detail", "errors", "instance"})
"""What every document has; all else in it are the error's facts."""
_NEVER_OVER_HTTP = (BootError, ChatError)
_REFUSALS = range(400, 500)


def _tree(kind: type[SlicewayError] = SlicewayError) -> Iterator[type[SlicewayError]]:
    """Yield the error tree from the root down, without what never crosses the wire."""
    if issubclass(kind, _NEVER_OVER_HTTP):
        return
    yield kind
    for below in kind.__subclasses__():
        if below.__module__ == SlicewayError.__module__:
            yield from _tree(below)


BY_CODE: Mapping[str, type[SlicewayError]] = {
    kind.code: kind for kind in _tree() if "code" in vars(kind) and kind is not SlicewayError
}
"""The class of each code: the narrowest that names it as its own."""
_BY_STATUS: Mapping[int, type[SlicewayError]] = {kind.status: kind for kind in reversed([*_tree()])}
"""The class of each status: the widest."""


def error_from(status: int, problem: Mapping[str, Any]) -> SlicewayError:
    """Return the error that a server answered with.

    A code that this program does not know becomes the widest class of its status, with the code as the fact
    `unknown_code`; what is wrong inside the server is `Unavailable`.
    :raises ValueError: it is no problem document of ours.
    """
    code, detail = problem.get("code"), problem.get("detail")
    if not isinstance(code, str) or not isinstance(detail, str):
        raise ValueError("a problem without code and detail")
    facts = {str(name): value for name, value in problem.items() if name not in _MEMBERS}
    kind = BY_CODE.get(code)
    if kind is None:
        facts["unknown_code"] = code
        fallback = InvalidRequest if status in _REFUSALS else Unavailable
        kind = _BY_STATUS.get(status, fallback)
        kind = Unavailable if kind is SlicewayError else kind
    # The facts are the other program's words: none of them may pass for an argument of ours.
    error = kind(detail, errors=_field_errors(problem)) if issubclass(kind, InvalidRequest) else kind(detail)
    error.facts = {name: value for name, value in facts.items() if value is not None}
    return error


def _field_errors(problem: Mapping[str, Any]) -> list[FieldError]:
    try:
        return [FieldError(one["field"], one["code"], one["detail"]) for one in problem.get("errors", ())]
    except (KeyError, TypeError) as error:
        raise ValueError("errors of another shape") from error
