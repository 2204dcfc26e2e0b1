"""How Slack says no: HTTP 200 with `ok: false` and an error code, sometimes with more beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class SlackRefusal(Exception):
    """A call that Slack answers with an error code."""

    def __init__(self, error: str, **more: Any) -> None:
        """Take Slack's code and what its answer carries beside it."""
        super().__init__(error)
        self.error = error
        self.more = more

    @property
    def answer(self) -> dict[str, Any]:
        """The body of Slack's answer."""
        return {"ok": False, "error": self.error, **self.more}


def invalid_arguments(*messages: str) -> SlackRefusal:
    """Return the refusal of arguments that Slack explains one by one."""
    return SlackRefusal("invalid_arguments", response_metadata={"messages": [f"[ERROR] {m}" for m in messages]})


def invalid_blocks(errors: Sequence[str]) -> SlackRefusal:
    """Return the refusal of a message's blocks; `errors` end in `[json-pointer:…]`."""
    messages = [f"[ERROR] {error}" for error in errors]
    return SlackRefusal("invalid_blocks", errors=list(errors), response_metadata={"messages": messages})
